//! A service without a lifetime parameter, on a device that is never reset.

use std::sync::{Mutex, PoisonError};

use ascendcl::{Device, Npu, Thread};

use crate::Result;
use crate::pipeline::Pipeline;

/// A service for any thread. It can be a static, because everything that it borrows is `'static`.
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

    /// Serves one request on the calling thread. It binds the device, because AscendCL has a current device per
    /// thread.
    pub(crate) fn add(&self, thread: &mut Thread, numbers: &[f32]) -> Result<Vec<f32>> {
        let current = thread.set_current(self.device)?;
        // Every request finds complete buffers, even after an earlier one has failed.
        let mut pipeline = self.pipeline.lock().unwrap_or_else(PoisonError::into_inner);
        // Only one place at a time may hold the default stream. The lock ensures this.
        let mut stream = current.default_stream()?;
        Ok(pipeline.add(current, &mut stream, numbers)?)
    }
}
