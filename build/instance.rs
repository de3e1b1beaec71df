//! One instance of Poseidon: its round numbers, round constants and MDS matrix, derived and checked.

use crate::field::{Element, Field, ZERO};
use crate::grain::{Grain, Seed};

/// BN254's scalar field: r of the curve that Ethereum's precompiles use.
pub(crate) const BN254: [u64; 4] =
    [0x43e1_f593_f000_0001, 0x2833_e848_79b9_7091, 0xb850_45b6_8181_585d, 0x3064_4e72_e131_a029];
pub(crate) const BN254_BITS: u32 = 254;

/// BLS12-381's scalar field, for Poseidon2.
pub(crate) const BLS12_381: [u64; 4] =
    [0xffff_ffff_0000_0001, 0x53bd_a402_fffe_5bfe, 0x3339_d808_09a1_d805, 0x73ed_a753_299d_7d48];
pub(crate) const BLS12_381_BITS: u32 = 255;

/// R_F of every circomlib instance.
pub(crate) const FULL_ROUNDS: usize = 8;
/// R_P for t = 2..=17: circomlib's `poseidon.circom`, `N_ROUNDS_P`.
const PARTIAL_ROUNDS: [usize; 16] = [56, 57, 56, 60, 60, 63, 64, 63, 60, 66, 60, 65, 70, 60, 64, 68];

/// The widths built: t = inputs + 1.
pub(crate) const WIDTHS: std::ops::RangeInclusive<usize> = 2..=17;

pub(crate) struct Instance {
    pub(crate) width: usize,
    pub(crate) partial_rounds: usize,
    /// R_F + R_P rows of t, in the order of the rounds.
    pub(crate) round_constants: Vec<Vec<Element>>,
    /// The matrix of the full rounds.
    pub(crate) mds: Vec<Vec<Element>>,
    /// The matrix of the partial rounds: the same in Poseidon, another in Poseidon2.
    pub(crate) partial_mds: Vec<Vec<Element>>,
}

impl Instance {
    pub(crate) fn derive(field: &Field, width: usize) -> Self {
        let partial_rounds = PARTIAL_ROUNDS[width - WIDTHS.start()];
        let mut grain = Grain::new(&Seed {
            bits: BN254_BITS,
            width: width as u32,
            full_rounds: FULL_ROUNDS as u32,
            partial_rounds: partial_rounds as u32,
        });
        let round_constants =
            (0..FULL_ROUNDS + partial_rounds).map(|_| (0..width).map(|_| grain.constant(field)).collect()).collect();
        let mds = cauchy(field, &mut grain, width);
        Instance { width, partial_rounds, round_constants, partial_mds: mds.clone(), mds }
    }
}

impl Instance {
    /// The permutation as the paper has it; Poseidon2's is after its first matrix.
    pub(crate) fn textbook(&self, field: &Field, state: &mut [Element]) {
        for (round, constants) in self.round_constants.iter().enumerate() {
            let partial = round >= FULL_ROUNDS / 2 && round < FULL_ROUNDS / 2 + self.partial_rounds;
            for (lane, (x, &c)) in state.iter_mut().zip(constants).enumerate() {
                *x = field.add(*x, c);
                if lane == 0 || !partial {
                    *x = field.pow5(*x);
                }
            }
            let boxed = state.to_vec();
            for (lane, row) in state.iter_mut().zip(if partial { &self.partial_mds } else { &self.mds }) {
                *lane = field.dot(row, &boxed);
            }
        }
    }
}

/// The Cauchy matrix M[i][j] = 1 / (x[i] + y[j]) of the next 2t seeds. It is MDS: all x differ, all y differ, and no sum
/// is zero, so every square submatrix is a Cauchy matrix and invertible. hadeshash then tests the matrix for
/// invariant subspaces and draws again if it fails; for all of these instances circomlib uses the first draw.
fn cauchy(field: &Field, grain: &mut Grain, width: usize) -> Vec<Vec<Element>> {
    let seeds: Vec<Element> = (0..2 * width).map(|_| grain.reduced(field)).collect();
    for (i, seed) in seeds.iter().enumerate() {
        assert!(!seeds[..i].contains(seed), "t = {width}: MDS seeds repeat; hadeshash would draw again");
    }
    let (x, y) = seeds.split_at(width);
    let mut entries: Vec<Element> =
        x.iter().flat_map(|&x| y.iter().map(move |&y| (x, y))).map(|(x, y)| field.add(x, y)).collect();
    assert!(!entries.contains(&ZERO), "t = {width}: MDS seeds add to zero; hadeshash would draw again");
    field.invert(&mut entries);
    entries.chunks(width).map(<[Element]>::to_vec).collect()
}
