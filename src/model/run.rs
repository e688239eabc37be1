//! Both kinds of runs, with a gear and without.

use std::ffi::c_void;

use ascendcl_sys as sys;

use crate::device::AnyDevice;
use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::model::operand::{GearOutputs, Inputs, Outputs};
use crate::model::{Blocking, Gears, Model, Queueing, Sizing};
use crate::queue::Queued;
use crate::raw::check;
use crate::stream::{AnyStream, Stream, StreamTag};

impl<D: AnyDevice> Model<'_, '_, D, Blocking> {
    /// Runs the model and returns when the outputs are there (`aclmdlExecute`, pyACL `acl.mdl.execute`).
    ///
    /// `inputs` is a tuple of `&` of initialised device memory. `outputs` is a tuple of `&mut` of device memory, or of
    /// fresh buffers by value, which the call returns initialised. Both are in the order of the description.
    ///
    /// The run does not wait for streams. Memory that a stream uses is [`Queued`] and cannot be passed.
    ///
    /// ```
    /// use ascendcl::model::{Blocking, Model};
    /// use ascendcl::{Current, DeviceBuf, Npu, Result};
    ///
    /// fn classify<'dev>(
    ///     current: Current<'_, 'dev, Npu<0>>,
    ///     model: &mut Model<'_, '_, Npu<0>, Blocking>,
    ///     image: &DeviceBuf<'_, Npu<0>, [f32]>,
    /// ) -> Result<DeviceBuf<'dev, Npu<0>, [f32]>> {
    ///     let (scores,) = model.execute((image,), (current.malloc(1000)?,))?;
    ///     Ok(scores)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Model`] if the buffers are not those of the
    /// description; nothing has run then. [`ErrorKind::Refused`] if the run fails. On an error a fresh output is freed.
    ///
    /// If a time limit has ended the call, the run may still go on. So the method waits for the device before it returns
    /// the error, as [`Current::memcpy`](crate::Current::memcpy) does.
    #[doc(alias = "aclmdlExecute")]
    #[doc(alias = "acl.mdl.execute")]
    pub fn execute<I: Inputs<D>, O: Outputs<D>>(
        &mut self,
        inputs: I,
        outputs: O,
    ) -> Result<O::Written> {
        self.loaded.put(&inputs, &outputs)?;
        let (id, reads, writes) = (
            self.loaded.id,
            self.loaded.reads.set,
            self.loaded.writes.set,
        );
        // SAFETY: a loaded model in its context; live data sets, whose buffers are device memory of the size and the
        // type of the model, borrowed until the call is over.
        let code = unsafe { sys::aclmdlExecute(id, reads, writes) };
        if code != sys::ACL_SUCCESS {
            return Err(self.current.blocking_failed("aclmdlExecute", code));
        }
        // SAFETY: the run has succeeded, and a model of one size writes all bytes of its outputs.
        Ok(unsafe { outputs.written() })
    }
}

