//! Products of many pairs of matrices.

use ascendcl::Npu;
use ascendcl::error::{Misplaced, Usage};
use ascendcl::op::{self, GroupList};
use half::bf16;

use crate::common::{assert_clean, assert_says, bound, isolated, usage};
use crate::op_table::{download, upload};

type D = Npu<0>;

isolated! {
    fn each_matrix_is_multiplied_by_its_weight() {
        bound!(acl, side, device: D, current, stream);
        let one_to_six = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let t = |shape: &[usize]| {
            let part = one_to_six.slice(0..shape.iter().product()).unwrap();
            part.tensor(shape).unwrap()
        };
        let out = |shape: &[usize]| {
            current.malloc::<f32>(shape.iter().product()).unwrap().into_tensor(shape).unwrap()
        };
        let (x, y, wide, tall, bias) = (t(&[1, 2]), t(&[2, 3]), t(&[2, 2]), t(&[3, 1]), t(&[2]));
        let plan = op::grouped_matmul_v4::<_, _, f32, _>(current, &[&x, &y], &[&wide, &tall], None, [out(&[1, 2]), out(&[2, 1])]);
        let [first, second] = plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &first), [7.0, 10.0]);
        assert_eq!(download(current, side, &second), [14.0, 32.0]);
        let plan = op::grouped_matmul_v4(current, &[&x], &[&wide], Some(&[&bias]), vec![out(&[1, 2])]);
        let all = plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &all[0]), [8.0, 12.0]);
        assert_clean(&acl);
    }

    fn each_group_of_rows_is_multiplied_by_its_weight() {
        bound!(acl, side, device: D, current, stream);
        let b = |numbers: &[f32]| numbers.iter().copied().map(bf16::from_f32).collect::<Vec<_>>();
        let x = upload(current, side, &b(&[1.0, 2.0, 3.0]));
        let weight = upload(current, side, &b(&[10.0, 1.0, 20.0, 2.0, 30.0, 3.0]));
        let (x, weight) = (x.tensor(&[3, 1]).unwrap(), weight.tensor(&[3, 1, 2]).unwrap());
        let bias = upload(current, side, &[0.0f32, 1.0, 0.0, 1.0, 0.5, 1.0]);
        let bias = bias.tensor(&[3, 2]).unwrap();
        let (sizes, ends) = (upload(current, side, &[2i64, 0, 1]), upload(current, side, &[2i64, 2, 3]));
        for (numbers, list) in [(&sizes, GroupList::Sizes), (&ends, GroupList::Ends)] {
            let groups = numbers.tensor(&[3]).unwrap().groups(current, side, list).unwrap();
            assert_eq!(groups.rows(), 3);
            let out = current.malloc::<bf16>(6).unwrap().into_tensor(&[3, 2]).unwrap();
            let plan = op::grouped_matmul_v4_of_rows(current, &x, &weight, Some(&bias), &groups, out).unwrap();
            let [out] = plan.run(&mut stream).unwrap();
            assert_eq!(download(current, side, &out), b(&[10.0, 2.0, 20.0, 3.0, 90.5, 10.0]), "{list:?}");
        }
        // On queued memory the program answers for the numbers.
        let queued = stream.adopt(sizes);
        let (x, weight) = (stream.adopt(upload(current, side, &[2.0f32])), stream.adopt(upload(current, side, &[3.0f32])));
        let one = queued.slice(2..3).unwrap();
        // SAFETY: the number is 1, and nothing writes it.
        let groups = unsafe { one.tensor(&[1]).unwrap().assume_groups(GroupList::Sizes, 1) };
        let out = stream.malloc::<f32>(1).unwrap().into_tensor(&[1, 1]).unwrap();
        let (x, weight) = (x.tensor(&[1, 1]).unwrap(), weight.tensor(&[1, 1, 1]).unwrap());
        let plan = op::grouped_matmul_v4_of_rows::<_, _, f32, _>(current, &x, &weight, None, &groups, out).unwrap();
        let [out] = plan.launch(&mut stream).unwrap().into_output();
        let idle = stream.synchronize().unwrap();
        assert_eq!(download(current, side, &idle.take(out)), [6.0]);
        assert_clean(&acl);
    }

    fn lists_and_groups_that_do_not_fit_are_refused() {
        bound!(acl, side, device: D, current);
        let numbers = upload(current, side, &[1.0f32; 12]);
        let t = |shape: &[usize]| {
            let part = numbers.slice(0..shape.iter().product()).unwrap();
            part.tensor(shape).unwrap()
        };
        let out = |shape: &[usize]| {
            current.malloc::<f32>(shape.iter().product()).unwrap().into_tensor(shape).unwrap()
        };
        let operator = "aclnnGroupedMatmulV4";
        let (x, w) = (t(&[2, 3]), t(&[3, 2]));
        let pairs = |outputs| op::grouped_matmul_v4::<_, _, f32, _>(current, &[&x, &x], &[&w, &w], None, outputs);
        assert_says(pairs(vec![out(&[2, 2])]), &[operator, "[2, 2, 1]", "equally many tensors"]);
        let bias = t(&[2]);
        let few = op::grouped_matmul_v4(current, &[&x, &x], &[&w, &w], Some(&[&bias]), vec![out(&[2, 2]), out(&[2, 2])]);
        assert_says(few, &[operator, "[2, 2, 2, 1]"]);
        let none = op::grouped_matmul_v4::<D, f32, f32, _>(current, &[], &[], None, Vec::from([out(&[2, 2])]));
        assert_eq!(usage(none), Usage::EmptyList { operator });
        assert_says(pairs(vec![out(&[2, 2]), out(&[2, 3])]), &[operator, "[2, 3]", "[3, 2]"]);
        let wrong_bias = t(&[3]);
        let refused = op::grouped_matmul_v4(current, &[&x], &[&w], Some(&[&wrong_bias]), [out(&[2, 2])]);
        assert_eq!(
            usage(refused),
            Usage::OperandShape { operator, first: vec![3, 2], expected: vec![2], shape: vec![3] }
        );

        let weight = t(&[2, 3, 2]);
        let list = upload(current, side, &[1i64, 1, 2]);
        let groups = |len: usize, kind| {
            list.slice(0..len).unwrap().tensor(&[len]).unwrap().groups(current, side, kind).unwrap()
        };
        let (two, one, three) = (groups(2, GroupList::Sizes), groups(2, GroupList::Ends), groups(3, GroupList::Ends));
        let (other, flat) = (t(&[2, 2, 2]), t(&[6]));
        let of_rows = |x, weight, groups, out| op::grouped_matmul_v4_of_rows::<_, _, f32, _>(current, x, weight, None, groups, out);
        // One row would be left unwritten.
        assert_eq!(
            usage(of_rows(&x, &weight, &one, out(&[2, 2]))),
            Usage::from(Misplaced::GroupRows { operator, rows: 1, size: 2 })
        );
        assert_says(of_rows(&x, &weight, &three, out(&[2, 2])), &[operator, "[2]", "[3]"]);
        assert_says(of_rows(&x, &other, &two, out(&[2, 2])), &[operator, "[2, 3, 2]", "[2, 2, 2]"]);
        assert_says(of_rows(&x, &weight, &two, out(&[2, 3])), &[operator, "[2, 2]", "[2, 3]"]);
        assert_says(of_rows(&flat, &weight, &two, out(&[2, 2])), &[operator, "[6]"]);
        let refused = op::grouped_matmul_v4_of_rows(current, &x, &weight, Some(&bias), &two, out(&[2, 2]));
        assert_says(refused, &[operator, "[2, 2]", "[2]"]);

        let wrong = |numbers: &[i64], kind| {
            let numbers = upload(current, side, numbers);
            let read = numbers.tensor(&[numbers.len()]).unwrap().groups(current, side, kind);
            usage(read.map(|groups| groups.rows()))
        };
        let group = |position, number, end| Usage::from(Misplaced::Group { position, number, end });
        assert_eq!(wrong(&[2, 1], GroupList::Ends), group(1, 1, 2));
        assert_eq!(wrong(&[-1], GroupList::Ends), group(0, -1, 0));
        assert_eq!(wrong(&[2, -1], GroupList::Sizes), group(1, -1, 2));
        assert_eq!(wrong(&[1, i64::MAX], GroupList::Sizes), group(1, i64::MAX, 1));
    }
}
