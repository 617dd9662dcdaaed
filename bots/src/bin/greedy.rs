//! The best move at first sight, in every game.
fn main() -> std::process::ExitCode {
    bots::greedy::main()
}
