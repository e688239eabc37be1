//! Beside another library in the process, torch_npu for instance: what belongs to it is borrowed here, and never
//! destroyed or freed.
//!
//! | of the other library | in torch_npu | here | from here to there |
//! |---|---|---|---|
//! | AscendCL, initialised | `import torch_npu` | [`Acl::attach`] | |
//! | a device that is set | `torch.npu.set_device(0)` | [`Acl::set_device`] | |
//! | a stream | `torch.npu.current_stream().npu_stream` | [`Current::borrow_raw_stream`] | [`Stream::as_raw`] |
//! | an event | `event.npu_event` | [`Current::borrow_raw_event`] | [`Event::as_raw`] |
//! | device memory | `tensor.data_ptr()` | [`Current::borrow_raw_memory`] | [`Buf::as_raw`], [`Queued::as_raw`](crate::Queued) |
//!
//! [`Foreign`] in a type says that the thing is borrowed. Everything else works as with streams, events and memory of
//! one's own.
//!
//! - **Initialising and setting devices is counted** by the runtime (observed, CANN runtime 1.17). [`Acl::attach`] gives
//!   back the one initialisation that it took, and [`Device::reset`] the one use of the device. What the other library
//!   has on the device stays there. [`Device::reset_force`] does not count: it takes the device away from everybody.
//! - **The default context of a device is one for the whole process**, so that the streams of a library that calls
//!   `aclrtSetDevice` are streams of the context that [`Thread::set_current`] binds.
//! - **The current context is the thread's**, also for the other library. [`Thread::visit`] makes the context of before
//!   current again.
//! - **Work goes in the order of the calls of C.** torch_npu calls from a queue of its own, which reading `npu_stream`
//!   empties: read it behind the calls of torch whose work has to come first.
//! - **Nothing waits when what is borrowed is dropped.** Memory that torch_npu gave out for the same stream needs no
//!   wait: its allocator reuses memory in the order of the stream. For other streams tell it by `tensor.record_stream`, or
//!   wait before the tensor is released. Memory of one's own that is dropped while it is queued, such as the workspace of
//!   an operator, is freed behind a wait that is made here: a service waits now and then, or takes its memory from torch.
//! - **A failed task is reported once**, to whoever waits first. Where the other library waits, too, memory is
//!   taken back unverified ([`Stream::drain`]).
//!
//! ```
//! # #[cfg(feature = "emulator")]
//! # fn main() -> ascendcl::Result<()> {
//! use ascendcl::memory::{ForeignBuf, Uninit};
//! use ascendcl::{Current, Npu, Result, StreamName, op, sys};
//!
//! /// The name of torch's streams here.
//! enum Torch {}
//! impl StreamName for Torch {}
//!
//! /// Writes the sum of two tensors to a third, behind the work that torch has queued, and waits for nothing.
//! ///
//! /// # Safety
//! ///
//! /// The three are contiguous tensors of `len` elements on the device that is current, which torch has allocated for
//! /// its stream `raw`. None of them is another one.
//! unsafe fn add(
//!     current: Current<'_, '_, Npu<0>>,
//!     raw: sys::aclrtStream,
//!     [left, right, sum]: [*mut f32; 3],
//!     len: usize,
//! ) -> Result<()> {
//!     // SAFETY: torch keeps its streams.
//!     let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }?;
//!     // SAFETY: torch gives the memory out again in the order of the stream, on which all work here is.
//!     let left: ForeignBuf<'_, Npu<0>, [f32]> = unsafe { current.borrow_raw_memory(&(), left, len) }?;
//!     // SAFETY: as above.
//!     let right: ForeignBuf<'_, Npu<0>, [f32]> = unsafe { current.borrow_raw_memory(&(), right, len) }?;
//!     // SAFETY: as above; fresh, because torch may not have written it.
//!     let sum: ForeignBuf<'_, Npu<0>, [f32], Uninit> = unsafe { current.borrow_raw_memory(&(), sum, len) }?;
//!     let (left, right, sum) = (stream.adopt(left), stream.adopt(right), stream.adopt(sum));
//!     let (left, right) = (left.tensor(&[len])?, right.tensor(&[len])?);
//!     let sum = op::add(current, &left, &right, 1.0, sum.into_tensor(&[len])?)?.launch(&mut stream)?;
//!     drop(sum); // not freed, and not waited for: torch goes on with it on its stream
//!     Ok(())
//! }
//! # let acl = ascendcl::Acl::from_env()?;
//! # let mut thread = ascendcl::Thread::claim()?;
//! # let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
//! # let current = thread.set_current(&device)?;
//! # let mut torch = current.create_stream::<ascendcl::stream::Main>()?;
//! # let memory = [current.malloc::<f32>(16)?, current.malloc(16)?, current.malloc(16)?];
//! # let [a, b, c] = memory;
//! # let (a, b) = (current.memset(a, 0)?, current.memset(b, 0)?);
//! # // SAFETY: the stream and the memory live longer, and nothing else uses them.
//! # unsafe { add(current, torch.as_raw(), [a.as_raw(), b.as_raw(), c.as_raw()], 16) }?;
//! # torch.synchronize()?;
//! # Ok(())
//! # }
//! # #[cfg(not(feature = "emulator"))]
//! # fn main() {}
//! ```
//!
//! [`Acl::attach`]: crate::Acl::attach
//! [`Acl::set_device`]: crate::Acl::set_device
//! [`Buf::as_raw`]: crate::Buf::as_raw
//! [`Current::borrow_raw_event`]: crate::Current::borrow_raw_event
//! [`Current::borrow_raw_memory`]: crate::Current::borrow_raw_memory
//! [`Current::borrow_raw_stream`]: crate::Current::borrow_raw_stream
//! [`Device::reset`]: crate::Device::reset
//! [`Device::reset_force`]: crate::Device::reset_force
//! [`Event::as_raw`]: crate::Event::as_raw
//! [`Stream::as_raw`]: crate::Stream::as_raw
//! [`Stream::drain`]: crate::Stream::drain
//! [`Thread::set_current`]: crate::Thread::set_current
//! [`Thread::visit`]: crate::Thread::visit

use std::fmt;
use std::marker::PhantomData;

use crate::state::{Invariant, Sealed};

/// Marks what another library of the process owns, which is borrowed here and never destroyed or freed.
///
/// | type | what is borrowed | borrowed by |
/// |---|---|---|
/// | `Stream<'_, '_, D, Foreign<S>>` | a stream, under the name `S` | [`Current::borrow_raw_stream`](crate::Current::borrow_raw_stream) |
/// | `Event<'_, D, Foreign<C>>` | an event with the capability `C` | [`Current::borrow_raw_event`](crate::Current::borrow_raw_event) |
/// | `Buf<'_, Foreign<Dev<D>>, ..>` | device memory | [`Current::borrow_raw_memory`](crate::Current::borrow_raw_memory) |
///
/// It is part of the type, so it costs nothing when the program runs, and `destroy` and `free` do not compile.
pub struct Foreign<X>(PhantomData<Invariant<X>>);

impl<X> Sealed for Foreign<X> {}

impl<X> fmt::Debug for Foreign<X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Foreign<{}>", std::any::type_name::<X>())
    }
}
