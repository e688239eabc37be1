//! The results of mixtures of experts and of quantized operators, and the shapes that they refuse.

use ascendcl::Npu;
use ascendcl::error::Usage;
use ascendcl::op::{self, Bool, ExpertTokens, RoundMode};
use half::{bf16, f16};

use crate::common::{bound, isolated, usage};
use crate::op_table::{download, operators, output, upload};

type D = Npu<0>;

/// Numbers in half precision.
fn h<const N: usize>(numbers: [f32; N]) -> [f16; N] {
    numbers.map(f16::from_f32)
}

const LN_2: f32 = std::f32::consts::LN_2;

operators! {
    gate(x = [0.0f32, 0.0, LN_2, LN_2, 0.0, 0.0], [2, 3]) => (y = [0.5f32, 0.25, 0.5, 0.25], [2, 2]; experts = [2i32, 0, 0, 1], [2, 2]; rows = [0i32, 2, 1, 3], [2, 2]):
        |current| op::moe_gating_top_k_softmax(current, &x, None, 2, y, experts, rows);
    gate_of_finished_rows(x = [0.0f32, 0.0, LN_2, LN_2, 0.0, 0.0], [2, 3]; finished = [Bool::FALSE, Bool::TRUE], [2])
        => (y = [0.5f32, 0.5], [2, 1]; experts = [2i32, 3], [2, 1]; rows = [0i32, 1], [2, 1]):
        |current| op::moe_gating_top_k_softmax(current, &x, Some(&finished), 1, y, experts, rows);
    permute_tokens(tokens = [1.0f32, 2.0, 3.0, 4.0], [2, 2]; indices = [1i64, 0, 0, 1], [2, 2])
        => (out = [1.0f32, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0], [4, 2]; sorted = [2i32, 0, 1, 3], [4]):
        |current| op::moe_token_permute(current, &tokens, &indices, out, sorted);
    permute_some_tokens(tokens = [1.0f32, 2.0, 3.0, 4.0], [2, 2]; indices = [1i32, 0], [2]) => (out = [3.0f32, 4.0], [1, 2]; sorted = [1i32, 0], [2]):
        |current| op::moe_token_permute(current, &tokens, &indices, out, sorted);
    dynamic_quant(x = h([127.0, -64.0, 0.0, 0.0]), [2, 2]) => (y = [127i8, -64, 0, 0], [2, 2]; scale = [1.0f32, 0.0], [2]):
        |current| op::dynamic_quant(current, &x, None, y, scale);
    dynamic_quant_smoothly(x = h([127.0, -64.0]), [1, 2]; smooth = h([1.0, 0.5]), [2]) => (y = [127i8, -32], [1, 2]; scale = [1.0f32], [1]):
        |current| op::dynamic_quant(current, &x, Some(&smooth), y, scale);
    ascend_quant(x = [1.5f32, -3.25], [1, 2]; scale = [2.0f32], [1]; offset = [1.0f32], [1]) => (y = [4i8, -6], [1, 2]):
        |current| op::ascend_quant_v3(current, &x, &scale, Some(&offset), false, RoundMode::Round, -1, y);
    ascend_quant_by_columns(x = [1.5f32, -3.25], [1, 2]; scale = [2.0f32, 1.0], [2]) => (y = [6i8, -3], [1, 2]):
        |current| op::ascend_quant_v3(current, &x, &scale, None, true, RoundMode::Trunc, -1, y);
    ascend_quant_saturates(x = [100.0f32, -100.0], [2, 1]; scale = [2.0f32, 2.0], [2]) => (y = [127i8, -128], [2, 1]):
        |current| op::ascend_quant_v3(current, &x, &scale, None, false, RoundMode::Floor, -2, y);
    quant_matmul(a = [1i8, 2], [1, 2]; b = [1i8, 2, 3, 4], [2, 2]; scale = [0.5f32], [1]; bias = [1i32, 0], [2]) => (out = [8i32, 10], [1, 2]):
        |current| op::quant_matmul_v4(current, &a, &b, &scale, None, None, Some(&bias), false, false, out);
    quant_matmul_of_tokens(a = [1i8, 2], [2, 1]; b = [1i8, 3, 2, 4], [2, 2]; scale = [0.5f32, 1.0], [2]; each = [2.0f32], [1]) => (out = h([7.0, 20.0]), [1, 2]):
        |current| op::quant_matmul_v4(current, &a, &b, &scale, None, Some(&each), None, true, true, out);
    quant_matmul_to_bytes(a = [100i8, 2], [1, 2]; b = [1i8, 2, 3, 4], [2, 2]; scale = [1.0f32], [1]; offset = [1.0f32], [1]) => (out = [107i8, 127], [1, 2]):
        |current| op::quant_matmul_v4(current, &a, &b, &scale, Some(&offset), None, None, false, false, out);
    weight_quant(x = h([1.0, 2.0]), [1, 2]; weight = [1i8, 2, 3, 4], [2, 2]; scale = h([1.0, 0.5]), [2]; offset = h([1.0]), [1]; bias = h([1.0, 1.0]), [2])
        => (y = h([11.0, 7.5]), [1, 2]):
        |current| op::weight_quant_batch_matmul_v2(current, &x, &weight, &scale, Some(&offset), Some(&bias), 0, y);
}

