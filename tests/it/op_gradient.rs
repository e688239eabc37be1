//! The results of gradients.

use ascendcl::Npu;
use ascendcl::op::{self};

use crate::common::isolated;
use crate::op_table::{download, operators, upload};

type D = Npu<0>;

operators! {
    sigmoid_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-0.328125f32, -9.375], [2]):
        |current| op::sigmoid_backward(current, &a, &b, out);
    tanh_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-0.765625f32, -3.125], [2]):
        |current| op::tanh_backward(current, &a, &b, out);
    silu_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.47455f32, -0.1032354], [2]):
        |current| op::silu_backward(current, &a, &b, out);
    gelu_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.748142f32, -0.319277], [2]):
        |current| op::gelu_backward(current, &a, &b, out);
    elu_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-0.875f32, 0.1476145], [2]):
        |current| op::elu_backward(current, &a, 0.5, 0.5, 0.5, false, &b, out);
    leaky_relu_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.75f32, 1.25], [2]):
        |current| op::leaky_relu_backward(current, &a, &b, 0.5, false, out);
    hardtanh_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.75f32, 0.0], [2]):
        |current| op::hardtanh_backward(current, &a, &b, -0.5, 1.25, out);
    hardsigmoid_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-0.2916667f32, 0.4166667], [2]):
        |current| op::hardsigmoid_backward(current, &a, &b, out);
    hardswish_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.3125f32, 0.0], [2]):
        |current| op::hardswish_backward(current, &a, &b, out);
    hardswish_backward_v2(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.3125f32, 0.0], [2]):
        |current| op::hardswish_backward_v2(current, &a, &b, out);
    hardshrink_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.75f32, 2.5], [2]):
        |current| op::hardshrink_backward(current, &a, &b, 0.5, out);
    softshrink_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.75f32, 2.5], [2]):
        |current| op::softshrink_backward(current, &a, &b, 0.5, out);
    softplus_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.037167f32, 0.8020533], [2]):
        |current| op::softplus_backward(current, &a, &b, 0.5, 0.5, out);
    selu_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.838727f32, 0.6452484], [2]):
        |current| op::selu_backward(current, &a, &b, out);
    mish_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.725077f32, -0.1602445], [2]):
        |current| op::mish_backward(current, &a, &b, out);
    swish_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.685356f32, -0.2468273], [2]):
        |current| op::swish_backward(current, &a, &b, Some(1.5), out);
    log_sigmoid_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]; c = [0.25f32, 0.5], [2]) => (out = [-0.5614373f32, 2.043936], [2]):
        |current| op::log_sigmoid_backward(current, &a, &b, &c, out);
    threshold_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.75f32, 0.0], [2]):
        |current| op::threshold_backward(current, &a, &b, 0.5, out);
    fast_gelu_backward(a = [-1.75f32, 2.5], [2]; b = [0.75f32, -1.5], [2]) => (out = [-1.74925f32, -0.2471202], [2]):
        |current| op::fast_gelu_backward(current, &a, &b, out);
}
