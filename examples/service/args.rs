//! The command line.

use std::time::Duration;

use clap::Parser;

/// Doubles lists of numbers for several clients on two devices, and goes on while the devices fail.
///
/// ASCENDCL_BACKEND chooses where: `cann`, `emulator`, or the path of a libascendcl.so. Without it CANN is used where it is
/// found, else the emulator.
#[derive(Debug, Parser)]
#[command(
    name = "service",
    after_help = "Exit status: 0 if each request was answered or refused and nothing has grown, 1 if not or if something \
                  failed, 2 for a wrong command line."
)]
pub(crate) struct Args {
    /// How long the clients send requests
    #[arg(long, value_name = "N", default_value_t = 2, conflicts_with = "requests", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) seconds: u64,
    /// How many requests each client sends, in place of a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) requests: Option<u32>,
    /// Threads that send requests
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) clients: u8,
    /// The limit of each wait of a worker, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    pub(crate) limit: u64,
    /// How long a client waits for an answer, in seconds
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) patience: u64,
    /// Draws failures on the emulator: tasks that fail or hang, slow hosts, memory that is full, devices that are lost
    #[arg(long, value_name = "SEED")]
    pub(crate) faults: Option<u64>,
}

impl Args {
    /// The limit of each wait of a worker.
    pub(crate) fn limit(&self) -> Duration {
        Duration::from_millis(self.limit)
    }
}
