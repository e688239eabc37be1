//! Operands without elements, which are parts of buffers, and views of them.

use ascendcl::error::Usage;
use ascendcl::{Npu, Thread};

use crate::common::{acl, assert_says, host, isolated, usage};
use crate::op_table::upload;

type D = Npu<0>;

isolated! {
    // The sizes beside a zero are any, and their products would be the strides.
    fn views_of_nothing_have_strides_that_are_numbers() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let numbers = upload(current, side, &[1.0f32]);
        let nothing = numbers.slice(0..0).unwrap();
        for shape in [[0, 1 << 40, 1 << 40], [1 << 32, 1 << 31, 0], [usize::MAX, 0, 1]] {
            let shape = shape.to_vec();
            assert_says(
                nothing.tensor(&shape),
                &["has a size or a stride above i64::MAX, the largest in C", &format!("{shape:?}")],
            );
            assert_eq!(usage(nothing.tensor(&[0]).unwrap().reshape(&shape)), Usage::Dimension { shape });
        }
        let most = nothing.tensor(&[0, 1 << 31, 1 << 31]).unwrap();
        let half = most.slice(1, 1..1 << 31, 1 << 30).unwrap().select(2, (1 << 31) - 1).unwrap();
        assert_eq!(half.shape(), [0, 2]);
        assert_eq!(most.permute(&[2, 0, 1]).unwrap().contiguous().unwrap().shape(), [1 << 31, 0, 1 << 31]);
    }
}
