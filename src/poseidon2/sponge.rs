//! The duplex sponge of EspressoSystems/jellyfish's `poseidon2` (`sponge.rs`), which is spongefish's in overwrite mode.

use super::Instance;
use core::fmt;

/// A duplex sponge over Poseidon2: `RATE` lanes first, then the capacity. Compatible with jellyfish's `Poseidon2SpongeState` (N2R1, N3R1, N3R2).
///
/// Absorbed elements overwrite the rate's lanes, one after the other; when all are overwritten and another comes, the state is permuted first.
/// Squeezing reads the rate's lanes, and permutes before the first of each `RATE`. Calls may be of any length and in any order;
/// `absorb(a)` and `absorb(b)` are `absorb(a ++ b)`, and `squeeze` likewise. Any absorb between two squeezes, of nothing even, leaves the rest of
/// the rate unread. Nothing is padded: a protocol that absorbs messages of several lengths must say how long they are, or take a hash of this module.
///
/// The first squeeze of a *default* sponge, with nothing absorbed before, gives the rate's lanes as they are, zeros, as upstream's does; after
/// any absorb, of nothing even, or from [`new`](Self::new), the first squeeze permutes.
///
/// ```
/// use const_poseidon::{poseidon2::Sponge, Fr};
///
/// let mut sponge = Sponge::<Fr, 3, 2>::new(&[7; 32]);
/// sponge.absorb(&[Fr::ONE, Fr::ZERO, Fr::ONE]);
/// let mut challenges = [Fr::ZERO; 4];
/// sponge.squeeze(&mut challenges);
/// # assert_ne!(challenges[0], challenges[2]);
/// ```
///
/// The rate is below the width, and not zero: an error when the program is built, which `cargo check` does not show.
/// ```compile_fail,E0080
/// # use const_poseidon::{poseidon2::Sponge, Fr};
/// Sponge::<Fr, 3, 3>::default();
/// ```
///
/// Its lanes are secret as what was absorbed may be: `Debug` does not show them. They are not wiped when it is dropped.
#[derive(Clone)]
pub struct Sponge<F: Instance<T>, const T: usize, const RATE: usize> {
    state: [F; T],
    /// The rate's lanes that were overwritten since the last permutation.
    absorbed: usize,
    /// Those that were read.
    squeezed: usize,
}

impl<F: Instance<T>, const T: usize, const RATE: usize> Sponge<F, T, RATE> {
    /// A sponge whose first lane of the capacity is the integer of the 32 bytes, most significant byte first, reduced modulo p; the other
    /// lanes are 0. Two such integers that are equal modulo p give the same sponge, as upstream.
    #[must_use]
    pub fn new(iv: &[u8; 32]) -> Self {
        const { assert!(RATE > 0 && RATE < T, "a sponge's RATE is from 1 to T - 1") };
        let mut sponge = Self { squeezed: RATE, ..Self::default() };
        sponge.state[RATE] = F::from_bytes_be_mod_order(iv);
        sponge
    }

    /// Overwrites the rate with the elements, permuting whenever it is full and more come.
    pub fn absorb(&mut self, elements: &[F]) {
        for element in elements {
            if self.absorbed == RATE {
                F::permute(&mut self.state);
                self.absorbed = 0;
            }
            if let Some(lane) = self.state.get_mut(self.absorbed) {
                *lane = *element;
            }
            self.absorbed += 1;
        }
        self.squeezed = RATE;
    }

    /// Fills the slice from the rate, permuting whenever it was read to the end.
    pub fn squeeze(&mut self, elements: &mut [F]) {
        for element in elements {
            if self.squeezed == RATE {
                F::permute(&mut self.state);
                self.squeezed = 0;
                self.absorbed = 0;
            }
            if let Some(lane) = self.state.get(self.squeezed) {
                *element = *lane;
            }
            self.squeezed += 1;
        }
    }

    /// Permutes and zeroes the rate, so that what was absorbed cannot be computed back from the state; the next squeeze permutes again. The
    /// place where the next absorb goes on stays, as in spongefish.
    pub fn ratchet(&mut self) {
        F::permute(&mut self.state);
        for lane in self.state.iter_mut().take(RATE) {
            *lane = F::ZERO;
        }
        self.squeezed = RATE;
    }
}

/// All lanes 0.
impl<F: Instance<T>, const T: usize, const RATE: usize> Default for Sponge<F, T, RATE> {
    fn default() -> Self {
        const { assert!(RATE > 0 && RATE < T, "a sponge's RATE is from 1 to T - 1") };
        Self { state: [F::ZERO; T], absorbed: 0, squeezed: 0 }
    }
}

/// Of the lanes and of the places that come next: sponges may be unequal whose lanes are equal. Takes the same time for all lanes.
impl<F: Instance<T>, const T: usize, const RATE: usize> PartialEq for Sponge<F, T, RATE> {
    #[allow(clippy::needless_bitwise_bool, reason = "no lane may be left out")]
    fn eq(&self, other: &Self) -> bool {
        let lanes = self.state.iter().zip(&other.state).fold(true, |equal, (a, b)| equal & (a == b));
        lanes & (self.absorbed == other.absorbed) & (self.squeezed == other.squeezed)
    }
}

impl<F: Instance<T> + Eq, const T: usize, const RATE: usize> Eq for Sponge<F, T, RATE> {}

impl<F: Instance<T>, const T: usize, const RATE: usize> fmt::Debug for Sponge<F, T, RATE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sponge").finish_non_exhaustive()
    }
}
