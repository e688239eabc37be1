//! The results of gradients of padding, of other sizes of images and of pooling.

use ascendcl::Npu;
use ascendcl::error::{Misplaced, Usage};
use ascendcl::op::{self, AvgPoolOptions, MaxPoolOptions, VolumeWindow};

use crate::common::{bound, isolated, usage};
use crate::op_table::{download, operators, output, upload};

type D = Npu<0>;

operators! {
    reflection_pad1d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0], [1, 5]; a = [1.0f32, 2.0, 3.0], [1, 3]) => (out = [2.0f32, 9.0, 4.0], [1, 3]):
        |current| op::reflection_pad1d_backward(current, &gradient, &a, [(1, 1)], out);
    replication_pad1d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0], [1, 5]; a = [1.0f32, 2.0, 3.0], [1, 3]) => (out = [3.0f32, 3.0, 9.0], [1, 3]):
        |current| op::replication_pad1d_backward(current, &gradient, &a, [(1, 1)], out);
    reflection_pad2d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [1, 3, 4]; a = [1.0f32, 2.0, 3.0, 4.0], [1, 2, 2]) => (out = [28.0f32, 24.0, 14.0, 12.0], [1, 2, 2]):
        |current| op::reflection_pad2d_backward(current, &gradient, &a, [(1, 1), (0, 1)], out);
    replication_pad2d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [1, 3, 4]; a = [1.0f32, 2.0, 3.0, 4.0], [1, 2, 2]) => (out = [3.0f32, 7.0, 30.0, 38.0], [1, 2, 2]):
        |current| op::replication_pad2d_backward(current, &gradient, &a, [(1, 1), (0, 1)], out);
    reflection_pad3d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0], [1, 3, 3, 4]; a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [1, 2, 2, 2]) => (out = [76.0f32, 72.0, 38.0, 36.0, 152.0, 144.0, 76.0, 72.0], [1, 2, 2, 2]):
        |current| op::reflection_pad3d_backward(current, &gradient, &a, [(1, 1), (0, 1), (1, 0)], out);
    replication_pad3d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0, 18.0, 19.0, 20.0, 21.0, 22.0, 23.0, 24.0, 25.0, 26.0, 27.0, 28.0, 29.0, 30.0, 31.0, 32.0, 33.0, 34.0, 35.0, 36.0], [1, 3, 3, 4]; a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [1, 2, 2, 2]) => (out = [30.0f32, 38.0, 108.0, 124.0, 51.0, 55.0, 126.0, 134.0], [1, 2, 2, 2]):
        |current| op::replication_pad3d_backward(current, &gradient, &a, [(1, 1), (0, 1), (1, 0)], out);
    upsample_nearest1d_backward(gradient = [1.0f32, 2.0, 3.0], [1, 1, 3]) => (out = [3.0f32, 3.0], [1, 1, 2]):
        |current| op::upsample_nearest1d_backward(current, &gradient, 0.0, out);
    upsample_nearest_exact1d_backward(gradient = [1.0f32, 2.0, 3.0], [1, 1, 3]) => (out = [1.0f32, 5.0], [1, 1, 2]):
        |current| op::upsample_nearest_exact1d_backward(current, &gradient, 0.0, out);
    upsample_nearest2d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [1, 1, 3, 3]) => (out = [12.0f32, 9.0, 15.0, 9.0], [1, 1, 2, 2]):
        |current| op::upsample_nearest2d_backward(current, &gradient, (0.0, 0.0), out);
    upsample_nearest_exact2d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [1, 1, 3, 3]) => (out = [1.0f32, 5.0, 11.0, 28.0], [1, 1, 2, 2]):
        |current| op::upsample_nearest_exact2d_backward(current, &gradient, (0.0, 0.0), out);
    upsample_nearest3d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [1, 1, 3, 2, 2]) => (out = [6.0f32, 8.0, 10.0, 12.0, 9.0, 10.0, 11.0, 12.0], [1, 1, 2, 2, 2]):
        |current| op::upsample_nearest3d_backward(current, &gradient, (0.0, 0.0, 0.0), out);
    upsample_nearest_exact3d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [1, 1, 3, 2, 2]) => (out = [1.0f32, 2.0, 3.0, 4.0, 14.0, 16.0, 18.0, 20.0], [1, 1, 2, 2, 2]):
        |current| op::upsample_nearest_exact3d_backward(current, &gradient, (0.0, 0.0, 0.0), out);
    upsample_linear1d_backward(gradient = [1.0f32, 2.0, 3.0], [1, 1, 3]) => (out = [2.0f32, 4.0], [1, 1, 2]):
        |current| op::upsample_linear1d_backward(current, &gradient, false, 0.0, out);
    upsample_bilinear2d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [1, 1, 3, 3]) => (out = [5.25f32, 8.25, 14.25, 17.25], [1, 1, 2, 2]):
        |current| op::upsample_bilinear2d_backward(current, &gradient, false, (0.0, 0.0), out);
    upsample_trilinear3d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0], [1, 1, 3, 2, 2]) => (out = [3.5f32, 5.0, 6.5, 8.0, 11.5, 13.0, 14.5, 16.0], [1, 1, 2, 2, 2]):
        |current| op::upsample_trilinear3d_backward(current, &gradient, false, (0.0, 0.0, 0.0), out);
    upsample_bicubic2d_backward(gradient = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0], [1, 1, 3, 3]) => (out = [4.208333f32, 7.729167, 14.77083, 18.29167], [1, 1, 2, 2]):
        |current| op::upsample_bicubic2d_backward(current, &gradient, false, (0.0, 0.0), out);
    avg_pool2d_backward(gradient = [1.0f32, 2.0], [1, 1, 2]; a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1, 2, 3]) => (out = [0.25f32, 0.75, 0.5, 0.25, 0.75, 0.5], [1, 2, 3]):
        |current| op::avg_pool2d_backward(current, &gradient, &a, &AvgPoolOptions { stride: [1, 1], ..AvgPoolOptions::new([2, 2]) }, out);
    avg_pool3d_backward(gradient = [4.0f32, 8.0], [1, 1, 1, 2]; a = [0.0f32; 6], [1, 1, 2, 3])
        => (out = [1.0f32, 3.0, 2.0, 1.0, 3.0, 2.0], [1, 1, 2, 3]):
        |current| op::avg_pool3d_backward(current, &gradient, &a, &VolumeWindow { stride: [1, 1, 1], ..VolumeWindow::new([1, 2, 2]) }, true, 0, out);
    adaptive_avg_pool2d_backward(gradient = [1.0f32, 2.0], [1, 1, 2]; a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1, 2, 3]) => (out = [0.25f32, 0.75, 0.5, 0.25, 0.75, 0.5], [1, 2, 3]):
        |current| op::adaptive_avg_pool2d_backward(current, &gradient, &a, out);
    adaptive_avg_pool3d_backward(gradient = [1.0f32, 2.0], [1, 1, 1, 2]; a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [1, 1, 2, 3]) => (out = [0.25f32, 0.75, 0.5, 0.25, 0.75, 0.5], [1, 1, 2, 3]):
        |current| op::adaptive_avg_pool3d_backward(current, &gradient, &a, out);
}

