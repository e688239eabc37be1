//! The results of attention, and the shapes that it refuses.

use ascendcl::Npu;
use ascendcl::error::Usage;
use ascendcl::op::{
    self, AttentionLayout, Bool, FlashAttentionOptions, InferAttentionOptions, SparseMode,
};
use half::f16;

use crate::common::{bound, isolated, usage};
use crate::op_table::{download, operators, upload};

type D = Npu<0>;

/// Numbers in half precision.
fn h<const N: usize>(numbers: [f32; N]) -> [f16; N] {
    numbers.map(f16::from_f32)
}

const LN_2: f32 = std::f32::consts::LN_2;
const TRAINED: FlashAttentionOptions = FlashAttentionOptions::new(1, 1.0, AttentionLayout::Bnsd);
const INFERRED: InferAttentionOptions<'_> =
    InferAttentionOptions::new(1, 1.0, AttentionLayout::Bnsd);
const ONE: [usize; 4] = [1, 1, 1, 1];
const TWO: [usize; 4] = [1, 1, 2, 1];
const EIGHT: [usize; 4] = [1, 1, 1, 8];

operators! {
    flash(q = [1.0f32], ONE; k = [0.0f32, LN_2], TWO; v = [1.0f32, 4.0], TWO)
        => (most = [LN_2; 8], EIGHT; sum = [1.5f32; 8], EIGHT; out = [3.0f32], ONE):
        |current| op::flash_attention_score(current, &q, &k, &v, None, None, &TRAINED, most, sum, out);
    flash_with_shift(q = [1.0f32], ONE; k = [0.0f32; 2], TWO; v = [1.0f32, 4.0], TWO; shift = [0.0f32, LN_2], [1, 1, 1, 2])
        => (most = [LN_2; 8], EIGHT; sum = [1.5f32; 8], EIGHT; out = [3.0f32], ONE):
        |current| op::flash_attention_score(current, &q, &k, &v, Some(&shift), None, &TRAINED, most, sum, out);
    flash_with_mask(q = [1.0f32], ONE; k = [0.0f32, LN_2], TWO; v = [1.0f32, 4.0], TWO; mask = [Bool::FALSE, Bool::TRUE], [1, 2])
        => (most = [0.0f32; 8], EIGHT; sum = [1.0f32; 8], EIGHT; out = [1.0f32], ONE):
        |current| op::flash_attention_score(current, &q, &k, &v, None, Some(&mask), &TRAINED, most, sum, out);
    // Two heads of the queries see one head of the keys.
    flash_in_rows(q = [0.0f32; 2], [1, 1, 2]; k = [0.0f32, 0.0], [2, 1, 1]; v = [1.0f32, 4.0], [2, 1, 1])
        => (most = [0.0f32; 16], [1, 2, 1, 8]; sum = [2.0f32; 16], [1, 2, 1, 8]; out = [2.5f32; 2], [1, 1, 2]):
        |current| op::flash_attention_score(current, &q, &k, &v, None, None, &FlashAttentionOptions::new(2, 1.0, AttentionLayout::Sbh), most, sum, out);
    prompt(q = h([0.0, 0.0]), TWO; k = h([0.0, 0.0]), TWO; v = h([1.0, 3.0]), TWO) => (out = h([2.0, 2.0]), TWO):
        |current| op::prompt_flash_attention_v3(current, &q, &k, &v, None, None, &INFERRED, out);
    prompt_with_lengths(q = h([0.0, 0.0]), TWO; k = h([0.0, 0.0]), TWO; v = h([1.0, 3.0]), TWO) => (out = h([1.0, 0.0]), TWO):
        |current| op::prompt_flash_attention_v3(current, &q, &k, &v, None, None,
            &InferAttentionOptions { actual_seq_lengths: Some(&[1]), actual_seq_lengths_kv: Some(&[1]), ..INFERRED }, out);
    prompt_with_mask(q = h([0.0, 0.0]), TWO; k = h([0.0, 0.0]), TWO; v = h([1.0, 3.0]), TWO;
        mask = [Bool::FALSE, Bool::TRUE, Bool::FALSE, Bool::FALSE], [1, 1, 2, 2]) => (out = h([1.0, 2.0]), TWO):
        |current| op::prompt_flash_attention_v3(current, &q, &k, &v, None, Some(&mask), &INFERRED, out);
    increment(q = h([0.0, 0.0]), [2, 1, 1]; k = h([0.0; 4]), [2, 2, 1]; v = h([1.0, 3.0, 5.0, 9.0]), [2, 2, 1];
        mask = [Bool::FALSE, Bool::TRUE, Bool::FALSE, Bool::FALSE], [2, 2]) => (out = h([1.0, 7.0]), [2, 1, 1]):
        |current| op::incre_flash_attention_v4(current, &q, &k, &v, None, Some(&mask), &InferAttentionOptions::new(1, 1.0, AttentionLayout::Bsh), out);
    increment_with_cache(q = h([0.0, 0.0]), [1, 1, 2, 1]; k = h([0.0; 3]), [1, 3, 1, 1]; v = h([1.0, 3.0, 9.0]), [1, 3, 1, 1]) => (out = h([2.0, 2.0]), [1, 1, 2, 1]):
        |current| op::incre_flash_attention_v4(current, &q, &k, &v, None, None,
            &InferAttentionOptions { num_key_value_heads: 1, actual_seq_lengths_kv: Some(&[2]), ..InferAttentionOptions::new(2, 1.0, AttentionLayout::Bsnd) }, out);
    fused_v2(q = h([0.0, 0.0]), TWO; k = h([0.0, 0.0]), TWO; v = h([1.0, 3.0]), TWO; mask = [Bool::FALSE, Bool::TRUE, Bool::FALSE, Bool::FALSE], [2, 2])
        => (out = h([1.0, 2.0]), TWO):
        |current| op::fused_infer_attention_score_v2(current, &q, &k, &v, None, Some(&mask), &INFERRED, out);
    fused_v3(q = h([0.0]), ONE; k = h([0.0, 0.0]), TWO; v = h([1.0, 3.0, 5.0, 9.0]), [1, 1, 2, 2]) => (out = h([3.0, 6.0]), [1, 1, 1, 2]):
        |current| op::fused_infer_attention_score_v3(current, &q, &k, &v, None, None, &INFERRED, out);
}

