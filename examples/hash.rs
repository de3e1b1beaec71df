//! circomlib's Poseidon of the inputs on the command line.
//!
//! `cargo run --release --example hash -- 1 2`

use clap::Parser;
use const_poseidon::{field::ParseError, hash_slice, Error, Fr, Poseidon};
use std::process::ExitCode;

/// Prints circomlib's Poseidon hash over BN254's scalar field, in decimal and in hexadecimal.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// 1 to 16 inputs: decimal, or hexadecimal after 0x
    #[arg(allow_negative_numbers = true)]
    inputs: Vec<String>,

    /// Lane 0 of the state: circomlib's initialState
    #[arg(long, value_name = "NUMBER", default_value = "0")]
    domain_tag: String,

    /// Inputs and tag are 32 bytes in hexadecimal, most significant first
    #[arg(long)]
    bytes_be: bool,
}

fn main() -> ExitCode {
    match digest(&Arguments::parse()) {
        Ok(digest) => {
            println!("{digest}\n{digest:?}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(2)
        }
    }
}

fn digest(arguments: &Arguments) -> Result<Fr, String> {
    let read = |text: &str| if arguments.bytes_be { from_bytes(text) } else { from_number(text) };
    let name = |index: usize| format!("input {index} ({:?})", shortened(&arguments.inputs[index]));
    // The tag's default is a number in either form.
    let tag = if arguments.domain_tag == "0" { Ok(Fr::ZERO) } else { read(&arguments.domain_tag) };
    let tag = tag.map_err(|error| format!("domain tag ({:?}): {error}", shortened(&arguments.domain_tag)))?;
    let inputs: Vec<Fr> = arguments
        .inputs
        .iter()
        .enumerate()
        .map(|(index, text)| read(text).map_err(|error| format!("{}: {error}", name(index))))
        .collect::<Result<_, _>>()?;
    hash_with_tag(tag, &inputs).map_err(|error| error.to_string())
}

fn from_number(text: &str) -> Result<Fr, String> {
    text.parse().map_err(|error: ParseError| error.to_string())
}

fn from_bytes(text: &str) -> Result<Fr, String> {
    let mut bytes = [0; 32];
    let digits = text.strip_prefix("0x").unwrap_or(text);
    hex::decode_to_slice(digits, &mut bytes).map_err(|_| "not 32 bytes in hexadecimal".to_owned())?;
    Fr::from_bytes_be(&bytes).map_err(|_| ParseError::NotBelowModulus.to_string())
}

/// The crate fixes the width by type where there is a tag; here it comes from the command line.
fn hash_with_tag(tag: Fr, inputs: &[Fr]) -> Result<Fr, Error> {
    macro_rules! by_count {
        ($($n:literal)*) => {
            match inputs.len() {
                $($n => Ok(Poseidon::<{ $n + 1 }>::hash_with_tag::<Fr, $n>(tag, inputs.try_into().expect("the length")))),*,
                // For its error.
                _ => hash_slice(inputs),
            }
        };
    }
    by_count!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16)
}

/// Enough of an argument to recognise it.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 80 {
        text.to_owned()
    } else {
        text.chars().take(77).chain("...".chars()).collect()
    }
}
