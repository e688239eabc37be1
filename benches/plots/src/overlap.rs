//! The overlap of upload, computation and download in time.

use std::time::Instant;

use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, StreamName, op};

use crate::{D, RUNS, Result, middle};

enum Up {}
impl StreamName for Up {}
enum Down {}
impl StreamName for Down {}

/// Numbers in a buffer: 1 MiB, which two cores process without waiting for memory.
const LEN: usize = 1 << 18;
const TURNS: u32 = 64;

/// Prints the sum of the stages' times alone, divided by the time of all three at once.
///
/// Each stage has a stream and buffers of its own, so only the machine limits their overlap.
pub(crate) fn print(current: Current<'_, '_, D>, side: HostSide<'_>) -> Result<()> {
    let mut up = current.create_stream::<Up>()?;
    let mut compute = current.create_stream::<Main>()?;
    let mut down = current.create_stream::<Down>()?;
    let device = || current.memset(current.malloc::<i32>(LEN)?, 0);
    let host = || current.malloc_host::<i32>(side, LEN);
    let (from, mut to) = (up.adopt(host()?), up.adopt(device()?));
    let (source, mut result) = (compute.adopt(device()?), compute.adopt(device()?));
    let (done, mut back) = (down.adopt(device()?), down.adopt(host()?));

    let mut turns = |[uploads, computes, downloads]: [bool; 3]| -> Result<f64> {
        let start = Instant::now();
        let mut workspaces = Vec::new();
        for _ in 0..TURNS {
            if uploads {
                up.memcpy_async(&mut to, &from)?;
            }
            if computes {
                let operand = source.tensor(&[LEN])?;
                let plan = op::mul(current, &operand, &operand, result.tensor_mut(&[LEN])?)?;
                workspaces.extend(plan.launch(&mut compute)?.workspace);
            }
            if downloads {
                down.memcpy_async(&mut back, &done)?;
            }
        }
        up.synchronize()?;
        down.synchronize()?;
        let idle = compute.synchronize()?;
        for workspace in workspaces {
            idle.take(workspace).free()?;
        }
        Ok(start.elapsed().as_secs_f64())
    };
    // In turns, so that other work on the machine affects them all.
    let stages = [
        [true, false, false],
        [false, true, false],
        [false, false, true],
        [true; 3],
    ];
    let mut times: [Vec<f64>; 4] = Default::default();
    for _ in 0..RUNS {
        for (times, stage) in times.iter_mut().zip(stages) {
            times.push(turns(stage)? * 1e3);
        }
    }
    let [uploads, computes, downloads, together] = times.map(middle);
    println!(
        "upload {uploads:.2} ms, computation {computes:.2} ms, download {downloads:.2} ms, together \
         {together:.2} ms: overlap {:.2}",
        (uploads + computes + downloads) / together
    );
    let idle = up.synchronize()?;
    idle.take(from).free()?;
    idle.take(to).free()?;
    let idle = compute.synchronize()?;
    idle.take(source).free()?;
    idle.take(result).free()?;
    let idle = down.synchronize()?;
    idle.take(done).free()?;
    idle.take(back).free()?;
    Ok(())
}
