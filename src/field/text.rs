//! Elements as text. Not constant-time: text is for people.

use super::words::Words;
use super::{limbs, Element, Modulus};
use core::fmt;
use core::str::FromStr;

/// Digits of the largest element, and the most that are read: decimal, for 255-bit primes.
const DECIMAL_DIGITS: usize = 77;
/// Hexadecimal digits of 32 bytes, and the most that are read.
const HEX_DIGITS: usize = 64;

/// Why a text is not a field element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ParseError {
    /// There is no digit.
    Empty,
    /// There are more digits than any element has: leading zeros count.
    TooLong {
        /// How many bytes were given where digits belong.
        given: usize,
        /// How many are read at most: 77 decimal or 64 hexadecimal ones.
        most: usize,
    },
    /// A character is not a digit. A sign, a space and an underscore are none.
    Digit {
        /// Which byte of the text, counted from 0.
        position: usize,
    },
    /// The integer is not below the modulus.
    NotBelowModulus,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("no digits"),
            Self::TooLong { given, most } => write!(f, "{given} bytes of digits, at most {most} are read"),
            Self::Digit { position } => write!(f, "byte {position} is not a digit (hexadecimal begins with 0x)"),
            Self::NotBelowModulus => f.write_str("the integer is not below the field's modulus"),
        }
    }
}

impl core::error::Error for ParseError {}

/// Reads 1 to 77 decimal digits, or `0x` and 1 to 64 hexadecimal digits of either case, of an integer below p.
///
/// The time is linear in the length of the text, and a text that is too long is refused before it is read.
impl<M: Modulus> FromStr for Element<M> {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (digits, offset, radix, most) = match text.strip_prefix("0x") {
            Some(digits) => (digits, 2, 16, HEX_DIGITS),
            None => (text, 0, 10, DECIMAL_DIGITS),
        };
        if digits.is_empty() {
            return Err(ParseError::Empty);
        }
        if digits.len() > most {
            return Err(ParseError::TooLong { given: digits.len(), most });
        }
        // 10^77 and 16^64 are at most 2^256, so the integer fits the words.
        let mut words = [0; 4];
        for (position, byte) in digits.bytes().enumerate() {
            let digit = char::from(byte).to_digit(radix).ok_or(ParseError::Digit { position: offset + position })?;
            push_digit(&mut words, radix, digit);
        }
        match Self::reduce(words) {
            (element, true) => Ok(element),
            _ => Err(ParseError::NotBelowModulus),
        }
    }
}

/// words = words * radix + digit.
#[allow(clippy::cast_possible_truncation, reason = "the two halves are what is wanted")]
fn push_digit(words: &mut Words, radix: u32, digit: u32) {
    let mut carry = u128::from(digit);
    for word in words {
        carry += u128::from(*word) * u128::from(radix);
        *word = carry as u64;
        carry >>= 64;
    }
    debug_assert!(carry == 0);
}

/// words = words / 10; the remainder.
#[allow(clippy::cast_possible_truncation, reason = "a quotient of a two-word value with a high word below 10, by 10")]
fn pop_digit(words: &mut Words) -> u8 {
    let mut remainder = 0;
    for word in words.iter_mut().rev() {
        let value = remainder << 64 | u128::from(*word);
        *word = (value / 10) as u64;
        remainder = value % 10;
    }
    remainder as u8
}

/// Decimal, as circom prints.
impl<M: Modulus> fmt::Display for Element<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = limbs::to_words::<M>(self.0);
        let mut digits = [b'0'; DECIMAL_DIGITS];
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + pop_digit(&mut words);
        }
        debug_assert!(words == [0; 4]);
        let text = core::str::from_utf8(&digits).map_err(|_| fmt::Error)?.trim_start_matches('0');
        f.pad_integral(true, "", if text.is_empty() { "0" } else { text })
    }
}

/// `0x` and 64 hexadecimal digits, most significant first.
impl<M: Modulus> fmt::Debug for Element<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d] = limbs::to_words::<M>(self.0);
        write!(f, "0x{d:016x}{c:016x}{b:016x}{a:016x}")
    }
}
