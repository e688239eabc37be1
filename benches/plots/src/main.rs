//! Throughput on the emulator, over sizes, streams and devices, as plots.
//!
//! ```text
//! cargo run --release --package ascendcl-plots
//! ```
//!
//! Writes `docs/plots/*.svg` and prints the numbers. Each is a median; what they say about the emulator
//! depends on the machine and on what else it does, and says nothing about a card.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

mod draw;
mod lane;
mod overlap;
mod scaling;

use std::error::Error;

use ascendcl::emulator::EmulatorConfig;
use ascendcl::{Acl, Npu, Thread};

/// The device by name.
type D = Npu<0>;
/// Every failure ends as one line on the screen.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

fn main() -> Result<()> {
    let acl = Acl::emulator(EmulatorConfig::default().with_devices(4))?;
    let Some(host) = acl.run_mode()?.host() else {
        return Err("the emulator is a host here".into());
    };
    let mut thread = Thread::claim()?;
    let sizes;
    let streams;
    {
        let device = acl.set_device::<D>(&mut thread, 0)?;
        let current = thread.set_current(&device)?;
        overlap::print(current, host)?;
        sizes = scaling::over_sizes(current, host)?;
        streams = scaling::over_streams(current, host)?;
    }
    drop(thread);
    let devices = scaling::over_devices(&acl)?;
    draw::sizes("docs/plots/sizes.svg", &sizes)?;
    draw::scaling("docs/plots/scaling.svg", &streams, &devices)
}

/// The middle one of some runs.
fn median(mut run: impl FnMut() -> Result<f64>) -> Result<f64> {
    const RUNS: usize = 9;
    let mut runs = (0..RUNS).map(|_| run()).collect::<Result<Vec<_>>>()?;
    runs.sort_by(f64::total_cmp);
    Ok(runs.get(RUNS / 2).copied().unwrap_or_default())
}
