//! The results of numbers at places of images, of norms of sums, and of fused quantizations.

use ascendcl::Npu;
use ascendcl::error::Usage;
use ascendcl::op;
use half::f16;

use crate::common::{bound, isolated, usage};
use crate::op_table::{assert_near, download, in_place, operators, upload};

type D = Npu<0>;

operators! {
    grid_sampler2d(a = [1.0f32, 2.0, 3.0, 4.0], [1, 1, 2, 2]; grid = [0.0f32, 0.0, -1.0, 1.0, 0.5, -0.5, 1.5, 0.0], [1, 2, 2, 2])
        => (out = [2.5f32, 3.0, 2.25, 2.25], [1, 1, 2, 2]):
        |current| op::grid_sampler2d(current, &a, &grid, 0, 0, true, out);
    grid_sampler3d(a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [1, 1, 2, 2, 2]; grid = [0.0f32, 0.0, 0.0, 1.0, -1.0, 0.5], [1, 1, 1, 2, 3])
        => (out = [4.5f32, 5.0], [1, 1, 1, 1, 2]):
        |current| op::grid_sampler3d(current, &a, &grid, 0, 0, true, out);
    instance_norm(a = [1.0f32, 2.0, 3.0, 5.0, -1.0, 0.0, 2.0, 2.0], [1, 2, 2, 2]; gamma = [1.5f32, 0.5], [2]; beta = [0.25f32, -1.0], [2])
        => (out = [-1.351235f32, -0.4362436, 0.4787479, 2.3087307, -1.591608, -1.2535463, -0.5774229, -0.5774229], [1, 2, 2, 2]; mean = [2.75f32, 0.75], [1, 2, 1, 1]; variance = [2.1875f32, 1.6875], [1, 2, 1, 1]):
        |current| op::instance_norm(current, &a, &gamma, &beta, 0.5, out, mean, variance);
    deep_norm(a = [1.0f32, 2.0, 4.0, 3.0, -1.0, 0.5], [2, 3]; b = [0.5f32, 1.0, -1.0, 2.0, 0.0, 1.0], [2, 3]; beta = [0.0f32, 1.0, -1.0], [3]; gamma = [1.5f32, 0.5, 1.0], [3])
        => (mean = [1.3333333f32, 1.4166667], [2, 1]; r = [1.4552138f32, 0.5841509], [2, 1]; out = [-0.7276069f32, 1.4850713, -1.4850713, 1.8254714, 0.4401888, -1.0973585], [2, 3]):
        |current| op::deep_norm(current, &a, &b, &beta, &gamma, 0.5, 0.25, mean, r, out);
    dequant_swiglu_quant(x = [10i32, -20, 30, 5, 40, -15, 1, 2, 3, 4, 5, 6], [2, 6]; scale = [0.1f32, 0.2, 0.1, 0.5, 0.05, 0.1], [6]; rows = [0.5f32, 2.0], [2, 1])
        => (y = [54i8, -33, -127, 120, 75, 127], [2, 3]; of_rows = [0.0072423f32, 0.0036604], [2]):
        |current| op::dequant_swiglu_quant(current, &x, &scale, Some(&rows), None, None, true, y, of_rows);
    diag(a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]) => (out = [2.0f32, 6.0], [2]):
        |current| op::diag(current, &a, 1, out);
    diag_of_a_vector(a = [1i32, 2], [2]) => (out = [0i32, 0, 0, 1, 0, 0, 0, 2, 0], [3, 3]):
        |current| op::diag(current, &a, -1, out);
    trace(a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]) => (out = [6.0f32], []):
        |current| op::trace(current, &a, out);
    linalg_cross(a = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0], [2, 3]; b = [0.0f32, 1.0, 2.0, 1.0, 0.0, -1.0], [2, 3])
        => (out = [1.0f32, -2.0, 1.0, -5.0, 10.0, -5.0], [2, 3]):
        |current| op::linalg_cross(current, &a, &b, -1, out);
    cdist(a = [1.0f32, 2.0, 3.0, 4.0], [2, 2]; b = [0.0f32, 0.0, 1.0, 1.0, 4.0, 6.0], [3, 2]) => (out = [3.0f32, 1.0, 7.0, 7.0, 5.0, 3.0], [2, 3]):
        |current| op::cdist(current, &a, &b, 1.0, out);
    renorm(a = [1.0f32, 2.0, 2.0, 3.0, 0.0, 4.0], [2, 3]) => (out = [1.0f32, 2.0, 2.0, 2.4, 0.0, 3.2], [2, 3]):
        |current| op::renorm(current, &a, 2.0, 0, 4.0, out);
    var_correction(a = [1.0f32, 2.0, 4.0, 3.0, -1.0, 0.5], [2, 3]) => (out = [2.333333f32, 4.083333], [2, 1]):
        |current| op::var_correction(current, &a, &[1], 1, true, out);
    group_norm_swish(a = [1.0f32, 2.0, 3.0, 5.0, -1.0, 0.0, 2.0, 2.0], [1, 4, 2]; gamma = [1.5f32, 0.5, 1.0, 2.0], [4]; beta = [0.25f32, -1.0, 0.0, 1.0], [4])
        => (out = [-0.0848951f32, -0.1285771, -0.1257839, -0.1092107, -0.1014827, -0.1349686, 2.677976, 2.677976], [1, 4, 2]; mean = [2.75f32, 0.75], [1, 2]; r = [0.6099943f32, 0.6761234], [1, 2]):
        |current| op::group_norm_swish(current, &a, &gamma, &beta, 2, 0.5, true, 2.0, out, mean, r);
}

