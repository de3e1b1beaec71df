//! Derives every constant of every instance and writes it as Rust source into `OUT_DIR`.
//!
//! No dependency, no clock, no environment beyond `OUT_DIR`: the output is the same on every host.

#![allow(clippy::expect_used, reason = "a failed derivation must fail the build")]
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
#[path = "build/recurrence.rs"]
mod recurrence;

use std::{env, fs, path::Path};

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    println!("cargo:rerun-if-changed=build");

    let field = field::Field::new(instance::BN254);
    let mut source = String::with_capacity(1 << 20);
    for width in instance::WIDTHS {
        let instance = instance::Instance::derive(&field, width);
        let recurrence = recurrence::Recurrence::derive(&field, &instance);
        let fast = fast::Fast::arrange(&field, &instance, &recurrence);
        emit::instance(&mut source, &instance, &recurrence, &fast).expect("a String takes any text");
    }
    emit::for_each_width(&mut source).expect("a String takes any text");

    let out_dir = env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    fs::write(Path::new(&out_dir).join("instances.rs"), source).expect("OUT_DIR can be written to");
}
