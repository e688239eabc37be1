//! The results of operators on images, and the shapes that they refuse.

use ascendcl::Npu;
use ascendcl::error::Usage;
use ascendcl::op::{
    self, AvgPoolOptions, ConvolutionOptions, CubeMath, DepthwiseOptions, Im2colOptions,
    MaxPoolOptions,
};

use crate::common::{bound, isolated, usage};
use crate::op_table::{download, operators, output, upload};

type D = Npu<0>;

const NINE: [f32; 9] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
const PLAIN: ConvolutionOptions<'_> = ConvolutionOptions {
    stride: &[],
    padding: &[],
    dilation: &[],
    transposed: false,
    output_padding: &[],
    groups: 1,
    cube_math: CubeMath::Keep,
};

operators! {
    convolution(a = NINE, [1, 1, 3, 3]; w = [1.0f32, 0.0, 0.0, 1.0], [1, 1, 2, 2]; b = [10.0f32], [1])
        => (out = [16.0f32, 18.0, 22.0, 24.0], [1, 1, 2, 2]):
        |current| op::convolution(current, &a, &w, Some(&b), &PLAIN, out);
    convolution_with_strides(a = NINE, [1, 1, 3, 3]; w = [1.0f32, 0.0, 0.0, 1.0], [1, 1, 2, 2])
        => (out = [1.0f32, 3.0, 7.0, 14.0], [1, 1, 2, 2]):
        |current| op::convolution(current, &a, &w, None, &ConvolutionOptions { stride: &[2, 2], padding: &[1, 1], ..PLAIN }, out);
    convolution_transposed(a = [1.0f32, 2.0, 3.0, 4.0], [1, 1, 2, 2]; w = [1.0f32, 10.0, 100.0, 1000.0], [1, 1, 2, 2])
        => (out = [1.0f32, 10.0, 2.0, 20.0, 100.0, 1000.0, 200.0, 2000.0, 3.0, 30.0, 4.0, 40.0, 300.0, 3000.0, 400.0, 4000.0], [1, 1, 4, 4]):
        |current| op::convolution(current, &a, &w, None, &ConvolutionOptions { stride: &[2, 2], transposed: true, ..PLAIN }, out);
    convolution_transposed_with_more(a = [1.0f32, 2.0], [1, 1, 2]; w = [1.0f32, 10.0], [1, 1, 2]) => (out = [1.0f32, 10.0, 2.0, 20.0, 0.0], [1, 1, 5]):
        |current| op::convolution(current, &a, &w, None, &ConvolutionOptions { stride: &[2], transposed: true, output_padding: &[1], ..PLAIN }, out);
    convolution_of_rows_in_groups(a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1, 2, 3]; w = [1.0f32, 1.0, 1.0, -1.0], [2, 1, 2])
        => (out = [3.0f32, 5.0, -1.0, -1.0], [1, 2, 2]):
        |current| op::convolution(current, &a, &w, None, &ConvolutionOptions { groups: 2, ..PLAIN }, out);
    convolution_with_padding_in_front(a = [1.0f32, 2.0], [1, 1, 2]; w = [1.0f32, 1.0], [1, 1, 2]) => (out = [1.0f32, 3.0], [1, 1, 2]):
        |current| op::convolution(current, &a, &w, None, &ConvolutionOptions { padding: &[1, 0], ..PLAIN }, out);
    convolution_of_volumes(a = [1.0f32; 8], [1, 1, 2, 2, 2]; w = [2.0f32; 8], [1, 1, 2, 2, 2]) => (out = [16.0f32], [1, 1, 1, 1, 1]):
        |current| op::convolution(current, &a, &w, None, &PLAIN, out);
    depthwise(a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [1, 2, 2, 2]; w = [1.0f32, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0], [2, 1, 2, 2])
        => (out = [10.0f32, 52.0], [1, 2, 1, 1]):
        |current| op::conv_depthwise2d(current, &a, &w, None, &DepthwiseOptions::default(), out);
    avg_pool(a = [0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0], [1, 2, 4]) => (out = [2.5f32, 4.5], [1, 1, 2]):
        |current| op::avg_pool2d(current, &a, &AvgPoolOptions::new([2, 2]), out);
    avg_pool_with_padding(a = [1.0f32, 2.0, 3.0, 4.0], [1, 1, 2, 2]) => (out = [0.25f32, 0.5, 0.75, 1.0], [1, 1, 2, 2]):
        |current| op::avg_pool2d(current, &a, &AvgPoolOptions { padding: [1, 1], ..AvgPoolOptions::new([2, 2]) }, out);
    avg_pool_of_elements(a = [1.0f32, 2.0, 3.0, 4.0], [1, 1, 2, 2]) => (out = [1.0f32, 2.0, 3.0, 4.0], [1, 1, 2, 2]):
        |current| op::avg_pool2d(current, &a, &AvgPoolOptions { padding: [1, 1], count_include_pad: false, ..AvgPoolOptions::new([2, 2]) }, out);
    adaptive(a = NINE, [1, 3, 3]) => (out = [3.0f32, 4.0, 6.0, 7.0], [1, 2, 2]): |current| op::adaptive_avg_pool2d(current, &a, out);
    max_pool(a = NINE, [1, 1, 3, 3]) => (out = [5.0f32, 6.0, 8.0, 9.0], [1, 1, 2, 2]):
        |current| op::max_pool(current, &a, &MaxPoolOptions { stride: [1, 1], ..MaxPoolOptions::new([2, 2]) }, out);
    max_pool_rounded_up(a = NINE, [1, 1, 3, 3]) => (out = [5.0f32, 6.0, 8.0, 9.0], [1, 1, 2, 2]):
        |current| op::max_pool(current, &a, &MaxPoolOptions { ceil_mode: true, ..MaxPoolOptions::new([2, 2]) }, out);
    max_pool_with_indices(a = NINE, [1, 3, 3]) => (out = [5.0f32, 6.0, 8.0, 9.0], [1, 2, 2]; indices = [4i32, 5, 7, 8], [1, 2, 2]):
        |current| op::max_pool2d_with_indices(current, &a, &MaxPoolOptions { stride: [1, 1], ..MaxPoolOptions::new([2, 2]) }, out, indices);
    im2col(a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1, 1, 2, 3]) => (out = [1.0f32, 2.0, 2.0, 3.0, 4.0, 5.0, 5.0, 6.0], [1, 4, 2]):
        |current| op::im2col(current, &a, &Im2colOptions::new([2, 2]), out);
    nearest(a = [1.0f32, 2.0], [1, 1, 1, 2]) => (out = [1.0f32, 1.0, 2.0, 2.0, 1.0, 1.0, 2.0, 2.0], [1, 1, 2, 4]):
        |current| op::upsample_nearest2d(current, &a, out);
    bilinear(a = [0.0f32, 2.0], [1, 1, 1, 2]) => (out = [0.0f32, 0.5, 1.5, 2.0], [1, 1, 1, 4]):
        |current| op::upsample_bilinear2d(current, &a, false, (0.0, 0.0), out);
    bilinear_at_corners(a = [0.0f32, 3.0], [1, 1, 1, 2]) => (out = [0.0f32, 1.0, 2.0, 3.0], [1, 1, 1, 4]):
        |current| op::upsample_bilinear2d(current, &a, true, (0.0, 0.0), out);
}

