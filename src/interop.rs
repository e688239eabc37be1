//! Use of AscendCL together with another library in the process, for instance torch_npu. Objects of the other library
//! are borrowed, and never destroyed or freed here.
//!
//! | object of the other library | in torch_npu | used here by | passed to the other library by |
//! |---|---|---|---|
//! | AscendCL, initialised | `import torch_npu` | [`Acl::attach`] | |
//! | a device that is set | `torch.npu.set_device(0)` | [`Acl::set_device`] | |
//! | a stream | `torch.npu.current_stream().npu_stream` | [`Current::borrow_raw_stream`] | [`Stream::as_raw`] |
//! | an event | `event.npu_event` | [`Current::borrow_raw_event`] | [`Event::as_raw`] |
//! | device memory | `tensor.data_ptr()` | [`Current::borrow_raw_memory`] | [`Buf::as_raw`], [`Queued::as_raw`](crate::Queued) |
//! | a tensor of DLPack | `tensor.__dlpack__()` | `Current::borrow_dlpack` | `Current::to_dlpack` (feature `dlpack`) |
//!
//! [`Foreign`] in a type marks a borrowed object. Otherwise borrowed streams, events and memory work like those of
//! this program.
//!
//! - **The runtime counts initialisations and uses of devices** (observed, CANN runtime 1.17). [`Acl::attach`] takes
//!   one initialisation and gives it back, and [`Device::reset`] gives back one use of the device. The objects of the
//!   other library on the device remain. [`Device::reset_force`] does not count: it resets the device for all users.
//! - **A device has one default context for the whole process.** So the streams of a library that calls
//!   `aclrtSetDevice` belong to the context that [`Thread::set_current`] binds.
//! - **Each thread has one current context**, which the other library uses too. [`Thread::visit`] makes the previous
//!   context current again.
//! - **Work runs in the order of the C calls.** torch_npu makes its calls from its own queue, and reading
//!   `npu_stream` waits until this queue is empty. So read it after the calls of torch whose work must come first.
//! - **Dropping a borrowed object does not wait.** Memory that torch_npu allocated for the same stream needs no wait,
//!   because its allocator reuses memory in the order of the stream. For other streams call `tensor.record_stream`,
//!   or wait before the tensor is released. Memory of this program that is dropped while it is queued, such as the
//!   workspace of an operator, is freed after a later wait that this program makes. So a service should wait from
//!   time to time, or allocate the memory with torch.
//! - **A failed task is reported once**, by the first wait of any handle of the stream. If the other library waits
//!   too, or the stream belongs to another handle of this crate, use [`Stream::drain`], which returns memory
//!   unverified.
//!
//! ```
//! # ascendcl::example!(|acl, host, current, torch| {
//! use ascendcl::memory::{ForeignBuf, Uninit};
//! use ascendcl::{Current, Npu, Result, StreamName, op, sys};
//!
//! /// The name of the streams of torch.
//! enum Torch {}
//! impl StreamName for Torch {}
//!
//! /// Queues the sum of two tensors, after the work that torch has queued, and does not wait.
//! ///
//! /// # Safety
//! ///
//! /// - The three addresses are those of contiguous tensors of `len` elements on the current device.
//! /// - torch has allocated the tensors for its stream `raw`.
//! /// - The tensors do not overlap.
//! unsafe fn add(
//!     current: Current<'_, '_, Npu<0>>,
//!     raw: sys::aclrtStream,
//!     [left, right, sum]: [*mut f32; 3],
//!     len: usize,
//! ) -> Result<()> {
//!     // SAFETY: torch does not destroy its streams.
//!     let mut stream = unsafe { current.borrow_raw_stream::<Torch>(raw) }?;
//!     // SAFETY: torch reuses the memory in the order of the stream, and all work here is on this stream.
//!     let left: ForeignBuf<'_, Npu<0>, [f32]> = unsafe { current.borrow_raw_memory(&(), left, len) }?;
//!     // SAFETY: the premises are the same as for `left`.
//!     let right: ForeignBuf<'_, Npu<0>, [f32]> = unsafe { current.borrow_raw_memory(&(), right, len) }?;
//!     // SAFETY: the premises are the same as for `left`. Fresh, because torch may not have written it.
//!     let sum: ForeignBuf<'_, Npu<0>, [f32], Uninit> = unsafe { current.borrow_raw_memory(&(), sum, len) }?;
//!     let (left, right, sum) = (stream.adopt(left), stream.adopt(right), stream.adopt(sum));
//!     let (left, right) = (left.tensor(&[len])?, right.tensor(&[len])?);
//!     let sum = op::add(current, &left, &right, 1.0, sum.into_tensor(&[len])?)?.launch(&mut stream)?;
//!     drop(sum); // does not free and does not wait: torch uses the tensor next, on its stream
//!     Ok(())
//! }
//! # let memory = [current.malloc::<f32>(16)?, current.malloc(16)?, current.malloc(16)?];
//! # let [a, b, c] = memory;
//! # let (a, b) = (current.memset(a, 0)?, current.memset(b, 0)?);
//! # // SAFETY: the stream and the memory live longer, and nothing else uses them.
//! # unsafe { add(current, torch.as_raw(), [a.as_raw(), b.as_raw(), c.as_raw()], 16) }?;
//! # torch.synchronize()?;
//! # });
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

/// Marks an object that another library of the process owns. It is borrowed here, and never destroyed or freed.
///
/// | type | what is borrowed | borrowed by |
/// |---|---|---|
/// | `Stream<'_, '_, D, Foreign<S>>` | a stream, under the name `S` | [`Current::borrow_raw_stream`](crate::Current::borrow_raw_stream) |
/// | `Event<'_, D, Foreign<C>>` | an event with the capability `C` | [`Current::borrow_raw_event`](crate::Current::borrow_raw_event) |
/// | `Buf<'_, Foreign<Dev<D>>, ..>` | device memory | [`Current::borrow_raw_memory`](crate::Current::borrow_raw_memory) |
///
/// `Foreign` is only part of the type, so it costs nothing at run time. `destroy` and `free` of a foreign object do
/// not compile.
///
/// ```
/// use ascendcl::interop::Foreign;
/// use ascendcl::{Npu, Stream, StreamName};
///
/// enum Torch {}
/// impl StreamName for Torch {}
///
/// /// A stream that torch_npu owns. It is never destroyed here.
/// type TorchStream<'t, 'dev> = Stream<'t, 'dev, Npu<0>, Foreign<Torch>>;
/// ```
pub struct Foreign<X>(PhantomData<Invariant<X>>);

impl<X> Sealed for Foreign<X> {}

impl<X> fmt::Debug for Foreign<X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Foreign<{}>", std::any::type_name::<X>())
    }
}
