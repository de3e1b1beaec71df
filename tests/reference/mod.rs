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
