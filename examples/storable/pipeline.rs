//! The stored values of all three ways: buffers, and the work on them.

use ascendcl::bounds::StreamTag;
use ascendcl::error::Usage;
use ascendcl::op;
use ascendcl::{Current, DeviceBuf, DeviceTag, LocalBuf, Result, Stream};

/// Adds numbers that stay on the device to those of each request.
///
/// It stores buffers, which can move between threads, and no stream. A stream stays on the thread that its device is
/// bound to, so each caller passes one.
pub(crate) struct Pipeline<'d, D: DeviceTag> {
    staging: LocalBuf<'d, [f32]>,
    bias: DeviceBuf<'d, D, [f32]>,
    input: DeviceBuf<'d, D, [f32]>,
    output: DeviceBuf<'d, D, [f32]>,
}

impl<'d, D: DeviceTag> Pipeline<'d, D> {
    /// Allocates once, for requests of as many numbers as `bias` has.
    pub(crate) fn new(current: Current<'_, 'd, D>, bias: &[f32]) -> Result<Self> {
        let len = bias.len();
        let mut staging = current.malloc_local::<f32, 64>(len)?;
        staging.copy_from_slice(bias);
        Ok(Pipeline {
            bias: current.memcpy(current.malloc(len)?, &staging)?,
            input: current.memset(current.malloc(len)?, 0)?,
            output: current.memset(current.malloc(len)?, 0)?,
            staging,
        })
    }

    /// One request, without an allocation on the device.
    pub(crate) fn add<S: StreamTag>(
        &mut self,
        current: Current<'_, '_, D>,
        stream: &mut Stream<'_, '_, D, S>,
        numbers: &[f32],
    ) -> Result<Vec<f32>> {
        let len = self.staging.len();
        if numbers.len() != len {
            let (source_len, destination_len) = (numbers.len(), len);
            return Err(Usage::Length {
                source_len,
                destination_len,
            }
            .into());
        }
        self.staging.copy_from_slice(numbers);
        current.memcpy(&mut self.input, &self.staging)?;
        let (input, bias) = (self.input.tensor(&[len])?, self.bias.tensor(&[len])?);
        op::add(current, &input, &bias, 1.0, self.output.tensor_mut(&[len])?)?.run(stream)?;
        current.memcpy(&mut self.staging, &self.output)?;
        Ok(self.staging.to_vec())
    }

    /// Frees by hand, to see the errors.
    pub(crate) fn free(self) -> Result<()> {
        self.output.free()?;
        self.input.free()?;
        self.bias.free()?;
        self.staging.free()?;
        Ok(())
    }
}
