//! The loop that speaks with the arena, in lines of words. What the bot plays is `choose` in the file of each game.
mod @game@;

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
    println!("ready"); // println pushes each line out
    for line in lines {
        let words: Vec<&str> = line.split_whitespace().collect();
        println!("{}", choose(&words));
    }
}
