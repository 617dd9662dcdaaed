//! The two seats of a match: who moves first, and things kept one a seat.

use std::fmt;
use std::ops::{Index, IndexMut};

/// One side of a match. On the wire and in files a seat is the number 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seat {
    /// Seat 0, which moves first.
    First,
    /// Seat 1.
    Second,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    /// 0 or 1.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The seat with this number, if there is one.
    pub const fn from_index(index: u64) -> Option<Seat> {
        match index {
            0 => Some(Seat::First),
            1 => Some(Seat::Second),
            _ => None,
        }
    }

    /// The opponent's seat.
    pub const fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.index())
    }
}

/// A text of the rules, which know no names, as people read it: `seat 1` becomes `NAME (seat 1)`, where no bracket stands
/// before it already.
pub fn with_names(text: &str, names: [&str; 2]) -> String {
    let mut named = String::with_capacity(text.len());
    let mut told = 0;
    for (at, _) in text.match_indices("eat ") {
        let Some(from) = at.checked_sub(1).filter(|&from| matches!(text.as_bytes()[from], b's' | b'S')) else {
            continue;
        };
        let alone = |character: char| !character.is_alphanumeric();
        let before = text[..from].chars().next_back().is_none_or(|character| alone(character) && character != '(');
        let mut after = text[at + 4..].chars();
        let index = after.next().and_then(|digit| digit.to_digit(10)).map(|digit| digit as usize);
        let (Some(name), true, true) =
            (index.and_then(|index| names.get(index)), before, after.next().is_none_or(alone))
        else {
            continue;
        };
        named.push_str(&text[told..from]);
        named.push_str(&format!("{name} (seat {})", index.unwrap_or_default()));
        told = at + 5;
    }
    named + &text[told..]
}

/// Two of a thing, one a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BySeat<T>(pub [T; 2]);

impl<T> BySeat<T> {
    /// Makes the thing of each seat, seat 0 first.
    pub fn from_fn(mut make: impl FnMut(Seat) -> T) -> Self {
        BySeat([make(Seat::First), make(Seat::Second)])
    }

    /// Each seat with its thing, seat 0 first.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        Seat::BOTH.into_iter().zip(self.0.iter())
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_get_their_names() {
        let named = |text| with_names(text, ["ann", "bob"]);
        assert_eq!(named("Seat 1 took 4 kg off: seat 0 wins."), "bob (seat 1) took 4 kg off: ann (seat 0) wins.");
        assert_eq!(named("seat 1's move"), "bob (seat 1)'s move");
        for as_it_is in ["bob (seat 1) wins", "seat 2", "seat 10", "reseat 1", "a seat ", "the heat 1", ""] {
            assert_eq!(named(as_it_is), as_it_is);
        }
    }
}
