//! The `arena` program. All it does is in the library; see `arena/ARCHITECTURE.md`.

fn main() -> std::process::ExitCode {
    arena::cli::main()
}
