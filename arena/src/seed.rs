//! All randomness: from one seed to the numbers that deal a board, seed a bot or order a draw.
//!
//! What a seed gives is a promise to users (results name their seeds), so every step from seed to
//! number is written down here and pinned by golden values, whatever the `rand` crates do later.

use crate::seat::Seat;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

#[cfg(test)]
mod tests;

/// Seeds stay below this (2^53), so that every language's JSON reads them exactly.
pub const SEED_LIMIT: u64 = 1 << 53;

/// A stream of random words for one purpose.
///
/// ChaCha8 with a 32-byte key: bytes 0–7 the seed, little-endian; bytes 8–31 the purpose in ASCII,
/// zero-padded. Words are taken in the generator's order, 64 bits each.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    /// The stream of `seed` for `purpose` (1 to 24 ASCII bytes): different purposes are independent.
    pub fn new(seed: u64, purpose: &str) -> Stream {
        assert!(purpose.is_ascii() && (1..=24).contains(&purpose.len()), "a purpose is 1 to 24 ASCII bytes");
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..8 + purpose.len()].copy_from_slice(purpose.as_bytes());
        Stream(ChaCha8Rng::from_seed(key))
    }

    /// The next 64-bit word.
    pub fn word(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A uniform whole number in `0..bound` (`bound` > 0): words from the last, incomplete run of
    /// `bound` values are thrown away, then the remainder is taken.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "a draw needs at least one outcome");
        let whole_runs = u64::MAX - u64::MAX % bound;
        loop {
            let word = self.word();
            if word < whole_runs {
                return word % bound;
            }
        }
    }

    /// A uniform number in `[0, 1)`: the upper 53 bits of a word, times 2^-53.
    pub fn unit(&mut self) -> f64 {
        (self.word() >> 11) as f64 / SEED_LIMIT as f64
    }

    /// One of the items (at least one), each as likely.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }
}

/// The seed of a seat's bot in a match with this seed: below 2^53.
pub fn bot_seed(match_seed: u64, seat: Seat) -> u64 {
    let purpose = match seat {
        Seat::First => "bot 0",
        Seat::Second => "bot 1",
    };
    Stream::new(match_seed, purpose).word() % SEED_LIMIT
}

/// A seed below 2^53 of a text under another seed: the first word of the stream of `seed` combined with the text's
/// [`hash`] by exclusive or.
pub fn of_text(seed: u64, text: &str) -> u64 {
    Stream::new(seed ^ hash(HASH_OF_NOTHING, text.as_bytes()), "text").word() % SEED_LIMIT
}

/// Where a [`hash`] begins: FNV-1a's offset basis.
pub const HASH_OF_NOTHING: u64 = 14_695_981_039_346_656_037;

/// 64-bit FNV-1a, gone on with from `begun`: the same everywhere and for ever, so that it may be stored.
pub fn hash(begun: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(begun, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(1_099_511_628_211))
}

/// A fresh seed from the system, for a match that names none. It is shown and stored, so that the match can be repeated.
pub fn fresh() -> u64 {
    rand::random::<u64>() % SEED_LIMIT
}
