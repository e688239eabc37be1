//! Use beside another library: typed work on the stream and in the memory of a "torch" that does not know this crate.
//!
//! ```text
//! cargo run --release --example interop
//! ```
//!
//! `torch.rs` stands for the other library, with plain calls of C. `double` is an extension function: it borrows,
//! queues its work after that of the library, and returns without a wait. It destroys and frees nothing of the
//! library.

mod torch;

use std::error::Error;
use std::io::Write;
use std::process::ExitCode;

use ascendcl::memory::ForeignBuf;
use ascendcl::{Acl, Current, Npu, StreamName, Thread, op};

use torch::{Library, Tensor};

/// The name of torch's streams here.
enum Torch {}
impl StreamName for Torch {}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A failed write to stderr cannot be reported anywhere.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let acl = Acl::attach()?; // a further initialisation, which is undone at the end
    let torch = Library::start()?;
    let tensor = torch.full(0x11, 16)?; // queued on torch's stream, and not waited for
    let before = torch.read(&tensor)?;
    Thread::visit(|thread| {
        let device = acl.set_device::<Npu<0>>(thread, 0)?; // a further use, which `reset` ends
        let current = thread.set_current(&device)?;
        double(current, &torch, &tensor)?;
        current.synchronize_device()?; // returns the error if the work of `double` has failed
        device.reset() // frees the copy of `double`
    })??;
    let after = torch.read(&tensor)?;
    let pairs = before.iter().zip(&after);
    let right = pairs
        .filter(|(before, after)| *before + *before == **after)
        .count();
    let line = format!(
        "{right} of {} numbers of torch were doubled on its stream",
        after.len()
    );
    torch.stop(tensor)?;
    if right < after.len() {
        return Err(line.into());
    }
    writeln!(std::io::stdout(), "backend {}\n{line}", acl.backend())?;
    Ok(())
}

/// Doubles a tensor, after the earlier work of torch and before its later work.
fn double(
    current: Current<'_, '_, Npu<0>>,
    torch: &Library,
    tensor: &Tensor,
) -> ascendcl::Result<()> {
    // SAFETY: a stream of the context that torch and this program share, which torch keeps until `stop`.
    let mut stream = unsafe { current.borrow_raw_stream::<Torch>(torch.stream()) }?;
    let len = tensor.len();
    // SAFETY: elements that torch has written on this stream, on which it uses and frees them, too.
    let numbers: ForeignBuf<'_, Npu<0>, [f32]> =
        unsafe { current.borrow_raw_memory(tensor, tensor.data_ptr(), len) }?;
    let mut numbers = stream.adopt(numbers);
    let copy = stream.adopt(current.malloc(len)?);
    let copy = stream.memcpy_async(copy, &numbers)?;
    let (left, right) = (copy.tensor(&[len])?, copy.tensor(&[len])?);
    let out = numbers.tensor_mut(&[len])?;
    op::add(current, &left, &right, 1.0, out)?
        .launch(&mut stream)?
        .into_output();
    Ok(()) // drops the handles; the stream and the tensor remain, and the work continues
}
