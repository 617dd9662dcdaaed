//! How fast Flip's rules are: validity checks, writing a state, playing a turn. `cargo bench --bench flip`.

fn main() {}
