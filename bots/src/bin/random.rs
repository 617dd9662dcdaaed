//! Random moves, in every game.
fn main() -> std::process::ExitCode {
    bots::random::main()
}
