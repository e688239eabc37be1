//! The results of arithmetic, with tensors and with numbers of the host.

use ascendcl::Npu;
use ascendcl::op::{self, Rounding};

use crate::common::isolated;
use crate::op_table::{download, in_place, operators, upload};

type D = Npu<0>;

operators! {
    floor_divide(a = [-7i32, 7], [2]; b = [2], [1]) => (out = [-4, 3], [2]): |current| op::floor_divide(current, &a, &b, out);
    fmod(a = [-7i32, 7], [2]; b = [3], []) => (out = [-1, 1], [2]): |current| op::fmod_tensor(current, &a, &b, out);
    remainder(a = [-7i32, 7], [2]; b = [3], []) => (out = [2, 1], [2]):
        |current| op::remainder_tensor_tensor(current, &a, &b, out);
    pow(a = [2.0f32, 3.0], [2]; b = [3.0, 2.0], [2]) => (out = [8.0, 9.0], [2]):
        |current| op::pow_tensor_tensor(current, &a, &b, out);
    maximum(a = [1i64, 5], [2]; b = [3], []) => (out = [3, 5], [2]): |current| op::maximum(current, &a, &b, out);
    minimum(a = [1.0f64, 5.0], [2]; b = [3.0], []) => (out = [1.0, 3.0], [2]): |current| op::minimum(current, &a, &b, out);
    div_mod(a = [-7.0f32, 7.0], [2]; b = [2.0], []) => (out = [-4.0, 3.0], [2]):
        |current| op::div_mod(current, &a, &b, Rounding::Floor, out);
    addcmul(a = [1.0f32, 2.0], [2]; b = [3.0], []; c = [4.0, 5.0], [2]) => (out = [7.0, 9.5], [2]):
        |current| op::addcmul(current, &a, &b, &c, 0.5, out);
    addcdiv(a = [1.0f32], [1]; b = [3.0, 6.0], [2]; c = [2.0], []) => (out = [4.0, 7.0], [2]):
        |current| op::addcdiv(current, &a, &b, &c, 2.0, out);
    sum(a = [1.0f32, 2.0], [2, 1]; b = [10.0, 20.0, 30.0], [3]; c = [100.0], []) =>
        (out = [111.0, 121.0, 131.0, 112.0, 122.0, 132.0], [2, 3]): |current| op::sum(current, &[&a, &b, &c], out);
    sum_of_bytes(a = [200u8, 1], [2]; b = [100], [1]) => (out = [44, 101], [2]): |current| op::sum(current, &[&a, &b], out);
    adds(a = [1i32, 2], [2]) => (out = [7, 8], [2]): |current| op::adds(current, &a, 3, 2, out);
    subs(a = [1.0f32, 2.0], [2]) => (out = [-5.0, -4.0], [2]): |current| op::subs(current, &a, 3.0, 2.0, out);
    muls(a = [1.0f32, -2.0], [2]) => (out = [3.0, -6.0], [2]): |current| op::muls(current, &a, 3.0, out);
    divs(a = [1.0f32, -2.0], [2]) => (out = [0.25, -0.5], [2]): |current| op::divs(current, &a, 4.0, out);
    div_mods(a = [-7i32, 7], [2]) => (out = [-3, 3], [2]): |current| op::div_mods(current, &a, 2, Rounding::Truncate, out);
    pow_tensor_scalar(a = [2i32, -3], [2]) => (out = [8, -27], [2]): |current| op::pow_tensor_scalar(current, &a, 3, out);
    pow_scalar_tensor(a = [2i32, 3], [2]) => (out = [9, 27], [2]): |current| op::pow_scalar_tensor(current, 3, &a, out);
    clamp(a = [1i32, 5, 9], [3]) => (out = [2, 5, 7], [3]): |current| op::clamp(current, &a, Some(2), Some(7), out);
    clamp_without_upper_limit(a = [1i32, 9], [2]) => (out = [2, 9], [2]): |current| op::clamp(current, &a, Some(2), None, out);
    clamp_min(a = [1.0f32, 9.0], [2]) => (out = [2.0, 9.0], [2]): |current| op::clamp_min(current, &a, 2.0, out);
    clamp_max(a = [1.0f32, 9.0], [2]) => (out = [1.0, 2.0], [2]): |current| op::clamp_max(current, &a, 2.0, out);
}

in_place! {
    inplace_add(a = [1i32, 2, 3, 4], [2, 2]; b = [10, 20], [2]) => [21, 42, 23, 44]: |current| op::inplace_add(current, a, &b, 2);
    inplace_sub(a = [1i32, 2], [2]; b = [10], []) => [-29, -28]: |current| op::inplace_sub(current, a, &b, 3);
    inplace_mul(a = [1.0f32, 2.0], [2]; b = [10.0], [1]) => [10.0, 20.0]: |current| op::inplace_mul(current, a, &b);
    inplace_div(a = [1.0f32, 2.0], [2]; b = [4.0], [1]) => [0.25, 0.5]: |current| op::inplace_div(current, a, &b);
    inplace_floor_divide(a = [-7i32, 7], [2]; b = [2], []) => [-4, 3]: |current| op::inplace_floor_divide(current, a, &b);
    inplace_fmod(a = [-7i32, 7], [2]; b = [3], []) => [-1, 1]: |current| op::inplace_fmod_tensor(current, a, &b);
    inplace_remainder(a = [-7i32, 7], [2]; b = [3], []) => [2, 1]:
        |current| op::inplace_remainder_tensor_tensor(current, a, &b);
    inplace_pow(a = [2.0f32, 3.0], [2]; b = [3.0], []) => [8.0, 27.0]: |current| op::inplace_pow_tensor_tensor(current, a, &b);
    inplace_div_mod(a = [-7i32, 7], [2]; b = [2], []) => [-3, 3]:
        |current| op::inplace_div_mod(current, a, &b, Rounding::Truncate);
    inplace_addcmul(a = [1i32, 2], [2]; b = [3], []; c = [4, 5], [2]) => [25, 32]:
        |current| op::inplace_addcmul(current, a, &b, &c, 2);
    inplace_addcdiv(a = [1.0f32, 2.0], [2]; b = [3.0], []; c = [4.0, 6.0], [2]) => [2.5, 3.0]:
        |current| op::inplace_addcdiv(current, a, &b, &c, 2.0);
    inplace_adds(a = [1i32, 2], [2]) => [7, 8]: |current| op::inplace_adds(current, a, 3, 2);
    inplace_subs(a = [1i32, 2], [2]) => [-5, -4]: |current| op::inplace_subs(current, a, 3, 2);
    inplace_muls(a = [1i32, 2], [2]) => [3, 6]: |current| op::inplace_muls(current, a, 3);
    inplace_divs(a = [1.0f32, 2.0], [2]) => [0.25, 0.5]: |current| op::inplace_divs(current, a, 4.0);
    inplace_div_mods(a = [-7i32, 7], [2]) => [-4, 3]: |current| op::inplace_div_mods(current, a, 2, Rounding::Floor);
    inplace_pow_tensor_scalar(a = [2i32, 3], [2]) => [4, 9]: |current| op::inplace_pow_tensor_scalar(current, a, 2);
    inplace_clamp_max(a = [1i32, 9], [2]) => [1, 2]: |current| op::inplace_clamp_max(current, a, 2);
    inplace_copy(a = [0i32; 4], [2, 2]; b = [5, 6], [2]) => [5, 6, 5, 6]: |current| op::inplace_copy(current, a, &b);
}
