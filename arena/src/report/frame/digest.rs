//! SHA-256 (FIPS 180-4), in base64: how a page's policy names the one script and the one style sheet that it allows.

/// The digest of some bytes, as it stands in a `Content-Security-Policy`.
pub(super) fn sha256_base64(bytes: &[u8]) -> String {
    base64(&sha256(bytes))
}

fn sha256(bytes: &[u8]) -> [u8; 32] {
    let primes: Vec<u128> = (2..312).filter(|n| (2..*n).all(|divisor| n % divisor != 0)).collect();
    let keys: Vec<u32> = primes.iter().map(|prime| root(prime << 96, 3) as u32).collect();
    let mut state: [u32; 8] = std::array::from_fn(|index| root(primes[index] << 64, 2) as u32);
    let mut padded = bytes.to_vec();
    padded.push(0x80);
    padded.resize((padded.len() + 8).next_multiple_of(64) - 8, 0);
    padded.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in padded.chunks_exact(64) {
        compress(&mut state, &keys, block);
    }
    let mut digest = [0; 32];
    for (place, word) in digest.chunks_exact_mut(4).zip(state) {
        place.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

/// The whole part of a root. The standard's constants are the first 32 bits of the fractions of the primes' roots.
fn root(number: u128, degree: u32) -> u128 {
    (0..40).rev().fold(0, |root, bit| {
        let more = root | 1 << bit;
        if more.pow(degree) <= number { more } else { root }
    })
}

fn compress(state: &mut [u32; 8], keys: &[u32], block: &[u8]) {
    let mut words: Vec<u32> =
        block.chunks_exact(4).map(|word| u32::from_be_bytes([word[0], word[1], word[2], word[3]])).collect();
    for t in 16..64 {
        let (early, late) = (words[t - 15], words[t - 2]);
        let early = early.rotate_right(7) ^ early.rotate_right(18) ^ (early >> 3);
        let late = late.rotate_right(17) ^ late.rotate_right(19) ^ (late >> 10);
        words.push(late.wrapping_add(words[t - 7]).wrapping_add(early).wrapping_add(words[t - 16]));
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, key) in words.iter().zip(keys) {
        let turned = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let chosen = (e & f) ^ (!e & g);
        let first = h.wrapping_add(turned).wrapping_add(chosen).wrapping_add(*key).wrapping_add(*word);
        let turned = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let second = turned.wrapping_add((a & b) ^ (a & c) ^ (b & c));
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(first), c, b, a, first.wrapping_add(second));
    }
    for (word, more) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(more);
    }
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| -> String {
        let bits = (0..3).fold(0, |bits, place| bits << 8 | usize::from(three.get(place).copied().unwrap_or(0)));
        let letter = |place: usize| match place <= three.len() {
            true => char::from(LETTERS[bits >> (18 - 6 * place) & 63]),
            false => '=',
        };
        (0..4).map(letter).collect()
    };
    bytes.chunks(3).map(group).collect()
}
