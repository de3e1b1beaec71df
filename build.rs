//! Derives every constant of every instance and writes it as Rust source into `OUT_DIR`.
//!
//! No dependency, no clock: the tables are the same on every host. Of its environment it asks where to write, and for which machine and
//! by which compiler the crate is built.

#![allow(clippy::expect_used, clippy::panic, reason = "a failed derivation must fail the build")]
#![allow(clippy::cast_possible_truncation, reason = "words are cut from wider sums; widths are small")]
#![allow(clippy::cast_precision_loss, reason = "bounds are rounded up")]

#[path = "build/emit.rs"]
mod emit;
#[path = "build/fast.rs"]
mod fast;
#[path = "build/field.rs"]
mod field;
#[path = "build/grain.rs"]
mod grain;
#[path = "build/instance.rs"]
mod instance;
#[path = "build/narrow.rs"]
mod narrow;
#[path = "build/poseidon2.rs"]
mod poseidon2;
#[path = "build/recurrence.rs"]
mod recurrence;
#[path = "build/wide.rs"]
mod wide;

use emit::{Emitter, Representation};
use std::{env, fs, path::Path, process::Command};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");

    let representation = choose_back_ends();
    choose_system_call();
    // Whether any arkworks scalar is known.
    if env::vars_os().any(|(name, _)| name.to_string_lossy().starts_with("CARGO_FEATURE_ARK")) {
        println!("cargo:rustc-cfg=const_poseidon_ark");
    }

    let field = field::Field::new(instance::BN254);
    let mut source = String::with_capacity(1 << 20);
    let mut emitter = Emitter { out: &mut source, field: &field, representation };
    for width in instance::WIDTHS {
        let instance = instance::Instance::derive(&field, width);
        let recurrence = recurrence::Recurrence::derive(&field, &instance);
        let by_pairs = match representation {
            Representation::Words => fast::ByPairs { rows: true, history: width > 2, exit: width > 2 },
            Representation::Narrow => narrow::by_pairs(width),
        };
        let fast = fast::Fast::arrange(&field, &instance, &recurrence, by_pairs);
        let wide =
            (representation == Representation::Words).then(|| wide::Wide::arrange(&field, &instance, &recurrence));
        if representation == Representation::Narrow {
            narrow::check(&field, &instance, &recurrence);
        }
        emitter.instance(&instance, &recurrence, &fast, wide.as_ref()).expect("a String takes any text");
    }
    emit::for_each_width(&mut source).expect("a String takes any text");

    let mut poseidon2 = String::with_capacity(1 << 20);
    let mut emitter = Emitter { out: &mut poseidon2, field: &field, representation };
    for parameters in &poseidon2::BN254 {
        add_poseidon2(&mut emitter, "Bn254", &poseidon2::Poseidon2::derive(&field, instance::BN254_BITS, parameters));
    }
    if env::var_os("CARGO_FEATURE_BLS12_381").is_some() {
        let field = field::Field::new(instance::BLS12_381);
        let mut emitter = Emitter { out: &mut poseidon2, field: &field, representation };
        for parameters in &poseidon2::BLS12_381 {
            let instance = poseidon2::Poseidon2::derive(&field, instance::BLS12_381_BITS, parameters);
            add_poseidon2(&mut emitter, "Bls12_381", &instance);
        }
    }

    let out_dir = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    for (name, text) in [("instances.rs", source), ("poseidon2.rs", poseidon2)] {
        fs::write(Path::new(&out_dir).join(name), text).expect("OUT_DIR can be written to");
    }
}

fn add_poseidon2(emitter: &mut Emitter, modulus: &str, instance: &poseidon2::Poseidon2) {
    let field = emitter.field;
    let rounds = instance.instance(field);
    let recurrence = recurrence::Recurrence::derive(field, &rounds);
    let wide =
        (emitter.representation == Representation::Words).then(|| wide::Wide::arrange(field, &rounds, &recurrence));
    emitter.poseidon2(modulus, instance, &recurrence, wide.as_ref()).expect("a String takes any text");
}

