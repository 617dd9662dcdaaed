//! One round of one bracket: places that face each other, some of them empty. It knows who faces whom, not how they play.

use crate::tournament::Entrant;

/// A place in a bracket: an entrant, or nobody, against whom one goes on without playing.
pub(super) type Place = Option<Entrant>;

/// Places that face each other.
#[derive(Clone, Debug, Default)]
pub(super) struct Heat(Vec<[Place; 2]>);

impl Heat {
    /// The first round of a bracket: entrants are seeded by number, 0 the highest. The two highest can meet only in the
    /// last round, the four highest in the one before, and so on; the empty places face the highest.
    pub(super) fn seeded(entrants: usize) -> Heat {
        let mut order = vec![0];
        while order.len() < entrants {
            let last = 2 * order.len() - 1;
            order = order.iter().flat_map(|&seed| [seed, last - seed]).collect();
        }
        Heat::neighbours(&order.iter().map(|&seed| (seed < entrants).then_some(seed)).collect::<Vec<_>>())
    }

    /// Each two neighbours of a row of even length face each other.
    pub(super) fn neighbours(row: &[Place]) -> Heat {
        Heat(row.chunks_exact(2).map(|two| [two[0], two[1]]).collect())
    }

    /// Two rows of one length face each other.
    pub(super) fn rows(one: &[Place], other: &[Place]) -> Heat {
        Heat(one.iter().zip(other).map(|(&one, &other)| [one, other]).collect())
    }

    /// Those who have to play, the higher seed first.
    pub(super) fn ties(&self) -> Vec<[Entrant; 2]> {
        self.0.iter().filter_map(|&[one, other]| Some([one?.min(other?), one?.max(other?)])).collect()
    }

    /// Those who go on without playing.
    pub(super) fn byes(&self) -> Vec<Entrant> {
        self.0.iter().filter_map(|&[one, other]| one.xor(other)).collect()
    }

    /// The row of those who are named second.
    pub(super) fn seconds(&self) -> Vec<Place> {
        self.0.iter().map(|&[_, second]| second).collect()
    }

    /// The rows of those who go on and of those who lost.
    pub(super) fn outcome(&self, has_won: impl Fn(Entrant) -> bool) -> (Vec<Place>, Vec<Place>) {
        let decide = |&[one, other]: &[Place; 2]| match (one, other) {
            (Some(player), Some(_)) if has_won(player) => (one, other),
            (Some(_), Some(_)) => (other, one),
            _ => (one.or(other), None),
        };
        self.0.iter().map(decide).unzip()
    }
}
