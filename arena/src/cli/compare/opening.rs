//! Whether pairs need openings, so that bots that draw no lots do not play one and the same match for ever.

use crate::game::{AnyGame, OPENING, Params};

/// Seeds that are tried.
const TRIED: [u64; 3] = [1, 2, 3];

/// Plies of an opening, the best first: more of them are more different starts, and leave less of the match.
const PLIES: [u64; 3] = [6, 4, 2];

/// How many plies to play before the first turn, where the seed deals nothing in one of these sets and the game can have openings.
pub(super) fn needed(game: &'static dyn AnyGame, sets: &[Params]) -> Option<u64> {
    if !game.params().iter().any(|spec| spec.name == OPENING.name) || !sets.iter().any(|set| begins_alike(game, set)) {
        return None;
    }
    let fits =
        |plies: &u64| sets.iter().all(|set| TRIED.iter().all(|seed| game.start(&with(set, *plies), *seed).is_ok()));
    PLIES.into_iter().find(fits)
}

fn begins_alike(game: &dyn AnyGame, set: &Params) -> bool {
    let start = |seed| game.start(&with(set, 0), seed).ok().map(|started| (started.params, started.position.state()));
    let first = start(TRIED[0]);
    TRIED.iter().all(|seed| start(*seed) == first)
}

fn with(set: &Params, plies: u64) -> Params {
    let mut set = set.clone();
    set.insert(OPENING.name.to_string(), plies.into());
    set
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GAMES;

    #[test]
    fn exactly_the_games_whose_seed_deals_nothing_need_one() {
        for game in GAMES {
            let started = game.start(&Params::new(), 1).unwrap();
            let other = game.start(&Params::new(), 2).unwrap();
            let alike = started.params == other.params && started.position.state() == other.position.state();
            let has_openings = game.params().iter().any(|spec| spec.name == OPENING.name);
            let needed = needed(*game, &[Params::new()]);
            assert_eq!(needed.is_some(), alike && has_openings, "{}", game.info().id);
        }
    }

    #[test]
    fn it_is_shorter_where_a_long_one_cannot_be_drawn() {
        let boards: Vec<u64> = GAMES.iter().filter_map(|game| needed(*game, &[Params::new()])).collect();
        assert!(!boards.is_empty() && boards.iter().all(|plies| PLIES.contains(plies)), "{boards:?}");
    }
}
