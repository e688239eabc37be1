//! What of CANN, of its driver and of its devices a program finds on this machine, what is missing, and what to do.
//!
//! ```text
//! cargo run --release --example doctor
//! ASCENDCL_BACKEND=cann cargo run --release --example doctor
//! ```
//!
//! The first part reads files only, so it is complete where nothing works. The second part takes each device into use
//! and runs one operator. The exit status is 0 if that worked, on a card or on the emulator.

mod advice;
mod machine;
mod work;

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use machine::Machine;

/// Says what of CANN, of its driver and of its devices is found, and what to do about the rest.
#[derive(Debug, Parser)]
struct Args {
    /// Look for the driver, the devices and the toolkit below this folder, such as a mounted image
    #[arg(long, value_name = "FOLDER", default_value = "/")]
    root: PathBuf,
}

fn main() -> ExitCode {
    let args = Args::parse();
    let machine = Machine::of(&args.root);
    let work = work::all();
    let mut report = machine.to_string();
    report.push_str(&work.lines);
    let advice = advice::of(&machine, &work);
    if !advice.is_empty() {
        report.push_str("\nwhat to do\n");
    }
    for sentence in advice {
        report.push_str(&format!("  - {sentence}\n"));
    }
    // If stdout is closed, the exit status is the only report.
    let _ = io::stdout().write_all(report.as_bytes());
    match work.failure {
        None => ExitCode::SUCCESS,
        Some(_) => ExitCode::FAILURE,
    }
}