isolated! {
    fn gradients_of_the_largest_elements_go_to_their_places() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[0.0f32; 8]);
        let gradient = upload(current, side, &[1.0f32, 2.0]);
        let places = upload(current, side, &[3i32, 3]);
        let out = || current.malloc::<f32>(8).unwrap();

        let index = places.tensor(&[1, 1, 2]).unwrap().indices(current, side, 8).unwrap();
        let options = MaxPoolOptions::new([2, 2]);
        let (x, from) = (a.tensor(&[1, 2, 4]).unwrap(), gradient.tensor(&[1, 1, 2]).unwrap());
        let to = out().into_tensor(&[1, 2, 4]).unwrap();
        let plan = op::max_pool2d_with_indices_backward(current, &from, &x, &index, &options, to).unwrap();
        let sums = plan.run(&mut stream).unwrap();
        assert_eq!(download(current, side, &sums), [0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0]);

        let index = places.tensor(&[2, 1, 1]).unwrap().indices(current, side, 4).unwrap();
        let (x, from) = (a.tensor(&[2, 2, 2]).unwrap(), gradient.tensor(&[2, 1, 1]).unwrap());
        let to = out().into_tensor(&[2, 2, 2]).unwrap();
        let plan = op::adaptive_max_pool2d_backward(current, &from, &x, &index, to).unwrap();
        let sums = plan.run(&mut stream).unwrap();
        assert_eq!(download(current, side, &sums), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0]);

        let index = places.tensor(&[2, 1, 1, 1]).unwrap().indices(current, side, 4).unwrap();
        let (x, from) = (a.tensor(&[2, 1, 2, 2]).unwrap(), gradient.tensor(&[2, 1, 1, 1]).unwrap());
        let to = out().into_tensor(&[2, 1, 2, 2]).unwrap();
        let plan = op::adaptive_max_pool3d_backward(current, &from, &x, &index, to).unwrap();
        let sums = plan.run(&mut stream).unwrap();
        assert_eq!(download(current, side, &sums), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0]);

        let window = VolumeWindow::new([1, 2, 2]);
        let to = out().into_tensor(&[2, 1, 2, 2]).unwrap();
        let plan = op::max_pool3d_with_argmax_backward(current, &from, &x, &index, &window, to).unwrap();
        let sums = plan.run(&mut stream).unwrap();
        assert_eq!(download(current, side, &sums), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0]);
        let window = VolumeWindow { padding: [1, 0, 0], ..window };
        let to = out().into_tensor(&[2, 1, 2, 2]).unwrap();
        assert_eq!(
            usage(op::max_pool3d_with_argmax_backward(current, &from, &x, &index, &window, to)),
            Usage::Numbers {
                operator: "aclnnMaxPool3dWithArgmaxBackward",
                numbers: vec![1, 0, 0],
                shape: vec![2, 1, 2, 2],
                rule: "padding is not negative, and at most half of the window",
            }
        );

        // The indices were compared with more elements than an image has.
        let wide = places.tensor(&[2, 1, 1]).unwrap().indices(current, side, 5).unwrap();
        let (x, from) = (a.tensor(&[2, 2, 2]).unwrap(), gradient.tensor(&[2, 1, 1]).unwrap());
        let to = || out().into_tensor(&[2, 2, 2]).unwrap();
        assert!(op::adaptive_max_pool2d_backward(current, &from, &x, &wide, to()).is_err());
    }

    fn shapes_of_gradients_fit_the_operand() {
        bound!(acl, side, device: D, current);
        let numbers = upload(current, side, &[0.0f32; 8]);
        let tensor = |shape: &[usize]| numbers.slice(0..shape.iter().product()).unwrap();
        let (a, gradient) = (tensor(&[2, 3]), tensor(&[2, 4]));
        let (a, gradient) = (a.tensor(&[2, 3]).unwrap(), gradient.tensor(&[2, 4]).unwrap());
        let out = |shape: &[usize]| output::<f32>(current, shape);
        assert_eq!(
            usage(op::reflection_pad1d_backward(current, &gradient, &a, [(1, 1)], out(&[2, 3]))),
            Usage::OperandShape {
                operator: "aclnnReflectionPad1dBackward",
                first: vec![2, 3],
                expected: vec![2, 5],
                shape: vec![2, 4],
            }
        );
        assert!(op::reflection_pad1d_backward(current, &gradient, &a, [(3, 0)], out(&[2, 3])).is_err());
        assert!(op::replication_pad1d_backward(current, &gradient, &a, [(usize::MAX, 0)], out(&[2, 3])).is_err());
        assert!(op::reflection_pad2d_backward(current, &gradient, &a, [(1, 0), (0, 0)], out(&[2, 3])).is_err());
        assert_eq!(
            usage(op::replication_pad1d_backward(current, &gradient, &a, [(1, 0)], out(&[2, 4]))),
            Usage::OutputShape {
                operator: "aclnnReplicationPad1dBackward",
                operand: vec![2, 3],
                expected: vec![2, 3],
                output: vec![2, 4],
            }
        );
        let nothing = numbers.slice(0..0).unwrap();
        let nothing = nothing.tensor(&[1, 1, 0]).unwrap();
        assert_eq!(
            usage(op::upsample_nearest1d_backward(current, &nothing, 0.0, out(&[1, 1, 2]))),
            Usage::from(Misplaced::NoElements {
                operator: "aclnnUpsampleNearest1dBackward",
                shape: vec![1, 1, 0],
            })
        );
    }
}
