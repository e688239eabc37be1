//! Runs of models: the C objects of a loaded model, the checks before a run, and both kinds of runs.

use std::ffi::c_void;

use ascendcl_sys as sys;

use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Error, ModelMismatch, Result, Usage};
use crate::model::operand::{Given, Inputs, Outputs};
use crate::model::{Blocking, Model, Queueing, TensorInfo};
use crate::queue::Queued;
use crate::raw::check;
use crate::release;
use crate::stream::{Stream, StreamTag};

/// A data set with a data buffer for each input or output. Each run updates the buffers, so a run allocates nothing.
///
/// # Invariants
///
/// - The set and the buffers are live, and the set has exactly these buffers.
#[derive(Debug)]
struct Operands {
    set: *mut sys::aclmdlDataset,
    buffers: Vec<*mut sys::aclDataBuffer>,
}

// SAFETY: the objects are plain memory of the host without a tie to a thread (GE, `aclmdlDataset`, `aclDataBuffer`), and
// this value owns them. A parked model is freed on any thread.
unsafe impl Send for Operands {}

impl Operands {
    fn new(count: usize) -> Result<Operands> {
        // SAFETY: takes nothing.
        let set = unsafe { sys::aclmdlCreateDataset() };
        if set.is_null() {
            return Err(Error::refused(
                "aclmdlCreateDataset",
                sys::ACL_ERROR_BAD_ALLOC,
            ));
        }
        let mut operands = Operands {
            set,
            buffers: Vec::with_capacity(count),
        };
        for _ in 0..count {
            // SAFETY: a buffer without memory.
            let buffer = unsafe { sys::aclCreateDataBuffer(core::ptr::null_mut(), 0) };
            if buffer.is_null() {
                return Err(Error::refused(
                    "aclCreateDataBuffer",
                    sys::ACL_ERROR_BAD_ALLOC,
                ));
            }
            operands.buffers.push(buffer);
            // SAFETY: both are live.
            let code = unsafe { sys::aclmdlAddDatasetBuffer(operands.set, buffer) };
            check("aclmdlAddDatasetBuffer", code)?;
        }
        Ok(operands)
    }

    /// Puts the memory of an operand into the buffer at `index`, after a comparison with its description.
    fn put(&mut self, all: &[TensorInfo], index: usize, given: Given) -> Result<()> {
        let (Some(info), Some(buffer)) = (all.get(index), self.buffers.get(index)) else {
            // The number of operands is compared at the end.
            return Ok(());
        };
        if info.data_type() != given.data_type {
            return Err(Usage::Model(ModelMismatch::Element {
                name: info.name().to_owned(),
                passed: given.data_type,
                expected: info.data_type(),
            })
            .into());
        }
        if info.bytes() != given.bytes {
            return Err(Usage::Model(ModelMismatch::Size {
                name: info.name().to_owned(),
                passed: given.bytes,
                expected: info.bytes(),
            })
            .into());
        }
        // SAFETY: a live data buffer. The memory is used by runs only, which come after all buffers were updated.
        let code = unsafe { sys::aclUpdateDataBuffer(*buffer, given.address, given.bytes) };
        check("aclUpdateDataBuffer", code)
    }
}

impl Drop for Operands {
    fn drop(&mut self) {
        // SAFETY: a live data set, and no call uses it: a queued run has read it during its call.
        let code = unsafe { sys::aclmdlDestroyDataset(self.set) };
        release::status_in_drop("aclmdlDestroyDataset", code);
        for buffer in &self.buffers {
            // SAFETY: a live data buffer, whose data set is gone.
            let code = unsafe { sys::aclDestroyDataBuffer(*buffer) };
            release::status_in_drop("aclDestroyDataBuffer", code);
        }
    }
}

/// A loaded model with its C objects.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) id: u32,
    pub(super) inputs: Vec<TensorInfo>,
    pub(super) outputs: Vec<TensorInfo>,
    reads: Operands,
    writes: Operands,
}

impl Loaded {
    pub(super) fn new(
        id: u32,
        inputs: Vec<TensorInfo>,
        outputs: Vec<TensorInfo>,
    ) -> Result<Loaded> {
        Ok(Loaded {
            id,
            reads: Operands::new(inputs.len())?,
            writes: Operands::new(outputs.len())?,
            inputs,
            outputs,
        })
    }

    /// Compares the operands of a run with the model, and puts them into the data sets.
    fn put<X, I: Inputs<X>, O: Outputs<X>>(&mut self, inputs: &I, outputs: &O) -> Result<()> {
        let mut passed = 0;
        inputs.read(&mut |given| {
            passed += 1;
            self.reads.put(&self.inputs, passed - 1, given)
        })?;
        count("inputs", passed, self.inputs.len())?;
        passed = 0;
        outputs.write(&mut |given| {
            passed += 1;
            self.writes.put(&self.outputs, passed - 1, given)
        })?;
        count("outputs", passed, self.outputs.len())
    }
}

/// Unloads a model and returns the status of that call.
///
/// # Safety
///
/// - No run of the model is unfinished, and nothing uses it afterwards.
pub(super) unsafe fn unload(id: u32) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::aclmdlUnload(id) }
}

/// Compares the number of operands.
fn count(side: &'static str, passed: usize, expected: usize) -> Result<()> {
    if passed == expected {
        return Ok(());
    }
    Err(Usage::Model(ModelMismatch::Count {
        side,
        passed,
        expected,
    })
    .into())
}

impl<D: AnyDevice> Model<'_, '_, D, Blocking> {
    /// Runs the model and returns when the outputs are there (`aclmdlExecute`, pyACL `acl.mdl.execute`).
    ///
    /// `inputs` is a tuple of `&` of initialised device memory. `outputs` is a tuple of `&mut` of device memory, or of
    /// fresh buffers by value, which the call returns initialised. Both are in the order of the description.
    ///
    /// The run does not wait for streams. Memory that a stream uses is [`Queued`] and cannot be passed.
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
        // SAFETY: the run has succeeded, and a model writes all bytes of its outputs.
        Ok(unsafe { outputs.written() })
    }
}

impl<'dev, D: AnyDevice, S: StreamTag> Stream<'_, 'dev, D, S> {
    /// Queues a run of a model on this stream (`aclmdlExecuteAsync`, pyACL `acl.mdl.execute_async`).
    ///
    /// The model, the inputs and the outputs are queued on this stream, so all of them live until the run is over. The
    /// operands are those of [`Model::execute`]. `stream.adopt(model)` queues a model, and
    /// [`Idle::take`](crate::stream::Idle::take) returns it.
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
}
