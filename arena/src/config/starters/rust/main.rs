//! The loop that speaks with the arena, in lines of words. What the bot plays is `choose` in the file of each game.
mod @game@;

/// What the first line of a match tells, for `choose`: `crate::start().seed`.
#[allow(dead_code)] // until it is used
#[derive(Default)]
pub struct Start {
    /// 0 moves first, 1 second.
    pub seat: usize,
    /// This bot's own: draw from it, and a match can be played again.
    pub seed: u64,
    /// The limit on a move in milliseconds.
    pub move_ms: Option<u64>,
}

static START: std::sync::OnceLock<Start> = std::sync::OnceLock::new();

#[allow(dead_code)] // until it is used
pub fn start() -> &'static Start {
    START.get_or_init(Start::default)
}

fn main() {
    let mut lines = std::io::stdin().lines().map_while(Result::ok);
    // The first line: GAME SEAT NAME=VALUE…
    let first = lines.next().unwrap_or_default();
    let choose = match first.split(' ').next().unwrap_or_default() {
        "@game@" => @game@::choose as fn(&[&str]) -> String,
        other => {
            eprintln!("this bot does not play {other}");
            std::process::exit(1);
        }
    };
    let value = |name: &str| first.split(' ').find_map(|word| word.strip_prefix(name)?.parse().ok());
    START.get_or_init(|| Start {
        seat: usize::from(first.split(' ').nth(1) == Some("1")),
        seed: value("seed=").unwrap_or_default(),
        move_ms: value("move_ms="),
    });
    println!("ready"); // println pushes each line out
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        println!("{}", choose(&words));
    }
}
