//! Operators on floating-point numbers. Below the tables of the device stand those that the host computes.

use ascendcl::op::{self, CubeMath};
use burn_backend::ops::FloatTensorOps;
use burn_backend::tensor::IndexingUpdateOp;
use burn_backend::{
    BoolDType, DType, Distribution, ExecutionError, FloatDType, IntDType, Scalar, Shape, Slice,
    TensorData,
};

use crate::host::{F, H, from_data, host, unsupported};
use crate::{Npu, NpuDevice, NpuTensor};

/// Queues a plan behind the work of the stream.
macro_rules! queue {
    ($lane:ident, $plan:expr) => {
        $plan?.launch_in(&mut $lane.stream, &mut $lane.workspaces)
    };
}
pub(crate) use queue;

/// Functions of each element: `burn = ascendcl`.
macro_rules! unary {
    ($($name:ident = $op:ident)*) => {$(
        fn $name(a: F) -> F {
            a.map(|lane, x, out| $crate::float::queue!(lane, op::$op(lane.current, &x[0], out)))
        }
    )*};
}
pub(crate) use unary;

/// Functions of two tensors, whose dimensions of one element broadcast.
macro_rules! binary {
    ($($name:ident = $op:ident($($number:literal)?))*) => {$(
        fn $name(a: F, b: F) -> F {
            let shape = broadcast(a.dims(), b.dims());
            NpuTensor::launch(&[&a, &b], shape, |lane, x, out| {
                queue!(lane, op::$op(lane.current, &x[0], &x[1], $($number,)? out))
            })
        }
    )*};
}

/// Functions of each element and a number.
macro_rules! scalar {
    ($($name:ident = $op:ident($($number:literal)?))*) => {$(
        fn $name(a: F, b: Scalar) -> F {
            let b: f32 = b.elem();
            a.map(move |lane, x, out| queue!(lane, op::$op(lane.current, &x[0], b, $($number,)? out)))
        }
    )*};
}

/// Functions that take the elements of one dimension together, which stays with one element.
macro_rules! reduce {
    ($($name:ident = $op:ident)*) => {$(
        fn $name(a: F, dim: usize) -> F {
            let shape = with(a.dims(), dim, 1);
            NpuTensor::launch(&[&a], shape, move |lane, x, out| {
                queue!(lane, op::$op(lane.current, &x[0], &[dim as i64], true, out))
            })
        }
    )*};
}

impl FloatTensorOps<Npu> for Npu {
    unary! {
        float_exp = exp float_log = log float_log1p = log1p float_sqrt = sqrt float_abs = abs float_neg = neg float_recip = reciprocal
        float_cos = cos float_sin = sin float_tan = tan float_cosh = cosh float_sinh = sinh float_tanh = tanh
        float_acos = acos float_acosh = acosh float_asin = asin float_asinh = asinh float_atan = atan float_atanh = atanh
        float_round = round float_floor = floor float_ceil = ceil float_trunc = trunc float_erf = erf
    }

    binary! {
        float_add = add(1.0) float_sub = sub(1.0) float_mul = mul() float_div = div() float_powf = pow_tensor_tensor()
        float_atan2 = atan2() float_remainder = remainder_tensor_tensor()
    }

    scalar! {
        float_add_scalar = adds(1.0) float_sub_scalar = subs(1.0) float_mul_scalar = muls() float_div_scalar = divs()
        float_remainder_scalar = remainder_tensor_scalar() float_powf_scalar_impl = pow_tensor_scalar()
        float_clamp_min = clamp_min() float_clamp_max = clamp_max()
    }

    reduce! {
        float_sum_dim = reduce_sum float_mean_dim = mean float_max_dim = amax float_min_dim = amin
    }

    fn float_sum(a: F) -> F {
        let all = Shape::from([a.dims().iter().product::<usize>()]);
        Npu::float_sum_dim(a.reshaped(all), 0)
    }

    fn float_cumsum(a: F, dim: usize) -> F {
        a.map(move |lane, x, out| queue!(lane, op::cumsum(lane.current, &x[0], dim as i64, out)))
    }

    /// A card may round to what its unit for matrices takes.
    fn float_matmul(a: F, b: F) -> F {
        let (rows, columns) = (a.dims().len() - 2, b.dims().len() - 1);
        let outer = broadcast(&a.dims()[..rows], &b.dims()[..columns - 1]);
        let shape = [&outer[..], &[a.dims()[rows], b.dims()[columns]]].concat();
        NpuTensor::launch(&[&a, &b], Shape::from(shape), |lane, x, out| {
            queue!(
                lane,
                op::matmul(lane.current, &x[0], &x[1], out, CubeMath::AllowRounding)
            )
        })
    }

    fn float_cat(tensors: Vec<F>, dim: usize) -> F {
        let tensors: Vec<&F> = tensors.iter().collect();
        let joined = tensors.iter().map(|tensor| tensor.dims()[dim]).sum();
        let shape = with(tensors[0].dims(), dim, joined);
        NpuTensor::launch(&tensors, shape, move |lane, x, out| {
            let x: Vec<_> = x.iter().collect();
            queue!(lane, op::cat(lane.current, &x, dim as i64, out))
        })
    }

    fn float_reshape(a: F, shape: Shape) -> F {
        a.reshaped(shape)
    }

