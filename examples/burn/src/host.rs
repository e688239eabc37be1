//! What burn's backend for the host computes: its operands are copied there, and its results back.
//!
//! A table has lines of a signature and the operators that have it. `F` is a tensor of the device; whole numbers and truth values
//! are tensors of the host already.

use burn_backend::ops::*;
use burn_backend::quantization::{QuantScheme, QuantizationParametersPrimitive};
use burn_backend::tensor::IndexingUpdateOp;
use burn_backend::{
    BoolDType, DType, Distribution, ExecutionError, FloatDType, IntDType, Scalar, Shape, Slice,
    TensorData,
};
use burn_flex::{Flex, FlexDevice, FlexQTensor, FlexTensor};

use crate::{Npu, NpuDevice, NpuTensor};

/// A tensor of the device in the tables.
pub(crate) type F = NpuTensor;
/// Whole numbers, or truth values.
pub(crate) type H = FlexTensor;
/// Quantized numbers.
type Q = FlexQTensor;

/// A value as the backend of the host takes it.
pub(crate) trait ToHost {
    type Host;
    fn to_host(self) -> Self::Host;
}

/// A value that the backend of the host gives.
pub(crate) trait FromHost {
    type Host;
    fn from_host(host: Self::Host) -> Self;
}

macro_rules! same {
    ($($type:ty),* $(,)?) => {$(
        impl<'a> ToHost for $type {
            type Host = $type;
            fn to_host(self) -> $type {
                self
            }
        }
    )*};
}
same!(
    H,
    Q,
    Scalar,
    Shape,
    usize,
    bool,
    [usize; 2],
    Option<usize>,
    &'a [usize],
    &'a [Slice],
    BoolDType,
    IntDType,
    FloatDType,
    Distribution,
    TensorData,
    &'a QuantScheme,
    Option<H>,
    IndexingUpdateOp,
    ConvOptions<2>,
    ConvOptions<3>,
    ConvTransposeOptions<2>,
    ConvTransposeOptions<3>,
    DeformConvOptions<2>,
    UnfoldOptions,
    InterpolateOptions,
    AttentionModuleOptions,
);

impl ToHost for &NpuDevice {
    type Host = &'static FlexDevice;
    fn to_host(self) -> &'static FlexDevice {
        &FlexDevice
    }
}

/// The operators of burn return no error, so this is the place where one becomes a panic, as in its own backends.
impl ToHost for F {
    type Host = FlexTensor;
    fn to_host(self) -> FlexTensor {
        let numbers = self.read().unwrap_or_else(|reason| panic!("{reason}"));
        FlexTensor::from_data(TensorData::new(
            numbers,
            burn_backend::TensorMetadata::shape(&self),
        ))
    }
}

impl ToHost for Option<F> {
    type Host = Option<FlexTensor>;
    fn to_host(self) -> Option<FlexTensor> {
        self.map(F::to_host)
    }
}

impl ToHost for QuantizationParametersPrimitive<Npu> {
    type Host = QuantizationParametersPrimitive<Flex>;
    fn to_host(self) -> Self::Host {
        QuantizationParametersPrimitive {
            scales: self.scales.to_host(),
        }
    }
}

impl FromHost for F {
    type Host = FlexTensor;
    fn from_host(host: FlexTensor) -> F {
        from_data(host.into_data())
    }
}

impl FromHost for H {
    type Host = FlexTensor;
    fn from_host(host: FlexTensor) -> H {
        host
    }
}

impl FromHost for Q {
    type Host = FlexQTensor;
    fn from_host(host: FlexQTensor) -> Q {
        host
    }
}

impl FromHost for (F, F) {
    type Host = (FlexTensor, FlexTensor);
    fn from_host((first, second): Self::Host) -> (F, F) {
        (F::from_host(first), F::from_host(second))
    }
}

