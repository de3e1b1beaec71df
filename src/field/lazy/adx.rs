//! x86-64 with BMI2 and ADX: mulx leaves the flags alone, and adcx and adox carry in two chains side by side.
//!
//! A Zen 4 core issues one mulx a cycle and spreads the other instructions over four units, so that an operation costs about
//! (multiplications) + (additions) / 4 cycles: a product and its two additions 1.5, whatever their order.
//!
//! Reduction takes words 0 and 1 away with 2^-128 and 2^-64 modulo p, side by side and without a multiplication by -1/p to wait for,
//! and the last word as the textbook does. Word 2 goes either way: the textbook's leaves a smaller result, 2^-64 waits for less.
//!
//! ```text
//! V = T / 2^128 + t0 * (2^-128 mod p) + t1 * (2^-64 mod p)  <  T / 2^128 + 2^65 p
//! W = (V + q p) / 2^64                                      <  V / 2^64 + p           or
//! W = V / 2^64 + v0 * (2^-64 mod p)                         <  V / 2^64 + 2^64 (2^-64 mod p)
//! result = (W + q p) / 2^64                                 <  T / 2^256 + p + 2^-63 p,    or that and 2^-64 mod p
//! ```
#![allow(unsafe_code, reason = "inline assembly")]

use super::{Lazy, Limbs, Wide};
use crate::field::limbs::Constants;
use crate::field::modulus::sealed::Modulus;
use core::arch::asm;

/// To be used only where the processor has BMI2 and ADX.
#[derive(Clone, Copy)]
pub(crate) struct Adx;

/// What `reduce` multiplies by: 2^-128 mod p, 2^-64 mod p, p, and -1/p mod 2^64.
struct Table<M>(M);

impl<M: Modulus> Table<M> {
    const WORDS: [u64; 13] = {
        let a = Constants::<M>::INVERSE_2_128;
        let b = Constants::<M>::INVERSE_2_64;
        let p = M::P;
        [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3], p[0], p[1], p[2], p[3], Constants::<M>::INVERSE]
    };
}

/// rdx times the word at `[pointer + offset]`: its low word added to one register in the one carry chain, its high word to another
/// in the other chain.
macro_rules! term {
    ($pointer:literal $offset:literal => $low:literal $high:literal) => {
        concat!(
            concat!("mulx {hi}, {lo}, [{", $pointer, "} + ", $offset, "]\n"),
            concat!("adcx {", $low, "}, {lo}\n adox {", $high, "}, {hi}\n"),
        )
    };
}

/// A row: rdx times the four words at the offsets, added to five registers; both carry chains stay open. With `new` the
/// fifth register is not added to but takes the top word, and the carries with it.
macro_rules! row {
    ($p:literal + $o0:literal $o1:literal $o2:literal $o3:literal => $a:literal $b:literal $c:literal $d:literal $e:literal) => {
        concat!(
            "xor {lo:e}, {lo:e}\n",
            term!($p $o0 => $a $b),
            term!($p $o1 => $b $c),
            term!($p $o2 => $c $d),
            term!($p $o3 => $d $e),
        )
    };
    ($p:literal => $a:literal $b:literal $c:literal $d:literal new $e:literal) => {
        concat!(
            "xor {lo:e}, {lo:e}\n",
            term!($p 0 => $a $b),
            term!($p 8 => $b $c),
            term!($p 16 => $c $d),
            concat!("mulx {", $e, "}, {lo}, [{", $p, "} + 24]\n adcx {", $d, "}, {lo}\n mov {lo:e}, 0\n"),
            concat!("adox {", $e, "}, {lo}\n adcx {", $e, "}, {lo}\n"),
        )
    };
}

/// Words 0 and 1 of a sum, out of it.
macro_rules! reduce_two_words {
    () => {
        concat!(
            "mov rdx, {t0}\n",
            row!("k" + 0 8 16 24 => "t2" "t3" "t4" "t5" "t6"),
            "mov {t0:e}, 0\n adcx {t6}, {t0}\n adox {t7}, {t0}\n adcx {t7}, {t0}\n",
            "mov rdx, {t1}\n",
            row!("k" + 32 40 48 56 => "t2" "t3" "t4" "t5" "t6"),
            "adcx {t6}, {t0}\n adox {t7}, {t0}\n adcx {t7}, {t0}\n",
        )
    };
}

/// Word 3, by the textbook.
macro_rules! reduce_last_word {
    () => {
        concat!(
            "mov rdx, {t3}\n imul rdx, [{k} + 96]\n",
            row!("k" + 64 72 80 88 => "t3" "t4" "t5" "t6" "t7"),
            "adc {t7}, 0\n",
        )
    };
}

