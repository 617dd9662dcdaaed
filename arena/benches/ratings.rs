//! How often the 95 % intervals of the ratings hold the true strength: `cargo bench -p arena --bench ratings`.
//!
//! A thousand cups of each kind are simulated with known strengths and fixed seeds. Words after `--`: a number of cups
//! instead of a thousand.

use arena::tournament::rating::simulation::{Cell, Coverage, coverage};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // Cargo says so when it runs benchmarks; without it, this is a test that everything still runs.
    let usual = if words.iter().any(|word| word == "--bench") { 1_000 } else { 2 };
    let cups = words.iter().find_map(|word| word.parse().ok()).unwrap_or(usual);
    println!("entrants  pairs  draws  shared   covered  extremes  ± Elo    ({cups} cups each, strengths N(0, 200))");
    for shared in [0.0, 0.5] {
        for entrants in [8, 20] {
            for pairs in [10, 50] {
                for draws in [0.0, 0.3] {
                    let cell = Cell { entrants, pairs, spread: 200.0, draws, shared };
                    let Coverage { all, extremes, half_width } = coverage(cell, cups, 1);
                    println!(
                        "{entrants:>8}  {pairs:>5}  {:>3} %  {:>4} %   {all:>5.2} %   {extremes:>5.2} %  {half_width:>5.1}",
                        draws * 100.0,
                        shared * 100.0,
                    );
                }
            }
        }
    }
}
