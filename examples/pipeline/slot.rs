//! One of the two sets of buffers, between two turns.

use ascendcl::event::{Fence, Order};
use ascendcl::memory::Uninit;
use ascendcl::{Current, DeviceBuf, Event, HostBuf, HostSide, Stream, StreamName};

use crate::{D, Result};

/// The stream that uploads.
pub(crate) enum Upload {}
impl StreamName for Upload {}
/// The stream that computes.
pub(crate) enum Compute {}
impl StreamName for Compute {}
/// The stream that downloads.
pub(crate) enum Download {}
impl StreamName for Download {}

/// A buffer behind a point of the stream `S`, marked by an event that travels with it.
type Behind<'d, S, R> = Fence<'d, (D, S), R, Event<'d, D, Order>>;

/// Device memory with contents that are no longer needed. The next write overwrites all of it.
type Fresh<'d> = DeviceBuf<'d, D, [i32], Uninit>;

/// Four buffers, each with the work that must be over before its next use.
pub(crate) struct Slot<'d> {
    /// The host may refill it after its upload.
    pub(crate) host_in: Behind<'d, Upload, HostBuf<'d, [i32]>>,
    /// It may be overwritten after the computation has read it.
    pub(crate) device_in: Behind<'d, Compute, Fresh<'d>>,
    /// It may be overwritten after its download.
    pub(crate) device_out: Behind<'d, Download, Fresh<'d>>,
    /// The host may read it after the download.
    pub(crate) host_out: Behind<'d, Download, HostBuf<'d, [i32]>>,
}

/// The three streams, in the order of the work.
type Streams<'s, 't, 'd> = (
    &'s mut Stream<'t, 'd, D, Upload>,
    &'s mut Stream<'t, 'd, D, Compute>,
    &'s mut Stream<'t, 'd, D, Download>,
);

impl<'d> Slot<'d> {
    /// Fresh buffers, without earlier work.
    pub(crate) fn new(
        current: Current<'_, 'd, D>,
        host: HostSide<'_>,
        (up, compute, down): Streams<'_, '_, 'd>,
        len: usize,
    ) -> Result<Slot<'d>> {
        let host_in = up.adopt(current.malloc_host(host, len)?);
        let device_in = compute.adopt(current.malloc(len)?);
        let device_out = down.adopt(current.malloc(len)?);
        let host_out = down.adopt(current.malloc_host(host, len)?);
        Ok(Slot {
            host_in: up.fence(current.create_event()?, host_in)?,
            device_in: compute.fence(current.create_event()?, device_in)?,
            device_out: down.fence(current.create_event()?, device_out)?,
            host_out: down.fence(current.create_event()?, host_out)?,
        })
    }
}
