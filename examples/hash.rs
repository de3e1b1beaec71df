//! circomlib's Poseidon of the inputs on the command line.
//!
//! `cargo run --release --example hash -- 1 2`

use clap::Parser;
use const_poseidon::{field::ParseError, hash_slice_with_tag, Fr};
use std::io::{self, Write};
use std::process::ExitCode;

/// Prints circomlib's Poseidon hash over BN254's scalar field, in decimal and in hexadecimal.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// 1 to 16 inputs: decimal, or hexadecimal after 0x
    #[arg(allow_negative_numbers = true)]
    inputs: Vec<String>,

    /// Lane 0 of the state, circomlib's initialState: written as the inputs are [default: 0]
    #[arg(long)]
    domain_tag: Option<String>,

    /// Inputs and tag are 32 bytes in hexadecimal, with or without 0x, most significant first
    #[arg(long)]
    bytes_be: bool,
}

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) if error.use_stderr() => {
            // One line, as for every other mistake.
            return fail(error.to_string().lines().next().unwrap_or_default().trim_start_matches("error: "));
        }
        Err(help) => help.exit(),
    };
    match digest(&arguments) {
        Ok(digest) => match writeln!(io::stdout(), "{digest}\n{digest:?}") {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => fail(&format!("the digest cannot be written: {error}")),
        },
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(2)
}

fn digest(arguments: &Arguments) -> Result<Fr, String> {
    let read = |text: &str| if arguments.bytes_be { from_bytes(text) } else { from_number(text) };
    let name = |index: usize| format!("input {index} ({:?})", shortened(&arguments.inputs[index]));
    let tag = match &arguments.domain_tag {
        Some(text) => read(text).map_err(|error| format!("domain tag ({:?}): {error}", shortened(text)))?,
        None => Fr::ZERO,
    };
    let inputs: Vec<Fr> = arguments
        .inputs
        .iter()
        .enumerate()
        .map(|(index, text)| read(text).map_err(|error| format!("{}: {error}", name(index))))
        .collect::<Result<_, _>>()?;
    hash_slice_with_tag(tag, &inputs).map_err(|error| error.to_string())
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

/// Enough of an argument to recognise it.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 80 {
        text.to_owned()
    } else {
        text.chars().take(77).chain("...".chars()).collect()
    }
}
