//! Operands without elements, which are parts of buffers, and views of them.

use ascendcl::error::{Misplaced, Usage};
use ascendcl::op::{
    self, AttentionLayout, AvgPoolOptions, Bool, ConvolutionOptions, CubeMath, DepthwiseOptions,
    ExpertTokens, FlashAttentionOptions, Im2colOptions, InferAttentionOptions, MaxPoolOptions,
    Reduction,
};
use ascendcl::{Npu, release_failures};
use half::f16;

use crate::common::{assert_says, bound, isolated, usage};
use crate::op_table::{download, output, upload};

type D = Npu<0>;

isolated! {
    // Most operators do nothing then: the memory would come back as written.
    fn an_output_that_stays_unwritten_is_refused() {
        bound!(acl, side, device: D, current);
        let numbers = upload(current, side, &[1.0f32, 2.0, 3.0]);
        let places = upload(current, side, &[0i64]);
        let three = numbers.tensor(&[3]).unwrap();
        let nothing = numbers.slice(0..0).unwrap();
        let a = |shape: &[usize]| nothing.tensor(shape).unwrap();
        let out = |shape: &[usize]| output::<f32>(current, shape);
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
        assert_eq!(usage(op::constant_pad_nd(current, &row, &[1, 2], 0.0, out(&[3]))), empty("aclnnConstantPadNd", &[0]));

        let index = places.slice(0..0).unwrap().tensor(&[0]).unwrap().indices(current, side, 0).unwrap();
        let refused = op::scatter(current, &three, 0, &index, &row, Reduction::Replace, out(&[3]));
        assert_eq!(usage(refused), empty("aclnnScatter", &[0]));
        assert_eq!(usage(op::scatter_add(current, &three, 0, &index, &row, out(&[3]))), empty("aclnnScatterAdd", &[0]));
        assert_eq!(usage(op::index_add(current, &three, 0, &index, &row, 1.0, out(&[3]))), empty("aclnnIndexAdd", &[0]));
        assert_eq!(release_failures(), 0);
    }

    // Padding, weights without channels and blocks of any number give images of none.
    fn images_of_nothing_are_refused() {
        bound!(acl, side, device: D, current);
        let numbers = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0]);
        let nothing = numbers.slice(0..0).unwrap();
        let a = |shape: &[usize]| nothing.tensor(shape).unwrap();
        let square = numbers.tensor(&[1, 1, 2, 2]).unwrap();
        let out = |shape: &[usize]| output::<f32>(current, shape);
        let empty = |operator, shape: &[usize]| Usage::from(Misplaced::NoElements { operator, shape: shape.to_vec() });

        let padded = ConvolutionOptions { padding: &[1, 1], ..ConvolutionOptions::default() };
        let refused = op::convolution(current, &a(&[1, 1, 0, 1]), &square, None, &padded, out(&[1, 1, 1, 2]));
        assert_eq!(usage(refused), empty("aclnnConvolution", &[1, 1, 0, 1]));
        let plain = ConvolutionOptions::default();
        let refused = op::convolution(current, &a(&[1, 0, 2, 2]), &a(&[1, 0, 2, 2]), None, &plain, out(&[1, 1, 1, 1]));
        assert_eq!(usage(refused), empty("aclnnConvolution", &[1, 0, 2, 2]));
        let transposed = ConvolutionOptions { transposed: true, ..plain };
        let refused = op::convolution(current, &square, &a(&[1, 1, 0, 2]), None, &transposed, out(&[1, 1, 1, 3]));
        assert_eq!(usage(refused), empty("aclnnConvolution", &[1, 1, 0, 2]));
        // Each output of the gradients is compared with each operand.
        #[cfg(feature = "training")]
        {
            let mut rooms = [(); 2].map(|()| current.memset(current.malloc::<f32>(1).unwrap(), 0).unwrap());
            let [one, two] = rooms.each_mut().map(|room| room.slice_mut(0..0).unwrap());
            let (weight, bias) = (one.into_tensor(&[0, 1, 1, 1]).unwrap(), two.into_tensor(&[0]).unwrap());
            let (gradient, plain) = (a(&[1, 0, 2, 2]), ConvolutionOptions::default());
            let refused = op::convolution_backward(current, &gradient, &square, &a(&[0, 1, 1, 1]), &plain, out(&[1, 1, 2, 2]), weight, bias);
            assert_eq!(usage(refused), empty("aclnnConvolutionBackward", &[1, 0, 2, 2]));
            let [one, two] = rooms.each_mut().map(|room| room.slice_mut(0..0).unwrap());
            let (image, weight) = (one.into_tensor(&[0, 0, 1, 1]).unwrap(), two.into_tensor(&[2, 0, 1, 1]).unwrap());
            let gradient = a(&[0, 2, 1, 1]);
            let refused = op::convolution_backward(current, &gradient, &a(&[0, 0, 1, 1]), &a(&[2, 0, 1, 1]), &plain, image, weight, out(&[2]));
            assert_eq!(usage(refused), empty("aclnnConvolutionBackward", &[0, 2, 1, 1]));
        }
        let padded = DepthwiseOptions { padding: [1, 1], ..DepthwiseOptions::default() };
        let refused = op::conv_depthwise2d(current, &a(&[1, 1, 0, 1]), &square, None, &padded, out(&[1, 1, 1, 2]));
        assert_eq!(usage(refused), empty("aclnnConvDepthwise2d", &[1, 1, 0, 1]));

        let image = || a(&[1, 1, 0, 2]);
        let padded = AvgPoolOptions { padding: [1, 1], ..AvgPoolOptions::new([2, 2]) };
        assert_eq!(usage(op::avg_pool2d(current, &image(), &padded, out(&[1, 1, 1, 2]))), empty("aclnnAvgPool2d", &[1, 1, 0, 2]));
        let blocks = op::adaptive_avg_pool2d(current, &image(), out(&[1, 1, 2, 2]));
        assert_eq!(usage(blocks), empty("aclnnAdaptiveAvgPool2d", &[1, 1, 0, 2]));
        let padded = MaxPoolOptions { padding: [1, 1], stride: [1, 1], ..MaxPoolOptions::new([2, 2]) };
        let narrow = a(&[1, 1, 1, 0]);
        assert_eq!(usage(op::max_pool(current, &narrow, &padded, out(&[1, 1, 2, 1]))), empty("aclnnMaxPool", &[1, 1, 1, 0]));
        let both = a(&[1, 1, 1, 0]);
        let two = current.malloc::<i32>(2).unwrap().into_tensor(&[1, 1, 2, 1]).unwrap();
        let refused = op::max_pool2d_with_indices(current, &both, &padded, out(&[1, 1, 2, 1]), two);
        assert_eq!(usage(refused), empty("aclnnMaxPool2dWithIndices", &[1, 1, 1, 0]));
        let padded = Im2colOptions { padding: [1, 1], ..Im2colOptions::new([2, 2]) };
        assert_eq!(usage(op::im2col(current, &image(), &padded, out(&[1, 4, 3]))), empty("aclnnIm2col", &[1, 1, 0, 2]));
        let nearest = op::upsample_nearest2d(current, &image(), out(&[1, 1, 2, 2]));
        assert_eq!(usage(nearest), empty("aclnnUpsampleNearest2d", &[1, 1, 0, 2]));
        let linear = op::upsample_bilinear2d(current, &image(), false, (0.0, 0.0), out(&[1, 1, 2, 2]));
        assert_eq!(usage(linear), empty("aclnnUpsampleBilinear2d", &[1, 1, 0, 2]));
        assert_eq!(release_failures(), 0);
    }

    // Queries that see no key, heads without elements, tokens without experts, rows without elements.
    fn attention_to_nothing_and_tokens_of_nothing_are_refused() {
        bound!(acl, side, device: D, current);
        let numbers = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0]);
        let halves = upload(current, side, &[f16::from_f32(1.0); 2]);
        let experts = upload(current, side, &[0i32, 1]);
        let (nothing, no_halves) = (numbers.slice(0..0).unwrap(), halves.slice(0..0).unwrap());
        let a = |shape: &[usize]| nothing.tensor(shape).unwrap();
        let h = |shape: &[usize]| no_halves.tensor(shape).unwrap();
        let one = numbers.slice(0..1).unwrap().tensor(&[1, 1, 1, 1]).unwrap();
        let one_half = halves.slice(0..1).unwrap().tensor(&[1, 1, 1, 1]).unwrap();
        let out = |shape: &[usize]| output::<f32>(current, shape);
        let half_out = || current.malloc::<f16>(1).unwrap().into_tensor(&[1, 1, 1, 1]).unwrap();
        let whole_out = |len: usize| current.malloc::<i32>(len).unwrap().into_tensor(&[len]).unwrap();
        let (mut lent, mut rows) = (upload(current, side, &[0.0f32]), upload(current, side, &[0i32]));
        let mut bytes = upload(current, side, &[0i8]);
        let empty = |operator, shape: &[usize]| Usage::from(Misplaced::NoElements { operator, shape: shape.to_vec() });

        let trained = FlashAttentionOptions::new(1, 1.0, AttentionLayout::Bnsd);
        let figures = || out(&[1, 1, 1, 8]);
        let no_keys = a(&[1, 1, 0, 1]);
        let refused = op::flash_attention_score(current, &one, &no_keys, &no_keys, None, None, &trained, figures(), figures(), out(&[1, 1, 1, 1]));
        assert_eq!(usage(refused), empty("aclnnFlashAttentionScore", &[1, 1, 0, 1]));
        let no_width = a(&[1, 1, 1, 0]);
        let refused = op::flash_attention_score(current, &no_width, &no_width, &one, None, None, &trained, figures(), figures(), out(&[1, 1, 1, 1]));
        assert_eq!(usage(refused), empty("aclnnFlashAttentionScore", &[1, 1, 1, 0]));
        // The result has no elements then, but the figures have.
        let place = lent.slice_mut(0..0).unwrap().into_tensor(&[1, 1, 1, 0]).unwrap();
        let refused = op::flash_attention_score(current, &one, &one, &no_width, None, None, &trained, figures(), figures(), place);
        assert_eq!(usage(refused), empty("aclnnFlashAttentionScore", &[1, 1, 1, 0]));
        let inferred = InferAttentionOptions::new(1, 1.0, AttentionLayout::Bnsd);
        let no_keys = h(&[1, 1, 0, 1]);
        let refused = op::prompt_flash_attention_v3(current, &one_half, &no_keys, &no_keys, None, None, &inferred, half_out());
        assert_eq!(usage(refused), empty("aclnnPromptFlashAttentionV3", &[1, 1, 0, 1]));
        let refused = op::incre_flash_attention_v4(current, &one_half, &no_keys, &no_keys, None, None, &inferred, half_out());
        assert_eq!(usage(refused), empty("aclnnIncreFlashAttentionV4", &[1, 1, 0, 1]));
        let refused = op::fused_infer_attention_score_v2(current, &one_half, &no_keys, &no_keys, None, None, &inferred, half_out());
        assert_eq!(usage(refused), empty("aclnnFusedInferAttentionScoreV2", &[1, 1, 0, 1]));
        let no_width = h(&[1, 1, 1, 0]);
        let refused = op::fused_infer_attention_score_v3(current, &no_width, &no_width, &one_half, None, None, &inferred, half_out());
        assert_eq!(usage(refused), empty("aclnnFusedInferAttentionScoreV3", &[1, 1, 1, 0]));

        let chosen = || experts.tensor(&[2, 1]).unwrap().indices(current, side, 2).unwrap();
        let wide = a(&[2, 0]);
        let place = lent.slice_mut(0..0).unwrap().into_tensor(&[2, 0]).unwrap();
        let refused = op::moe_init_routing_v2(current, &wide, &chosen(), ExpertTokens::Count, place, whole_out(2), whole_out(2));
        assert_eq!(usage(refused), empty("aclnnMoeInitRoutingV2", &[2, 0]));
        let no_choice = experts.slice(0..0).unwrap();
        let indices = no_choice.tensor(&[4, 0]).unwrap().indices(current, side, 2).unwrap();
        let place = lent.slice_mut(0..0).unwrap().into_tensor(&[0, 1]).unwrap();
        let none = rows.slice_mut(0..0).unwrap().into_tensor(&[0]).unwrap();
        let column = numbers.tensor(&[4, 1]).unwrap();
        let refused = op::moe_init_routing_v2(current, &column, &indices, ExpertTokens::Cumsum, place, none, whole_out(2));
        assert_eq!(usage(refused), empty("aclnnMoeInitRoutingV2", &[4, 0]));
        let place = lent.slice_mut(0..0).unwrap().into_tensor(&[2, 0]).unwrap();
        let refused = op::moe_token_permute(current, &wide, &experts.tensor(&[2]).unwrap(), place, whole_out(2));
        assert_eq!(usage(refused), empty("aclnnMoeTokenPermute", &[2, 0]));
        let none = no_choice.tensor(&[0]).unwrap().indices(current, side, 0).unwrap();
        let refused = op::moe_token_unpermute(current, &column, &none, Some(&a(&[2, 0])), out(&[2, 1]));
        assert_eq!(usage(refused), empty("aclnnMoeTokenUnpermute", &[0]));

        let place = bytes.slice_mut(0..0).unwrap().into_tensor(&[2, 0]).unwrap();
        let refused = op::dynamic_quant(current, &h(&[2, 0]), None, place, out(&[2]));
        assert_eq!(usage(refused), empty("aclnnDynamicQuant", &[2, 0]));
        assert_eq!(release_failures(), 0);
    }

    // The checker reports what comes back unwritten.
    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn what_does_not_count_is_written() {
        bound!(acl, side, device: D, current, stream);
        let halves = upload(current, side, &[f16::from_f32(1.0); 2]);
        let two = halves.tensor(&[1, 1, 2, 1]).unwrap();
        let out = || current.malloc::<f16>(2).unwrap().into_tensor(&[1, 1, 2, 1]).unwrap();
        let all = InferAttentionOptions::new(1, 1.0, AttentionLayout::Bnsd);
        for (queries, keys, expected) in [([2], [0], [0.0, 0.0]), ([0], [2], [0.0, 0.0]), ([1], [1], [1.0, 0.0])] {
            let options = InferAttentionOptions { actual_seq_lengths: Some(&queries), actual_seq_lengths_kv: Some(&keys), ..all };
            let plan = op::prompt_flash_attention_v3(current, &two, &two, &two, None, None, &options, out()).unwrap();
            assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), expected.map(f16::from_f32));
        }
        let rows = upload(current, side, &[1.0f32, 2.0]);
        let experts = upload(current, side, &[1i32, 1]);
        let chosen = experts.tensor(&[2, 1]).unwrap().indices(current, side, 3).unwrap();
        let one = current.malloc::<f32>(1).unwrap().into_tensor(&[1, 1]).unwrap();
        let numbers = |len: usize| current.malloc::<i32>(len).unwrap().into_tensor(&[len]).unwrap();
        let tokens = rows.tensor(&[2, 1]).unwrap();
        let plan = op::moe_init_routing_v2(current, &tokens, &chosen, ExpertTokens::Count, one, numbers(2), numbers(3)).unwrap();
        let (expanded, places, counts) = plan.run(&mut stream).unwrap();
        assert_eq!(download(current, side, &expanded), [1.0]);
        assert_eq!(download(current, side, &places), [0, 1]);
        assert_eq!(download(current, side, &counts), [0, 2, 0]);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn sums_and_joins_have_a_result() {
        bound!(acl, side, device: D, current, stream);
        let numbers = upload(current, side, &[1.0f32, 2.0, 3.0]);
        let nothing = numbers.slice(3..3).unwrap();
        let three = numbers.tensor(&[3]).unwrap();
        let out = || current.malloc::<f32>(3).unwrap().into_tensor(&[3]).unwrap();
        let columns = nothing.tensor(&[0, 3]).unwrap();
        let sums = op::reduce_sum(current, &columns, &[0], false, out()).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &sums), [0.0; 3]);
        let products = op::prod_dim(current, &columns, 0, false, out()).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &products), [1.0; 3]);
        let means = op::mean(current, &columns, &[0], false, out()).unwrap().run(&mut stream).unwrap();
        assert!(download(current, side, &means).iter().all(|mean| mean.is_nan()));
        let deviations = op::std(current, &columns, &[0], 1, false, out()).unwrap().run(&mut stream).unwrap();
        assert!(download(current, side, &deviations).iter().all(|deviation| deviation.is_nan()));
        let variances = op::var(current, &columns, &[0], true, false, out()).unwrap().run(&mut stream).unwrap();
        assert!(download(current, side, &variances).iter().all(|variance| variance.is_nan()));
        let norms = op::norm(current, &columns, 2.0, &[0], false, out()).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &norms), [0.0; 3]);
        let sums = op::log_sum_exp(current, &columns, &[0], false, out()).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &sums), [f32::NEG_INFINITY; 3]);
        let truths = || current.malloc::<Bool>(3).unwrap().into_tensor(&[3]).unwrap();
        let all = op::all(current, &columns, &[0], false, truths()).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &all), [Bool::TRUE; 3]);
        let any = op::any(current, &columns, &[0], false, truths()).unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &any), [Bool::FALSE; 3]);
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
        bound!(acl, side, device: D, current);
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
