//! RV32IMAC on QEMU's virt, in machine mode.

use core::arch::{asm, global_asm};

// The first instructions: a stack, a handler for exceptions, and on to `main`. There are no variables to copy or to clear. The handler's address
// has to be a multiple of 4.
global_asm!(
    ".section .start, \"ax\", @progbits",
    ".global _start",
    "_start:",
    "la sp, __stack_top",
    "la t0, 2f",
    "csrw mtvec, t0",
    "j main",
    ".balign 4",
    "2: j {fault}",
    fault = sym super::fault,
);

/// # Safety
/// The argument is what the operation asks for.
pub unsafe fn semihosting(operation: usize, argument: *const usize) {
    // SAFETY: the debugger takes a breakpoint between these two shifts, which do nothing, for the call, and changes a0 alone. It looks for
    // uncompressed instructions, and in one page.
    unsafe {
        asm!(
            ".option push",
            ".option norvc",
            ".balign 16",
            "slli x0, x0, 0x1f",
            "ebreak",
            "srai x0, x0, 7",
            ".option pop",
            inout("a0") operation => _, in("a1") argument, options(nostack),
        );
    }
}

/// The lower half of the number of instructions that were executed.
pub const CLOCK_MASK: u32 = u32::MAX;

/// It always runs.
pub fn start_clock() {}

pub fn clock() -> u32 {
    let count;
    // SAFETY: it reads a counter. Memory is said to change, so that what is measured stays on its side of the reading.
    unsafe { asm!("csrr {}, minstret", out(reg) count, options(nostack)) };
    count
}

pub fn spin(turns: u32) {
    // SAFETY: it counts in a register, which it says.
    unsafe { asm!("2:", "addi {0}, {0}, -1", "bnez {0}, 2b", inout(reg) turns => _, options(nomem, nostack)) };
}

#[inline(always)]
pub fn stack_pointer() -> *const u32 {
    let pointer;
    // SAFETY: it reads a register.
    unsafe { asm!("mv {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}
