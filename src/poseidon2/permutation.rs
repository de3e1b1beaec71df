//! The permutation (ePrint 2023/323, section 5) on canonical lanes.
//!
//! Additions take one subtraction of p each, so that one code serves a modulus with little room above it: 2^256 is 2.2 p for BLS12-381.

use crate::field::backend::on_backend;
use crate::field::lazy::{add, Lazy, Limbs};
use crate::field::{Element, Modulus};

/// One instance's constants.
pub(super) struct Tables<M, const T: usize, const PARTIAL_ROUNDS: usize> {
    /// Before the S-boxes of the first four external rounds.
    pub(super) initial: [[Element<M>; T]; 4],
    /// Before the S-box of the internal rounds.
    pub(super) partial: [Element<M>; PARTIAL_ROUNDS],
    /// Before the S-boxes of the last four external rounds.
    pub(super) terminal: [[Element<M>; T]; 4],
    /// The internal matrix's diagonal, less 1.
    pub(super) diagonal: [Element<M>; T],
}

impl<M: Modulus, const T: usize, const PARTIAL_ROUNDS: usize> Tables<M, T, PARTIAL_ROUNDS> {
    /// Of any round; zeros beyond the last.
    pub(super) fn round_constants(&self, round: usize) -> [Element<M>; T] {
        let partial = self.partial.iter().map(|&constant| {
            let mut row = [Element::ZERO; T];
            row[0] = constant;
            row
        });
        let mut rows = self.initial.iter().copied().chain(partial).chain(self.terminal.iter().copied());
        rows.nth(round).unwrap_or([Element::ZERO; T])
    }
}

/// The permutation, in place.
pub(super) fn permute<M: Modulus, const T: usize, const PARTIAL_ROUNDS: usize>(
    tables: &Tables<M, T, PARTIAL_ROUNDS>,
    state: &mut [Element<M>; T],
) {
    on_backend!(B => {
        let mut lanes = [[0; 4]; T];
        for (lane, element) in lanes.iter_mut().zip(&*state) {
            *lane = *element.limbs();
        }
        rounds::<M, B, T, PARTIAL_ROUNDS>(tables, &mut lanes);
        for (element, lane) in state.iter_mut().zip(lanes) {
            *element = Element::from_canonical(lane);
        }
    });
}

/// M_E alone: what comes before the rounds.
#[cfg(any(const_poseidon_ifma, test))]
pub(super) fn first_layer<M: Modulus, const T: usize>(state: &mut [Element<M>; T]) {
    on_backend!(B => {
        let mut lanes = [[0; 4]; T];
        for (lane, element) in lanes.iter_mut().zip(&*state) {
            *lane = *element.limbs();
        }
        external_layer::<M, B, T>(&mut lanes);
        for (element, lane) in state.iter_mut().zip(lanes) {
            *element = Element::from_canonical(lane);
        }
    });
}

#[inline(never)]
fn rounds<M: Modulus, B: Lazy<M>, const T: usize, const PARTIAL_ROUNDS: usize>(
    tables: &Tables<M, T, PARTIAL_ROUNDS>,
    lanes: &mut [Limbs; T],
) {
    external_layer::<M, B, T>(lanes);
    for constants in &tables.initial {
        external_round::<M, B, T>(constants, lanes);
    }
    for constant in &tables.partial {
        lanes[0] = s_box::<M, B>(&sum::<M, B>(&lanes[0], constant.limbs()));
        internal_layer::<M, B, T>(&tables.diagonal, lanes);
    }
    for constants in &tables.terminal {
        external_round::<M, B, T>(constants, lanes);
    }
}

#[inline(always)]
fn external_round<M: Modulus, B: Lazy<M>, const T: usize>(constants: &[Element<M>; T], lanes: &mut [Limbs; T]) {
    for (lane, constant) in lanes.iter_mut().zip(constants) {
        *lane = s_box::<M, B>(&sum::<M, B>(lane, constant.limbs()));
    }
    external_layer::<M, B, T>(lanes);
}

/// a + b, canonical as they are.
#[inline(always)]
fn sum<M: Modulus, B: Lazy<M>>(a: &Limbs, b: &Limbs) -> Limbs {
    B::canonical::<1>(add(a, b))
}

#[inline(always)]
fn doubled<M: Modulus, B: Lazy<M>>(a: &Limbs) -> Limbs {
    sum::<M, B>(a, a)
}

/// x^5, canonical as x is.
#[inline(never)]
fn s_box<M: Modulus, B: Lazy<M>>(x: &Limbs) -> Limbs {
    crate::field::pow5::<M, B>(x)
}

/// M_E: circ(2, 1, ..) for t = 2 and 3, else [`four`] on each four lanes, and on each lane the sum of its like.
#[inline(always)]
fn external_layer<M: Modulus, B: Lazy<M>, const T: usize>(lanes: &mut [Limbs; T]) {
    if T < 4 {
        let total = total::<M, B>(lanes);
        for lane in lanes {
            *lane = sum::<M, B>(lane, &total);
        }
        return;
    }
    for block in lanes.chunks_exact_mut(4) {
        if let [a, b, c, d] = block {
            (*a, *b, *c, *d) = four::<M, B>([a, b, c, d]);
        }
    }
    if T > 4 {
        for offset in 0..4 {
            let mut like = [0; 4];
            for lane in lanes.iter().skip(offset).step_by(4) {
                like = sum::<M, B>(&like, lane);
            }
            for lane in lanes.iter_mut().skip(offset).step_by(4) {
                *lane = sum::<M, B>(lane, &like);
            }
        }
    }
}

/// [[5, 7, 1, 3], [4, 6, 1, 1], [1, 3, 5, 7], [1, 1, 4, 6]], in eight additions and four doublings (the paper's appendix B).
#[inline(never)]
fn four<M: Modulus, B: Lazy<M>>([a, b, c, d]: [&Limbs; 4]) -> (Limbs, Limbs, Limbs, Limbs) {
    let ab = sum::<M, B>(a, b);
    let cd = sum::<M, B>(c, d);
    let b2_cd = sum::<M, B>(&doubled::<M, B>(b), &cd);
    let d2_ab = sum::<M, B>(&doubled::<M, B>(d), &ab);
    let last = sum::<M, B>(&doubled::<M, B>(&doubled::<M, B>(&cd)), &d2_ab);
    let second = sum::<M, B>(&doubled::<M, B>(&doubled::<M, B>(&ab)), &b2_cd);
    let first = sum::<M, B>(&d2_ab, &second);
    let third = sum::<M, B>(&b2_cd, &last);
    (first, second, third, last)
}

#[inline(always)]
fn total<M: Modulus, B: Lazy<M>>(lanes: &[Limbs]) -> Limbs {
    let mut total = [0; 4];
    for lane in lanes {
        total = sum::<M, B>(&total, lane);
    }
    total
}

/// M_I: the sum of all lanes, plus each lane times the diagonal less 1.
#[inline(always)]
fn internal_layer<M: Modulus, B: Lazy<M>, const T: usize>(diagonal: &[Element<M>; T], lanes: &mut [Limbs; T]) {
    let total = total::<M, B>(lanes);
    let last = T - 1;
    for (i, (lane, d)) in lanes.iter_mut().zip(diagonal).enumerate() {
        let multiple = if T > 3 {
            // Canonical values: below (1.0001 + rho) p.
            B::canonical::<1>(B::multiply(lane, d.limbs()))
        } else if i == last {
            doubled::<M, B>(lane)
        } else {
            *lane
        };
        *lane = sum::<M, B>(&multiple, &total);
    }
}
