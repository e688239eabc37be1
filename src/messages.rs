//! What the compiler's own messages mean here, and what helps.
//!
//! Where a trait of this crate is missing, the message is in the words of this crate and names the next step. The messages
//! of the borrow checker and of the type checker cannot be reworded. This page has one section for each: the message,
//! what it says about AscendCL, the remedy, and an example with the corrected program below it.
//!
//! # E0505: cannot move out of `x` because it is borrowed
//!
//! The call consumes its handle, as `device.reset()`, `stream.destroy()` and `buffer.free()` do, while something that
//! needs the handle is alive. AscendCL would go on with a stale handle. The compiler marks two more places: "borrow of
//! `x` occurs here" is where the dependent value was made, and "borrow later used here" is where it is still used, perhaps
//! only because it is dropped at the end of its scope. Release the dependent value first.
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
//! Two values want to be the only one that uses `x`. Most often `x` is the [`Thread`](crate::Thread). A thread has one
//! current context, so the second binding makes the first one stale. Finish with the first binding, and with the streams
//! that it made, before the second one.
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
//! One value reads the memory while another one writes it. A plan has its operands and its output until it has run, a slice
//! has its buffer, and `&host[..]` has all elements. Two parts of one buffer count as one. Finish with the first value.
//! An [`Idle`](crate::stream::Idle) has its stream: queue new work behind the last [`take`](crate::stream::Idle::take).
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
//! Releases take their handle by value, and the function has only borrowed it. Take the handle by value, or leave the
//! release to the owner. A [`Shared`](crate::queue::Shared) buffer belongs to several: its last share becomes the buffer by
//! [`try_unwrap`](crate::queue::Shared::try_unwrap).
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
//! The value was given away. Either it was released, and nothing is left to use. Or a stream owns it, and may be reading or
//! writing it now: [`synchronize`](crate::Stream::synchronize) or a [fence](crate::Stream::fence) gives it back. The note of
//! the compiler names the call that took the value.
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
//! A program [declares](crate::operator!) an operator that this crate does not have. Nothing can compare the declaration
//! with the C function, so the program vouches for it: compare the parameters with the header below `aclnnop/`, and write
//! `unsafe impl`.
//!
//! ```compile_fail,E0200
//! # use ascendcl::op::{In, Operator, Out};
//! enum Sign {}
//! impl Operator for Sign {
//!     ascendcl::operator!("aclnnSign"(x: In<f32>, out: Out<f32>));
//! }
//! ```
//!
//! In the right form it compiles:
//!
//! ```
//! # use ascendcl::op::{In, Operator, Out};
//! enum Sign {}
//! // SAFETY: the parameters of `aclnnop/aclnn_sign.h`, CANN 8.1; it writes all of `out`.
//! unsafe impl Operator for Sign {
//!     ascendcl::operator!("aclnnSign"(x: In<f32>, out: Out<f32>));
//! }
//! ```
//!
//! # E0597: `x` does not live long enough
//!
//! A scope drops its variables in the opposite order of their declaration, and here the owner goes first: the device before
//! its buffer, or an array before the copy that reads it. Declare the owner earlier, release the dependent value by hand, or
//! give the stream memory that it can own.
//!
//! ```compile_fail,E0597
//! # use ascendcl::{Acl, Npu, Result, Thread};
//! # fn wrong(acl: &Acl, thread: &mut Thread) -> Result<()> {
//! let mut kept = None;
//! let device = acl.set_device::<Npu<0>>(thread, 0)?;
//! kept = Some(thread.set_current(&device)?.malloc::<f32>(16)?); // error: `kept` is dropped behind `device`
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
//! A handle was made in the middle of an expression and has no name, so it is released at the end of that line. The value
//! that was made from it is to stay. Give the handle a name.
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
//! A handle is to outlive its owner: it is returned from the function that owns the device, given to a thread that nobody
//! waits for, or stored as `'static`. Pass the owner in, use [`std::thread::scope`], or give the owner up by
//! [`Acl::leak`](crate::Acl::leak) and [`Device::leak`](crate::Device::leak): what borrows them is `'static` then.
//!
//! The closures of [`Acl::on`](crate::Acl::on) and [`Acl::with_device`](crate::Acl::with_device) return no handle, because
//! the device is reset behind them. Do the work inside. A function over `D: DeviceTag` takes every device. The same errors
//! say that two devices of `with_device` were mixed; the compiler marks both.
//!
//! The closures of [`Current::with_stream`](crate::Current::with_stream) and
//! [`ParkedStream::with`](crate::ParkedStream::with) give a stream a brand, which does not leave the closure, and which
//! memory in the hands of the stream has too. [`Queued::unbrand`](crate::Queued::unbrand) takes it off.
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
//! Mostly: not yet. Another call comes first and gives the value that has the method. An `Option<PeerRoute>` has no `enable`,
//! because there may be no route; and a [`PeerRoute`](crate::peer::PeerRoute) lends no memory before `enable`.
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
//! Submitting, waiting and binding change the stream or the thread, so the function needs `&mut` of it. Two places that
//! submit to one stream at a time would mix their work.
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
//! The argument is a token that proves something: the [`Thread`](crate::Thread) on which the device is set, the
//! [`HostSide`](crate::HostSide) that says where the program runs, the stream that runs a plan, the event that orders two
//! streams.
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
//! Types name devices, streams, events and contexts, and nothing says which: `set_device::<Npu<0>>`,
//! `on::<Npu<0>, _>`, `create_stream::<Main>`, `create_event::<Order>`, `create_context::<1>`. Where the element of fresh
//! memory is not known, `malloc::<f32>`.
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
//! An operand lies on another device than the one that the thread is bound to. Bind the thread to the device of the
//! operands.
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
//! # E0500: a closure needs unique access
//!
//! A [scope](crate::Current::scope) is bound to its device until it ends, so its closure cannot bind another one. Bind it
//! behind the scope.
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
//! The numbers are the slots of two devices: the types differ in `Npu<0>` and `Npu<1>`. The lines "expected" and "found"
//! below the message have the whole types. The same error speaks of the place of memory (`Dev`, `Dvpp`, `Host`) and of its
//! state (`Init`, `Uninit`).
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
//! # E0277: `*const ContextIsPerThread_ParkStreamsToMoveThem` cannot be sent between threads
//!
//! The value belongs to the thread that made it, because the current context does. Share the [`Device`](crate::Device) and
//! bind it on the other thread. A stream moves by [`park`](crate::Current::park), and
//! [`attach`](crate::Current::attach) on the other thread.
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
//! Types name devices, and not numbers: `set_device::<Npu<0>>`. A call with two arguments wants both:
//! `malloc_local::<f32, 64>` takes an element and an alignment, `on::<Npu<0>, _>` a device and the type of the result.
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
//! A [name of streams](crate::StreamName) is `'static`. A name with a lifetime would be two names for one stream.
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
//! # E0608: cannot index into a value
//!
//! The host cannot read or write device memory. Copy it to host memory first.
//!
//! ```compile_fail,E0608
//! # use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};
//! fn first(buf: &DeviceBuf<'_, Npu<0>, [f32]>) -> f32 {
//!     buf[0] // error: the address means nothing to the host
//! }
//! ```
//!
//! ```
//! # use ascendcl::{Current, DeviceBuf, HostBuf, Npu, Result};
//! # type D = Npu<0>;
//! fn first(
//!     current: Current<'_, '_, D>,
//!     buf: &DeviceBuf<'_, D, [f32]>,
//!     mut host: HostBuf<'_, [f32]>,
//! ) -> Result<f32> {
//!     current.memcpy(&mut host, buf)?;
//!     Ok(host[0])
//! }
//! ```
//!
//! # E0133: call to unsafe function, or dereference of a raw pointer
//!
//! The call takes an address or a handle on trust: a function of C in [`sys`](crate::sys), [`Buf::from_raw`](crate::Buf::from_raw).
//! The page of each function has its contract under "Safety". Where a call of this crate does the same without `unsafe`,
//! take that.
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
//! # E0117, E0423, E0451, E0603 and "private fields"
//!
//! Nobody can make up a proof, or implement a closed trait for a type of this crate. Call what gives the proof.
//!
//! ```compile_fail,E0451
//! # use ascendcl::{Npu, stream::{Idle, Main}};
//! fn wrong() -> Idle<'static, (Npu<0>, Main)> {
//!     Idle { _stream: std::marker::PhantomData } // error: nobody has waited
//! }
//! ```
//!
//! ```
//! # use ascendcl::{Npu, Result, Stream, stream::{Idle, Main}};
//! fn right<'s>(stream: &'s mut Stream<'_, '_, Npu<0>>) -> Result<Idle<'s, (Npu<0>, Main)>> {
//!     stream.synchronize()
//! }
//! ```
