//! What the compiler calls to fill and copy: the virtual machine's system calls.
//!
//! Nothing else defines these symbols in such a program: core leaves them to the platform.

extern "C" {
    fn sol_memcpy_(to: *mut u8, from: *const u8, length: u64);
    fn sol_memset_(to: *mut u8, byte: u8, length: u64);
}

/// # Safety
/// As C's.
#[no_mangle]
pub unsafe extern "C" fn memcpy(to: *mut u8, from: *const u8, length: usize) -> *mut u8 {
    sol_memcpy_(to, from, length as u64);
    to
}

/// # Safety
/// As C's.
#[no_mangle]
pub unsafe extern "C" fn memset(to: *mut u8, byte: i32, length: usize) -> *mut u8 {
    sol_memset_(to, byte as u8, length as u64);
    to
}

/// What programs with more in them call too.
#[cfg(not(feature = "two-inputs"))]
mod more {
    extern "C" {
        fn sol_memmove_(to: *mut u8, from: *const u8, length: u64);
        fn sol_memcmp_(a: *const u8, b: *const u8, length: u64, result: *mut i32);
    }

    /// # Safety
    /// As C's.
    #[no_mangle]
    pub unsafe extern "C" fn memmove(to: *mut u8, from: *const u8, length: usize) -> *mut u8 {
        sol_memmove_(to, from, length as u64);
        to
    }

    /// # Safety
    /// As C's.
    #[no_mangle]
    pub unsafe extern "C" fn memcmp(a: *const u8, b: *const u8, length: usize) -> i32 {
        let mut result = 0;
        sol_memcmp_(a, b, length as u64, &mut result);
        result
    }

    /// # Safety
    /// As C's.
    #[no_mangle]
    pub unsafe extern "C" fn bcmp(a: *const u8, b: *const u8, length: usize) -> i32 {
        memcmp(a, b, length)
    }
}
