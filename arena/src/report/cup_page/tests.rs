//! What a cup's page tells, for cups of all sizes, and that no text gets out of its place.

use super::markup::{count, points, text, time};
use super::*;
use crate::record::{Row, RowOutcome};
use crate::seat::Seat;
use crate::seed;
use crate::tournament::grades::{PassRule, grades};
use crate::tournament::standings::standings;
use crate::tournament::tally::Results;
use crate::verdict::Reason;
use serde_json::json;

const CLOCK: ClockRecord =
    ClockRecord { start_ms: Some(10_000), move_ms: Some(1000), game_ms: None, increment_ms: 0, stop_ms: 1000 };

/// A cup that was never played: the earlier a bot stands in the field, the more it wins.
struct MadeUp {
    names: Vec<String>,
    sets: Vec<Params>,
    tally: Tally,
    excerpts: Excerpts,
    played: u64,
}

impl MadeUp {
    fn new(names: &[&str], sets: usize) -> MadeUp {
        let names: Vec<String> = names.iter().map(|name| name.to_string()).collect();
        let set = |number: usize| json!({"size": 6 + 2 * (number / 2), "holes": number % 2, "turns": 60});
        let sets: Vec<Params> = (0..sets).filter_map(|number| set(number).as_object().cloned()).collect();
        let (tally, excerpts) = (Tally::new(&names, sets.len()), Excerpts::new(&names));
        MadeUp { names, sets, tally, excerpts, played: 0 }
    }

    /// Everybody against everybody, so many pairs in each parameter set.
    fn round_robin(names: &[&str], sets: usize, pairs: u64) -> MadeUp {
        let mut cup = MadeUp::new(names, sets);
        for one in 0..names.len() {
            for other in one + 1..names.len() {
                for (set, pair) in (0..sets).flat_map(|set| (0..pairs).map(move |pair| (set, pair))) {
                    cup.play([one, other], set, pair, 'a');
                    cup.play([other, one], set, pair, 'b');
                }
            }
        }
        cup
    }

    fn play(&mut self, seats: [usize; 2], set: usize, pair: u64, half: char) {
        let bots = seats.map(|entrant| self.names[entrant].clone());
        let players = if half == 'a' { bots.clone() } else { [bots[1].clone(), bots[0].clone()] };
        let id = format!("{}+{}+s{}+{}{half}", players[0], players[1], set + 1, pair + 1);
        let chance = |what: &str| seed::of_text(7, &format!("{id} {what}")) as f64 / seed::SEED_LIMIT as f64;
        let strength = |entrant: usize| 60.0 * entrant as f64 * if set % 2 == 1 { 0.3 } else { 1.0 };
        let expected = 1.0 / (1.0 + 10f64.powf((strength(seats[0]) - strength(seats[1])) / 400.0));
        let outcome = match chance("outcome") {
            chance if (chance - expected).abs() < 0.04 => RowOutcome::Drawn,
            chance if chance < expected => RowOutcome::Won(Seat::First),
            _ => RowOutcome::Won(Seat::Second),
        };
        let margin = 2 + (20.0 * chance("margin")) as i64;
        let at_fault = match outcome {
            RowOutcome::Won(winner) if chance("fault") < 0.02 * (1 + seats[winner.other().index()] % 4) as f64 => {
                Some(winner.other())
            }
            _ => None,
        };
        let kinds = [Reason::Illegal, Reason::Timeout, Reason::Crashed, Reason::Malformed, Reason::NoStart];
        let mean = |seat: usize| 0.4 * 1.6f64.powi((seats[seat] % 12) as i32) * (0.5 + chance(["x", "y"][seat]));
        let longest = |seat: usize| (mean(seat) * (1.5 + 5.0 * chance(["p", "q"][seat])).powf(1.3)).min(1040.0);
        let transcript = format!("transcripts/{id}.jsonl");
        let row = Row {
            round: 1,
            game: "nim".to_string(),
            params: "{}".to_string(),
            seed: pair,
            bots,
            outcome,
            scores: match outcome {
                RowOutcome::Won(Seat::First) => [32 + margin, 32 - margin],
                RowOutcome::Won(Seat::Second) => [32 - margin, 32 + margin],
                _ => [32, 32],
            },
            reason: at_fault.map_or(Reason::Finished, |_| kinds[(chance("kind") * 5.0) as usize % 5]),
            at_fault,
            turns: 60,
            duration_ms: 900,
            thinking_ms: [0, 1].map(|seat| (30.0 * mean(seat)) as u64),
            longest_ms: [0, 1].map(|seat| longest(seat) as u64),
            transcript,
            id,
        };
        self.add(&row, set);
    }

