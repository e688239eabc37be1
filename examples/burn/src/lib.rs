//! A backend of burn: tensors of `f32` in the memory of an Ascend device, whose operators are those of `ascendcl::op`.
//!
//! A tensor of burn has no lifetime and goes to any thread, but memory, streams and plans borrow their device. So a worker
//! ([`ascendcl::worker`]) owns the device and all memory, and a tensor is a number with which work names memory (`device`).
//! Operators return at once, and their errors come out where a program reads a tensor.
//!
//! Whole numbers, truth values and quantized numbers are tensors of burn's backend for the host, and so are the operands of
//! operators that have none here: `host` lists them.

mod device;
mod float;
mod host;
mod module;
pub mod network;
mod tensor;

use burn_backend::{
    Backend, BackendTypes, DType, DTypeUsage, DTypeUsageSet, DeviceId, DeviceOps, ExecutionError,
};
use burn_flex::{Flex, FlexDevice, FlexQTensor, FlexTensor};

pub use device::stop;
pub use tensor::NpuTensor;

/// The backend.
#[derive(Debug, Clone, Copy, Default)]
pub struct Npu;

/// The device 0.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NpuDevice;

impl burn_backend::Device for NpuDevice {
    fn to_id(&self) -> DeviceId {
        DeviceId::new(0, 0)
    }

    fn from_id(_: DeviceId) -> Self {
        NpuDevice
    }
}

impl DeviceOps for NpuDevice {}

impl BackendTypes for Npu {
    type Device = NpuDevice;
    type FloatTensorPrimitive = NpuTensor;
    type FloatElem = f32;
    type IntTensorPrimitive = FlexTensor;
    type IntElem = i32;
    type BoolTensorPrimitive = FlexTensor;
    type BoolElem = bool;
    type QuantizedTensorPrimitive = FlexQTensor;
}

impl Backend for Npu {
    fn name(_: &NpuDevice) -> String {
        "ascendcl".into()
    }

    fn seed(_: &NpuDevice, seed: u64) {
        Flex::seed(&FlexDevice, seed);
    }

    fn sync(_: &NpuDevice) -> Result<(), ExecutionError> {
        device::synchronize().map_err(|reason| ExecutionError::WithContext { reason })
    }

    fn dtype_usage(_: &NpuDevice, dtype: DType) -> DTypeUsageSet {
        match dtype {
            DType::F32 => DTypeUsage::Storage | DTypeUsage::Arithmetic,
            DType::F64 | DType::F16 | DType::BF16 | DType::Flex32 => DTypeUsageSet::empty(),
            other => Flex::dtype_usage(&FlexDevice, other),
        }
    }

    fn device_count(_: u16) -> usize {
        1
    }
}
