//! The four ways to wait in AscendCL: for an event, for a stream, of one stream for another one, and for a device.
//!
//! ```text
//! cargo run --release --example synchronization
//! ```
//!
//! Each part queues work with calls that return at once, and then waits for it in its own way. Until then the types
//! hold the memory back: a wait returns a proof, and the proof returns the memory.

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use ascendcl::event::{Order, Progress};
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, DeviceTag, HostSide, Npu, StreamName, Thread};
use clap::Parser;

/// An error as a text: every failure ends as one line on the screen.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// Shows the four ways to wait in AscendCL, on every device or on one.
///
/// ASCENDCL_BACKEND chooses where: `cann`, `emulator`, or the path of a libascendcl.so. Without it
/// CANN is used where it is found, else the emulator.
#[derive(Debug, Parser)]
#[command(
    name = "synchronization",
    after_help = "Exit status: 0 if every wait was a proof, 1 if something failed, 2 for a wrong command line."
)]
struct Args {
    /// The device to use [default: the first two there are]
    #[arg(long, value_name = "ID")]
    device: Option<u32>,
}

/// Elements of each buffer.
const LEN: usize = 100_000;

enum Second {}
impl StreamName for Second {}
enum Third {}
impl StreamName for Third {}

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
    let host = acl.host()?;
    say(&format!("backend {}", acl.backend()))?;
    let mut thread = Thread::claim()?;
    let first = acl.set_device::<Npu<0>>(&mut thread, args.device.unwrap_or(0))?;
    let current = thread.set_current(&first)?;
    for_an_event(current, host)?;
    for_a_stream(current, host)?;
    of_a_stream_for_another(current, host)?;
    for_a_device(current)?;
    if args.device.is_none() && acl.device_count()? > 1 {
        // A wait for a device is for the device that this thread is bound to.
        let second = acl.set_device::<Npu<1>>(&mut thread, 1)?;
        for_a_device(thread.set_current(&second)?)?;
        second.reset()?;
    }
    first.reset()?;
    acl.finalize()?;
    Ok(())
}

/// The host waits for an event behind the work (`aclrtSynchronizeEvent`).
fn for_an_event<D: DeviceTag>(current: Current<'_, '_, D>, host: HostSide<'_>) -> Result<()> {
    let event = current.create_event::<Progress>()?;
    let mut stream = current.create_stream::<Main>()?;
    let filled = stream.adopt(current.malloc::<u32>(LEN)?);
    let filled = stream.memset_async(filled, 1)?;
    let mut back = stream.adopt(current.malloc_host::<u32>(host, LEN)?);
    stream.memcpy_async(&mut back, &filled)?;
    let fence = stream.fence(event, back)?;
    // The event proves that the work is over. The stream proves that it has succeeded.
    let (unverified, event) = fence.synchronize()?;
    let idle = stream.synchronize()?;
    let back = idle.verify(unverified);
    expect("event", &back, 0x0101_0101)?;
    idle.take(filled).free()?;
    stream.destroy()?;
    event.destroy()?;
    Ok(())
}

/// The host waits for all work of a stream (`aclrtSynchronizeStream`).
fn for_a_stream<D: DeviceTag>(current: Current<'_, '_, D>, host: HostSide<'_>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let mut numbers = current.malloc_host::<u32>(host, LEN)?;
    numbers.fill(7);
    let numbers = stream.adopt(numbers);
    let uploaded = stream.adopt(current.malloc::<u32>(LEN)?);
    let uploaded = stream.memcpy_async(uploaded, &numbers)?;
    let mut back = stream.adopt(current.malloc_host::<u32>(host, LEN)?);
    stream.memcpy_async(&mut back, &uploaded)?;
    let idle = stream.synchronize()?;
    expect("stream", &idle.take(back), 7)?;
    drop((idle.take(numbers), idle.take(uploaded)));
    stream.destroy()?;
    Ok(())
}

/// Two streams wait for one event of a third (`aclrtStreamWaitEvent`). The host does not wait in between.
fn of_a_stream_for_another<D: DeviceTag>(
    current: Current<'_, '_, D>,
    host: HostSide<'_>,
) -> Result<()> {
    let mut event = current.create_event::<Order>()?;
    let mut first = current.create_stream::<Main>()?;
    let mut second = current.create_stream::<Second>()?;
    let mut third = current.create_stream::<Third>()?;
    let filled = first.adopt(current.malloc::<u32>(LEN)?);
    let filled = first.memset_async(filled, 3)?;
    // The memory moves to the second stream. The third one waits for the same event.
    let filled = first.handoff(&mut second, &mut event, filled)?;
    let recorded = first.record(&mut event)?;
    third.wait(recorded)?;
    let mut back = second.adopt(current.malloc_host::<u32>(host, LEN)?);
    second.memcpy_async(&mut back, &filled)?;
    third.synchronize()?;
    let idle = second.synchronize()?;
    let (back, filled) = (idle.take(back), idle.take(filled));
    // The second stream has waited for the fill. Only the first stream can report whether the fill has succeeded, so
    // the numbers that came from it are looked at afterwards.
    let filled = first.synchronize()?.verify(filled);
    expect("stream to stream", &back, 0x0303_0303)?;
    filled.free()?;
    first.destroy()?;
    second.destroy()?;
    third.destroy()?;
    event.destroy()?;
    Ok(())
}

/// The host waits for every stream of the device (`aclrtSynchronizeDevice`).
fn for_a_device<D: DeviceTag>(current: Current<'_, '_, D>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let filled = stream.adopt(current.malloc::<u32>(LEN)?);
    let filled = stream.memset_async(filled, 9)?;
    // This memory is no longer needed, but its fill is queued: it is freed after the wait.
    drop(filled);
    current.synchronize_device()?;
    stream.destroy()?;
    say("waited for a device")
}

/// Checks that a wait has waited.
fn expect(wait: &str, numbers: &[u32], expected: u32) -> Result<()> {
    match numbers.iter().position(|number| *number != expected) {
        None => say(&format!(
            "waited for {wait}: {} numbers are right",
            numbers.len()
        )),
        Some(index) => Err(format!("after the wait for {wait} number {index} is wrong").into()),
    }
}

/// Prints to stdout.
fn say(text: &str) -> Result<()> {
    Ok(writeln!(std::io::stdout(), "{text}")?)
}
