//! Throughput on the emulator, over sizes, streams and devices, as plots.
//!
//! ```text
//! cargo run --release --package ascendcl-plots
//! ```
//!
//! Measures, and writes the numbers of all sweeps to `docs/plots/measured.csv` and the pictures beside it. With `--draw` it
//! draws the pictures from that table again. The numbers depend on the machine and its other work, and say nothing about
//! a card.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

mod draw;
mod lane;
mod measured;
mod overlap;
mod scaling;

use std::env;
use std::error::Error;

use ascendcl::emulator::EmulatorConfig;
use ascendcl::{Acl, Npu, Thread};

use measured::{Measured, Point, points};
use scaling::Points;

/// The device by name.
type D = Npu<0>;
/// Every failure ends as one line on the screen.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

fn main() -> Result<()> {
    let options: Vec<String> = env::args().skip(1).collect();
    let measured = match options.as_slice() {
        [] => {
            let measured = measure()?;
            measured.write()?;
            measured
        }
        [option] if option == "--draw" => Measured::read()?,
        _ => return Err("the plots take `--draw` or no option".into()),
    };
    for (axis, unit, points) in measured.lines() {
        println!("\n{unit}: lowest, quartile, median, quartile, highest of all sweeps");
        for point in points {
            let [lowest, lower, median, upper, highest] =
                [0, 1, 2, 3, 4].map(|nth| point.quarters(nth));
            println!(
                "{axis} {:>3} {lowest:>9.3} {lower:>9.3} {median:>9.3} {upper:>9.3} {highest:>9.3}",
                point.place
            );
        }
    }
    for (name, picture) in draw::all(&measured)? {
        measured::write(name, &picture)?;
    }
    Ok(())
}

fn measure() -> Result<Measured> {
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
        sizes = sweeps(|| scaling::over_sizes(current, host))?;
        streams = sweeps(|| scaling::over_streams(current, host))?;
    }
    drop(thread);
    let devices = sweeps(|| scaling::over_devices(&acl))?;
    Ok(Measured {
        sizes,
        streams,
        devices,
    })
}

/// The number of sweeps. Other work on the machine lasts for a sweep or two, and then disturbs only few values of a
/// point. One more than a multiple of four, so that each quartile is a value.
const RUNS: usize = 9;

fn sweeps(mut sweep: impl FnMut() -> Result<Points>) -> Result<Vec<Point>> {
    let sweeps = (0..RUNS).map(|_| sweep()).collect::<Result<Vec<_>>>()?;
    Ok(points(&sweeps))
}

/// The median of some values.
fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}
