//! The results of reductions, softmax and normalisations, and of products of matrices.

use ascendcl::Npu;
use ascendcl::op::{self, Bool, CubeMath, Gelus, Pairs};

use crate::common::isolated;
use crate::op_table::{download, in_place, operators, upload};

type D = Npu<0>;

operators! {
    mean(a = [1.0f32, 2.0, 6.0, 7.0], [2, 2]) => (out = [3.5, 4.5], [2]): |current| op::mean(current, &a, &[0], false, out);
    prod(a = [2i32, 3, 4], [3]) => (out = [24], [1]): |current| op::prod(current, &a, out);
    prod_dim(a = [2i32, 3, 4, 5], [2, 2]) => (out = [6, 20], [2, 1]): |current| op::prod_dim(current, &a, -1, true, out);
    max(a = [2i32, 9, 4], [3]) => (out = [9], [1]): |current| op::max(current, &a, out);
    min(a = [2.0f32, 9.0, 4.0], [3]) => (out = [2.0], []): |current| op::min(current, &a, out);
    amax(a = [2i32, 9, 4, 1], [2, 2]) => (out = [4, 9], [2]): |current| op::amax(current, &a, &[0], false, out);
    amin(a = [2i32, 9, 4, 1], [2, 2]) => (out = [1], []): |current| op::amin(current, &a, &[], false, out);
    max_dim(a = [2.0f32, 9.0, 4.0, 1.0], [2, 2]) => (values = [9.0, 4.0], [2]; indices = [1i64, 0], [2]):
        |current| op::max_dim(current, &a, 1, false, values, indices);
    min_dim(a = [2.0f32, 9.0, 4.0, 1.0], [2, 2]) => (values = [2.0, 1.0], [1, 2]; indices = [0i32, 1], [1, 2]):
        |current| op::min_dim(current, &a, 0, true, values, indices);
    sum_of_scalar(a = [3.5f32], []) => (out = [3.5], []): |current| op::reduce_sum(current, &a, &[0], false, out);
    largest_of_scalar(a = [3.5f32], []) => (out = [3.5], []): |current| op::amax(current, &a, &[-1], true, out);
    arg_max_of_scalar(a = [3.5f32], []) => (out = [0i64], []): |current| op::arg_max(current, &a, -1, true, out);
    arg_max(a = [2.0f32, 9.0, 4.0, 1.0], [2, 2]) => (out = [1i64, 0], [2]): |current| op::arg_max(current, &a, -1, false, out);
    arg_min(a = [2i32, 9, 4, 1], [2, 2]) => (out = [0i32, 1], [2, 1]): |current| op::arg_min(current, &a, 1, true, out);
    all(a = [1i32, 0, 2, 3], [2, 2]) => (out = [Bool::FALSE, Bool::TRUE], [2]): |current| op::all(current, &a, &[1], false, out);
    any(a = [0i32, 0, 0, 3], [2, 2]) => (out = [Bool::FALSE, Bool::TRUE], [2]): |current| op::any(current, &a, &[1], false, out);
    std(a = [1.0f32, 3.0, 5.0, 5.0], [2, 2]) => (out = [1.0, 0.0], [2]): |current| op::std(current, &a, &[1], 0, false, out);
    var(a = [1.0f32, 3.0, 5.0, 5.0], [2, 2]) => (out = [2.0, 0.0], [2]): |current| op::var(current, &a, &[1], true, false, out);
    norm(a = [3.0f32, 4.0], [2]) => (out = [5.0], [1]): |current| op::norm(current, &a, 2.0, &[0], true, out);
    log_sum_exp(a = [0.0f32, 0.0], [2]) => (out = [std::f32::consts::LN_2], []): |current| op::log_sum_exp(current, &a, &[0], false, out);
    cumsum(a = [1i32, 2, 3, 4], [2, 2]) => (out = [1i64, 3, 3, 7], [2, 2]): |current| op::cumsum(current, &a, 1, out);
    softmax(a = [0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [4, 2])
        => (out = [0.00214401, 0.00214401, 0.0158422, 0.0158422, 0.117059, 0.117059, 0.864955, 0.864955], [4, 2]):
        |current| op::softmax(current, &a, 0, out);
    log_softmax(a = [0.0f32, 1.0], [2]) => (out = [-1.3132617, -0.3132617], [2]): |current| op::log_softmax(current, &a, -1, out);
    rms_norm(a = [3.0f32, 4.0, 1.0, 1.0], [2, 2]; gamma = [1.0, 2.0], [2])
        => (out = [0.8485281, 2.2627417, 1.0, 2.0], [2, 2]; r = [0.282_842_7_f32, 1.0], [2, 1]):
        |current| op::rms_norm(current, &a, &gamma, 0.0, out, r);
    add_rms_norm(a = [1.0f32, 2.0], [1, 2]; b = [2.0, 2.0], [1, 2]; gamma = [1.0, 2.0], [2])
        => (out = [0.8485281, 2.2627417], [1, 2]; r = [0.282_842_7_f32], [1, 1]; sum = [3.0f32, 4.0], [1, 2]):
        |current| op::add_rms_norm(current, &a, &b, &gamma, 0.0, out, r, sum);
    add_layer_norm(a = [1.0f32, 2.0], [1, 2]; b = [2.0, 5.0], [1, 2]; gamma = [1.0, 2.0], [2]; beta = [0.0, 1.0], [2])
        => (out = [-1.0, 3.0], [1, 2]; mean = [5.0f32], [1, 1]; r = [0.5f32], [1, 1]; sum = [3.0f32, 7.0], [1, 2]):
        |current| op::add_layer_norm(current, &a, &b, &gamma, &beta, None, 0.0, out, mean, r, sum);
    swi_glu(a = [1.5f32, -2.0, 3.0, 4.0], [2, 2]) => (out = [3.679085, -0.9536234], [1, 2]): |current| op::swi_glu(current, &a, 0, out);
    ge_glu(a = [1.5f32, 3.0], [2]) => (out = [4.199368], [1]; gelu = [1.399789f32], [1]):
        |current| op::ge_glu_v3(current, &a, -1, Gelus::Erf, true, out, gelu);
    rotary_position_embedding(
        a = [1.0f32, 2.0, 3.0, 4.0], [1, 1, 1, 4]; cos = [0.0, 0.0, 1.0, 1.0], [1, 1, 1, 4]; sin = [1.0, 1.0, 0.0, 0.0], [1, 1, 1, 4]
    ) => (out = [-3.0, -4.0, 3.0, 4.0], [1, 1, 1, 4]):
        |current| op::rotary_position_embedding(current, &a, &cos, &sin, Pairs::Halves, out);
    rotary_position_embedding_of_neighbours(
        a = [1.0f32, 2.0, 3.0, 4.0], [1, 1, 1, 4]; cos = [0.0; 4], [1, 1, 1, 4]; sin = [1.0; 4], [1, 1, 1, 4]
    ) => (out = [-2.0, 1.0, -4.0, 3.0], [1, 1, 1, 4]):
        |current| op::rotary_position_embedding(current, &a, &cos, &sin, Pairs::Neighbours, out);
    mm(a = [1.0f32, 2.0], [1, 2]; b = [3.0, 4.0], [2, 1]) => (out = [11.0], [1, 1]):
        |current| op::mm(current, &a, &b, out, CubeMath::Keep);
    batch_mat_mul(a = [1.0f32, 2.0, 3.0, 4.0], [2, 1, 2]; b = [3.0, 4.0], [1, 2, 1]) => (out = [11.0, 25.0], [2, 1, 1]):
        |current| op::batch_mat_mul(current, &a, &b, out, CubeMath::Keep);
    mv(a = [1.0f32, 2.0, 3.0, 4.0], [2, 2]; b = [3.0, 4.0], [2]) => (out = [11.0, 25.0], [2]):
        |current| op::mv(current, &a, &b, out, CubeMath::Keep);
    addmm(c = [100.0f32], [1]; a = [1.0, 2.0], [1, 2]; b = [3.0, 4.0], [2, 1]) => (out = [72.0], [1, 1]):
        |current| op::addmm(current, &c, &a, &b, 0.5, 2.0, out, CubeMath::Keep);
    baddbmm(c = [100.0f32], [1]; a = [1.0, 2.0], [1, 1, 2]; b = [3.0, 4.0], [1, 2, 1]) => (out = [72.0], [1, 1, 1]):
        |current| op::baddbmm(current, &c, &a, &b, 0.5, 2.0, out, CubeMath::Keep);
    ger(a = [1i32, 2], [2]; b = [3, 4, 5], [3]) => (out = [3, 4, 5, 6, 8, 10], [2, 3]): |current| op::ger(current, &a, &b, out);
    dot(a = [1.0f32, 2.0], [2]; b = [3.0, 4.0], [2]) => (out = [11.0], []): |current| op::dot(current, &a, &b, out);
}

in_place! {
    inplace_addmm(c = [100.0f32], [1, 1]; a = [1.0, 2.0], [1, 2]; b = [3.0, 4.0], [2, 1]) => [72.0]:
        |current| op::inplace_addmm(current, c, &a, &b, 0.5, 2.0, CubeMath::Keep);
    inplace_baddbmm(c = [100.0f32], [1, 1, 1]; a = [1.0, 2.0], [1, 1, 2]; b = [3.0, 4.0], [1, 2, 1]) => [72.0]:
        |current| op::inplace_baddbmm(current, c, &a, &b, 0.5, 2.0, CubeMath::Keep);
}
