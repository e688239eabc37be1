//! Rows at places, random numbers with seeds of the device, and further functions of elements, rows and matrices.

use ascendcl::Npu;
use ascendcl::op::{self, Bool};

use crate::common::{bound, isolated};
use crate::op_table::{assert_near, download, in_place, operators, upload};

type D = Npu<0>;

operators! {
    is_in_tensor_scalar(a = [1i32, 2, 3], [3]) => (out = [Bool::TRUE, Bool::FALSE, Bool::TRUE], [3]):
        |current| op::is_in_tensor_scalar(current, &a, 2, true, out);
    is_in_scalar_tensor(a = [1i32, 2, 3], [3]) => (out = [Bool::TRUE], []):
        |current| op::is_in_scalar_tensor(current, 2, &a, false, out);
    prelu(a = [-1.0f32, -2.0, 3.0, -4.0], [2, 2]; weight = [0.5, 0.25], [2]) => (out = [-0.5f32, -0.5, 3.0, -1.0], [2, 2]):
        |current| op::prelu(current, &a, &weight, out);
    fatrelu_mul(a = [1.0f32, 0.25, 2.0, 3.0], [1, 4]; threshold = [0.5], [1]) => (out = [2.0f32, 0.0], [1, 2]):
        |current| op::fatrelu_mul(current, &a, &threshold, out);
    pdist_forward(a = [0.0f32, 0.0, 3.0, 4.0, 3.0, 0.0], [3, 2]) => (out = [5.0f32, 3.0, 4.0], [3]):
        |current| op::pdist_forward(current, &a, 2.0, out);
    sinkhorn(cost = [0.0f32, 0.0], [1, 2]) => (out = [0.5f32, 0.5], [1, 2]): |current| op::sinkhorn(current, &cost, None, out);
    sign_bits_pack(a = [1.0f32, -1.0, 0.0, -2.0, -1.0, -1.0, -1.0, -1.0, 3.0], [9]) => (out = [5u8, 1], [2, 1]):
        |current| op::sign_bits_pack(current, &a, 2, out);
    sign_bits_unpack(a = [5u8], [1]) => (out = [1.0f32, -1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0], [2, 4]):
        |current| op::sign_bits_unpack(current, &a, 2, out);
    scaled_masked_softmax(a = [1.0f32, 5.0, 1.0], [1, 1, 1, 3]; mask = [Bool::FALSE, Bool::TRUE, Bool::FALSE], [1, 1, 1, 3])
        => (out = [0.5f32, 0.0, 0.5], [1, 1, 1, 3]): |current| op::scaled_masked_softmax(current, &a, &mask, 0.5, out);
    inverse(a = [2.0f32, 0.0, 1.0, 4.0], [2, 2]) => (out = [0.5f32, 0.0, -0.125, 0.25], [2, 2]):
        |current| op::inverse(current, &a, out);
    index_fill_tensor(a = [1i32, 2, 3], [3]) => (out = [9i32, 2, 9], [3]):
        |current| op::index_fill_tensor(current, &a, 0, &[0, 2], 9, out);
    normal_float_tensor(std = [0.0f32, 0.0], [2]) => (out = [1.5f32, 1.5], [2]):
        |current| op::normal_float_tensor(current, 1.5, &std, 7, 0, out);
    normal_tensor_float(mean = [1.0f32, 2.0], [2]) => (out = [1.0f32, 2.0], [2]):
        |current| op::normal_tensor_float(current, &mean, 0.0, 7, 0, out);
    normal_tensor_tensor(mean = [1.0f32, 2.0], [2]; std = [0.0, 0.0], [2]) => (out = [1.0f32, 2.0], [2]):
        |current| op::normal_tensor_tensor(current, &mean, &std, 7, 0, out);
    bernoulli(a = [7i32, 7], [2]) => (out = [1i32, 1], [2]): |current| op::bernoulli(current, &a, 1.0, 7, 0, out);
    bernoulli_tensor(a = [7i32, 7], [2]; b = [0.0f32, 1.0], [2]) => (out = [0i32, 1], [2]):
        |current| op::bernoulli_tensor(current, &a, &b, 7, 0, out);
}

