//! Adds two tensors on an Ascend NPU, or on the emulator if there is none.
//!
//! ```text
//! cargo run --example vector_add
//! cargo run --release --example vector_add -- --a x.npy --b y.npy --out sum.npy
//! ```
//!
//! The data takes the usual path: a file, page-locked host memory, device memory, an aclnn operator, and back. If a
//! step fails, every handle is released by its owner, in the right order. Only the success path releases by hand, to
//! see the errors.

/// Leaves the function with an error of this text.
macro_rules! bail {
    ($($text:tt)*) => { return Err(format!($($text)*).into()) };
}

mod args;
mod cpu;
mod npy;
mod output;
mod report;
mod shape;

use std::error::Error;
use std::process::ExitCode;

use ascendcl::memory::Uninit;
use ascendcl::stream::Main;
use ascendcl::sys::{ACL_ERROR_RT_DEVICE_OOM, ACL_ERROR_RT_MEMORY_ALLOCATION};
use ascendcl::{Acl, Current, DeviceBuf, DeviceTag, HostBuf, Npu, Thread, op};
use clap::Parser;
use half::{bf16, f16};
use indicatif::{HumanBytes, ProgressBar};

use args::Args;
use cpu::{Expected, Function, Number};
use npy::{Dtype, Npy};
use output::Output;
use report::Report;

/// Every failure ends as one line on the screen, so a text with its context is all that is needed.
type Result<T, E = Box<dyn Error + Send + Sync>> = std::result::Result<T, E>;

fn main() -> ExitCode {
    let args = Args::parse();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            report::complain(&*error);
            ExitCode::FAILURE
        }
    }
}

/// Reads the headers of the files. Only they give the element type for the generic part.
fn run(args: &Args) -> Result<()> {
    report::log(args.verbose)?;
    let (a, b) = Npy::open_pair(&args.a(), &args.b(), args.dtype)?;
    match a.dtype {
        Dtype::F32 => compute::<f32>(args, a, b),
        Dtype::F16 => compute::<f16>(args, a, b),
        Dtype::Bf16 => compute::<bf16>(args, a, b),
        Dtype::I32 => compute::<i32>(args, a, b),
        Dtype::I64 => compute::<i64>(args, a, b),
    }
}

