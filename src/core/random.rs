//! The portable generator of all protocol draws: the Mersenne Twister MT19937 with the seeding and the
//! derived draws of CPython's `random.Random`. Runs recorded by the Python program replay draw for draw,
//! and a seed gives the same run on every platform. Tests pin each draw to known values. Not for secrets,
//! jitter or ids.

use rand_mt::Mt;

/// A seeded stream of draws. Streams with the same seed give the same draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random(Mt);

/// Returns the seed of a participant's own stream: `(seed + index + 1) mod 2^31`, with `index` from 0 in
/// configuration order. Separate streams make a participant's draws independent of scheduling.
#[must_use]
pub fn participant_seed(seed: u32, index: usize) -> u32 {
    let sum = (seed as u64).wrapping_add(index as u64).wrapping_add(1);
    (sum & 0x7fff_ffff) as u32
}

impl Random {
    /// Returns a stream seeded like `random.Random(seed)`: MT19937 `init_by_array` with the key `[seed]`.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self(Mt::new_with_key([seed]))
    }

    /// Returns a number in [0, 1) with 53 random bits. Uses two outputs of the generator.
    pub fn random(&mut self) -> f64 {
        let high = f64::from(self.0.next_u32() >> 5);
        let low = f64::from(self.0.next_u32() >> 6);
        (high * 67_108_864.0 + low) / 9_007_199_254_740_992.0
    }

    /// Returns a uniform integer in 0..`n` by rejection sampling (`randbelow`). Returns 0 without a draw
    /// for `n` = 0.
    pub fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        let shift = n.leading_zeros();
        loop {
            let bits = self.0.next_u32() >> shift;
            if bits < n {
                return bits;
            }
        }
    }

    /// Returns a uniform index below `n` (`choice`); see [`Self::below`]. Clamps `n` to `u32::MAX`.
    pub fn choice(&mut self, n: usize) -> usize {
        self.below(u32::try_from(n).unwrap_or(u32::MAX)) as usize
    }

    /// Shuffles by Fisher-Yates from the end, with `len - 1` bounded draws.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.choice(last + 1);
            items.swap(last, other);
        }
    }

    /// Returns a weighted index (`choices`): one [`Self::random`], then the first position whose running
    /// sum, from left to right, exceeds the draw times the total. Weights must be finite and non-negative
    /// with a positive total. Otherwise returns the last index, and 0 for an empty list.
    pub fn weighted(&mut self, weights: &[f64]) -> usize {
        let total: f64 = weights.iter().fold(0.0, |sum, weight| sum + weight);
        let x = self.random() * total;
        let mut sum = 0.0;
        for (index, weight) in weights.iter().enumerate() {
            sum += weight;
            if sum > x {
                return index;
            }
        }
        weights.len().saturating_sub(1)
    }

    /// Returns `lo + (hi - lo) * random()`.
    pub fn uniform(&mut self, lo: f64, hi: f64) -> f64 {
        lo + (hi - lo) * self.random()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_key_seeding_is_that_of_the_reference_implementation() {
        // First outputs of mt19937ar.c for init_by_array({0x123, 0x234, 0x345, 0x456}).
        let mut mt = Mt::new_with_key([0x123, 0x234, 0x345, 0x456]);
        let got: Vec<u32> = (0..5).map(|_| mt.next_u32()).collect();
        assert_eq!(
            got,
            [
                1_067_595_299,
                955_945_823,
                477_289_528,
                4_107_218_783,
                4_228_976_476
            ]
        );
    }

    #[test]
    fn seed_zero_gives_the_known_numbers() {
        let mut random = Random::new(0);
        assert_eq!(random.random(), 0.844_421_851_525_048_1);
        assert_eq!(random.random(), 0.757_954_402_940_302_5);
        assert_eq!(random.random(), 0.420_571_580_830_845);
        assert_eq!(Random::new(0).uniform(2.0, 6.0), 5.377_687_406_100_192_5);
    }

    #[test]
    fn drawing_from_nothing_draws_nothing() {
        let mut random = Random::new(7);
        assert_eq!(random.below(0), 0);
        random.shuffle::<u8>(&mut []);
        random.shuffle(&mut [1]);
        assert_eq!(random, Random::new(7));
        assert_eq!(random.weighted(&[]), 0);
    }

    #[test]
    fn below_keeps_its_bounds_at_both_ends() {
        let mut random = Random::new(3);
        assert!((0..100).all(|_| random.below(1) == 0));
        assert!((0..100).all(|_| random.below(u32::MAX) < u32::MAX));
    }

    #[test]
    fn a_weight_of_zero_is_never_drawn() {
        let mut random = Random::new(11);
        for zero in 0..4 {
            let mut weights = [1.0; 4];
            weights[zero] = 0.0;
            assert!((0..2_000).all(|_| random.weighted(&weights) != zero));
        }
    }

    #[test]
    fn participant_seeds_wrap_at_two_to_the_31() {
        assert_eq!(participant_seed(41, 0), 42);
        assert_eq!(participant_seed(0x7fff_ffff, 0), 0);
        assert_eq!(participant_seed(0x7fff_fffe, 3), 2);
    }

    proptest! {
        #[test]
        fn a_shuffle_is_a_permutation(seed: u32, n in 0_usize..40) {
            let mut items: Vec<usize> = (0..n).collect();
            Random::new(seed).shuffle(&mut items);
            items.sort();
            prop_assert_eq!(items, (0..n).collect::<Vec<_>>());
        }

        #[test]
        fn draws_stay_in_range(seed: u32, n in 1_u32..1_000) {
            let mut random = Random::new(seed);
            prop_assert!(random.below(n) < n);
            let x = random.random();
            prop_assert!((0.0..1.0).contains(&x));
        }
    }
}
