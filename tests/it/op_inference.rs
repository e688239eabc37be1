//! The results of operators of trained networks: gates, reductions with several results, and other layouts.

use ascendcl::op::{self, CubeMath, Gelus};
use ascendcl::stream::Main;
use ascendcl::{Npu, Thread};

use crate::common::{acl, host, isolated};
use crate::op_table::{download, in_place, operators, upload};

type D = Npu<0>;

operators! {
    add_relu(a = [1.0f32, -5.0], [2]; b = [2.0, 1.0], [2]) => (out = [5.0f32, 0.0], [2]):
        |current| op::add_relu(current, &a, &b, 2.0, out);
    squared_relu(a = [-1.5f32, 3.0], [2]) => (out = [0.0f32, 9.0], [2]): |current| op::squared_relu(current, &a, out);
    logit(a = [0.75f32, 0.1], [2]) => (out = [1.0986123f32, -1.0986123], [2]): |current| op::logit(current, &a, 0.25, out);
    left_shift(a = [1i32, -3], [2]; b = [4i32, 1], [2]) => (out = [16i32, -6], [2]):
        |current| op::left_shift(current, &a, &b, out);
    left_shifts(a = [1i64, 3], [2]) => (out = [8i64, 24], [2]): |current| op::left_shifts(current, &a, 3, out);
    right_shift(a = [16i32, -3], [2]; b = [4i32, 1], [2]) => (out = [1i32, -2], [2]):
        |current| op::right_shift(current, &a, &b, out);
    max_n(a = [1i32, 5], [2]; b = [3i32], [1]) => (out = [3i32, 5], [2]): |current| op::max_n(current, &[&a, &b], out);
    min_n(a = [1i32, 5], [2]; b = [3i32], [1]) => (out = [1i32, 3], [2]): |current| op::min_n(current, &[&a, &b], out);
    glu(a = [2.0f32, 0.0], [2]) => (out = [1.0f32], [1]): |current| op::glu(current, &a, 0, out);
    ge_glu_of_right(a = [2.0f32, 1.5], [1, 2]) => (out = [2.799_578_f32], [1, 1]; gelu = [1.399_789_f32], [1, 1]):
        |current| op::ge_glu(current, &a, -1, Gelus::Erf, out, gelu);
    gelu_mul(a = [1.5f32, 2.0], [1, 2]) => (out = [2.799_578_f32], [1, 1]):
        |current| op::gelu_mul(current, &a, Gelus::Erf, out);
    modulate(a = [1.0f32, 2.0], [1, 1, 2]; scale = [1.0, 2.0], [1, 2]) => (out = [2.0f32, 6.0], [1, 1, 2]):
        |current| op::modulate(current, &a, Some(&scale), None, out);
    addr(a = [1.0f32], [1]; b = [1.0, 2.0], [2]; c = [3.0], [1]) => (out = [7.0f32, 13.0], [2, 1]):
        |current| op::addr(current, &a, &b, &c, None, Some(2.0), out);
    addmv(c = [1.0f32], [1]; a = [1.0, 2.0], [1, 2]; b = [3.0, 4.0], [2]) => (out = [24.0f32], [1]):
        |current| op::addmv(current, &c, &a, &b, 2.0, 2.0, out, CubeMath::Keep);
    addbmm(c = [1.0f32], [1, 1]; a = [1.0, 2.0], [2, 1, 1]; b = [3.0, 4.0], [2, 1, 1]) => (out = [24.0f32], [1, 1]):
        |current| op::addbmm(current, &c, &a, &b, 2.0, 2.0, out, CubeMath::Keep);
    gemm(a = [1.0f32, 2.0], [1, 2]; b = [3.0, 4.0], [2, 1]; c = [1.0], [1, 1]) => (out = [24.0f32], [1, 1]):
        |current| op::gemm(current, &a, &b, &c, 2.0, 2.0, out, CubeMath::Keep);
    mean_v2(a = [1.0f32, 2.0], [1, 2]) => (out = [1.5f32], [1]): |current| op::mean_v2(current, &a, &[1], false, out);
    max_v2(a = [1i32, 2], [1, 2]) => (out = [2i32], [1, 1]): |current| op::max_v2(current, &a, &[1], true, out);
    reduce_nansum(a = [1.0f32, f32::NAN, 2.0], [3]) => (out = [3.0f32], []):
        |current| op::reduce_nansum(current, &a, &[0], false, out);
    reduce_log_sum(a = [1.0f32, 2.0], [2]) => (out = [1.0986123f32], []):
        |current| op::reduce_log_sum(current, &a, &[0], false, out);
    aminmax(a = [1i32, 2, 3, 0], [2, 2]) => (least = [1i32, 0], [2]; most = [2i32, 3], [2]):
        |current| op::aminmax(current, &a, &[1], false, least, most);
    aminmax_all(a = [1i32, 2, 3, 0], [2, 2]) => (least = [0i32], []; most = [3i32], []):
        |current| op::aminmax_all(current, &a, least, most);
    aminmax_dim(a = [1i32, 2, 3, 0], [2, 2]) => (least = [1i32, 0], [1, 2]; most = [3i32, 2], [1, 2]):
        |current| op::aminmax_dim(current, &a, 0, true, least, most);
    var_mean(a = [1.0f32, 3.0], [2]) => (variance = [2.0f32], []; mean = [2.0f32], []):
        |current| op::var_mean(current, &a, &[0], 1, false, variance, mean);
    std_mean_correction(a = [1.0f32, 3.0], [2]) => (deviation = [1.0f32], []; mean = [2.0f32], []):
        |current| op::std_mean_correction(current, &a, &[0], 0, false, deviation, mean);
    global_average_pool(a = [1.0f32, 3.0], [1, 1, 2]) => (out = [2.0f32], [1, 1, 1]):
        |current| op::global_average_pool(current, &a, out);
    global_max_pool(a = [1.0f32, 3.0], [1, 1, 2]) => (out = [3.0f32], [1, 1, 1]):
        |current| op::global_max_pool(current, &a, out);
    linalg_vector_norm(a = [3.0f32, 4.0], [2]) => (out = [5.0f32], []):
        |current| op::linalg_vector_norm(current, &a, 2.0, &[0], false, out);
    cumprod(a = [2i32, 3, 4], [3]) => (out = [2i32, 6, 24], [3]): |current| op::cumprod(current, &a, 0, out);
    cumsum_v2(a = [2i32, 3, 4], [3]) => (out = [7i32, 4, 0], [3]):
        |current| op::cumsum_v2(current, &a, 0, true, true, out);
    cummax(a = [2i32, 4, 3], [3]) => (values = [2i32, 4, 4], [3]; indices = [0i64, 1, 1], [3]):
        |current| op::cummax(current, &a, 0, values, indices);
    cummin(a = [2i32, 4, 2], [3]) => (values = [2i32, 2, 2], [3]; indices = [0i32, 0, 2], [3]):
        |current| op::cummin(current, &a, 0, values, indices);
    reflection_pad2d(a = [1i32, 2, 3, 4], [1, 2, 2]) => (out = [2i32, 1, 2, 4, 3, 4, 2, 1, 2], [1, 3, 3]):
        |current| op::reflection_pad2d(current, &a, &[1, 0, 0, 1], out);
    reflection_pad3d(a = [1i32, 2], [1, 1, 1, 2]) => (out = [2i32, 1, 2], [1, 1, 1, 3]):
        |current| op::reflection_pad3d(current, &a, &[1, 0, 0, 0, 0, 0], out);
    replication_pad1d(a = [1i32, 2], [1, 2]) => (out = [1i32, 1, 2, 2], [1, 4]):
        |current| op::replication_pad1d(current, &a, &[1, 1], out);
    replication_pad2d(a = [1i32, 2], [1, 1, 2]) => (out = [1i32, 2, 1, 2], [1, 2, 2]):
        |current| op::replication_pad2d(current, &a, &[0, 0, 1, 0], out);
    replication_pad3d(a = [1i32, 2], [1, 1, 1, 2]) => (out = [1i32, 2, 1, 2], [1, 2, 1, 2]):
        |current| op::replication_pad3d(current, &a, &[0, 0, 0, 0, 0, 1], out);
    circular_pad2d(a = [1i32, 2], [1, 1, 2]) => (out = [2i32, 1, 2], [1, 1, 3]):
        |current| op::circular_pad2d(current, &a, &[1, 0, 0, 0], out);
    circular_pad3d(a = [1i32, 2], [1, 1, 1, 2]) => (out = [1i32, 2, 1], [1, 1, 1, 3]):
        |current| op::circular_pad3d(current, &a, &[0, 1, 0, 0, 0, 0], out);
    slice_v2(a = [1i32, 2, 3, 4], [2, 2]) => (out = [4i32], [1, 1]):
        |current| op::slice_v2(current, &a, &[1, -1], &[2, 9], &[0, 1], &[1, 1], out);
    flatten(a = [1i32, 2, 3, 4], [2, 1, 2]) => (out = [1i32, 2, 3, 4], [2, 2]): |current| op::flatten(current, &a, 1, out);
    channel_shuffle(a = [1i32, 2, 3, 4], [4, 1, 1]) => (out = [1i32, 3, 2, 4], [4, 1, 1]):
        |current| op::channel_shuffle(current, &a, 2, out);
    diag_flat(a = [1i32, 2], [2]) => (out = [1i32, 0, 0, 2], [2, 2]): |current| op::diag_flat(current, &a, 0, out);
    linspace(unused = [0.0f32], [1]) => (out = [1.0f32, 1.5, 2.0], [3]):
        |current| { let _ = &unused; op::linspace(current, 1.0, 2.0, out) };
}

in_place! {
    inplace_add_relu(a = [1.0f32, -5.0], [2]; b = [2.0, 1.0], [2]) => [5.0f32, 0.0]:
        |current| op::inplace_add_relu(current, a, &b, 2.0);
    inplace_addr(a = [1.0f32, 2.0], [2, 1]; b = [1.0, 2.0], [2]; c = [3.0], [1]) => [4.0f32, 8.0]:
        |current| op::inplace_addr(current, a, &b, &c, None, None);
    inplace_addbmm(c = [1.0f32], [1, 1]; a = [1.0, 2.0], [2, 1, 1]; b = [3.0, 4.0], [2, 1, 1]) => [24.0f32]:
        |current| op::inplace_addbmm(current, c, &a, &b, 2.0, 2.0, CubeMath::Keep);
    inplace_cumprod(a = [2i32, 3, 4], [3]) => [2i32, 6, 24]: |current| op::inplace_cumprod(current, a, 0);
    inplace_fill_diagonal(a = [1i32, 2, 3, 4], [2, 2]) => [9i32, 2, 3, 9]:
        |current| op::inplace_fill_diagonal(current, a, 9, false);
}
