//! The traits for bounds of generic code.
//!
//! These traits describe the role of a type in AscendCL: the name of a device, memory that a copy can read, lengths
//! that fit. They are sealed, because a wrong implementation would make safe calls unsound. A program uses them in
//! bounds only. A program without generic functions does not need them.
//!
//! Two traits are at the root of the crate, because programs need them more often: [`DeviceTag`](crate::DeviceTag),
//! the bound for any device, and [`StreamName`](crate::StreamName), which a program implements. The
//! traits of lengths that the compiler computes are in [`memory::fixed`](crate::memory::fixed). The traits of
//! [events](crate::event), [queues](crate::queue), [scopes](crate::scope) and [callbacks](crate::callback) are in
//! those modules.
//!
//! # Writing generic code
//!
//! **Any device.** [`DeviceTag`](crate::DeviceTag) is the bound for a device in a signature. The function can then be
//! called with `Npu<0>`, `Npu<1>`, and the devices of [`Acl::with_device`](crate::Acl::with_device). [`AnyDevice`]
//! also allows devices that [stop on failure](crate::Device::stop_on_failure). [`StreamTag`] is the bound for any
//! stream.
//!
//! **Any element.** Memory has [`Plain`] elements. Operators compute with [`Element`], [`Arithmetic`] or [`Floating`]
//! elements.
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
//! **Any memory.** A copy reads a [`Source`] and writes a [`Destination`]. Both are buffers or slices of buffers.
//! Their parameter `X` is a device for idle memory, or the pair of a device and a stream for queued memory. [`Place`]
//! is the trait for the place of memory, and [`Elements`] the trait for its elements and length: `[T]`, `[T; N]`, or
//! a length of `typenum`.
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

#[cfg(feature = "collectives")]
pub use crate::collective::element::{CommElement, Reduces};
#[cfg(feature = "collectives")]
pub use crate::collective::name::CommTag;
#[cfg(feature = "collectives")]
pub use crate::collective::operand::{CommPlace, CommStream};
#[cfg(feature = "collectives")]
pub use crate::collective::rank::RankOf;
pub use crate::device::{AnyDevice, NamedDevice, OfDevice, SameDevice, Site, WholeDevice};
#[cfg(feature = "dlpack")]
pub use crate::dlpack::ToDlpack;
#[cfg(feature = "kernels")]
pub use crate::kernel::launch::KernelStream;
pub use crate::memory::alloc::Alignment;
pub use crate::memory::batch::BatchTo;
pub use crate::memory::borrowed::OwnMemory;
pub use crate::memory::copy::{CopyTo, OnDevice};
pub use crate::memory::elements::{Counted, Elements, SameElements};
pub use crate::memory::operand::{Destination, Source};
pub use crate::memory::place::{FillPlace, OnBoard, Operand, Place, WordPlace};
pub use crate::memory::plain::{Plain, Word};
pub use crate::memory::pool::PoolStream;
pub use crate::memory::rows::{CopyRowsTo, Extent, QueuedRows, RowShape, SameRows};
#[cfg(feature = "operators")]
pub use crate::op::array::{ArrayOutput, Shape};
#[cfg(feature = "operators")]
pub use crate::op::counted::CountedOutput;
#[cfg(feature = "operators")]
pub use crate::op::element::{
    Arithmetic, BiasOf, Bits, CastTo, Comparable, Dequantized, Element, Floating, Fractional, Half,
    IndexElement, Movable, Numeric, OneHotElement, Real, ScatterElement, ScatterNdElement, Signed,
    Stepped, SumElement, SumTo,
};
#[cfg(feature = "operators")]
pub use crate::op::operator::{Arguments, Outputs, Parameters};
#[cfg(feature = "operators")]
pub use crate::op::output::OutputFor;
#[cfg(feature = "operators")]
pub use crate::op::parameter::InPlace;
#[cfg(feature = "operators")]
pub use crate::op::repeatable::Repeats;
#[cfg(feature = "operators")]
pub use crate::op::site::{IdleSite, OnlyInPlace, OnlyOutput, Output, QueuedSite, SameSite};
#[cfg(feature = "operators")]
pub use crate::op::view::Lent;
pub use crate::outcome::{ContinuesAfterFailure, FailureMode};
pub use crate::queue::moved::History;
pub use crate::queue::operand::Updated;
pub use crate::queue::reduce::ReduceElement;
pub use crate::stream::name::{AnyStream, Created, Distinct, StreamTag};
