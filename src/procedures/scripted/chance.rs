//! Random numbers of scripted participants: one stream per purpose, equal on every machine. The draws of the
//! procedures themselves use other streams.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{Rng, SeedableRng};

/// A random stream determined by seed, seat and purpose.
pub(in crate::procedures) struct Chance(Xoshiro256PlusPlus);

impl Chance {
    pub(in crate::procedures) fn new(seed: u32, seat: &str, purpose: &str) -> Self {
        // 64-bit FNV-1a. The byte 0xff occurs in no UTF-8 text and separates the fields.
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        let fields = [&seed.to_le_bytes(), seat.as_bytes(), purpose.as_bytes()];
        for field in fields {
            for byte in field.iter().chain(&[0xff]) {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        Self(Xoshiro256PlusPlus::seed_from_u64(hash))
    }

    /// Returns a number from 0 (inclusive) to 1 (exclusive), in steps of 2⁻³².
    pub(in crate::procedures) fn unit(&mut self) -> f64 {
        let high = u32::try_from(self.0.next_u64() >> 32).unwrap_or(0);
        f64::from(high) / 4_294_967_296.0
    }

    /// Returns a number from `least` (inclusive) to `most` (exclusive).
    pub(in crate::procedures) fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.unit()
    }

    /// Returns a whole number below `count`; 0 if that is 0.
    pub(in crate::procedures) fn below(&mut self, count: usize) -> usize {
        (self.unit() * count as f64) as usize
    }

    /// Returns `true` with the given probability.
    pub(in crate::procedures) fn happens(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Picks an item uniformly; `None` if there are none.
    pub(in crate::procedures) fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let len = u64::try_from(from.len()).ok().filter(|len| *len > 0)?;
        let at = (self.0.next_u64() >> 32) % len;
        from.get(usize::try_from(at).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_fixed_and_distinct() {
        let first = |seed, seat, purpose| Chance::new(seed, seat, purpose).0.next_u64();
        assert_eq!(first(1, "Ana", "persona"), 16_101_186_500_713_817_079);
        assert_ne!(first(1, "Ana", "persona"), first(2, "Ana", "persona"));
        assert_ne!(first(1, "Ana", "persona"), first(1, "Anap", "ersona"));
    }

    #[test]
    fn numbers_stay_in_range() {
        let mut chance = Chance::new(7, "Ana", "test");
        assert!((0..1000).all(|_| (0.0..1.0).contains(&chance.unit())));
        assert_eq!(chance.pick::<u8>(&[]), None);
        assert!((0..100).all(|_| chance.pick(&[1, 2]).is_some()));
    }
}