    fn add(&mut self, row: &Row, set: usize) {
        self.tally.count(row, set, None).expect("all are in the field");
        self.excerpts.add(row);
        self.played += 1;
    }

    fn page(&self) -> String {
        self.page_with(&[], |_, _| {})
    }

    fn page_with(&self, lines: &[String], change: impl for<'a> FnOnce(&mut CupPage<'a>, &'a [String])) -> String {
        let standings = standings(&self.names, &self.tally.whole(), None);
        let mut cup = CupPage {
            name: "spring",
            game: "Nim",
            format: "round-robin",
            seed: 42,
            pairs: 4,
            clock: &CLOCK,
            isolation: "none",
            arena: "0.0.1",
            facts: &[],
            sets: &self.sets,
            tally: &self.tally,
            standings: &standings,
            grades: &[],
            to_pass: None,
            remarks: &[],
            warnings: &[],
            unfinished: None,
            void: &[],
            files: &["matches.csv", "standings.csv"],
            excerpts: &self.excerpts,
            rounds: &[],
            links: CupLinks::Beside,
        };
        change(&mut cup, lines);
        let page = cup_page(&cup);
        sound(&page);
        page
    }
}

/// What holds for every page: it is whole, asks nobody for anything, runs nothing, and tells only numbers that are some.
fn sound(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for word in ["NaN", ">inf", "inf%", "-inf", "\"inf", "<script", " style=", "http:", "https:", "src=", "url(", "{}"]
    {
        assert!(!page.contains(word), "{word:?} in {page}");
    }
    for element in ["section", "table", "tr", "td", "th", "ul", "li", "details", "summary", "svg", "p", "span", "a"] {
        let opened = page.matches(&format!("<{element} ")).count() + page.matches(&format!("<{element}>")).count();
        assert_eq!(opened, page.matches(&format!("</{element}>")).count(), "{element}");
    }
    for link in page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        if let Some(anchor) = link.strip_prefix('#') {
            assert_eq!(page.matches(&format!("id=\"{anchor}\"")).count(), 1, "{anchor}");
        }
    }
}

fn field(entrants: usize) -> Vec<String> {
    (0..entrants).map(|number| format!("bot{number:02}")).collect()
}

fn large(entrants: usize, sets: usize, pairs: u64) -> MadeUp {
    let names = field(entrants);
    MadeUp::round_robin(&names.iter().map(String::as_str).collect::<Vec<&str>>(), sets, pairs)
}

#[test]
fn a_page_tells_who_won_and_how_sure_that_is() {
    let page = MadeUp::round_robin(&["alice", "bob", "carol"], 1, 40).page();
    assert!(page.contains("<strong>alice wins</strong>"), "{page}");
    assert!(page.contains("of 160 matches (") && page.contains(", Elo +"));
    assert!(page.contains("<title>spring: Nim</title>"));
    assert!(page.contains("Bradley–Terry"), "how the Elo was made stands with it");
    assert!(page.contains("1 s a move") && page.contains("<dt>Seed</dt><dd>42</dd>"));
    assert!(page.contains("<a href=\"matches.csv\">"));
    assert!(!page.contains("Score by parameter"), "there is one parameter set only");
}

#[test]
fn a_lead_that_may_be_chance_is_not_called_settled() {
    let mut cup = MadeUp::new(&["alice", "bob"], 1);
    cup.add(&row("alice+bob+1a", ["alice", "bob"], RowOutcome::Won(Seat::First), None), 0);
    cup.add(&row("alice+bob+1b", ["bob", "alice"], RowOutcome::Drawn, None), 0);
    let page = cup.page();
    assert!(page.contains("<strong>alice wins</strong>") && page.contains("and so not settled."), "{page}");
    assert!(page.contains("1½ points of 2 matches"));
}

#[test]
fn an_unfinished_cup_says_so() {
    let cup = MadeUp::round_robin(&["alice", "bob"], 1, 20);
    let known = cup.page_with(&[], |cup, _| {
        cup.unfinished = Some(Unfinished { done: 40, planned: Some(12_000), is_going_on: false })
    });
    assert!(known.contains("<strong>So far alice leads</strong>"));
    assert!(known.contains("40 matches are played of 12\u{202f}000: the same command goes on."));
    let open =
        cup.page_with(&[], |cup, _| cup.unfinished = Some(Unfinished { done: 1, planned: None, is_going_on: false }));
    assert!(open.contains("1 match is played so far: the same command goes on."));
}

