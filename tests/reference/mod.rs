//! The textbook algorithm on plain integers modulo p, with constants of its own: the oracle of every test.
//!
//! It shares nothing with `src` or `build.rs`, and is written to be read beside the papers, not to be fast. The constants are
//! compared with published ones in `suite/constants.rs`.

use num_bigint::BigUint;
use std::sync::OnceLock;

/// BN254's scalar field, from EIP-196 ("the order of the group").
pub fn modulus() -> &'static BigUint {
    static MODULUS: OnceLock<BigUint> = OnceLock::new();
    MODULUS.get_or_init(|| {
        "21888242871839275222246405745257275088548364400416034343698204186575808495617".parse().expect("digits")
    })
}

/// circomlib's `poseidon.circom`, N_ROUNDS_P, for t = 2..=17.
const PARTIAL_ROUNDS: [usize; 16] = [56, 57, 56, 60, 60, 63, 64, 63, 60, 66, 60, 65, 70, 60, 64, 68];
pub const FULL_ROUNDS: usize = 8;

/// One instance of Poseidon over BN254's scalar field.
pub struct Instance {
    pub partial_rounds: usize,
    pub round_constants: Vec<Vec<BigUint>>,
    pub mds: Vec<Vec<BigUint>>,
}

impl Instance {
    /// The instance of width t, derived at first use.
    pub fn of(t: usize) -> &'static Instance {
        static INSTANCES: [OnceLock<Instance>; 18] = [const { OnceLock::new() }; 18];
        INSTANCES[t].get_or_init(|| Instance::derive(t))
    }

    /// ePrint 2019/458, appendix E.
    fn derive(t: usize) -> Instance {
        let p = modulus();
        let partial_rounds = PARTIAL_ROUNDS[t - 2];
        let mut grain = Grain::new(254, t, FULL_ROUNDS, partial_rounds);
        let mut constant = || loop {
            let integer = grain.integer(254);
            if integer < *p {
                return integer;
            }
        };
        let round_constants = (0..FULL_ROUNDS + partial_rounds).map(|_| (0..t).map(|_| constant()).collect()).collect();
        let seeds: Vec<BigUint> = (0..2 * t).map(|_| grain.integer(254) % p).collect();
        let mds = (0..t)
            .map(|i| (0..t).map(|j| ((&seeds[i] + &seeds[t + j]) % p).modinv(p).expect("not zero")).collect())
            .collect();
        Instance { partial_rounds, round_constants, mds }
    }

    /// ePrint 2019/458, section 2: constants, S-boxes, mix.
    pub fn permute(&self, state: &[BigUint]) -> Vec<BigUint> {
        let p = modulus();
        let five = BigUint::from(5u32);
        let mut state = state.to_vec();
        for (round, constants) in self.round_constants.iter().enumerate() {
            let partial = round >= FULL_ROUNDS / 2 && round < FULL_ROUNDS / 2 + self.partial_rounds;
            let sums: Vec<BigUint> = state.iter().zip(constants).map(|(a, c)| (a + c) % p).collect();
            let boxed: Vec<BigUint> = sums
                .iter()
                .enumerate()
                .map(|(lane, a)| if lane == 0 || !partial { a.modpow(&five, p) } else { a.clone() })
                .collect();
            state =
                self.mds.iter().map(|row| row.iter().zip(&boxed).map(|(m, a)| m * a).sum::<BigUint>() % p).collect();
        }
        state
    }
}

/// One instance of Poseidon2 (ePrint 2023/323), by matrices that are written out.
pub struct Instance2 {
    pub modulus: BigUint,
    pub partial_rounds: usize,
    /// A row for each round; in internal rounds lanes from 1 on are 0.
    pub round_constants: Vec<Vec<BigUint>>,
    pub external: Vec<Vec<BigUint>>,
    pub internal: Vec<Vec<BigUint>>,
}

/// BLS12-381's scalar field, from the curve's specification (draft-irtf-cfrg-pairing-friendly-curves, 4.2.1).
pub const BLS12_381: &str = "52435875175126190479447740508185965837690552500527637822603658699938581184513";

