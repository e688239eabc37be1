//! Tensors of the backend: memory of the device, and a shape.

use std::sync::Arc;

use burn_backend::{DType, Shape, TensorMetadata};

use crate::device::{self, Id, Work};

/// Numbers (`f32`) in the memory of the device. They are contiguous, so another shape of them is another handle.
#[derive(Debug, Clone)]
pub struct NpuTensor {
    memory: Arc<Id>,
    shape: Shape,
}

impl TensorMetadata for NpuTensor {
    fn dtype(&self) -> DType {
        DType::F32
    }

    fn shape(&self) -> Shape {
        self.shape.clone()
    }
}

impl NpuTensor {
    fn new(shape: Shape) -> NpuTensor {
        NpuTensor {
            memory: Arc::new(Id::new()),
            shape,
        }
    }

    pub(crate) fn written(numbers: Vec<f32>, shape: Shape) -> NpuTensor {
        let tensor = NpuTensor::new(shape);
        device::write(&tensor.memory, numbers);
        tensor
    }

    /// A tensor whose read fails for this reason.
    pub(crate) fn failed(shape: Shape, reason: String) -> NpuTensor {
        let tensor = NpuTensor::new(shape);
        device::fail(&tensor.memory, reason);
        tensor
    }

    /// The tensor of the shape `shape` that an operator makes of `operands`.
    pub(crate) fn launch(operands: &[&NpuTensor], shape: Shape, work: impl Work) -> NpuTensor {
        let tensor = NpuTensor::new(shape);
        let operands = operands
            .iter()
            .map(|operand| (operand.memory.number(), operand.shape.to_vec()))
            .collect();
        device::launch(&tensor.memory, tensor.shape.to_vec(), operands, work);
        tensor
    }

    /// The tensor of the same shape that an operator makes of this one.
    pub(crate) fn map(&self, work: impl Work) -> NpuTensor {
        NpuTensor::launch(&[self], self.shape.clone(), work)
    }

    /// The same numbers with another shape.
    pub(crate) fn reshaped(self, shape: Shape) -> NpuTensor {
        NpuTensor { shape, ..self }
    }

    pub(crate) fn dims(&self) -> &[usize] {
        &self.shape
    }

    /// The numbers.
    ///
    /// # Errors
    ///
    /// Why there are none: the first error of the operators that were to make them.
    pub(crate) fn read(&self) -> Result<Vec<f32>, String> {
        device::read(&self.memory, self.shape.num_elements())
    }
}
