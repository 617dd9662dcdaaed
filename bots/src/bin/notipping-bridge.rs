//! No Tipping: a socket client of the course as a bot.
fn main() -> std::process::ExitCode {
    bots::notipping_bridge::main()
}
