//! One instance of Poseidon2 (ePrint 2023/323) with the parameters that HorizenLabs' `poseidon2_rust_params.sage` has made since
//! 2023-06 (commit bb476b9): round constants and, from t = 4, the internal matrix's diagonal, from the Grain LFSR.

use crate::field::{Element, Field};
use crate::grain::{Grain, Seed};
use crate::instance::{Instance, FULL_ROUNDS};

/// A field and a width that Poseidon2 is built for.
pub(crate) struct Parameters {
    pub(crate) width: usize,
    pub(crate) partial_rounds: usize,
    /// From t = 4: how many diagonals the script draws and drops, because some power of the matrix has a minimal polynomial that
    /// is not irreducible. Found by comparison with the published diagonals, which the tests repeat.
    dropped: usize,
}

/// Over BN254's scalar field: zkhash, taceo-poseidon2, jellyfish (t = 3), Noir (t = 4).
pub(crate) const BN254: [Parameters; 6] = [
    Parameters { width: 2, partial_rounds: 56, dropped: 0 },
    Parameters { width: 3, partial_rounds: 56, dropped: 0 },
    Parameters { width: 4, partial_rounds: 56, dropped: 4 },
    Parameters { width: 8, partial_rounds: 57, dropped: 30 },
    Parameters { width: 12, partial_rounds: 57, dropped: 6 },
    Parameters { width: 16, partial_rounds: 57, dropped: 6 },
];

/// Over BLS12-381's scalar field: zkhash, jellyfish (t = 2, 3).
pub(crate) const BLS12_381: [Parameters; 3] = [
    Parameters { width: 2, partial_rounds: 56, dropped: 0 },
    Parameters { width: 3, partial_rounds: 56, dropped: 0 },
    Parameters { width: 4, partial_rounds: 56, dropped: 0 },
];

pub(crate) struct Poseidon2 {
    pub(crate) width: usize,
    /// Before the external rounds' S-boxes, the first four.
    pub(crate) initial: Vec<Vec<Element>>,
    /// Before the internal rounds' S-box, on lane 0.
    pub(crate) partial: Vec<Element>,
    /// The last four external rounds.
    pub(crate) terminal: Vec<Vec<Element>>,
    /// The internal matrix's diagonal, less 1: its other entries are all 1.
    pub(crate) diagonal: Vec<Element>,
}

impl Poseidon2 {
    pub(crate) fn derive(field: &Field, bits: u32, parameters: &Parameters) -> Self {
        let Parameters { width, partial_rounds, dropped } = *parameters;
        let mut grain = Grain::new(&Seed {
            bits,
            width: width as u32,
            full_rounds: FULL_ROUNDS as u32,
            partial_rounds: partial_rounds as u32,
        });
        let mut row = |len| -> Vec<Element> { (0..len).map(|_| grain.constant(field)).collect() };
        let initial = (0..FULL_ROUNDS / 2).map(|_| row(width)).collect();
        let partial = row(partial_rounds);
        let terminal = (0..FULL_ROUNDS / 2).map(|_| row(width)).collect();
        let diagonal = match width {
            2 => [1, 2].map(|d| field.element([d, 0, 0, 0])).to_vec(),
            3 => [1, 1, 2].map(|d| field.element([d, 0, 0, 0])).to_vec(),
            _ => {
                for _ in 0..dropped * width {
                    grain.reduced(field);
                }
                (0..width).map(|_| field.sub(grain.reduced(field), field.one)).collect()
            }
        };
        Poseidon2 { width, initial, partial, terminal, diagonal }
    }
    /// As rounds with matrices that are written out, for the recurrence; the permutation's first matrix comes before them.
    pub(crate) fn instance(&self, field: &Field) -> Instance {
        let t = self.width;
        let small = |integer: u64| field.element([integer, 0, 0, 0]);
        let external = |i: usize, j: usize| {
            const FOUR: [[u64; 4]; 4] = [[5, 7, 1, 3], [4, 6, 1, 1], [1, 3, 5, 7], [1, 1, 4, 6]];
            match t {
                ..4 => 1 + u64::from(i == j),
                4 => FOUR[i][j],
                _ => FOUR[i % 4][j % 4] * (1 + u64::from(i / 4 == j / 4)),
            }
        };
        let internal = |i, j| if i == j { field.add(self.diagonal[i], field.one) } else { field.one };
        let partial = self.partial.iter().map(|&constant| {
            let mut row = vec![[0; 4]; t];
            row[0] = constant;
            row
        });
        Instance {
            width: t,
            partial_rounds: self.partial.len(),
            round_constants: self.initial.iter().cloned().chain(partial).chain(self.terminal.iter().cloned()).collect(),
            mds: (0..t).map(|i| (0..t).map(|j| small(external(i, j))).collect()).collect(),
            partial_mds: (0..t).map(|i| (0..t).map(|j| internal(i, j)).collect()).collect(),
        }
    }
}