isolated! {
    fn causal_modes_take_a_mask_of_2048() {
        bound!(acl, side, device: D, current, stream);
        let (q, v) = (upload(current, side, &h([0.0, 0.0])), upload(current, side, &h([1.0, 3.0, 8.0])));
        let (q, three) = (q.tensor(&TWO).unwrap(), [1, 1, 3, 1]);
        let k = upload(current, side, &h([0.0; 3]));
        let (k, v) = (k.tensor(&three).unwrap(), v.tensor(&three).unwrap());
        let above: Vec<Bool> = (0..2048 * 2048).map(|index| (index % 2048 > index / 2048).into()).collect();
        let above = upload(current, side, &above);
        let mask = above.tensor(&[2048, 2048]).unwrap();
        for (sparse_mode, expected) in [
            (SparseMode::LeftUpCausal, [1.0, 2.0]),
            (SparseMode::RightDownCausal, [2.0, 4.0]),
            (SparseMode::Band { pre_tokens: 0, next_tokens: 0 }, [3.0, 8.0]),
        ] {
            let options = InferAttentionOptions { sparse_mode, ..INFERRED };
            let out = || current.malloc::<f16>(2).unwrap().into_tensor(&TWO).unwrap();
            let plan = op::prompt_flash_attention_v3(current, &q, &k, &v, None, Some(&mask), &options, out()).unwrap();
            assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), h(expected), "{sparse_mode:?}");
            assert_eq!(
                op::prompt_flash_attention_v3(current, &q, &k, &v, None, None, &options, out()).unwrap_err().to_string(),
                "aclnnPromptFlashAttentionV3: the numbers [2048, 2048] do not fit an operand of the shape [1, 1, 2, 1]: this \
                 sparse mode takes a mask of these sizes, true above the diagonal"
            );
        }
    }

    // The position of a query counts from the last one of its batch that counts, not from the last one of the tensor.
    fn causal_modes_count_from_the_last_query_that_counts() {
        bound!(acl, side, device: D, current, stream);
        let (q, v) = (upload(current, side, &h([0.0, 0.0])), upload(current, side, &h([1.0, 3.0, 8.0])));
        let (q, three) = (q.tensor(&TWO).unwrap(), [1, 1, 3, 1]);
        let k = upload(current, side, &h([0.0; 3]));
        let (k, v) = (k.tensor(&three).unwrap(), v.tensor(&three).unwrap());
        let above: Vec<Bool> = (0..2048 * 2048).map(|index| (index % 2048 > index / 2048).into()).collect();
        let above = upload(current, side, &above);
        let mask = above.tensor(&[2048, 2048]).unwrap();
        let band = SparseMode::Band { pre_tokens: 0, next_tokens: 0 };
        for (sparse_mode, keys, expected) in [
            (SparseMode::LeftUpCausal, 3, 1.0),
            (SparseMode::RightDownCausal, 3, 4.0),
            (SparseMode::RightDownCausal, 2, 2.0),
            (band, 3, 8.0),
            (band, 2, 3.0),
        ] {
            let (queries, keys) = ([1], [keys]);
            let options = InferAttentionOptions {
                sparse_mode,
                actual_seq_lengths: Some(&queries),
                actual_seq_lengths_kv: Some(&keys),
                ..INFERRED
            };
            let out = current.malloc::<f16>(2).unwrap().into_tensor(&TWO).unwrap();
            let plan = op::prompt_flash_attention_v3(current, &q, &k, &v, None, Some(&mask), &options, out).unwrap();
            let result = download(current, side, &plan.run(&mut stream).unwrap());
            assert_eq!(result.first(), Some(&f16::from_f32(expected)), "{sparse_mode:?} {keys:?}");
        }
    }

    fn attention_says_what_does_not_fit() {
        bound!(acl, side, device: D, current);
        let twelve = upload(current, side, &h([0.0; 12]));
        let t = |shape: &[usize]| twelve.tensor(shape).unwrap();
        let out = || current.malloc::<f16>(12).unwrap().into_tensor(&[1, 2, 2, 3]).unwrap();
        let two = InferAttentionOptions::new(2, 1.0, AttentionLayout::Bnsd);
        let (q, k) = (t(&[1, 2, 2, 3]), t(&[1, 2, 3, 2]));
        assert_eq!(
            usage(op::prompt_flash_attention_v3(current, &q, &k, &q, None, None, &two, out())),
            Usage::OperandShape {
                operator: "aclnnPromptFlashAttentionV3",
                first: vec![1, 2, 2, 3],
                expected: vec![1, 2, 3, 3],
                shape: vec![1, 2, 3, 2],
            }
        );
        assert_eq!(
            usage(op::prompt_flash_attention_v3(current, &q, &q, &k, None, None, &two, out())),
            Usage::OperandShape {
                operator: "aclnnPromptFlashAttentionV3",
                first: vec![1, 2, 2, 3],
                expected: vec![1, 2, 2, 2],
                shape: vec![1, 2, 3, 2],
            }
        );
        let refused = |options: &InferAttentionOptions<'_>| {
            op::fused_infer_attention_score_v2(current, &q, &q, &q, None, None, options, out()).unwrap_err().to_string()
        };
        assert_eq!(
            refused(&InferAttentionOptions { num_heads: 4, ..two }),
            "aclnnFusedInferAttentionScoreV2: the numbers [4] do not fit an operand of the shape [1, 2, 2, 3]: the dimension \
             of the heads has this number of them, or the last dimension has a part for each"
        );
        assert_eq!(
            refused(&InferAttentionOptions { actual_seq_lengths_kv: Some(&[3]), ..two }),
            "aclnnFusedInferAttentionScoreV2: the numbers [3] do not fit an operand of the shape [1, 2, 2, 3]: there is a \
             number for each batch, up to the number of positions"
        );
        assert_eq!(
            refused(&InferAttentionOptions { actual_seq_lengths: Some(&[]), ..two }),
            "aclnnFusedInferAttentionScoreV2: the numbers [] do not fit an operand of the shape [1, 2, 2, 3]: there is a \
             number for each batch, up to the number of positions"
        );
        assert_eq!(
            refused(&InferAttentionOptions { input_layout: AttentionLayout::Sbh, ..two }),
            "aclnnFusedInferAttentionScoreV2: the numbers [1, 2, 2, 3] do not fit an operand of the shape [1, 2, 2, 3]: the \
             layout Sbh is for training; inference takes Bsh, Bsnd and Bnsd"
        );
        assert_eq!(
            op::incre_flash_attention_v4(current, &q, &q, &q, None, None, &two, out()).unwrap_err().to_string(),
            "aclnnIncreFlashAttentionV4: the numbers [2] do not fit an operand of the shape [1, 2, 2, 3]: there is one query, \
             which sees all keys: sparse_mode and actual_seq_lengths have their defaults"
        );
        let six = upload(current, side, &[Bool::FALSE; 6]);
        let mask = six.tensor(&[2, 3]).unwrap();
        assert_eq!(
            usage(op::fused_infer_attention_score_v3(current, &q, &q, &q, None, Some(&mask), &two, out())),
            Usage::OperandShape {
                operator: "aclnnFusedInferAttentionScoreV3",
                first: vec![1, 2, 2, 3],
                expected: vec![2, 2],
                shape: vec![2, 3],
            }
        );
        let three = t(&[1, 3, 2, 2]);
        let more = InferAttentionOptions { num_heads: 3, num_key_value_heads: 2, ..two };
        assert_eq!(
            op::prompt_flash_attention_v3(current, &three, &q, &q, None, None, &more, out()).unwrap_err().to_string(),
            "aclnnPromptFlashAttentionV3: the numbers [3, 2] do not fit an operand of the shape [1, 3, 2, 2]: the heads of the \
             queries are a multiple of those of the keys"
        );
        let sizes = [vec![1, 2, 2, 8], vec![1, 2, 1, 8]];
        let [most, sum] = sizes.map(|shape| current.malloc::<f32>(shape.iter().product()).unwrap().into_tensor(&shape).unwrap());
        let options = FlashAttentionOptions::new(2, 1.0, AttentionLayout::Bnsd);
        assert_eq!(
            usage(op::flash_attention_score(current, &q, &q, &q, None, None, &options, most, sum, out())),
            Usage::OutputShape {
                operator: "aclnnFlashAttentionScore",
                operand: vec![1, 2, 2, 3],
                expected: vec![1, 2, 2, 8],
                output: vec![1, 2, 1, 8],
            }
        );
    }
}