/// The whole reduction, with what takes word 2 away.
macro_rules! reduce {
    ($modulus:ident, $sum:expr, $word_2:expr) => {{
        let [t0, t1, t2, t3, mut t4, mut t5, mut t6, mut t7] = *$sum;
        // SAFETY: reads the table alone; the caller chose this back end, so the processor has the instructions.
        unsafe {
            asm!(
                reduce_two_words!(),
                $word_2,
                reduce_last_word!(),
                t0 = inout(reg) t0 => _, t1 = inout(reg) t1 => _, t2 = inout(reg) t2 => _, t3 = inout(reg) t3 => _,
                t4 = inout(reg) t4, t5 = inout(reg) t5, t6 = inout(reg) t6, t7 = inout(reg) t7,
                k = in(reg) const { &Table::<$modulus>::WORDS }.as_ptr(),
                lo = out(reg) _, hi = out(reg) _, out("rdx") _,
                options(pure, readonly, nostack),
            );
        }
        [t4, t5, t6, t7]
    }};
}

impl<M: Modulus> Lazy<M> for Adx {
    #[inline(always)]
    fn mul(a: &Limbs, b: &Limbs) -> Wide {
        let [mut a0, mut a1, mut a2, mut a3] = *a;
        let (r1, r2, r3, r4): (u64, u64, u64, u64);
        // SAFETY: reads b alone; the caller chose this back end, so the processor has the instructions.
        unsafe {
            asm!(
                "mov rdx, {a0}",
                "mulx {r1}, {a0}, [{b}]",
                "mulx {r2}, {lo}, [{b} + 8]", "add {r1}, {lo}",
                "mulx {r3}, {lo}, [{b} + 16]", "adc {r2}, {lo}",
                "mulx {r4}, {lo}, [{b} + 24]", "adc {r3}, {lo}", "adc {r4}, 0",
                // A limb's register takes the top word of the limb's row.
                "mov rdx, {a1}", row!("b" => "r1" "r2" "r3" "r4" new "a1"),
                "mov rdx, {a2}", row!("b" => "r2" "r3" "r4" "a1" new "a2"),
                "mov rdx, {a3}", row!("b" => "r3" "r4" "a1" "a2" new "a3"),
                a0 = inout(reg) a0, a1 = inout(reg) a1, a2 = inout(reg) a2, a3 = inout(reg) a3,
                b = in(reg) b.as_ptr(),
                r1 = out(reg) r1, r2 = out(reg) r2, r3 = out(reg) r3, r4 = out(reg) r4,
                lo = out(reg) _, hi = out(reg) _, out("rdx") _,
                options(pure, readonly, nostack),
            );
        }
        [a0, r1, r2, r3, r4, a1, a2, a3]
    }

    #[inline(always)]
    fn square(a: &Limbs) -> Wide {
        let [mut a0, mut a1, a2, a3] = *a;
        let (r1, r2, r3, r4, r5, r6): (u64, u64, u64, u64, u64, u64);
        // SAFETY: registers alone; the caller chose this back end, so the processor has the instructions.
        unsafe {
            asm!(
                // the products of different limbs
                "mov rdx, {a0}",
                "mulx {r2}, {r1}, {a1}",
                "mulx {r3}, {lo}, {a2}", "add {r2}, {lo}",
                "mulx {r4}, {lo}, {a3}", "adc {r3}, {lo}", "adc {r4}, 0",
                "mov rdx, {a1}", "xor {r5:e}, {r5:e}",
                "mulx {hi}, {lo}, {a2}", "adcx {r3}, {lo}", "adox {r4}, {hi}",
                "mulx {hi}, {lo}, {a3}", "adcx {r4}, {lo}", "adox {r5}, {hi}",
                "mov rdx, {a2}",
                "mulx {r6}, {lo}, {a3}", "adcx {r5}, {lo}", "mov {lo:e}, 0", "adox {r6}, {lo}", "adcx {r6}, {lo}",
                // doubled in one chain, plus the squares in the other
                "xor {hi:e}, {hi:e}",
                "mov rdx, {a0}", "mulx {hi}, {a0}, rdx",
                "adcx {r1}, {r1}", "adox {r1}, {hi}",
                "mov rdx, {a1}", "mulx {hi}, {lo}, rdx",
                "adcx {r2}, {r2}", "adox {r2}, {lo}",
                "adcx {r3}, {r3}", "adox {r3}, {hi}",
                "mov rdx, {a2}", "mulx {hi}, {lo}, rdx",
                "adcx {r4}, {r4}", "adox {r4}, {lo}",
                "adcx {r5}, {r5}", "adox {r5}, {hi}",
                "mov rdx, {a3}", "mulx {a1}, {lo}, rdx",
                "adcx {r6}, {r6}", "adox {r6}, {lo}",
                "mov {lo:e}, 0", "adcx {a1}, {lo}", "adox {a1}, {lo}",
                a0 = inout(reg) a0, a1 = inout(reg) a1, a2 = in(reg) a2, a3 = in(reg) a3,
                r1 = out(reg) r1, r2 = out(reg) r2, r3 = out(reg) r3, r4 = out(reg) r4, r5 = out(reg) r5, r6 = out(reg) r6,
                lo = out(reg) _, hi = out(reg) _, out("rdx") _,
                options(pure, nomem, nostack),
            );
        }
        [a0, r1, r2, r3, r4, r5, r6, a1]
    }

