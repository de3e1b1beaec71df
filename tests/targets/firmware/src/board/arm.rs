//! Cortex-M4 and Cortex-M0. The floating-point unit of the M4 stays off as it is at reset: an instruction for it would be a fault.

use core::arch::asm;

extern "C" {
    fn main() -> !;
    // The linker script's: the address is the value.
    static __stack_top: u32;
}

/// What the processor reads at address 0: the first stack pointer, where to start, and a handler for each of the 14 other exceptions
/// of the architecture. Interrupts of devices, whose handlers would follow, are never enabled.
#[repr(C)]
struct VectorTable {
    stack_top: *const u32,
    reset: unsafe extern "C" fn() -> !,
    exceptions: [extern "C" fn() -> !; 14],
}

// SAFETY: it is never written, and what it points to is not read through it.
unsafe impl Sync for VectorTable {}

// There are no variables to copy or to clear, so reset goes straight to `main`.
#[used]
#[link_section = ".vectors"]
static VECTORS: VectorTable =
    VectorTable { stack_top: &raw const __stack_top, reset: main, exceptions: [super::fault; 14] };

/// # Safety
/// The argument is what the operation asks for.
pub unsafe fn semihosting(operation: usize, argument: *const usize) {
    // SAFETY: the debugger takes this breakpoint for the call, and changes r0 alone.
    unsafe { asm!("bkpt #0xab", inout("r0") operation => _, in("r1") argument, options(nostack)) };
}

/// SysTick, the timer of every Cortex-M: 24 bits, counting down.
const SYST_CSR: *mut u32 = 0xe000_e010 as *mut u32;
const SYST_RVR: *mut u32 = 0xe000_e014 as *mut u32;
const SYST_CVR: *mut u32 = 0xe000_e018 as *mut u32;
pub const CLOCK_MASK: u32 = 0xff_ffff;

pub fn start_clock() {
    // SAFETY: these are the timer's registers; a write to the current value clears it, and 5 is enabled, without interrupt, by the
    // processor's clock.
    unsafe {
        SYST_RVR.write_volatile(CLOCK_MASK);
        SYST_CVR.write_volatile(0);
        SYST_CSR.write_volatile(5);
    }
    // From 0 the first tick reloads.
    while clock() == CLOCK_MASK {}
}

pub fn clock() -> u32 {
    // SAFETY: it is the timer's register, and a read has no effect.
    CLOCK_MASK - unsafe { SYST_CVR.read_volatile() }
}

pub fn spin(turns: u32) {
    // SAFETY: it counts in a register, which it says.
    unsafe { asm!("2:", "subs {0}, #1", "bne 2b", inout(reg) turns => _, options(nomem, nostack)) };
}

#[inline(always)]
pub fn stack_pointer() -> *const u32 {
    let pointer;
    // SAFETY: it reads a register.
    unsafe { asm!("mov {}, sp", out(reg) pointer, options(nomem, nostack, preserves_flags)) };
    pointer
}
