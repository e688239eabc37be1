//! The results of operators that are a formula of each element.
#![expect(
    clippy::approx_constant,
    reason = "results are the numbers that PyTorch prints"
)]

use ascendcl::Npu;
use ascendcl::op::{self, Bool};

use crate::common::isolated;
use crate::op_table::{download, in_place, operators, upload};

type D = Npu<0>;

operators! {
    acos(a = [-0.75f32, 0.5], [2]) => (out = [2.418858f32, 1.047198], [2]):
        |current| op::acos(current, &a, out);
    acosh(a = [1.75f32, 2.5], [2]) => (out = [1.15881f32, 1.566799], [2]):
        |current| op::acosh(current, &a, out);
    asin(a = [-0.75f32, 0.5], [2]) => (out = [-0.8480621f32, 0.5235988], [2]):
        |current| op::asin(current, &a, out);
    asinh(a = [-1.75f32, 2.5], [2]) => (out = [-1.325898f32, 1.647231], [2]):
        |current| op::asinh(current, &a, out);
    atan(a = [-1.75f32, 2.5], [2]) => (out = [-1.05165f32, 1.19029], [2]):
        |current| op::atan(current, &a, out);
    atanh(a = [-0.75f32, 0.5], [2]) => (out = [-0.9729551f32, 0.5493061], [2]):
        |current| op::atanh(current, &a, out);
    cosh(a = [-1.75f32, 2.5], [2]) => (out = [2.964188f32, 6.132289], [2]):
        |current| op::cosh(current, &a, out);
    sinh(a = [-1.75f32, 2.5], [2]) => (out = [-2.790414f32, 6.050204], [2]):
        |current| op::sinh(current, &a, out);
    tan(a = [-0.75f32, 0.5], [2]) => (out = [-0.9315965f32, 0.5463025], [2]):
        |current| op::tan(current, &a, out);
    erfc(a = [-1.75f32, 2.5], [2]) => (out = [1.986672f32, 0.000406952], [2]):
        |current| op::erfc(current, &a, out);
    erfinv(a = [-0.75f32, 0.5], [2]) => (out = [-0.8134198f32, 0.4769363], [2]):
        |current| op::erfinv(current, &a, out);
    log10(a = [0.75f32, 2.5], [2]) => (out = [-0.1249387f32, 0.39794], [2]):
        |current| op::log10(current, &a, out);
    digamma(a = [0.75f32, 2.5], [2]) => (out = [-1.085861f32, 0.7031566], [2]):
        |current| op::digamma(current, &a, out);
    lgamma(a = [0.75f32, 2.5], [2]) => (out = [0.203281f32, 0.2846829], [2]):
        |current| op::lgamma(current, &a, out);
    sinc(a = [-1.75f32, 2.5], [2]) => (out = [-0.1286166f32, 0.127324], [2]):
        |current| op::sinc(current, &a, out);
    frac(a = [-1.75f32, 2.5], [2]) => (out = [-0.75f32, 0.5], [2]):
        |current| op::frac(current, &a, out);
    square(a = [-1.75f32, 2.5], [2]) => (out = [3.0625f32, 6.25], [2]):
        |current| op::square(current, &a, out);
    round_decimals(a = [-1.75f32, 2.5], [2]) => (out = [-1.75f32, 2.5], [2]):
        |current| op::round_decimals(current, &a, 2, out);
    signbit(a = [-1.75f32, 2.5], [2]) => (out = [Bool::TRUE, Bool::FALSE], [2]):
        |current| op::signbit(current, &a, out);
    is_neg_inf(a = [-1.75f32, 2.5], [2]) => (out = [Bool::FALSE, Bool::FALSE], [2]):
        |current| op::is_neg_inf(current, &a, out);
    is_pos_inf(a = [-1.75f32, 2.5], [2]) => (out = [Bool::FALSE, Bool::FALSE], [2]):
        |current| op::is_pos_inf(current, &a, out);
    log_sigmoid(a = [-1.75f32, 2.5], [2]) => (out = [-1.910224f32, -0.07888973], [2]):
        |current| op::log_sigmoid(current, &a, out);
    fast_gelu(a = [-1.75f32, 2.5], [2]) => (out = [-0.08471168f32, 2.465014], [2]):
        |current| op::fast_gelu(current, &a, out);
    selu(a = [-1.75f32, 2.5], [2]) => (out = [-1.452587f32, 2.626752], [2]):
        |current| op::selu(current, &a, out);
    celu(a = [-1.75f32, 2.5], [2]) => (out = [-0.4849013f32, 2.5], [2]):
        |current| op::celu(current, &a, 0.5, out);
    swish(a = [-1.75f32, 2.5], [2]) => (out = [-0.1182067f32, 2.442557], [2]):
        |current| op::swish(current, &a, Some(1.5), out);
    hardshrink(a = [-1.75f32, 2.5], [2]) => (out = [-1.75f32, 2.5], [2]):
        |current| op::hardshrink(current, &a, 0.5, out);
    softshrink(a = [-1.75f32, 2.5], [2]) => (out = [-1.25f32, 2.0], [2]):
        |current| op::softshrink(current, &a, 0.5, out);
    shrink(a = [-1.75f32, 2.5], [2]) => (out = [-1.25f32, 2.0], [2]):
        |current| op::shrink(current, &a, 0.5, 0.5, out);
    hardtanh(a = [-1.75f32, 2.5], [2]) => (out = [-0.5f32, 1.25], [2]):
        |current| op::hardtanh(current, &a, -0.5, 1.25, out);
    atan2(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.165905f32, 2.111216], [2]):
        |current| op::atan2(current, &a, &b, out);
    log_add_exp(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [0.8288897f32, 2.51815], [2]):
        |current| op::log_add_exp(current, &a, &b, out);
    log_add_exp2(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [0.9848406f32, 2.587463], [2]):
        |current| op::log_add_exp2(current, &a, &b, out);
    x_log_y_tensor(a = [0.75f32, 2.5], [2]; b = [0.75f32, 1.5], [2]) => (out = [-0.2157616f32, 1.013663], [2]):
        |current| op::x_log_y_tensor(current, &a, &b, out);
    x_log_y_scalar_other(a = [0.75f32, 2.5], [2]) => (out = [0.1673577f32, 0.5578589], [2]):
        |current| op::x_log_y_scalar_other(current, &a, 1.25, out);
    x_log_y_scalar_self(a = [0.75f32, 2.5], [2]) => (out = [-0.143841f32, 0.4581454], [2]):
        |current| op::x_log_y_scalar_self(current, 0.5, &a, out);
    lerp(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]; c = [0.25f32, 0.5], [2]) => (out = [-1.125f32, 0.5], [2]):
        |current| op::lerp(current, &a, &b, &c, out);
    lerps(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-0.5f32, 0.5], [2]):
        |current| op::lerps(current, &a, &b, 0.5, out);
    rsub(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [1.625f32, -2.75], [2]):
        |current| op::rsub(current, &a, &b, 0.5, out);
    rsubs(a = [-1.75f32, 2.5], [2]) => (out = [2.125f32, 0.0], [2]):
        |current| op::rsubs(current, &a, 1.25, 0.5, out);
    remainder_tensor_scalar(a = [-1.75f32, 2.5], [2]) => (out = [0.75f32, 0.0], [2]):
        |current| op::remainder_tensor_scalar(current, &a, 1.25, out);
    remainder_scalar_tensor(a = [1.5f32, -2.5], [2]) => (out = [0.5f32, -2.0], [2]):
        |current| op::remainder_scalar_tensor(current, 0.5, &a, out);
    fmod_scalar(a = [-1.75f32, 2.5], [2]) => (out = [-0.5f32, 0.0], [2]):
        |current| op::fmod_scalar(current, &a, 1.25, out);
    floor_divides(a = [-1.75f32, 2.5], [2]) => (out = [-2.0f32, 2.0], [2]):
        |current| op::floor_divides(current, &a, 1.25, out);
    add_v3(a = [-1.75f32, 2.5], [2]) => (out = [-0.375f32, 1.75], [2]):
        |current| op::add_v3(current, 0.5, &a, 0.5, out);
    masked_scale(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-0.65625f32, -1.875], [2]):
        |current| op::masked_scale(current, &a, &b, 0.5, out);
    heaviside(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [0.0f32, 1.0], [2]):
        |current| op::heaviside(current, &a, &b, out);
    clamp_tensor(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]; c = [0.25f32, 0.5], [2]) => (out = [0.25f32, 0.5], [2]):
        |current| op::clamp_tensor(current, &a, &b, &c, out);
    clamp_min_tensor(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [0.75f32, 2.5], [2]):
        |current| op::clamp_min_tensor(current, &a, &b, out);
    clamp_max_tensor(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.75f32, -1.5], [2]):
        |current| op::clamp_max_tensor(current, &a, &b, out);
    bitwise_xor_tensor(a = [12i32, -7], [2]; b = [10i32, 6], [2]) => (out = [6i32, -1], [2]):
        |current| op::bitwise_xor_tensor(current, &a, &b, out);
    bitwise_xor_scalar(a = [12i32, -7], [2]) => (out = [10i32, -1], [2]):
        |current| op::bitwise_xor_scalar(current, &a, 6, out);
    bitwise_and_scalar(a = [12i32, -7], [2]) => (out = [4i32, 0], [2]):
        |current| op::bitwise_and_scalar(current, &a, 6, out);
    bitwise_or_scalar(a = [12i32, -7], [2]) => (out = [14i32, -1], [2]):
        |current| op::bitwise_or_scalar(current, &a, 6, out);
    bitwise_and_tensor_out(a = [12i32, -7], [2]; b = [10i32, 6], [2]) => (out = [8i32, 0], [2]):
        |current| op::bitwise_and_tensor_out(current, &a, &b, out);
    gcd(a = [12i32, -7], [2]; b = [10i32, 6], [2]) => (out = [2i32, 1], [2]):
        |current| op::gcd(current, &a, &b, out);
    logical_xor(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [Bool::FALSE, Bool::FALSE], [2]):
        |current| op::logical_xor(current, &a, &b, out);
    is_close(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [Bool::FALSE, Bool::FALSE], [2]):
        |current| op::is_close(current, &a, &b, 0.25, 0.25, false, out);
}

