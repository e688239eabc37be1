//! The results of comparisons, of logic, and of choices by masks.

use ascendcl::Npu;
use ascendcl::op::{self, Bool};

use crate::common::isolated;
use crate::op_table::{download, in_place, operators, upload};

type D = Npu<0>;

operators! {
    eq(a = [1.0f32, 2.0, 3.0], [3]; b = [2.0], []) => (out = [Bool::FALSE, Bool::TRUE, Bool::FALSE], [3]): |current| op::eq_tensor(current, &a, &b, out);
    eq_scalar(a = [1i32, 2, 3], [3]) => (out = [Bool::FALSE, Bool::TRUE, Bool::FALSE], [3]): |current| op::eq_scalar(current, &a, 2, out);
    ne(a = [1.0f32, 2.0, 3.0], [3]; b = [2.0], []) => (out = [Bool::TRUE, Bool::FALSE, Bool::TRUE], [3]): |current| op::ne_tensor(current, &a, &b, out);
    ne_scalar(a = [1i32, 2, 3], [3]) => (out = [Bool::TRUE, Bool::FALSE, Bool::TRUE], [3]): |current| op::ne_scalar(current, &a, 2, out);
    gt(a = [1.0f32, 2.0, 3.0], [3]; b = [2.0], []) => (out = [Bool::FALSE, Bool::FALSE, Bool::TRUE], [3]): |current| op::gt_tensor(current, &a, &b, out);
    gt_scalar(a = [1i32, 2, 3], [3]) => (out = [Bool::FALSE, Bool::FALSE, Bool::TRUE], [3]): |current| op::gt_scalar(current, &a, 2, out);
    ge(a = [1.0f32, 2.0, 3.0], [3]; b = [2.0], []) => (out = [Bool::FALSE, Bool::TRUE, Bool::TRUE], [3]): |current| op::ge_tensor(current, &a, &b, out);
    ge_scalar(a = [1i32, 2, 3], [3]) => (out = [Bool::FALSE, Bool::TRUE, Bool::TRUE], [3]): |current| op::ge_scalar(current, &a, 2, out);
    lt(a = [1.0f32, 2.0, 3.0], [3]; b = [2.0], []) => (out = [Bool::TRUE, Bool::FALSE, Bool::FALSE], [3]): |current| op::lt_tensor(current, &a, &b, out);
    lt_scalar(a = [1i32, 2, 3], [3]) => (out = [Bool::TRUE, Bool::FALSE, Bool::FALSE], [3]): |current| op::lt_scalar(current, &a, 2, out);
    le(a = [1.0f32, 2.0, 3.0], [3]; b = [2.0], []) => (out = [Bool::TRUE, Bool::TRUE, Bool::FALSE], [3]): |current| op::le_tensor(current, &a, &b, out);
    le_scalar(a = [1i32, 2, 3], [3]) => (out = [Bool::TRUE, Bool::TRUE, Bool::FALSE], [3]): |current| op::le_scalar(current, &a, 2, out);
    eq_of_truth_values(a = [Bool::TRUE, Bool::FALSE], [2]; b = [Bool::FALSE], []) => (out = [Bool::FALSE, Bool::TRUE], [2]):
        |current| op::eq_tensor(current, &a, &b, out);
    logical_and(a = [2i32, 2, 0], [3]; b = [1, 0, 0], [3]) => (out = [Bool::TRUE, Bool::FALSE, Bool::FALSE], [3]):
        |current| op::logical_and(current, &a, &b, out);
    logical_or(a = [Bool::TRUE, Bool::FALSE], [2]; b = [Bool::FALSE], []) => (out = [Bool::TRUE, Bool::FALSE], [2]):
        |current| op::logical_or(current, &a, &b, out);
    logical_not(a = [2.0f32, 0.0], [2]) => (out = [Bool::FALSE, Bool::TRUE], [2]): |current| op::logical_not(current, &a, out);
    bitwise_and(a = [0b110i32, 0b011], [2]; b = [0b101], []) => (out = [0b100, 0b001], [2]):
        |current| op::bitwise_and_tensor(current, &a, &b, out);
    bitwise_or(a = [0b110u8, 0b011], [2]; b = [0b101], []) => (out = [0b111, 0b111], [2]):
        |current| op::bitwise_or_tensor(current, &a, &b, out);
    bitwise_not(a = [0i32, 5], [2]) => (out = [-1, -6], [2]): |current| op::bitwise_not(current, &a, out);
    is_finite(a = [1.0f32, f32::INFINITY, f32::NAN], [3]) => (out = [Bool::TRUE, Bool::FALSE, Bool::FALSE], [3]):
        |current| op::is_finite(current, &a, out);
    is_inf(a = [1.0f32, f32::NEG_INFINITY, f32::NAN], [3]) => (out = [Bool::FALSE, Bool::TRUE, Bool::FALSE], [3]):
        |current| op::is_inf(current, &a, out);
    equal(a = [1i32, 2], [2]; b = [1, 2], [2]) => (out = [Bool::TRUE], [1]): |current| op::equal(current, &a, &b, out);
    equal_of_other_shapes(a = [1i32, 1], [2]; b = [1], [1]) => (out = [Bool::FALSE], [1]):
        |current| op::equal(current, &a, &b, out);
    s_where(mask = [Bool::TRUE, Bool::FALSE], [2, 1]; a = [1.0f32, 2.0], [2]; b = [9.0], [])
        => (out = [1.0, 2.0, 9.0, 9.0], [2, 2]): |current| op::s_where(current, &mask, &a, &b, out);
}