in_place! {
    inplace_renorm(a = [1.0f32, 2.0, 2.0, 3.0, 0.0, 4.0], [2, 3]) => [1.0f32, 2.0, 2.0, 2.4, 0.0, 3.2]:
        |current| op::inplace_renorm(current, a, 2.0, 0, 4.0);
}

isolated! {
    fn groups_of_rows_have_scales_of_their_own() {
        bound!(acl, side, device: D, current, stream);
        let numbers = upload(current, side, &[1.0f32, -2.0, 3.0, 0.5, 4.0, -1.5, 1.0, 2.0]);
        let (factors, ends) = (upload(current, side, &[0.5f32, 2.0, 1.0, 1.0]), upload(current, side, &[1i32, 2]));
        let (x, smooth) = (numbers.tensor(&[2, 4]).unwrap(), factors.tensor(&[2, 2]).unwrap());
        let out = || (current.malloc::<i8>(4).unwrap().into_tensor(&[2, 2]).unwrap(), current.malloc::<f32>(2).unwrap().into_tensor(&[2]).unwrap());
        let groups = ends.tensor(&[2]).unwrap().indices(current, side, 3).unwrap();
        let (y, scale) = out();
        let plan = op::swi_glu_quant(current, &x, &smooth, &groups, true, y, scale).unwrap();
        let (bytes, scales) = plan.run(&mut stream).unwrap();
        assert_near(&download(current, side, &bytes), &[127i8, -28, 127, -18]);
        assert_near(&download(current, side, &scales), &[0.0086346, 0.0309296]);
        let beyond = ends.tensor(&[2]).unwrap().indices(current, side, 4).unwrap();
        let (y, scale) = out();
        assert_eq!(
            usage(op::swi_glu_quant(current, &x, &smooth, &beyond, true, y, scale)),
            Usage::IndexBound { operator: "aclnnSwiGluQuant", below: 4, size: 3 }
        );
    }

    fn boxes_have_numbers_of_their_images() {
        bound!(acl, side, device: D, current, stream);
        let numbers: Vec<f32> = (0..16_u8).map(f32::from).collect();
        let (image, boxes) = (upload(current, side, &numbers), upload(current, side, &[0.5f32, 1.0, 2.5, 3.0]));
        let (image, boxes) = (image.tensor(&[1, 1, 4, 4]).unwrap(), boxes.tensor(&[1, 4]).unwrap());
        let words = upload(current, side, &[0i32]);
        let batch = words.tensor(&[1]).unwrap().indices(current, side, 1).unwrap();
        let out = |shape: &[usize]| current.malloc::<f32>(shape.iter().product()).unwrap().into_tensor(shape).unwrap();
        let plan = op::roi_align(current, &image, &boxes, &batch, 2, 1.0, out(&[1, 1, 2, 2])).unwrap();
        assert_near(&download(current, side, &plan.run(&mut stream).unwrap()), &[7.0, 8.0, 11.0, 12.0]);
        let beyond = words.tensor(&[1]).unwrap().indices(current, side, 2).unwrap();
        assert_eq!(
            usage(op::roi_align(current, &image, &boxes, &beyond, 2, 1.0, out(&[1, 1, 2, 2]))),
            Usage::IndexBound { operator: "aclnnRoiAlign", below: 2, size: 1 }
        );
        assert_eq!(
            usage(op::roi_align(current, &image, &boxes, &batch, 2, 1.0, out(&[1, 2, 2, 2]))),
            Usage::OutputShape { operator: "aclnnRoiAlign", operand: vec![1, 1, 4, 4], expected: vec![1, 1, 2, 2], output: vec![1, 2, 2, 2] }
        );
        let refused = op::roi_align(current, &image, &boxes, &batch, 2, 0.0, out(&[1, 1, 2, 2])).unwrap_err();
        assert_eq!(refused.code(), Some(161_002));
    }

    fn a_grid_fits_its_images() {
        bound!(acl, side, device: D, current);
        let ones = upload(current, side, &[1.0f32; 8]);
        let image = ones.tensor(&[1, 2, 2, 2]).unwrap();
        let out = || current.malloc::<f32>(4).unwrap().into_tensor(&[1, 2, 1, 2]).unwrap();
        let grid = |shape: &[usize]| ones.slice(0..shape.iter().product()).unwrap().tensor(shape).unwrap();
        let narrow = grid(&[1, 2, 2, 1]);
        assert_eq!(
            usage(op::grid_sampler2d(current, &image, &narrow, 0, 0, true, out())),
            Usage::OperandShape { operator: "aclnnGridSampler2D", first: vec![1, 2, 2, 2], expected: vec![1, 2, 2, 2], shape: vec![1, 2, 2, 1] }
        );
        let wide = grid(&[1, 2, 2, 2]);
        assert_eq!(
            usage(op::grid_sampler2d(current, &image, &wide, 0, 0, true, out())),
            Usage::OutputShape { operator: "aclnnGridSampler2D", operand: vec![1, 2, 2, 2], expected: vec![1, 2, 2, 2], output: vec![1, 2, 1, 2] }
        );
        assert_eq!(
            op::grid_sampler2d(current, &image, &wide, 3, 0, true, out()).unwrap_err().to_string(),
            "aclnnGridSampler2D: the numbers [3, 0] do not fit an operand of the shape [1, 2, 2, 2]: no image is without elements, and a way and ends have one of the numbers of C"
        );
    }

    fn shapes_of_rows_fit_each_other() {
        bound!(acl, side, device: D, current);
        let a = upload(current, side, &[1.0f32; 6]);
        let (a, b) = (a.tensor(&[2, 3]).unwrap(), a.tensor(&[3, 2]).unwrap());
        let out = |shape: &[usize]| current.malloc::<f32>(shape.iter().product()).unwrap().into_tensor(shape).unwrap();
        assert_eq!(
            usage(op::cdist(current, &a, &b, 2.0, out(&[2, 3]))),
            Usage::OperandShape { operator: "aclnnCdist", first: vec![2, 3], expected: vec![3, 3], shape: vec![3, 2] }
        );
        assert_eq!(
            usage(op::diag(current, &a, 1, out(&[3]))),
            Usage::OutputShape { operator: "aclnnDiag", operand: vec![2, 3], expected: vec![2], output: vec![3] }
        );
        assert_eq!(
            op::linalg_cross(current, &b, &b, 1, out(&[3, 2])).unwrap_err().to_string(),
            "aclnnLinalgCross: the numbers [2] do not fit an operand of the shape [3, 2]: three numbers in the dimension"
        );
        let refused = op::renorm(current, &a, 0.0, 0, 1.0, out(&[2, 3])).unwrap_err();
        assert_eq!(refused.code(), Some(161_002));
    }

    fn rows_of_experts_come_back_to_their_tokens() {
        bound!(acl, side, device: D, current, stream);
        let expanded = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        let expanded = expanded.tensor(&[4, 2]).unwrap();
        // The first choices of both tokens, and their second ones.
        let words = upload(current, side, &[2i32, 0, 1, 3]);
        let rows = words.tensor(&[4]).unwrap().indices(current, side, 4).unwrap();
        let (added, scales) = (upload(current, side, &[10.0f32, 20.0, 30.0, 40.0]), upload(current, side, &[0.5f32, 1.0, 2.0, 0.25]));
        let (added, scales) = (added.tensor(&[2, 2]).unwrap(), scales.tensor(&[2, 2]).unwrap());
        let out = || current.malloc::<f32>(4).unwrap().into_tensor(&[2, 2]).unwrap();
        let plan = op::moe_finalize_routing_v2(current, &expanded, &rows, Some(&added), None, Some(&scales), out()).unwrap();
        assert_near(&download(current, side, &plan.run(&mut stream).unwrap()), &[15.5, 27.0, 33.75, 46.0]);
        let beyond = words.tensor(&[4]).unwrap().indices(current, side, 5).unwrap();
        assert_eq!(
            usage(op::moe_finalize_routing_v2(current, &expanded, &beyond, Some(&added), None, Some(&scales), out())),
            Usage::IndexBound { operator: "aclnnMoeFinalizeRoutingV2", below: 5, size: 4 }
        );
    }

    fn rows_have_scales_and_offsets_of_their_own() {
        bound!(acl, side, device: D, current, stream);
        let x = upload(current, side, &[1.0f32, -2.0, 4.0, 0.5, 0.25, -0.75].map(f16::from_f32));
        let x = x.tensor(&[2, 3]).unwrap();
        let bytes = || current.malloc::<i8>(6).unwrap().into_tensor(&[2, 3]).unwrap();
        let of_rows = || current.malloc::<f32>(2).unwrap().into_tensor(&[2]).unwrap();
        let plan = op::dynamic_quant_v2(current, &x, None, bytes(), of_rows(), Some(of_rows())).unwrap();
        let (y, scale, offset) = plan.run(&mut stream).unwrap();
        assert_eq!(download(current, side, &y), [0, -128, 127, 127, 76, -128]);
        assert_near(&download(current, side, &scale), &[0.0235294, 0.004902]);
        assert_near(&download(current, side, &offset.unwrap()), &[-43.0, 25.0]);
        let plan = op::dynamic_quant_v2(current, &x, None, bytes(), of_rows(), ()).unwrap();
        let (y, scale, ()) = plan.run(&mut stream).unwrap();
        assert_eq!(download(current, side, &y), [32, -64, 127, 85, 42, -127]);
        assert_near(&download(current, side, &scale), &[4.0 / 127.0, 0.75 / 127.0]);
    }
}