impl<D: AnyDevice, G: Sizing> Model<'_, '_, D, Blocking, G> {
    /// Runs the model with a gear, and returns when the outputs are there (`aclmdlExecute`, pyACL `acl.mdl.execute`).
    ///
    /// The operands have the sizes of the largest gear ([`Model::inputs`], [`Model::outputs`]). The run reads and writes
    /// the part of each that its gear needs, from the beginning ([`GearInfo`](crate::model::GearInfo)). So an output is
    /// `&mut` of initialised memory, whose rest keeps its content.
    ///
    /// If the gear is another one than that of the last run, the call announces it to the model first
    /// (`aclmdlSetDynamicBatchSize`, `aclmdlSetDynamicHWSize` or `aclmdlSetInputDynamicDims`).
    ///
    /// ```
    /// use ascendcl::model::{BatchSize, Blocking, Model};
    /// use ascendcl::{DeviceBuf, Npu, Result};
    ///
    /// fn classify_four(
    ///     model: &mut Model<'_, '_, Npu<0>, Blocking, BatchSize>,
    ///     images: &DeviceBuf<'_, Npu<0>, [f32]>,
    ///     scores: &mut DeviceBuf<'_, Npu<0>, [f32]>,
    /// ) -> Result<()> {
    ///     model.execute_gear(4, (images,), (scores,)) // both have room for the largest batch
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Model`] for a gear that the model does not have, or for buffers that are not those of the description;
    /// nothing has run then. Others as for [`Model::execute`].
    pub fn execute_gear<I: Inputs<D>, O: GearOutputs<D>>(
        &mut self,
        gear: G::Gear<'_>,
        inputs: I,
        outputs: O,
    ) -> Result<()>
    where
        G: Gears,
    {
        let reads = self
            .loaded
            .put_with::<D, G, I, O>(gear, &inputs, &outputs)?;
        let (id, writes) = (self.loaded.id, self.loaded.writes.set);
        // SAFETY: a loaded model in its context; live data sets, whose buffers are device memory for the largest gear and
        // of the type of the model, borrowed until the call is over. The outputs were initialised before.
        let code = unsafe { sys::aclmdlExecute(id, reads, writes) };
        if code != sys::ACL_SUCCESS {
            return Err(self.current.blocking_failed("aclmdlExecute", code));
        }
        Ok(())
    }
}

impl<'dev, D: AnyDevice, S: AnyStream> Stream<'_, 'dev, D, S> {
    /// Queues a run of a model on this stream (`aclmdlExecuteAsync`, pyACL `acl.mdl.execute_async`).
    ///
    /// The model, the inputs and the outputs are queued on this stream, so all of them live until the run is over. The
    /// operands are those of [`Model::execute`]. `stream.adopt(model)` queues a model, and
    /// [`Idle::take`](crate::stream::Idle::take) returns it.
    ///
    /// ```
    /// use ascendcl::model::{Model, Queueing};
    /// use ascendcl::stream::Main;
    /// use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};
    ///
    /// type OnMain<'dev, R> = Queued<'dev, (Npu<0>, Main), R>;
    ///
    /// fn classify<'dev>(
    ///     stream: &mut Stream<'_, 'dev, Npu<0>>,
    ///     model: &mut OnMain<'dev, Model<'_, 'dev, Npu<0>, Queueing>>,
    ///     image: &OnMain<'dev, DeviceBuf<'dev, Npu<0>, [f32]>>,
    /// ) -> Result<OnMain<'dev, DeviceBuf<'dev, Npu<0>, [f32]>>> {
    ///     let (scores,) = stream.execute_async(model, (image,), (stream.malloc(1000)?,))?;
    ///     Ok(scores)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Model`] if the buffers are not those of the
    /// description; nothing was queued then. [`ErrorKind::Refused`] if the run could not be queued. If the run fails
    /// itself, the stream's next wait returns the error.
    #[doc(alias = "aclmdlExecuteAsync")]
    #[doc(alias = "acl.mdl.execute_async")]
    pub fn execute_async<I, O, H>(
        &mut self,
        model: &mut Queued<'dev, (D, S), Model<'_, 'dev, D, Queueing>, H>,
        inputs: I,
        outputs: O,
    ) -> Result<O::Written>
    where
        S: StreamTag,
        I: Inputs<(D, S)>,
        O: Outputs<(D, S)>,
    {
        let loaded = &mut model.resource_mut().loaded;
        loaded.put(&inputs, &outputs)?;
        let stream: *mut c_void = self.as_raw();
        // SAFETY: a loaded model in its context, and a stream of that context. The data sets are read during the call
        // (GE, `ModelManager::ExecuteModel`). Their buffers are device memory of the size and the type of the model,
        // and queued on the stream, as the model is.
        let code = unsafe {
            sys::aclmdlExecuteAsync(loaded.id, loaded.reads.set, loaded.writes.set, stream)
        };
        check("aclmdlExecuteAsync", code)?;
        // SAFETY: the run, which writes all bytes of the outputs, was queued.
        Ok(unsafe { outputs.written() })
    }

    /// Queues a run of a model with a gear on this stream (`aclmdlExecuteAsync`, pyACL `acl.mdl.execute_async`).
    ///
    /// The operands and the gear are those of [`Model::execute_gear`], and all of them are queued on this stream. A gear
    /// that an earlier run of the stream still uses stays as it is: each gear has memory of its own.
    ///
    /// ```
    /// use ascendcl::model::{ImageSize, Model, Queueing};
    /// use ascendcl::stream::Main;
    /// use ascendcl::{DeviceBuf, Npu, Queued, Result, Stream};
    ///
    /// type OnMain<'dev, R> = Queued<'dev, (Npu<0>, Main), R>;
    ///
    /// fn classify<'dev>(
    ///     stream: &mut Stream<'_, 'dev, Npu<0>>,
    ///     model: &mut OnMain<'dev, Model<'_, 'dev, Npu<0>, Queueing, ImageSize>>,
    ///     image: &OnMain<'dev, DeviceBuf<'dev, Npu<0>, [u8]>>,
    ///     scores: &mut OnMain<'dev, DeviceBuf<'dev, Npu<0>, [f32]>>,
    /// ) -> Result<()> {
    ///     stream.execute_gear_async(model, [224, 320], (image,), (scores,)) // height, width
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Model`] for a gear that the model does not have, or for buffers that are not those of the description;
    /// nothing was queued then. Others as for [`Stream::execute_async`].
    pub fn execute_gear_async<I, O, G, H>(
        &mut self,
        model: &mut Queued<'dev, (D, S), Model<'_, 'dev, D, Queueing, G>, H>,
        gear: G::Gear<'_>,
        inputs: I,
        outputs: O,
    ) -> Result<()>
    where
        S: StreamTag,
        G: Gears,
        I: Inputs<(D, S)>,
        O: GearOutputs<(D, S)>,
    {
        let loaded = &mut model.resource_mut().loaded;
        let reads = loaded.put_with::<(D, S), G, I, O>(gear, &inputs, &outputs)?;
        let stream: *mut c_void = self.as_raw();
        // SAFETY: a loaded model in its context, and a stream of that context. The data sets are read during the call
        // (GE, `ModelManager::ExecuteModel`). Their buffers are device memory for the largest gear and of the type of the
        // model, and queued on the stream, as the model is, which owns the memory of the gear. The outputs were
        // initialised before.
        let code = unsafe { sys::aclmdlExecuteAsync(loaded.id, reads, loaded.writes.set, stream) };
        check("aclmdlExecuteAsync", code)
    }
}