isolated! {
    fn convolutions_say_what_does_not_fit() {
        bound!(acl, side, device: D, current);
        let sixteen = upload(current, side, &[1.0f32; 16]);
        let a = sixteen.tensor(&[1, 2, 2, 4]).unwrap();
        let two = upload(current, side, &[1.0f32; 2]);
        let bias = two.tensor(&[2]).unwrap();
        let weights = upload(current, side, &[1.0f32; 12]);
        let w = |shape: &[usize]| weights.tensor(shape).unwrap();
        let out = |shape: &[usize]| output::<f32>(current, shape);
        let refused = |w: &op::Tensor<'_, D, f32>, options: &ConvolutionOptions<'_>, shape: &[usize]| {
            op::convolution(current, &a, w, None, options, out(shape)).unwrap_err().to_string()
        };
        let three = w(&[3, 2, 1, 2]);
        assert_eq!(
            refused(&three, &PLAIN, &[1, 3, 2, 4]),
            "aclnnConvolution: of an operand of the shape [1, 2, 2, 4] the output has the shape [1, 3, 2, 3], not [1, 3, 2, 4]: \
             describe the output by that shape"
        );
        assert_eq!(
            refused(&w(&[1, 1, 3, 4]), &PLAIN, &[1, 1, 1, 1]),
            "aclnnConvolution: beside an operand of the shape [1, 2, 2, 4] another one must have the shape [1, 2, 3, 4], not \
             [1, 1, 3, 4]: describe it by that shape"
        );
        assert_eq!(
            refused(&w(&[2, 2, 3, 1]), &PLAIN, &[1, 2, 1, 4]),
            "aclnnConvolution: the numbers [3, 1] do not fit an operand of the shape [1, 2, 2, 4]: a window of dilation * \
             (kernel - 1) + 1 elements has to fit into the padded dimension"
        );
        assert_eq!(
            refused(&three, &ConvolutionOptions { stride: &[2], ..PLAIN }, &[1, 3, 1, 2]),
            "aclnnConvolution: the numbers [2] do not fit an operand of the shape [1, 2, 2, 4]: one for each dimension behind \
             the channels"
        );
        assert_eq!(
            refused(&three, &ConvolutionOptions { stride: &[1, 0], ..PLAIN }, &[1, 3, 1, 2]),
            "aclnnConvolution: the numbers [1, 0] do not fit an operand of the shape [1, 2, 2, 4]: strides and dilations are \
             at least 1"
        );
        assert_eq!(
            refused(&three, &ConvolutionOptions { padding: &[0, -1], ..PLAIN }, &[1, 3, 1, 2]),
            "aclnnConvolution: the numbers [0, 0, -1, -1] do not fit an operand of the shape [1, 2, 2, 4]: padding is at least \
             0"
        );
        assert_eq!(
            refused(&w(&[3, 1, 2, 2]), &ConvolutionOptions { groups: 2, ..PLAIN }, &[1, 3, 1, 3]),
            "aclnnConvolution: the numbers [2, 3, 2] do not fit an operand of the shape [3, 1, 2, 2]: the channels are divided \
             into 1 to 65535 groups of the same size"
        );
        let transposed = ConvolutionOptions { transposed: true, ..PLAIN };
        assert_eq!(
            refused(&w(&[2, 1, 2, 3]), &ConvolutionOptions { output_padding: &[1, 0], ..transposed }, &[1, 1, 4, 6]),
            "aclnnConvolution: the numbers [1, 0] do not fit an operand of the shape [1, 2, 2, 4]: output padding is at least \
             0, and less than the stride or the dilation"
        );
        assert_eq!(
            refused(&w(&[2, 1, 2, 3]), &ConvolutionOptions { padding: &[2, 0], ..transposed }, &[1, 1, 1, 1]),
            "aclnnConvolution: the numbers [2, 2, 0, 0] do not fit an operand of the shape [1, 2, 2, 4]: padding leaves nothing \
             of (size - 1) * stride - padding + dilation * (kernel - 1) + 1"
        );
        assert_eq!(
            usage(op::convolution(current, &a, &three, Some(&bias), &PLAIN, out(&[1, 3, 2, 3]))),
            Usage::OperandShape {
                operator: "aclnnConvolution",
                first: vec![3, 2, 1, 2],
                expected: vec![3],
                shape: vec![2],
            }
        );
        let flat = sixteen.tensor(&[4, 4]).unwrap();
        assert_eq!(
            usage(op::convolution(current, &flat, &three, None, &PLAIN, out(&[1, 3, 2, 3]))),
            Usage::OperandRank { operator: "aclnnConvolution", shape: vec![4, 4], rank: 4 }
        );
        assert_eq!(
            usage(op::conv_depthwise2d(current, &a, &three, None, &DepthwiseOptions::default(), out(&[1, 3, 2, 3]))),
            Usage::OperandShape {
                operator: "aclnnConvDepthwise2d",
                first: vec![1, 2, 2, 4],
                expected: vec![3, 1, 1, 2],
                shape: vec![3, 2, 1, 2],
            }
        );
        assert_eq!(
            op::conv_depthwise2d(current, &a, &w(&[3, 1, 2, 2]), None, &DepthwiseOptions::default(), out(&[1, 3, 1, 3]))
                .unwrap_err()
                .to_string(),
            "aclnnConvDepthwise2d: the numbers [2, 3] do not fit an operand of the shape [3, 1, 2, 2]: the weights have one \
             filter or several ones for each channel"
        );
    }

    fn pools_and_resized_images_say_what_does_not_fit() {
        bound!(acl, side, device: D, current);
        let twelve = upload(current, side, &[1.0f32; 12]);
        let a = twelve.tensor(&[1, 3, 4]).unwrap();
        let out = |shape: &[usize]| output::<f32>(current, shape);
        let two = MaxPoolOptions::new([2, 2]);
        assert_eq!(two.output_shape(&[1, 3, 4]).unwrap(), [1, 1, 2]);
        assert_eq!(MaxPoolOptions { ceil_mode: true, ..two }.output_shape(&[5, 1, 3, 4]).unwrap(), [5, 1, 2, 2]);
        assert_eq!(
            usage(op::max_pool(current, &a, &two, out(&[1, 2, 2]))),
            Usage::OutputShape {
                operator: "aclnnMaxPool",
                operand: vec![1, 3, 4],
                expected: vec![1, 1, 2],
                output: vec![1, 2, 2],
            }
        );
        let indices = current.malloc::<i64>(4).unwrap().into_tensor(&[1, 2, 2]).unwrap();
        assert_eq!(
            usage(op::max_pool2d_with_indices(current, &a, &two, out(&[1, 1, 2]), indices)),
            Usage::OutputShape {
                operator: "aclnnMaxPool2dWithIndices",
                operand: vec![1, 3, 4],
                expected: vec![1, 1, 2],
                output: vec![1, 2, 2],
            }
        );
        let wide = AvgPoolOptions { padding: [0, 2], ..AvgPoolOptions::new([3, 3]) };
        assert_eq!(
            op::avg_pool2d(current, &a, &wide, out(&[1, 1, 2])).unwrap_err().to_string(),
            "aclnnAvgPool2d: the numbers [0, 2] do not fit an operand of the shape [1, 3, 4]: padding is at most half of the \
             window"
        );
        assert_eq!(
            wide.output_shape(&[12]).unwrap_err().to_string(),
            "aclnnAvgPool2d: an operand has the shape [12], and the operator takes one of 4 dimensions there: describe it by as \
             many"
        );
        assert_eq!(
            op::im2col(current, &a, &Im2colOptions { stride: [0, 1], ..Im2colOptions::new([2, 2]) }, out(&[4, 6]))
                .unwrap_err()
                .to_string(),
            "aclnnIm2col: the numbers [0, 1] do not fit an operand of the shape [1, 3, 4]: kernels, strides and dilations are \
             at least 1"
        );
        assert_eq!(
            usage(op::im2col(current, &a, &Im2colOptions::new([2, 2]), out(&[4, 5]))),
            Usage::OutputShape {
                operator: "aclnnIm2col",
                operand: vec![1, 3, 4],
                expected: vec![4, 6],
                output: vec![4, 5],
            }
        );
        assert_eq!(
            usage(op::adaptive_avg_pool2d(current, &a, out(&[2, 1, 1]))),
            Usage::OutputShape {
                operator: "aclnnAdaptiveAvgPool2d",
                operand: vec![1, 3, 4],
                expected: vec![1, 1, 1],
                output: vec![2, 1, 1],
            }
        );
        assert_eq!(
            usage(op::upsample_nearest2d(current, &a, out(&[1, 6, 8]))),
            Usage::OperandRank { operator: "aclnnUpsampleNearest2d", shape: vec![1, 3, 4], rank: 4 }
        );
        let a = twelve.tensor(&[1, 1, 3, 4]).unwrap();
        assert_eq!(
            usage(op::upsample_bilinear2d(current, &a, false, (0.0, 0.0), out(&[1, 2, 1, 1]))),
            Usage::OutputShape {
                operator: "aclnnUpsampleBilinear2d",
                operand: vec![1, 1, 3, 4],
                expected: vec![1, 1, 1, 1],
                output: vec![1, 2, 1, 1],
            }
        );
    }
}
