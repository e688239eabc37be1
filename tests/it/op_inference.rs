//! The results of operators of trained networks: gates, reductions with several results, and other layouts.

use ascendcl::Npu;
use ascendcl::op::{self, Bool, CubeMath, Gelus, RoundMode};
use half::f16;

use crate::common::{bound, isolated};
use crate::op_decided::found;
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
    upsample_nearest1d(a = [1.0f32, 2.0], [1, 1, 2]) => (out = [1.0f32, 1.0, 2.0], [1, 1, 3]):
        |current| op::upsample_nearest1d(current, &a, out);
    upsample_nearest1d_v2(a = [1.0f32, 2.0], [1, 1, 2]) => (out = [1.0f32, 1.0, 2.0], [1, 1, 3]):
        |current| op::upsample_nearest1d_v2(current, &a, out);
    upsample_nearest2d_v2(a = [1.0f32, 2.0], [1, 1, 1, 2]) => (out = [1.0f32, 1.0, 2.0], [1, 1, 1, 3]):
        |current| op::upsample_nearest2d_v2(current, &a, out);
    upsample_nearest3d(a = [1.0f32, 2.0], [1, 1, 1, 1, 2]) => (out = [1.0f32, 1.0, 2.0], [1, 1, 1, 1, 3]):
        |current| op::upsample_nearest3d(current, &a, out);
    upsample_nearest_exact1d(a = [1.0f32, 2.0], [1, 1, 2]) => (out = [1.0f32, 2.0, 2.0], [1, 1, 3]):
        |current| op::upsample_nearest_exact1d(current, &a, out);
    upsample_nearest_exact2d(a = [1.0f32, 2.0], [1, 1, 1, 2]) => (out = [1.0f32, 2.0, 2.0], [1, 1, 1, 3]):
        |current| op::upsample_nearest_exact2d(current, &a, out);
    upsample_nearest_exact3d(a = [1.0f32, 2.0], [1, 1, 1, 1, 2]) => (out = [1.0f32, 2.0, 2.0], [1, 1, 1, 1, 3]):
        |current| op::upsample_nearest_exact3d(current, &a, out);
    upsample_linear1d(a = [1.0f32, 3.0], [1, 1, 2]) => (out = [1.0f32, 2.0, 3.0], [1, 1, 3]):
        |current| op::upsample_linear1d(current, &a, true, out);
    upsample_trilinear3d(a = [1.0f32, 3.0], [1, 1, 1, 1, 2]) => (out = [1.0f32, 2.0, 3.0], [1, 1, 1, 1, 3]):
        |current| op::upsample_trilinear3d(current, &a, true, out);
    upsample_bicubic2d(a = [1.0f32, 3.0], [1, 1, 1, 2]) => (out = [1.0f32, 2.0, 3.0], [1, 1, 1, 3]):
        |current| op::upsample_bicubic2d(current, &a, true, out);
    upsample_bicubic2d_aa(a = [1.0f32, 3.0], [1, 1, 1, 2]) => (out = [2.0f32], [1, 1, 1, 1]):
        |current| op::upsample_bicubic2d_aa(current, &a, false, out);
    upsample_bilinear2d_aa(a = [1.0f32, 3.0], [1, 1, 1, 2]) => (out = [2.0f32], [1, 1, 1, 1]):
        |current| op::upsample_bilinear2d_aa(current, &a, false, out);
    adaptive_avg_pool3d(a = [1.0f32, 3.0], [1, 1, 1, 1, 2]) => (out = [2.0f32], [1, 1, 1, 1, 1]):
        |current| op::adaptive_avg_pool3d(current, &a, out);
    avg_pool3d(a = [1.0f32, 3.0], [1, 1, 1, 1, 2]) => (out = [2.0f32], [1, 1, 1, 1, 1]):
        |current| op::avg_pool3d(current, &a, &[1, 1, 2], &[1, 1, 2], &[0, 0, 0], false, true, 0, out);
    adaptive_max_pool2d(a = [1.0f32, 3.0], [1, 1, 1, 2]) => (out = [3.0f32], [1, 1, 1, 1]; indices = [1i64], [1, 1, 1, 1]):
        |current| op::adaptive_max_pool2d(current, &a, out, indices);
    adaptive_max_pool3d(a = [1.0f32, 3.0], [1, 1, 1, 1, 2]) => (out = [3.0f32], [1, 1, 1, 1, 1]; indices = [1i64], [1, 1, 1, 1, 1]):
        |current| op::adaptive_max_pool3d(current, &a, out, indices);
    max_pool3d_with_argmax(a = [1.0f32, 3.0], [1, 1, 1, 1, 2])
        => (out = [3.0f32], [1, 1, 1, 1, 1]; indices = [1i32], [1, 1, 1, 1, 1]):
        |current| op::max_pool3d_with_argmax(current, &a, &[1, 1, 2], &[1, 1, 2], &[0, 0, 0], &[1, 1, 1], false, out, indices);
    kthvalue(a = [5i32, 3, 4], [3]) => (values = [4i32], []; indices = [2i64], []):
        |current| op::kthvalue(current, &a, 2, 0, false, values, indices);
    median(a = [5i32, 3, 4, 9], [2, 2]) => (out = [4i32], []): |current| op::median(current, &a, out);
    median_dim(a = [5i32, 3, 4], [3]) => (values = [4i32], [1]; indices = [2i64], [1]):
        |current| op::median_dim(current, &a, 0, true, values, indices);
    nan_median(a = [5.0f32, f32::NAN, 4.0], [3]) => (out = [4.0f32], []): |current| op::nan_median(current, &a, out);
    nan_median_dim(a = [5.0f32, f32::NAN, 4.0], [3]) => (values = [4.0f32], []; indices = [2i64], []):
        |current| op::nan_median_dim(current, &a, -1, false, values, indices);
    histc(a = [0.5f32, 1.5, 1.75], [3]) => (out = [1.0f32, 2.0], [2]): |current| op::histc(current, &a, 0.0, 2.0, out);
    search_sorted(sorted = [1i32, 3, 5], [3]; a = [3, 4], [2]) => (out = [1i32, 2], [2]):
        |current| op::search_sorted(current, &sorted, &a, false, out);
    search_sorted_in_rows(sorted = [1i32, 3, 5, 7], [2, 2]; a = [3, 4], [2, 1]) => (out = [2i64, 0], [2, 1]):
        |current| op::search_sorted(current, &sorted, &a, true, out);
    search_sorteds(sorted = [1i32, 3, 5], [3]) => (out = [2i64], []):
        |current| op::search_sorteds(current, &sorted, 4, false, out);
    bucketize(a = [3i32, 4], [2]; edges = [1i32, 3, 5], [3]) => (out = [2i64, 2], [2]):
        |current| op::bucketize(current, &a, &edges, true, out);
    repeat_interleave_int(a = [1i32, 2], [2]) => (out = [1i32, 1, 2, 2], [4]):
        |current| op::repeat_interleave_int(current, &a, 2, out);
    trans_quant_param_v2(scale = [0.5f32], [1]; offset = [3.0f32], [1]) => (out = [0x3f00_0000u64 | 1 << 46 | 3 << 37], [1]):
        |current| op::trans_quant_param_v2(current, &scale, Some(&offset), out);
    trans_quant_param_v3(scale = [0.5f32], [1]) => (out = [0x3f00_0000u64 | 1 << 46], [1]):
        |current| op::trans_quant_param_v3(current, &scale, None, out);
    quant_matmul_v3(a = [1i8, 2], [1, 2]; b = [3i8, 4], [2, 1]; scale = [0x3f00_0000u64 | 1 << 46], [1]; bias = [1i32], [1])
        => (out = [f16::from_f32(6.0)], [1, 1]):
        |current| op::quant_matmul_v3(current, &a, &b, &scale, Some(&bias), false, false, out);
    quant_matmul_v5(a = [1i8, 2], [1, 2]; b = [3i8, 4], [2, 1]; scale = [0.5f32], [1]; row = [2.0f32], [1])
        => (out = [f16::from_f32(11.0)], [1, 1]):
        |current| op::quant_matmul_v5(current, &a, &b, Some(&row), &scale, None, false, false, out);
    ascend_anti_quant(x = [1i8, -2], [1, 2]; scale = [0.5f32], [1]; offset = [1.0f32], [1])
        => (y = [f16::from_f32(1.0), f16::from_f32(-0.5)], [1, 2]):
        |current| op::ascend_anti_quant(current, &x, &scale, Some(&offset), false, y);
    dequant_bias(x = [1i32, 3], [1, 2]; scale = [0.5f32, 2.0], [2]; bias = [1i32, 1], [2])
        => (out = [f16::from_f32(1.0), f16::from_f32(8.0)], [1, 2]):
        |current| op::dequant_bias(current, &x, &scale, None, Some(&bias), out);
    ascend_quant(x = [1.0f32, 3.5], [1, 2]; scale = [2.0f32], [1]) => (y = [2i8, 7], [1, 2]):
        |current| op::ascend_quant(current, &x, &scale, None, false, RoundMode::Round, y);
    weight_quant_batch_matmul_v3(x = [f16::ONE], [1, 1]; weight = [3i8], [1, 1]; scale = [f16::ONE], [1]; bias = [f16::ONE], [1])
        => (y = [f16::from_f32(4.0)], [1, 1]):
        |current| op::weight_quant_batch_matmul_v3(current, &x, &weight, &scale, None, Some(&bias), 0, 0, y);
    gemma_rms_norm(a = [3.0f32, 4.0], [1, 2]; gamma = [0.0f32, 1.0], [2])
        => (out = [0.848_528_1_f32, 2.262_741_7], [1, 2]; r = [0.282_842_7_f32], [1, 1]):
        |current| op::gemma_rms_norm(current, &a, &gamma, 0.0, out, r);
    add_rms_norm_cast(a = [f16::ONE], [1, 1]; b = [f16::ONE], [1, 1]; gamma = [f16::from_f32(3.0)], [1])
        => (wide = [3.0f32], [1, 1]; out = [f16::from_f32(3.0)], [1, 1]; r = [0.5f32], [1, 1]; sum = [f16::from_f32(2.0)], [1, 1]):
        |current| op::add_rms_norm_cast(current, &a, &b, &gamma, 0.0, wide, out, r, sum);
    group_norm_silu(a = [1.0f32, 3.0], [1, 2]) => (out = [-0.268_941_4_f32, 0.731_058_6], [1, 2]; mean = [2.0f32], [1, 1]; r = [1.0f32], [1, 1]):
        |current| op::group_norm_silu(current, &a, None, None, 1, 1e-12, out, mean, r);
    group_norm_silu_v2(a = [1.0f32, 3.0], [1, 2]) => (out = [-1.0f32, 1.0], [1, 2]; mean = [2.0f32], [1, 1]; r = [1.0f32], [1, 1]):
        |current| op::group_norm_silu_v2(current, &a, None, None, 1, 1e-12, false, out, mean, r);
}

