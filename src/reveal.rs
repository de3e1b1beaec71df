//! The one point at which something computed from inputs is made public: whether bytes were below the modulus.

/// `const fn`s, except in the constant-time test's build, where [`reveal`] cannot be one.
macro_rules! const_fn {
    ($($(#[$attribute:meta])* $visibility:vis fn $name:ident($($arguments:tt)*) -> $result:ty $body:block)*) => {$(
        $(#[$attribute])*
        #[cfg(not(const_poseidon_valgrind))]
        $visibility const fn $name($($arguments)*) -> $result $body

        $(#[$attribute])*
        #[cfg(const_poseidon_valgrind)]
        $visibility fn $name($($arguments)*) -> $result $body
    )*};
}
pub(crate) use const_fn;

const_fn! {
    /// The same truth value, from here on public: the caller may branch on it.
    ///
    /// The constant-time test (`tests/constant-time`) builds the crate with `cfg(const_poseidon_valgrind)` and learns here
    /// that the value is no longer secret; in every other build this is nothing.
    #[inline(always)]
    pub(crate) fn reveal(verdict: bool) -> bool {
        #[cfg(const_poseidon_valgrind)]
        #[allow(unsafe_code, reason = "the test program defines this function, which reads and writes nothing")]
        {
            extern "C" {
                fn const_poseidon_reveal(verdict: *const bool);
            }
            // SAFETY: the pointer is valid for the call.
            unsafe { const_poseidon_reveal(&verdict) };
        }
        verdict
    }
}
