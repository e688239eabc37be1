//! Operands of collectives: their memory, and the streams that run them.

use crate::device::AnyDevice;
use crate::interop::Foreign;
use crate::memory::{Dev, OnBoard, Piece};
#[cfg(feature = "graphs")]
use crate::stream::GraphBrand;
use crate::stream::{AnyStream, StreamBrand, StreamName};

/// A domain of memory that ranks exchange: memory of `aclrtMalloc`, and pieces of it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` memory cannot be exchanged with other ranks",
    label = "a collective reads and writes device memory",
    note = "copy host memory and media memory to a buffer of `stream.malloc` first"
)]
pub trait CommPlace: OnBoard {}
#[diagnostic::do_not_recommend]
impl<D: AnyDevice> CommPlace for Dev<D> {}
#[diagnostic::do_not_recommend]
impl<M: CommPlace> CommPlace for Piece<M> {}
#[diagnostic::do_not_recommend]
impl<M: CommPlace> CommPlace for Foreign<M> {}

/// A stream that runs collectives: each stream with a handle. HCCL refuses the default stream of a context, whose handle is
/// null.
#[diagnostic::on_unimplemented(
    message = "the stream `{Self}` cannot run collectives",
    label = "HCCL refuses the default stream, whose handle is null",
    note = "create a stream: `current.create_stream::<Main>()?`"
)]
pub trait CommStream: AnyStream {}
#[diagnostic::do_not_recommend]
impl<S: StreamName> CommStream for S {}
#[diagnostic::do_not_recommend]
impl<S: StreamName> CommStream for Foreign<S> {}
#[diagnostic::do_not_recommend]
impl CommStream for StreamBrand<'_> {}
#[cfg(feature = "graphs")]
#[diagnostic::do_not_recommend]
impl CommStream for GraphBrand<'_> {}
