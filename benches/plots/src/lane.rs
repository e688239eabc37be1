//! A stream with a pair of buffers, of any name and device.

use ascendcl::bounds::AnyDevice;
use ascendcl::{Current, DeviceBuf, HostBuf, HostSide, Queued, Stream, StreamName};

use crate::Result;

/// A name for each lane.
pub(crate) enum Name<const N: usize> {}
impl<const N: usize> StreamName for Name<N> {}

type On<'d, D, const N: usize, B> = Queued<'d, (D, Name<N>), B>;

/// A stream that uploads one buffer to another.
pub(crate) struct Lane<'t, 'd, D: AnyDevice, const N: usize> {
    stream: Stream<'t, 'd, D, Name<N>>,
    host: On<'d, D, N, HostBuf<'d, [u8]>>,
    device: On<'d, D, N, DeviceBuf<'d, D, [u8]>>,
}

impl<'t, 'd, D: AnyDevice, const N: usize> Lane<'t, 'd, D, N> {
    pub(crate) fn new(
        current: Current<'t, 'd, D>,
        side: HostSide<'_>,
        bytes: usize,
    ) -> Result<Self> {
        let stream = current.create_stream()?;
        let host = stream.adopt(current.malloc_host(side, bytes)?);
        let device = stream.adopt(current.memset(current.malloc(bytes)?, 0)?);
        Ok(Lane {
            stream,
            host,
            device,
        })
    }
}

/// The operations that are measured on a lane.
pub(crate) trait Upload {
    /// Queues one upload.
    fn queue(&mut self) -> Result<()>;
    /// Waits for all of them.
    fn wait(&mut self) -> Result<()>;
}

impl<D: AnyDevice, const N: usize> Upload for Lane<'_, '_, D, N> {
    fn queue(&mut self) -> Result<()> {
        Ok(self.stream.memcpy_async(&mut self.device, &self.host)?)
    }

    fn wait(&mut self) -> Result<()> {
        self.stream.synchronize()?;
        Ok(())
    }
}
