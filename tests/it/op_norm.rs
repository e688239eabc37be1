//! Normalisations with figures that may be left out, cross entropy, and triangular systems.

use ascendcl::Npu;
use ascendcl::error::{Misplaced, Usage};
use ascendcl::op;

use crate::common::{bound, isolated, usage};
use crate::op_table::{assert_near, download, operators, output, upload};

type D = Npu<0>;

operators! {
    group_norm(a = [1.0f32, 3.0, 0.0, 0.0, 2.0, 6.0, 5.0, 5.0], [1, 4, 2]; gamma = [1.0, 2.0, 1.0, 1.0], [4]; beta = [0.0, 0.0, 1.0, 2.0], [4])
        => (
            out = [0.0f32, 1.632_993_2, -1.632_993_2, -1.632_993_2, -0.666_666_7, 2.0, 2.333_333_3, 2.333_333_3], [1, 4, 2];
            mean = [1.0f32, 4.5], [1, 2]; r = [0.816_496_6f32, 0.666_666_7], [1, 2]
        ):
        |current| op::group_norm(current, &a, Some(&gamma), Some(&beta), 2, 1e-12, out, mean, r);
}

isolated! {
    fn layers_are_normalised_with_and_without_figures() {
        bound!(acl, side, device: D, current, stream);
        let buf = upload(current, side, &[1.0f32, 3.0, 2.0, 6.0]);
        let a = buf.tensor(&[2, 2]).unwrap();
        let (weight, bias) = (upload(current, side, &[1.0f32, 2.0]), upload(current, side, &[0.0f32, 1.0]));
        let (weight, bias) = (weight.tensor(&[2]).unwrap(), bias.tensor(&[2]).unwrap());
        let room = |shape: &[usize]| output::<f32>(current, shape);
        let plan = op::layer_norm(current, &a, &[2], Some(&weight), Some(&bias), 0.0, room(&[2, 2]), (), ());
        let (out, (), ()) = plan.unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &out), &[-1.0, 3.0, -1.0, 3.0]);
        let (mean, r) = (Some(room(&[2, 1])), Some(room(&[2, 1])));
        let plan = op::layer_norm(current, &a, &[2], None, Some(&bias), 0.0, room(&[2, 2]), mean, r);
        let (out, mean, r) = plan.unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &out), &[-1.0, 2.0, -1.0, 2.0]);
        assert_near(&download(current, side, &mean.unwrap()), &[2.0, 4.0]);
        assert_near(&download(current, side, &r.unwrap()), &[1.0, 0.5]);
        // Over both dimensions, the figures in memory that was lent.
        let mut lent = upload(current, side, &[0.0f32]);
        let mean = Some(lent.tensor_mut(&[1, 1]).unwrap());
        let plan = op::layer_norm(current, &a, &[2, 2], None, None, 0.0, room(&[2, 2]), mean, ());
        let (out, Some(()), ()) = plan.unwrap().run(&mut stream).unwrap() else {
            panic!("the mean was written");
        };
        assert_near(&download(current, side, &out), &[-1.069_045, 0.0, -0.534_522_5, 1.603_567_5]);
        assert_near(&download(current, side, &lent), &[3.0]);

        let queued = stream.adopt(buf);
        let a = queued.tensor(&[2, 2]).unwrap();
        let out = stream.malloc::<f32>(4).unwrap().into_tensor(&[2, 2]).unwrap();
        let mean = stream.malloc::<f32>(2).unwrap().into_tensor(&[2, 1]).unwrap();
        let plan = op::layer_norm(current, &a, &[2], None, None, 0.0, out, Some(mean), ()).unwrap();
        let (out, mean, ()) = plan.launch(&mut stream).unwrap().into_output();
        let idle = stream.synchronize().unwrap();
        assert_near(&download(current, side, &idle.take(out)), &[-1.0, 1.0, -1.0, 1.0]);
        assert_near(&download(current, side, &idle.take(mean.unwrap())), &[2.0, 4.0]);
    }

    fn channels_are_normalised_in_training_and_inference() {
        bound!(acl, side, device: D, current, stream);
        // Two batches of two channels with one element each: [1, 10] and [3, 14].
        let a = upload(current, side, &[1.0f32, 10.0, 3.0, 14.0]);
        let a = a.tensor(&[2, 2, 1]).unwrap();
        let weight = upload(current, side, &[1.0f32, 3.0]);
        let weight = weight.tensor(&[2]).unwrap();
        let room = |len, shape: &[usize]| current.malloc::<f32>(len).unwrap().into_tensor(shape).unwrap();
        let mut running = upload(current, side, &[0.0f32, 2.0]);
        let mut variances = upload(current, side, &[1.0f32, 1.0]);
        let changed = Some(running.tensor_mut(&[2]).unwrap());
        let changed_variances = Some(variances.tensor_mut(&[2]).unwrap());
        let plan = op::batch_norm(
            current, &a, Some(&weight), None, changed, changed_variances, 0.5, 0.0,
            room(4, &[2, 2, 1]), room(2, &[2]), room(2, &[2]),
        );
        let (Some(()), Some(()), out, mean, variance) = plan.unwrap().run(&mut stream).unwrap() else {
            panic!("both running figures were changed");
        };
        assert_near(&download(current, side, &out), &[-1.0, -3.0, 1.0, 3.0]);
        assert_near(&download(current, side, &mean), &[2.0, 12.0]);
        assert_near(&download(current, side, &variance), &[1.0, 4.0]);
        assert_near(&download(current, side, &running), &[1.0, 7.0]);
        // The running variance takes that of a sample: 2 and 8.
        assert_near(&download(current, side, &variances), &[1.5, 4.5]);
        let plan = op::batch_norm(
            current, &a, None, None, (), (), 0.5, 0.0, room(4, &[2, 2, 1]), room(2, &[2]), room(2, &[2]),
        );
        let ((), (), out, ..) = plan.unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &out), &[-1.0, -1.0, 1.0, 1.0]);

        let (mut saved, mut saved_variance) = (upload(current, side, &[5.0f32; 2]), upload(current, side, &[6.0f32; 2]));
        let (mean, variance) = (running.tensor(&[2]).unwrap(), variance.tensor(&[2]).unwrap());
        let plan = op::batch_norm_inference(
            current, &a, None, Some(&weight), Some(&mean), Some(&variance), 0.0, room(4, &[2, 2, 1]),
            saved.tensor_mut(&[2]).unwrap(), saved_variance.tensor_mut(&[2]).unwrap(),
        );
        let (out, (), ()) = plan.unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &out), &[1.0, 4.5, 3.0, 6.5]);
        assert_eq!(download(current, side, &saved), [5.0; 2]);
    }

    fn triangular_systems_are_solved() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[2.0f64, 1.0, 7.0, 4.0]);
        let a = a.tensor(&[2, 2]).unwrap();
        let b = upload(current, side, &[4.0f64, 8.0]);
        let b = b.tensor(&[2, 1]).unwrap();
        let mut matrix = upload(current, side, &[0.0f64; 4]);
        let mut solved = |upper, transpose, unit| {
            let x = current.malloc::<f64>(2).unwrap().into_tensor(&[2, 1]).unwrap();
            let matrix = matrix.tensor_mut(&[2, 2]).unwrap();
            let plan = op::triangular_solve(current, &b, &a, upper, transpose, unit, x, matrix).unwrap();
            let (x, ()) = plan.run(&mut stream).unwrap();
            download(current, side, &x)
        };
        assert_eq!(solved(true, false, false), [1.0, 2.0]);
        assert_eq!(solved(false, false, false), [2.0, -1.5]);
        assert_eq!(solved(true, true, false), [2.0, 1.5]);
        assert_eq!(solved(true, false, true), [-4.0, 8.0]);
    }

    fn shapes_of_normalisations_are_named_with_the_operator() {
        bound!(acl, side, device: D, current);
        let six = upload(current, side, &[0.0f32; 6]);
        let (a, v) = (six.tensor(&[2, 3]).unwrap(), six.tensor(&[6]).unwrap());
        let out = |shape: &[usize]| output::<f32>(current, shape);
        assert_eq!(
            op::layer_norm(current, &a, &[2], None, None, 1e-5, out(&[2, 3]), (), ()).unwrap_err().to_string(),
            "aclnnLayerNorm: the numbers [2] do not fit an operand of the shape [2, 3]: the sizes of the last dimensions, at \
             least one"
        );
        assert!(matches!(
            usage(op::layer_norm(current, &a, &[], None, None, 1e-5, out(&[2, 3]), (), ())),
            Usage::Numbers { .. }
        ));
        assert_eq!(
            usage(op::layer_norm(current, &a, &[3], None, Some(&v), 1e-5, out(&[2, 3]), (), ())),
            Usage::OperandShape { operator: "aclnnLayerNorm", first: vec![2, 3], expected: vec![3], shape: vec![6] }
        );
        let figure = Usage::OutputShape {
            operator: "aclnnLayerNorm",
            operand: vec![2, 3],
            expected: vec![2, 1],
            output: vec![2],
        };
        assert_eq!(usage(op::layer_norm(current, &a, &[3], None, None, 1e-5, out(&[2, 3]), Some(out(&[2])), ())), figure);
        assert_eq!(usage(op::layer_norm(current, &a, &[3], None, None, 1e-5, out(&[2, 3]), (), Some(out(&[2])))), figure);
        let groups = |groups| op::group_norm(current, &a, None, None, groups, 1e-5, out(&[2, 3]), out(&[2, 3]), out(&[2, 3]));
        for wrong in [0, 2, usize::MAX] {
            assert!(matches!(usage(groups(wrong)), Usage::Numbers { operator: "aclnnGroupNorm", .. }), "{wrong}");
        }
        assert_eq!(
            usage(groups(1)),
            Usage::OutputShape { operator: "aclnnGroupNorm", operand: vec![2, 3], expected: vec![2, 1], output: vec![2, 3] }
        );
        assert!(matches!(
            usage(op::group_norm(current, &v, None, None, 1, 1e-5, out(&[6]), out(&[6]), out(&[6]))),
            Usage::OperandRank { rank: 2, .. }
        ));
        let batch = op::batch_norm(current, &a, None, Some(&v), (), (), 0.1, 1e-5, out(&[2, 3]), out(&[3]), out(&[3]));
        assert_eq!(
            usage(batch),
            Usage::OperandShape { operator: "aclnnBatchNorm", first: vec![2, 3], expected: vec![3], shape: vec![6] }
        );
        let batch = op::batch_norm(current, &a, None, None, (), (), 0.1, 1e-5, out(&[2, 3]), out(&[3]), out(&[2]));
        assert_eq!(
            usage(batch),
            Usage::OutputShape { operator: "aclnnBatchNorm", operand: vec![2, 3], expected: vec![3], output: vec![2] }
        );

        // Nothing would write the figures of no element.
        let nothing = six.slice(0..0).unwrap();
        let (rows, none) = (nothing.tensor(&[2, 0]).unwrap(), nothing.tensor(&[0, 2]).unwrap());
        let mut space = upload(current, side, &[0.0f32]);
        let mut empty = |shape: &[usize]| -> Usage {
            let room = |shape: &[usize]| current.malloc::<f32>(2).unwrap().into_tensor(shape).unwrap();
            let out = space.slice_mut(0..0).unwrap().into_tensor(shape).unwrap();
            match shape {
                [2, 0] => usage(op::layer_norm(current, &rows, &[0], None, None, 1e-5, out, Some(room(&[2, 1])), ())),
                _ => usage(op::batch_norm(current, &none, None, None, (), (), 0.1, 1e-5, out, room(&[2]), room(&[2]))),
            }
        };
        let wrong = |operator, shape: [usize; 2]| Usage::from(Misplaced::NoElements { operator, shape: shape.to_vec() });
        assert_eq!(empty(&[2, 0]), wrong("aclnnLayerNorm", [2, 0]));
        assert_eq!(empty(&[0, 2]), wrong("aclnnBatchNorm", [0, 2]));

        let matrix = upload(current, side, &[0.0f64; 6]);
        let mut room = upload(current, side, &[0.0f64; 4]);
        let x = || current.malloc::<f64>(2).unwrap().into_tensor(&[2, 1]).unwrap();
        let (wide, side_of) = (matrix.tensor(&[2, 3]).unwrap(), matrix.tensor(&[3, 2]).unwrap());
        let solved = op::triangular_solve(current, &side_of, &wide, true, false, false, x(), room.tensor_mut(&[2, 2]).unwrap());
        assert_eq!(
            solved.unwrap_err().to_string(),
            "aclnnTriangularSolve: the numbers [2, 3] do not fit an operand of the shape [2, 3]: as many rows as columns"
        );
        let square = matrix.slice(0..4).unwrap().tensor(&[2, 2]).unwrap();
        let solved = op::triangular_solve(current, &side_of, &square, true, false, false, x(), room.tensor_mut(&[2, 2]).unwrap());
        assert!(matches!(usage(solved), Usage::Product { operator: "aclnnTriangularSolve", .. }));
    }
}
