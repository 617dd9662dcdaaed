//! The fixture bot as a program; `fixture list` prints what it can do.

fn main() -> std::process::ExitCode {
    tests::fixture::main()
}
