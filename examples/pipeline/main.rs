//! Upload, compute and download at the same time, on three streams with two sets of buffers.
//!
//! ```text
//! cargo run --release --example pipeline
//! ```
//!
//! While one batch is computed, the next one is uploaded and the previous one downloaded. The type of each buffer
//! names the stream that may use it, and events move the buffer to the next stream. The host waits once per turn, for
//! the result of two turns ago.
//!
//! Events measure the overlap: the times of the stages alone, added up, against the time of all three at once.

mod slot;

use std::collections::VecDeque;
use std::error::Error;
use std::io::Write;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use ascendcl::event::{Order, OrderTiming};
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, HostSide, Npu, Thread, op};
use clap::Parser;

use slot::{Compute, Download, Slot, Upload};

/// An error as a text: every failure ends as one line on the screen.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// The device by name.
type D = Npu<0>;

/// Squares batches of numbers on three streams and compares with one stream.
///
/// ASCENDCL_BACKEND chooses where: `cann`, `emulator`, or the path of a libascendcl.so. Without it
/// CANN is used where it is found, else the emulator.
#[derive(Debug, Parser)]
#[command(
    name = "pipeline",
    after_help = "Exit status: 0 if every number is right, 1 if something failed, 2 for a wrong command line."
)]
struct Args {
    /// Which device computes
    #[arg(long, value_name = "ID", default_value_t = 0)]
    device: u32,
    /// Batches
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    turns: u16,
    /// Numbers in a batch
    #[arg(long, value_name = "N", default_value_t = 1 << 18, value_parser = clap::value_parser!(u32).range(1..=1 << 28))]
    numbers: u32,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A failed write to stderr cannot be reported anywhere.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(args: &Args) -> Result<()> {
    let acl = Acl::from_env()?;
    let Some(host) = acl.run_mode()?.host() else {
        return Err(
            "this example copies to host memory, and AscendCL runs on the device itself".into(),
        );
    };
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<D>(&mut thread, args.device)?;
    let current = thread.set_current(&device)?;
    let [upload, compute, download] = alone(current, host, args)?;
    let one = in_order(current, host, args)?;
    let three = overlapped(current, host, args)?;
    let stages = upload + compute + download;
    writeln!(
        std::io::stdout(),
        "backend {}\n{} batches of {} numbers, all squares are right\n\
         stages alone   {stages:>10.3?}: upload {upload:.3?}, compute {compute:.3?}, download {download:.3?}\n\
         one stream     {one:>10.3?}\n\
         three streams  {three:>10.3?}, {:.2} times as fast, overlap {:.2}",
        acl.backend(),
        args.turns,
        args.numbers,
        one.as_secs_f64() / three.as_secs_f64(),
        stages.as_secs_f64() / three.as_secs_f64(),
    )?;
    device.reset()?;
    acl.finalize()?;
    Ok(())
}

/// The time of each stage on a device that does nothing else, measured by events before and after the stage.
fn alone(current: Current<'_, '_, D>, host: HostSide<'_>, args: &Args) -> Result<[Duration; 3]> {
    let len = args.numbers as usize;
    let mut stream = current.create_stream::<Main>()?;
    let mut batch = stream.adopt(current.malloc_host::<i32>(host, len)?);
    let mut input = stream.memset_async(stream.adopt(current.malloc::<i32>(len)?), 0)?;
    let mut output = stream.memset_async(stream.adopt(current.malloc::<i32>(len)?), 0)?;
    let (mut before, mut behind) = (current.create_event()?, current.create_event()?);
    let mut times = [Duration::ZERO; 3];
    for (stage, time) in times.iter_mut().enumerate() {
        stream.synchronize()?;
        let start = stream.record::<OrderTiming>(&mut before)?;
        for _ in 0..args.turns {
            match stage {
                0 => stream.memcpy_async(&mut input, &batch)?,
                1 => {
                    let operand = input.tensor(&[len])?;
                    let out = output.tensor_mut(&[len])?;
                    op::mul(current, &operand, &operand, out)?
                        .launch(&mut stream)?
                        .into_output();
                }
                _ => stream.memcpy_async(&mut batch, &output)?,
            }
        }
        let end = stream.record::<OrderTiming>(&mut behind)?;
        let millis = end.synchronize()?.millis_since(&start.synchronize()?)?;
        *time = Duration::from_secs_f32(millis.max(0.0) / 1000.0);
    }
    Ok(times)
}

/// Everything on one stream, with a wait in every turn.
fn in_order(current: Current<'_, '_, D>, host: HostSide<'_>, args: &Args) -> Result<Duration> {
    let len = args.numbers as usize;
    let mut stream = current.create_stream::<Main>()?;
    let mut batch = current.malloc_host::<i32>(host, len)?;
    let mut input = current.memset(current.malloc::<i32>(len)?, 0)?;
    let mut output = current.memset(current.malloc::<i32>(len)?, 0)?;
    let start = Instant::now();
    for turn in 0..i32::from(args.turns) {
        batch.fill(turn);
        current.memcpy(&mut input, &batch)?;
        let operand = input.tensor(&[len])?;
        let out = output.tensor_mut(&[len])?;
        op::mul(current, &operand, &operand, out)?.run(&mut stream)?;
        current.memcpy(&mut batch, &output)?;
        expect(turn, &batch)?;
    }
    Ok(start.elapsed())
}

/// Two batches in flight on three streams.
fn overlapped(current: Current<'_, '_, D>, host: HostSide<'_>, args: &Args) -> Result<Duration> {
    let (len, turns) = (args.numbers as usize, i32::from(args.turns));
    let mut up = current.create_stream::<Upload>()?;
    let mut compute = current.create_stream::<Compute>()?;
    let mut down = current.create_stream::<Download>()?;
    // All transfers between streams use one event: it is free again as soon as the wait is queued.
    let mut event = current.create_event::<Order>()?;
    let mut slots = VecDeque::new();
    for _ in 0..2 {
        slots.push_back(Slot::new(
            current,
            host,
            (&mut up, &mut compute, &mut down),
            len,
        )?);
    }
    let start = Instant::now();
    for turn in 0..turns + 2 {
        let Some(slot) = slots.pop_front() else { break };
        let (result, result_event) = slot.host_out.synchronize()?;
        let result = result.accept_unverified(); // checked below, number by number
        if turn >= 2 {
            expect(turn - 2, &result)?;
        }
        if turn >= turns {
            continue;
        }
        let (batch, batch_event) = slot.host_in.synchronize()?;
        let mut batch = batch.accept_unverified();
        batch.fill(turn);

        let (input, input_event) = up.wait_fence(slot.device_in)?;
        let batch = up.adopt(batch);
        let input = up.memcpy_async(input, &batch)?;
        let host_in = up.fence(batch_event, batch)?;
        let input = up.handoff(&mut compute, &mut event, input)?;

        let (output, output_event) = compute.wait_fence(slot.device_out)?;
        let operand = input.tensor(&[len])?;
        let plan = op::mul(current, &operand, &operand, output.into_tensor(&[len])?)?;
        let output = plan.launch(&mut compute)?.into_output();
        let device_in = compute.fence(input_event, input.forget_contents())?;
        let output = compute.handoff(&mut down, &mut event, output)?;

        let mut result = down.adopt(result);
        down.memcpy_async(&mut result, &output)?;
        let host_out = down.fence(result_event, result)?;
        let device_out = down.fence(output_event, output.forget_contents())?;
        slots.push_back(Slot {
            host_in,
            device_in,
            device_out,
            host_out,
        });
    }
    let elapsed = start.elapsed();
    // An event completes even if the work has failed. Only the streams report failures.
    up.synchronize()?;
    compute.synchronize()?;
    down.synchronize()?;
    Ok(elapsed)
}

/// Checks a batch of squares.
fn expect(turn: i32, squares: &[i32]) -> Result<()> {
    match squares
        .iter()
        .find(|square| **square != turn.wrapping_mul(turn))
    {
        None => Ok(()),
        Some(wrong) => Err(format!("the square of {turn} came back as {wrong}").into()),
    }
}
