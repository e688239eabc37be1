//! The command line.

use clap::Parser;

use crate::ranks::count;

/// Measures how fast the ranks of a communicator add up numbers: `HcclAllReduce` over a range of sizes.
///
/// Each rank has a device. The ranks are threads of this process, unless --processes asks for processes. Under a
/// launcher that sets RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT, such as torchrun, this process is one
/// rank, and --ranks and --processes have no effect.
///
/// ASCENDCL_BACKEND chooses the devices: `cann`, `emulator`, or the path of a libascendcl.so. Without it CANN is used
/// where it is found, else the emulator, which gets a device for each rank.
#[derive(Debug, Parser)]
#[command(
    name = "allreduce",
    after_help = "The bandwidths are those of nccl-tests: the algorithm's is size / time, and the bus bandwidth is that \
                  times 2 * (ranks - 1) / ranks, the part that each link carries. Every rank checks every number of \
                  its result.\n\nExit status: 0 if all sums are right, 1 if something failed, 2 for a wrong command \
                  line, 3 for a rank that failed because another one did."
)]
pub(crate) struct Args {
    /// Ranks as threads of this process [default: one for each device]
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(crate) ranks: Option<u32>,

    /// Ranks as processes on this machine
    #[arg(long, value_name = "N", value_parser = count, conflicts_with = "ranks", allow_negative_numbers = true)]
    pub(crate) processes: Option<u32>,

    /// The smallest size: a number of bytes, or with a unit such as 64KiB; each next one has four times as many
    #[arg(long, value_name = "BYTES", default_value = "4", value_parser = size, allow_negative_numbers = true)]
    pub(crate) min: usize,

    /// The largest size
    #[arg(long, value_name = "BYTES", default_value = "16MiB", value_parser = size, allow_negative_numbers = true)]
    pub(crate) max: usize,

    /// How often each size is added up while the clock runs
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) iterations: u32,
}

impl Args {
    /// The sizes in elements.
    pub(crate) fn sizes(&self) -> Result<Vec<usize>, String> {
        if self.min > self.max {
            return Err(format!(
                "--min is {} bytes and --max is {}: give a --max that is not smaller",
                self.min, self.max
            ));
        }
        let next = |size: &usize| size.checked_mul(4);
        let sizes = std::iter::successors(Some(self.min), next);
        let sizes = sizes.take_while(|size| *size <= self.max);
        Ok(sizes.map(|size| size / size_of::<f32>()).collect())
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
        .and_then(|number| number.checked_mul(unit));
    bytes
        .filter(|bytes| *bytes > 0 && bytes % size_of::<f32>() == 0)
        .ok_or_else(|| "give a multiple of 4 bytes above 0, such as 4096 or 16MiB".into())
}
