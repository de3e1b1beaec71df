//! Which back end this processor takes. build.rs says by cfg which of them are in the build: `const_poseidon_adx` and
//! `const_poseidon_ifma` beside the portable one, or `const_poseidon_narrow` in place of all.
//!
//! A build may force one with `RUSTFLAGS='--cfg const_poseidon_backend="name"'`: `"portable"` and `"narrow"` leave that alone in the build; `"adx"` and `"ifma"`
//! take that one without asking the processor (valgrind's cpuid hides ADX, which it executes); `"model"` is `"ifma"` with the
//! vectors in plain Rust, slot by slot, for tests where no processor has them.

/// Runs an expression with a type name bound to this processor's [`Arithmetic`](super::arithmetic::Arithmetic); the answer is the same on each.
macro_rules! on_backend {
    ($backend:ident => $expression:expr) => {{
        #[cfg(const_poseidon_adx)]
        if $crate::field::backend::has_adx() {
            type $backend = $crate::field::lazy::Adx;
            return $expression;
        }
        {
            #[cfg(not(const_poseidon_narrow))]
            type $backend = $crate::field::lazy::Portable;
            #[cfg(const_poseidon_narrow)]
            type $backend = $crate::field::limbs28::columns::Narrow;
            $expression
        }
    }};
}
pub(crate) use on_backend;

/// Whether the processor has BMI2 and ADX: asked once, then remembered.
#[cfg(const_poseidon_adx)]
pub(crate) fn has_adx() -> bool {
    cpufeatures::new!(bmi2_and_adx, "bmi2", "adx");
    cfg!(any(const_poseidon_backend = "adx", const_poseidon_backend = "ifma")) || bmi2_and_adx::get()
}

/// Whether the processor has AVX-512 IFMA, and BMI2 and ADX beside it: asked once, then remembered.
#[cfg(all(const_poseidon_ifma, not(const_poseidon_backend = "model")))]
pub(crate) fn has_ifma() -> bool {
    cpufeatures::new!(ifma, "avx512f", "avx512vl", "avx512ifma", "bmi2", "adx");
    cfg!(const_poseidon_backend = "ifma") || ifma::get()
}

/// The model is everywhere.
#[cfg(const_poseidon_backend = "model")]
pub(crate) fn has_ifma() -> bool {
    true
}

/// The back end that computes hashes on this processor: `"ifma"` (x86-64 with AVX-512 IFMA, if the crate was compiled by Rust 1.89 or newer),
/// `"adx"` (x86-64 with BMI2 and ADX), `"narrow"` (28-bit limbs, where the target multiplies to 64 bits at the most) or `"portable"`. For reports and benchmarks; other names may come.
///
/// A build may force one, with `RUSTFLAGS='--cfg const_poseidon_backend="portable"'` or another name; a forced one is an illegal
/// instruction on a processor that has it not.
#[must_use]
pub fn backend() -> &'static str {
    #[cfg(const_poseidon_ifma)]
    if has_ifma() {
        return if cfg!(const_poseidon_backend = "model") { "model" } else { "ifma" };
    }
    #[cfg(const_poseidon_adx)]
    if has_adx() {
        return "adx";
    }
    if cfg!(const_poseidon_narrow) {
        "narrow"
    } else {
        "portable"
    }
}