#[test]
fn an_empty_cup_has_a_page() {
    let page = MadeUp::new(&["alice", "bob"], 2).page();
    assert!(page.contains("No match has been played yet"));
    let nobody = MadeUp::new(&[], 1).page();
    assert!(nobody.contains("No match has been played yet"));
}

#[test]
fn one_match_is_enough_for_a_page() {
    let mut cup = MadeUp::new(&["alice", "bob", "idle"], 1);
    cup.add(&row("alice+bob+1a", ["alice", "bob"], RowOutcome::Won(Seat::Second), Some(Seat::First)), 0);
    let page = cup.page();
    assert!(page.contains("<strong>bob wins</strong>") && page.contains("1 point of 1 match (100.0\u{202f}%)"));
    assert!(page.contains("<a href=\"transcripts/alice+bob+1a.jsonl\">alice+bob+1a</a>"));
    assert!(page.contains("bob, <span class=\"alarm\">timeout of alice</span>"));
    assert!(page.contains("arena replay transcripts/alice+bob+1a.jsonl --html"));
    assert!(page.contains("class=\"guess\""), "an end that nobody knows is dashed");
}

#[test]
fn scores_stand_by_parameter_value_and_by_set() {
    let page = MadeUp::round_robin(&["alice", "bob"], 4, 5).page();
    assert!(page.contains("<h3>By holes</h3>") && page.contains("<h3>By size</h3>"));
    assert!(page.contains("size 8, holes 1") || page.contains("holes 1, size 8"));
    assert!(page.contains("<dt>Parameters</dt><dd>turns 60</dd>"), "what is the same in all sets is told once");
}

#[test]
fn remarks_warnings_and_void_matches_are_told() {
    let lines = ["elo1 is accepted".to_string()];
    let page = MadeUp::new(&["alice", "bob"], 1).page_with(&lines, |cup, lines| {
        cup.remarks = lines;
        cup.void = lines;
    });
    assert!(page.contains("<li>elo1 is accepted</li>"));
    assert!(page.contains("1 match stayed void and counts nowhere: elo1 is accepted."));
    let warned = MadeUp::new(&["alice", "bob"], 1).page_with(&lines, |cup, lines| cup.warnings = lines);
    assert!(warned.contains("To be aware of"));
}

#[test]
fn a_bot_without_times_has_a_reason_instead_and_a_forfeited_turn_has_its_time() {
    let mut cup = MadeUp::new(&["late", "rival", "mute", "idle"], 1);
    let lost = |id: &str, bots, reason, ms| {
        let lost = row(id, bots, RowOutcome::Won(Seat::Second), Some(Seat::First));
        Row { reason, turns: 0, thinking_ms: [ms, 0], longest_ms: [ms, 0], ..lost }
    };
    cup.add(&lost("1a", ["late", "rival"], Reason::Timeout, 1010), 0);
    cup.add(&lost("2a", ["mute", "rival"], Reason::NoStart, 0), 0);
    let page = cup.page();
    let times = page.split_once("<section id=\"times\"").expect("it is there").1;
    let times = times.split_once("</section>").expect("it ends").0;
    let of = |name: &str| times.lines().find(|line| line.contains(&format!(">{name}<"))).expect("it has a row");
    assert!(of("late").contains(&time(1010.0)), "{times}");
    for never_asked in ["rival", "mute"] {
        assert!(of(never_asked).contains("It was asked for no move"), "{times}");
    }
    assert!(of("idle").contains("No match of it counts yet"), "{times}");
}

