//! The permutation (ePrint 2023/323, section 5) on kept lanes.
//!
//! Every sum is kept as lanes are, so that one code serves a modulus with little room above it: 2^256 is 2.2 p for BLS12-381.

use crate::field::arithmetic::{Arithmetic, Limbs, ZERO};
use crate::field::backend::on_backend;
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
        let mut lanes = [ZERO; T];
        for (lane, element) in lanes.iter_mut().zip(&*state) {
            *lane = *element.limbs();
        }
        rounds::<M, B, T, PARTIAL_ROUNDS>(tables, &mut lanes);
        for (element, lane) in state.iter_mut().zip(lanes) {
            *element = Element::from_canonical(<B as Arithmetic<M>>::from_kept(lane));
        }
    });
}

/// M_E alone: what comes before the rounds.
#[cfg(any(const_poseidon_ifma, all(test, not(const_poseidon_narrow))))]
pub(super) fn first_layer<M: Modulus, const T: usize>(state: &mut [Element<M>; T]) {
    on_backend!(B => {
        let mut lanes = [ZERO; T];
        for (lane, element) in lanes.iter_mut().zip(&*state) {
            *lane = *element.limbs();
        }
        external_layer::<M, B, T>(&mut lanes);
        for (element, lane) in state.iter_mut().zip(lanes) {
            *element = Element::from_canonical(<B as Arithmetic<M>>::from_kept(lane));
        }
    });
}

#[inline(never)]
fn rounds<M: Modulus, B: Arithmetic<M>, const T: usize, const PARTIAL_ROUNDS: usize>(
    tables: &Tables<M, T, PARTIAL_ROUNDS>,
    lanes: &mut [Limbs; T],
) {
    external_layer::<M, B, T>(lanes);
    for constants in &tables.initial {
        external_round::<M, B, T>(constants, lanes);
    }
    for constant in &tables.partial {
        s_box::<M, B>(&mut lanes[0], constant);
        internal_layer::<M, B, T>(&tables.diagonal, lanes);
    }
    for constants in &tables.terminal {
        external_round::<M, B, T>(constants, lanes);
    }
}

#[inline(always)]
fn external_round<M: Modulus, B: Arithmetic<M>, const T: usize>(constants: &[Element<M>; T], lanes: &mut [Limbs; T]) {
    for (lane, constant) in lanes.iter_mut().zip(constants) {
        s_box::<M, B>(lane, constant);
    }
    external_layer::<M, B, T>(lanes);
}

/// (x + constant)^5. Not inlined: there are a few dozen places.
#[inline(never)]
fn s_box<M: Modulus, B: Arithmetic<M>>(x: &mut Limbs, constant: &Element<M>) {
    B::add(x, constant.limbs());
    let input = *x;
    B::pow5::<1>(&input, x);
}

#[inline(always)]
fn double<M: Modulus, B: Arithmetic<M>>(x: &mut Limbs) {
    let other = *x;
    B::add(x, &other);
}

/// M_E: circ(2, 1, ..) for t = 2 and 3, else [`four`] on each four lanes, and on each lane the sum of its like.
#[inline(always)]
fn external_layer<M: Modulus, B: Arithmetic<M>, const T: usize>(lanes: &mut [Limbs; T]) {
    if T < 4 {
        let total = total::<M, B>(lanes);
        for lane in lanes {
            B::add(lane, &total);
        }
        return;
    }
    for block in lanes.chunks_exact_mut(4) {
        if let [a, b, c, d] = block {
            (*a, *b, *c, *d) = four::<M, B>(*a, *b, *c, *d);
        }
    }
    if T > 4 {
        for offset in 0..4 {
            let mut like = ZERO;
            for lane in lanes.iter().skip(offset).step_by(4) {
                B::add(&mut like, lane);
            }
            for lane in lanes.iter_mut().skip(offset).step_by(4) {
                B::add(lane, &like);
            }
        }
    }
}

/// [[5, 7, 1, 3], [4, 6, 1, 1], [1, 3, 5, 7], [1, 1, 4, 6]], in eight additions and four doublings (the paper's appendix B).
#[inline(never)]
fn four<M: Modulus, B: Arithmetic<M>>(
    mut a: Limbs,
    mut b: Limbs,
    mut c: Limbs,
    mut d: Limbs,
) -> (Limbs, Limbs, Limbs, Limbs) {
    B::add(&mut a, &b); // a + b
    B::add(&mut c, &d); // c + d
    double::<M, B>(&mut b);
    B::add(&mut b, &c); // 2b + c + d
    double::<M, B>(&mut d);
    B::add(&mut d, &a); // a + b + 2d
    double::<M, B>(&mut c);
    double::<M, B>(&mut c);
    B::add(&mut c, &d); // a + b + 4c + 6d
    double::<M, B>(&mut a);
    double::<M, B>(&mut a);
    B::add(&mut a, &b); // 4a + 6b + c + d
    B::add(&mut d, &a); // 5a + 7b + c + 3d
    B::add(&mut b, &c); // a + 3b + 5c + 7d
    (d, a, b, c)
}

#[inline(always)]
fn total<M: Modulus, B: Arithmetic<M>>(lanes: &[Limbs]) -> Limbs {
    let mut total = ZERO;
    for lane in lanes {
        B::add(&mut total, lane);
    }
    total
}

/// M_I: the sum of all lanes, plus each lane times the diagonal less 1.
#[inline(always)]
fn internal_layer<M: Modulus, B: Arithmetic<M>, const T: usize>(diagonal: &[Element<M>; T], lanes: &mut [Limbs; T]) {
    let total = total::<M, B>(lanes);
    for (i, (lane, d)) in lanes.iter_mut().zip(diagonal).enumerate() {
        let mut multiple = *lane;
        if T > 3 {
            // Of kept values: below (1.0001 + rho) p.
            B::multiply(lane, d.limbs(), &mut multiple);
            B::keep::<1>(&mut multiple);
        } else if i == T - 1 {
            double::<M, B>(&mut multiple);
        }
        B::add(&mut multiple, &total);
        *lane = multiple;
    }
}
