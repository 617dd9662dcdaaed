//! What all formats have in common: they plan a stage when everything before it has ended, and hand it out in order.

use super::book::{Book, Pair};
use crate::tournament::{Entrant, Field, Format, Next, Round, Settled};

/// A format as a sequence of stages. What a stage holds follows from the field and from the settled stages before it.
pub(super) trait Stages: Send {
    /// The pairs of the next stage; none: the format has ended, and is not asked again.
    fn stage(&mut self, book: &Book) -> Vec<Pair>;

    /// See [`Format::stop_planning`].
    fn stop_planning(&mut self) {}

    /// See [`Format::heeds_repeats`].
    fn heeds_repeats(&self) -> bool {
        false
    }

    /// How many matches there will be in all, where that is known before the end.
    fn planned(&self, book: &Book) -> Option<u64>;

    /// See [`Format::ranking`].
    fn ranking(&self, book: &Book) -> Option<Vec<Vec<Entrant>>>;

    /// See [`Format::remarks`].
    fn remarks(&self, book: &Book) -> Vec<String>;

    /// See [`Format::rounds`].
    fn rounds(&self, _book: &Book) -> Vec<Round> {
        Vec::new()
    }
}

/// The pull machine around the stages.
pub(super) struct Staged<S> {
    stages: S,
    book: Book,
    finished: bool,
}

impl<S: Stages + 'static> Staged<S> {
    pub(super) fn boxed(field: &Field, stages: S) -> Box<dyn Format> {
        Box::new(Staged { stages, book: Book::new(field), finished: false })
    }
}

impl<S: Stages> Format for Staged<S> {
    fn next(&mut self) -> Next {
        loop {
            if let Some(pairing) = self.book.hand_out() {
                return Next::Play(pairing);
            }
            if !self.book.is_settled() {
                return Next::Wait;
            }
            if self.finished {
                return Next::Finished;
            }
            let pairs = self.stages.stage(&self.book);
            self.finished = pairs.is_empty();
            self.book.plan(pairs);
        }
    }

    fn settle(&mut self, id: &str, result: Settled, repeat: bool) {
        self.book.settle(id, result, repeat);
    }

    fn stop_planning(&mut self) {
        self.stages.stop_planning();
    }

    fn heeds_repeats(&self) -> bool {
        self.stages.heeds_repeats()
    }

    fn planned(&self) -> Option<u64> {
        if self.finished { Some(self.book.matches()) } else { self.stages.planned(&self.book) }
    }

    fn ranking(&self) -> Option<Vec<Vec<Entrant>>> {
        self.stages.ranking(&self.book)
    }

    fn remarks(&self) -> Vec<String> {
        self.stages.remarks(&self.book)
    }

    fn rounds(&self) -> Vec<Round> {
        self.stages.rounds(&self.book)
    }
}

/// The entrants in the order of a key, the least first, those with the same key together.
pub(super) fn ranked<K: Ord>(entrants: usize, key: impl Fn(Entrant) -> K) -> Vec<Vec<Entrant>> {
    let mut order: Vec<Entrant> = (0..entrants).collect();
    order.sort_by_key(|&entrant| key(entrant));
    order.chunk_by(|&one, &other| key(one) == key(other)).map(<[Entrant]>::to_vec).collect()
}