in_place! {
    inplace_eq(a = [1i64, 2, 3], [3]; b = [2], []) => [0, 1, 0]: |current| op::inplace_eq_tensor(current, a, &b);
    inplace_eq_scalar(a = [1i32, 2, 3], [3]) => [0, 1, 0]: |current| op::inplace_eq_scalar(current, a, 2);
    inplace_ne(a = [1i64, 2, 3], [3]; b = [2], []) => [1, 0, 1]: |current| op::inplace_ne_tensor(current, a, &b);
    inplace_ne_scalar(a = [1i32, 2, 3], [3]) => [1, 0, 1]: |current| op::inplace_ne_scalar(current, a, 2);
    inplace_gt(a = [1i64, 2, 3], [3]; b = [2], []) => [0, 0, 1]: |current| op::inplace_gt_tensor(current, a, &b);
    inplace_gt_scalar(a = [1i32, 2, 3], [3]) => [0, 0, 1]: |current| op::inplace_gt_scalar(current, a, 2);
    inplace_ge(a = [1i64, 2, 3], [3]; b = [2], []) => [0, 1, 1]: |current| op::inplace_ge_tensor(current, a, &b);
    inplace_ge_scalar(a = [1i32, 2, 3], [3]) => [0, 1, 1]: |current| op::inplace_ge_scalar(current, a, 2);
    inplace_lt(a = [1i64, 2, 3], [3]; b = [2], []) => [1, 0, 0]: |current| op::inplace_lt_tensor(current, a, &b);
    inplace_lt_scalar(a = [1i32, 2, 3], [3]) => [1, 0, 0]: |current| op::inplace_lt_scalar(current, a, 2);
    inplace_le(a = [1i64, 2, 3], [3]; b = [2], []) => [1, 1, 0]: |current| op::inplace_le_tensor(current, a, &b);
    inplace_le_scalar(a = [1i32, 2, 3], [3]) => [1, 1, 0]: |current| op::inplace_le_scalar(current, a, 2);
    inplace_logical_and(a = [2i32, 0], [2]; b = [1], []) => [1, 0]: |current| op::inplace_logical_and(current, a, &b);
    inplace_logical_or(a = [2i32, 0], [2]; b = [0], []) => [1, 0]: |current| op::inplace_logical_or(current, a, &b);
    inplace_logical_not(a = [2i32, 0], [2]) => [0, 1]: |current| op::inplace_logical_not(current, a);
    inplace_bitwise_and(a = [6i32, 3], [2]; b = [5], []) => [4, 1]: |current| op::inplace_bitwise_and_tensor(current, a, &b);
    inplace_bitwise_or(a = [6i32, 3], [2]; b = [5], []) => [7, 7]: |current| op::inplace_bitwise_or_tensor(current, a, &b);
    inplace_masked_fill_scalar(a = [1.0f32, 2.0, 3.0, 4.0], [2, 2]; mask = [Bool::FALSE, Bool::TRUE], [2])
        => [1.0, -9.0, 3.0, -9.0]: |current| op::inplace_masked_fill_scalar(current, a, &mask, -9.0);
    inplace_masked_fill_tensor(a = [1i32, 2], [2]; mask = [Bool::TRUE, Bool::FALSE], [2]; value = [7], [])
        => [7, 2]: |current| op::inplace_masked_fill_tensor(current, a, &mask, &value);
}
