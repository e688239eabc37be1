//! Plans that run several times: on other tensors, refused ones, and what they release.

use ascendcl::error::{Repeated, Usage};
use ascendcl::op::{self, Reduction};
use ascendcl::{Npu, leaks, release_failures};

use crate::common::{assert_says, bound, calls, embedded, isolated, usage};
use crate::op_table::{download, upload};

type D = Npu<0>;

/// The refusal of tensors for a run.
fn repeated<T: std::fmt::Debug>(result: ascendcl::Result<T>) -> Repeated {
    match usage(result) {
        Usage::Repeated(wrong) => wrong,
        other => panic!("{other:?}"),
    }
}

isolated! {
    fn a_plan_runs_again_on_other_idle_tensors() {
        bound!(acl, side, device: D, current, stream);
        let one = upload(current, side, &[1, 2, 3, 4, 5, 6]);
        let mut two = upload(current, side, &[10, 20, 30, 40, 50, 60]);
        let row = upload(current, side, &[100, 200, 300]);
        let mut out = upload(current, side, &[0; 6]);
        let shape = &[2, 3];
        let plan = {
            let (a, b) = (one.tensor(shape).unwrap(), row.tensor(&[3]).unwrap());
            op::add(current, &a, &b, 2, out.tensor_mut(shape).unwrap()).unwrap()
        };
        let mut add = plan.repeatable(current).unwrap();
        // In the emulator a broadcast operand needs a workspace, which all runs share.
        assert!(!embedded(&acl) || add.workspace_size() > 0);
        for _ in 0..2 {
            let (a, b) = (one.tensor(shape).unwrap(), row.tensor(&[3]).unwrap());
            add.run(&mut stream, (&a, &b, out.tensor_mut(shape).unwrap())).unwrap();
            assert_eq!(download(current, side, &out), [201, 402, 603, 204, 405, 606]);
        }
        // Other operands, an operand that was changed, and a fresh output.
        two = current.memcpy(current.malloc(6).unwrap(), &two).unwrap();
        let (a, b) = (two.tensor(shape).unwrap(), row.tensor(&[3]).unwrap());
        let fresh = current.malloc(6).unwrap().into_tensor(shape).unwrap();
        let sum = add.run(&mut stream, (&a, &b, fresh)).unwrap();
        assert_eq!(download(current, side, &sum), [210, 420, 630, 240, 450, 660]);
        // An output of one run is an operand of the next.
        let (a, b) = (sum.tensor(shape).unwrap(), row.tensor(&[3]).unwrap());
        add.run(&mut stream, (&a, &b, out.tensor_mut(shape).unwrap())).unwrap();
        assert_eq!(download(current, side, &out), [410, 820, 1230, 440, 850, 1260]);
        assert_eq!(format!("{add:?}"), format!("Repeatable(aclnnAdd, workspace {} bytes)", add.workspace_size()));
        drop(add);
        assert_eq!((leaks(), release_failures()), (0, 0));
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_run_on_the_same_tensors_is_one_call_of_c() {
        bound!(acl with journal, side, device: D, current, stream);
        let two = stream.adopt(upload(current, side, &[2, 2, 2, 2]));
        let mut from = stream.adopt(upload(current, side, &[1, 2, 3, 4]));
        let mut to = stream.adopt(upload(current, side, &[0; 4]));
        let mut multiply = {
            let (a, b) = (two.tensor(&[4]).unwrap(), from.tensor(&[4]).unwrap());
            op::mul(current, &a, &b, to.tensor_mut(&[4]).unwrap()).unwrap().repeatable(current).unwrap()
        };
        let all = || ascendcl::emulator::journal().len();
        let mut counts = Vec::new();
        // Under the checker the first run allocates a workspace.
        let allocated = calls("aclrtMalloc");
        for round in 0..4 {
            let before = all();
            let (a, b) = (two.tensor(&[4]).unwrap(), from.tensor(&[4]).unwrap());
            multiply.launch(&mut stream, (&a, &b, to.tensor_mut(&[4]).unwrap())).unwrap();
            counts.push(all() - before);
            if round >= 1 {
                (from, to) = (to, from);
            }
        }
        // The third and the fourth run set two addresses that were swapped.
        assert_eq!(counts, [1 + calls("aclrtMalloc") - allocated, 1, 3, 3]);
        assert_eq!((calls("aclSetInputTensorAddr"), calls("aclSetOutputTensorAddr")), (2, 2));
        assert_eq!((calls("aclnnMulGetWorkspaceSize"), calls("aclSetAclOpExecutorRepeatable")), (2, 1));
        assert_eq!(calls("aclDestroyAclOpExecutor"), 1, "that of the first plan, which has not run");
        // Dropped while its work is queued.
        drop(multiply);
        assert_eq!(calls("aclDestroyAclOpExecutor"), 2);
        let idle = stream.synchronize().unwrap();
        assert_eq!(download(current, side, &idle.take(from)), [8, 16, 24, 32]);
        assert_eq!(download(current, side, &idle.take(to)), [4, 8, 12, 16]);
        assert_eq!((calls("aclCreateTensor"), calls("aclDestroyTensor")), (3, 3));
        assert_eq!((leaks(), release_failures()), (0, 0));
    }

    fn a_run_takes_the_shapes_and_layouts_of_its_plan() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[1, 2, 3, 4]);
        let long = upload(current, side, &[1, 2, 3, 4, 5, 6]);
        let mut out = upload(current, side, &[0; 4]);
        let plan = {
            let a = a.tensor(&[2, 2]).unwrap();
            op::mul(current, &a, &a, out.tensor_mut(&[2, 2]).unwrap()).unwrap()
        };
        let mut multiply = plan.repeatable(current).unwrap();
        let square = a.tensor(&[2, 2]).unwrap();
        let flat = a.tensor(&[4]).unwrap();
        assert_eq!(
            repeated(multiply.run(&mut stream, (&square, &flat, out.tensor_mut(&[2, 2]).unwrap()))),
            Repeated::OtherShape { operator: "aclnnMul", tensor: 1, planned: vec![2, 2], given: vec![4] }
        );
        assert_eq!(
            repeated(multiply.run(&mut stream, (&square, &square, out.tensor_mut(&[4]).unwrap()))),
            Repeated::OtherShape { operator: "aclnnMul", tensor: 2, planned: vec![2, 2], given: vec![4] }
        );
        // A part that does not begin at a multiple of 32 bytes.
        let part = long.slice(2..6).unwrap();
        let part = part.tensor(&[2, 2]).unwrap();
        assert_eq!(
            repeated(multiply.run(&mut stream, (&part, &square, out.tensor_mut(&[2, 2]).unwrap()))),
            Repeated::OtherLayout { operator: "aclnnMul", tensor: 0 }
        );
        multiply.run(&mut stream, (&square, &square, out.tensor_mut(&[2, 2]).unwrap())).unwrap();
        assert_eq!(download(current, side, &out), [1, 4, 9, 16]);
        // A view is planned as a view.
        let turned = square.transpose(0, 1).unwrap();
        let plan = op::mul(current, &turned, &square, out.tensor_mut(&[2, 2]).unwrap()).unwrap();
        let mut multiply = plan.repeatable(current).unwrap();
        let straight = square.transpose(0, 1).unwrap().transpose(0, 1).unwrap();
        assert_eq!(
            repeated(multiply.run(&mut stream, (&straight, &square, out.tensor_mut(&[2, 2]).unwrap()))),
            Repeated::OtherLayout { operator: "aclnnMul", tensor: 0 }
        );
        multiply.run(&mut stream, (&turned, &square, out.tensor_mut(&[2, 2]).unwrap())).unwrap();
        assert_eq!(download(current, side, &out), [1, 6, 6, 16]);
    }

    fn indices_of_a_run_have_no_larger_bound() {
        bound!(acl, side, device: D, current, stream);
        let table = upload(current, side, &[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let (first, second) = (upload(current, side, &[2i64, 0]), upload(current, side, &[1i64, 1]));
        let mut out = upload(current, side, &[0.0f32; 4]);
        let indices = |buf, below| {
            let buf: &ascendcl::DeviceBuf<'_, D, [i64]> = buf;
            buf.tensor(&[2]).unwrap().indices(current, side, below)
        };
        let rows = table.tensor(&[3, 2]).unwrap();
        let plan = {
            let index = indices(&first, 3).unwrap();
            op::embedding(current, &rows, &index, out.tensor_mut(&[2, 2]).unwrap()).unwrap()
        };
        let mut take = plan.repeatable(current).unwrap();
        let wide = indices(&second, 4).unwrap();
        assert_eq!(
            repeated(take.run(&mut stream, (&rows, &wide, out.tensor_mut(&[2, 2]).unwrap()))),
            Repeated::LargerBound { operator: "aclnnEmbedding", tensor: 1, planned: 3, given: 4 }
        );
        let index = indices(&second, 2).unwrap();
        take.run(&mut stream, (&rows, &index, out.tensor_mut(&[2, 2]).unwrap())).unwrap();
        assert_eq!(download(current, side, &out), [3.0, 4.0, 3.0, 4.0]);
        // In place: the tensor is an input and an output of C.
        let mut numbers = upload(current, side, &[0.0f32; 3]);
        let ones = upload(current, side, &[1.0f32, 2.0]);
        let source = ones.tensor(&[2]).unwrap();
        let index = indices(&first, 3).unwrap();
        let plan = op::inplace_scatter(current, numbers.tensor_mut(&[3]).unwrap(), 0, &index, &source, Reduction::Add).unwrap();
        let mut scatter = plan.repeatable(current).unwrap();
        for _ in 0..3 {
            scatter.run(&mut stream, (numbers.tensor_mut(&[3]).unwrap(), &index, &source)).unwrap();
        }
        assert_eq!(download(current, side, &numbers), [6.0, 0.0, 3.0]);
    }

    // The refresh of the second run fails behind the address that it has set.
    ["ASCENDCL_BACKEND" = "emulator",
     "ASCENDCL_EMULATOR_FAULTS" = "aclSetInputTensorAddr#1=561103,aclnnMul#3=361001,aclSetAclOpExecutorRepeatable#2=561000"]
    on emulator fn a_refused_run_leaves_a_plan_that_runs_again() {
        bound!(acl with journal, side, device: D, current, stream);
        let (one, other) = (upload(current, side, &[1, 2]), upload(current, side, &[3, 4]));
        let mut out = upload(current, side, &[0; 2]);
        let mut multiply = {
            let a = one.tensor(&[2]).unwrap();
            op::mul(current, &a, &a, out.tensor_mut(&[2]).unwrap()).unwrap().repeatable(current).unwrap()
        };
        let (a, b) = (one.tensor(&[2]).unwrap(), other.tensor(&[2]).unwrap());
        multiply.run(&mut stream, (&a, &a, out.tensor_mut(&[2]).unwrap())).unwrap();
        assert_says(
            multiply.run(&mut stream, (&b, &a, out.tensor_mut(&[2]).unwrap())),
            &["aclSetInputTensorAddr", "561103"],
        );
        multiply.run(&mut stream, (&a, &a, out.tensor_mut(&[2]).unwrap())).unwrap();
        assert_eq!(download(current, side, &out), [1, 4]);
        assert_says(
            multiply.run(&mut stream, (&b, &a, out.tensor_mut(&[2]).unwrap())),
            &["aclnnMul failed with 361001"],
        );
        multiply.run(&mut stream, (&b, &a, out.tensor_mut(&[2]).unwrap())).unwrap();
        assert_eq!(download(current, side, &out), [3, 8]);
        drop(multiply);
        let plan = op::mul(current, &a, &a, out.tensor_mut(&[2]).unwrap()).unwrap();
        assert_says(plan.repeatable(current), &["aclSetAclOpExecutorRepeatable", "561000", "a plan for each run"]);
        assert_eq!(calls("aclDestroyAclOpExecutor"), 4);
        assert_eq!((leaks(), release_failures()), (0, 0));
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtSynchronizeStream#2+=507011"]
    fn a_run_of_a_repeatable_plan_that_cannot_wait_aborts() {
        bound!(acl, device: D, current, stream);
        let a = current.memset(current.malloc::<i32>(4).unwrap(), 1).unwrap();
        let mut out = current.memset(current.malloc::<i32>(4).unwrap(), 0).unwrap();
        let a = a.tensor(&[4]).unwrap();
        let plan = op::add(current, &a, &a, 1, out.tensor_mut(&[4]).unwrap()).unwrap();
        let mut add = plan.repeatable(current).unwrap();
        add.run(&mut stream, (&a, &a, out.tensor_mut(&[4]).unwrap())).unwrap();
        let outcome = add.run(&mut stream, (&a, &a, out.tensor_mut(&[4]).unwrap()));
        panic!("the run went on: {outcome:?}");
    }

    // C completes the executor of the latest first phase, so another plan in between must not matter.
    fn a_plan_becomes_repeatable_behind_another_plan() {
        bound!(acl, side, device: D, current, stream);
        let buf = upload(current, side, &[1, 2, 3]);
        let (mut squares, mut zeros) = (upload(current, side, &[0; 3]), upload(current, side, &[7; 3]));
        let a = buf.tensor(&[3]).unwrap();
        let square = op::mul(current, &a, &a, squares.tensor_mut(&[3]).unwrap()).unwrap();
        let subtract = op::sub(current, &a, &a, 1, zeros.tensor_mut(&[3]).unwrap()).unwrap();
        let mut square = square.repeatable(current).unwrap();
        subtract.run(&mut stream).unwrap();
        square.run(&mut stream, (&a, &a, squares.tensor_mut(&[3]).unwrap())).unwrap();
        assert_eq!(download(current, side, &squares), [1, 4, 9]);
        assert_eq!(download(current, side, &zeros), [0, 0, 0]);
        // A plan that never runs is released without becoming repeatable, also behind another one.
        let first = op::mul(current, &a, &a, squares.tensor_mut(&[3]).unwrap()).unwrap();
        let second = op::sub(current, &a, &a, 1, zeros.tensor_mut(&[3]).unwrap()).unwrap();
        drop(first);
        drop(second);
        assert_eq!((leaks(), release_failures()), (0, 0));
    }
}
