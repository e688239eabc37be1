//! The results of functions of each tensor of a list, on idle and on queued operands.
#![expect(
    clippy::approx_constant,
    reason = "results are the numbers that PyTorch prints"
)]

use ascendcl::Npu;
use ascendcl::op;

use crate::common::isolated;
use crate::op_table::{assert_near, download, room, upload};

type D = Npu<0>;

/// The two tensors of each list.
const X: [&[f32]; 2] = [&[0.5, 0.75], &[0.25]];
const X1: [&[f32]; 2] = X;
const X2: [&[f32]; 2] = [&[2.0, 1.5], &[0.5]];
const X3: [&[f32]; 2] = [&[4.0, 2.0], &[0.5]];
const WEIGHTS: [&[f32]; 2] = [&[0.25, 0.75], &[0.5]];
const NUMBER: [&[f32]; 2] = [&[0.5], &[0.5]];

macro_rules! values {
    (x) => {
        X
    };
    (x1) => {
        X1
    };
    (x2) => {
        X2
    };
    (x3) => {
        X3
    };
    (weights) => {
        WEIGHTS
    };
    (number) => {
        NUMBER
    };
}

/// Runs each operator twice, on idle buffers and on buffers of a stream.
macro_rules! lists {
    ($(
        $name:ident($($list:ident),+) => [$one:expr, $two:expr]: |$current:ident, $out:ident| $plan:expr;
    )*) => { isolated! { $(
        fn $name() {
            $crate::common::bound!(acl, side, device: D, $current, stream);
            let (one, two): (&[f32], &[f32]) = ($one, $two);
            {
                $( let $list = values!($list).map(|values| upload($current, side, values)); )+
                $( let $list = [0, 1].map(|index| $list[index].tensor(&[$list[index].len()]).unwrap()); )+
                $( let $list = [&$list[0], &$list[1]]; )+
                let $out = vec![one, two];
                let $out: Vec<_> = $out.iter().map(|expected| room($current, expected).into_tensor(&[expected.len()]).unwrap()).collect();
                let outs = $plan.unwrap().run(&mut stream).unwrap();
                for (out, expected) in outs.iter().zip([one, two]) {
                    assert_near(&download($current, side, out), expected);
                }
            }
            let held = ($( values!($list).map(|values| stream.adopt(upload($current, side, values))) ),+,);
            let ($(ref $list),+,) = held;
            $( let $list = [0, 1].map(|index| $list[index].tensor(&[values!($list)[index].len()]).unwrap()); )+
            $( let $list = [&$list[0], &$list[1]]; )+
            let $out = vec![stream.adopt(room($current, one)), stream.adopt(room($current, two))];
            let lengths = [one.len(), two.len()];
            let $out: Vec<_> = $out.into_iter().zip(lengths).map(|(out, len)| out.into_tensor(&[len]).unwrap()).collect();
            let outs = $plan.unwrap().launch(&mut stream).unwrap().into_output();
            let idle = stream.synchronize().unwrap();
            for (out, expected) in outs.into_iter().zip([one, two]) {
                assert_near(&download($current, side, &idle.take(out)), expected);
            }
        }
    )* } };
}