    fn float_permute(a: F, axes: &[usize]) -> F {
        let shape: Vec<usize> = axes.iter().map(|axis| a.dims()[*axis]).collect();
        let axes = signed(axes);
        NpuTensor::launch(&[&a], Shape::from(shape), move |lane, x, out| {
            queue!(lane, op::permute(lane.current, &x[0], &axes, out))
        })
    }

    fn float_swap_dims(a: F, one: usize, other: usize) -> F {
        let mut axes: Vec<usize> = (0..a.dims().len()).collect();
        axes.swap(one, other);
        Npu::float_permute(a, &axes)
    }

    fn float_flip(a: F, axes: &[usize]) -> F {
        let axes = signed(axes);
        a.map(move |lane, x, out| queue!(lane, op::flip(lane.current, &x[0], &axes, out)))
    }

    fn float_expand(a: F, shape: Shape) -> F {
        let size = signed(&shape);
        NpuTensor::launch(&[&a], shape, move |lane, x, out| {
            queue!(lane, op::expand(lane.current, &x[0], &size, out))
        })
    }

    fn float_slice(a: F, slices: &[Slice]) -> F {
        if slices.iter().any(Slice::is_reversed) {
            host!((a: F, slices: &[Slice]) -> F: float_slice;);
            return float_slice(a, slices);
        }
        let mut shape = a.dims().to_vec();
        let mut ranges = Vec::new();
        for (dim, slice) in slices.iter().enumerate() {
            ranges.push((slice.to_range(shape[dim]), slice.step.unsigned_abs()));
            shape[dim] = slice.output_size(shape[dim]);
        }
        NpuTensor::launch(&[&a], Shape::from(shape), move |lane, x, out| {
            let mut view = x[0].view();
            for (dim, (range, step)) in (0..).zip(ranges) {
                view = view.slice(dim, range, step)?;
            }
            queue!(lane, op::inplace_copy(lane.current, out, &view))
        })
    }

    fn float_cast(a: F, dtype: FloatDType) -> F {
        match dtype {
            FloatDType::F32 => a,
            other => F::failed(
                Shape::from(a.dims().to_vec()),
                unsupported(DType::from(other)),
            ),
        }
    }

    fn float_from_data(data: TensorData, _: &NpuDevice) -> F {
        from_data(data)
    }

    fn float_empty(shape: Shape, device: &NpuDevice, dtype: FloatDType) -> F {
        Npu::float_zeros(shape, device, dtype)
    }

    async fn float_into_data(a: F) -> Result<TensorData, ExecutionError> {
        match a.read() {
            Ok(numbers) => Ok(TensorData::new(numbers, a.dims().to_vec())),
            Err(reason) => Err(ExecutionError::WithContext { reason }),
        }
    }

    fn float_device(_: &F) -> NpuDevice {
        NpuDevice
    }

    fn float_to_device(a: F, _: &NpuDevice) -> F {
        a
    }

    host! {
        (shape: Shape, distribution: Distribution, device: &NpuDevice, dtype: FloatDType) -> F: float_random;
        (a: F, dim: usize) -> F: float_cumprod float_cummin float_cummax;
        (a: F, b: F, dim: usize) -> F: float_cross;
        (a: F, dim: usize, size: usize, step: usize) -> F: float_unfold;
        (a: F, slices: &[Slice], value: F) -> F: float_slice_assign;
        (a: F, mask: H, value: F) -> F: float_mask_where;
        (a: F, mask: H, value: Scalar) -> F: float_mask_fill;
        (dim: usize, a: F, indices: H) -> F: float_gather;
        (dim: usize, a: F, indices: H, value: F) -> F: float_scatter_add;
        (a: F, dim: usize, indices: H) -> F: float_select;
        (a: F, dim: usize, indices: H, value: F) -> F: float_select_add;
        (a: F, indices: H) -> F: float_gather_nd;
        (a: F, indices: H, values: F, reduction: IndexingUpdateOp) -> F: float_scatter_nd;
        (a: F, b: F, dtype: BoolDType) -> H: float_equal float_greater float_greater_equal float_lower float_lower_equal;
        (a: F, b: Scalar, dtype: BoolDType) -> H: float_equal_elem float_greater_elem float_greater_equal_elem
            float_lower_elem float_lower_equal_elem;
        (a: F, dim: usize, dtype: IntDType) -> H: float_argmax float_argmin;
        (a: F, dim: usize, k: usize, dtype: IntDType) -> H: float_argtopk;
        (a: F, dtype: IntDType) -> H: float_into_int;
    }
}

/// The shape to which two shapes broadcast.
fn broadcast(a: &[usize], b: &[usize]) -> Shape {
    let larger = |(a, b): (&usize, &usize)| if *a == 1 { *b } else { *a };
    Shape::from(a.iter().zip(b).map(larger).collect::<Vec<usize>>())
}

/// A shape with another number of elements in one dimension.
fn with(shape: &[usize], dim: usize, size: usize) -> Shape {
    let mut shape = shape.to_vec();
    shape[dim] = size;
    Shape::from(shape)
}

fn signed(numbers: &[usize]) -> Vec<i64> {
    numbers.iter().map(|number| *number as i64).collect()
}
