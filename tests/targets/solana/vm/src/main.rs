//! `solana-vm cases` prints what programs are asked and what they must answer, as JSON; `solana-vm check PROGRAM` asks it all of a program that has every
//! kind of hash; `solana-vm two-inputs PROGRAM` prints the units of a program that has one, after checking its answers.
//!
//! Exit code 1 if an answer is wrong.

mod cases;
mod machine;

use cases::{cases, Case};
use machine::{run, Outcome};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["cases"] => {
            println!("{}", serde_json::to_string_pretty(&cases()).expect("plain data"));
            ExitCode::SUCCESS
        }
        ["check", program] => check(&std::fs::read(program).expect("the program"), &cases()),
        ["two-inputs", program] => two_inputs(&std::fs::read(program).expect("the program")),
        _ => {
            eprintln!("usage: solana-vm cases | check PROGRAM | two-inputs PROGRAM");
            ExitCode::from(2)
        }
    }
}

fn check(program: &[u8], cases: &[Case]) -> ExitCode {
    let mut failed = 0;
    for case in cases {
        let outcome = run(program, &case.data);
        if !case.is_answered_by(&outcome) {
            failed += 1;
            println!("{}: {outcome:?}", case.name);
        }
        if let Some(cost) = &case.cost {
            println!("units\t{cost}\t{}", outcome.units);
        }
    }
    println!("{} passed, {failed} failed", cases.len() - failed);
    ExitCode::from(u8::from(failed > 0))
}

/// Units for 1 and 2, the program's length, and refusals.
fn two_inputs(program: &[u8]) -> ExitCode {
    let input = |last: u8| {
        let mut bytes = [0; 32];
        bytes[31] = last;
        bytes
    };
    let digest = const_poseidon::Poseidon::<3>::hash_bytes_be(&[input(1), input(2)]).expect("below the modulus");
    let good = run(program, &[input(1), input(2)].concat());
    let bad = run(program, &[input(1), [0xff; 32]].concat());
    println!("units\ttwo inputs\t{}", good.units);
    println!("bytes\ttwo inputs\t{}", program.len());
    let right = good.code == Ok(0) && good.answer == digest && bad.code == Ok(7) && bad.answer.is_empty();
    println!("{} passed, {} failed", u8::from(right), u8::from(!right));
    ExitCode::from(u8::from(!right))
}

impl Case {
    fn is_answered_by(&self, outcome: &Outcome) -> bool {
        let right = if self.whole { outcome.answer == self.answer } else { outcome.answer.starts_with(&self.answer) };
        outcome.code == Ok(self.code) && right
    }
}