impl FromHost for MaxPool2dWithIndices<Npu> {
    type Host = MaxPool2dWithIndices<Flex>;
    fn from_host(host: Self::Host) -> Self {
        MaxPool2dWithIndices::new(F::from_host(host.output), host.indices)
    }
}

impl FromHost for MaxPool2dBackward<Npu> {
    type Host = MaxPool2dBackward<Flex>;
    fn from_host(host: Self::Host) -> Self {
        MaxPool2dBackward::new(F::from_host(host.x_grad))
    }
}

impl FromHost for DeformConv2dBackward<Npu> {
    type Host = DeformConv2dBackward<Flex>;
    fn from_host(host: Self::Host) -> Self {
        DeformConv2dBackward::new(
            F::from_host(host.x_grad),
            F::from_host(host.offset_grad),
            F::from_host(host.weight_grad),
            host.mask_grad.map(F::from_host),
            host.bias_grad.map(F::from_host),
        )
    }
}

/// Numbers of a program as a tensor of the device, which has `f32` alone.
pub(crate) fn from_data(data: TensorData) -> F {
    let (shape, dtype) = (data.shape.clone(), data.dtype);
    match data.into_vec::<f32>() {
        Ok(numbers) if dtype == DType::F32 => F::written(numbers, shape),
        _ => F::failed(shape, unsupported(dtype)),
    }
}

pub(crate) fn unsupported(dtype: DType) -> String {
    format!(
        "this backend has F32 for floating-point numbers, not {dtype:?}: cast on another backend"
    )
}

/// Operators of the host: each line has a signature, and the names of those that have it.
macro_rules! host {
    ($($args:tt -> $out:ty: $($name:ident)*;)*) => {
        $($(host!(@ $name $args -> $out);)*)*
    };
    (@ $name:ident ($($arg:ident: $type:ty),*) -> $out:ty) => {
        fn $name($($arg: $type),*) -> $out {
            <$out as $crate::host::FromHost>::from_host(
                burn_flex::Flex::$name($($crate::host::ToHost::to_host($arg)),*)
            )
        }
    };
}
pub(crate) use host;

impl IntTensorOps<Npu> for Npu {
    host! {
        (shape: Shape, device: &NpuDevice, dtype: IntDType) -> H: int_empty int_zeros int_ones;
        (data: TensorData, device: &NpuDevice) -> H: int_from_data;
        (shape: Shape, distribution: Distribution, device: &NpuDevice, dtype: IntDType) -> H: int_random;
        (a: H) -> H: int_sum int_prod int_abs bitwise_not;
        (a: H, dim: usize) -> H: int_sum_dim int_prod_dim int_mean_dim int_cumsum int_cumprod int_cummin int_cummax
            int_argmax int_argmin;
        (a: H, b: H) -> H: int_add int_sub int_mul int_div int_remainder int_matmul bitwise_and bitwise_or bitwise_xor
            bitwise_left_shift bitwise_right_shift;
        (a: H, b: Scalar) -> H: int_add_scalar int_sub_scalar int_mul_scalar int_div_scalar int_remainder_scalar
            bitwise_and_scalar bitwise_or_scalar bitwise_xor_scalar bitwise_left_shift_scalar bitwise_right_shift_scalar;
        (a: H, b: H, dtype: BoolDType) -> H: int_equal int_greater int_greater_equal int_lower int_lower_equal;
        (a: H, b: Scalar, dtype: BoolDType) -> H: int_equal_elem int_greater_elem int_greater_equal_elem int_lower_elem
            int_lower_equal_elem;
        (a: H, shape: Shape) -> H: int_reshape int_expand;
        (a: H, slices: &[Slice]) -> H: int_slice;
        (a: H, slices: &[Slice], value: H) -> H: int_slice_assign;
        (a: H, mask: H, value: H) -> H: int_mask_where;
        (a: H, mask: H, value: Scalar) -> H: int_mask_fill;
        (dim: usize, a: H, indices: H) -> H: int_gather;
        (dim: usize, a: H, indices: H, value: H) -> H: int_scatter_add;
        (a: H, dim: usize, indices: H) -> H: int_select;
        (a: H, dim: usize, indices: H, value: H) -> H: int_select_add;
        (a: H, one: usize, other: usize) -> H: int_argtopk int_swap_dims;
        (a: H, axes: &[usize]) -> H: int_permute int_flip;
        (a: H, dim: usize, size: usize, step: usize) -> H: int_unfold;
        (a: H, dtype: IntDType) -> H: int_cast;
        (a: H, dtype: FloatDType) -> F: int_into_float;
    }

