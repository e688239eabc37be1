//! Host functions in the order of a stream: the stream calls functions that write each batch and add it up, and no
//! thread waits before the end.
//!
//! ```text
//! cargo run --release --example callback
//! ```
//!
//! First a thread of the runtime runs the functions (`aclrtLaunchHostFunc`). Then a thread of this program runs them
//! (`aclrtLaunchCallback`), which older releases of CANN have too.

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::thread;
use std::time::Duration;

use ascendcl::callback::{Report, ReportThreadId};
use ascendcl::stream::Main;
use ascendcl::{
    Acl, Current, Device, ErrorKind, HostBuf, HostSide, Npu, Queued, Stream, StreamName, Thread,
};
use clap::Parser;

/// An error as a text: every failure ends as one line on the screen.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// Lets a stream call functions of the host that write and add up its batches.
///
/// ASCENDCL_BACKEND chooses where: `cann`, `emulator`, or the path of a libascendcl.so. Without it
/// CANN is used where it is found, else the emulator.
#[derive(Debug, Parser)]
#[command(
    name = "callback",
    after_help = "Exit status: 0 if all sums are right, 1 if something failed, 2 for a wrong command line."
)]
struct Args {
    /// The device to use
    #[arg(long, value_name = "ID", default_value_t = 0)]
    device: u32,
    /// How many batches
    #[arg(long, value_name = "COUNT", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=1000))]
    batches: u32,
}

/// The pause between two looks of the serving thread at the end of the stream.
const PAUSE: Duration = Duration::from_millis(100);

/// Numbers of a batch.
const LEN: usize = 10_000;

type D = Npu<0>;
type InQueue<'d, S> = Queued<'d, (D, S), HostBuf<'d, [u32]>>;

enum Served {}
impl StreamName for Served {}

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
    let device = acl.set_device::<D>(&mut thread, args.device)?;
    let current = thread.set_current(&device)?;
    by_the_runtime(current, host, args.batches)?;
    by_a_thread(&device, current, host, args.batches)?;
    device.reset()?;
    acl.finalize()?;
    Ok(())
}

/// Host functions.
fn by_the_runtime(current: Current<'_, '_, D>, host: HostSide<'_>, batches: u32) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    if let Err(error) = stream.launch_host_func(|| {}) {
        return match error.kind() {
            ErrorKind::Backend(missing) => say(&format!("no host functions: {missing}")),
            _ => Err(error.into()),
        };
    }
    let sums = queue(current, host, &mut stream, batches, |stream, input, f| {
        stream.launch_host_func_on(input, f)
    })?;
    stream.synchronize()?;
    stream.destroy()?;
    expect("host functions", batches, &sums)
}

/// Callbacks, on a thread that serves the stream for as long as it is subscribed.
fn by_a_thread(
    device: &Device<'_, D>,
    current: Current<'_, '_, D>,
    host: HostSide<'_>,
    batches: u32,
) -> Result<()> {
    let mut stream = current.create_stream::<Served>()?;
    thread::scope(|scope| {
        let ((tell_id, id), (tell_go, go)) = (channel(), channel());
        let server = scope.spawn(move || serve(device, &tell_id, &go));
        let sums = served(current, host, &mut stream, batches, &id, &tell_go);
        // Also after a failure: the end of the stream ends the subscription, and with it the thread.
        stream.destroy()?;
        drop(tell_go);
        match server.join() {
            Ok(ended) => ended?,
            Err(_) => return Err("the thread that serves the stream has panicked".into()),
        }
        expect("callbacks", batches, &sums?)
    })
}

/// The thread that runs the callbacks.
fn serve(
    device: &Device<'_, D>,
    tell_id: &Sender<ReportThreadId<D>>,
    go: &Receiver<()>,
) -> Result<()> {
    let mut thread = Thread::claim()?;
    let mut reports = thread.set_current(device)?.report_thread();
    tell_id.send(reports.id())?;
    // If no message comes, there is no stream to serve.
    if go.recv().is_err() {
        return Ok(());
    }
    let mut failed = None;
    loop {
        match reports.process_report(Some(PAUSE)) {
            Ok(Report::Called) => {}
            // A stream whose destruction was refused stays subscribed.
            Ok(Report::TimeUp) if go.try_recv() != Err(TryRecvError::Disconnected) => {}
            Ok(Report::TimeUp | Report::NoStream) => break,
            // A stream waits for ever if no thread runs its callbacks, so this thread stays until the stream has
            // ended. A lost device refuses each call at once, so the pause is here.
            Err(error) => {
                failed = failed.or(Some(error));
                if go.recv_timeout(PAUSE) == Err(RecvTimeoutError::Disconnected) {
                    break;
                }
            }
        }
    }
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(()),
    }
}

/// The thread that has the stream.
fn served<'d>(
    current: Current<'_, 'd, D>,
    host: HostSide<'_>,
    stream: &mut Stream<'_, 'd, D, Served>,
    batches: u32,
    id: &Receiver<ReportThreadId<D>>,
    go: &Sender<()>,
) -> Result<Receiver<u64>> {
    let subscribed = stream.subscribe_report(&id.recv()?)?;
    go.send(())?;
    let sums = queue(current, host, stream, batches, |stream, memory, f| {
        stream.launch_callback_on(&subscribed, memory, f)
    })?;
    stream.unsubscribe_report(subscribed)?;
    stream.synchronize()?;
    Ok(sums)
}

/// A host function to be queued.
type Function = Box<dyn FnOnce(&mut [u32]) + Send>;

/// Queues all batches: one function writes a batch, the batch is copied to the device and back, and another function
/// adds it up.
fn queue<'d, S: StreamName>(
    current: Current<'_, 'd, D>,
    host: HostSide<'_>,
    stream: &mut Stream<'_, 'd, D, S>,
    batches: u32,
    launch: impl Fn(&mut Stream<'_, 'd, D, S>, &mut InQueue<'_, S>, Function) -> ascendcl::Result<()>,
) -> Result<Receiver<u64>> {
    let (tell, sums) = channel();
    let mut input = stream.adopt(current.malloc_host::<u32>(host, LEN)?);
    let mut output = stream.adopt(current.malloc_host::<u32>(host, LEN)?);
    let on_device = stream.adopt(current.malloc::<u32>(LEN)?);
    let mut on_device = stream.memset_async(on_device, 0)?;
    for batch in 1..=batches {
        launch(
            stream,
            &mut input,
            Box::new(move |numbers| numbers.fill(batch)),
        )?;
        stream.memcpy_async(&mut on_device, &input)?;
        stream.memcpy_async(&mut output, &on_device)?;
        let tell = tell.clone();
        launch(
            stream,
            &mut output,
            Box::new(move |numbers| {
                // After an error nobody receives the sum.
                let _ = tell.send(numbers.iter().map(|number| u64::from(*number)).sum());
            }),
        )?;
    }
    Ok(sums)
}

/// Checks the sums of all batches.
fn expect(who: &str, batches: u32, sums: &Receiver<u64>) -> Result<()> {
    let expected = (1..=batches).map(|batch| u64::from(batch) * LEN as u64);
    if sums.try_iter().eq(expected) {
        say(&format!("{who}: {batches} sums are right"))
    } else {
        Err(format!("{who}: a sum is missing or wrong").into())
    }
}

/// Prints to stdout.
fn say(text: &str) -> Result<()> {
    Ok(writeln!(std::io::stdout(), "{text}")?)
}
