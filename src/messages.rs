//! Messages of the compiler: their meaning for AscendCL, and the remedies.
//!
//! If a trait of this crate is not implemented, the message comes from this crate and names the next step. The
//! messages of the borrow checker and of the type checker cannot be changed. This page has one section for each of
//! them: the message, its meaning for AscendCL, the remedy, and an example with the corrected program below it.
//!
//! # E0505: cannot move out of `x` because it is borrowed
//!
//! The call consumes its handle, as `device.reset()`, `stream.destroy()` and `buffer.free()` do, but another value
//! still needs the handle. AscendCL would continue with an invalid handle. The compiler marks two more places.
//! "Borrow of `x` occurs here" is the place where the dependent value was made. "Borrow later used here" is the place
//! where it is still used, perhaps only because it is dropped at the end of its scope. Release the dependent value
//! first.
//!
//! ```compile_fail,E0505
//! # use ascendcl::{Acl, Npu, Result, Thread};
//! # fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
//! let device = acl.set_device::<Npu<0>>(thread, 0)?;
//! let buf = thread.set_current(&device)?.malloc::<f32>(16)?;
//! device.reset()?; // error: `buf` is memory of the device
//! buf.free()
//! # }
//! ```
//!
//! ```
//! # use ascendcl::{Acl, Npu, Result, Thread};
//! # fn right(acl: &Acl, thread: &mut Thread) -> Result<()> {
//! # let device = acl.set_device::<Npu<0>>(thread, 0)?;
//! # let buf = thread.set_current(&device)?.malloc::<f32>(16)?;
//! buf.free()?;
//! device.reset()
//! # }
//! ```
//!
//! # E0499: cannot borrow `x` as mutable more than once
//!
//! Two values need exclusive use of `x`. Most often `x` is the [`Thread`](crate::Thread). A thread has one current
//! context, so the second binding makes the first one invalid. Finish the use of the first binding and of its streams
//! before the second binding. For two devices at a time, use a thread for each, or park the streams
//! ([`Stream::park`](crate::Stream::park)).
//!
//! ```compile_fail,E0499
//! # use ascendcl::{Device, Npu, Result, Thread};
//! # fn wrong(thread: &mut Thread, a: &Device<'_, Npu<0>>, b: &Device<'_, Npu<1>>) -> Result<()> {
//! let on_a = thread.set_current(a)?;
//! let on_b = thread.set_current(b)?; // error: `on_a` is used below
//! on_a.malloc::<f32>(16)?.free()?;
//! on_b.malloc::<f32>(16)?.free()
//! # }
//! ```
//!
//! ```
//! # use ascendcl::{Device, Npu, Result, Thread};
//! # fn right(thread: &mut Thread, a: &Device<'_, Npu<0>>, b: &Device<'_, Npu<1>>) -> Result<()> {
//! let on_a = thread.set_current(a)?;
//! on_a.malloc::<f32>(16)?.free()?;
//! let on_b = thread.set_current(b)?;
//! on_b.malloc::<f32>(16)?.free()
//! # }
//! ```
//!
//! # E0502, E0503 and E0506: cannot borrow, use or assign because it is also borrowed
//!
//! One value reads the memory while another one writes it. A plan borrows its operands and its output until it has
//! run, a slice borrows its buffer, and `&host[..]` borrows all elements. The compiler does not distinguish two parts
//! of one buffer. Finish the use of the first value. An [`Idle`](crate::stream::Idle) borrows its stream: queue new
//! work after the last [`take`](crate::stream::Idle::take).
//!
//! ```compile_fail,E0502
//! # use ascendcl::{Current, HostBuf, Npu, Result, Stream};
//! # fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, host: HostBuf<'_, [f32]>) -> Result<()> {
//! let numbers = stream.adopt(host);
//! let idle = stream.synchronize()?;
//! let next = stream.malloc::<f32>(16)?; // error: `idle` says that nothing is queued
//! let numbers = idle.take(numbers);
//! # drop((next, numbers)); Ok(()) }
//! ```
//!
//! ```
//! # use ascendcl::{Current, HostBuf, Npu, Result, Stream};
//! # fn right(stream: &mut Stream<'_, '_, Npu<0>>, host: HostBuf<'_, [f32]>) -> Result<()> {
//! # let numbers = stream.adopt(host);
//! let idle = stream.synchronize()?;
//! let numbers = idle.take(numbers);
//! let next = stream.malloc::<f32>(16)?;
//! # drop((next, numbers)); Ok(()) }
//! ```
//!
//! # E0507: cannot move out of `*x`
//!
//! A release takes its handle by value, but the function has only borrowed the handle. Take the handle by value, or
//! leave the release to the owner. A [`Shared`](crate::queue::Shared) buffer has several owners:
//! [`try_unwrap`](crate::queue::Shared::try_unwrap) turns the last share into the buffer. A stream that
//! [`ParkedStream::with`](crate::ParkedStream::with) lends is destroyed and aborted behind the closure: `parked.destroy(current)?`,
//! `parked.abort(current)?`.
//!
//! ```compile_fail,E0507
//! # use ascendcl::{Device, Npu, Result};
//! fn end(device: &Device<'_, Npu<0>>) -> Result<()> {
//!     device.reset() // error: `*device` is behind a shared reference
//! }
//! ```
//!
//! ```
//! # use ascendcl::{Device, Npu, Result};
//! fn end(device: Device<'_, Npu<0>>) -> Result<()> {
//!     device.reset()
//! }
//! ```
//!
//! # E0382: use of moved value
//!
//! The value was moved. Either it was released and does not exist any more, or a stream owns it and may be reading or
//! writing it now. In the second case [`synchronize`](crate::Stream::synchronize) or a [fence](crate::Stream::fence)
//! gives it back. The note of the compiler names the call that took the value.
//!
//! ```compile_fail,E0382
//! # use ascendcl::{HostBuf, Npu, Result, Stream};
//! # fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, host: HostBuf<'_, [f32]>) -> Result<()> {
//! let numbers = stream.adopt(host);
//! println!("{}", host[0]); // error: the stream owns it
//! # drop(numbers); Ok(()) }
//! ```
//!
//! ```
//! # use ascendcl::{HostBuf, Npu, Result, Stream};
//! # fn right(stream: &mut Stream<'_, '_, Npu<0>>, host: HostBuf<'_, [f32]>) -> Result<()> {
//! let numbers = stream.adopt(host);
//! let host = stream.synchronize()?.take(numbers);
//! println!("{}", host[0]);
//! # Ok(()) }
//! ```
//!
//! # E0200: the trait `Operator` requires an `unsafe impl` declaration
//!
//! A program [declares](crate::operator!) an operator that this crate does not have. The compiler cannot compare the
//! declaration with the C function, so the program is responsible for it. Compare the parameters with the header
//! below `aclnnop/`, and write `unsafe impl`.
//!
//! ```compile_fail,E0200
//! # use ascendcl::op::{In, Operator, Out};
//! enum Sign {}
//! impl Operator for Sign {
//!     ascendcl::operator!(aclnnSign(x: In<f32>, out: Out<f32>));
//! }
//! ```
//!
//! The right form compiles:
//!
//! ```
//! # use ascendcl::op::{In, Operator, Out};
//! enum Sign {}
//! // SAFETY: the parameters of `aclnnop/aclnn_sign.h`, CANN 8.1; it writes all of `out`.
//! unsafe impl Operator for Sign {
//!     ascendcl::operator!(aclnnSign(x: In<f32>, out: Out<f32>));
//! }
//! ```
//!
//! # E0597: `x` does not live long enough
//!
//! A scope drops its variables in the opposite order of their declaration. Here the owner is dropped first: the
//! device before its buffer, or an array before the copy that reads it. Declare the owner earlier, release the
//! dependent value explicitly, or give the stream memory that it can own.
//!
//! ```compile_fail,E0597
//! # use ascendcl::{Acl, Npu, Result, Thread};
//! # fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
//! let mut kept = None;
//! let device = acl.set_device::<Npu<0>>(thread, 0)?;
//! kept = Some(thread.set_current(&device)?.malloc::<f32>(16)?); // error: `kept` is dropped after `device`
//! # Ok(()) }
//! ```
//!
//! ```
//! # use ascendcl::{Acl, Npu, Result, Thread};
//! # fn right(acl: &Acl, thread: &mut Thread) -> Result<()> {
//! let device = acl.set_device::<Npu<0>>(thread, 0)?;
//! let kept = Some(thread.set_current(&device)?.malloc::<f32>(16)?);
//! # drop(kept); Ok(()) }
//! ```
//!
//! # E0716: temporary value dropped while borrowed
//!
//! A handle was made inside an expression and has no name, so it is released at the end of the statement. But the
//! value that was made from it is used later. Give the handle a name.
//!
//! ```compile_fail,E0716
//! # use ascendcl::{Acl, Npu, Result, Thread};
//! # fn wrong(acl: &Acl, thread: &mut Thread, other: &mut Thread) -> Result<()> {
//! let current = other.set_current(&acl.set_device::<Npu<0>>(thread, 0)?)?; // error: the device is reset here
//! current.malloc::<f32>(16)?.free()
//! # }
//! ```
//!
//! ```
//! # use ascendcl::{Acl, Npu, Result, Thread};
//! # fn right(acl: &Acl, thread: &mut Thread) -> Result<()> {
//! let device = acl.set_device::<Npu<0>>(thread, 0)?;
//! let current = thread.set_current(&device)?;
//! current.malloc::<f32>(16)?.free()
//! # }
//! ```
//!
//! # E0515, E0373, E0521, and "lifetime may not live long enough"
//!
//! A handle would live longer than its owner. It is returned from the function that owns the device, moved to a
//! thread without a join, or stored as `'static`. Pass the owner to the function, use [`std::thread::scope`], or leak
//! the owner by [`Acl::leak`](crate::Acl::leak) and [`Device::leak`](crate::Device::leak): values that borrow it are
//! `'static` then.
//!
//! The closures of [`Acl::on`](crate::Acl::on) and [`Acl::with_device`](crate::Acl::with_device) cannot return a
//! handle, because the device is reset after them. Do the work inside the closure. What a service keeps are local variables of
//! the closure of a [`Worker`](crate::worker::Worker). A function over `D: DeviceTag`
//! takes every device. The same errors appear when two devices of `with_device` are mixed; the compiler marks both.
//!
//! The closures of [`Current::with_stream`](crate::Current::with_stream) and
//! [`ParkedStream::with`](crate::ParkedStream::with) give a stream a brand. The brand cannot leave the closure, and
//! queued memory of the stream has it too. [`Queued::unbrand`](crate::Queued::unbrand) removes the brand.
//!
//! ```compile_fail
//! # use ascendcl::{Acl, Npu, Result};
//! # fn wrong(acl: &Acl) -> Result<()> {
//! let buf = acl.on::<Npu<0>, _>(0, |current| current.malloc::<f32>(16))?; // error: its device is reset
//! buf.free()
//! # }
//! ```
//!
//! ```
//! # use ascendcl::{Acl, Npu, Result};
//! # fn right(acl: &Acl) -> Result<()> {
//! acl.on::<Npu<0>, _>(0, |current| current.malloc::<f32>(16)?.free())
//! # }
//! ```
//!
//! # E0599: no method named `x` found
//!
//! In most cases another call comes first. It returns the value that has the method. An `Option<PeerRoute>` has no
//! `enable`, because there may be no route.
//!
//! ```compile_fail,E0599
//! # use ascendcl::{Current, Device, Npu, Result};
//! # fn wrong(current: Current<'_, '_, Npu<0>>, peer: &Device<'_, Npu<1>>) -> Result<()> {
//! current.can_access_peer(peer)?.enable(current)?.disable() // error: is there a route?
//! # }
//! ```
//!
//! ```
//! # use ascendcl::{Current, Device, Npu, Result};
//! # fn right(current: Current<'_, '_, Npu<0>>, peer: &Device<'_, Npu<1>>) -> Result<()> {
//! match current.can_access_peer(peer)? {
//!     Some(route) => route.enable(current)?.disable(),
//!     None => Ok(()), // copy through the host
//! }
//! # }
//! ```
//!
//! # E0596: cannot borrow as mutable
//!
//! Submitting, waiting and binding change the stream or the thread, so the function needs `&mut`. If two places could
//! submit to one stream at the same time, their work would be mixed.
//!
//! ```compile_fail,E0596
//! # use ascendcl::{Npu, Result, Stream};
//! fn wait(stream: &Stream<'_, '_, Npu<0>>) -> Result<()> {
//!     stream.synchronize().map(drop) // error: `&` is not enough
//! }
//! ```
//!
//! ```
//! # use ascendcl::{Npu, Result, Stream};
//! fn wait(stream: &mut Stream<'_, '_, Npu<0>>) -> Result<()> {
//!     stream.synchronize().map(drop)
//! }
//! ```
//!
//! # E0061: an argument is missing
//!
//! The missing argument is a token that proves something: the [`Thread`](crate::Thread) on which the device is set,
//! the [`HostSide`](crate::HostSide) for a program that runs on a host, the stream that runs a plan, or the event
//! that orders two streams.
//!
//! ```compile_fail,E0061
//! # use ascendcl::{Acl, Current, Npu, Result};
//! # fn wrong(acl: &Acl, current: Current<'_, '_, Npu<0>>) -> Result<()> {
//! current.malloc_host::<f32>(16)?.free() // error: is there host memory?
//! # }
//! ```
//!
//! ```
//! # use ascendcl::{Acl, Current, Npu, Result};
//! # fn right(acl: &Acl, current: Current<'_, '_, Npu<0>>) -> Result<()> {
//! current.malloc_host::<f32>(acl.host()?, 16)?.free()
//! # }
//! ```
//!
//! # E0283 and E0284: type annotations needed
//!
//! Types name devices, streams, events and contexts, and the compiler cannot infer the name. Write
//! `set_device::<Npu<0>>`, `on::<Npu<0>, _>`, `create_stream::<Main>`, `create_event::<Order>`,
//! `create_context::<1>`. If the element of fresh memory is not known, write `malloc::<f32>`. An output that a declared
//! operator may leave out is `()`: `None` does not name the type of its memory, and the compiler's `None::<..>` is of no use.
//!
//! ```compile_fail,E0283
//! # use ascendcl::{Current, Npu, Result};
//! # fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
//! let stream = current.create_stream()?; // error: under which name?
//! stream.destroy()
//! # }
//! ```
//!
//! ```
//! # use ascendcl::{Current, Npu, Result, stream::Main};
//! # fn right(current: Current<'_, '_, Npu<0>>) -> Result<()> {
//! let stream = current.create_stream::<Main>()?;
//! stream.destroy()
//! # }
//! ```
//!
//! # E0271: type mismatch
//!
//! An operand is on another device than the device of the thread. Bind the thread to the device of the operands.
//!
//! ```compile_fail,E0271
//! # use ascendcl::{Current, DeviceBuf, Npu, Result, op};
//! # fn wrong(current: Current<'_, '_, Npu<0>>, a: &DeviceBuf<'_, Npu<1>, [f32]>) -> Result<()> {
//! let a = a.tensor(&[4])?;
//! let out = current.malloc::<f32>(4)?.into_tensor(&[4])?;
//! op::mul(current, &a, &a, out)?; // error: expected `Npu<1>`, found `Npu<0>`
//! # Ok(()) }
//! ```
//!
//! ```
//! # use ascendcl::{Current, DeviceBuf, Npu, Result, op};
//! # fn right(current: Current<'_, '_, Npu<1>>, a: &DeviceBuf<'_, Npu<1>, [f32]>) -> Result<()> {
//! let a = a.tensor(&[4])?;
//! let out = current.malloc::<f32>(4)?.into_tensor(&[4])?;
//! op::mul(current, &a, &a, out)?;
//! # Ok(()) }
//! ```
//!
//! # E0500 and E0501: a closure needs unique access
//!
//! A [scope](crate::Current::scope) is bound to its device until it ends, so its closure cannot bind another device.
//! Bind the other device after the scope. A stream that records a graph is lent to the capture in the same way: the closure has
//! the recording instead, and uses the stream after the capture.
//!
//! ```compile_fail,E0500
//! # use ascendcl::{Device, Npu, Result, Thread};
//! # fn wrong(thread: &mut Thread, a: &Device<'_, Npu<0>>, b: &Device<'_, Npu<1>>) -> Result<()> {
//! thread.set_current(a)?.scope(|scope| {
//!     thread.set_current(b).map(drop) // error: the scope waits for `a`
//! })?
//! # }
//! ```
//!
//! ```
//! # use ascendcl::{Device, Npu, Result, Thread};
//! # fn right(thread: &mut Thread, a: &Device<'_, Npu<0>>, b: &Device<'_, Npu<1>>) -> Result<()> {
//! thread.set_current(a)?.scope(|scope| {})?;
//! thread.set_current(b).map(drop)
//! # }
//! ```
//!
//! # E0308: mismatched types, "expected `0`, found `1`"
//!
//! The numbers are the slots of two devices: the types differ in `Npu<0>` and `Npu<1>`. The lines "expected" and
//! "found" below the message show the whole types. The same error appears for a different place of memory (`Dev`,
//! `Dvpp`, `Host`), a different state of memory (`Init`, `Uninit`), and a different layout of a tensor (`Contiguous`,
//! `Strided`): the operator takes contiguous tensors only, and a view goes where its parameter is a `View`.
//!
//! If an operator expects a `Tensor` or a `TensorOut`, describe the shape of the buffer. An operand is
//! `&buffer.tensor(shape)?`. An output is `buffer.into_tensor(shape)?` of fresh memory, or `buffer.tensor_mut(shape)?` of
//! memory with contents. Where it expects `Indices`, `Positions`, `Groups` or a `Mask`, the method of the tensor that has
//! this name compares the numbers first.
//!
//! For other types, the expected one says what to write:
//!
//! | expected | write |
//! |---|---|
//! | [`Stream`](crate::Stream) or [`Queued`](crate::Queued) of another name | the stream that has the memory; or move the memory: `other.handoff(&mut stream, &mut event, buffer)?` |
//! | [`Device`](crate::Device), found [`Context`](crate::Context) | `thread.set_current_context(&context)?` in the place of `set_current`; a context has no peers of its own |
//! | [`Idle`](crate::stream::Idle), found [`Drained`](crate::stream::Drained) | `stream.synchronize()?`: a drained stream proves no success |
//! | [`Done`](crate::event::Done), found [`Recorded`](crate::event::Recorded) | `recorded.synchronize()?` |
//! | [`HostSide`](crate::HostSide), found [`RunMode`](crate::RunMode) | `acl.host()?`, or `acl.run_mode()?.host()`, which is an `Option` |
//! | [`Rank`](crate::collective::Rank) | `comm.rank(1)?`, of the communicator that makes the operation |
//! | [`RankCounts`](crate::collective::RankCounts) | `comm.ranks().counts(&[1, 2])?` |
//! | [`Priority`](crate::stream::Priority), [`StreamFlags`](crate::stream::StreamFlags), [`SysParam`](crate::SysParam) | `Priority::try_from(number)?`, a variant such as `StreamFlags::FastLaunchAndSync` |
//! | [`Duration`](std::time::Duration) | `Duration::from_millis(100)` |
//! | `Arc<Picture>` | `Arc::new(picture)`: tasks share their input |
//! | `fn` pointer, found closure | a function, or a closure that captures nothing: use a `static` or a channel in a `static` |
//!
//! ```compile_fail,E0308
//! # use ascendcl::{DeviceBuf, Npu};
//! fn of_device_0(_: &DeviceBuf<'_, Npu<0>, [f32]>) {}
//! fn wrong(buf: &DeviceBuf<'_, Npu<1>, [f32]>) {
//!     of_device_0(buf) // error: expected `0`, found `1`
//! }
//! ```
//!
//! ```
//! # use ascendcl::{DeviceBuf, DeviceTag, Npu};
//! fn of_any_device<D: DeviceTag>(_: &DeviceBuf<'_, D, [f32]>) {}
//! fn right(buf: &DeviceBuf<'_, Npu<1>, [f32]>) {
//!     of_any_device(buf)
//! }
//! ```
//!
//! # "Lifetime may not live long enough" at the `?` of `rebrand`
//!
//! The error of [`Stream::rebrand`](crate::Stream::rebrand) and [`Stream::rebrand_fence`](crate::Stream::rebrand_fence)
//! contains the memory, which borrows the device. A boxed error must be `'static`. Take the inner error by `map_err`.
//!
//! ```compile_fail
//! # use ascendcl::stream::{Numbered, StreamBrand};
//! # use ascendcl::{DeviceBuf, Error, Npu, Queued, Stream};
//! # type Memory<'dev> = Queued<'dev, (Npu<0>, Numbered), DeviceBuf<'dev, Npu<0>, [f32]>>;
//! # fn wrong<'dev>(stream: &mut Stream<'_, 'dev, Npu<0>, StreamBrand<'_>>, memory: Memory<'dev>) -> Result<(), Box<dyn std::error::Error>> {
//! let memory = stream.rebrand(memory)?; // error: the error borrows the device
//! # drop(memory); Ok(()) }
//! ```
//!
//! ```
//! # use ascendcl::stream::{Numbered, StreamBrand};
//! # use ascendcl::{DeviceBuf, Error, Npu, Queued, Stream};
//! # type Memory<'dev> = Queued<'dev, (Npu<0>, Numbered), DeviceBuf<'dev, Npu<0>, [f32]>>;
//! # fn right<'dev>(stream: &mut Stream<'_, 'dev, Npu<0>, StreamBrand<'_>>, memory: Memory<'dev>) -> Result<(), Box<dyn std::error::Error>> {
//! let memory = stream.rebrand(memory).map_err(Error::from)?;
//! # drop(memory); Ok(()) }
//! ```
//!
//! # E0277: `*const ContextIsPerThread_ParkStreamsOrUseWorker` cannot be sent between threads
//!
//! The value belongs to the thread that made it, because the current context belongs to that thread. Share the
//! [`Device`](crate::Device) and bind it on the other thread. To move a stream, call [`park`](crate::Current::park),
//! and [`attach`](crate::Current::attach) on the other thread. To serve other threads with streams, plans and buffers that
//! stay, start a [`Worker`](crate::worker::Worker).
//!
//! ```compile_fail,E0277
//! # use ascendcl::{Device, Npu, Result, Thread};
//! # fn wrong(thread: &mut Thread, device: &Device<'_, Npu<0>>) -> Result<()> {
//! let current = thread.set_current(device)?;
//! std::thread::scope(|scope| {
//!     scope.spawn(move || current.malloc::<f32>(16).map(drop)); // error: bound on the other thread only
//! });
//! # Ok(()) }
//! ```
//!
//! ```
//! # use ascendcl::{Device, Npu, Result, Thread};
//! # fn right(device: &Device<'_, Npu<0>>) -> Result<()> {
//! std::thread::scope(|scope| {
//!     scope.spawn(|| {
//!         let mut thread = Thread::claim()?;
//!         thread.set_current(device)?.malloc::<f32>(16).map(drop)
//!     });
//! });
//! # Ok(()) }
//! ```
//!
//! # E0107 and E0747: wrong generic arguments
//!
//! Types name devices, so a number is no name: write `set_device::<Npu<0>>`. A call with two generic arguments needs
//! both. `malloc_local::<f32, 64>` takes an element and an alignment, and `on::<Npu<0>, _>` takes a device and the
//! type of the result.
//!
//! ```compile_fail,E0747
//! # use ascendcl::{Acl, Npu, Result, Thread};
//! # fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
//! acl.set_device::<0>(thread, 0)?.reset() // error: a number is no name
//! # }
//! ```
//!
//! ```
//! # use ascendcl::{Acl, Npu, Result, Thread};
//! # fn right(acl: &Acl, thread: &mut Thread) -> Result<()> {
//! acl.set_device::<Npu<0>>(thread, 0)?.reset()
//! # }
//! ```
//!
//! # E0478 and E0803: lifetime bound not satisfied
//!
//! A [name of streams](crate::StreamName) must be `'static`. With two different lifetimes, the same type would be two
//! names of one stream.
//!
//! ```compile_fail,E0478
//! # use ascendcl::StreamName;
//! struct Of<'a>(&'a str);
//! impl<'a> StreamName for Of<'a> {} // error: `'a` is not `'static`
//! ```
//!
//! ```
//! # use ascendcl::StreamName;
//! enum Upload {}
//! impl StreamName for Upload {}
//! ```
//!
//! # E0133: call to unsafe function, or dereference of a raw pointer
//!
//! The call cannot check an address or a handle that it is given. Examples are the C functions in [`sys`](crate::sys)
//! and [`Buf::from_raw`](crate::Buf::from_raw). The documentation of each function lists the obligations of the
//! caller under "Safety". If a safe call of this crate does the same, use that call.
//!
//! ```compile_fail,E0133
//! # use ascendcl::{HostBuf, sys};
//! fn free(buf: HostBuf<'_, [f32]>) {
//!     sys::aclrtFreeHost(buf.into_raw().as_ptr().cast()); // error: C frees whatever it is given
//! }
//! ```
//!
//! ```
//! # use ascendcl::{HostBuf, Result};
//! fn free(buf: HostBuf<'_, [f32]>) -> Result<()> {
//!     buf.free()
//! }
//! ```
//!
//! # E0080 and E0416: a declaration of a kernel is wrong
//!
//! [`kernel!`](crate::kernel!) checks its parameters while the program is compiled. The message of E0080 names the rule
//! and the remedy. E0416 marks a name that the declaration uses twice; the number of blocks has a name as a parameter
//! has one. Give each its own.
//!
//! # E0117, E0119, E0423, E0451, E0603 and "private fields"
//!
//! A program cannot construct a proof itself, and cannot implement a sealed trait for a type of this crate. Call the
//! function that returns the proof.
//!
//! ```compile_fail,E0451
//! # use ascendcl::{Npu, stream::{Idle, Main}};
//! fn wrong() -> Idle<'static, (Npu<0>, Main)> {
//!     Idle { _stream: std::marker::PhantomData } // error: there was no wait
//! }
//! ```
//!
//! ```
//! # use ascendcl::{Npu, Result, Stream, stream::{Idle, Main}};
//! fn right<'s>(stream: &'s mut Stream<'_, '_, Npu<0>>) -> Result<Idle<'s, (Npu<0>, Main)>> {
//!     stream.synchronize()
//! }
//! ```