#[test]
fn no_text_gets_out_of_its_place() {
    let evil = "<img src=x onerror=\"1\">&'\u{202e}\u{1b}";
    let mut cup = MadeUp::new(&[evil, "bob"], 2);
    for (id, outcome) in [("1a", RowOutcome::Won(Seat::Second)), ("1b", RowOutcome::Won(Seat::First))] {
        let mut row = row(id, [evil, "bob"], outcome, Some(Seat::First));
        row.at_fault = (outcome == RowOutcome::Won(Seat::Second)).then_some(Seat::First);
        row.id = format!("{evil}{id}");
        row.transcript = format!("javascript:alert(1)//{evil}");
        cup.add(&row, 0);
    }
    cup.excerpts.tell_causes(|_| Some(evil.to_string()));
    let lines = [evil.to_string()];
    let facts = [(evil.to_string(), evil.to_string())];
    let set = json!({evil: evil}).as_object().cloned().into_iter().chain([Params::new()]).collect::<Vec<Params>>();
    let standings = standings(&cup.names, &cup.tally.whole(), None);
    let page = cup_page(&CupPage {
        name: evil,
        game: evil,
        format: evil,
        seed: u64::MAX,
        pairs: u32::MAX,
        clock: &CLOCK,
        isolation: evil,
        arena: evil,
        facts: &facts,
        sets: &set,
        tally: &cup.tally,
        grades: &[],
        to_pass: Some((evil, 50.0)),
        standings: &standings,
        remarks: &lines,
        warnings: &lines,
        unfinished: Some(Unfinished { done: u64::MAX, planned: Some(u64::MAX), is_going_on: false }),
        void: &lines,
        files: &[evil],
        excerpts: &cup.excerpts,
        rounds: &[],
        links: CupLinks::Beside,
    });
    assert!(!page.contains("<img") && !page.contains("onerror=\""), "{page}");
    assert!(!page.contains("href=\"javascript:"), "an address is never anything but a file's");
    assert!(!page.contains(['\u{202e}', '\u{1b}']));
    assert!(page.contains("\\u202e\\x1b"));
}

#[test]
fn thirty_entrants_have_a_page_of_a_moderate_size() {
    let page = large(30, 2, 3).page();
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    assert!(page.contains("<summary>All 435 pairings</summary>"));
    assert!(page.contains(" of 12 matches"), "all pairings have as many");
    assert!(page.contains("Upsets"));
}

#[test]
fn the_page_does_not_grow_with_the_number_of_matches() {
    // So many that each bot has shown each fault about as often as the page tells.
    let (some, many) = (large(3, 1, 1000), large(3, 1, 4000));
    let (some, many) = (some.page().len(), many.page().len());
    assert!(many < some + some / 10, "{some} bytes, then {many}");
}

#[test]
fn faults_are_counted_by_kind_and_lead_to_their_last_matches() {
    let mut cup = MadeUp::new(&["alice", "bob"], 1);
    for number in 1..=9 {
        let id = format!("alice+bob+{number}a");
        cup.add(&row(&id, ["alice", "bob"], RowOutcome::Won(Seat::Second), Some(Seat::First)), 0);
    }
    cup.excerpts.tell_causes(|id| {
        Some(format!("{}. More of it\nand more", if id.ends_with("9a") { "a1 is taken" } else { "there is no z9" }))
    });
    let page = cup.page();
    let faults =
        page.split("id=\"faults\"").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap_or_default();
    assert!(faults.contains("<td class=\"number alarm\">9</td>"), "{faults}");
    assert!(faults.contains("alice+bob+9a") && faults.contains("alice+bob+5a") && !faults.contains("alice+bob+4a"));
    let why = "(<a href=\"failures/alice+bob+9a/README.txt\">why</a>)";
    assert!(faults.contains(why) && !faults.contains("More of it"), "{faults}");
    for (cause, times) in [("a1 is taken<br>", 1), ("there is no z9<br>", 1)] {
        assert_eq!(faults.matches(cause).count(), times, "matches of one cause are together: {faults}");
    }
    assert!(!faults.contains(">bob<"), "who has none is not in the table");
    let clean = MadeUp::new(&["alice", "bob"], 1).page();
    assert!(clean.contains("No match was lost by a fault."));
}

#[test]
fn who_has_passed_is_told_where_a_rule_says_so() {
    let cup = MadeUp::round_robin(&["alice", "bob"], 1, 4);
    assert!(!cup.page().contains("id=\"grades\""));
    let standings = standings(&cup.names, &cup.tally.whole(), None);
    let rule = PassRule { against: Some(1), pct: 0.0 };
    let authors = [vec!["id1".to_string(), "id2".to_string()], Vec::new()];
    let grades = grades(&standings, &cup.tally.whole(), &authors, Some(rule));
    let mut page = String::new();
    cup.page_with(&[], |shown, _| {
        page = cup_page(&CupPage { grades: &grades, to_pass: Some(("bob", 0.0)), ..*shown });
    });
    sound(&page);
    let told = page.split("id=\"grades\"").nth(1).and_then(|rest| rest.split("</section>").next()).unwrap_or_default();
    assert!(told.contains("of the points against bob") && told.contains(">id1<") && told.contains(">id2<"), "{told}");
    assert_eq!(told.matches(">yes<").count(), 2, "{told}");
}

