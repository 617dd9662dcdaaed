use super::simulation::{Cell, coverage};
use super::*;

/// Matches without their other half: won, drawn and lost by the first of two.
fn singles(players: [Entrant; 2], won: u64, drawn: u64, lost: u64) -> Encounter {
    Encounter { players, singles: [lost, drawn, won], ..Encounter::default() }
}

fn elo(ratings: &Ratings, entrant: Entrant) -> f64 {
    ratings.of(entrant).expect("it has played").elo
}

fn half_width(ratings: &Ratings, entrant: Entrant) -> f64 {
    let rating = ratings.of(entrant).expect("it has played");
    (rating.high - rating.low) / 2.0
}

#[track_caller]
fn assert_near(found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{found} is not {expected} ± {within}");
}

/// Two players: the score's own Elo, 400·log10(p/(1−p)).
#[test]
fn two_players_differ_by_the_elo_of_their_score() {
    for (won, drawn, lost, score) in [(15, 0, 5, 0.75_f64), (3, 2, 1, 4.0 / 6.0), (0, 9, 1, 0.45)] {
        let ratings = rate(2, &[singles([0, 1], won, drawn, lost)]);
        let exact = 400.0 * (score / (1.0 - score)).log10();
        assert_near(elo(&ratings, 0) - elo(&ratings, 1), exact, 1e-6);
        assert_near(elo(&ratings, 0) + elo(&ratings, 1), 0.0, 1e-9);
    }
}

/// Odds of 2:1, 2:1 and 4:1 agree with each other, so that the maximum reproduces them: steps of 400·log10(2).
#[test]
fn three_players_with_consistent_odds_are_rated_exactly() {
    let ratings = rate(3, &[singles([0, 1], 4, 0, 2), singles([1, 2], 6, 0, 3), singles([0, 2], 8, 0, 2)]);
    let step = 400.0 * 2_f64.log10();
    for (entrant, exact) in [(0, step), (1, 0.0), (2, -step)] {
        assert_near(elo(&ratings, entrant), exact, 1e-6);
    }
    assert_eq!(ratings.ranking(), [[0], [1], [2]]);
}

/// The seven teams of the American League's east in 1987, 13 matches each two: wins from Agresti, Categorical Data
/// Analysis, 2nd edition, p. 438; abilities in log odds above Baltimore as the vignette of R's BradleyTerry2 prints them.
#[test]
fn a_published_season_gives_the_published_abilities() {
    // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
    const WON: [[u64; 7]; 7] = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];
    const PUBLISHED: [f64; 7] = [1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0];
    let pairs = (0..7).flat_map(|i| (0..i).map(move |j| singles([i, j], WON[i][j], 0, WON[j][i])));
    let ratings = rate(7, &pairs.collect::<Vec<_>>());
    for (team, published) in PUBLISHED.into_iter().enumerate() {
        assert_near((elo(&ratings, team) - elo(&ratings, 6)) / ELO, published, 0.000_05 + 1e-9);
    }
}

/// The likelihood's slope at the estimate is nothing: expected points are points, for everybody, in any tangle.
#[test]
fn everybodys_expected_points_are_its_points() {
    let encounters = [
        singles([0, 1], 3, 4, 2),
        Encounter { players: [1, 2], pairs: [1, 0, 4, 2, 3], singles: [1, 1, 0] },
        singles([2, 3], 90, 1, 2),
        singles([3, 0], 1, 0, 7),
    ];
    let ratings = rate(4, &encounters);
    for entrant in 0..4 {
        let mut surplus = 0.0;
        for one in encounters.iter().filter(|one| one.players.contains(&entrant)) {
            let side = if one.players[0] == entrant { one.clone() } else { one.reversed() };
            let difference = elo(&ratings, entrant) - elo(&ratings, side.players[1]);
            surplus += side.points() - side.matches() / (1.0 + 10_f64.powf(-difference / 400.0));
        }
        assert_near(surplus, 0.0, 1e-7);
    }
}

/// For two players the interval is the classical one: Student's t of the mean points of a pair, by the slope of the score.
#[test]
fn the_interval_of_two_is_that_of_the_mean_of_their_pairs() {
    let ratings = rate(2, &[Encounter { players: [0, 1], pairs: [2, 1, 12, 4, 5], singles: [0; 3] }]);
    let points = [(0.0, 2.0), (0.5, 1.0), (1.0, 12.0), (1.5, 4.0), (2.0, 5.0)];
    let pairs = 24.0;
    let mean = points.iter().map(|(points, count)| points * count).sum::<f64>() / pairs;
    let p = mean / 2.0;
    let squares: f64 = points.iter().map(|(points, count)| count * (points - mean).powi(2)).sum();
    // One expected pair more.
    let variance = squares * pairs / (pairs - 1.0) + 2.0 * p * (1.0 - p);
    let half = 2.063_899 * variance.sqrt() / (2.0 * pairs * p * (1.0 - p)) * ELO;
    // A player's distance from the mean of both is half of their difference.
    assert_near(half_width(&ratings, 0), half / 2.0, 0.01);
}