impl Instance2 {
    /// HorizenLabs' `poseidon2_rust_params.sage`. Of the diagonals that it draws from t = 4 on it drops as many as are said here; that these are
    /// the right ones, known answers show.
    pub fn derive(field: &str, t: usize) -> Instance2 {
        let (modulus, bits): (BigUint, usize) = match field {
            "bn254_fr" => (modulus().clone(), 254),
            "bls12_381_fr" => (BLS12_381.parse().expect("digits"), 255),
            _ => panic!("{field}: no such field"),
        };
        let p = &modulus;
        let partial_rounds = if t < 8 { 56 } else { 57 };
        let mut grain = Grain::new(bits, t, FULL_ROUNDS, partial_rounds);
        let mut constant = || loop {
            let integer = grain.integer(bits);
            if integer < *p {
                return integer;
            }
        };
        let zero = BigUint::from(0u32);
        let round_constants = (0..FULL_ROUNDS + partial_rounds)
            .map(|round| {
                let partial = round >= FULL_ROUNDS / 2 && round < FULL_ROUNDS / 2 + partial_rounds;
                (0..t).map(|lane| if lane == 0 || !partial { constant() } else { zero.clone() }).collect()
            })
            .collect();

        let small = |entries: &[&[u32]]| -> Vec<Vec<BigUint>> {
            entries.iter().map(|row| row.iter().map(|&entry| entry.into()).collect()).collect()
        };
        let (external, internal) = match t {
            2 => (small(&[&[2, 1], &[1, 2]]), small(&[&[2, 1], &[1, 3]])),
            3 => (small(&[&[2, 1, 1], &[1, 2, 1], &[1, 1, 2]]), small(&[&[2, 1, 1], &[1, 2, 1], &[1, 1, 3]])),
            _ => {
                let four: [[u32; 4]; 4] = [[5, 7, 1, 3], [4, 6, 1, 1], [1, 3, 5, 7], [1, 1, 4, 6]];
                let entry = |i: usize, j: usize| {
                    let twice = if t > 4 && i / 4 == j / 4 { 2 } else { 1 };
                    BigUint::from(twice * four[i % 4][j % 4])
                };
                let external = (0..t).map(|i| (0..t).map(|j| entry(i, j)).collect()).collect();
                let dropped = match (field, t) {
                    ("bn254_fr", 4) => 4,
                    ("bn254_fr", 8) => 30,
                    ("bn254_fr", _) => 6,
                    _ => 0,
                };
                for _ in 0..dropped * t {
                    grain.integer(bits);
                }
                let diagonal: Vec<BigUint> = (0..t).map(|_| grain.integer(bits) % p).collect();
                let one = BigUint::from(1u32);
                let internal =
                    (0..t).map(|i| (0..t).map(|j| if i == j { &diagonal[i] } else { &one }.clone()).collect());
                (external, internal.collect())
            }
        };
        Instance2 { modulus, partial_rounds, round_constants, external, internal }
    }

    /// Section 5: M_E; then rounds of constants, S-boxes, and M_E or M_I.
    pub fn permute(&self, state: &[BigUint]) -> Vec<BigUint> {
        let p = &self.modulus;
        let five = BigUint::from(5u32);
        let times = |matrix: &[Vec<BigUint>], state: &[BigUint]| -> Vec<BigUint> {
            matrix.iter().map(|row| row.iter().zip(state).map(|(m, a)| m * a).sum::<BigUint>() % p).collect()
        };
        let mut state = times(&self.external, state);
        for (round, constants) in self.round_constants.iter().enumerate() {
            let partial = round >= FULL_ROUNDS / 2 && round < FULL_ROUNDS / 2 + self.partial_rounds;
            for (lane, (a, c)) in state.iter_mut().zip(constants).enumerate() {
                *a = (&*a + c) % p;
                if lane == 0 || !partial {
                    *a = a.modpow(&five, p);
                }
            }
            state = times(if partial { &self.internal } else { &self.external }, &state);
        }
        state
    }
}

/// The 80-bit LFSR, one bit at a time.
struct Grain {
    register: Vec<bool>,
}

impl Grain {
    fn new(n: usize, t: usize, full_rounds: usize, partial_rounds: usize) -> Grain {
        // field (2 bits), S-box (4), n (12), t (12), R_F (10), R_P (10), thirty ones.
        let seed = format!("01{:04b}{n:012b}{t:012b}{full_rounds:010b}{partial_rounds:010b}{}", 0, "1".repeat(30));
        let mut grain = Grain { register: seed.chars().map(|bit| bit == '1').collect() };
        for _ in 0..160 {
            grain.bit();
        }
        grain
    }

    fn bit(&mut self) -> bool {
        let bit = [62, 51, 38, 23, 13, 0].iter().fold(false, |sum, &tap| sum ^ self.register[tap]);
        self.register.rotate_left(1);
        self.register[79] = bit;
        bit
    }

    fn shrunk_bit(&mut self) -> bool {
        loop {
            let (keep, bit) = (self.bit(), self.bit());
            if keep {
                return bit;
            }
        }
    }

    fn integer(&mut self, bits: usize) -> BigUint {
        let digits: Vec<u8> = (0..bits).map(|_| u8::from(self.shrunk_bit())).collect();
        BigUint::from_radix_be(&digits, 2).expect("bits")
    }
}
