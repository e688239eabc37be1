//! Gradients of padding, of other sizes of images and of pooling.

/// Adds operators to those of [`operators!`](crate::operators), and hands them on.
#[doc(hidden)]
#[macro_export]
macro_rules! operators_of_spreads {
    ($callback:path [$($context:tt)*] { $($before:tt)* }) => {
        $crate::operators_of_losses! { $callback [$($context)*] {
            $($before)*
            /// The gradient of padding by reflection in one dimension.
            operator aclnnReflectionPad1dBackward, aclnnReflectionPad1dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, padding: int_array, gradInput: out_tensor) in "aclnn_reflection_pad1d_backward.h";
            /// The gradient of padding by reflection in two dimensions.
            operator aclnnReflectionPad2dBackward, aclnnReflectionPad2dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, padding: int_array, gradInput: out_tensor) in "aclnn_reflection_pad2d_backward.h";
            /// The gradient of padding by reflection in three dimensions.
            operator aclnnReflectionPad3dBackward, aclnnReflectionPad3dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, padding: int_array, gradInput: out_tensor) in "aclnn_reflection_pad3d_backward.h";
            /// The gradient of padding by the elements at the ends in one dimension.
            operator aclnnReplicationPad1dBackward, aclnnReplicationPad1dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, padding: int_array, gradInput: out_tensor) in "aclnn_replication_pad1d_backward.h";
            /// The gradient of padding by the elements at the ends in two dimensions.
            operator aclnnReplicationPad2dBackward, aclnnReplicationPad2dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, padding: int_array, gradInput: out_tensor) in "aclnn_replication_pad2d_backward.h";
            /// The gradient of padding by the elements at the ends in three dimensions.
            operator aclnnReplicationPad3dBackward, aclnnReplicationPad3dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, padding: int_array, gradInput: out_tensor) in "aclnn_replication_pad3d_backward.h";
            /// The gradient of lines of another size, of the nearest elements.
            operator aclnnUpsampleNearest1dBackward, aclnnUpsampleNearest1dBackwardGetWorkspaceSize(gradOut: tensor, outputSize: int_array, inputSize: int_array, scales: f64, out: out_tensor) in "aclnn_upsample_nearest_1d_backward.h";
            /// The gradient of images of another size, of the nearest elements.
            operator aclnnUpsampleNearest2dBackward, aclnnUpsampleNearest2dBackwardGetWorkspaceSize(gradOut: tensor, outputSize: int_array, inputSize: int_array, scalesH: f64, scalesW: f64, gradInput: out_tensor) in "aclnn_upsample_nearest_2d_backward.h";
            /// The gradient of volumes of another size, of the nearest elements.
            operator aclnnUpsampleNearest3dBackward, aclnnUpsampleNearest3dBackwardGetWorkspaceSize(gradOut: tensor, outputSize: int_array, inputSize: int_array, scalesD: f64, scalesH: f64, scalesW: f64, gradInput: out_tensor) in "aclnn_upsample_nearest_3d_backward.h";
            /// The gradient of lines of another size, of the elements nearest to the centers.
            operator aclnnUpsampleNearestExact1dBackward, aclnnUpsampleNearestExact1dBackwardGetWorkspaceSize(gradOutput: tensor, outputSize: int_array, inputSize: int_array, scales: f64, out: out_tensor) in "aclnn_upsample_nearest_exact1d_backward.h";
            /// The gradient of images of another size, of the elements nearest to the centers.
            operator aclnnUpsampleNearestExact2dBackward, aclnnUpsampleNearestExact2dBackwardGetWorkspaceSize(gradOutput: tensor, outputSize: int_array, inputSize: int_array, scalesH: f64, scalesW: f64, out: out_tensor) in "aclnn_upsample_nearest_exact2d_backward.h";
            /// The gradient of volumes of another size, of the elements nearest to the centers.
            operator aclnnUpsampleNearestExact3dBackward, aclnnUpsampleNearestExact3dBackwardGetWorkspaceSize(gradOut: tensor, outputSize: int_array, inputSize: int_array, scalesD: f64, scalesH: f64, scalesW: f64, gradInput: out_tensor) in "aclnn_upsample_nearest_exact3d_backward.h";
            /// The gradient of lines of another size, by linear interpolation.
            operator aclnnUpsampleLinear1dBackward, aclnnUpsampleLinear1dBackwardGetWorkspaceSize(gradOut: tensor, outputSize: int_array, inputSize: int_array, alignCorners: bool, scales: f64, out: out_tensor) in "aclnn_upsample_linear_1d_backward.h";
            /// The gradient of images of another size, by linear interpolation.
            operator aclnnUpsampleBilinear2dBackward, aclnnUpsampleBilinear2dBackwardGetWorkspaceSize(gradOut: tensor, outputSize: int_array, inputSize: int_array, alignCorners: bool, scalesH: f64, scalesW: f64, out: out_tensor) in "aclnn_upsample_bilinear_2d_backward.h";
            /// The gradient of volumes of another size, by linear interpolation.
            operator aclnnUpsampleTrilinear3dBackward, aclnnUpsampleTrilinear3dBackwardGetWorkspaceSize(gradOut: tensor, outputSize: int_array, inputSize: int_array, alignCorners: bool, scalesD: f64, scalesH: f64, scalesW: f64, gradInput: out_tensor) in "aclnn_upsample_trilinear_3d_backward.h";
            /// The gradient of images of another size, by cubic interpolation.
            operator aclnnUpsampleBicubic2dBackward, aclnnUpsampleBicubic2dBackwardGetWorkspaceSize(gradOut: tensor, outputSize: int_array, inputSize: int_array, alignCorners: bool, scalesH: f64, scalesW: f64, gradInput: out_tensor) in "aclnn_upsample_bicubic_2d_backward.h";
            /// The gradient of the means under a window.
            operator aclnnAvgPool2dBackward, aclnnAvgPool2dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, kernelSize: int_array, stride: int_array, padding: int_array, ceilMode: bool, countIncludePad: bool, divisorOverride: i64, cubeMathType: i8, gradInput: out_tensor) in "aclnn_avgpool2d_backward.h";
            /// The gradient of the means under a window of three dimensions.
            operator aclnnAvgPool3dBackward, aclnnAvgPool3dBackwardGetWorkspaceSize(gradOuput: tensor, self_: tensor, kernelSize: int_array, stride: int_array, padding: int_array, ceilMode: bool, countIncludePad: bool, divisorOverride: i64, output: out_tensor) in "aclnn_avgpool3d_backward.h";
            /// The gradient of the means of as many blocks as the result has elements.
            operator aclnnAdaptiveAvgPool2dBackward, aclnnAdaptiveAvgPool2dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, out: out_tensor) in "aclnn_adaptive_avg_pool2d_backward.h";
            /// The gradient of the means of as many blocks of three dimensions as the result has elements.
            operator aclnnAdaptiveAvgPool3dBackward, aclnnAdaptiveAvgPool3dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, out: out_tensor) in "aclnn_adaptive_avg_pool3d_backward.h";
            /// The gradient of the largest elements under a window.
            operator aclnnMaxPool2dWithIndicesBackward, aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, indices: tensor, kernelSize: int_array, stride: int_array, padding: int_array, dilation: int_array, ceilMode: bool, gradInput: out_tensor) in "aclnn_max_pool2d_with_indices_backward.h";
            /// The gradient of the largest elements under a window of three dimensions.
            operator aclnnMaxPool3dWithArgmaxBackward, aclnnMaxPool3dWithArgmaxBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, indices: tensor, kernelSize: int_array, stride: int_array, padding: int_array, dilation: int_array, ceilMode: bool, gradInput: out_tensor) in "aclnn_max_pool3d_with_argmax_backward.h";
            /// The gradient of the largest elements of as many blocks as the result has elements.
            operator aclnnAdaptiveMaxPool2dBackward, aclnnAdaptiveMaxPool2dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, indices: tensor, gradInput: out_tensor) in "aclnn_adaptive_max_pool2d_backward.h";
            /// The gradient of the largest elements of as many blocks of three dimensions as the result has elements.
            operator aclnnAdaptiveMaxPool3dBackward, aclnnAdaptiveMaxPool3dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, indices: tensor, gradInput: out_tensor) in "aclnn_adaptive_max_pool3d_backward.h";
            /// The gradient of images that go on at their ends from the other side.
            #[newer]
            operator aclnnCircularPad2dBackward, aclnnCircularPad2dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, padding: int_array, gradInput: out_tensor) in "aclnn_circular_pad2d_backward.h";
            /// The gradient of volumes that go on at their ends from the other side.
            #[newer]
            operator aclnnCircularPad3dBackward, aclnnCircularPad3dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, padding: int_array, gradInput: out_tensor) in "aclnn_circular_pad3d_backward.h";
            /// The gradient of images of another size, by linear interpolation.
            #[newer]
            operator aclnnUpsampleBilinear2dBackwardV2, aclnnUpsampleBilinear2dBackwardV2GetWorkspaceSize(gradOut: tensor, outputSize: int_array, inputSize: int_array, alignCorners: bool, scalesH: f64, scalesW: f64, out: out_tensor) in "aclnn_upsample_bilinear_2d_backward_v2.h";
            /// The gradient of elements that were put at places of an image.
            operator aclnnMaxUnpool2dBackward, aclnnMaxUnpool2dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, indices: tensor, outputSize: int_array, out: out_tensor) in "aclnn_max_unpool2d_backward.h";
            /// The gradient of elements that were put at places of a volume.
            operator aclnnMaxUnpool3dBackward, aclnnMaxUnpool3dBackwardGetWorkspaceSize(gradOutput: tensor, self_: tensor, indices: tensor, outputSize: int_array, stride: int_array, padding: int_array, out: out_tensor) in "aclnn_max_unpool3d_backward.h";
            /// Gradient of columns.
            operator aclnnIm2colBackward, aclnnIm2colBackwardGetWorkspaceSize(gradOutput: tensor, inputSize: int_array, kernelSize: int_array, dilation: int_array, padding: int_array, stride: int_array, out: out_tensor) in "aclnn_im2col_backward.h";
        } }
    };
}