in_place! {
    inplace_atan2(a = [1.0f32, -1.0], [2]; b = [2.0], [1]) => [0.463_647_6, -0.463_647_6]: |current| op::inplace_atan2(current, a, &b);
    inplace_random_tensor(a = [0i32, 0], [2]; seed = [7i64], [1]; offset = [2i64], [1]) => [4, 4]:
        |current| op::inplace_random_tensor(current, a, 4, 5, &seed, &offset, 1);
    inplace_normal_tensor(a = [0.0f32, 0.0], [2]; seed = [7i64], [1]; offset = [2i64], [1]) => [1.5, 1.5]:
        |current| op::inplace_normal_tensor(current, a, 1.5, 0.0, &seed, &offset, 1);
    inplace_uniform_tensor(a = [0.0f32, 0.0], [2]; seed = [7i64], [1]; offset = [2i64], [1]) => [1.5, 1.5]:
        |current| op::inplace_uniform_tensor(current, a, 1.5, 1.5, &seed, &offset, 1);
    inplace_bernoulli_tensor(a = [7i32, 7], [2]; b = [0.0f32, 1.0], [2]) => [0, 1]:
        |current| op::inplace_bernoulli_tensor(current, a, &b, 7, 0);
}

isolated! {
    fn operators_without_operands_fill_their_output() {
        bound!(acl, side, device: D, current, stream);
        let words = |len| current.malloc::<i32>(len).unwrap().into_tensor(&[len]).unwrap();
        let numbers = |len| current.malloc::<f32>(len).unwrap().into_tensor(&[len]).unwrap();
        let plan = op::randperm(current, 7, 0, words(50)).unwrap();
        let mut order = download(current, side, &plan.run(&mut stream).unwrap());
        assert_ne!(order, (0..50).collect::<Vec<_>>());
        order.sort_unstable();
        assert_eq!(order, (0..50).collect::<Vec<_>>());
        let plan = op::inplace_random(current, words(100), 3, 6, 7, 0).unwrap();
        let mut drawn = download(current, side, &plan.run(&mut stream).unwrap());
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn, [3, 4, 5]);
        let plan = op::inplace_bernoulli(current, words(1000), 0.25, 7, 0).unwrap();
        let ones: i32 = download(current, side, &plan.run(&mut stream).unwrap()).iter().sum();
        assert!((180..=320).contains(&ones), "{ones}");
        let plan = op::normal_float_float(current, 5.0, 2.0, 7, 0, numbers(1000)).unwrap();
        let mean = download(current, side, &plan.run(&mut stream).unwrap()).iter().sum::<f32>() / 1000.0;
        assert!((mean - 5.0).abs() < 0.3, "{mean}");
        let plan = op::log_space(current, 0.0, 3.0, 2.0, numbers(4)).unwrap();
        assert_near(&download(current, side, &plan.run(&mut stream).unwrap()), &[1.0, 2.0, 4.0, 8.0]);
    }

    fn rows_are_combined_at_their_indices() {
        bound!(acl, side, device: D, current, stream);
        let mut held = upload(current, side, &[8i32, 8, 8, 8]);
        let (words, rows) = (upload(current, side, &[1i64]), upload(current, side, &[2i32, 10]));
        let index = words.tensor(&[1]).unwrap().indices(current, side, 2).unwrap();
        let rows = rows.tensor(&[1, 2]).unwrap();
        let plan = op::tf_scatter_add(current, held.tensor_mut(&[2, 2]).unwrap(), &index, &rows);
        plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &held), [8, 8, 10, 18]);
        let plan = op::scatter_mul(current, held.tensor_mut(&[2, 2]).unwrap(), &index, &rows);
        plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &held), [8, 8, 20, 180]);
        let plan = op::scatter_div(current, held.tensor_mut(&[2, 2]).unwrap(), &index, &rows);
        plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &held), [8, 8, 10, 18]);
        let plan = op::scatter_min(current, held.tensor_mut(&[2, 2]).unwrap(), &index, &rows);
        plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &held), [8, 8, 2, 10]);
        let plan = op::inplace_index_fill(current, held.tensor_mut(&[2, 2]).unwrap(), 1, &index, 5);
        plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &held), [8, 5, 2, 5]);
        let plan = op::scatter_max(current, held.tensor_mut(&[2, 2]).unwrap(), &index, &rows);
        plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &held), [8, 5, 2, 10]);
        let a = held.tensor(&[2, 2]).unwrap();
        let out = || current.malloc::<i32>(4).unwrap().into_tensor(&[2, 2]).unwrap();
        let plan = op::index_copy(current, &a, 0, &index, &rows, out()).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [8, 5, 2, 10]);
        let plan = op::index_fill(current, &a, 0, &index, 7, out()).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [8, 5, 7, 7]);
        let wide = upload(current, side, &[1i64, 2, 3, 4]);
        let places = words.tensor(&[1, 1]).unwrap().positions(current, side, &[2]).unwrap();
        let other = upload(current, side, &[9i64, 9]);
        let out = current.malloc::<i64>(4).unwrap().into_tensor(&[2, 2]).unwrap();
        let (wide, other) = (wide.tensor(&[2, 2]).unwrap(), other.tensor(&[1, 2]).unwrap());
        let plan = op::scatter_nd(current, &wide, &places, &other, out).unwrap();
        assert_eq!(download(current, side, &plan.run(&mut stream).unwrap()), [1, 2, 9, 9]);
        let mut table = upload(current, side, &[3.0f32, 4.0, 30.0, 40.0]);
        let plan = op::embedding_renorm(current, table.tensor_mut(&[2, 2]).unwrap(), &index, 5.0, 2.0);
        plan.unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &table), &[3.0, 4.0, 3.0, 4.0]);
    }
}

