//! 256-bit integers as 64-bit words, and sums modulo p of those below it: what every representation builds on.

use super::modulus::sealed::Modulus;

/// Least significant word first.
pub(crate) type Words = [u64; 4];

pub(crate) const fn from_le_bytes(bytes: &[u8; 32]) -> Words {
    [word(bytes, 0), word(bytes, 8), word(bytes, 16), word(bytes, 24)]
}

pub(crate) const fn from_be_bytes(bytes: &[u8; 32]) -> Words {
    let [a, b, c, d] = from_le_bytes(bytes);
    [d.swap_bytes(), c.swap_bytes(), b.swap_bytes(), a.swap_bytes()]
}

pub(crate) const fn to_le_bytes([a, b, c, d]: Words) -> [u8; 32] {
    let mut bytes = [0; 32];
    put(&mut bytes, 0, a);
    put(&mut bytes, 8, b);
    put(&mut bytes, 16, c);
    put(&mut bytes, 24, d);
    bytes
}

pub(crate) const fn to_be_bytes([a, b, c, d]: Words) -> [u8; 32] {
    to_le_bytes([d.swap_bytes(), c.swap_bytes(), b.swap_bytes(), a.swap_bytes()])
}

/// Eight bytes from one on, which is 24 at the most: written out, since a loop stays one where a word is not loaded at once, and on BPF
/// that is 22 instructions.
#[cfg_attr(const_poseidon_bpf, inline(never))]
#[cfg_attr(not(const_poseidon_bpf), inline(always))]
const fn word(bytes: &[u8; 32], at: usize) -> u64 {
    u64::from_le_bytes([
        bytes[at],
        bytes[at + 1],
        bytes[at + 2],
        bytes[at + 3],
        bytes[at + 4],
        bytes[at + 5],
        bytes[at + 6],
        bytes[at + 7],
    ])
}

/// The inverse of [`word`].
#[inline(always)]
const fn put(bytes: &mut [u8; 32], at: usize, word: u64) {
    let [a, b, c, d, e, f, g, h] = word.to_le_bytes();
    bytes[at] = a;
    bytes[at + 1] = b;
    bytes[at + 2] = c;
    bytes[at + 3] = d;
    bytes[at + 4] = e;
    bytes[at + 5] = f;
    bytes[at + 6] = g;
    bytes[at + 7] = h;
}

/// p's most significant byte.
#[cfg(const_poseidon_syscall)]
pub(crate) const fn top_byte_of_modulus<M: Modulus>() -> u8 {
    (M::P[3] >> 56) as u8
}

/// Whether an integer is below p, in constant time.
pub(crate) const fn is_below_modulus<M: Modulus>(words: Words) -> bool {
    sub_words(words, M::P).1 == 1
}

/// a + b mod p, of values below p.
pub(crate) const fn add_mod<M: Modulus>(a: Words, b: Words) -> Words {
    let (sum, carry) = add_words(a, b);
    debug_assert!(carry == 0); // a + b < 2p < 2^256
    below_modulus::<M>(sum)
}

/// A value below 2p, brought below p.
pub(crate) const fn below_modulus<M: Modulus>(value: Words) -> Words {
    let canonical = add_if_negative(sub_words(value, M::P).0, M::P);
    debug_assert!(is_below_modulus::<M>(canonical));
    canonical
}

/// A difference in (-p, p) modulo 2^256, and p if it is negative, which its top bit tells since p is below 2^255.
///
/// The mask comes from that bit and not from the subtraction's borrow: LLVM takes a mask made of a borrow for a choice
/// between p and 0 and may make a branch of it (rustc 1.95 did, of this and of a choice between two values).
pub(crate) const fn add_if_negative(difference: Words, p: Words) -> Words {
    #[allow(clippy::cast_possible_wrap, clippy::cast_sign_loss, reason = "the shift copies the top bit")]
    let mask = (difference[3] as i64 >> 63) as u64;
    add_words(difference, masked(p, mask)).0
}

/// 1, doubled modulo p.
pub(crate) const fn doubled<M: Modulus>(times: u32) -> Words {
    assert!(M::P[3] >> 63 == 0);
    let mut power = [1, 0, 0, 0];
    let mut doubling = 0;
    while doubling < times {
        power = add_mod::<M>(power, power);
        doubling += 1;
    }
    power
}

/// 1, halved modulo p: p is added where the value is odd.
#[cfg(not(const_poseidon_narrow))]
pub(crate) const fn halved<M: Modulus>(times: u32) -> Words {
    let mut value = [1, 0, 0, 0];
    let mut step = 0;
    while step < times {
        let (even, _) = add_words(value, masked(M::P, (value[0] & 1).wrapping_neg()));
        value =
            [even[0] >> 1 | even[1] << 63, even[1] >> 1 | even[2] << 63, even[2] >> 1 | even[3] << 63, even[3] >> 1];
        step += 1;
    }
    value
}

/// The words where the mask is all ones, zero where it is zero.
pub(crate) const fn masked(words: Words, mask: u64) -> Words {
    [words[0] & mask, words[1] & mask, words[2] & mask, words[3] & mask]
}

/// words * 2^bits, for 0 to 63 bits, modulo 2^256.
#[cfg(not(const_poseidon_narrow))]
pub(crate) const fn shifted(words: Words, bits: u32) -> Words {
    let [a, b, c, d] = words;
    [a << bits, b << bits | a >> 1 >> (63 - bits), c << bits | b >> 1 >> (63 - bits), d << bits | c >> 1 >> (63 - bits)]
}

/// a + b modulo 2^256, and the carry.
#[allow(clippy::cast_possible_truncation, reason = "the two halves are what is wanted")]
pub(crate) const fn add_words(a: Words, b: Words) -> (Words, u64) {
    let mut sum = [0; 4];
    let mut carry = 0;
    let mut i = 0;
    while i < 4 {
        let word = a[i] as u128 + b[i] as u128 + carry as u128;
        sum[i] = word as u64;
        carry = (word >> 64) as u64;
        i += 1;
    }
    (sum, carry)
}

/// a - b modulo 2^256, and the borrow.
pub(crate) const fn sub_words(a: Words, b: Words) -> (Words, u64) {
    let mut difference = [0; 4];
    let mut borrow = 0;
    let mut i = 0;
    while i < 4 {
        let (word, under) = a[i].overflowing_sub(b[i]);
        let (word, under_again) = word.overflowing_sub(borrow);
        difference[i] = word;
        borrow = (under | under_again) as u64;
        i += 1;
    }
    (difference, borrow)
}
