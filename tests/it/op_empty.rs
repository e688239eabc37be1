//! Operands without elements, which are parts of buffers, and views of them.

use ascendcl::error::{Misplaced, Usage};
use ascendcl::op::{self, CubeMath, LossReduction, Reduction};
use ascendcl::stream::Main;
use ascendcl::{Npu, Thread, release_failures};

use crate::common::{acl, assert_says, host, isolated, usage};
use crate::op_table::{download, upload};

type D = Npu<0>;

isolated! {
    // Most operators do nothing then: the memory would come back as written.
    fn an_output_that_stays_unwritten_is_refused() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let numbers = upload(current, side, &[1.0f32, 2.0, 3.0]);
        let places = upload(current, side, &[0i64]);
        let three = numbers.tensor(&[3]).unwrap();
        let nothing = numbers.slice(0..0).unwrap();
        let a = |shape: &[usize]| nothing.tensor(shape).unwrap();
        let out = |shape: &[usize]| {
            let len = shape.iter().product();
            current.malloc::<f32>(len).unwrap().into_tensor(shape).unwrap()
        };
        let longs = || current.malloc::<i64>(3).unwrap().into_tensor(&[3]).unwrap();
        let (mut one, mut other) = (upload(current, side, &[0.0f32]), upload(current, side, &[0.0f32]));
        let empty = |operator, shape: &[usize]| Usage::from(Misplaced::NoElements { operator, shape: shape.to_vec() });

        let norm = one.slice_mut(0..0).unwrap().into_tensor(&[2, 0]).unwrap();
        let refused = op::rms_norm(current, &a(&[2, 0]), &a(&[0]), 1e-6, norm, out(&[2, 1]));
        assert_says(
            refused,
            &["aclnnRmsNorm: an operand of the shape [2, 0] has no elements, so that the output may stay unwritten: leave out \
               the call, or pass elements"],
        );
        let norm = one.slice_mut(0..0).unwrap().into_tensor(&[2, 0]).unwrap();
        let sum = other.slice_mut(0..0).unwrap().into_tensor(&[2, 0]).unwrap();
        let (rows, row) = (a(&[2, 0]), a(&[0]));
        let refused = op::add_layer_norm(current, &rows, &rows, &row, &row, None, 1e-5, norm, out(&[2, 1]), out(&[2, 1]), sum);
        assert_eq!(usage(refused), empty("aclnnAddLayerNorm", &[2, 0]));

        let keep = CubeMath::Keep;
        let (left, right) = (a(&[2, 0]), a(&[0, 3]));
        assert_eq!(usage(op::matmul(current, &left, &right, out(&[2, 3]), keep)), empty("aclnnMatmul", &[2, 0]));
        assert_eq!(usage(op::mm(current, &left, &right, out(&[2, 3]), keep)), empty("aclnnMm", &[2, 0]));
        assert_eq!(usage(op::mv(current, &left, &row, out(&[2]), keep)), empty("aclnnMv", &[2, 0]));
        assert_eq!(usage(op::dot(current, &row, &row, out(&[]))), empty("aclnnDot", &[0]));
        let refused = op::batch_mat_mul(current, &a(&[1, 2, 0]), &a(&[1, 0, 3]), out(&[1, 2, 3]), keep);
        assert_eq!(usage(refused), empty("aclnnBatchMatMul", &[1, 2, 0]));

        assert_eq!(usage(op::max(current, &row, out(&[1]))), empty("aclnnMax", &[0]));
        assert_eq!(usage(op::min(current, &row, out(&[]))), empty("aclnnMin", &[0]));
        assert_eq!(usage(op::amax(current, &right, &[0], false, out(&[3]))), empty("aclnnAmax", &[0, 3]));
        assert_eq!(usage(op::amin(current, &right, &[0], false, out(&[3]))), empty("aclnnAmin", &[0, 3]));
        assert_eq!(usage(op::arg_max(current, &right, 0, false, longs())), empty("aclnnArgMax", &[0, 3]));
        assert_eq!(usage(op::arg_min(current, &right, 0, false, longs())), empty("aclnnArgMin", &[0, 3]));
        assert_eq!(usage(op::max_dim(current, &right, 0, false, out(&[3]), longs())), empty("aclnnMaxDim", &[0, 3]));
        assert_eq!(usage(op::min_dim(current, &right, 0, false, out(&[3]), longs())), empty("aclnnMinDim", &[0, 3]));
        assert_eq!(usage(op::mse_loss(current, &row, &row, LossReduction::Sum, out(&[]))), empty("aclnnMseLoss", &[0]));
        assert_eq!(usage(op::constant_pad_nd(current, &row, &[1, 2], 0.0, out(&[3]))), empty("aclnnConstantPadNd", &[0]));

        let index = places.slice(0..0).unwrap().tensor(&[0]).unwrap().indices(current, side, 0).unwrap();
        let refused = op::scatter(current, &three, 0, &index, &row, Reduction::Replace, out(&[3]));
        assert_eq!(usage(refused), empty("aclnnScatter", &[0]));
        assert_eq!(usage(op::scatter_add(current, &three, 0, &index, &row, out(&[3]))), empty("aclnnScatterAdd", &[0]));
        assert_eq!(usage(op::index_add(current, &three, 0, &index, &row, 1.0, out(&[3]))), empty("aclnnIndexAdd", &[0]));
        assert_eq!(release_failures(), 0);
    }

    fn sums_and_joins_have_a_result() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let numbers = upload(current, side, &[1.0f32, 2.0, 3.0]);
        let nothing = numbers.slice(3..3).unwrap();
        let three = numbers.tensor(&[3]).unwrap();
        let out = || current.malloc::<f32>(3).unwrap().into_tensor(&[3]).unwrap();
        let columns = nothing.tensor(&[0, 3]).unwrap();
        let sums = op::reduce_sum(current, &columns, &[0], false, out()).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &sums), [0.0; 3]);
        let products = op::prod_dim(current, &columns, 0, false, out()).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &products), [1.0; 3]);
        let none = nothing.tensor(&[0]).unwrap();
        let joined = op::cat(current, &[&none, &three, &none], 0, out()).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &joined), [1.0, 2.0, 3.0]);
        // Nothing is written where there is no place, and nothing comes back as written.
        let mut lent = upload(current, side, &[7.0f32]);
        let place = lent.slice_mut(1..1).unwrap().into_tensor(&[0]).unwrap();
        op::relu(current, &none, place).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &lent), [7.0]);
    }

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
