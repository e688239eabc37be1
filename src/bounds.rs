//! The traits that generic code asks for.
//!
//! These traits say what a type is to AscendCL: a name of a device, memory that a copy can read, lengths that fit. They are
//! sealed, because a wrong implementation would make safe calls unsound. A program writes them in bounds only, and a
//! program without generic functions does not write them at all.
//!
//! Two traits are at the root, because programs need them more often: [`DeviceTag`](crate::DeviceTag), the bound for any
//! device, and [`StreamName`](crate::StreamName), the only trait that a program implements. The traits of lengths that the
//! compiler computes are in [`memory::fixed`](crate::memory::fixed). Those of [events](crate::event),
//! [queues](crate::queue), [scopes](crate::scope) and [callbacks](crate::callback) are in their modules.
//!
//! # Writing generic code
//!
//! **Any device.** [`DeviceTag`](crate::DeviceTag) names a device in signatures, so that a function can be called with
//! `Npu<0>`, `Npu<1>`, and the devices of [`Acl::with_device`](crate::Acl::with_device). [`AnyDevice`] also takes devices
//! that [stop on failure](crate::Device::stop_on_failure). [`StreamTag`] does the same for streams.
//!
//! **Any element.** Memory holds [`Plain`] elements; operators compute with [`Element`],
//! [`Arithmetic`] or [`Floating`] ones.
//!
//! ```
//! # #[cfg(feature = "emulator")]
//! # fn main() -> ascendcl::Result<()> {
//! use ascendcl::bounds::{Arithmetic, StreamTag};
//! use ascendcl::{Acl, Current, DeviceBuf, DeviceTag, Npu, Result, Stream, op, stream::Main};
//!
//! /// Squares numbers of any type, on any stream of any device.
//! fn squares<'dev, D: DeviceTag, S: StreamTag, T: Arithmetic>(
//!     current: Current<'_, 'dev, D>,
//!     stream: &mut Stream<'_, 'dev, D, S>,
//!     numbers: &DeviceBuf<'_, D, [T]>,
//! ) -> Result<DeviceBuf<'dev, D, [T]>> {
//!     let shape = [numbers.len()];
//!     let out = current.malloc(numbers.len())?.into_tensor(&shape)?;
//!     let operand = numbers.tensor(&shape)?;
//!     op::mul(current, &operand, &operand, out)?.run(stream)
//! }
//!
//! let acl = Acl::from_env()?;
//! acl.on::<Npu<0>, _>(0, |current| {
//!     let mut stream = current.create_stream::<Main>()?;
//!     let twos = current.memset_d32(current.malloc::<i32>(8)?, 2)?;
//!     assert_eq!(squares(current, &mut stream, &twos)?.len(), 8);
//!     Ok(())
//! })
//! # }
//! # #[cfg(not(feature = "emulator"))]
//! # fn main() {}
//! ```
//!
//! **Any memory.** A [`Source`] is what a copy can read, a [`Destination`] what it can write: a buffer or a slice of one,
//! where `X` is a device (idle memory) or the pair of a device and a stream (queued memory). A [`Place`] says where memory
//! lies, [`Elements`] says how much: `[T]`, `[T; N]`, or a length of `typenum`.
//!
//! ```
//! use ascendcl::bounds::{Elements, Place};
//! use ascendcl::Buf;
//!
//! /// The bytes of a buffer, wherever it lies and however its length is known.
//! fn bytes<M: Place, E: Elements + ?Sized, I>(buf: &Buf<'_, M, E, I>) -> usize {
//!     buf.len() * size_of::<E::Element>()
//! }
//! ```

pub use crate::device::{AnyDevice, NamedDevice, Site, WholeDevice};
pub use crate::memory::alloc::Alignment;
pub use crate::memory::borrowed::OwnMemory;
pub use crate::memory::copy::{CopyTo, OnDevice};
pub use crate::memory::elements::{Elements, SameElements};
pub use crate::memory::operand::{Destination, Source};
pub use crate::memory::place::{FillPlace, OnBoard, Operand, Place, WordPlace};
pub use crate::memory::plain::{Plain, Word};
pub use crate::memory::rows::{CopyRowsTo, Extent, QueuedRows, RowShape, SameRows};
pub use crate::op::element::{Arithmetic, CastTo, Element, Floating, SumTo};
pub use crate::op::operator::{Arguments, Outputs, Parameters};
pub use crate::op::parameter::{Argument, InPlace};
pub use crate::op::site::{IdleSite, Output, QueuedSite};
pub use crate::outcome::{Borrows, FailureMode, GoesOn};
pub use crate::queue::moved::History;
pub use crate::stream::name::{Created, Distinct, StreamTag};