fn compute<T: Number>(args: &Args, a: Npy, b: Npy) -> Result<()> {
    // All checks of the input come before the first use of a device.
    let mut report = Report::start();
    let function = args.function::<T>()?;
    let shape = shape::of_result(&a, &b)?;
    let mut output = Output::create(&args.out(), [&a.path, &b.path], &a.stored(), &shape)?;
    let (left, right) = (a.read::<T>()?, b.read::<T>()?);
    let len: usize = shape.iter().product();
    let bytes = |elements: usize| elements * size_of::<T>();
    report.lap("read the files", bytes(left.len() + right.len()));
    if len == 0 {
        // AscendCL allocates no empty memory, so there is nothing that a device could do.
        output.finish()?;
        return report::say(&format!(
            "The result of the shape {} has no elements: no device was used.\nWritten to {}.",
            shape::tuple(&shape),
            args.out().display()
        ));
    }

    // STEP 1: Initialise AscendCL, take the device into use, make it this thread's, and create a
    // stream, the queue that the operator will run in.
    let acl = Acl::from_env()?;
    let Some(host) = acl.run_mode()?.host() else {
        bail!(
            "this example needs a host with a card beside it, and AscendCL says that it runs on the \
             chip itself (Ascend RC), where there is device memory only: run it on a host"
        );
    };
    let mut thread = Thread::claim()?;
    let device = acl.set_device::<Npu<0>>(&mut thread, args.device)?;
    let current = thread.set_current(&device)?;
    let mut stream = current.create_stream::<Main>()?;
    report.lap("start AscendCL", 0);
    report::say(&format!(
        "backend    {}\ndevice     {} of {}, {}\noperation  {} {} {function} {} = {}\n",
        acl.backend(),
        device.id(),
        acl.device_count()?,
        acl.soc_name().as_deref().unwrap_or("chip unknown"),
        a.dtype,
        shape::tuple(&a.shape),
        shape::tuple(&b.shape),
        shape::tuple(&shape),
    ))?;

    // STEP 2: Allocate host memory. Page-locked memory is scarce, so one piece of it serves all
    // tensors, in chunks if they are longer.
    let longest = left.len().max(right.len()).max(len);
    let chunk = longest.min(args.chunk / size_of::<T>()).max(1);
    let mut staging = current
        .malloc_host::<T>(host, chunk)
        .map_err(|error| exhausted(error, || "a smaller --chunk-mib may help".into()))?;

    // STEP 3: Allocate device memory. It is fresh: the types allow no read before the first write.
    let total = bytes(left.len() + right.len() + len);
    let in_need = |error| {
        exhausted(error, || {
            format!(
                "the tensors need {} of device memory",
                HumanBytes(total as u64)
            )
        })
    };
    let device_a = current.malloc::<T>(left.len()).map_err(in_need)?;
    let device_b = current.malloc::<T>(right.len()).map_err(in_need)?;
    let device_out = current.malloc::<T>(len).map_err(in_need)?;
    report.lap("allocate", 0);

    // STEP 4: Copy the operands from the host to the device.
    let progress = report::progress(total, chunk < longest)?;
    progress.set_message("host to device");
    let device_a = upload(current, device_a, &left, &mut staging, &progress)?;
    let device_b = upload(current, device_b, &right, &mut staging, &progress)?;
    report.lap("host to device", bytes(left.len() + right.len()));

    // STEP 5: Compute. The plan is the operator's first phase; running it queues the second one on
    // the stream, waits, and gives the output back as memory that may be read.
    let (tensor_a, tensor_b) = (device_a.tensor(&a.shape)?, device_b.tensor(&b.shape)?);
    let out = device_out.into_tensor(&shape)?;
    let device_out = match function {
        Function::Add { alpha } => {
            let plan = op::add(current, &tensor_a, &tensor_b, alpha, out)?;
            plan.run(&mut stream).map_err(in_need)?
        }
        Function::Multiply => {
            let plan = op::mul(current, &tensor_a, &tensor_b, out)?;
            plan.run(&mut stream).map_err(in_need)?
        }
    };
    report.lap("compute", total);

    // STEP 6: Copy the result from the device to the host, and
    // STEP 7: use it there: compare it with what the CPU computes, write it to the file.
    progress.set_message("device to host");
    let mut expected = Expected::new(function, (&left, &a.shape), (&right, &b.shape), &shape);
    for start in (0..len).step_by(chunk) {
        let end = len.min(start + chunk);
        current.memcpy(
            staging.slice_mut(0..end - start)?,
            device_out.slice(start..end)?,
        )?;
        report.lap("device to host", bytes(end - start));
        let values = staging.get(..end - start).unwrap_or_default();
        expected.check(values)?;
        report.lap("check on the CPU", bytes(end - start));
        output.write(values)?;
        report.lap("write the file", bytes(end - start));
        progress.inc(bytes(end - start) as u64);
    }
    progress.finish_and_clear();

    // STEP 8: Release. To reset the device while its memory or the stream lives does not compile, and
    // neither does finalising AscendCL while a device lives.
    staging.free()?;
    device_a.free()?;
    device_b.free()?;
    device_out.free()?;
    stream.destroy()?;
    device.reset()?;
    acl.finalize()?;
    report.lap("release", 0);

    // The file gets its name only now, so it exists only if nothing has failed.
    output.finish()?;
    report::say(&format!(
        "{report}\nAll {len} elements are exactly what the CPU computes.\nWritten to {}.",
        args.out().display()
    ))
}

/// Adds the remedy to an error of exhausted memory.
fn exhausted(error: ascendcl::Error, said: impl FnOnce() -> String) -> String {
    match error.code() {
        Some(ACL_ERROR_RT_MEMORY_ALLOCATION | ACL_ERROR_RT_DEVICE_OOM) => {
            format!("{}: {error}", said())
        }
        _ => error.to_string(),
    }
}

/// Copies `values` to fresh device memory through `staging`, a chunk at a time.
fn upload<'dev, D: DeviceTag, T: Number>(
    current: Current<'_, 'dev, D>,
    fresh: DeviceBuf<'dev, D, [T], Uninit>,
    values: &[T],
    staging: &mut HostBuf<'_, [T]>,
    progress: &ProgressBar,
) -> Result<DeviceBuf<'dev, D, [T]>> {
    let mut writer = fresh.writer();
    for chunk in values.chunks(staging.len()) {
        for (slot, value) in staging.iter_mut().zip(chunk) {
            *slot = *value;
        }
        writer.memcpy(current, staging.slice(0..chunk.len())?)?;
        progress.inc(size_of_val(chunk) as u64);
    }
    Ok(writer.finish()?)
}
