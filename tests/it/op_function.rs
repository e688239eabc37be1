//! The results of functions of each element, and of activations.

use ascendcl::Npu;
use ascendcl::op::{self, Gelus};

use crate::common::isolated;
use crate::op_table::{download, in_place, operators, upload};

type D = Npu<0>;

operators! {
    neg(a = [-1.75f32, 2.5], [2]) => (out = [1.75, -2.5], [2]): |current| op::neg(current, &a, out);
    reciprocal(a = [0.75f32, 2.5], [2]) => (out = [1.333333, 0.4], [2]): |current| op::reciprocal(current, &a, out);
    exp(a = [-1.75f32, 2.5], [2]) => (out = [0.1737739, 12.18249], [2]): |current| op::exp(current, &a, out);
    exp2(a = [0.75f32, 2.5], [2]) => (out = [1.681793, 5.656854], [2]): |current| op::exp2(current, &a, out);
    expm1(a = [0.75f32, 2.5], [2]) => (out = [1.117, 11.18249], [2]): |current| op::expm1(current, &a, out);
    log(a = [0.75f32, 2.5], [2]) => (out = [-0.2876821, 0.9162907], [2]): |current| op::log(current, &a, out);
    log2(a = [0.75f32, 2.5], [2]) => (out = [-0.4150375, 1.321928], [2]): |current| op::log2(current, &a, out);
    log1p(a = [0.75f32, 2.5], [2]) => (out = [0.5596158, 1.252763], [2]): |current| op::log1p(current, &a, out);
    sqrt(a = [0.75f32, 2.5], [2]) => (out = [0.8660254, 1.581139], [2]): |current| op::sqrt(current, &a, out);
    rsqrt(a = [0.75f32, 2.5], [2]) => (out = [1.154701, 0.6324555], [2]): |current| op::rsqrt(current, &a, out);
    sin(a = [0.75f32, 2.5], [2]) => (out = [0.6816388, 0.5984721], [2]): |current| op::sin(current, &a, out);
    cos(a = [0.75f32, 2.5], [2]) => (out = [0.7316889, -0.8011436], [2]): |current| op::cos(current, &a, out);
    erf(a = [0.75f32, 2.5], [2]) => (out = [0.7111556, 0.999593], [2]): |current| op::erf(current, &a, out);
    floor(a = [-1.75f32, 2.5], [2]) => (out = [-2.0, 2.0], [2]): |current| op::floor(current, &a, out);
    ceil(a = [-1.75f32, 2.5], [2]) => (out = [-1.0, 3.0], [2]): |current| op::ceil(current, &a, out);
    trunc(a = [-1.75f32, 2.5], [2]) => (out = [-1.0, 2.0], [2]): |current| op::trunc(current, &a, out);
    round(a = [-1.75f32, 2.5], [2]) => (out = [-2.0, 2.0], [2]): |current| op::round(current, &a, out);
    sigmoid(a = [-1.75f32, 2.5], [2]) => (out = [0.1480472, 0.9241418], [2]): |current| op::sigmoid(current, &a, out);
    tanh(a = [-1.75f32, 2.5], [2]) => (out = [-0.9413755, 0.9866143], [2]): |current| op::tanh(current, &a, out);
    mish(a = [-1.75f32, 2.5], [2]) => (out = [-0.2780173, 2.471392], [2]): |current| op::mish(current, &a, out);
    hardswish(a = [-1.75f32, 2.5], [2]) => (out = [-0.3645833, 2.291667], [2]): |current| op::hardswish(current, &a, out);
    hardsigmoid(a = [-1.75f32, 2.5], [2]) => (out = [0.2083333, 0.9166667], [2]): |current| op::hardsigmoid(current, &a, out);
    abs(a = [-3i32, 4], [2]) => (out = [3, 4], [2]): |current| op::abs(current, &a, out);
    sign(a = [-3i32, 0, 4], [3]) => (out = [-1, 0, 1], [3]): |current| op::sign(current, &a, out);
    nan_to_num(a = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 4.0], [4]) => (out = [1.0, 2.0, 3.0, 4.0], [4]):
        |current| op::nan_to_num(current, &a, 1.0, 2.0, 3.0, out);
    leaky_relu(a = [-2.0f32, 3.0], [2]) => (out = [-0.5, 3.0], [2]): |current| op::leaky_relu(current, &a, 0.25, out);
    elu(a = [-1.0f32, 3.0], [2]) => (out = [-0.8646647, 6.0], [2]): |current| op::elu(current, &a, 0.5, 2.0, 2.0, out);
    threshold(a = [1i32, 3], [2]) => (out = [9, 3], [2]): |current| op::threshold(current, &a, 2, 9, out);
    silu(a = [-1.75f32, 2.5], [2]) => (out = [-0.2590826, 2.310355], [2]): |current| op::silu(current, &a, out);
    gelu(a = [-1.75f32, 2.5], [2]) => (out = [-0.07020462, 2.484916], [2]): |current| op::gelu(current, &a, out);
    gelu_v2(a = [-1.75f32, 2.5], [2]) => (out = [-0.07010352, 2.484476], [2]): |current| op::gelu_v2(current, &a, Gelus::Erf, out);
    gelu_v2_by_tanh(a = [-1.75f32, 2.5], [2]) => (out = [-0.07020462, 2.484916], [2]): |current| op::gelu_v2(current, &a, Gelus::Tanh, out);
    softplus(a = [-1.0f32, 30.0], [2]) => (out = [0.06346401, 30.0], [2]):
        |current| op::softplus(current, &a, 2.0, 20.0, out);
}

