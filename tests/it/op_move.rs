//! The results of operators that move elements: order, shape, fills, and indices.

use ascendcl::Npu;
use ascendcl::error::Usage;
use ascendcl::op::{self, Pairs, Reduction};

use crate::common::{bound, isolated, usage};
use crate::op_table::{download, in_place, operators, output, upload};

type D = Npu<0>;

operators! {
    stack(a = [1i32, 2], [2]; b = [3, 4], [2]) => (out = [1, 3, 2, 4], [2, 2]): |current| op::stack(current, &[&a, &b], -1, out);
    permute(a = [1i32, 2, 3, 4, 5, 6], [2, 3]) => (out = [1, 4, 2, 5, 3, 6], [3, 2]): |current| op::permute(current, &a, &[1, 0], out);
    repeat(a = [1i32, 2], [2]) => (out = [1, 2, 1, 2, 1, 2, 1, 2], [2, 4]): |current| op::repeat(current, &a, &[2, 2], out);
    flip(a = [1i32, 2, 3, 4], [2, 2]) => (out = [2, 1, 4, 3], [2, 2]): |current| op::flip(current, &a, &[1], out);
    roll(a = [1i32, 2, 3, 4], [4]) => (out = [4, 1, 2, 3], [4]): |current| op::roll(current, &a, &[1], &[0], out);
    pad(a = [1i32, 2], [1, 2]) => (out = [9, 1, 2, 9, 9], [1, 5]): |current| op::constant_pad_nd(current, &a, &[1, 2], 9, out);
    tril(a = [1i32, 2, 3, 4], [2, 2]) => (out = [1, 0, 3, 4], [2, 2]): |current| op::tril(current, &a, 0, out);
    triu(a = [1i32, 2, 3, 4], [2, 2]) => (out = [0, 2, 0, 0], [2, 2]): |current| op::triu(current, &a, 1, out);
    sort(a = [3.0f32, 1.0, 2.0], [3]) => (values = [3.0, 2.0, 1.0], [3]; indices = [0i64, 2, 1], [3]):
        |current| op::sort(current, &a, true, 0, true, values, indices);
    argsort(a = [3i32, 1, 2], [3]) => (out = [1i64, 2, 0], [3]): |current| op::argsort(current, &a, -1, false, out);
}

in_place! {
    inplace_tril(a = [1i32, 2, 3, 4], [2, 2]) => [1, 0, 3, 4]: |current| op::inplace_tril(current, a, 0);
    inplace_triu(a = [1i32, 2, 3, 4], [2, 2]) => [1, 2, 0, 4]: |current| op::inplace_triu(current, a, 0);
    inplace_zero(a = [1i32, 2], [2]) => [0, 0]: |current| op::inplace_zero(current, a);
    inplace_one(a = [5.0f32, 2.0], [2]) => [1.0, 1.0]: |current| op::inplace_one(current, a);
    inplace_fill_scalar(a = [1i32, 2], [2]) => [7, 7]: |current| op::inplace_fill_scalar(current, a, 7);
    inplace_fill_tensor(a = [1i32, 2], [2]; value = [7], []) => [7, 7]: |current| op::inplace_fill_tensor(current, a, &value);
    arange(out = [0i32; 3], [3]) => [1, 3, 5]: |current| op::arange(current, 1, 7, 2, out);
    eye(out = [5.0f32; 6], [2, 3]) => [1.0, 0.0, 0.0, 0.0, 1.0, 0.0]: |current| op::eye(current, out);
    inplace_index_fill(a = [1i32, 2, 3, 4], [2, 2]) => [9, 2, 9, 4]:
        |current| op::inplace_index_fill_tensor(current, a, 1, &[0], 9);
}

