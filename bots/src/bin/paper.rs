//! The Paper: Othello by the rules of a worksheet.
fn main() -> std::process::ExitCode {
    bots::paper::main()
}