/// Where the first mover always wins, pairs tell with near certainty that two are equal; matches by themselves do not.
#[test]
fn what_the_start_decides_is_no_uncertainty() {
    let paired = rate(2, &[Encounter { players: [0, 1], pairs: [0, 0, 500, 0, 0], singles: [0; 3] }]);
    let apart = rate(2, &[singles([0, 1], 500, 0, 500)]);
    assert!(half_width(&paired, 0) < 1.0, "{:?}", paired.of(0));
    assert!(half_width(&apart, 0) > 10.0, "{:?}", apart.of(0));
    assert_near(elo(&paired, 0), 0.0, 1e-9);
}

#[test]
fn few_and_perfect_results_give_finite_intervals_of_some_width() {
    for (won, drawn, lost) in [(1, 0, 0), (0, 1, 0), (1, 0, 1), (10, 0, 0), (0, 10, 0), (0, 0, 1_000_000)] {
        let ratings = rate(2, &[singles([0, 1], won, drawn, lost)]);
        for entrant in 0..2 {
            let Rating { elo, low, high, .. } = ratings.of(entrant).expect("it has played");
            assert!(elo.is_finite() && low.is_finite() && high.is_finite(), "{won}-{drawn}-{lost}: {elo} {low} {high}");
            assert!(low < elo - 20.0 && elo + 20.0 < high, "{won}-{drawn}-{lost}: {elo} {low} {high}");
        }
        let superiority = ratings.superiority(0, 1).expect("both have played");
        assert!((0.0..=1.0).contains(&superiority));
    }
}

#[test]
fn a_perfect_score_is_known_on_one_side() {
    let field = [singles([0, 1], 10, 0, 0), singles([0, 2], 10, 0, 0), singles([1, 2], 6, 0, 4)];
    let ratings = rate(4, &field);
    let hold = |entrant| ratings.of(entrant).map(|rating| rating.hold);
    assert_eq!([hold(0), hold(1), hold(2)], [Some(Hold::AtLeast), Some(Hold::Both), Some(Hold::Both)]);
    assert_eq!(hold(3), None, "who has not played has no number");
    assert!(elo(&ratings, 0) > elo(&ratings, 1) + 200.0);
    assert!(ratings.superiority(0, 1) > Some(0.95));
    assert_eq!(ratings.groups(), [vec![1, 2], vec![0]]);
    let two = rate(2, &[singles([0, 1], 0, 0, 10)]);
    assert_eq!(
        [0, 1].map(|entrant| two.of(entrant).map(|rating| rating.hold)),
        [Some(Hold::AtMost), Some(Hold::AtLeast)]
    );
}

/// Two islands: within each the numbers are as sure as matches make them, between them nobody knows.
#[test]
fn islands_are_not_compared() {
    let ratings = rate(4, &[singles([0, 1], 600, 0, 400), singles([2, 3], 400, 0, 600)]);
    assert_eq!(ratings.groups().len(), 2);
    assert!((0..4).all(|entrant| ratings.of(entrant).is_some_and(|rating| rating.hold == Hold::Neither)));
    assert!(half_width(&ratings, 0) > 200.0, "{:?}", ratings.of(0));
    assert!(ratings.superiority(0, 1) > Some(0.999));
    let between = ratings.superiority(0, 2).expect("both have played");
    assert!((0.2..0.8).contains(&between), "{between}");
}

#[test]
fn equals_are_shown_as_equals() {
    let ratings = rate(3, &[singles([0, 1], 5, 0, 5), singles([1, 2], 7, 0, 3), singles([0, 2], 7, 0, 3)]);
    assert_eq!(ratings.ranking(), [vec![0, 1], vec![2]]);
    assert_near(ratings.superiority(0, 1).expect("both have played"), 0.5, 1e-6);
    assert_eq!(rate(3, &[]).ranking(), Vec::<Vec<Entrant>>::new());
}

/// A ladder a hundred long, where each beats only the next: far-off ends, many groups, no accident.
#[test]
fn a_ladder_of_perfect_scores_is_finite_and_in_order() {
    let ladder: Vec<Encounter> = (0..99).map(|step| singles([step, step + 1], 1000, 0, 0)).collect();
    let ratings = rate(100, &ladder);
    assert_eq!(ratings.groups().len(), 100);
    for step in 0..99 {
        assert!(elo(&ratings, step) > elo(&ratings, step + 1));
    }
    assert!((0..100).all(|entrant| half_width(&ratings, entrant).is_finite()));
}

/// The benchmark `ratings` does it with a thousand cups of each of sixteen kinds.
#[test]
fn intervals_hold_the_truth_nineteen_times_in_twenty() {
    for (entrants, pairs, draws, shared) in [(8, 10, 0.3, 0.0), (20, 10, 0.0, 0.5)] {
        let cell = Cell { entrants, pairs, spread: 200.0, draws, shared };
        let covered = coverage(cell, 100, 7).all;
        assert!((93.0..=97.0).contains(&covered), "{cell:?}: {covered} %");
    }
}
