//! The parameters of Offset: what must hold of them, and how the pairs are dealt from the seed.

use super::board::Pair;
use crate::game::{BadShape, ParamError, Params, shape};
use crate::seat::BySeat;
use crate::seed::Stream;
use serde_json::{Value, json};

/// The pairs of both seats.
pub type Offsets = BySeat<[i64; 2]>;

/// The least and the greatest size of a board.
pub(super) const SIZES: (i64, i64) = (5, 64);

/// The least sum of a pair: below it there are no two different ones.
pub(super) const LEAST_D: i64 = 5;

const EXPECTED: &str = "`offsets` must be [[p,q],[r,s]], the pairs of seats 0 and 1, in whole numbers";

/// Every choice of two different pairs that can be dealt on a board of this size with this sum, in the order in which
/// the seed's draw counts them: by the pair of seat 0, then by that of seat 1, each pair `[p, q]` with p < q, the
/// smallest p first.
pub fn choices(size: i64, d: i64) -> Vec<Offsets> {
    let pairs: Vec<Pair> = (1..).map(|p| [p, d - p]).take_while(|[p, q]| p < q).filter(|[_, q]| *q < size).collect();
    let with =
        |first: Pair| pairs.iter().filter(move |second| **second != first).map(move |&second| BySeat([first, second]));
    pairs.iter().copied().flat_map(with).collect()
}

/// Every value that `offsets` can have beside these parameters, which are checked and have defaults filled in.
pub(super) fn all(params: &Params) -> Vec<Value> {
    choices(number(params, "size"), number(params, "d")).iter().map(|offsets| json!(offsets.0)).collect()
}

/// The size of the board and the pairs: checked where they are given, else dealt from the seed.
pub(super) fn start(params: &Params, seed: u64) -> Result<(usize, Offsets), ParamError> {
    let (size, d) = (number(params, "size"), number(params, "d"));
    let greatest = 2 * size - 5;
    if !(LEAST_D..=greatest).contains(&d) {
        return Err(ParamError(format!(
            "offset: `d` is {d}, but on a board of size {size} it must be from {LEAST_D} to {greatest} (2 times size, \
             minus 5): choose another `d`, or a `size` of at least {}",
            (d + 6) / 2
        )));
    }
    let offsets = match params.get("offsets") {
        Some(given) => read(given)
            .map_err(|bad| ParamError(format!("offset: {}: {EXPECTED}", bad.0)))
            .and_then(|offsets| check(offsets, size, d).map(|()| offsets))?,
        None => deal(size, d, seed),
    };
    Ok((size as usize, offsets))
}

/// All parameters of a match with this board and these pairs.
pub(super) fn params(size: usize, offsets: Offsets) -> Params {
    let mut params = Params::new();
    params.insert("size".to_string(), size.into());
    params.insert("d".to_string(), sum(offsets).into());
    params.insert("offsets".to_string(), json!(offsets.0));
    params
}

/// The sum of a pair; both have the same.
pub(super) fn sum(offsets: Offsets) -> i64 {
    let [p, q] = offsets.0[0];
    p.saturating_add(q)
}

/// Reads two pairs.
pub(super) fn read(value: &Value) -> Result<Offsets, BadShape> {
    let pair = |value: &Value, seat: usize| {
        let what = format!("the pair of seat {seat}");
        let pair = shape::list(value, 2, &what)?;
        Ok([shape::whole(&pair[0], &what)?, shape::whole(&pair[1], &what)?])
    };
    let pairs = shape::list(value, 2, "`offsets`")?;
    Ok(BySeat([pair(&pairs[0], 0)?, pair(&pairs[1], 1)?]))
}

fn deal(size: i64, d: i64, seed: u64) -> Offsets {
    *Stream::new(seed, "offset deal").pick(&choices(size, d))
}

/// Whether these pairs can be played; `size` and `d` are checked.
pub(super) fn check(offsets: Offsets, size: i64, d: i64) -> Result<(), ParamError> {
    for (seat, &[p, q]) in offsets.iter() {
        let wrong = if p < 1 || q < 1 {
            "both numbers must be at least 1".to_string()
        } else if p == q {
            "the two numbers must differ".to_string()
        } else if p.checked_add(q) != Some(d) {
            format!("its sum must be `d`, which is {d}: change one of them")
        } else if p.max(q) >= size {
            format!("the greater number must be below the size of the board, {size}")
        } else {
            continue;
        };
        return Err(ParamError(format!("offset: `offsets` gives seat {seat} the pair [{p},{q}], but {wrong}")));
    }
    let [[p, q], second] = offsets.0;
    if second == [p, q] || second == [q, p] {
        return Err(ParamError(format!(
            "offset: `offsets` gives both seats the pair of {p} and {q}, but they must have different ones"
        )));
    }
    Ok(())
}

fn number(params: &Params, name: &str) -> i64 {
    params.get(name).and_then(Value::as_i64).expect("a parameter with a default is there and a number")
}
