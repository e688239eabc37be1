//! Throughput on the emulator, over sizes, streams and devices, as plots.
//!
//! ```text
//! cargo run --release --package ascendcl-plots
//! ```
//!
//! Writes `docs/plots/*.svg` and prints the numbers. Each number is a median. It depends on the machine and its other
//! work, and says nothing about a card.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

mod draw;
mod lane;
mod overlap;
mod scaling;

use std::error::Error;

use ascendcl::emulator::EmulatorConfig;
use ascendcl::{Acl, Npu, Thread};

use scaling::Points;

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
        sizes = medians(|| scaling::over_sizes(current, host))?;
        streams = medians(|| scaling::over_streams(current, host))?;
    }
    drop(thread);
    let devices = medians(|| scaling::over_devices(&acl))?;
    for (exponent, rate) in &sizes {
        println!("upload of {:>10} bytes {rate:>9.3} GB/s", exponent.exp2());
    }
    for (what, points) in [("streams", &streams), ("devices", &devices)] {
        for (count, rate) in points {
            println!("{count} {what} {rate:>9.3} million uploads of 64 bytes per second");
        }
    }
    draw::sizes("docs/plots/sizes.svg", &sizes)?;
    draw::scaling("docs/plots/scaling.svg", &streams, &devices)
}

/// The number of sweeps.
const RUNS: usize = 9;

/// The median of each point over some sweeps. Other work on the machine lasts for a sweep or two, and then disturbs
/// only few values of a point.
fn medians(mut sweep: impl FnMut() -> Result<Points>) -> Result<Points> {
    let sweeps = (0..RUNS).map(|_| sweep()).collect::<Result<Vec<_>>>()?;
    let first = sweeps.first().map_or(&[][..], Vec::as_slice);
    let place = |(nth, (place, _)): (usize, &(f64, f64))| {
        let values = sweeps.iter().filter_map(|sweep| sweep.get(nth));
        (*place, middle(values.map(|(_, value)| *value).collect()))
    };
    Ok(first.iter().enumerate().map(place).collect())
}

/// The median of some values.
fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
