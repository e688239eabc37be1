//! Operators that take parts of tensors or repeat them, and ranges.

use ascendcl::Npu;
use ascendcl::error::{Misplaced, Usage};
use ascendcl::op::{self, Bool};
use half::f16;

use crate::common::{bound, isolated, usage};
use crate::op_table::{download, in_place, operators, output, upload};

type D = Npu<0>;

operators! {
    slice(a = [1i32, 2, 3, 4, 5, 6, 7, 8], [2, 4]) => (out = [2, 4, 6, 8], [2, 2]): |current| op::slice(current, &a, -1, 1..4, 2, out);
    slice_of_rows(a = [Bool::TRUE, Bool::FALSE], [2, 1]) => (out = [Bool::FALSE], [1, 1]): |current| op::slice(current, &a, 0, 1..2, 7, out);
    expand(a = [1u8, 2], [2, 1]) => (out = [1, 1, 1, 2, 2, 2], [1, 2, 3]): |current| op::expand(current, &a, &[1, -1, 3], out);
    repeat_interleave(a = [1i64, 2, 3, 4], [2, 2]) => (out = [1, 2, 1, 2, 3, 4, 3, 4], [4, 2]):
        |current| op::repeat_interleave_int_with_dim(current, &a, 2, 0, out);
    reflection_pad(a = [1.0f32, 2.0, 3.0], [1, 3]) => (out = [3.0, 2.0, 1.0, 2.0, 3.0, 2.0], [1, 6]):
        |current| op::reflection_pad1d(current, &a, (2, 1), out);
}

in_place! {
    range(out = [0i32; 4], [4]) => [1, 3, 5, 7]: |current| op::range(current, 1, 7, 2, out);
    range_that_ends_between_steps(out = [0i64; 3], [3]) => [3, 1, -1]: |current| op::range(current, 3, -2, -2, out);
    range_of_doubles(out = [0.0f64; 3], [3]) => [0.0, 0.25, 0.5]: |current| op::range(current, 0.0, 0.5, 0.25, out);
    range_of_halves(out = [f16::ZERO; 1], [1]) => [f16::ONE]: |current| op::range(current, f16::ONE, f16::ONE, f16::ONE, out);
    arange_of_floats(out = [0.0f32; 10], [10])
        => [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]: |current| op::arange(current, 0.0, 1.0, 0.1, out);
    arange_of_doubles(out = [0.0f64; 2], [2]) => [1.0, 0.5]: |current| op::arange(current, 1.0, 0.25, -0.5, out);
    arange_of_the_largest_numbers(out = [0i64; 4], [4]) => [i64::MIN, -(1 << 62), 0, 1 << 62]:
        |current| op::arange(current, i64::MIN, i64::MAX, 1 << 62, out);
}