in_place! {
    inplace_masked_scatter(a = [1i32, 2, 3], [3]; mask = [Bool::TRUE, Bool::FALSE, Bool::TRUE], [3]; source = [7i32, 8, 9], [3])
        => [7i32, 2, 8]:
        |current| op::inplace_masked_scatter(current, a, &mask, &source);
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

isolated! {
    fn indices_name_elements() {
        bound!(acl, side, device: D, current, stream);
        let held = upload(current, side, &[1i32, 2, 3, 4]);
        let a = held.tensor(&[2, 2]).unwrap();
        let out = |shape: &[usize]| {
            current.malloc::<i32>(shape.iter().product()).unwrap().into_tensor(shape).unwrap()
        };
        let numbers = upload(current, side, &[3i64, 0]);
        let flat = numbers.tensor(&[2]).unwrap().indices(current, side, 4).unwrap();
        let taken = op::take(current, &a, &flat, out(&[2])).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &taken), [4, 1]);
        let numbers = upload(current, side, &[1i64, 1, 0, 1]);
        let positions = numbers.tensor(&[2, 2]).unwrap().positions(current, side, &[2, 2]).unwrap();
        let taken = op::gather_nd(current, &a, &positions, out(&[2])).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &taken), [4, 2]);
        let column = numbers.tensor(&[4]).unwrap().indices(current, side, 2).unwrap();
        let taken = op::gather_v3(current, &a, 1, &column, out(&[2, 4])).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &taken), [2, 2, 1, 2, 4, 4, 3, 4]);
        let places = numbers.tensor(&[2, 2]).unwrap().indices(current, side, 2).unwrap();
        let plan = op::scatter_value(current, &a, 0, &places, 9, out(&[2, 2])).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [9, 2, 9, 9]);
        let source = upload(current, side, &[10i32; 8]);
        let plan = op::index_add_v2(current, &a, 1, &column, &source.tensor(&[2, 4]).unwrap(), 2, out(&[2, 2])).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [21, 62, 23, 64]);
        let image = held.tensor(&[1, 1, 1, 4]).unwrap();
        let order = upload(current, side, &[3i64, 2, 1, 0]);
        let places = order.tensor(&[1, 1, 1, 4]).unwrap().indices(current, side, 4).unwrap();
        let plan = op::max_unpool2d(current, &image, &places, out(&[1, 1, 1, 5])).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [4, 3, 2, 1, 0]);
        let volume = held.tensor(&[1, 1, 1, 1, 4]).unwrap();
        let places = order.tensor(&[1, 1, 1, 1, 4]).unwrap().indices(current, side, 4).unwrap();
        let plan = op::max_unpool3d(current, &volume, &places, &[1, 1, 1], &[0, 0, 0], out(&[1, 1, 1, 1, 4])).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [4, 3, 2, 1]);
        assert!(op::max_unpool2d(current, &image, &order.tensor(&[1, 1, 1, 4]).unwrap().indices(current, side, 4).unwrap(), out(&[1, 1, 1, 3])).is_err());
        let mut changed = upload(current, side, &[1i32, 2, 3, 4]);
        let put = upload(current, side, &[7i32, 8]);
        let plan = op::inplace_put(current, changed.tensor_mut(&[2, 2]).unwrap(), &flat, &put.tensor(&[2]).unwrap(), true);
        plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &changed), [9, 2, 3, 11]);
        let first = upload(current, side, &[1i64]);
        let first = first.tensor(&[1, 1]).unwrap().indices(current, side, 2).unwrap();
        let plan = op::inplace_scatter_value(current, changed.tensor_mut(&[2, 2]).unwrap(), 0, &first, 5);
        plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &changed), [9, 2, 5, 11]);
    }

    fn outputs_have_the_size_that_the_data_decide() {
        bound!(acl, side, device: D, current, stream);
        let held = upload(current, side, &[2i32, 2, 0, 2]);
        let a = held.tensor(&[4]).unwrap();
        let longs = || current.malloc::<i64>(4).unwrap();
        let values = || current.malloc::<i32>(4).unwrap().into_tensor_up_to(&[4]).unwrap();
        let out = longs().into_tensor_up_to(&[1, 4]).unwrap();
        let places = op::nonzero_v2(current, &a, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(found(current, side, &places), (vec![1, 3], vec![0, 1, 3]));
        let inverse = || longs().into_tensor(&[4]).unwrap();
        let (different, which) = op::unique(current, &a, true, values(), inverse()).unwrap().run(&mut stream).unwrap();
        assert_eq!(found(current, side, &different), (vec![2], vec![0, 2]));
        assert_eq!(download(current, side, &which), [1, 1, 0, 1]);
        let counts = longs().into_tensor_up_to(&[4]).unwrap();
        let plan = op::unique_consecutive(current, &a, values(), inverse(), counts).unwrap();
        let (different, which, counts) = plan.run(&mut stream).unwrap();
        assert_eq!(found(current, side, &different), (vec![3], vec![2, 0, 2]));
        assert_eq!(found(current, side, &counts), (vec![3], vec![2, 1, 1]));
        assert_eq!(download(current, side, &which), [0, 0, 1, 2]);
    }

    fn layers_are_normalised_in_other_ways() {
        bound!(acl, side, device: D, current, stream);
        let held = upload(current, side, &[1.0f32, 3.0]);
        let a = held.tensor(&[1, 2]).unwrap();
        let out = || current.malloc::<f32>(2).unwrap().into_tensor(&[1, 2]).unwrap();
        let plan = op::fast_layer_norm(current, &a, &[2], None, None, 0.0, out(), (), ()).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap().0), [-1.0, 1.0]);
        let plan = op::layer_norm_with_impl_mode(current, &a, &[2], None, None, 0.0, out(), (), (), 0).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap().0), [-1.0, 1.0]);
    }

    fn sums_are_normalised_in_place() {
        bound!(acl, side, device: D, current, stream);
        let (mut a, mut b) = (upload(current, side, &[1.0f32]), upload(current, side, &[1.0f32]));
        let gamma = upload(current, side, &[3.0f32]);
        let r = current.malloc::<f32>(1).unwrap().into_tensor(&[1, 1]).unwrap();
        let terms = (a.tensor_mut(&[1, 1]).unwrap(), b.tensor_mut(&[1, 1]).unwrap());
        let plan = op::inplace_add_rms_norm(current, terms.0, terms.1, &gamma.tensor(&[1]).unwrap(), 0.0, r).unwrap();
        plan.run(&mut stream).unwrap();
        assert_eq!(download(current, side, &a), [3.0]);
        assert_eq!(download(current, side, &b), [2.0]);
    }
}
