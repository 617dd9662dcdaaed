//! How rarely the formats that stop by themselves err, and how many matches they save, by simulation with fixed seeds.
//! Not a matter of time but of numbers; it takes some seconds. `cargo bench --bench formats`

use arena::game::Params;
use arena::seat::Seat;
use arena::seed::{self, Stream};
use arena::tournament::formats::{BATCH, Plan, build};
use arena::tournament::{Field, Next, Pairing, Settled};

/// Cups a line of the first table.
const TESTS: u64 = 1000;

/// Cups a line of the second table.
const CUPS: u64 = 100;

fn main() {
    println!("sprt, alpha = beta = 0.05, {TESTS} tests a line: how often elo1 is accepted");
    println!("{:>5} {:>5} {:>6} {:>10} {:>9} {:>11}", "elo0", "elo1", "lead", "start tilt", "accepted", "pairs, mean");
    for (elo0, elo1) in [(0.0, 20.0), (0.0, 60.0), (-50.0, 50.0)] {
        for lead in [elo0, (elo0 + elo1) / 2.0, elo1] {
            for tilt in [0.0, 300.0] {
                sprt_line(elo0, elo1, lead, tilt);
            }
        }
    }
    println!("\nfields with equal steps, {CUPS} cups a line: how many matches until the order is right");
    for (entrants, step) in [(4, 100.0), (8, 100.0), (8, 50.0), (12, 100.0)] {
        ranking_lines(entrants, step);
    }
}

/// One kind of test. `tilt`: how far starts favour one seat or the other, in Elo, the same for both halves of a pair.
fn sprt_line(elo0: f64, elo1: f64, lead: f64, tilt: f64) {
    let plan = Plan::Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, batch: BATCH, max_pairs: None };
    let (mut accepted, mut matches) = (0, 0);
    for luck in 0..TESTS {
        let cup = play(&plan, &field(2, 1, luck), &[lead_under_tilt(lead, tilt), 0.0], tilt);
        accepted += u64::from(cup.remarks.iter().any(|remark| remark.starts_with("elo1 is accepted")));
        matches += cup.matches;
    }
    let (share, pairs) = (100.0 * accepted as f64 / TESTS as f64, matches / 2 / TESTS);
    println!("{elo0:>5} {elo1:>5} {lead:>6} {tilt:>10} {share:>7.1} % {pairs:>11}");
}

/// The lead that over both kinds of start scores as much as `lead` does from even ones.
fn lead_under_tilt(lead: f64, tilt: f64) -> f64 {
    let score = |under: f64| (share(under + tilt) + share(under - tilt)) / 2.0;
    let (mut low, mut high) = (-2000.0, 2000.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if score(middle) < share(lead) { low = middle } else { high = middle }
    }
    (low + high) / 2.0
}

/// until-ranked, and round-robins of growing length, over the same field.
fn ranking_lines(entrants: usize, step: f64) {
    println!("{entrants} entrants, {step} Elo apart");
    let elo: Vec<f64> = (0..entrants).map(|number| -step * number as f64).collect();
    let until_ranked = Plan::UntilRanked { confidence: 0.95, batch: BATCH, max_matches: Some(100_000) };
    ranking_line("until-ranked", &until_ranked, 1, &elo);
    for pairs in [5, 10, 20, 40, 80] {
        ranking_line(&format!("round-robin, {pairs} pairs"), &Plan::RoundRobin, pairs, &elo);
    }
}

fn ranking_line(title: &str, plan: &Plan, pairs: u32, elo: &[f64]) {
    let (mut right, mut wrong_neighbours, mut matches) = (0, 0, 0);
    for luck in 0..CUPS {
        let cup = play(plan, &field(elo.len(), pairs, luck), elo, 0.0);
        let wrong = cup.order.windows(2).filter(|two| two[0] > two[1]).count() as u64;
        right += u64::from(wrong == 0);
        wrong_neighbours += wrong;
        matches += cup.matches;
    }
    let neighbours = CUPS * (elo.len() as u64 - 1);
    let percent = |count: u64, of: u64| 100.0 * count as f64 / of as f64;
    println!(
        "  {title:<22} {:>6} matches, order right in {:>3.0} %, neighbours wrong {:>4.1} %",
        matches / CUPS,
        percent(right, CUPS),
        percent(wrong_neighbours, neighbours)
    );
}

fn field(entrants: usize, pairs: u32, seed: u64) -> Field {
    let names = (0..entrants).map(|number| format!("bot{number}")).collect();
    Field { names, sets: vec![Params::new()], pairs, seed }
}

/// What became of a cup.
struct Cup {
    matches: u64,
    /// By the format's own ranking, else by points.
    order: Vec<usize>,
    remarks: Vec<String>,
}

fn play(plan: &Plan, field: &Field, elo: &[f64], tilt: f64) -> Cup {
    let mut format = build(plan, field).expect("the settings fit the field");
    let mut points = vec![0; elo.len()];
    let mut matches = 0;
    while let Next::Play(pairing) = format.next() {
        let result = result(&pairing, elo, tilt);
        match result {
            Settled::Won(seat) => points[pairing.seats[seat.index()]] += 2,
            _ => pairing.seats.iter().for_each(|&entrant| points[entrant] += 1),
        }
        format.settle(&pairing.id, result, false);
        matches += 1;
    }
    let mut order: Vec<usize> = (0..elo.len()).collect();
    order.sort_by_key(|&entrant| -points[entrant]);
    let order = format.ranking().map_or(order, |ranking| ranking.into_iter().flatten().collect());
    Cup { matches, order, remarks: format.remarks() }
}

/// One match in five is drawn; the others go by the lead and by the start.
fn result(pairing: &Pairing, elo: &[f64], tilt: f64) -> Settled {
    let favoured = if pairing.seed.is_multiple_of(2) { tilt } else { -tilt };
    let lead = elo[pairing.seats[0]] - elo[pairing.seats[1]] + favoured;
    let share = share(lead);
    let draws = (2.0 * share.min(1.0 - share)).min(0.2);
    let luck = Stream::new(seed::of_text(pairing.seed, &pairing.id), "match").unit();
    if luck < share - draws / 2.0 {
        Settled::Won(Seat::First)
    } else if luck < share + draws / 2.0 {
        Settled::Drawn
    } else {
        Settled::Won(Seat::Second)
    }
}

/// The share of points that a lead in Elo promises.
fn share(lead: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-lead / 400.0))
}
