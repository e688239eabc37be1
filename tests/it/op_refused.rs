//! Operators that are refused: because of shapes or attributes, or by the runtime in either phase.

use ascendcl::error::Usage;
use ascendcl::op::{self, Contiguous, CubeMath, Extreme};
use ascendcl::{Npu, leaks, release_failures};

use crate::common::{assert_says, bound, calls, isolated, usage};
use crate::op_table::{download, output, upload};

type D = Npu<0>;

/// Calls that create something, with the calls that release it.
const PAIRS: [(&str, &str); 4] = [
    ("aclCreateTensor", "aclDestroyTensor"),
    ("aclCreateScalar", "aclDestroyScalar"),
    ("aclCreateIntArray", "aclDestroyIntArray"),
    ("aclCreateTensorList", "aclDestroyTensorList"),
];

isolated! {
    fn shapes_are_named_with_the_operator() {
        bound!(acl, device: D, current);
        let six = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let two = current.memset(current.malloc::<f32>(2).unwrap(), 0).unwrap();
        let (a, b) = (six.tensor(&[2, 3]).unwrap(), two.tensor(&[2]).unwrap());
        let out = |shape: &[usize]| output::<f32>(current, shape);
        assert_eq!(
            usage(op::relu(current, &a, out(&[3, 2]))),
            Usage::OutputShape {
                operator: "aclnnRelu",
                operand: vec![2, 3],
                expected: vec![2, 3],
                output: vec![3, 2],
            }
        );
        let integers = current.malloc::<i32>(6).unwrap().into_tensor(&[6]).unwrap();
        assert_eq!(
            op::cast(current, &a, integers).unwrap_err().to_string(),
            "aclnnCast: of an operand of the shape [2, 3] the output has the shape [2, 3], not [6]: describe the output \
             by that shape"
        );
        assert_eq!(
            usage(op::div(current, &a, &b, out(&[2, 3]))),
            Usage::Broadcast {
                operator: "aclnnDiv",
                operands: vec![vec![2, 3], vec![2]],
                output: vec![2, 3],
            }
        );
        assert_eq!(
            usage(op::reduce_sum(current, &a, &[1], true, out(&[2]))),
            Usage::OutputShape {
                operator: "aclnnReduceSum",
                operand: vec![2, 3],
                expected: vec![2, 1],
                output: vec![2],
            }
        );
        assert_eq!(
            usage(op::reduce_sum(current, &a, &[2], false, out(&[2]))),
            Usage::Axis { operator: "aclnnReduceSum", axis: 2, rank: 2 }
        );
        assert_eq!(
            usage(op::reduce_sum(current, &a, &[i64::MIN], false, out(&[2]))),
            Usage::Axis { operator: "aclnnReduceSum", axis: i64::MIN, rank: 2 }
        );
        assert_eq!(
            usage(op::reduce_sum(current, &a, &[1, -1], false, out(&[2]))),
            Usage::RepeatedAxis { operator: "aclnnReduceSum", axis: 1 }
        );
        assert_eq!(
            usage(op::matmul(current, &a, &a, out(&[2, 3]), CubeMath::Keep)),
            Usage::Product {
                operator: "aclnnMatmul",
                left: vec![2, 3],
                right: vec![2, 3],
                output: vec![2, 3],
            }
        );
        assert_says(op::matmul(current, &b, &a, out(&[1, 3]), CubeMath::Keep), &["aclnnMatmul", "[1, 3]"]);
        assert_eq!(usage(op::cat::<D, f32, Contiguous, _>(current, &[], 0, out(&[6]))), Usage::EmptyList { operator: "aclnnCat" });
        assert_eq!(usage(op::sum::<D, f32, Contiguous, _>(current, &[], out(&[6]))), Usage::EmptyList { operator: "aclnnSum" });
        assert_eq!(
            usage(op::sum(current, &[&a, &b], out(&[2, 3]))),
            Usage::Broadcast {
                operator: "aclnnSum",
                operands: vec![vec![2, 3], vec![2]],
                output: vec![2, 3],
            }
        );
        assert_eq!(
            usage(op::cat(current, &[&a, &b], 0, out(&[2, 4]))),
            Usage::Joined {
                operator: "aclnnCat",
                operands: vec![vec![2, 3], vec![2]],
                axis: 0,
                output: vec![2, 4],
            }
        );
        assert_says(op::cat(current, &[&a, &a], 1, out(&[2, 5])), &["aclnnCat", "[2, 5]", "sum"]);
        let text = op::cat(current, &[&a; 1000], 1, out(&[2, 5])).unwrap_err().to_string();
        let shown = "aclnnCat: the shapes [2, 3], [2, 3], [2, 3], [2, 3] and 996 more joined along dimension 1";
        assert!(text.contains(shown), "{text}");
        let indices = |shape: &[usize]| output::<i64>(current, shape);
        for k in [0, 4, usize::MAX] {
            assert_eq!(
                usage(op::topk(current, &a, k, 1, Extreme::Largest, out(&[2, 2]), indices(&[2, 2]))),
                Usage::Chosen { operator: "aclnnTopk", k, size: 3, axis: 1 }
            );
        }
        assert_says(
            op::topk(current, &a, 2, -1, Extreme::Largest, out(&[2, 2]), indices(&[2, 1])),
            &["aclnnTopk", "[2, 2]", "[2, 1]"],
        );
        assert_eq!(release_failures(), 0);
    }

    fn the_operand_that_does_not_fit_is_named() {
        bound!(acl, side, device: D, current);
        let six = upload(current, side, &[0.0f32; 6]);
        let two = six.slice(0..2).unwrap().tensor(&[2]).unwrap();
        let (a, v) = (six.tensor(&[2, 3]).unwrap(), six.tensor(&[6]).unwrap());
        let places = upload(current, side, &[0i32, 1, 1]);
        let index = |shape: &[usize]| places.tensor(shape).unwrap().indices(current, side, 2).unwrap();
        let out = |shape: &[usize]| output::<f32>(current, shape);
        let mut lent = upload(current, side, &[0.0f32; 6]);
        let source = |operator| Usage::OperandShape { operator, first: vec![6], expected: vec![3], shape: vec![2] };
        assert_eq!(usage(op::index_add(current, &v, 0, &index(&[3]), &two, 1.0, out(&[6]))), source("aclnnIndexAdd"));
        let changed = lent.tensor_mut(&[6]).unwrap();
        assert_eq!(usage(op::inplace_index_copy(current, changed, 0, &index(&[3]), &two)), source("aclnnInplaceIndexCopy"));
        assert_says(
            op::gather(current, &a, 1, &index(&[3, 1]), out(&[3, 1])),
            &["aclnnGather: the numbers [3, 1] do not fit an operand of the shape [2, 3]: the sizes of the indices, none of \
               them larger than the operand's in another dimension"],
        );
        assert_says(
            op::scatter(current, &v, 0, &index(&[3]), &two, op::Reduction::Add, out(&[6])),
            &["aclnnScatter: the numbers [3] do not fit an operand of the shape [2]: the sizes of the indices, none of them \
               larger than the source's"],
        );
        let row = six.slice(0..3).unwrap().tensor(&[3]).unwrap();
        let norm = |bias| {
            let (mean, r) = (out(&[2, 1]), out(&[2, 1]));
            op::add_layer_norm(current, &a, &a, &row, &row, bias, 1e-5, out(&[2, 3]), mean, r, out(&[2, 3]))
        };
        assert_eq!(
            usage(norm(Some(&two))),
            Usage::OperandShape { operator: "aclnnAddLayerNorm", first: vec![2, 3], expected: vec![2, 3], shape: vec![2] }
        );
        let _ = (norm(Some(&row)).unwrap(), norm(Some(&a)).unwrap());
        assert_says(a.select(-3, 0), &["select: a tensor of 2 dimensions has no dimension -3"]);
        assert_says(
            op::topk(current, &v, 7, 0, Extreme::Largest, out(&[6]), current.malloc::<i64>(6).unwrap().into_tensor(&[6]).unwrap()),
            &["aclnnTopk: dimension 0 has 6 elements: choose 1 to 6, not 7"],
        );
    }

    fn an_operand_is_changed_in_place() {
        bound!(acl, side, device: D, current, stream);
        let mut a = upload(current, side, &[1i32, 2, 3, 4]);
        let row = upload(current, side, &[10, 20]);
        let b = row.tensor(&[2]).unwrap();
        let plan = op::inplace_add(current, a.tensor_mut(&[2, 2]).unwrap(), &b, 2).unwrap();
        plan.run(&mut stream).unwrap();
        assert_eq!(download(current, side, &a), [21, 42, 23, 44]);
        assert_eq!(
            usage(op::inplace_add(current, a.tensor_mut(&[4]).unwrap(), &b, 2)),
            Usage::Broadcast {
                operator: "aclnnInplaceAdd",
                operands: vec![vec![4], vec![2]],
                output: vec![4],
            }
        );
        let (mut a, row) = (stream.adopt(a), stream.adopt(row));
        let b = row.tensor(&[2]).unwrap();
        for _ in 0..2 {
            let changed = a.tensor_mut(&[2, 2]).unwrap();
            op::inplace_add(current, changed, &b, 1).unwrap().launch(&mut stream).unwrap().into_output();
        }
        let idle = stream.synchronize().unwrap();
        assert_eq!(download(current, side, &idle.take(a)), [41, 82, 43, 84]);
    }

    // If a phase or a description is refused, all descriptions are released once.
    ["ASCENDCL_EMULATOR_FAULTS" =
        "aclCreateTensor#2=161002,aclCreateTensorList#1=161002,aclCreateIntArray#1=161002,\
         aclnnCatGetWorkspaceSize#1=561003,aclnnTopkGetWorkspaceSize#1=561103,aclnnTopk#1=361001,aclnnTopk#3=361001,\
         aclnnReduceSum#1=361001",
     "ASCENDCL_BACKEND" = "emulator"]
    fn a_refusal_in_either_phase_releases_everything_once() {
        bound!(acl with journal, side, device: D, current, stream);
        let buf = upload(current, side, &[3i32, 1, 2, 4, 6, 5]);
        let a = buf.tensor(&[2, 3]).unwrap();
        let ints = |shape: &[usize]| output::<i32>(current, shape);
        let longs = || current.malloc::<i64>(2).unwrap().into_tensor(&[2, 1]).unwrap();
        assert_says(op::relu(current, &a, ints(&[2, 3])), &["aclCreateTensor", "161002"]);
        assert_says(op::cat(current, &[&a, &a], 0, ints(&[4, 3])), &["aclCreateTensorList", "161002"]);
        assert_says(op::cat(current, &[&a, &a], 0, ints(&[4, 3])), &["aclnnCatGetWorkspaceSize", "561003"]);
        assert_says(op::reduce_sum(current, &a, &[0], false, ints(&[3])), &["aclCreateIntArray", "161002"]);
        let sum = op::reduce_sum(current, &a, &[0], false, ints(&[3])).unwrap();
        assert_says(sum.run(&mut stream), &["aclnnReduceSum failed with 361001"]);
        let topk = || op::topk(current, &a, 1, 1, Extreme::Largest, ints(&[2, 1]), longs());
        assert_says(topk(), &["aclnnTopkGetWorkspaceSize", "561103"]);
        assert_says(topk().unwrap().run(&mut stream), &["aclnnTopk failed with 361001"]);
        let (values, indices) = topk().unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &values), [3, 6]);
        assert_eq!(download(current, side, &indices), [0, 1]);
        drop((values, indices));

        let queued = stream.adopt(buf);
        let b = queued.tensor(&[2, 3]).unwrap();
        let values = stream.adopt(current.malloc::<i32>(2).unwrap()).into_tensor(&[2, 1]).unwrap();
        let indices = stream.adopt(current.malloc::<i64>(2).unwrap()).into_tensor(&[2, 1]).unwrap();
        let plan = op::topk(current, &b, 1, 1, Extreme::Largest, values, indices).unwrap();
        assert_says(plan.launch(&mut stream).map(|launched| launched.into_output()), &["aclnnTopk failed with 361001"]);
        let idle = stream.synchronize().unwrap();
        drop(idle.take(queued));
        assert_eq!(ascendcl::emulator::live().device_blocks, 0);
        for (create, destroy) in PAIRS {
            let made = ascendcl::emulator::journal()
                .iter()
                .filter(|call| call.name == create && call.code.is_none_or(|code| code == 0))
                .count();
            let refused = match create {
                "aclCreateTensor" | "aclCreateTensorList" | "aclCreateIntArray" => 1,
                _ => 0,
            };
            // The tensors of a list are released with it: two lists of two were made, one of which was refused.
            let in_lists = if create == "aclCreateTensor" { 2 } else { 0 };
            assert_eq!(calls(destroy), made - refused - in_lists, "{destroy}");
        }
        assert_eq!((leaks(), release_failures()), (0, 0));
    }
}