lists! {
    foreach_acos(x) => [&[1.047198, 0.7227342], &[1.318116]]:
        |current, out| op::foreach_acos(current, &x, out);
    foreach_asin(x) => [&[0.5235988, 0.8480621], &[0.2526803]]:
        |current, out| op::foreach_asin(current, &x, out);
    foreach_atan(x) => [&[0.4636476, 0.6435011], &[0.2449787]]:
        |current, out| op::foreach_atan(current, &x, out);
    foreach_cos(x) => [&[0.8775826, 0.7316889], &[0.9689124]]:
        |current, out| op::foreach_cos(current, &x, out);
    foreach_cosh(x) => [&[1.127626, 1.294683], &[1.031413]]:
        |current, out| op::foreach_cosh(current, &x, out);
    foreach_erf(x) => [&[0.5204999, 0.7111556], &[0.2763264]]:
        |current, out| op::foreach_erf(current, &x, out);
    foreach_erfc(x) => [&[0.4795001, 0.2888444], &[0.7236736]]:
        |current, out| op::foreach_erfc(current, &x, out);
    foreach_exp(x) => [&[1.648721, 2.117], &[1.284025]]:
        |current, out| op::foreach_exp(current, &x, out);
    foreach_expm1(x) => [&[0.6487213, 1.117], &[0.2840254]]:
        |current, out| op::foreach_expm1(current, &x, out);
    foreach_log(x) => [&[-0.6931472, -0.2876821], &[-1.386294]]:
        |current, out| op::foreach_log(current, &x, out);
    foreach_log10(x) => [&[-0.30103, -0.1249387], &[-0.60206]]:
        |current, out| op::foreach_log10(current, &x, out);
    foreach_log1p(x) => [&[0.4054651, 0.5596158], &[0.2231436]]:
        |current, out| op::foreach_log1p(current, &x, out);
    foreach_log2(x) => [&[-1.0, -0.4150375], &[-2.0]]:
        |current, out| op::foreach_log2(current, &x, out);
    foreach_reciprocal(x) => [&[2.0, 1.333333], &[4.0]]:
        |current, out| op::foreach_reciprocal(current, &x, out);
    foreach_sigmoid(x) => [&[0.6224593, 0.6791787], &[0.5621765]]:
        |current, out| op::foreach_sigmoid(current, &x, out);
    foreach_sin(x) => [&[0.4794255, 0.6816388], &[0.247404]]:
        |current, out| op::foreach_sin(current, &x, out);
    foreach_sinh(x) => [&[0.5210953, 0.8223167], &[0.2526123]]:
        |current, out| op::foreach_sinh(current, &x, out);
    foreach_sqrt(x) => [&[0.7071068, 0.8660254], &[0.5]]:
        |current, out| op::foreach_sqrt(current, &x, out);
    foreach_tan(x) => [&[0.5463025, 0.9315965], &[0.2553419]]:
        |current, out| op::foreach_tan(current, &x, out);
    foreach_tanh(x) => [&[0.4621172, 0.635149], &[0.2449187]]:
        |current, out| op::foreach_tanh(current, &x, out);
    foreach_abs(x) => [&[0.5, 0.75], &[0.25]]:
        |current, out| op::foreach_abs(current, &x, out);
    foreach_neg(x) => [&[-0.5, -0.75], &[-0.25]]:
        |current, out| op::foreach_neg(current, &x, out);
    foreach_sign(x) => [&[1.0, 1.0], &[1.0]]:
        |current, out| op::foreach_sign(current, &x, out);
    foreach_copy(x) => [&[0.5, 0.75], &[0.25]]:
        |current, out| op::foreach_copy(current, &x, out);
    foreach_add_list(x1, x2, number) => [&[1.5, 1.5], &[0.5]]:
        |current, out| op::foreach_add_list(current, &x1, &x2, number[0], out);
    foreach_add_list_v2(x1, x2) => [&[1.5, 1.5], &[0.5]]:
        |current, out| op::foreach_add_list_v2(current, &x1, &x2, 0.5, out);
    foreach_sub_list(x1, x2, number) => [&[-0.5, 0.0], &[0.0]]:
        |current, out| op::foreach_sub_list(current, &x1, &x2, number[0], out);
    foreach_sub_list_v2(x1, x2) => [&[-0.5, 0.0], &[0.0]]:
        |current, out| op::foreach_sub_list_v2(current, &x1, &x2, 0.5, out);
    foreach_mul_list(x1, x2) => [&[1.0, 1.125], &[0.125]]:
        |current, out| op::foreach_mul_list(current, &x1, &x2, out);
    foreach_div_list(x1, x2) => [&[0.25, 0.5], &[0.5]]:
        |current, out| op::foreach_div_list(current, &x1, &x2, out);
    foreach_maximum_list(x1, x2) => [&[2.0, 1.5], &[0.5]]:
        |current, out| op::foreach_maximum_list(current, &x1, &x2, out);
    foreach_minimum_list(x1, x2) => [&[0.5, 0.75], &[0.25]]:
        |current, out| op::foreach_minimum_list(current, &x1, &x2, out);
    foreach_pow_list(x1, x2) => [&[0.25, 0.6495191], &[0.5]]:
        |current, out| op::foreach_pow_list(current, &x1, &x2, out);
    foreach_add_scalar(x, number) => [&[1.0, 1.25], &[0.75]]:
        |current, out| op::foreach_add_scalar(current, &x, number[0], out);
    foreach_add_scalar_v2(x) => [&[1.0, 1.25], &[0.75]]:
        |current, out| op::foreach_add_scalar_v2(current, &x, 0.5, out);
    foreach_add_scalar_list(x) => [&[1.0, 1.25], &[2.25]]:
        |current, out| op::foreach_add_scalar_list(current, &x, &[0.5, 2.0], out);
    foreach_sub_scalar(x, number) => [&[0.0, 0.25], &[-0.25]]:
        |current, out| op::foreach_sub_scalar(current, &x, number[0], out);
    foreach_sub_scalar_v2(x) => [&[0.0, 0.25], &[-0.25]]:
        |current, out| op::foreach_sub_scalar_v2(current, &x, 0.5, out);
    foreach_sub_scalar_list(x) => [&[0.0, 0.25], &[-1.75]]:
        |current, out| op::foreach_sub_scalar_list(current, &x, &[0.5, 2.0], out);
    foreach_mul_scalar(x, number) => [&[0.25, 0.375], &[0.125]]:
        |current, out| op::foreach_mul_scalar(current, &x, number[0], out);
    foreach_mul_scalar_v2(x) => [&[0.25, 0.375], &[0.125]]:
        |current, out| op::foreach_mul_scalar_v2(current, &x, 0.5, out);
    foreach_mul_scalar_list(x) => [&[0.25, 0.375], &[0.5]]:
        |current, out| op::foreach_mul_scalar_list(current, &x, &[0.5, 2.0], out);
    foreach_div_scalar(x, number) => [&[1.0, 1.5], &[0.5]]:
        |current, out| op::foreach_div_scalar(current, &x, number[0], out);
    foreach_div_scalar_v2(x) => [&[1.0, 1.5], &[0.5]]:
        |current, out| op::foreach_div_scalar_v2(current, &x, 0.5, out);
    foreach_div_scalar_list(x) => [&[1.0, 1.5], &[0.125]]:
        |current, out| op::foreach_div_scalar_list(current, &x, &[0.5, 2.0], out);
    foreach_maximum_scalar(x, number) => [&[0.5, 0.75], &[0.5]]:
        |current, out| op::foreach_maximum_scalar(current, &x, number[0], out);
    foreach_maximum_scalar_v2(x) => [&[0.5, 0.75], &[0.5]]:
        |current, out| op::foreach_maximum_scalar_v2(current, &x, 0.5, out);
    foreach_maximum_scalar_list(x) => [&[0.5, 0.75], &[2.0]]:
        |current, out| op::foreach_maximum_scalar_list(current, &x, &[0.5, 2.0], out);
    foreach_minimum_scalar(x, number) => [&[0.5, 0.5], &[0.25]]:
        |current, out| op::foreach_minimum_scalar(current, &x, number[0], out);
    foreach_minimum_scalar_v2(x) => [&[0.5, 0.5], &[0.25]]:
        |current, out| op::foreach_minimum_scalar_v2(current, &x, 0.5, out);
    foreach_minimum_scalar_list(x) => [&[0.5, 0.5], &[0.25]]:
        |current, out| op::foreach_minimum_scalar_list(current, &x, &[0.5, 2.0], out);
    foreach_pow_scalar(x, number) => [&[0.7071068, 0.8660254], &[0.5]]:
        |current, out| op::foreach_pow_scalar(current, &x, number[0], out);
    foreach_pow_scalar_v2(x) => [&[0.7071068, 0.8660254], &[0.5]]:
        |current, out| op::foreach_pow_scalar_v2(current, &x, 0.5, out);
    foreach_pow_scalar_list(x) => [&[0.7071068, 0.8660254], &[0.0625]]:
        |current, out| op::foreach_pow_scalar_list(current, &x, &[0.5, 2.0], out);
    foreach_pow_scalar_and_tensor(x) => [&[0.7071068, 0.5946036], &[0.8408964]]:
        |current, out| op::foreach_pow_scalar_and_tensor(current, 0.5, &x, out);
    foreach_addcdiv_list(x1, x2, x3, number) => [&[0.75, 1.125], &[0.75]]:
        |current, out| op::foreach_addcdiv_list(current, &x1, &x2, &x3, number[0], out);
    foreach_addcdiv_scalar(x1, x2, x3, number) => [&[0.75, 1.125], &[0.75]]:
        |current, out| op::foreach_addcdiv_scalar(current, &x1, &x2, &x3, number[0], out);
    foreach_addcdiv_scalar_v2(x1, x2, x3) => [&[0.75, 1.125], &[0.75]]:
        |current, out| op::foreach_addcdiv_scalar_v2(current, &x1, &x2, &x3, 0.5, out);
    foreach_addcdiv_scalar_list(x1, x2, x3, number) => [&[0.75, 1.125], &[0.75]]:
        |current, out| op::foreach_addcdiv_scalar_list(current, &x1, &x2, &x3, number[0], out);
    foreach_addcmul_list(x1, x2, x3, number) => [&[4.5, 2.25], &[0.375]]:
        |current, out| op::foreach_addcmul_list(current, &x1, &x2, &x3, number[0], out);
    foreach_addcmul_scalar(x1, x2, x3, number) => [&[4.5, 2.25], &[0.375]]:
        |current, out| op::foreach_addcmul_scalar(current, &x1, &x2, &x3, number[0], out);
    foreach_addcmul_scalar_v2(x1, x2, x3) => [&[4.5, 2.25], &[0.375]]:
        |current, out| op::foreach_addcmul_scalar_v2(current, &x1, &x2, &x3, 0.5, out);
    foreach_addcmul_scalar_list(x1, x2, x3, number) => [&[4.5, 2.25], &[0.375]]:
        |current, out| op::foreach_addcmul_scalar_list(current, &x1, &x2, &x3, number[0], out);
    foreach_lerp_list(x1, x2, weights) => [&[0.875, 1.3125], &[0.375]]:
        |current, out| op::foreach_lerp_list(current, &x1, &x2, &weights, out);
    foreach_lerp_scalar(x1, x2) => [&[1.25, 1.125], &[0.375]]:
        |current, out| op::foreach_lerp_scalar(current, &x1, &x2, 0.5, out);
}