    #[inline(always)]
    fn add_product(sum: &mut Wide, a: &Limbs, b: &Limbs) {
        let [mut r0, mut r1, mut r2, mut r3, mut r4, mut r5, mut r6, mut r7] = *sum;
        // SAFETY: reads a and b alone; the caller chose this back end, so the processor has the instructions.
        unsafe {
            asm!(
                // After each row its two carries run to the top.
                "mov rdx, [{a}]", row!("b" + 0 8 16 24 => "r0" "r1" "r2" "r3" "r4"),
                "mov rdx, [{a} + 8]", "mov {lo:e}, 0",
                "adcx {r4}, {lo}", "adox {r5}, {lo}", "adcx {r5}, {lo}", "adox {r6}, {lo}",
                "adcx {r6}, {lo}", "adox {r7}, {lo}", "adcx {r7}, {lo}",
                row!("b" + 0 8 16 24 => "r1" "r2" "r3" "r4" "r5"),
                "mov rdx, [{a} + 16]", "mov {lo:e}, 0",
                "adcx {r5}, {lo}", "adox {r6}, {lo}", "adcx {r6}, {lo}", "adox {r7}, {lo}", "adcx {r7}, {lo}",
                row!("b" + 0 8 16 24 => "r2" "r3" "r4" "r5" "r6"),
                "mov rdx, [{a} + 24]", "mov {lo:e}, 0",
                "adcx {r6}, {lo}", "adox {r7}, {lo}", "adcx {r7}, {lo}",
                row!("b" + 0 8 16 24 => "r3" "r4" "r5" "r6" "r7"),
                "adc {r7}, 0",
                a = in(reg) a.as_ptr(), b = in(reg) b.as_ptr(),
                r0 = inout(reg) r0, r1 = inout(reg) r1, r2 = inout(reg) r2, r3 = inout(reg) r3,
                r4 = inout(reg) r4, r5 = inout(reg) r5, r6 = inout(reg) r6, r7 = inout(reg) r7,
                lo = out(reg) _, hi = out(reg) _, out("rdx") _,
                options(pure, readonly, nostack),
            );
        }
        *sum = [r0, r1, r2, r3, r4, r5, r6, r7];
    }

    #[inline(always)]
    fn reduce(sum: &Wide) -> Limbs {
        debug_assert!(super::reduces::<M>(sum, false), "a sum above its bound");
        reduce!(
            M,
            sum,
            concat!(
                "mov rdx, {t2}\n imul rdx, [{k} + 96]\n",
                row!("k" + 64 72 80 88 => "t2" "t3" "t4" "t5" "t6"),
                "adcx {t6}, {t0}\n adox {t7}, {t0}\n adcx {t7}, {t0}\n",
            )
        )
    }

    #[inline(always)]
    fn reduce_sooner(sum: &Wide) -> Limbs {
        debug_assert!(super::reduces::<M>(sum, true), "a sum above its bound");
        reduce!(
            M,
            sum,
            concat!("mov rdx, {t2}\n", row!("k" + 32 40 48 56 => "t3" "t4" "t5" "t6" "t7"), "adc {t7}, 0\n",)
        )
    }

    #[inline(always)]
    fn subtract_unless_below(value: Limbs, multiple: &Limbs) -> Limbs {
        let [v0, v1, v2, v3] = value;
        let [mut d0, mut d1, mut d2, mut d3] = value;
        // SAFETY: reads the multiple alone.
        unsafe {
            asm!(
                "sub {d0}, [{m}]", "sbb {d1}, [{m} + 8]", "sbb {d2}, [{m} + 16]", "sbb {d3}, [{m} + 24]",
                "cmovc {d0}, {v0}", "cmovc {d1}, {v1}", "cmovc {d2}, {v2}", "cmovc {d3}, {v3}",
                m = in(reg) multiple.as_ptr(),
                d0 = inout(reg) d0, d1 = inout(reg) d1, d2 = inout(reg) d2, d3 = inout(reg) d3,
                v0 = in(reg) v0, v1 = in(reg) v1, v2 = in(reg) v2, v3 = in(reg) v3,
                options(pure, readonly, nostack),
            );
        }
        [d0, d1, d2, d3]
    }
}