/// Says which back ends are in the build, among which `src/field/backend.rs` chooses, and in which representation they compute.
fn choose_back_ends() -> Representation {
    let x86_64 = is("CARGO_CFG_TARGET_ARCH", "x86_64") && is("CARGO_CFG_TARGET_POINTER_WIDTH", "64");
    let intrinsics = compiler_minor_version().is_some_and(|minor| minor >= 89);
    // From RUSTFLAGS='--cfg const_poseidon_backend="name"'.
    let forced = env::var("CARGO_CFG_CONST_POSEIDON_BACKEND");
    let (adx, ifma, narrow) = match forced.as_deref() {
        Err(_) => {
            let narrow = has_narrow_products();
            (x86_64 && !narrow, x86_64 && intrinsics && !narrow, narrow)
        }
        Ok("narrow") => (false, false, true),
        Ok("portable") => (false, false, false),
        Ok("model") => (false, true, false),
        Ok("adx") if x86_64 => (true, false, false),
        Ok("ifma") if x86_64 && intrinsics => (true, true, false),
        Ok(name) => panic!(
            "const_poseidon_backend = \"{name}\": back ends are \"portable\", \"narrow\" and \"model\", and on x86-64 \"adx\" and, from Rust 1.89, \"ifma\""
        ),
    };
    for (name, chosen) in
        [("adx", adx), ("ifma", ifma), ("narrow", narrow), ("bpf", is_bpf()), ("short_products", has_short_products())]
    {
        if chosen {
            println!("cargo:rustc-cfg=const_poseidon_{name}");
        }
    }
    if narrow {
        Representation::Narrow
    } else {
        Representation::Words
    }
}

/// Whether the target is BPF or, by one of the names that Solana's toolchains have for it, sBPF.
fn is_bpf() -> bool {
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    matches!(arch.as_str(), "bpf" | "sbf" | "sbpf") || is("CARGO_CFG_TARGET_OS", "solana")
}

/// Whether hashes are Solana's system call: if the target is Solana, and on another BPF target if
/// RUSTFLAGS='--cfg const_poseidon_solana="syscall"' says so; "software" says no.
fn choose_system_call() {
    let solana = is("CARGO_CFG_TARGET_OS", "solana");
    let chosen = match env::var("CARGO_CFG_CONST_POSEIDON_SOLANA").as_deref() {
        Err(_) => solana,
        Ok("software") => false,
        Ok("syscall") if is_bpf() => true,
        Ok(name) => panic!(
            "const_poseidon_solana = \"{name}\": it is \"software\", or \"syscall\" for a BPF target, which has Solana's system calls"
        ),
    };
    if chosen {
        println!("cargo:rustc-cfg=const_poseidon_syscall");
    }
}

/// Whether the target has no instruction for the 64 bits of a product of 32-bit words: Arm's smallest.
fn has_short_products() -> bool {
    env::var("TARGET").is_ok_and(|target| target.starts_with("thumbv6m") || target.starts_with("thumbv8m.base"))
}

/// Whether the target has no instruction for the 128 bits of a product of 64-bit words, so that 32-bit factors are its best: 32-bit
/// processors, and virtual machines that leave it out.
fn has_narrow_products() -> bool {
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    let virtual_machine = is_bpf() || arch == "wasm64";
    let small_pointers = matches!(arch.as_str(), "x86_64" | "aarch64" | "mips64" | "powerpc64"); // x32, ILP32, n32
    virtual_machine || !is("CARGO_CFG_TARGET_POINTER_WIDTH", "64") && !small_pointers
}

fn is(variable: &str, value: &str) -> bool {
    env::var(variable).is_ok_and(|found| found == value)
}

/// x of rustc 1.x, or the one before for a nightly or a development build, which may be older than what 1.x has. None if the compiler does not say so, which costs speed alone.
fn compiler_minor_version() -> Option<u32> {
    let output = Command::new(env::var_os("RUSTC")?).arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    let minor: u32 = version.split('.').nth(1)?.parse().ok()?;
    Some(if version.contains("-nightly") || version.contains("-dev") { minor.saturating_sub(1) } else { minor })
}