    async fn int_into_data(tensor: H) -> Result<TensorData, ExecutionError> {
        Flex::int_into_data(tensor).await
    }

    fn int_device(_: &H) -> NpuDevice {
        NpuDevice
    }

    fn int_to_device(tensor: H, _: &NpuDevice) -> H {
        tensor
    }
}

impl BoolTensorOps<Npu> for Npu {
    host! {
        (shape: Shape, device: &NpuDevice, dtype: BoolDType) -> H: bool_empty bool_zeros bool_ones;
        (data: TensorData, device: &NpuDevice) -> H: bool_from_data;
        (a: H) -> H: bool_not;
        (a: H, b: H) -> H: bool_equal bool_and bool_or;
        (a: H, b: Scalar) -> H: bool_equal_elem;
        (a: H, shape: Shape) -> H: bool_reshape bool_expand;
        (a: H, slices: &[Slice]) -> H: bool_slice;
        (a: H, slices: &[Slice], value: H) -> H: bool_slice_assign;
        (a: H, mask: H, value: H) -> H: bool_mask_where;
        (a: H, mask: H, value: Scalar) -> H: bool_mask_fill;
        (dim: usize, a: H, indices: H) -> H: bool_gather;
        (dim: usize, a: H, indices: H, value: H) -> H: bool_scatter_or;
        (a: H, dim: usize, indices: H) -> H: bool_select;
        (a: H, dim: usize, indices: H, value: H) -> H: bool_select_or;
        (a: H, one: usize, other: usize) -> H: bool_swap_dims;
        (a: H, axes: &[usize]) -> H: bool_permute bool_flip;
        (a: H, dim: usize, size: usize, step: usize) -> H: bool_unfold;
        (a: H, dtype: IntDType) -> H: bool_into_int;
        (a: H, dtype: FloatDType) -> F: bool_into_float;
    }

    async fn bool_into_data(tensor: H) -> Result<TensorData, ExecutionError> {
        Flex::bool_into_data(tensor).await
    }

    fn bool_device(_: &H) -> NpuDevice {
        NpuDevice
    }

    fn bool_to_device(tensor: H, _: &NpuDevice) -> H {
        tensor
    }
}

impl QTensorOps<Npu> for Npu {
    host! {
        (data: TensorData, device: &NpuDevice) -> Q: q_from_data;
        (a: F, scheme: &QuantScheme, parameters: QuantizationParametersPrimitive<Npu>) -> Q: quantize;
        (a: Q, dtype: FloatDType) -> F: dequantize;
        (a: Q, shape: Shape) -> Q: q_reshape q_expand;
        (a: Q, one: usize, other: usize) -> Q: q_swap_dims;
        (a: Q, axes: &[usize]) -> Q: q_permute q_flip;
        (a: Q, dim: usize, indices: H) -> Q: q_select;
        (a: Q, slices: &[Slice]) -> Q: q_slice;
    }

    async fn q_into_data(tensor: Q) -> Result<TensorData, ExecutionError> {
        Flex::q_into_data(tensor).await
    }

    fn q_device(_: &Q) -> NpuDevice {
        NpuDevice
    }

    fn q_to_device(tensor: Q, _: &NpuDevice) -> Q {
        tensor
    }
}

impl TransactionOps<Npu> for Npu {}
