//! Three ways to store the values of a device: in a struct with a lifetime, in a worker, or for the whole process.
//!
//! ```text
//! cargo run --release --example storable
//! ```
//!
//! Buffers and streams borrow their device, so they cannot outlive it. A service stores them for longer than a
//! function runs. These are the three ways, in the order in which to try them.

mod pipeline;
mod report;
mod service;

use std::error::Error;
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::thread;

use ascendcl::stream::Main;
use ascendcl::worker::{Client, Worker, WorkerOptions};
use ascendcl::{Acl, Device, Npu, Thread};
use clap::Parser;

use pipeline::Pipeline;
use report::{left, say};
use service::Service;

/// An error as a text: every failure ends as one line on the screen.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

/// Keeps device memory in a struct, in a worker, and for ever.
///
/// ASCENDCL_BACKEND chooses where: `cann`, `emulator`, or the path of a libascendcl.so. Without it
/// CANN is used where it is found, else the emulator.
#[derive(Debug, Parser)]
#[command(
    name = "storable",
    after_help = "Exit status: 0 if everything went well, 1 if something failed, 2 for a wrong command line."
)]
struct Args {
    /// Which device to use
    #[arg(
        long,
        value_name = "ID",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    device: u32,
}

/// The numbers that the pipeline adds to each request.
const BIAS: [f32; 3] = [10.0, 20.0, 30.0];

fn main() -> ExitCode {
    let args = Args::parse();
    match report::log().and_then(|()| run(args.device)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::complain(&*error);
            ExitCode::FAILURE
        }
    }
}

fn run(id: u32) -> Result<()> {
    borrowed(id)?;
    in_a_worker(id)?;
    // Last, because it never ends: while this `Acl` lives, there can be no other.
    leaked(id)
}

/// A struct that borrows the device. It is enough if a caller holds the device anyway.
fn borrowed(id: u32) -> Result<()> {
    let acl = Acl::from_env()?;
    say(&format!("backend  {}\ndevice   {id}\n", acl.backend()))?;
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, id)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;

    let mut pipeline: Pipeline<'_, Npu<0>> = Pipeline::new(current, &BIAS)?;
    let numbers = [1.0, 2.0, 3.0];
    let answer = pipeline.add(current, &mut stream, &numbers)?;
    say("1. Pipeline<'d, D> borrows the device")?;
    say(&format!("   {numbers:?} + {BIAS:?} = {answer:?}"))?;

    // `device.reset()` before `pipeline.free()` does not compile.
    stream.destroy()?;
    pipeline.free()?;
    device.reset()?;
    acl.finalize()?;
    say(&format!("   released; left alive: {}\n", left()))
}

/// The thread of a worker owns everything, and each caller has a client without a lifetime.
fn in_a_worker(id: u32) -> Result<()> {
    let acl = Arc::new(Acl::from_env()?);
    let options = WorkerOptions::default().with_attempts(3);
    let worker = Worker::spawn::<Npu<0>>(acl, id, options, |current, _, requests| {
        let mut stream = current.create_stream::<Main>()?;
        let mut pipeline = Pipeline::new(current, &BIAS)?;
        requests.serve(|numbers: Vec<f32>| pipeline.add(current, &mut stream, &numbers))
    });
    say("2. Worker has a thread that owns everything")?;
    let asked = ask(&worker.client());
    worker.stop()?;
    asked?;
    say(&format!("   released; left alive: {}\n", left()))
}

/// Sends requests from two other threads and from this one.
fn ask(client: &Client<Vec<f32>, Vec<f32>>) -> Result<()> {
    for numbers in [[1.0; 3], [2.0; 3]] {
        let client = client.clone();
        let asking = thread::spawn(move || client.call(numbers.to_vec()));
        let answer = asking.join().map_err(|_| "a client's thread panicked")??;
        say(&format!("   {numbers:?} + {BIAS:?} = {answer:?}"))?;
    }
    // A refused request returns its error, and the worker goes on.
    if let Err(error) = client.call(vec![1.0; 4]) {
        say(&format!("   {error}"))?;
    }
    let numbers = [3.0; 3];
    let answer = client.call(numbers.to_vec())?;
    say(&format!("   {numbers:?} + {BIAS:?} = {answer:?}"))
}

/// Leaked handles live as long as the process. So their borrowers need no lifetime and can be stored in a static. In
/// return, nothing is ever reset or finalised.
fn leaked(id: u32) -> Result<()> {
    static SERVICE: OnceLock<Service> = OnceLock::new();

    let acl: &'static Acl = Acl::from_env()?.leak();
    let mut thread = Thread::claim()?;
    let device: &'static Device<'static, Npu<0>> = acl.set_device(&mut thread, id)?.leak();
    let service = Service::new(&mut thread, device, &BIAS)?;
    let service = SERVICE.get_or_init(|| service);

    say("3. Service has no lifetime, its handles are leaked")?;
    let numbers = [4.0; 3];
    let answer = service.add(&mut thread, &numbers)?;
    say(&format!("   {numbers:?} + {BIAS:?} = {answer:?}"))?;
    let numbers = [5.0; 3];
    let elsewhere = thread::spawn(move || service.add(&mut Thread::claim()?, &numbers));
    let answer = elsewhere
        .join()
        .map_err(|_| "a service thread panicked")??;
    say(&format!("   {numbers:?} + {BIAS:?} = {answer:?}"))?;
    say(&format!("   kept to the end of the process: {}", left()))
}
