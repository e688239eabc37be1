//! Uploads over sizes, streams and devices.

use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use ascendcl::bounds::NamedDevice;
use ascendcl::{Acl, Current, HostSide, Npu, Thread};

use crate::lane::{Lane, Upload};
use crate::{D, Result};

/// The uploads of one run, where their number is measured.
const UPLOADS: usize = 100_000;

/// Pairs of an input and its result. The input is a power of two in bytes, or a number of streams or devices.
pub(crate) type Points = Vec<(f64, f64)>;

/// GB/s of one upload and a wait, from 64 bytes to 256 MiB.
pub(crate) fn over_sizes(current: Current<'_, '_, D>, side: HostSide<'_>) -> Result<Points> {
    let mut points = Points::new();
    for exponent in (6_u32..=28).step_by(2) {
        let bytes = 1_usize << exponent;
        let mut lane = Lane::<D, 0>::new(current, side, bytes)?;
        let rounds = (1_usize << 26).div_euclid(bytes).clamp(2, 2000);
        // The first access to the pages.
        lane.queue()?;
        lane.wait()?;
        let start = Instant::now();
        for _ in 0..rounds {
            lane.queue()?;
            lane.wait()?;
        }
        let rate = (bytes * rounds) as f64 / start.elapsed().as_secs_f64() / 1e9;
        points.push((f64::from(exponent), rate));
    }
    Ok(points)
}

/// Millions of uploads of 64 bytes per second, queued on some streams in turns.
pub(crate) fn over_streams(current: Current<'_, '_, D>, side: HostSide<'_>) -> Result<Points> {
    const BYTES: usize = 64;
    let mut points = Points::new();
    for streams in [1, 2, 4, 8] {
        let mut lanes: Vec<Box<dyn Upload + '_>> = Vec::new();
        macro_rules! lanes {
            ($($n:literal)*) => { $(
                if $n < streams {
                    lanes.push(Box::new(Lane::<D, $n>::new(current, side, BYTES)?));
                }
            )* };
        }
        lanes!(0 1 2 3 4 5 6 7);
        let start = Instant::now();
        for _ in 0..UPLOADS / streams {
            for lane in &mut lanes {
                lane.queue()?;
            }
        }
        for lane in &mut lanes {
            lane.wait()?;
        }
        let rate = UPLOADS as f64 / start.elapsed().as_secs_f64() / 1e6;
        points.push((streams as f64, rate));
    }
    Ok(points)
}

/// Millions of uploads of 64 bytes per second on some devices at once, each with a thread and a stream.
pub(crate) fn over_devices(acl: &Acl) -> Result<Points> {
    let mut points = Points::new();
    for devices in [1, 2, 4] {
        let barrier = Barrier::new(devices);
        let barrier = &barrier;
        let spans = thread::scope(|scope| {
            let mut threads = Vec::new();
            macro_rules! devices {
                ($($n:literal)*) => { $(
                    if $n < devices {
                        threads.push(scope.spawn(move || on_device::<Npu<$n>>(acl, barrier)));
                    }
                )* };
            }
            devices!(0 1 2 3);
            let join = |thread: thread::ScopedJoinHandle<'_, Result<(Instant, Instant)>>| {
                thread.join().map_err(|_| "a thread panicked")?
            };
            threads.into_iter().map(join).collect::<Result<Vec<_>>>()
        })?;
        // From the first start to the last end. A sum of rates would count cores that do not exist.
        let start = spans.iter().map(|span| span.0).min();
        let end = spans.iter().map(|span| span.1).max();
        let seconds = start
            .zip(end)
            .map(|(start, end)| (end - start).as_secs_f64());
        let rate = (UPLOADS * devices) as f64 / seconds.unwrap_or(f64::NAN) / 1e6;
        points.push((devices as f64, rate));
    }
    Ok(points)
}

fn on_device<T: NamedDevice>(acl: &Acl, barrier: &Barrier) -> Result<(Instant, Instant)> {
    let mut thread = Thread::claim()?;
    let id = u32::try_from(T::SLOT)?;
    let device = acl.set_device::<T>(&mut thread, id)?;
    let current = thread.set_current(&device)?;
    let Some(side) = acl.run_mode()?.host() else {
        return Err("the emulator is a host here".into());
    };
    let mut lane = Lane::<T, 0>::new(current, side, 64)?;
    barrier.wait();
    let start = Instant::now();
    for _ in 0..UPLOADS {
        lane.queue()?;
    }
    lane.wait()?;
    Ok((start, Instant::now()))
}
