//! Activations, convolutions and pooling. What trains them is computed by the operators below, on the host if it is listed here.

use ascendcl::op::{self, AvgPoolOptions, ConvolutionOptions, Gelus, MaxPoolOptions};
use burn_backend::ops::*;
use burn_backend::{Scalar, Shape};

use crate::float::{queue, unary};
use crate::host::{F, H, host};
use crate::{Npu, NpuTensor};

impl ActivationOps<Npu> for Npu {
    unary! {
        relu = relu sigmoid = sigmoid log_sigmoid = log_sigmoid
    }

    fn gelu(a: F) -> F {
        a.map(|lane, x, out| queue!(lane, op::gelu_v2(lane.current, &x[0], Gelus::Erf, out)))
    }

    fn leaky_relu(a: F, slope: Scalar) -> F {
        let slope: f32 = slope.elem();
        a.map(move |lane, x, out| queue!(lane, op::leaky_relu(lane.current, &x[0], slope, out)))
    }

    fn softmax(a: F, dim: usize) -> F {
        a.map(move |lane, x, out| queue!(lane, op::softmax(lane.current, &x[0], dim as i64, out)))
    }
}

impl ModuleOps<Npu> for Npu {
    fn conv2d(x: F, weight: F, bias: Option<F>, options: ConvOptions<2>) -> F {
        let [stride, padding, dilation] =
            [options.stride, options.padding, options.dilation].map(signed);
        let groups = options.groups as i64;
        let shape =
            conv2d(&stride, &padding, &dilation, groups).output_shape(x.dims(), weight.dims());
        made(shape, &x, |shape| {
            let operands: Vec<&F> = [&x, &weight].into_iter().chain(&bias).collect();
            NpuTensor::launch(&operands, shape, move |lane, x, out| {
                let options = conv2d(&stride, &padding, &dilation, groups);
                queue!(
                    lane,
                    op::convolution(lane.current, &x[0], &x[1], x.get(2), &options, out)
                )
            })
        })
    }

    fn avg_pool2d(
        x: F,
        kernel: [usize; 2],
        stride: [usize; 2],
        padding: [usize; 2],
        counts_pads: bool,
        ceil: bool,
    ) -> F {
        let options = AvgPoolOptions {
            stride: signed(stride),
            padding: signed(padding),
            ceil_mode: ceil,
            count_include_pad: counts_pads,
            ..AvgPoolOptions::new(signed(kernel))
        };
        made(options.output_shape(x.dims()), &x, |shape| {
            NpuTensor::launch(&[&x], shape, move |lane, x, out| {
                queue!(lane, op::avg_pool2d(lane.current, &x[0], &options, out))
            })
        })
    }

    fn max_pool2d(
        x: F,
        kernel: [usize; 2],
        stride: [usize; 2],
        padding: [usize; 2],
        dilation: [usize; 2],
        ceil: bool,
    ) -> F {
        if dilation != [1, 1] {
            return Npu::max_pool2d_with_indices(x, kernel, stride, padding, dilation, ceil).output;
        }
        let options = MaxPoolOptions {
            stride: signed(stride),
            padding: signed(padding),
            ceil_mode: ceil,
            ..MaxPoolOptions::new(signed(kernel))
        };
        made(options.output_shape(x.dims()), &x, |shape| {
            NpuTensor::launch(&[&x], shape, move |lane, x, out| {
                queue!(lane, op::max_pool(lane.current, &x[0], &options, out))
            })
        })
    }

    fn adaptive_avg_pool2d(x: F, size: [usize; 2]) -> F {
        let shape = [&x.dims()[..2], &size].concat();
        NpuTensor::launch(&[&x], Shape::from(shape), |lane, x, out| {
            queue!(lane, op::adaptive_avg_pool2d(lane.current, &x[0], out))
        })
    }

    host! {
        (x: F, offset: F, weight: F, mask: Option<F>, bias: Option<F>, options: DeformConvOptions<2>) -> F: deform_conv2d;
        (x: F, offset: F, weight: F, mask: Option<F>, bias: Option<F>, grad: F, options: DeformConvOptions<2>)
            -> DeformConv2dBackward<Npu>: deform_conv2d_backward;
        (x: F, weight: F, bias: Option<F>, options: ConvOptions<3>) -> F: conv3d;
        (x: F, weight: F, bias: Option<F>, options: ConvTransposeOptions<2>) -> F: conv_transpose2d;
        (x: F, weight: F, bias: Option<F>, options: ConvTransposeOptions<3>) -> F: conv_transpose3d;
        (x: F, kernel: [usize; 2], options: UnfoldOptions) -> F: unfold4d;
        (x: F, grad: F, kernel: [usize; 2], stride: [usize; 2], padding: [usize; 2], counts_pads: bool, ceil: bool)
            -> F: avg_pool2d_backward;
        (x: F, grad: F) -> F: adaptive_avg_pool2d_backward;
        (x: F, kernel: [usize; 2], stride: [usize; 2], padding: [usize; 2], dilation: [usize; 2], ceil: bool)
            -> MaxPool2dWithIndices<Npu>: max_pool2d_with_indices;
        (x: F, kernel: [usize; 2], stride: [usize; 2], padding: [usize; 2], dilation: [usize; 2], ceil: bool, grad: F,
            indices: H) -> MaxPool2dBackward<Npu>: max_pool2d_with_indices_backward;
        (x: F, size: [usize; 2], options: InterpolateOptions) -> F: interpolate;
        (x: F, grad: F, size: [usize; 2], options: InterpolateOptions) -> F: interpolate_backward;
        (query: F, key: F, value: F, mask: Option<H>, bias: Option<F>, options: AttentionModuleOptions) -> F: attention;
        (signal: F, dim: usize, n: Option<usize>) -> (F, F): rfft;
        (real: F, imaginary: F, dim: usize, n: Option<usize>) -> F: irfft;
    }
}

fn conv2d<'a>(
    stride: &'a [i64],
    padding: &'a [i64],
    dilation: &'a [i64],
    groups: i64,
) -> ConvolutionOptions<'a> {
    ConvolutionOptions {
        stride,
        padding,
        dilation,
        groups,
        ..ConvolutionOptions::default()
    }
}

/// The tensor of a computed shape. If the attributes fit no shape, its read fails.
fn made(shape: ascendcl::Result<Vec<usize>>, x: &F, make: impl FnOnce(Shape) -> F) -> F {
    match shape {
        Ok(shape) => make(Shape::from(shape)),
        Err(error) => F::failed(Shape::from(x.dims().to_vec()), error.to_string()),
    }
}

fn signed(numbers: [usize; 2]) -> [i64; 2] {
    numbers.map(|number| number as i64)
}
