//! A bot that reads and writes words, as a bot that speaks JSON.
fn main() -> std::process::ExitCode {
    bots::plain::main()
}
