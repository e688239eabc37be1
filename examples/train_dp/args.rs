//! The command line.

use clap::Parser;

use crate::data::ROWS;
use crate::ranks::count;

/// Trains a small perceptron on several devices at once, and compares the losses with those on fewer devices.
///
/// Each rank has a device, a copy of the weights and a part of the examples. After each step the ranks add up their
/// gradients (`HcclAllReduce`), so all of them have the same weights again. The losses are those of one rank that has
/// all examples, except for the rounding.
///
/// The ranks are threads of this process, unless --processes asks for processes. Under a launcher that sets RANK,
/// WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT, such as torchrun, this process is one rank; --ranks and
/// --processes have no effect, and rank 0 prints its losses.
///
/// ASCENDCL_BACKEND chooses the devices: `cann`, `emulator`, or the path of a libascendcl.so. Without it CANN is used
/// where it is found, else the emulator, which gets a device for each rank.
#[derive(Debug, Parser)]
#[command(
    name = "train_dp",
    after_help = "Exit status: 0 if all losses agree, 1 if something failed, 2 for a wrong command line, 3 for a rank \
                  that failed because another one did."
)]
pub(crate) struct Args {
    /// Numbers of ranks, which are threads of this process
    #[arg(long, value_name = "N", default_values_t = [1, 2, 4], value_delimiter = ',', value_parser = ranks, allow_negative_numbers = true)]
    pub(crate) ranks: Vec<u32>,

    /// Numbers of ranks, which are processes on this machine
    #[arg(long, value_name = "N", value_delimiter = ',', value_parser = ranks, conflicts_with = "ranks", allow_negative_numbers = true)]
    pub(crate) processes: Vec<u32>,

    /// How often the weights are changed
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub(crate) steps: u32,

    /// The learning rate of AdamW
    #[arg(long, value_name = "NUMBER", default_value_t = 0.05, value_parser = rate, allow_negative_numbers = true)]
    pub(crate) rate: f32,
}

/// A number of ranks that have an example each.
fn ranks(text: &str) -> Result<u32, String> {
    match count(text)? {
        number if number > ROWS => Err(format!(
            "there are {ROWS} examples, and each rank has one at least: give at most {ROWS} ranks"
        )),
        number => Ok(number),
    }
}

/// A rate of learning.
fn rate(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if number > 0.0 && number <= 10.0 => Ok(number),
        _ => Err("give a number above 0 and up to 10, such as 0.05".into()),
    }
}
