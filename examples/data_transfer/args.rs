//! The command line.

use std::env;

use ascendcl::emulator;
use clap::{Parser, ValueEnum};

use crate::Result;

/// Transfers data between host, device and media memory of an Ascend NPU, and checks what arrives.
///
/// ASCENDCL_BACKEND chooses where: `cann`, `emulator`, or the path of a libascendcl.so. Without it
/// CANN is used where it is found, else the emulator.
#[derive(Debug, Parser)]
#[command(
    name = "data_transfer",
    after_help = "Exit status: 0 if the data arrived, 1 if something failed, 2 for a wrong command line."
)]
pub(crate) struct Args {
    /// Which device to use
    #[arg(
        long,
        value_name = "ID",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(crate) device: u32,

    /// How many bytes to transfer: a number, or with a unit such as 64KiB, 16MiB, 1GiB
    #[arg(
        long,
        value_name = "BYTES",
        default_value = "1MiB",
        value_parser = size,
        allow_negative_numbers = true
    )]
    pub(crate) size: usize,

    /// How to serve both run modes
    #[arg(long, value_enum, default_value_t = Variant::Both)]
    variant: Variant,

    /// Run on an emulator that pretends to run there
    #[arg(long, value_enum, value_name = "MODE")]
    run_mode: Option<Mode>,

    /// Log warnings and errors only, not every step
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Variant {
    /// Ask for the run mode, and use the allocators that suit it
    Separate,
    /// One allocator for both, without asking
    Unified,
    /// One after the other
    Both,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Mode {
    /// On a host with a card beside it
    Host,
    /// On the chip itself (Ascend RC)
    Device,
}

impl Args {
    pub(crate) fn separate(&self) -> bool {
        self.variant != Variant::Unified
    }

    pub(crate) fn unified(&self) -> bool {
        self.variant != Variant::Separate
    }

    /// The run mode to pretend, if there is one. A card has the one that it has.
    pub(crate) fn run_mode(&self) -> Result<Option<emulator::RunMode>> {
        let backend = env::var_os("ASCENDCL_BACKEND").unwrap_or_default();
        match self.run_mode {
            None => Ok(None),
            Some(_) if !backend.is_empty() && backend != "emulator" => Err(format!(
                "ASCENDCL_BACKEND is {backend:?}, and only the emulator can choose its run mode: unset \
                 the variable, or leave --run-mode out"
            )
            .into()),
            Some(Mode::Host) => Ok(Some(emulator::RunMode::Host)),
            Some(Mode::Device) => Ok(Some(emulator::RunMode::Device)),
        }
    }
}

/// Reads a number of bytes.
fn size(text: &str) -> Result<usize, String> {
    let units = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];
    let unit = units
        .iter()
        .find_map(|(unit, bytes)| Some((text.strip_suffix(unit)?, *bytes)));
    let (number, unit) = unit.unwrap_or((text, 1));
    let bytes = number
        .parse::<usize>()
        .ok()
        .and_then(|n| n.checked_mul(unit));
    bytes
        .filter(|bytes| *bytes > 0)
        .ok_or_else(|| "give a whole number of bytes above 0, such as 4096 or 16MiB".into())
}
