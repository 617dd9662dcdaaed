//! No Tipping: random blocks, placed where the board still stands.
fn main() -> std::process::ExitCode {
    bots::notipping_random::main()
}
