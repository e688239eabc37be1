//! The results of operators that few programs call: functions of elements, their gradients, losses, and steps of optimizers.

use ascendcl::op::{self, Bool, CubeMath, LossReduction};
use ascendcl::stream::Main;
use ascendcl::{Npu, Thread};
use half::f16;

use crate::common::{acl, host, isolated};
use crate::op_table::{download, in_place, operators, upload};

type D = Npu<0>;

operators! {
    approximate_equal(a = [1.0f32, 2.0], [2]; b = [1.5, 1.0], [2]) => (out = [Bool::TRUE, Bool::FALSE], [2]):
        |current| op::approximate_equal(current, &a, &b, 0.75, out);
    axpy_v3(a = [1.0f32, 2.0], [2]; b = [1.5, 1.0], [2]) => (out = [3.5f32, 5.0], [2]):
        |current| op::axpy_v3(current, &a, &b, 2.0, out);
    fused_mul_add_n(a = [1i32, 2], [2]; b = [5, 6], [2]; c = [3], [1]) => (out = [8i32, 12], [2]):
        |current| op::fused_mul_add_n(current, &a, &b, &c, out);
    axpy_v2(a = [1.0f32, 2.0], [2]; b = [1.5, 1.0], [2]; c = [2.0], [1]) => (out = [4.0f32, 4.0], [2]):
        |current| op::axpy_v2(current, &a, &b, &c, out);
    add_mat_mat_elements(a = [1.0f32, 2.0], [2]; b = [1.5, 1.0], [2]; c = [2.0, 3.0], [2]) => (out = [4.0f32, 5.5], [2]):
        |current| op::add_mat_mat_elements(current, &a, &b, &c, 2.0, 0.5, out);
    masked_softmax_with_rel_pos_bias(a = [2.0f32, 4.0], [1, 1, 1, 1, 2]; mask = [1.0, 0.0], [1, 1, 2]; bias = [0.5, 0.5], [1, 1, 2])
        => (out = [0.5f32, 0.5], [1, 1, 1, 1, 2]): |current| op::masked_softmax_with_rel_pos_bias(current, &a, Some(&mask), &bias, 0.5, out);
    squared_difference(a = [1i32, 2], [2]; b = [5], [1]) => (out = [16i32, 9], [2]):
        |current| op::squared_difference(current, &a, &b, out);
    mul_no_nan(a = [f32::NAN, 2.0], [2]; b = [0.0, 3.0], [2]) => (out = [0.0f32, 6.0], [2]):
        |current| op::mul_no_nan(current, &a, &b, out);
    ndtri(a = [0.75f32, 0.25], [2]) => (out = [0.674490f32, -0.674490], [2]): |current| op::ndtri(current, &a, out);
    softsign(a = [1.0f32, -3.0], [2]) => (out = [0.5f32, -0.75], [2]): |current| op::softsign(current, &a, out);
    silu_mul(a = [1.0f32, -2.0], [2]; b = [3.0, 0.5], [2]) => (out = [2.193176f32, -0.119203], [2]):
        |current| op::silu_mul(current, &a, &b, out);
    bias_add(a = [1i32, 2, 3, 4], [2, 2]; bias = [10, 20], [2]) => (out = [11i32, 22, 13, 24], [2, 2]):
        |current| op::bias_add(current, &a, &bias, out);
    diag_part(a = [1.0f32, 2.0, 3.0, 4.0], [2, 2]) => (out = [1.0f32, 4.0], [2]): |current| op::diag_part(current, &a, out);
    relu_v3(a = [1.0f32, -2.0], [2]) => (out = [1.0f32, 0.0], [2]; mask = [1u8, 0], [2]):
        |current| op::relu_v3(current, &a, out, mask);
    swiglu_clamp(a = [1.0f32, 9.0, 3.0, -9.0], [1, 4]) => (out = [1.462117f32, -4.0], [1, 2]):
        |current| op::swiglu_clamp(current, &a, 2.0, out);
    clipped_swiglu(a = [1.0f32, 9.0, 3.0, -9.0], [1, 4]) => (out = [2.452723f32, -1.905148], [1, 2]):
        |current| op::clipped_swiglu(current, &a, -1, 1.5, 2.0, 1.0, true, out);
    masked_scatter_v2(a = [1i32, 2, 3], [3]; mask = [Bool::TRUE, Bool::FALSE, Bool::TRUE], [3]; source = [7, 8, 9], [3])
        => (out = [7i32, 2, 8], [3]): |current| op::masked_scatter_v2(current, &a, &mask, &source, out);
    logdet(a = [2.0f32, 0.0, 1.0, 4.0], [1, 2, 2]) => (out = [2.079442f32], [1]): |current| op::logdet(current, &a, out);
    slogdet(a = [0.0f32, 2.0, 3.0, 1.0], [1, 2, 2]) => (sign = [-1.0f32], [1]; out = [1.791759f32], [1]):
        |current| op::slogdet(current, &a, sign, out);
    acos_grad(a = [1.5f32, -2.0], [2]; b = [0.5, -0.25], [2]) => (out = [-1.732051f32, 2.065591], [2]):
        |current| op::acos_grad(current, &a, &b, out);
    asin_grad(a = [1.5f32, -2.0], [2]; b = [0.5, -0.25], [2]) => (out = [1.732051f32, -2.065591], [2]):
        |current| op::asin_grad(current, &b, &a, out);
    atan_grad(a = [1.5f32, -2.0], [2]; b = [0.5, -0.25], [2]) => (out = [1.2f32, -1.882353], [2]):
        |current| op::atan_grad(current, &b, &a, out);
    acosh_grad(a = [1.5f32, -2.0], [2]; b = [0.5, 1.25], [2]) => (out = [2.878552f32, -1.248503], [2]):
        |current| op::acosh_grad(current, &b, &a, out);
    asinh_grad(a = [1.5f32, -2.0], [2]; b = [0.5, -1.25], [2]) => (out = [1.330228f32, -1.059084], [2]):
        |current| op::asinh_grad(current, &b, &a, out);
    sqrt_backward(a = [1.5f32, -2.0], [2]; b = [0.5, 2.0], [2]) => (out = [1.5f32, -0.5], [2]):
        |current| op::sqrt_backward(current, &b, &a, out);
    rsqrt_grad(a = [1.5f32, -2.0], [2]; b = [0.5, 2.0], [2]) => (out = [-0.09375f32, 8.0], [2]):
        |current| op::rsqrt_grad(current, &b, &a, out);
    inv_grad(a = [1.5f32, -2.0], [2]; b = [0.5, 2.0], [2]) => (out = [-0.375f32, 8.0], [2]):
        |current| op::inv_grad(current, &b, &a, out);
    softsign_backward(a = [1.5f32, -2.0], [2]; b = [0.5, -1.0], [2]) => (out = [0.666667f32, -0.5], [2]):
        |current| op::softsign_backward(current, &a, &b, out);
    hinge_loss(a = [0.5f32, -2.0], [2]; b = [1.0, -1.0], [2]) => (out = [0.5f32, 0.0], [2]):
        |current| op::hinge_loss(current, &a, &b, out);
    hinge_loss_grad(a = [0.5f32, -2.0], [2]; b = [1.0, -1.0], [2]; c = [3.0, 3.0], [2]) => (out = [-3.0f32, 0.0], [2]):
        |current| op::hinge_loss_grad(current, &a, &b, &c, out);
    huber_loss_grad(b = [0.5f32, -2.0], [2]; target = [1.0, 1.0], [2]) => (out = [-0.5f32, -1.5], [2]):
        |current| op::huber_loss_grad(current, &b, &target, 1.5, out);
    huber_loss(a = [1.0f32, 5.0], [2]; b = [0.5, 1.0], [2]) => (out = [0.125f32, 4.875], [2]):
        |current| op::huber_loss(current, &a, &b, LossReduction::Each, 1.5, out);
    hinge_embedding_loss(a = [1.0f32, 0.5], [2]; b = [1.0, -1.0], [2]) => (out = [2.0f32], []):
        |current| op::hinge_embedding_loss(current, &a, &b, 1.5, LossReduction::Sum, out);
    gaussian_nll_loss(a = [1.0f32, 5.0], [2]; b = [0.5, 1.0], [2]; c = [0.25, 4.0], [2]) => (out = [2.217225f32], []):
        |current| op::gaussian_nll_loss(current, &a, &b, &c, true, 0.5, LossReduction::Mean, out);
    exp_segsum(a = [9.0f32, 0.5, -1.0], [1, 1, 3]) => (out = [1.0f32, 0.0, 0.0, 1.648721, 1.0, 0.0, 0.606531, 0.367879, 1.0], [1, 1, 3, 3]):
        |current| op::exp_segsum(current, &a, out);
    apply_top_k_top_p(logits = [1.0f32, 3.0, 2.0], [1, 3]; shares = [0.5], [1]; counts = [2i32], [1])
        => (out = [f32::NEG_INFINITY, 3.0, f32::NEG_INFINITY], [1, 3]): |current| op::apply_top_k_top_p(current, &logits, &shares, &counts, out);
    conv_tbc(a = [1.0f32, 2.0, 3.0], [3, 1, 1]; weight = [1.0, 10.0], [2, 1, 1]; bias = [0.5], [1]) => (out = [21.5f32, 32.5], [2, 1, 1]):
        |current| op::conv_tbc(current, &a, &weight, &bias, 0, out, CubeMath::Keep);
    thnn_fused_lstm_cell(gates = [0.0f32, 1.0, 0.0, 0.0], [1, 4]; hidden_gates = [0.0, 0.0, 0.0, 0.0], [1, 4]; cell = [2.0], [1, 1])
        => (hidden = [0.440565f32], [1, 1]; next = [1.380797f32], [1, 1]; storage = [0.5f32, 0.761594, 0.5, 0.5], [1, 4]):
        |current| op::thnn_fused_lstm_cell(current, &gates, &hidden_gates, &cell, None, None, hidden, next, storage);
    rms_norm_quant(a = [f16::from_f32(3.0), f16::from_f32(-3.0)], [1, 2]; gamma = [f16::from_f32(1.0), f16::from_f32(2.0)], [2]; beta = [f16::from_f32(0.0), f16::from_f32(1.0)], [2]; scale = [f16::from_f32(10.0)], [1]; offset = [5i8], [1])
        => (out = [15i8, -5], [1, 2]): |current| op::rms_norm_quant(current, &a, &gamma, &beta, &scale, &offset, 0.0, out);
    rms_norm_dynamic_quant(a = [f16::from_f32(3.0), f16::from_f32(-3.0)], [1, 2]; gamma = [f16::from_f32(1.0), f16::from_f32(4.0)], [2]; smooth = [f16::from_f32(0.5), f16::from_f32(2.0)], [2])
        => (out = [8i8, -127], [1, 2]; scale = [0.06299213f32], [1]): |current| op::rms_norm_dynamic_quant(current, &a, &gamma, Some(&smooth), None, 0.0, out, scale);
    exp_segsum_backward(a = [0.0f32, 0.0, 2.0, 0.0], [1, 1, 2, 2]; result = [1.0, 0.0, 0.5, 1.0], [1, 1, 2, 2]) => (out = [0.0f32, 1.0], [1, 1, 2]):
        |current| op::exp_segsum_backward(current, &a, &result, out);
    batch_norm_reduce(a = [1.0f32, 2.0, 3.0, 4.0], [2, 2, 1, 1]) => (sums = [4.0f32, 6.0], [2]; squares = [10.0f32, 20.0], [2]):
        |current| op::batch_norm_reduce(current, &a, sums, squares);
    l2_loss(a = [1.0f32, 3.0], [2]) => (out = [5.0f32], [1]): |current| op::l2_loss(current, &a, out);
}

