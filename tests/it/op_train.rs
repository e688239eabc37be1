//! Random numbers, dropout, steps of an optimizer, and queries and keys that are turned.

use ascendcl::Npu;
use ascendcl::error::Usage;
use ascendcl::op::{self, AdamWOptions, Pairs};

use crate::common::{bound, isolated, usage};
use crate::op_table::{assert_near, download, operators, upload};

type D = Npu<0>;

operators! {
    dropout(a = [1.0f32, 2.0, 3.0, 4.0], [2, 2]; mask = [0b0101u8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [16])
        => (out = [2.0f32, 0.0, 6.0, 0.0], [2, 2]):
        |current| op::dropout_do_mask(current, &a, &mask, 0.5, out);
}

isolated! {
    // The checker reports fresh memory that an operator reads.
    ["ASCENDCL_EMULATOR_CHECK" = "leaks"]
    fn random_numbers_have_their_distribution() {
        bound!(acl, side, device: D, current, stream);
        let mut uniform = |seed, offset| {
            let out = current.malloc::<f32>(1000).unwrap().into_tensor(&[10, 100]).unwrap();
            let plan = op::inplace_uniform(current, out, 2.0, 3.0, seed, offset).unwrap();
            download(current, side, &plan.run(&mut stream).unwrap())
        };
        let numbers = uniform(7, 0);
        assert!(numbers.iter().all(|number| (2.0..3.0).contains(number)));
        let mean = numbers.iter().sum::<f32>() / 1000.0;
        assert!((mean - 2.5).abs() < 0.05, "{mean}");
        assert_eq!(uniform(7, 0), numbers);
        assert_ne!(uniform(8, 0), numbers);
        assert_ne!(uniform(7, 1), numbers);

        let out = current.malloc::<f32>(1000).unwrap().into_tensor(&[1000]).unwrap();
        let plan = op::inplace_normal(current, out, 5.0, 2.0, 7, 0).unwrap();
        let numbers = download(current, side, &plan.run(&mut stream).unwrap());
        let mean = numbers.iter().sum::<f32>() / 1000.0;
        let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f32>() / 1000.0;
        assert!((mean - 5.0).abs() < 0.3 && (variance - 4.0).abs() < 0.6, "{mean} {variance}");

        let mut buf = stream.adopt(current.memset(current.malloc::<i32>(100).unwrap(), 0).unwrap());
        let plan = op::inplace_uniform(current, buf.tensor_mut(&[100]).unwrap(), 3.0, 6.0, 1, 0).unwrap();
        plan.launch(&mut stream).unwrap().into_output();
        let idle = stream.synchronize().unwrap();
        let mut numbers = download(current, side, &idle.take(buf));
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers, [3, 4, 5]);
    }

    fn a_dropout_mask_has_a_bit_for_each_element() {
        bound!(acl, side, device: D, current, stream);
        assert_eq!(op::dropout_mask_len(&[4, 32]), 16);
        assert_eq!(op::dropout_mask_len(&[129]), 32);
        assert_eq!(op::dropout_mask_len(&[]), 16);
        assert_eq!(op::dropout_mask_len(&[0]), 0);
        let mut mask = |prob| {
            let out = current.malloc::<u8>(16).unwrap().into_tensor(&[16]).unwrap();
            let plan = op::dropout_gen_mask(current, &[4, 32], prob, 3, 0, out).unwrap();
            download(current, side, &plan.run(&mut stream).unwrap())
        };
        assert_eq!(mask(0.0), [255; 16]);
        assert_eq!(mask(1.0), [0; 16]);
        let kept: u32 = mask(0.5).iter().map(|byte| byte.count_ones()).sum();
        assert!((40..=88).contains(&kept), "{kept}");

        let out = || current.malloc::<u8>(16).unwrap().into_tensor(&[16]).unwrap();
        assert_eq!(
            usage(op::dropout_gen_mask(current, &[129], 0.5, 3, 0, out())),
            Usage::OutputShape {
                operator: "aclnnDropoutGenMask",
                operand: vec![16],
                expected: vec![32],
                output: vec![16],
            }
        );
        assert_eq!(
            op::dropout_gen_mask(current, &[-1], 0.5, 3, 0, out()).unwrap_err().to_string(),
            "aclnnDropoutGenMask: the numbers [-1] do not fit an operand of the shape [16]: sizes of a tensor are at least 0"
        );
        let refused = op::dropout_gen_mask(current, &[128], 1.5, 3, 0, out()).unwrap_err();
        assert_eq!(refused.code(), Some(161_002));
        let (a, bits) = (upload(current, side, &[1.0f32; 129]), upload(current, side, &[255u8; 16]));
        let (a, bits) = (a.tensor(&[129]).unwrap(), bits.tensor(&[16]).unwrap());
        let out = current.malloc::<f32>(129).unwrap().into_tensor(&[129]).unwrap();
        assert_eq!(
            usage(op::dropout_do_mask(current, &a, &bits, 0.5, out)),
            Usage::OperandShape {
                operator: "aclnnDropoutDoMask",
                first: vec![129],
                expected: vec![32],
                shape: vec![16],
            }
        );
    }

    fn queries_and_keys_are_turned_in_place() {
        bound!(acl, side, device: D, current, stream);
        let (zeros, ones) = (upload(current, side, &[0.0f32; 4]), upload(current, side, &[1.0f32; 4]));
        let (cos, sin) = (zeros.tensor(&[1, 1, 1, 4]).unwrap(), ones.tensor(&[1, 1, 1, 4]).unwrap());
        let mut query = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0]);
        let mut key = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        let shape = [1, 1, 2, 4];
        for (pairs, of_query, of_key) in [
            (Pairs::Neighbours, [-2.0, 1.0, -4.0, 3.0], [-2.0, 1.0, -4.0, 3.0, -6.0, 5.0, -8.0, 7.0]),
            (Pairs::Halves, [4.0, -3.0, -2.0, 1.0], [4.0, -3.0, -2.0, 1.0, 8.0, -7.0, -6.0, 5.0]),
        ] {
            let (q, k) = (query.tensor_mut(&[1, 1, 1, 4]).unwrap(), key.tensor_mut(&shape).unwrap());
            op::apply_rotary_pos_emb_v2(current, q, k, &cos, &sin, pairs).unwrap().run(&mut stream).unwrap();
            assert_near(&download(current, side, &query), &of_query);
            assert_near(&download(current, side, &key), &of_key);
        }
        let (q, k) = (query.tensor_mut(&[1, 1, 1, 4]).unwrap(), key.tensor_mut(&[1, 2, 1, 4]).unwrap());
        assert_eq!(
            usage(op::apply_rotary_pos_emb_v2(current, q, k, &cos, &sin, Pairs::Halves)),
            Usage::OperandShape {
                operator: "aclnnApplyRotaryPosEmbV2",
                first: vec![1, 1, 1, 4],
                expected: vec![1, 1, 1, 4],
                shape: vec![1, 2, 1, 4],
            }
        );
        let (q, k) = (query.tensor_mut(&[1, 1, 4, 1]).unwrap(), key.tensor_mut(&shape).unwrap());
        assert_eq!(
            op::apply_rotary_pos_emb(current, q, k, &cos, &sin).unwrap_err().to_string(),
            "aclnnApplyRotaryPosEmb: the numbers [1] do not fit an operand of the shape [1, 1, 4, 1]: the last dimension has \
             pairs of elements"
        );
        let (cos, sin) = (upload(current, side, &[0.0f32; 128]), upload(current, side, &[1.0f32; 128]));
        let (cos, sin) = (cos.tensor(&[1, 1, 1, 128]).unwrap(), sin.tensor(&[1, 1, 1, 128]).unwrap());
        let numbers: Vec<f32> = (0..128u8).map(f32::from).collect();
        let (mut query, mut key) = (upload(current, side, &numbers), upload(current, side, &numbers));
        let turned: Vec<f32> = (64..128u8).map(|one| -f32::from(one)).chain((0..64u8).map(f32::from)).collect();
        let (q, k) = (query.tensor_mut(&[1, 1, 1, 128]).unwrap(), key.tensor_mut(&[1, 1, 1, 128]).unwrap());
        op::apply_rotary_pos_emb(current, q, k, &cos, &sin).unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &query), &turned);
        assert_near(&download(current, side, &key), &turned);
    }

    fn a_step_of_adam_changes_parameters_and_both_means() {
        bound!(acl, side, device: D, current, stream);
        let [mut parameters, mut mean, mut square] =
            [[1.0f32, 1.0], [0.0; 2], [0.0; 2]].map(|numbers| upload(current, side, &numbers));
        let (gradient, step) = (upload(current, side, &[0.5f32, -0.5]), upload(current, side, &[1i64, 2]));
        let first = step.slice(0..1).unwrap();
        let options = AdamWOptions { lr: 0.1, weight_decay: 0.1, eps: 0.0, ..AdamWOptions::default() };
        for (maximize, expected) in [(false, [0.89, 1.09]), (true, [1.09, 0.89])] {
            parameters = upload(current, side, &[1.0, 1.0]);
            mean = upload(current, side, &[0.0; 2]);
            square = upload(current, side, &[0.0; 2]);
            let changed = [&mut parameters, &mut mean, &mut square].map(|one| one.tensor_mut(&[2]).unwrap());
            let [p, m, v] = changed;
            let (gradient, first) = (gradient.tensor(&[2]).unwrap(), first.tensor(&[1]).unwrap());
            let options = AdamWOptions { maximize, ..options };
            let plan = op::apply_adam_w_v2(current, p, m, v, &gradient, &first, &options).unwrap();
            plan.run(&mut stream).unwrap();
            assert_near(&download(current, side, &parameters), &expected);
            let sign = if maximize { -1.0 } else { 1.0 };
            assert_near(&download(current, side, &mean), &[0.05 * sign, -0.05 * sign]);
            assert_near(&download(current, side, &square), &[0.000_25, 0.000_25]);
        }
        let wrong = |shape: &[usize], of_step: &[usize]| Usage::OperandShape {
            operator: "aclnnApplyAdamWV2",
            first: vec![2],
            expected: of_step.to_vec(),
            shape: shape.to_vec(),
        };
        let (right, both) = (gradient.tensor(&[2]).unwrap(), step.tensor(&[2]).unwrap());
        let [p, m, v] = [&mut parameters, &mut mean, &mut square].map(|one| one.tensor_mut(&[2]).unwrap());
        assert_eq!(usage(op::apply_adam_w_v2(current, p, m, v, &right, &both, &options)), wrong(&[2], &[1]));
        let row = gradient.tensor(&[1, 2]).unwrap();
        let [p, m, v] = [&mut parameters, &mut mean, &mut square].map(|one| one.tensor_mut(&[2]).unwrap());
        assert_eq!(usage(op::apply_adam_w_v2(current, p, m, v, &row, &both, &options)), wrong(&[1, 2], &[2]));
    }
}