operators! {
    pdist(a = [0.0f32, 0.0, 3.0, 4.0], [2, 2]) => (out = [5.0f32], [1]): |current| op::pdist(current, &a, 2.0, out);
    ada_layer_norm(a = [1.0f32, 3.0], [1, 1, 2]; scale = [1.0, 0.5], [1, 2]; shift = [10.0, 20.0], [1, 2])
        => (out = [8.0f32, 21.5], [1, 1, 2]):
        |current| op::ada_layer_norm(current, &a, &scale, &shift, None, None, 0.0, out);
    fake_quant_per_tensor_affine_cachemask(a = [0.6f32, 9.0], [2]; scale = [0.5], [1]; zero = [1i32], [1])
        => (out = [0.5f32, 1.0], [2]; mask = [Bool::TRUE, Bool::FALSE], [2]):
        |current| op::fake_quant_per_tensor_affine_cachemask(current, &a, &scale, &zero, true, -3, 3, out, mask);
    fake_quant_per_channel_affine_cachemask(a = [0.6f32, 9.0], [2]; scale = [0.5, 4.0], [2]; zero = [1i32, 0], [2])
        => (out = [0.5f32, 8.0], [2]; mask = [Bool::TRUE, Bool::TRUE], [2]):
        |current| op::fake_quant_per_channel_affine_cachemask(current, &a, &scale, &zero, 0, -3, 3, out, mask);
    prelu_backward(gradient = [1.0f32, 2.0], [2]; a = [3.0, -4.0], [2]; weight = [0.5], [1])
        => (out = [1.0f32, 1.0], [2]; of_weight = [-8.0f32], [1]):
        |current| op::prelu_backward(current, &gradient, &a, &weight, out, of_weight);
    scaled_masked_softmax_backward(gradient = [1.0f32, 0.0], [1, 1, 1, 2]; y = [0.5, 0.5], [1, 1, 1, 2]; mask = [Bool::FALSE], [1, 1, 1, 1])
        => (out = [0.5f32, -0.5], [1, 1, 1, 2]):
        |current| op::scaled_masked_softmax_backward(current, &gradient, &y, &mask, 2.0, out);
    cdist_backward(gradient = [10.0f32], [1, 1]; a = [3.0, 4.0], [1, 2]; b = [0.0, 0.0], [1, 2]; distances = [5.0], [1, 1])
        => (out = [6.0f32, 8.0], [1, 2]): |current| op::cdist_backward(current, &gradient, &a, &b, &distances, 2.0, out);
    grouped_bias_add_grad(gradient = [1.0f32, 2.0, 3.0, 4.0], [1, 2, 2]) => (out = [4.0f32, 6.0], [1, 2]):
        |current| op::grouped_bias_add_grad(current, &gradient, out);
    unfold_grad(gradient = [1.0f32, 2.0, 3.0, 4.0], [2, 2]) => (out = [1.0f32, 5.0, 4.0], [3]):
        |current| op::unfold_grad(current, &gradient, &[3], 0, 2, 1, out);
    group_norm_swish_grad(
        gradient = [1.0f32, 0.0], [1, 2]; mean = [0.0], [1, 1]; r = [1.0], [1, 1]; a = [1.0, -1.0], [1, 2];
        gamma = [0.0, 0.0], [2]; beta = [0.0, 0.0], [2]
    ) => (out = [0.0f32, 0.0], [1, 2]; of_gamma = [0.5f32, 0.0], [2]; of_beta = [0.5f32, 0.0], [2]):
        |current| op::group_norm_swish_grad(current, &gradient, &mean, &r, &a, &gamma, &beta, 1, 1.0, out, of_gamma, of_beta);
    modulate_backward(gradient = [1.0f32, 2.0], [1, 1, 2]; a = [3.0, 4.0], [1, 1, 2]; scale = [1.0, 0.0], [1, 2]; shift = [0.0, 0.0], [1, 2])
        => (out = [2.0f32, 2.0], [1, 1, 2]; of_scale = [3.0f32, 8.0], [1, 2]; of_shift = [1.0f32, 2.0], [1, 2]):
        |current| op::modulate_backward(current, &gradient, &a, &scale, &shift, out, of_scale, of_shift);
    dropout(a = [1.0f32, 2.0], [2]) => (out = [1.0f32, 2.0], [2]; mask = [255u8; 16], [16]):
        |current| op::dropout(current, &a, 0.5, false, 7, 0, out, mask);
    dropout_backward(a = [1.0f32, 2.0], [2]; mask = [2u8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [16])
        => (out = [0.0f32, 4.0], [2]): |current| op::dropout_backward(current, &a, &mask, 2.0, out);
}

isolated! {
    fn sums_of_cards_give_the_figures_of_channels() {
        bound!(acl, side, device: D, current, stream);
        let [sums, squares] = [[2.0f32, 6.0], [6.0, 34.0]].map(|sums| upload(current, side, &sums));
        let counts = upload(current, side, &[2i32, 2]);
        let [mut mean, mut variance] = [0.0f32, 1.0].map(|one| upload(current, side, &[one]));
        let out = || current.malloc::<f32>(1).unwrap().into_tensor(&[1]).unwrap();
        let (sums, squares) = (sums.tensor(&[2, 1]).unwrap(), squares.tensor(&[2, 1]).unwrap());
        let counts = counts.tensor(&[2]).unwrap();
        let changed = (mean.tensor_mut(&[1]).unwrap(), variance.tensor_mut(&[1]).unwrap());
        let plan = op::sync_batch_norm_gather_stats(current, &sums, &squares, &counts, changed.0, changed.1, 0.5, 0.0, out(), out());
        let (_, _, found, r) = plan.unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &found), &[2.0]);
        assert_near(&download(current, side, &r), &[1.0 / 6.0f32.sqrt()]);
        assert_near(&download(current, side, &mean), &[1.0]);
        assert_near(&download(current, side, &variance), &[4.5]);
    }

    fn what_is_left_out_is_not_written() {
        bound!(acl, side, device: D, current, stream);
        let one = || current.malloc::<f32>(1).unwrap().into_tensor(&[1, 1, 1]).unwrap();
        let room = |len: usize| current.malloc::<f32>(len).unwrap();
        let [a, scale] = [[1.0f32, 3.0], [1.0, 0.5]].map(|values| upload(current, side, &values));
        let (a, scale) = (a.tensor(&[1, 1, 2]).unwrap(), scale.tensor(&[1, 2]).unwrap());
        let out = room(2).into_tensor(&[1, 1, 2]).unwrap();
        let plan = op::ada_layer_norm_v2(current, &a, &scale, &scale, None, None, 0.0, out, Some(one()), ());
        let (out, mean, ()) = plan.unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &out), &[-1.0, 2.0]);
        assert_near(&download(current, side, &mean.unwrap()), &[2.0]);
        let x = upload(current, side, &[0.0f32, 0.0, 0.0]);
        let x = x.tensor(&[1, 3]).unwrap();
        let experts = || current.malloc::<i32>(2).unwrap().into_tensor(&[1, 2]).unwrap();
        let soft = || room(2).into_tensor(&[1, 2]).unwrap();
        let plan = op::moe_gating_top_k_softmax_v2(current, &x, None, 2, true, soft(), experts(), ());
        let (y, chosen, ()) = plan.unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &y), &[0.5, 0.5]);
        assert_eq!(download(current, side, &chosen), [0, 1]);
        let all = room(3).into_tensor(&[1, 3]).unwrap();
        let wrong = op::moe_gating_top_k_softmax_v2(current, &x, None, 2, true, soft(), experts(), Some(all)).unwrap_err();
        assert!(wrong.to_string().contains("without `renorm` alone"), "{wrong}");
        let all = room(3).into_tensor(&[1, 3]).unwrap();
        let plan = op::moe_gating_top_k_softmax_v2(current, &x, None, 2, false, soft(), experts(), Some(all));
        let (_, _, all) = plan.unwrap().run(&mut stream).unwrap();
        assert_near(&download(current, side, &all.unwrap()), &[1.0 / 3.0; 3]);
    }
}