isolated! {
    fn tokens_return_to_their_places() {
        bound!(acl, side, device: D, current, stream);
        let rows = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        let permuted = rows.tensor(&[4, 2]).unwrap();
        let places = upload(current, side, &[2i32, 0, 1, 3]);
        let sorted = || places.tensor(&[4]).unwrap().indices(current, side, 4).unwrap();
        let halves = upload(current, side, &[0.5f32, 0.5, 1.0, 1.0]);
        let probs = halves.tensor(&[2, 2]).unwrap();
        let out = |shape: &[usize]| output::<f32>(current, shape);
        let plan = op::moe_token_unpermute(current, &permuted, &sorted(), Some(&probs), out(&[2, 2])).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [3.0, 4.0, 10.0, 12.0]);
        let plan = op::moe_token_unpermute(current, &permuted, &sorted(), None, out(&[4, 2])).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [5.0, 6.0, 1.0, 2.0, 3.0, 4.0, 7.0, 8.0]);

        let few = rows.slice(0..6).unwrap();
        assert_eq!(
            usage(op::moe_token_unpermute(current, &few.tensor(&[3, 2]).unwrap(), &sorted(), None, out(&[4, 2]))),
            Usage::IndexBound { operator: "aclnnMoeTokenUnpermute", below: 4, size: 3 }
        );
        assert_eq!(
            usage(op::moe_token_unpermute(current, &permuted, &sorted(), Some(&probs), out(&[4, 2]))),
            Usage::OperandShape {
                operator: "aclnnMoeTokenUnpermute",
                first: vec![4, 2],
                expected: vec![4, 2],
                shape: vec![2, 2],
            }
        );
        assert_eq!(
            usage(op::moe_token_unpermute(current, &permuted, &sorted(), None, out(&[2, 2]))),
            Usage::OperandShape {
                operator: "aclnnMoeTokenUnpermute",
                first: vec![4, 2],
                expected: vec![2],
                shape: vec![4],
            }
        );
        let experts = || current.malloc::<i32>(8).unwrap().into_tensor(&[4, 2]).unwrap();
        assert_eq!(
            usage(op::moe_gating_top_k_softmax(current, &permuted, None, 3, out(&[4, 2]), experts(), experts())),
            Usage::Chosen { operator: "aclnnMoeGatingTopKSoftmax", k: 3, size: 2, axis: 1 }
        );
        let of_tokens = places.tensor(&[4]).unwrap();
        let four = || current.malloc::<i32>(4).unwrap().into_tensor(&[4]).unwrap();
        assert_eq!(
            usage(op::moe_token_permute(current, &permuted, &of_tokens, out(&[5, 2]), four())),
            Usage::OutputShape {
                operator: "aclnnMoeTokenPermute",
                operand: vec![4, 2],
                expected: vec![4, 2],
                output: vec![5, 2],
            }
        );
    }

    fn tokens_go_to_their_experts() {
        bound!(acl, side, device: D, current, stream);
        let (x, chosen) = (upload(current, side, &[10.0f32, 20.0]), upload(current, side, &[1i32, 0, 0, 2]));
        let x = x.tensor(&[2, 1]).unwrap();
        let experts = || chosen.tensor(&[2, 2]).unwrap().indices(current, side, 3).unwrap();
        let expanded = |rows: usize| current.malloc::<f32>(rows).unwrap().into_tensor(&[rows, 1]).unwrap();
        let whole = |len: usize| current.malloc::<i32>(len).unwrap().into_tensor(&[len]).unwrap();
        for (rows, counted, tokens) in [(4, ExpertTokens::Cumsum, [2, 3, 4]), (3, ExpertTokens::Count, [2, 1, 1])] {
            let plan = op::moe_init_routing_v2(current, &x, &experts(), counted, expanded(rows), whole(4), whole(3)).unwrap();
            let (out, places, found) = plan.run(&mut stream).unwrap();
            assert_eq!(download(current, side, &out), [10.0, 20.0, 10.0, 20.0][..rows]);
            assert_eq!(download(current, side, &places), [2, 0, 1, 3]);
            assert_eq!(download(current, side, &found), tokens);
        }
        assert_eq!(
            usage(op::moe_init_routing_v2(current, &x, &experts(), ExpertTokens::Count, expanded(4), whole(4), whole(2))),
            Usage::IndexBound { operator: "aclnnMoeInitRoutingV2", below: 3, size: 2 }
        );
        assert_eq!(
            usage(op::moe_init_routing_v2(current, &x, &experts(), ExpertTokens::Count, expanded(5), whole(4), whole(3))),
            Usage::OutputShape {
                operator: "aclnnMoeInitRoutingV2",
                operand: vec![2, 1],
                expected: vec![4, 1],
                output: vec![5, 1],
            }
        );
    }

    fn quantized_operators_say_what_does_not_fit() {
        bound!(acl, side, device: D, current, stream);
        let numbers = upload(current, side, &[bf16::ONE; 64]);
        let (x, one) = (numbers.tensor(&[1, 64]).unwrap(), numbers.slice(0..1).unwrap());
        let (one, two) = (one.tensor(&[1]).unwrap(), numbers.slice(0..2).unwrap());
        let bytes = upload(current, side, &[1i8; 64]);
        let weight = bytes.tensor(&[64, 1]).unwrap();
        let out = || current.malloc::<bf16>(1).unwrap().into_tensor(&[1, 1]).unwrap();
        let groups = two.tensor(&[2, 1]).unwrap();
        let ten = upload(current, side, &[10.0f32]);
        let bias = ten.tensor(&[1]).unwrap();
        let plan = op::weight_quant_batch_matmul_v2(current, &x, &weight, &groups, None, Some(&bias), 32, out()).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [bf16::from_f32(74.0)]);
        assert_eq!(
            usage(op::weight_quant_batch_matmul_v2::<_, _, f32, _>(current, &x, &weight, &one, None, None, 32, out())),
            Usage::OperandShape {
                operator: "aclnnWeightQuantBatchMatmulV2",
                first: vec![64, 1],
                expected: vec![2, 1],
                shape: vec![1],
            }
        );
        assert_eq!(
            op::weight_quant_batch_matmul_v2(current, &x, &weight, &groups, None, Some(&bias), 64, out())
                .unwrap_err()
                .to_string(),
            "aclnnWeightQuantBatchMatmulV2: the numbers [64] do not fit an operand of the shape [64, 1]: the size of a group is \
             0, or a multiple of 32 that is less than the rows of the weights"
        );
        let flat = numbers.tensor(&[64]).unwrap();
        let (y, scale) = (current.malloc::<i8>(64).unwrap(), current.malloc::<f32>(1).unwrap());
        assert_eq!(
            usage(op::dynamic_quant(current, &flat, None, y.into_tensor(&[64]).unwrap(), scale.into_tensor(&[]).unwrap())),
            Usage::OperandRank { operator: "aclnnDynamicQuant", shape: vec![64], rank: 2 }
        );
        let cube = numbers.tensor(&[4, 4, 4]).unwrap();
        let y = || current.malloc::<i8>(64).unwrap().into_tensor(&[4, 4, 4]).unwrap();
        assert_eq!(
            op::ascend_quant_v3(current, &cube, &one, None, false, RoundMode::Round, 0, y()).unwrap_err().to_string(),
            "aclnnAscendQuantV3: the numbers [0] do not fit an operand of the shape [4, 4, 4]: the axis is one of the last two \
             dimensions"
        );
        assert_eq!(
            usage(op::ascend_quant_v3(current, &cube, &two.tensor(&[2]).unwrap(), None, false, RoundMode::Round, -1, y())),
            Usage::OperandShape {
                operator: "aclnnAscendQuantV3",
                first: vec![4, 4, 4],
                expected: vec![4],
                shape: vec![2],
            }
        );
        let (row, out) = (bytes.tensor(&[1, 64]).unwrap(), || current.malloc::<i32>(1).unwrap().into_tensor(&[1, 1]).unwrap());
        assert_eq!(
            usage(op::quant_matmul_v4(current, &row, &weight, &one, None, None, None, false, true, out())),
            Usage::Product {
                operator: "aclnnQuantMatmulV4",
                left: vec![1, 64],
                right: vec![1, 64],
                output: vec![1, 1],
            }
        );
        assert_eq!(
            usage(op::quant_matmul_v4(current, &row, &weight, &one, None, Some(&ten.tensor(&[1, 1]).unwrap()), None, false, false, out())),
            Usage::OperandShape {
                operator: "aclnnQuantMatmulV4",
                first: vec![64, 1],
                expected: vec![1],
                shape: vec![1, 1],
            }
        );
    }
}