isolated! {
    fn elements_are_taken_and_put_by_indices() {
        bound!(acl, side, device: D, current, stream);
        let table = upload(current, side, &[0.0f32, 1.0, 2.0, 3.0, 4.0, 5.0]);
        let table = table.tensor(&[3, 2]).unwrap();
        let numbers = upload(current, side, &[2i64, 0]);
        let index = numbers.tensor(&[2]).unwrap().indices(current, side, 3).unwrap();
        assert_eq!(index.below(), 3);
        let four = || current.malloc::<f32>(4).unwrap();
        let out = four().into_tensor(&[2, 2]).unwrap();
        let rows = op::embedding(current, &table, &index, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &rows), [4.0, 5.0, 0.0, 1.0]);
        let out = four().into_tensor(&[2, 2]).unwrap();
        let rows = op::index_select(current, &table, 0, &index, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &rows), [4.0, 5.0, 0.0, 1.0]);
        let square = numbers.tensor(&[1, 2]).unwrap().indices(current, side, 3).unwrap();
        let out = four().into_tensor(&[1, 2, 2]).unwrap();
        let rows = op::gather_v2(current, &table, -2, &square, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &rows), [4.0, 5.0, 0.0, 1.0]);
        let out = current.malloc::<f32>(2).unwrap().into_tensor(&[1, 2]).unwrap();
        let row = op::gather(current, &table, 0, &square, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &row), [4.0, 1.0]);

        let tens = upload(current, side, &[10.0f32, 20.0, 30.0, 40.0]);
        let source = tens.tensor(&[2, 2]).unwrap();
        let out = current.malloc::<f32>(6).unwrap().into_tensor(&[3, 2]).unwrap();
        let sums = op::index_add(current, &table, 0, &index, &source, 2.0, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &sums), [60.0, 81.0, 2.0, 3.0, 24.0, 45.0]);
        let out = current.malloc::<f32>(6).unwrap().into_tensor(&[3, 2]).unwrap();
        let sums = op::scatter(current, &table, 0, &square, &source, Reduction::Add, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &sums), [0.0, 21.0, 2.0, 3.0, 14.0, 5.0]);
        let out = current.malloc::<f32>(6).unwrap().into_tensor(&[3, 2]).unwrap();
        let sums = op::scatter_add(current, &table, 0, &square, &source, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &sums), [0.0, 21.0, 2.0, 3.0, 14.0, 5.0]);

        let mut copy = upload(current, side, &[0.0f32; 6]);
        let changed = copy.tensor_mut(&[3, 2]).unwrap();
        op::inplace_index_copy(current, changed, 0, &index, &source).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &copy), [30.0, 40.0, 0.0, 0.0, 10.0, 20.0]);
        let changed = copy.tensor_mut(&[3, 2]).unwrap();
        op::inplace_scatter(current, changed, 0, &square, &source, Reduction::Replace).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &copy), [30.0, 20.0, 0.0, 0.0, 10.0, 20.0]);
    }

    fn indices_that_point_elsewhere_are_refused() {
        bound!(acl, side, device: D, current);
        let numbers = upload(current, side, &[0i32, 2, -1]);
        let part = numbers.slice(0..2).unwrap();
        let wrong = part.tensor(&[2]).unwrap().indices(current, side, 2);
        assert_eq!(usage(wrong), Usage::IndexRange { index: 2, position: 1, below: 2 });
        assert_eq!(
            numbers.tensor(&[3]).unwrap().indices(current, side, 3).unwrap_err().to_string(),
            "index -1 at position 2 is not within 0..3: indices count from 0"
        );
        let index = part.tensor(&[2]).unwrap().indices(current, side, 3).unwrap();
        let table = upload(current, side, &[0.0f32; 4]);
        let table = table.tensor(&[2, 2]).unwrap();
        let out = |shape: &[usize]| output::<f32>(current, shape);
        assert_eq!(
            op::embedding(current, &table, &index, out(&[2, 2])).unwrap_err().to_string(),
            "aclnnEmbedding: the indices are less than 3, and the dimension has 2 elements: compare them with that number, \
             by `Tensor::indices`"
        );
        let index = numbers.slice(0..1).unwrap().tensor(&[1]).unwrap().indices(current, side, 1).unwrap();
        assert_eq!(
            usage(op::index_select(current, &table, 0, &index, out(&[2, 2]))),
            Usage::OutputShape {
                operator: "aclnnIndexSelect",
                operand: vec![2, 2],
                expected: vec![1, 2],
                output: vec![2, 2],
            }
        );
        assert_eq!(
            usage(op::gather(current, &table, 0, &index, out(&[1]))),
            Usage::OperandRank { operator: "aclnnGather", shape: vec![1], rank: 2 }
        );
        let mut changed = upload(current, side, &[0.0f32; 4]);
        let changed = changed.tensor_mut(&[2, 2]).unwrap();
        assert_eq!(
            usage(op::inplace_index_fill_tensor(current, changed, 1, &[0, 2], 1.0)),
            Usage::IndexRange { index: 2, position: 1, below: 2 }
        );
    }

    fn shapes_of_other_rules_are_named_with_the_operator() {
        bound!(acl, side, device: D, current);
        let six = upload(current, side, &[0.0f32; 6]);
        let (a, v) = (six.tensor(&[2, 3]).unwrap(), six.tensor(&[6]).unwrap());
        let out = |shape: &[usize]| output::<f32>(current, shape);
        assert_eq!(
            op::addcmul(current, &a, &v, &a, 1.0, out(&[2, 3])).unwrap_err().to_string(),
            "aclnnAddcmul: the shapes [[2, 3], [6], [2, 3]] do not broadcast to [2, 3]: compared from the last dimension, \
             sizes must be equal or 1, and the output has the larger ones"
        );
        assert_eq!(
            op::rms_norm(current, &a, &v, 1e-6, out(&[2, 3]), out(&[2, 1])).unwrap_err().to_string(),
            "aclnnRmsNorm: beside an operand of the shape [2, 3] another one must have the shape [3], not [6]: describe it by \
             that shape"
        );
        assert_eq!(
            op::mm(current, &a, &v, out(&[2, 3]), op::CubeMath::Keep).unwrap_err().to_string(),
            "aclnnMm: an operand has the shape [6], and the operator takes one of 2 dimensions there: describe it by as many"
        );
        assert_eq!(
            op::repeat(current, &a, &[2], out(&[4, 3])).unwrap_err().to_string(),
            "aclnnRepeat: the numbers [2] do not fit an operand of the shape [2, 3]: one for each dimension, none of them \
             less than 1"
        );
        assert!(matches!(usage(op::constant_pad_nd(current, &a, &[1], 0.0, out(&[2, 4]))), Usage::Numbers { .. }));
        assert!(matches!(usage(op::roll(current, &a, &[1, 2], &[0], out(&[2, 3]))), Usage::Numbers { .. }));
        assert!(matches!(usage(op::stack(current, &[&a, &a], 3, out(&[2, 2, 3]))), Usage::Axis { axis: 3, rank: 3, .. }));
        assert!(matches!(usage(op::stack(current, &[&a, &a], -4, out(&[2, 2, 3]))), Usage::Axis { axis: -4, rank: 3, .. }));
        assert!(matches!(usage(op::flip(current, &a, &[0, -2], out(&[2, 3]))), Usage::RepeatedAxis { axis: 0, .. }));
        assert!(matches!(usage(op::softmax(current, &a, 2, out(&[2, 3]))), Usage::Axis { axis: 2, rank: 2, .. }));
        assert!(matches!(usage(op::permute(current, &a, &[0], out(&[2, 3]))), Usage::Permutation { .. }));
        assert!(matches!(usage(op::max(current, &a, out(&[2]))), Usage::OutputShape { .. }));
        assert!(matches!(usage(op::swi_glu(current, &a, 1, out(&[2, 1]))), Usage::Numbers { .. }));
        assert!(matches!(usage(op::swi_glu(current, &a, 0, out(&[2, 3]))), Usage::OutputShape { .. }));
        let turned = op::rotary_position_embedding(current, &a, &a, &a, Pairs::Halves, out(&[2, 3]));
        assert!(matches!(usage(turned), Usage::OperandRank { rank: 4, .. }));
    }
}