isolated! {
    fn a_tensor_is_split_into_outputs() {
        bound!(acl, side, device: D, current, stream);
        let buf = upload(current, side, &[1u64, 2, 3, 4, 5, 6]);
        let a = buf.tensor(&[2, 3]).unwrap();
        let out = |len| current.malloc::<u64>(len).unwrap();
        let pair = [out(4).into_tensor(&[2, 2]).unwrap(), out(2).into_tensor(&[2, 1]).unwrap()];
        let [left, right] = op::split_tensor(current, &a, 2, -1, pair).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &left).as_slice(), [1, 2, 4, 5]);
        assert_eq!(download(current, side, &right).as_slice(), [3, 6]);
        // Parts of one buffer are outputs beside each other.
        let mut rows = current.memset(current.malloc::<u64>(6).unwrap(), 0).unwrap();
        let (first, second) = rows.split_at_mut(3).unwrap();
        let list = vec![first.into_tensor(&[1, 3]).unwrap(), second.into_tensor(&[1, 3]).unwrap()];
        let written = op::split_with_size(current, &a, &[1, 1], 0, list).unwrap().run(&mut stream).unwrap();
        assert_eq!(written.len(), 2);
        assert_eq!(download(current, side, &rows).as_slice(), [1, 2, 3, 4, 5, 6]);

        let queued = stream.adopt(buf);
        let a = queued.tensor(&[2, 3]).unwrap();
        let mut outs = Vec::new();
        for len in [2, 4] {
            outs.push(stream.malloc(len).unwrap().into_tensor(&[2, len / 2]).unwrap());
        }
        let plan = op::split_with_size(current, &a, &[1, 2], 1, outs).unwrap();
        let mut parts = plan.launch(&mut stream).unwrap().into_output().into_iter();
        let idle = stream.synchronize().unwrap();
        assert_eq!(download(current, side, &idle.take(parts.next().unwrap())).as_slice(), [1, 4]);
        assert_eq!(download(current, side, &idle.take(parts.next().unwrap())).as_slice(), [2, 3, 5, 6]);
    }

    fn parts_that_do_not_fit_are_named_with_the_operator() {
        bound!(acl, device: D, current);
        let six = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let a = six.tensor(&[2, 3]).unwrap();
        let out = |shape: &[usize]| output::<f32>(current, shape);
        assert_eq!(
            op::split_tensor(current, &a, 2, 1, [out(&[2, 2])]).unwrap_err().to_string(),
            "aclnnSplitTensor: an operand of the shape [2, 3] has 2 parts in dimension 1, and there are 1 outputs: pass one for \
             each part, and at least one"
        );
        for size in [0, usize::MAX] {
            let refused = usage(op::split_tensor(current, &a, size, 1, [out(&[2, 3])]));
            assert!(matches!(refused, Usage::Numbers { operator: "aclnnSplitTensor", .. }), "{size}: {refused:?}");
        }
        assert_eq!(
            usage(op::split_tensor(current, &a, 1, -2, [out(&[1, 3]), out(&[2, 3])])),
            Usage::OutputShape {
                operator: "aclnnSplitTensor",
                operand: vec![2, 3],
                expected: vec![1, 3],
                output: vec![2, 3],
            }
        );
        for sizes in [&[1, 1][..], &[4, -1], &[i64::MAX, i64::MAX, 5]] {
            let refused = op::split_with_size(current, &a, sizes, 1, [out(&[2, 1]), out(&[2, 1])]);
            assert_eq!(
                usage(refused),
                Usage::Numbers {
                    operator: "aclnnSplitWithSize",
                    numbers: sizes.to_vec(),
                    shape: vec![2, 3],
                    rule: "none of them is negative, and their sum is the size of the dimension",
                }
            );
        }
        assert!(matches!(usage(op::split_with_size(current, &a, &[3], 2, [out(&[2, 3])])), Usage::Axis { axis: 2, .. }));
        assert_eq!(
            op::slice(current, &a, 1, 1..4, 1, out(&[2, 3])).unwrap_err().to_string(),
            "aclnnSlice: the numbers [1, 4, 1] do not fit an operand of the shape [2, 3]: the start and the end of a range that \
             is not empty and lies within the dimension, and a step from 1 on"
        );
        assert!(matches!(usage(op::slice(current, &a, 1, 0..3, 0, out(&[2, 3]))), Usage::Numbers { .. }));
        assert!(matches!(usage(op::slice(current, &a, 1, 0..3, 2, out(&[2, 3]))), Usage::OutputShape { .. }));
        assert!(matches!(usage(op::slice(current, &a, -3, 0..3, 2, out(&[2, 3]))), Usage::Axis { axis: -3, rank: 2, .. }));
        for size in [&[3][..], &[2, 4], &[-1, 2, 3], &[2, -2]] {
            assert!(matches!(usage(op::expand(current, &a, size, out(&[2, 3]))), Usage::Numbers { .. }), "{size:?}");
        }
        assert_eq!(
            usage(op::expand(current, &a, &[2, 2, -1], out(&[2, 3]))),
            Usage::OutputShape {
                operator: "aclnnExpand",
                operand: vec![2, 3],
                expected: vec![2, 2, 3],
                output: vec![2, 3],
            }
        );
        for (repeats, width) in [(2, 6), (usize::MAX, i64::MAX as usize)] {
            assert_eq!(
                usage(op::repeat_interleave_int_with_dim(current, &a, repeats, 1, out(&[2, 3]))),
                Usage::OutputShape {
                    operator: "aclnnRepeatInterleaveIntWithDim",
                    operand: vec![2, 3],
                    expected: vec![2, width],
                    output: vec![2, 3],
                }
            );
        }
        assert_eq!(
            op::reflection_pad1d(current, &a, (3, 0), out(&[2, 6])).unwrap_err().to_string(),
            "aclnnReflectionPad1d: the numbers [3, 0] do not fit an operand of the shape [2, 3]: neither is negative, and both \
             are less than the last dimension has elements"
        );
        let v = six.tensor(&[6]).unwrap();
        assert!(matches!(usage(op::reflection_pad1d(current, &v, (1, 0), out(&[7]))), Usage::OperandRank { rank: 2, .. }));
        let mut numbers = current.memset(current.malloc::<i32>(3).unwrap(), 0).unwrap();
        assert_eq!(
            op::arange(current, 1, 8, 2, numbers.tensor_mut(&[3]).unwrap()).unwrap_err().to_string(),
            "aclnnArange: the range has 4 numbers, and the output has the shape [3]: describe the output by [4]"
        );
        assert_eq!(
            usage(op::range(current, 1, 7, 3, numbers.tensor_mut(&[1, 3]).unwrap())),
            Misplaced::RangeLength { operator: "aclnnRange", count: 3, output: vec![1, 3] }.into()
        );
        // The steps do not lead to the end.
        for step in [0, -1] {
            let refused = op::range(current, 1, 7, step, numbers.tensor_mut(&[3]).unwrap());
            assert_eq!(usage(refused), Misplaced::NoRange { operator: "aclnnRange", output: vec![3] }.into());
        }
        // C takes any output for a range that cannot be counted.
        let no_range = Usage::from(Misplaced::NoRange { operator: "aclnnArange", output: vec![4] });
        let mut numbers = current.memset(current.malloc::<i64>(4).unwrap(), 0).unwrap();
        let all = op::arange(current, i64::MIN, i64::MAX, 1, numbers.tensor_mut(&[4]).unwrap());
        assert_eq!(usage(all), no_range);
        let mut numbers = current.memset(current.malloc::<f32>(4).unwrap(), 0).unwrap();
        for (start, end, step) in [
            (0.0, f32::INFINITY, 1.0),
            (f32::NEG_INFINITY, 0.0, 1.0),
            (0.0, 1e30, 1.0),
            (0.0, f32::NAN, 1.0),
            (f32::NAN, 5.0, 1.0),
            (0.0, 5.0, f32::NAN),
            (0.0, 1.0, 1e-45),
            (0.0, 0.0, 0.0),
            (0.0, 4.0, 0.0),
            (4.0, 0.0, 1.0),
        ] {
            let refused = op::arange(current, start, end, step, numbers.tensor_mut(&[4]).unwrap());
            assert_eq!(usage(refused), no_range, "{start} {end} {step}");
        }
    }
}
