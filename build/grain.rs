//! The Grain LFSR in self-shrinking mode, from which the Poseidon paper (ePrint 2019/458, appendix E; IAIK's hadeshash
//! scripts) draws round constants and MDS seeds.

use crate::field::{Element, Field};

/// What seeds the generator: one instance of the hash.
pub(crate) struct Seed {
    /// Bits of the modulus, n.
    pub(crate) bits: u32,
    /// Width t.
    pub(crate) width: u32,
    pub(crate) full_rounds: u32,
    pub(crate) partial_rounds: u32,
}

pub(crate) struct Grain {
    /// The 80-bit register, oldest bit lowest.
    register: u128,
    /// Bits that were drawn and not yet read, oldest lowest.
    drawn: u64,
    drawn_len: u32,
    bits: u32,
}

impl Grain {
    pub(crate) fn new(seed: &Seed) -> Self {
        let mut register = 0u128;
        let mut len = 0;
        // Each entry goes in with its most significant bit first.
        let mut push = |value: u32, bits: u32| {
            for bit in (0..bits).rev() {
                register |= u128::from(value >> bit & 1) << len;
                len += 1;
            }
        };
        push(1, 2); // a prime field
        push(0, 4); // the S-box x^alpha
        push(seed.bits, 12);
        push(seed.width, 12);
        push(seed.full_rounds, 10);
        push(seed.partial_rounds, 10);
        push((1 << 30) - 1, 30);
        assert_eq!(len, 80);
        let mut grain = Grain { register, drawn: 0, drawn_len: 0, bits: seed.bits };
        for _ in 0..10 {
            grain.step(); // the first 160 bits are discarded
        }
        grain
    }

    /// The next 16 bits of the register's sequence, oldest lowest. The newest tap is 18 bits from the end, so that
    /// 16 bits depend on none of each other.
    fn step(&mut self) -> u16 {
        let s = self.register;
        let new = (s >> 62 ^ s >> 51 ^ s >> 38 ^ s >> 23 ^ s >> 13 ^ s) as u16;
        self.register = s >> 16 | u128::from(new) << 64;
        new
    }

    /// Self-shrinking: of each pair of bits, the second is drawn if the first is 1.
    fn draw_more(&mut self) {
        let bits = self.step();
        for pair in 0..8 {
            let pair = bits >> (2 * pair) & 3;
            if pair & 1 == 1 {
                self.drawn |= u64::from(pair >> 1) << self.drawn_len;
                self.drawn_len += 1;
            }
        }
    }

    /// The next n-bit integer, most significant bit first.
    fn integer(&mut self) -> [u64; 4] {
        let mut integer = [0u64; 4];
        for bit in (0..self.bits as usize).rev() {
            while self.drawn_len == 0 {
                self.draw_more();
            }
            integer[bit / 64] |= (self.drawn & 1) << (bit % 64);
            self.drawn >>= 1;
            self.drawn_len -= 1;
        }
        integer
    }

    /// The next element for a round constant: integers that are not below the modulus are skipped.
    pub(crate) fn constant(&mut self, field: &Field) -> Element {
        loop {
            let integer = self.integer();
            if field.contains(integer) {
                return field.element(integer);
            }
        }
    }

    /// The next element for an MDS seed: the integer is reduced.
    pub(crate) fn reduced(&mut self, field: &Field) -> Element {
        let integer = self.integer();
        field.element(integer)
    }
}
