//! Operators that take and put elements by indices of several dimensions, and one-hot vectors.

use ascendcl::Npu;
use ascendcl::error::{Misplaced, Usage};
use ascendcl::op::{self, Bool};

use crate::common::{bound, isolated, usage};
use crate::op_table::{download, output, upload};

type D = Npu<0>;

isolated! {
    fn elements_at_indices_of_several_dimensions() {
        bound!(acl, side, device: D, current, stream);
        let numbers: Vec<i32> = (0..12).collect();
        let a = upload(current, side, &numbers);
        let a = a.tensor(&[2, 3, 2]).unwrap();
        let (zero_one, two_zero) = (upload(current, side, &[0i64, 1]), upload(current, side, &[2i64, 0]));
        let zero_one = |shape: &[usize]| zero_one.tensor(shape).unwrap().indices(current, side, 2).unwrap();
        let two_zero = two_zero.tensor(&[2]).unwrap().indices(current, side, 3).unwrap();
        let mut taken = |indices: &[Option<&op::Indices<'_, D, i64>>], shape: &[usize]| {
            let out = current.malloc::<i32>(shape.iter().product()).unwrap().into_tensor(shape).unwrap();
            download(current, side, &op::index(current, &a, indices, out).unwrap().run(&mut stream).unwrap())
        };
        let (row, column) = (zero_one(&[2]), zero_one(&[2, 1]));
        assert_eq!(taken(&[Some(&row), Some(&two_zero)], &[2, 2]), [4, 5, 6, 7]);
        // A column of indices and a row of them give a matrix of places.
        assert_eq!(taken(&[Some(&column), Some(&two_zero)], &[2, 2, 2]), [4, 5, 0, 1, 10, 11, 6, 7]);
        assert_eq!(taken(&[None, Some(&two_zero)], &[2, 2, 2]), [4, 5, 0, 1, 10, 11, 6, 7]);
        assert_eq!(taken(&[None, Some(&two_zero), Some(&row)], &[2, 2]), [4, 1, 10, 7]);
        // The indices are no neighbours: their shape is in front.
        assert_eq!(taken(&[Some(&row), None, Some(&row)], &[2, 3]), [0, 2, 4, 7, 9, 11]);
    }

    fn values_are_put_at_indices_of_several_dimensions() {
        bound!(acl, side, device: D, current, stream);
        let mut a = upload(current, side, &[0i32; 6]);
        let (rows, columns) = (upload(current, side, &[1i32, 0]), upload(current, side, &[2i32, 0]));
        let rows = rows.tensor(&[2]).unwrap().indices(current, side, 2).unwrap();
        let columns = columns.tensor(&[2]).unwrap().indices(current, side, 3).unwrap();
        let values = upload(current, side, &[7i32, 8]);
        let values = values.tensor(&[2]).unwrap();
        for (accumulate, expected) in [(false, [8, 0, 0, 0, 0, 7]), (true, [16, 0, 0, 0, 0, 14])] {
            let changed = a.tensor_mut(&[2, 3]).unwrap();
            let plan = op::index_put_impl(current, changed, &[Some(&rows), Some(&columns)], &values, accumulate);
            plan.unwrap().run(&mut stream).unwrap();
            assert_eq!(download(current, side, &a), expected);
        }
        // One value for each of two columns of all rows; both indices of a place are added.
        let twice = upload(current, side, &[1i32, 1]);
        let twice = twice.tensor(&[2]).unwrap().indices(current, side, 3).unwrap();
        let one = upload(current, side, &[1i32]);
        let one = one.tensor(&[]).unwrap();
        let changed = a.tensor_mut(&[2, 3]).unwrap();
        let plan = op::index_put_impl(current, changed, &[None, Some(&twice)], &one, true);
        plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &a), [16, 2, 0, 0, 2, 14]);
    }

    fn a_cache_takes_updates_at_the_place_of_each_batch() {
        bound!(acl, side, device: D, current, stream);
        let mut cache = upload(current, side, &[0.0f32; 12]);
        let places = upload(current, side, &[2i32, 0]);
        let updates = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0]);
        let updates = updates.tensor(&[2, 1, 2]).unwrap();
        let index = places.tensor(&[2]).unwrap().indices(current, side, 3).unwrap();
        let changed = cache.tensor_mut(&[2, 3, 2]).unwrap();
        op::inplace_scatter_update(current, changed, &index, &updates, 1).unwrap().run(&mut stream).unwrap();
        let expected = [0.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(download(current, side, &cache), expected);
        let place = places.slice(1..2).unwrap();
        let index = place.tensor(&[]).unwrap().indices(current, side, 1).unwrap();
        let batch = updates.reshape(&[1, 2, 2]).unwrap();
        let changed = cache.tensor_mut(&[2, 3, 2]).unwrap();
        op::inplace_scatter_update(current, changed, &index, &batch, -2).unwrap().run(&mut stream).unwrap();
        let expected = [1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(download(current, side, &cache), expected);
    }

    fn parts_are_put_at_positions() {
        bound!(acl, side, device: D, current, stream);
        let mut a = upload(current, side, &[Bool::FALSE; 8]);
        let numbers = upload(current, side, &[0i64, 3, 1, 0]);
        let positions = numbers.tensor(&[2, 2]).unwrap().positions(current, side, &[2, 4]).unwrap();
        assert_eq!(positions.below(), [2, 4]);
        let updates = upload(current, side, &[Bool::TRUE; 2]);
        let changed = a.tensor_mut(&[2, 4]).unwrap();
        let plan = op::scatter_nd_update(current, changed, &positions, &updates.tensor(&[2]).unwrap());
        plan.unwrap().run(&mut stream).unwrap();
        let expected = [false, false, false, true, true, false, false, false].map(Bool::from);
        assert_eq!(download(current, side, &a), expected);
        let rows = upload(current, side, &[1i32]);
        let rows = rows.tensor(&[1, 1]).unwrap().positions(current, side, &[2]).unwrap();
        let mut a = upload(current, side, &[1i64, 2, 3, 4]);
        let updates = upload(current, side, &[8i64, 9]);
        let changed = a.tensor_mut(&[2, 2]).unwrap();
        let plan = op::scatter_nd_update(current, changed, &rows, &updates.tensor(&[1, 2]).unwrap());
        plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &a), [1, 2, 8, 9]);
    }

    fn indices_become_one_hot_vectors() {
        bound!(acl, side, device: D, current, stream);
        let numbers = upload(current, side, &[2i32, 0]);
        let index = numbers.tensor(&[2]).unwrap().indices(current, side, 3).unwrap();
        let (on, off) = (upload(current, side, &[1.0f32]), upload(current, side, &[-1.0f32]));
        let (on, off) = (on.tensor(&[1]).unwrap(), off.tensor(&[1]).unwrap());
        let mut vectors = |axis, shape: &[usize]| {
            let out = current.malloc::<f32>(6).unwrap().into_tensor(shape).unwrap();
            let plan = op::one_hot(current, &index, 3, &on, &off, axis, out).unwrap();
            download(current, side, &plan.run(&mut stream).unwrap())
        };
        assert_eq!(vectors(-1, &[2, 3]), [-1.0, -1.0, 1.0, 1.0, -1.0, -1.0]);
        assert_eq!(vectors(0, &[3, 2]), [-1.0, 1.0, -1.0, -1.0, 1.0, -1.0]);
    }

    fn indices_and_positions_that_do_not_fit_are_named_with_the_operator() {
        bound!(acl, side, device: D, current);
        let six = upload(current, side, &[0.0f32; 6]);
        let a = six.tensor(&[2, 3]).unwrap();
        let numbers = upload(current, side, &[1i64, 0]);
        let index = |below| numbers.tensor(&[2]).unwrap().indices(current, side, below).unwrap();
        let (two, three) = (index(2), index(3));
        let one = numbers.slice(0..1).unwrap();
        let out = |shape: &[usize]| output::<f32>(current, shape);
        assert_eq!(
            op::index(current, &a, &[Some(&three)], out(&[2, 3])).unwrap_err().to_string(),
            "aclnnIndex: the indices are less than 3, and the dimension has 2 elements: compare them with that number, by \
             `Tensor::indices`"
        );
        assert_eq!(
            op::index(current, &a, &[Some(&two), Some(&two), Some(&two)], out(&[2])).unwrap_err().to_string(),
            "aclnnIndex: the list of indices of the shapes [Some([2]), Some([2]), Some([2])] does not fit an operand of the \
             shape [2, 3]: at least one, and at most one for each dimension"
        );
        let none: [Option<&op::Indices<'_, D, i64>>; 2] = [None, None];
        assert!(matches!(usage(op::index(current, &a, &none, out(&[2, 3]))), Usage::Misplaced(Misplaced::IndexList { .. })));
        let square = numbers.tensor(&[2, 1]).unwrap();
        let square = square.reshape(&[1, 2]).unwrap().indices(current, side, 2).unwrap();
        let three_of = upload(current, side, &[0i64, 1, 2]);
        let three_of = three_of.tensor(&[3]).unwrap().indices(current, side, 3).unwrap();
        assert_eq!(
            usage(op::index(current, &a, &[Some(&square), Some(&three_of)], out(&[2, 3]))),
            Misplaced::IndexList {
                operator: "aclnnIndex",
                indices: vec![Some(vec![1, 2]), Some(vec![3])],
                operand: vec![2, 3],
                rule: "their shapes broadcast to one",
            }.into()
        );
        let nothing = numbers.slice(0..0).unwrap();
        let nothing = nothing.tensor(&[0]).unwrap().indices(current, side, 2).unwrap();
        assert_eq!(
            usage(op::index(current, &a, &[Some(&nothing)], out(&[2, 3]))),
            Misplaced::IndexList {
                operator: "aclnnIndex",
                indices: vec![Some(vec![0])],
                operand: vec![2, 3],
                rule: "none without elements, which C takes for a whole dimension",
            }.into()
        );
        assert_eq!(
            usage(op::index(current, &a, &[Some(&two)], out(&[3, 2]))),
            Usage::OutputShape { operator: "aclnnIndex", operand: vec![2, 3], expected: vec![2, 3], output: vec![3, 2] }
        );
        let mut changed = upload(current, side, &[0.0f32; 6]);
        assert_eq!(
            usage(op::index_put_impl(current, changed.tensor_mut(&[2, 3]).unwrap(), &[None, Some(&two)], &a, false)),
            Usage::Broadcast { operator: "aclnnIndexPutImpl", operands: vec![vec![2, 3]], output: vec![2, 2] }
        );

        let update = six.slice(0..4).unwrap().tensor(&[2, 2]).unwrap();
        let refused = op::inplace_scatter_update(current, changed.tensor_mut(&[2, 3]).unwrap(), &three, &update, 1);
        assert_eq!(
            refused.unwrap_err().to_string(),
            "aclnnInplaceScatterUpdate: the indices are less than 3, and 2 elements fit at the first 2 places of a dimension \
             of 3: compare the indices with 2, by `Tensor::indices`"
        );
        let refused = op::inplace_scatter_update(current, changed.tensor_mut(&[2, 3]).unwrap(), &two, &update, 0);
        assert!(matches!(usage(refused), Usage::Numbers { .. }));
        let index = one.tensor(&[1]).unwrap().indices(current, side, 2).unwrap();
        let refused = op::inplace_scatter_update(current, changed.tensor_mut(&[2, 3]).unwrap(), &index, &update, 1);
        assert_eq!(
            usage(refused),
            Usage::OperandShape {
                operator: "aclnnInplaceScatterUpdate",
                first: vec![2, 2],
                expected: vec![2],
                shape: vec![1],
            }
        );
        let index = one.tensor(&[]).unwrap().indices(current, side, 2).unwrap();
        let refused = op::inplace_scatter_update(current, changed.tensor_mut(&[2, 3]).unwrap(), &index, &update, 1);
        assert!(matches!(usage(refused), Usage::OperandShape { .. }));

        let pair = |below: &[usize]| numbers.tensor(&[1, 2]).unwrap().positions(current, side, below);
        assert_eq!(
            pair(&[2]).unwrap_err().to_string(),
            "1 bounds are not one for each element of the last dimension of [1, 2]: pass a tensor whose rows are positions"
        );
        assert_eq!(usage(pair(&[1, 1])), Usage::IndexRange { index: 1, position: 0, below: 1 });
        let positions = pair(&[2, 4]).unwrap();
        let part = one_number(&six);
        let refused = op::scatter_nd_update(current, changed.tensor_mut(&[2, 3]).unwrap(), &positions, &part);
        assert_eq!(
            refused.unwrap_err().to_string(),
            "aclnnScatterNdUpdate: the positions are less than [2, 4], and the operand has the shape [2, 3]: compare them with \
             its first dimensions, by `Tensor::positions`"
        );
        let positions = pair(&[2, 3]).unwrap();
        let refused = op::scatter_nd_update(current, changed.tensor_mut(&[2, 3]).unwrap(), &positions, &a);
        assert_eq!(
            usage(refused),
            Usage::OperandShape {
                operator: "aclnnScatterNdUpdate",
                first: vec![2, 3],
                expected: vec![1],
                shape: vec![2, 3],
            }
        );

        let value = one_number(&six);
        let hot = |classes, axis, shape: &[usize]| op::one_hot(current, &three, classes, &value, &value, axis, out(shape));
        assert_eq!(
            usage(hot(2, -1, &[2, 2])),
            Usage::IndexBound { operator: "aclnnOneHot", below: 3, size: 2 }
        );
        assert_eq!(usage(hot(-1, -1, &[2, 2])), Usage::IndexBound { operator: "aclnnOneHot", below: 3, size: 0 });
        assert_eq!(usage(hot(3, 2, &[2, 3])), Usage::Axis { operator: "aclnnOneHot", axis: 2, rank: 2 });
        assert_eq!(
            usage(hot(3, 0, &[2, 3])),
            Usage::OutputShape { operator: "aclnnOneHot", operand: vec![2], expected: vec![3, 2], output: vec![2, 3] }
        );
        let wrong = op::one_hot(current, &three, 3, &value, &a, -1, out(&[2, 3]));
        assert!(matches!(usage(wrong), Usage::OperandShape { .. }));
    }
}

/// The first element as a tensor.
fn one_number<'b>(buf: &'b ascendcl::DeviceBuf<'_, D, [f32]>) -> op::Tensor<'b, D, f32> {
    buf.slice(0..1).unwrap().tensor(&[1]).unwrap()
}
