//! Each operator on the device beside burn's backend for the host.

use burn_ascend::network::{Network, rings};
use burn_ascend::{Npu, NpuDevice};
use burn_autodiff::Autodiff;
use burn_backend::ops::FloatTensorOps;
use burn_core::tensor::backend::Backend;
use burn_core::tensor::module::{adaptive_avg_pool2d, avg_pool2d, conv2d, max_pool2d};
use burn_core::tensor::ops::ConvOptions;
use burn_core::tensor::{Int, Tensor, TensorData, activation, s};
use burn_flex::{Flex, FlexDevice};

type Results = Vec<(&'static str, TensorData)>;

/// Compares results of the same calls.
fn compare(device: Results, host: Results, tolerance: f64) {
    assert_eq!(device.len(), host.len());
    for ((name, device), (_, host)) in device.into_iter().zip(host) {
        assert_eq!(device.shape, host.shape, "{name}");
        let pairs = device.iter::<f64>().zip(host.iter::<f64>());
        for (found, expected) in pairs {
            let is_near = (found - expected).abs() <= tolerance * expected.abs().max(1.0);
            assert!(
                is_near || found.is_nan() && expected.is_nan(),
                "{name}: {found}, not {expected}"
            );
        }
    }
}

/// So many numbers between -1 and 1, none of them twice in a row.
fn numbers<B: Backend, const D: usize>(shape: [usize; D], device: &B::Device) -> Tensor<B, D> {
    let len = shape.iter().product::<usize>();
    let numbers = (0..len)
        .map(|i| ((i * 37 + 11) % 101) as f32 / 50.0 - 1.0)
        .collect::<Vec<f32>>();
    Tensor::from_data(TensorData::new(numbers, shape), device)
}

macro_rules! results {
    ($($name:literal: $tensor:expr,)*) => {
        vec![$(($name, $tensor.into_data()),)*]
    };
}

fn elementwise<B: Backend>(device: &B::Device) -> Results {
    let a = || numbers::<B, 3>([2, 3, 5], device);
    let b = || numbers::<B, 3>([1, 3, 1], device);
    let positive = || a().abs() + 0.1;
    results! {
        "exp": a().exp(), "log": positive().log(), "log1p": positive().log1p(), "sqrt": positive().sqrt(), "abs": a().abs(),
        "neg": a().neg(), "recip": positive().recip(), "cos": a().cos(), "sin": a().sin(), "tan": a().tan(),
        "cosh": a().cosh(), "sinh": a().sinh(), "tanh": a().tanh(), "acos": a().acos(), "acosh": (a() + 3.0).acosh(),
        "asin": a().asin(), "asinh": a().asinh(), "atan": a().atan(), "atanh": (a() * 0.9).atanh(),
        "round": (a() * 5.0).round(), "floor": (a() * 5.0).floor(), "ceil": (a() * 5.0).ceil(), "trunc": (a() * 5.0).trunc(),
        "erf": a().erf(), "add": a() + b(), "sub": a() - b(), "mul": a() * b(), "div": a() / (b() + 2.0),
        "powf": positive().powf(b()), "atan2": a().atan2(b()), "remainder": a().remainder(b() + 2.0), "add_scalar": a() + 0.3,
        "sub_scalar": a() - 0.3, "mul_scalar": a() * 0.3, "div_scalar": a() / 0.3, "remainder_scalar": a().remainder_scalar(0.3),
        "powf_scalar": positive().powf_scalar(1.7), "powi_scalar": a().powi_scalar(3), "clamp": a().clamp(-0.4, 0.6),
        "relu": activation::relu(a()), "sigmoid": activation::sigmoid(a()), "log_sigmoid": activation::log_sigmoid(a()),
        "gelu": activation::gelu(a()), "leaky_relu": activation::leaky_relu(a(), 0.2), "silu": activation::silu(a()),
        "softmax": activation::softmax(a(), 1), "log_softmax": activation::log_softmax(a(), 2),
    }
}

fn shapes<B: Backend>(device: &B::Device) -> Results {
    let a = || numbers::<B, 3>([2, 3, 5], device);
    results! {
        "sum": a().sum(), "mean": a().mean(), "sum_dim": a().sum_dim(1), "mean_dim": a().mean_dim(2), "max_dim": a().max_dim(0),
        "min_dim": a().min_dim(2), "max": a().max(), "cumsum": a().cumsum(2), "cumprod": a().cumprod(1), "var": a().var(2),
        "permute": a().permute([2, 0, 1]), "swap_dims": a().swap_dims(0, 2), "transpose": a().transpose(), "flip": a().flip([0, 2]),
        "reshape": a().reshape([6, 5]) * 2.0, "expand": numbers::<B, 3>([2, 1, 5], device).expand([2, 4, 5]),
        "slice": a().slice(s![1, 0..2, 1..5;2]), "slice backwards": a().slice(s![.., .., ..;-1]),
        "slice of the end": a().slice(s![.., -2.., ..]), "slice_assign": a().slice_assign(s![0..1, .., ..], numbers([1, 3, 5], device)),
        "cat": Tensor::cat(vec![a(), a() * 2.0, a().slice(s![.., 0..1, ..])], 1), "repeat_dim": a().repeat_dim(1, 2),
        "matmul": a().matmul(numbers([2, 5, 4], device)), "matmul of one": a().matmul(numbers([1, 5, 4], device)),
        "matmul of views": a().transpose().matmul(a()),
        "sort": a().sort(2), "topk": a().topk(2, 1), "select": a().select(1, Tensor::from_ints([2, 0], device)),
    }
}

fn images<B: Backend>(device: &B::Device) -> Results {
    let x = || numbers::<B, 4>([2, 4, 9, 8], device);
    let weight = || numbers::<B, 4>([6, 2, 3, 2], device);
    let bias = || Some(numbers::<B, 1>([6], device));
    let options = || ConvOptions::new([2, 1], [1, 0], [1, 2], 2);
    results! {
        "conv2d": conv2d(x(), weight(), bias(), options()), "conv2d without bias": conv2d(x(), weight(), None, options()),
        "max_pool2d": max_pool2d(x(), [3, 2], [2, 2], [1, 0], [1, 1], false),
        "max_pool2d with holes": max_pool2d(x(), [2, 2], [1, 1], [0, 0], [2, 1], false),
        "avg_pool2d": avg_pool2d(x(), [3, 2], [2, 2], [1, 0], false, false),
        "avg_pool2d with pads": avg_pool2d(x(), [3, 3], [1, 1], [1, 1], true, false),
        "adaptive_avg_pool2d": adaptive_avg_pool2d(x(), [4, 3]),
    }
}

fn on_host<B: Backend>(device: &B::Device) -> Results {
    let a = || numbers::<B, 2>([3, 4], device);
    let whole = || Tensor::<B, 1, Int>::arange(0..12, device).reshape([3, 4]);
    results! {
        "greater": a().greater_elem(0.1).int(), "equal": a().equal(a()).int(), "argmax": a().argmax(1),
        "mask_fill": a().mask_fill(whole().greater_elem(5), 9.0), "gather": a().gather(1, whole() % 4),
        "whole numbers": whole() * 3 + 1, "as floating-point": whole().float() / 2.0, "as whole": (a() * 9.0).int(),
    }
}

macro_rules! compared {
    ($($test:ident, $results:ident, $tolerance:literal;)*) => {$(
        #[test]
        fn $test() {
            compare($results::<Npu>(&NpuDevice), $results::<Flex>(&FlexDevice), $tolerance);
        }
    )*};
}
compared! {
    functions_of_elements_agree, elementwise, 1e-5;
    operators_on_shapes_agree, shapes, 1e-5;
    operators_on_images_agree, images, 1e-5;
    what_the_host_computes_agrees, on_host, 1e-6;
    the_network_agrees, network, 1e-4;
    gradients_agree, gradients, 1e-4;
}

fn network<B: Backend>(device: &B::Device) -> Results {
    results! { "network": Network::<B>::new(device).forward(rings(3, device)), }
}

/// The gradients of a loss, for which burn calls operators of the backend.
fn gradients<B: Backend>(device: &B::Device) -> Results {
    let x = numbers::<Autodiff<B>, 2>([3, 4], device).require_grad();
    let weight = numbers::<Autodiff<B>, 2>([4, 5], device).require_grad();
    let hidden = activation::gelu(activation::relu(x.clone().matmul(weight.clone())) + 0.1);
    let gradients = activation::log_softmax(hidden, 1)
        .powi_scalar(2)
        .mean()
        .backward();
    let of = |tensor: &Tensor<Autodiff<B>, 2>| tensor.grad(&gradients).expect("it has a gradient");
    results! { "x": of(&x), "weight": of(&weight), }
}

#[test]
fn a_tensor_goes_to_another_thread() {
    let tensor = numbers::<Npu, 2>([20, 30], &NpuDevice);
    let doubled = std::thread::spawn(move || tensor * 2.0)
        .join()
        .expect("it does not panic");
    let expected = numbers::<Flex, 2>([20, 30], &FlexDevice) * 2.0;
    assert_eq!(doubled.into_data(), expected.into_data());
}

#[test]
fn an_error_comes_out_where_a_tensor_is_read() {
    let read = |tensor: <Npu as burn_backend::BackendTypes>::FloatTensorPrimitive| {
        Tensor::<Npu, 1>::from_primitive(burn_backend::TensorPrimitive::Float(tensor))
            .try_into_data()
    };
    let double = Npu::float_from_data(TensorData::from([1.0_f64]), &NpuDevice);
    let error = read(Npu::float_exp(double)).expect_err("f64").to_string();
    assert!(error.contains("not F64"), "{error}");

    let data = TensorData::new(Vec::<f32>::new(), [0]);
    let error = read(Npu::float_from_data(data, &NpuDevice))
        .expect_err("no element")
        .to_string();
    assert!(error.contains("zero bytes"), "{error}");

    let [three, four] = [3, 4].map(|len| TensorData::new(vec![1.0_f32; len], [len]));
    let [three, four] = [three, four].map(|data| Npu::float_from_data(data, &NpuDevice));
    let error = read(Npu::float_add(three, four))
        .expect_err("two lengths")
        .to_string();
    assert!(error.contains("aclnnAdd"), "{error}");
}
