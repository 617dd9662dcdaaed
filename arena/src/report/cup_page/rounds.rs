//! Rounds in which who meets whom follows from results: brackets, and the rounds of a Swiss cup with the points after each. They
//! stand beside each other, and scroll in a box of their own.

use super::CupPage;
use super::markup::{half_points, section, text};
use crate::tournament::{Entrant, Round, RoundMeeting};

/// The rounds; nothing where the format has none.
pub(super) fn rounds(cup: &CupPage<'_>) -> String {
    if cup.rounds.is_empty() {
        return String::new();
    }
    // Brackets have no points for a bye.
    if cup.rounds.iter().all(|round| round.bye_half_points == 0) {
        let body: String = brackets(cup.rounds).iter().map(|(name, rounds)| bracket(cup, name, rounds)).collect();
        let says = "<p class=\"small\">Points of the two in each tie; whoever goes on is marked.</p>\n";
        return section("rounds", "Bracket", &format!("{says}{body}"));
    }
    let mut totals = vec![0; cup.tally.names().len()];
    let columns: String = cup.rounds.iter().map(|round| swiss(cup, round, &mut totals)).collect();
    let says = "<p class=\"small\">Points of the two in each round, and what each has in all after it.</p>\n";
    section("rounds", "Rounds", &format!("{says}{}", side_by_side("Rounds", &columns)))
}

/// The rounds of each bracket. What a round is called ends with its bracket, where there are several.
fn brackets(rounds: &[Round]) -> Vec<(String, Vec<&Round>)> {
    let mut brackets: Vec<(String, Vec<&Round>)> = Vec::new();
    for round in rounds {
        let name = round.name.split_once(", ").map_or("bracket", |(_, bracket)| bracket.trim_end_matches(" again"));
        match brackets.iter_mut().find(|(known, _)| known == name) {
            Some((_, rounds)) => rounds.push(round),
            None => brackets.push((name.to_string(), vec![round])),
        }
    }
    brackets
}

fn bracket(cup: &CupPage<'_>, name: &str, rounds: &[&Round]) -> String {
    let column = |round: &&Round| {
        let ties: String = round.meetings.iter().map(|tie| meeting(cup, tie, None)).collect();
        let title = round.name.split(", ").next().unwrap_or_default();
        let again = if round.name.ends_with(" again") { ", once more" } else { "" };
        self::column(&format!("{title}{again}"), &(ties + &byes(cup, round, None)))
    };
    let columns: String = rounds.iter().map(column).collect();
    let heading = if name == "bracket" { String::new() } else { format!("<h3>{}</h3>\n", capital(&text(name))) };
    format!("{heading}{}", side_by_side(&capital(&text(name)), &columns))
}

fn swiss(cup: &CupPage<'_>, round: &Round, totals: &mut [u32]) -> String {
    for RoundMeeting { players, half_points, .. } in &round.meetings {
        players.iter().zip(half_points).for_each(|(player, more)| totals[*player] += more);
    }
    round.byes.iter().for_each(|bye| totals[*bye] += round.bye_half_points);
    let meetings: String = round.meetings.iter().map(|tie| meeting(cup, tie, Some(totals))).collect();
    column(&round.name, &(meetings + &byes(cup, round, Some(totals))))
}

fn side_by_side(label: &str, columns: &str) -> String {
    format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{label}\" tabindex=\"0\"><ol class=\"rounds\">\n{columns}</ol></div>\n"
    )
}

fn column(title: &str, items: &str) -> String {
    format!("<li><h4>{}</h4>\n<ul>\n{items}</ul></li>\n", capital(&text(title)))
}

fn meeting(cup: &CupPage<'_>, meeting: &RoundMeeting, totals: Option<&[u32]>) -> String {
    let [one, other] = meeting.players;
    let to = cup.meeting(one, other);
    let lines: String = [0, 1]
        .map(|place| {
            let (player, points) = (meeting.players[place], half_points(meeting.half_points[place].into()));
            let (class, goes_on) = match meeting.winner {
                Some(winner) if winner == player => (" class=\"goes-on\"", "<span class=\"unseen\"> goes on</span>"),
                _ => ("", ""),
            };
            let total = total(player, totals);
            format!("<span{class}>{} <b>{points}</b>{total}{goes_on}</span>", super::markup::bot(cup.name_of(player)))
        })
        .concat();
    format!("<li class=\"tie\"><a href=\"{to}\">{lines}</a></li>\n")
}

fn byes(cup: &CupPage<'_>, round: &Round, totals: Option<&[u32]>) -> String {
    let bye = |bye: &Entrant| {
        let total = total(*bye, totals);
        format!("<li class=\"tie\"><span>{} <i>bye</i>{total}</span></li>\n", super::markup::bot(cup.name_of(*bye)))
    };
    round.byes.iter().map(bye).collect()
}

/// What a bot has in all after the round.
fn total(entrant: Entrant, totals: Option<&[u32]>) -> String {
    let of = |totals: &[u32]| {
        format!(" <small><span class=\"unseen\">, in all </span>{}</small>", half_points(totals[entrant].into()))
    };
    totals.map(of).unwrap_or_default()
}

/// With a capital letter at its begin.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
