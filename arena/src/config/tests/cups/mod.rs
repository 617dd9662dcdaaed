//! Cup files, right and wrong.

mod bad;
mod changes;
mod entrants;
mod good;
mod mutations;

use super::Ground;
use crate::config::{Broken, ConfigError, Cup, cup_from_text};

/// A whole cup but for its format.
const CUP: &str = "name = \"spring\"\ngame = \"othello\"\n[[bots]]\nbot = \"paper\"\n[[bots]]\nbot = \"random\"\n";

impl Ground {
    fn read_cup(&self, text: &str) -> Result<Cup, ConfigError> {
        cup_from_text(text, "cup.toml", self.0.path(), &self.path("arena-dir"), Broken::Refuse, None)
    }

    #[track_caller]
    fn cup(&self, text: &str) -> Cup {
        self.read_cup(text).unwrap_or_else(|error| panic!("the cup is good, but: {error}\n{text}"))
    }

    #[track_caller]
    fn cup_error(&self, text: &str) -> String {
        match self.read_cup(text) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("the cup is refused:\n{text}"),
        }
    }
}

/// A cup of this game with two bundled bots, `top` above its tables, `tables` below them.
fn cup_text(game: &str, top: &str, tables: &str) -> String {
    format!(
        "name = \"spring\"\ngame = \"{game}\"\n{top}\n{tables}\n[[bots]]\nbot = \"greedy\"\n[[bots]]\nbot = \"random\"\n"
    )
}

/// The names of the bots, in order.
fn names(cup: &Cup) -> Vec<&str> {
    cup.bots.iter().map(|bot| bot.spec.name.as_str()).collect()
}
