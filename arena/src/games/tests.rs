use super::*;
use crate::game::laws;

#[test]
fn the_laws_hold_for_every_game() {
    let broken: Vec<String> = std::thread::scope(|scope| {
        let checks: Vec<_> = GAMES.iter().map(|game| scope.spawn(|| laws::check(*game))).collect();
        checks.into_iter().filter_map(|check| check.join().expect("no law panics").err()).collect()
    });
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn games_are_found_by_their_ids_and_say_what_people_need() {
    for game in GAMES {
        let info = game.info();
        let found = find(info.id).expect("every game in the table is found");
        assert!(std::ptr::eq(found.info(), info), "two games are called {}", info.id);
        let bare = |text: &str| text.replace(char::is_whitespace, "");
        assert!(
            bare(info.rules).contains(&bare(info.example_move)),
            "the rules of {} do not show its example move",
            info.id
        );
        for spec in game.params() {
            let named = format!("`{}`", spec.name);
            assert!(info.rules.contains(&named), "the rules of {} do not name {named}", info.id);
        }
    }
    assert!(find("tiddlywinks").is_none());
}
