//! The machine: start-up, text out and exit by semihosting, a clock, and the stack. All `unsafe` code is here.
//!
//! An image defines `main`, a `#[no_mangle] extern "C" fn() -> !`; `machine` gets there from reset.
//!
//! Semihosting is a call to the debugger, here QEMU: an operation's number and one argument in registers, then a certain trap.
//! See "Semihosting for AArch32 and AArch64" by Arm; RISC-V took over its operations.

#[cfg_attr(target_arch = "arm", path = "board/arm.rs")]
#[cfg_attr(target_arch = "riscv32", path = "board/riscv.rs")]
mod machine;

use core::hint::black_box;
use core::panic::PanicInfo;

/// Writes the character that the argument points to.
const SYS_WRITEC: usize = 0x03;
/// Ends the run: the argument points to a reason and an exit code.
const SYS_EXIT_EXTENDED: usize = 0x20;
/// The reason that has an exit code.
const APPLICATION_EXIT: usize = 0x20026;

/// Exit codes other than 0, passed, and 1, failed: nothing else may be taken for a failed check.
const PANICKED: usize = 101;
const FAULTED: usize = 102;

pub fn print(text: &str) {
    for byte in text.bytes() {
        // SAFETY: the operation reads one byte, which is alive.
        unsafe { machine::semihosting(SYS_WRITEC, (&raw const byte).cast()) };
    }
}

/// In decimal. `core::fmt` would be larger than most of what is measured here.
pub fn print_number(number: u32) {
    if number >= 10 {
        print_number(number / 10);
    }
    let digit = b'0' + (number % 10) as u8;
    // SAFETY: the operation reads one byte, which is alive.
    unsafe { machine::semihosting(SYS_WRITEC, (&raw const digit).cast()) };
}

/// Ends the run; QEMU exits with the code.
pub fn exit(code: usize) -> ! {
    let block = [APPLICATION_EXIT, code];
    loop {
        // SAFETY: the operation reads two words, which are alive.
        unsafe { machine::semihosting(SYS_EXIT_EXTENDED, (&raw const block).cast()) };
    }
}

#[panic_handler]
fn panic(info: &PanicInfo) -> ! {
    print("panic");
    if let Some(place) = info.location() {
        print(" at ");
        print(place.file());
        print(":");
        print_number(place.line());
    }
    print("\n");
    exit(PANICKED)
}

/// Where `machine` sends every exception.
extern "C" fn fault() -> ! {
    print("fault\n");
    exit(FAULTED)
}

/// How many ticks of the clock so many calls take.
///
/// The clock is read after every call, so that it may wrap between the first and the last.
pub fn ticks(calls: u32, mut call: impl FnMut()) -> u32 {
    machine::start_clock();
    let mut total = 0;
    let mut last = machine::clock();
    for _ in 0..calls {
        call();
        let now = machine::clock();
        total += now.wrapping_sub(last) & machine::CLOCK_MASK;
        last = now;
    }
    total
}

/// Executes twice as many instructions as this, and a few: to compare the clock with.
pub fn spin(turns: u32) {
    machine::spin(turns);
}

/// How many bytes of stack below this function's own frame the call uses.
///
/// The free stack is painted first; the deepest word that has another colour afterwards is how far the call got. Words that it reserved
/// there without writing them are not seen.
#[inline(never)]
pub fn stack<A>(call: fn(&mut A), argument: &mut A) -> usize {
    const PAINT: u32 = 0xa5c3_3c5a;
    extern "C" {
        // The linker script's: the address is the value.
        static __stack_bottom: u32;
    }
    let bottom = &raw const __stack_bottom;
    let top = machine::stack_pointer();
    let mut word = bottom.cast_mut();
    while word.cast_const() < top {
        // SAFETY: between the end of the RAM and the stack pointer nothing is alive: this function has its frame above, an optimised one does
        // not call to write a word, and no interrupt is enabled.
        unsafe { word.write_volatile(PAINT) };
        word = word.wrapping_add(1);
    }
    // Not inlined: the call's frame has to be below this one.
    black_box(call)(argument);
    let mut word = bottom;
    // SAFETY: as above, and RAM can be read.
    while word < top && unsafe { word.read_volatile() } == PAINT {
        word = word.wrapping_add(1);
    }
    top as usize - word as usize
}