in_place! {
    inplace_neg(a = [-1.75f32, 2.5], [2]) => [1.75, -2.5]: |current| op::inplace_neg(current, a);
    inplace_reciprocal(a = [0.75f32, 2.5], [2]) => [1.333333, 0.4]: |current| op::inplace_reciprocal(current, a);
    inplace_exp(a = [-1.75f32, 2.5], [2]) => [0.1737739, 12.18249]: |current| op::inplace_exp(current, a);
    inplace_exp2(a = [0.75f32, 2.5], [2]) => [1.681793, 5.656854]: |current| op::inplace_exp2(current, a);
    inplace_expm1(a = [0.75f32, 2.5], [2]) => [1.117, 11.18249]: |current| op::inplace_expm1(current, a);
    inplace_log(a = [0.75f32, 2.5], [2]) => [-0.2876821, 0.9162907]: |current| op::inplace_log(current, a);
    inplace_log2(a = [0.75f32, 2.5], [2]) => [-0.4150375, 1.321928]: |current| op::inplace_log2(current, a);
    inplace_log1p(a = [0.75f32, 2.5], [2]) => [0.5596158, 1.252763]: |current| op::inplace_log1p(current, a);
    inplace_sqrt(a = [0.75f32, 2.5], [2]) => [0.8660254, 1.581139]: |current| op::inplace_sqrt(current, a);
    inplace_rsqrt(a = [0.75f32, 2.5], [2]) => [1.154701, 0.6324555]: |current| op::inplace_rsqrt(current, a);
    inplace_sin(a = [0.75f32, 2.5], [2]) => [0.6816388, 0.5984721]: |current| op::inplace_sin(current, a);
    inplace_cos(a = [0.75f32, 2.5], [2]) => [0.7316889, -0.8011436]: |current| op::inplace_cos(current, a);
    inplace_erf(a = [0.75f32, 2.5], [2]) => [0.7111556, 0.999593]: |current| op::inplace_erf(current, a);
    inplace_floor(a = [-1.75f32, 2.5], [2]) => [-2.0, 2.0]: |current| op::inplace_floor(current, a);
    inplace_ceil(a = [-1.75f32, 2.5], [2]) => [-1.0, 3.0]: |current| op::inplace_ceil(current, a);
    inplace_trunc(a = [-1.75f32, 2.5], [2]) => [-1.0, 2.0]: |current| op::inplace_trunc(current, a);
    inplace_round(a = [-1.75f32, 2.5], [2]) => [-2.0, 2.0]: |current| op::inplace_round(current, a);
    inplace_sigmoid(a = [-1.75f32, 2.5], [2]) => [0.1480472, 0.9241418]: |current| op::inplace_sigmoid(current, a);
    inplace_tanh(a = [-1.75f32, 2.5], [2]) => [-0.9413755, 0.9866143]: |current| op::inplace_tanh(current, a);
    inplace_mish(a = [-1.75f32, 2.5], [2]) => [-0.2780173, 2.471392]: |current| op::inplace_mish(current, a);
    inplace_hardswish(a = [-1.75f32, 2.5], [2]) => [-0.3645833, 2.291667]: |current| op::inplace_hardswish(current, a);
    inplace_hardsigmoid(a = [-1.75f32, 2.5], [2]) => [0.2083333, 0.9166667]: |current| op::inplace_hardsigmoid(current, a);
    inplace_relu(a = [-3i32, 4], [2]) => [0, 4]: |current| op::inplace_relu(current, a);
    inplace_leaky_relu(a = [-2.0f32, 3.0], [2]) => [-0.5, 3.0]: |current| op::inplace_leaky_relu(current, a, 0.25);
    inplace_elu(a = [-1.0f32, 3.0], [2]) => [-0.8646647, 6.0]: |current| op::inplace_elu(current, a, 0.5, 2.0, 2.0);
    inplace_threshold(a = [1i32, 3], [2]) => [9, 3]: |current| op::inplace_threshold(current, a, 2, 9);
    inplace_nan_to_num(a = [f32::NAN, 4.0], [2]) => [1.0, 4.0]: |current| op::inplace_nan_to_num(current, a, 1.0, 2.0, 3.0);
}
