//! Operators that take a counted mask.

use ascendcl::Npu;
use ascendcl::error::{Misplaced, Usage};
use ascendcl::op::{self, Bool};

use crate::common::{assert_clean, assert_says, bound, isolated, usage};
use crate::op_table::{download, upload};

type D = Npu<0>;

isolated! {
    fn elements_that_a_counted_mask_chooses() {
        bound!(acl, side, device: D, current, stream);
        let mut numbers = upload(current, side, &[1i32, 2, 3, 4, 5, 6]);
        let bools = upload(current, side, &[true, false, true, false, false, true].map(Bool::from));
        let whole = bools.tensor(&[2, 3]).unwrap().mask(current, side).unwrap();
        assert_eq!(whole.count(), 3);
        let rows = bools.slice(1..3).unwrap().tensor(&[2]).unwrap().mask(current, side).unwrap();
        let a = numbers.tensor(&[2, 3]).unwrap();
        let out = current.malloc::<i32>(3).unwrap().into_tensor(&[3]).unwrap();
        let chosen = op::index_mask(current, &a, &whole, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &chosen), [1, 3, 6]);
        let out = current.malloc::<i32>(3).unwrap().into_tensor(&[1, 3]).unwrap();
        let chosen = op::index_mask(current, &a, &rows, out).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &chosen), [4, 5, 6]);

        let values = upload(current, side, &[10i32, 20, 30]);
        let values = values.tensor(&[3]).unwrap();
        let put = op::index_put_mask(current, numbers.tensor_mut(&[2, 3]).unwrap(), &whole, &values, false);
        put.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &numbers), [10, 2, 20, 4, 5, 30]);
        let put = op::index_put_mask(current, numbers.tensor_mut(&[2, 3]).unwrap(), &rows, &values, true);
        put.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &numbers), [10, 2, 20, 14, 25, 60]);

        // On queued memory the program answers for the number.
        let numbers = stream.adopt(numbers);
        let bools = stream.adopt(upload(current, side, &[Bool::FALSE, Bool::TRUE]));
        // SAFETY: one of the two is true, and nothing writes them.
        let mask = unsafe { bools.tensor(&[2]).unwrap().assume_mask(1) };
        let out = stream.malloc::<i32>(3).unwrap().into_tensor(&[1, 3]).unwrap();
        let plan = op::index_mask(current, &numbers.tensor(&[2, 3]).unwrap(), &mask, out).unwrap();
        let chosen = plan.launch(&mut stream).unwrap().into_output();
        let idle = stream.synchronize().unwrap();
        assert_eq!(download(current, side, &idle.take(chosen)), [14, 25, 60]);
        assert_clean(&acl);
    }

    fn masks_that_do_not_fit_are_refused() {
        bound!(acl, side, device: D, current);
        let mut numbers = upload(current, side, &[1i32, 2, 3, 4, 5, 6]);
        let bools = upload(current, side, &[true, false, true, false, false, true].map(Bool::from));
        let mask = |shape: &[usize]| {
            let part = bools.slice(0..shape.iter().product()).unwrap();
            part.tensor(shape).unwrap().mask(current, side).unwrap()
        };
        let out = |shape: &[usize]| {
            current.malloc::<i32>(shape.iter().product()).unwrap().into_tensor(shape).unwrap()
        };
        let operator = "aclnnIndex";
        let beside = |expected: &[usize], shape: &[usize]| Usage::OperandShape {
            operator,
            first: vec![2, 3],
            expected: expected.to_vec(),
            shape: shape.to_vec(),
        };
        let values = upload(current, side, &[7i32; 2]);
        let values = values.tensor(&[2]).unwrap();
        let refused = op::index_put_mask(current, numbers.tensor_mut(&[2, 3]).unwrap(), &mask(&[2, 3]), &values, false);
        assert_says(refused, &["aclnnIndexPutImpl", "[3]", "[2]"]);
        let a = numbers.tensor(&[2, 3]).unwrap();
        assert_eq!(usage(op::index_mask(current, &a, &mask(&[3]), out(&[2]))), beside(&[2], &[3]));
        assert_eq!(usage(op::index_mask(current, &a, &mask(&[3, 2]), out(&[3]))), beside(&[2, 3], &[3, 2]));
        assert_eq!(usage(op::index_mask(current, &a, &mask(&[1, 2, 3]), out(&[3]))), beside(&[], &[1, 2, 3]));
        assert_eq!(usage(op::index_mask(current, &a, &mask(&[]), out(&[1, 2, 3]))), beside(&[2], &[]));
        // Fewer places than the mask chooses, or more.
        for wrong in [2, 4] {
            assert_eq!(
                usage(op::index_mask(current, &a, &mask(&[2, 3]), out(&[wrong]))),
                Usage::OutputShape { operator, operand: vec![2, 3], expected: vec![3], output: vec![wrong] }
            );
        }
        let none = numbers.slice(0..0).unwrap();
        let none = none.tensor(&[0]).unwrap();
        assert_eq!(
            usage(op::index_mask(current, &none, &mask(&[0]), out(&[1]))),
            Usage::from(Misplaced::NoElements { operator, shape: vec![0] })
        );
    }
}