in_place! {
    inplace_acos(a = [-0.75f32, 0.5], [2]) => [2.418858, 1.047198]:
        |current| op::inplace_acos(current, a);
    inplace_acosh(a = [1.75f32, 2.5], [2]) => [1.15881, 1.566799]:
        |current| op::inplace_acosh(current, a);
    inplace_asin(a = [-0.75f32, 0.5], [2]) => [-0.8480621, 0.5235988]:
        |current| op::inplace_asin(current, a);
    inplace_asinh(a = [-1.75f32, 2.5], [2]) => [-1.325898, 1.647231]:
        |current| op::inplace_asinh(current, a);
    inplace_atan(a = [-1.75f32, 2.5], [2]) => [-1.05165, 1.19029]:
        |current| op::inplace_atan(current, a);
    inplace_atanh(a = [-0.75f32, 0.5], [2]) => [-0.9729551, 0.5493061]:
        |current| op::inplace_atanh(current, a);
    inplace_cosh(a = [-1.75f32, 2.5], [2]) => [2.964188, 6.132289]:
        |current| op::inplace_cosh(current, a);
    inplace_sinh(a = [-1.75f32, 2.5], [2]) => [-2.790414, 6.050204]:
        |current| op::inplace_sinh(current, a);
    inplace_tan(a = [-0.75f32, 0.5], [2]) => [-0.9315965, 0.5463025]:
        |current| op::inplace_tan(current, a);
    inplace_erfc(a = [-1.75f32, 2.5], [2]) => [1.986672, 0.000406952]:
        |current| op::inplace_erfc(current, a);
    inplace_erfinv(a = [-0.75f32, 0.5], [2]) => [-0.8134198, 0.4769363]:
        |current| op::inplace_erfinv(current, a);
    inplace_log10(a = [0.75f32, 2.5], [2]) => [-0.1249387, 0.39794]:
        |current| op::inplace_log10(current, a);
    inplace_sinc(a = [-1.75f32, 2.5], [2]) => [-0.1286166, 0.127324]:
        |current| op::inplace_sinc(current, a);
    inplace_frac(a = [-1.75f32, 2.5], [2]) => [-0.75, 0.5]:
        |current| op::inplace_frac(current, a);
    inplace_round_decimals(a = [-1.75f32, 2.5], [2]) => [-1.75, 2.5]:
        |current| op::inplace_round_decimals(current, a, 2);
    inplace_selu(a = [-1.75f32, 2.5], [2]) => [-1.452587, 2.626752]:
        |current| op::inplace_selu(current, a);
    inplace_celu(a = [-1.75f32, 2.5], [2]) => [-0.4849013, 2.5]:
        |current| op::inplace_celu(current, a, 0.5);
    inplace_hardtanh(a = [-1.75f32, 2.5], [2]) => [-0.5, 1.25]:
        |current| op::inplace_hardtanh(current, a, -0.5, 1.25);
    inplace_x_log_y_tensor(a = [0.75f32, 2.5], [2]; b = [0.75f32, 1.5], [2]) => [-0.2157616, 1.013663]:
        |current| op::inplace_x_log_y_tensor(current, a, &b);
    inplace_x_log_y_scalar_other(a = [0.75f32, 2.5], [2]) => [0.1673577, 0.5578589]:
        |current| op::inplace_x_log_y_scalar_other(current, a, 1.25);
    inplace_lerp(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]; c = [0.25f32, 0.5], [2]) => [-1.125, 0.5]:
        |current| op::inplace_lerp(current, a, &b, &c);
    inplace_lerps(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => [-0.5, 0.5]:
        |current| op::inplace_lerps(current, a, &b, 0.5);
    inplace_remainder_tensor_scalar(a = [-1.75f32, 2.5], [2]) => [0.75, 0.0]:
        |current| op::inplace_remainder_tensor_scalar(current, a, 1.25);
    inplace_fmod_scalar(a = [-1.75f32, 2.5], [2]) => [-0.5, 0.0]:
        |current| op::inplace_fmod_scalar(current, a, 1.25);
    inplace_floor_divides(a = [-1.75f32, 2.5], [2]) => [-2.0, 2.0]:
        |current| op::inplace_floor_divides(current, a, 1.25);
    inplace_clamp_min_tensor(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => [0.75, 2.5]:
        |current| op::inplace_clamp_min_tensor(current, a, &b);
    inplace_clamp_max_tensor(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => [-1.75, -1.5]:
        |current| op::inplace_clamp_max_tensor(current, a, &b);
    inplace_bitwise_xor_tensor(a = [12i32, -7], [2]; b = [10i32, 6], [2]) => [6, -1]:
        |current| op::inplace_bitwise_xor_tensor(current, a, &b);
    inplace_bitwise_xor_scalar(a = [12i32, -7], [2]) => [10, -1]:
        |current| op::inplace_bitwise_xor_scalar(current, a, 6);
    inplace_bitwise_and_scalar(a = [12i32, -7], [2]) => [4, 0]:
        |current| op::inplace_bitwise_and_scalar(current, a, 6);
    inplace_bitwise_or_scalar(a = [12i32, -7], [2]) => [14, -1]:
        |current| op::inplace_bitwise_or_scalar(current, a, 6);
    inplace_bitwise_and_tensor_out(a = [12i32, -7], [2]; b = [10i32, 6], [2]) => [8, 0]:
        |current| op::inplace_bitwise_and_tensor_out(current, a, &b);
}
