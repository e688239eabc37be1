//! A stream that runs the network, with a model and memory of its own.

use ascendcl::bounds::StreamTag;
use ascendcl::model::{LoadOptions, Model, ModelFile, NoGears, Queueing};
use ascendcl::{Current, DeviceBuf, HostBuf, HostSide, Queued, Stream, StreamName};

use crate::network::Network;
use crate::{D, Result};

/// Something that is queued on the stream `S`.
type On<'dev, S, R> = Queued<'dev, (D, S), R>;

/// Runs batches of pictures.
pub(crate) trait Run {
    /// Queues a run with these pictures in the format NV12. The rest of the batch is black.
    fn start(&mut self, pictures: &[Vec<u8>]) -> ascendcl::Result<()>;

    /// Waits for the run, and returns the numbers of the classes for each picture.
    fn finish(&mut self) -> ascendcl::Result<Vec<Vec<f32>>>;

    /// Releases everything.
    fn end(self: Box<Self>) -> ascendcl::Result<()>;
}

/// A stream with its model.
pub(crate) struct Lane<'t, 'dev, S: StreamTag> {
    network: Network,
    model: On<'dev, S, Model<'t, 'dev, D, Queueing>>,
    /// The numbers of the pictures, on the host and on the device.
    staged: On<'dev, S, HostBuf<'dev, [f32]>>,
    images: On<'dev, S, DeviceBuf<'dev, D, [f32]>>,
    /// The numbers of the classes, on the device and on the host.
    scores: On<'dev, S, DeviceBuf<'dev, D, [f32]>>,
    read: On<'dev, S, HostBuf<'dev, [f32]>>,
    /// The pictures of the last run.
    started: usize,
    stream: Stream<'t, 'dev, D, S>,
}

impl<'t, 'dev, S: StreamName> Lane<'t, 'dev, S> {
    pub(crate) fn new(
        current: Current<'t, 'dev, D>,
        host: HostSide<'_>,
        network: Network,
        file: &ModelFile,
        options: LoadOptions<'dev, D>,
    ) -> Result<Lane<'t, 'dev, S>> {
        let stream = current.create_stream::<S>()?;
        let (numbers, classes) = (
            network.batch * network.numbers(),
            network.batch * network.classes,
        );
        let floats = |count| current.memset(current.malloc::<f32>(count)?, 0);
        Ok(Lane {
            network,
            model: stream.adopt(current.load_model_with::<Queueing, NoGears>(file, options)?),
            staged: stream.adopt(current.malloc_host(host, numbers)?),
            images: stream.adopt(floats(numbers)?),
            scores: stream.adopt(floats(classes)?),
            read: stream.adopt(current.malloc_host(host, classes)?),
            started: 0,
            stream,
        })
    }
}

impl<S: StreamName> Run for Lane<'_, '_, S> {
    fn start(&mut self, pictures: &[Vec<u8>]) -> ascendcl::Result<()> {
        let idle = self.stream.synchronize()?;
        let staged = idle.get_mut(&mut self.staged);
        staged.fill(0.0);
        for (pixels, to) in pictures
            .iter()
            .zip(staged.chunks_mut(self.network.numbers()))
        {
            self.network.normalise(pixels, to);
        }
        self.stream.memcpy_async(&mut self.images, &self.staged)?;
        let (inputs, outputs) = ((&self.images,), (&mut self.scores,));
        let ((),) = self
            .stream
            .execute_async(&mut self.model, inputs, outputs)?;
        self.stream.memcpy_async(&mut self.read, &self.scores)?;
        self.started = pictures.len();
        Ok(())
    }

    fn finish(&mut self) -> ascendcl::Result<Vec<Vec<f32>>> {
        let idle = self.stream.synchronize()?;
        let read = idle.get_mut(&mut self.read);
        let rows = read
            .chunks(self.network.classes)
            .take(std::mem::take(&mut self.started));
        Ok(rows.map(<[f32]>::to_vec).collect())
    }

    fn end(self: Box<Self>) -> ascendcl::Result<()> {
        let mut lane = *self;
        let idle = lane.stream.synchronize()?;
        idle.take(lane.model).unload()?;
        drop((lane.staged, lane.images, lane.scores, lane.read));
        lane.stream.destroy()
    }
}
