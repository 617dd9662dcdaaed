//! The loop for writing a bot in Rust.
