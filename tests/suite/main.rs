//! Everything about results: known answers, refusals, constants, properties, the field. The oracle is `../reference`.

#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

#[path = "../reference/mod.rs"]
mod reference;

mod batch;
mod constants;
mod custom_parameters;
mod field;
mod known_answers;
mod linkage;
mod poseidon2;
mod properties;
mod refusals;
mod samples;
mod widths;