in_place! {
    apply_gradient_descent(a = [1.0f32, 2.0], [2]; rate = [0.5], [1]; gradient = [2.0, -4.0], [2]) => [0.0, 4.0]:
        |current| op::apply_gradient_descent(current, a, &rate, &gradient);
}

isolated! {
    fn optimizers_change_what_they_remember() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let numbers = |values: &[f32]| upload(current, side, values);
        let (mut parameters, mut squares, mut linear) = (numbers(&[1.0]), numbers(&[9.0]), numbers(&[2.0]));
        let (gradient, half) = (numbers(&[4.0]), numbers(&[0.5]));
        let (gradient, half) = (gradient.tensor(&[1]).unwrap(), half.tensor(&[1]).unwrap());
        let plan = op::apply_adagrad_d(current, parameters.tensor_mut(&[1]).unwrap(), squares.tensor_mut(&[1]).unwrap(), &half, &gradient, true);
        plan.unwrap().run(&mut stream).unwrap();
        assert_eq!((download(current, side, &parameters), download(current, side, &squares)), (vec![0.6], vec![25.0]));
        let power = numbers(&[-0.5]);
        let power = power.tensor(&[1]).unwrap();
        let [one, two, three] = [&mut parameters, &mut squares, &mut linear].map(|one| one.tensor_mut(&[1]).unwrap());
        let plan = op::apply_ftrl(current, one, two, three, &gradient, &half, &half, &half, &power);
        plan.unwrap().run(&mut stream).unwrap();
        // Of 25 + 16 squares, and of 2 + 4 - (sqrt(41) - 5) / 0.5 * 0.6 in the linear term.
        let root = 41f32.sqrt();
        let sum = 6.0 - (root - 5.0) / 0.5 * 0.6;
        let changed = (0.5 - sum) / (root / 0.5 + 1.0);
        let near = |one: &[f32], other: f32| one.iter().all(|one| (one - other).abs() < 1e-5);
        assert!(near(&download(current, side, &squares), 41.0) && near(&download(current, side, &linear), sum));
        assert!(near(&download(current, side, &parameters), changed));
    }
}
