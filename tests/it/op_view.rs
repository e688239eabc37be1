//! Views of tensors: permuted, sliced, expanded, as operands and as outputs.

use ascendcl::error::Usage;
use ascendcl::op::{self, CubeMath};
use ascendcl::{Npu, release_failures};

use crate::common::{bound, isolated, usage};
use crate::op_table::{download, output, upload};

type D = Npu<0>;

isolated! {
    fn views_are_operands() {
        bound!(acl, side, device: D, current, stream);
        let numbers: Vec<f32> = (0..24u8).map(f32::from).collect();
        let buf = upload(current, side, &numbers);
        let zero = upload(current, side, &[0.0f32]);
        let zero = zero.tensor(&[]).unwrap();
        let a = buf.tensor(&[2, 3, 4]).unwrap();
        let mut read = |view: &op::Tensor<'_, D, f32, op::Strided>| {
            let shape = view.shape();
            let out = current.malloc(shape.iter().product()).unwrap().into_tensor(&shape).unwrap();
            let out = op::add(current, view, &zero, 0.0, out).unwrap().run(&mut stream).unwrap();
            let read: Vec<u8> = download(current, side, &out).into_iter().map(|number| number as u8).collect();
            (shape, read)
        };
        assert_eq!(
            read(&a.permute(&[2, 0, -2]).unwrap()),
            (vec![4, 2, 3], vec![0, 4, 8, 12, 16, 20, 1, 5, 9, 13, 17, 21, 2, 6, 10, 14, 18, 22, 3, 7, 11, 15, 19, 23])
        );
        let matrix = a.select(0, 1).unwrap();
        assert_eq!(read(&matrix.transpose(-1, 0).unwrap()).1, [12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23]);
        assert_eq!(read(&a.slice(2, 1..4, 2).unwrap()), (vec![2, 3, 2], vec![1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23]));
        assert_eq!(read(&a.slice(-3, 1..2, 9).unwrap().slice(1, 0..3, 2).unwrap()).1, [12, 13, 14, 15, 20, 21, 22, 23]);
        assert_eq!(read(&matrix.select(1, 3).unwrap()), (vec![3], vec![15, 19, 23]));
        let column = a.slice(2, 0..1, 1).unwrap().select(0, 1).unwrap();
        assert_eq!(read(&column.expand(&[2, 3, 2]).unwrap()).1, [12, 12, 16, 16, 20, 20, 12, 12, 16, 16, 20, 20]);
        assert_eq!(read(&a.view()).1, (0..24).collect::<Vec<u8>>());
        // Rows of a matrix lie one behind the other.
        let rows = matrix.slice(0, 1..3, 1).unwrap().contiguous().unwrap();
        assert_eq!(read(&rows.reshape(&[8]).unwrap().view()), (vec![8], (16..24).collect()));
        // A part of a buffer that begins at any element.
        let part = buf.slice(5..17).unwrap().tensor(&[3, 4]).unwrap();
        assert_eq!(read(&part.transpose(0, 1).unwrap()).1, [5, 9, 13, 6, 10, 14, 7, 11, 15, 8, 12, 16]);
        // The product of a matrix with itself transposed.
        let square = a.select(0, 0).unwrap();
        let out = current.malloc(9).unwrap().into_tensor(&[3, 3]).unwrap();
        let plan = op::matmul(current, &square, &square.transpose(0, 1).unwrap(), out, CubeMath::Keep).unwrap();
        let product = plan.run(&mut stream).unwrap();
        assert_eq!(download(current, side, &product), [14.0, 38.0, 62.0, 38.0, 126.0, 214.0, 62.0, 214.0, 366.0]);
        assert_eq!(release_failures(), 0);
    }

    fn views_are_outputs() {
        bound!(acl, side, device: D, current, stream);
        let numbers = upload(current, side, &[1i32, 2, 3, 4, 5, 6]);
        let a = numbers.tensor(&[2, 3]).unwrap();
        // The whole of a fresh output, in another order.
        let out = current.malloc(6).unwrap().into_tensor(&[3, 2]).unwrap().transpose(0, 1).unwrap();
        let out = op::add(current, &a, &a, 1, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &out), [2, 8, 4, 10, 6, 12]);
        // A part of one that was written; the rest stays.
        let mut table = upload(current, side, &[9i32; 12]);
        let every_other = table.tensor_mut(&[3, 4]).unwrap().permute(&[1, 0]).unwrap().slice(0, 0..4, 2).unwrap();
        assert_eq!(every_other.shape(), [2, 3]);
        op::add(current, &a, &a, 0, every_other).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &table), [1, 9, 4, 9, 2, 9, 5, 9, 3, 9, 6, 9]);
        // In place, and a part of a part.
        let column = table.slice_mut(1..9).unwrap().into_tensor(&[2, 4]).unwrap().select(1, 3).unwrap();
        let ten = upload(current, side, &[10i32]);
        op::inplace_add(current, column, &ten.tensor(&[1]).unwrap(), 1).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &table), [1, 9, 4, 9, 12, 9, 5, 9, 13, 9, 6, 9]);
        let reshaped = table.tensor_mut(&[12]).unwrap().reshape(&[4, 3]).unwrap().select(0, 3).unwrap();
        op::add(current, &ten.tensor(&[1]).unwrap(), &ten.tensor(&[1]).unwrap().expand(&[3]).unwrap(), 0, reshaped)
            .unwrap()
            .run(&mut stream)
            .unwrap();
        assert_eq!(download(current, side, &table), [1, 9, 4, 9, 12, 9, 5, 9, 13, 10, 10, 10]);

        // On memory of a stream.
        let (mut table, ten) = (stream.adopt(table), stream.adopt(ten));
        let rows = table.tensor_mut(&[3, 4]).unwrap().slice(0, 0..2, 1).unwrap();
        let ten = ten.tensor(&[1, 1]).unwrap();
        op::add(current, &ten.expand(&[2, 1]).unwrap(), &ten.expand(&[1, 4]).unwrap(), 2, rows)
            .unwrap()
            .launch(&mut stream)
            .unwrap()
            .into_output();
        let idle = stream.synchronize().unwrap();
        assert_eq!(download(current, side, &idle.take(table)), [30, 30, 30, 30, 30, 30, 30, 30, 13, 10, 10, 10]);
        assert_eq!(release_failures(), 0);
    }

    fn views_that_are_none_are_refused() {
        bound!(acl, device: D, current);
        let mut buf = current.memset(current.malloc::<f32>(24).unwrap(), 0).unwrap();
        let a = buf.tensor(&[2, 3, 4]).unwrap();
        for axes in [&[0, 1][..], &[0, 1, 1], &[0, 1, 3], &[0, 1, -1, 2], &[0, 1, i64::MIN]] {
            assert_eq!(usage(a.permute(axes)), Usage::Permutation { axes: axes.to_vec(), rank: 3 });
        }
        assert_eq!(
            a.permute(&[0, 0, 1]).unwrap_err().to_string(),
            "[0, 0, 1] is no order of the 3 dimensions of the tensor: name each once, from 0 or from the end by -1, -2 .."
        );
        assert_eq!(usage(a.transpose(0, 3)), Usage::Axis { operator: "transpose", axis: 3, rank: 3 });
        for (range, step) in [(0..5, 1), (4..5, 1), (2..2, 1), (0..4, 0), (0..usize::MAX, 1)] {
            let wrong = Usage::AxisRange { axis: 2, start: range.start, end: range.end, step, size: 4 };
            assert_eq!(usage(a.slice(-1, range, step)), wrong);
        }
        assert_eq!(
            a.slice(0, 0..3, 1).unwrap_err().to_string(),
            "the range 0..3 by steps of 1 is empty or leaves the 2 elements of dimension 0: choose from 0..2"
        );
        for index in [3, usize::MAX] {
            assert!(matches!(usage(a.select(1, index)), Usage::AxisRange { axis: 1, size: 3, .. }));
        }
        for to in [&[3, 4][..], &[2, 3, 5], &[0, 2, 3, 4], &[4, 2, 3, 4, 1], &[usize::MAX, 2, 3, 4], &[1 << 62, 2, 3, 4]] {
            assert_eq!(usage(a.expand(to)), Usage::Expand { shape: vec![2, 3, 4], to: to.to_vec() });
        }
        assert_eq!(
            a.expand(&[2, 3, 5]).unwrap_err().to_string(),
            "the shape [2, 3, 4] does not expand to [2, 3, 5]: compared from the last dimension, each has one element or \
             as many"
        );
        assert_eq!(
            a.expand(&[1 << 62, 2, 3, 4]).unwrap_err().to_string(),
            "the shape [2, 3, 4] does not expand to [4611686018427387904, 2, 3, 4]: it has more elements than an index of C \
             can count, which is 2^63 - 1"
        );
        assert_eq!(usage(a.expand(&[1; 9])), Usage::Rank { rank: 9 });
        assert_eq!(
            a.transpose(0, 1).unwrap().contiguous().unwrap_err().to_string(),
            "the view of the shape [3, 2, 4] with the strides [4, 12, 1] is not contiguous: let an operator copy its \
             elements first, or use the tensor that it is a view of"
        );
        assert_eq!(
            usage(a.reshape(&[5, 5])),
            Usage::ShapeSize { shape: vec![5, 5], elements: 25, len: 24 }
        );
        assert!(matches!(usage(buf.tensor_mut(&[24]).unwrap().slice(0, 0..25, 1)), Usage::AxisRange { .. }));
        assert!(matches!(usage(buf.tensor_mut(&[24]).unwrap().permute(&[1])), Usage::Permutation { .. }));
        assert_eq!(release_failures(), 0);
    }

    fn memory_that_is_overwritten_as_a_whole_may_be_fresh() {
        bound!(acl, side, device: D, current, stream);
        let out = |shape: &[usize]| output::<f32>(current, shape);
        let mut zeros = op::inplace_zero(current, out(&[2, 2])).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &zeros), [0.0; 4]);
        let ones = op::inplace_one(current, out(&[3])).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &ones), [1.0; 3]);
        let threes = op::inplace_fill_scalar(current, out(&[2]).permute(&[0]).unwrap(), 3.0).unwrap();
        let threes = threes.run(&mut stream).unwrap();
        // A view of them gets a place of its own, and a part of lent memory is filled.
        let row = threes.tensor(&[1, 2]).unwrap();
        let copy = op::inplace_copy(current, out(&[2, 2]), &row.transpose(0, 1).unwrap()).unwrap();
        assert_eq!(download(current, side, &copy.run(&mut stream).unwrap()), [3.0; 4]);
        let column = zeros.tensor_mut(&[2, 2]).unwrap().select(1, 1).unwrap();
        op::inplace_one(current, column).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &zeros), [0.0, 1.0, 0.0, 1.0]);

        let fresh = stream.malloc::<f32>(2).unwrap().into_tensor(&[2]).unwrap();
        let queued = op::inplace_fill_scalar(current, fresh, 5.0).unwrap().launch(&mut stream).unwrap().into_output();
        let idle = stream.synchronize().unwrap();
        assert_eq!(download(current, side, &idle.take(queued)), [5.0; 2]);
        assert_eq!(release_failures(), 0);
    }

    // A layer that is generic over its elements needs one bound.
    fn a_narrow_family_has_the_operators_of_wider_ones() {
        use ascendcl::bounds::Floating;
        use ascendcl::{Current, DeviceBuf, Result, Stream};

        /// Whether `softmax(x) * max(x)` is `x`.
        fn layer<'dev, T: Floating>(
            current: Current<'_, 'dev, D>,
            stream: &mut Stream<'_, 'dev, D>,
            x: &op::Tensor<'_, D, T>,
        ) -> Result<DeviceBuf<'dev, D, [op::Bool]>> {
            let shape = x.shape();
            let out = || current.malloc::<T>(x.shape().iter().product())?.into_tensor(&x.shape());
            let odds = op::softmax(current, x, -1, out()?)?.run(stream)?;
            let most = current.malloc(1)?.into_tensor(&[1])?;
            let most = op::max(current, x, most)?.run(stream)?;
            let (odds, most) = (odds.tensor(&shape)?, most.tensor(&[1])?);
            let mixed = op::mul(current, &odds, &most, out()?)?.run(stream)?;
            let equal = current.malloc(odds.shape().iter().product())?.into_tensor(&shape)?;
            op::eq_tensor(current, &mixed.tensor(&shape)?, x, equal)?.run(stream)
        }
        bound!(acl, side, device: D, current, stream);
        let x = upload(current, side, &[0.0f32, 0.0]);
        let equal = layer(current, &mut stream, &x.tensor(&[2]).unwrap()).unwrap();
        assert_eq!(download(current, side, &equal), [true; 2]);
    }
}
