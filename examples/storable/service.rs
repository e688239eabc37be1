//! A service without a lifetime parameter, on a device that is never reset.

use std::sync::{Mutex, PoisonError};

use ascendcl::{Device, Npu, Thread};

use crate::Result;
use crate::pipeline::Pipeline;

/// Serves any thread, and can be a static, because everything it borrows is `'static`.
pub(crate) struct Service {
    device: &'static Device<'static, Npu<0>>,
    pipeline: Mutex<Pipeline<'static, Npu<0>>>,
}

impl Service {
    pub(crate) fn new(
        thread: &mut Thread,
        device: &'static Device<'static, Npu<0>>,
        bias: &[f32],
    ) -> Result<Service> {
        let pipeline = Pipeline::new(thread.set_current(device)?, bias)?;
        Ok(Service {
            device,
            pipeline: Mutex::new(pipeline),
        })
    }

    /// One request, on the calling thread: it binds the device, which AscendCL does per thread.
    pub(crate) fn add(&self, thread: &mut Thread, numbers: &[f32]) -> Result<Vec<f32>> {
        let current = thread.set_current(self.device)?;
        // Every request finds complete buffers, whatever happened to an earlier one.
        let mut pipeline = self.pipeline.lock().unwrap_or_else(PoisonError::into_inner);
        // One place at a time may hold the default stream; the lock sees to that.
        let mut stream = current.default_stream()?;
        pipeline.add(current, &mut stream, numbers)
    }
}