#[test]
fn a_table_whose_order_counts_byes_tells_their_points() {
    let mut cup = MadeUp::new(&["alice", "bob", "carol"], 1);
    cup.add(&row("alice+bob+1a", ["alice", "bob"], RowOutcome::Won(Seat::First), None), 0);
    cup.add(&row("alice+bob+1b", ["bob", "alice"], RowOutcome::Drawn, None), 0);
    let bye = |number, entrant| Round {
        name: format!("round {number}"),
        number,
        meetings: Vec::new(),
        byes: vec![entrant],
        bye_half_points: 4,
    };
    let rounds = [bye(1, 2), bye(2, 1), bye(3, 2)];
    let order = [vec![2], vec![1], vec![0]];
    let standings = standings(&cup.names, &cup.tally.whole(), Some(&order));
    let draw = |change: &dyn Fn(&mut CupPage<'_>)| {
        let mut page = String::new();
        cup.page_with(&[], |shown, _| {
            let mut shown = CupPage { rounds: &rounds, standings: &standings, ..*shown };
            change(&mut shown);
            page = cup_page(&shown) + &wall_table(&shown, 0, 3);
        });
        page
    };
    let page = draw(&|_| {});
    assert_eq!(page.matches(">Byes</th>").count(), 2, "in the table and on the wall: {page}");
    for (name, told) in [("alice", ["1½", ""]), ("bob", ["½", "+2"]), ("carol", ["0", "+4"])] {
        let cells = format!("</th><td class=\"number strong\">{}</td><td class=\"number\">{}</td>", told[0], told[1]);
        let of = |line: &&str| line.contains(&format!(">{name}<")) && line.contains(&cells);
        assert_eq!(page.lines().filter(of).count(), 2, "{name}: {page}");
    }
    assert!(page.contains("Places go by the points and those of byes together"), "{page}");
    let unfinished = Unfinished { done: 2, planned: None, is_going_on: false };
    let set = CupLinks::Served { cup: "/cup/spring", set: Some(0) };
    for other in [draw(&|cup| cup.unfinished = Some(unfinished)), draw(&|cup| cup.links = set)] {
        assert!(!other.contains(">Byes</th>"), "that order does not count them: {other}");
    }
}

#[test]
fn numbers_have_the_forms_that_people_read() {
    assert_eq!(count(9999), "9999");
    assert_eq!(count(10_000), "10\u{202f}000");
    assert_eq!(count(u64::MAX), "18\u{202f}446\u{202f}744\u{202f}073\u{202f}709\u{202f}551\u{202f}615");
    let half = |won, drawn| points(&Results { won, drawn, lost: 3 });
    assert_eq!([half(0, 0), half(0, 1), half(7, 0), half(7, 1), half(7, 2)], ["0", "½", "7", "7½", "8"]);
    assert_eq!(
        [0.0, 0.3, 2.0, 42.4, 1000.0, 61_500.0].map(time),
        ["0 ms", "0.3 ms", "2 ms", "42 ms", "1 s", "61.5 s"].map(|text| text.replace(' ', "\u{202f}"))
    );
    assert_eq!(text("a\u{7}b<\n"), "a\\x07b&lt; ");
}

#[test]
fn a_match_is_told_with_its_winners_points_first() {
    let mut cup = MadeUp::new(&["ann", "bob"], 1);
    let second = RowOutcome::Won(Seat::Second);
    cup.add(&Row { scores: [10, 26], ..row("one", ["ann", "bob"], second, None) }, 0);
    assert!(cup.page().contains("bob 26–10"));
}

fn row(id: &str, bots: [&str; 2], outcome: RowOutcome, at_fault: Option<Seat>) -> Row {
    Row {
        id: id.to_string(),
        round: 1,
        game: "nim".to_string(),
        params: "{}".to_string(),
        seed: 1,
        bots: bots.map(str::to_string),
        outcome,
        scores: [0, 0],
        reason: if at_fault.is_some() { Reason::Timeout } else { Reason::Finished },
        at_fault,
        turns: 5,
        duration_ms: 100,
        thinking_ms: [30, 20],
        longest_ms: [12, 11],
        transcript: format!("transcripts/{id}.jsonl"),
    }
}
