//! Operators whose outputs have the size that the data decide.

use ascendcl::error::{Misplaced, Usage};
use ascendcl::memory::Dev;
use ascendcl::op::{self, Bool, Counted, In, Operator, OutUpTo, View};
use ascendcl::{Current, HostSide, Npu};

use crate::common::{assert_clean, assert_says, bound, calls, isolated, usage};
use crate::op_table::{download, upload};

type D = Npu<0>;

/// The shape of what an operator has written, and its elements.
pub(crate) fn found<T: bytemuck::Pod>(
    current: Current<'_, '_, D>,
    side: HostSide<'_>,
    counted: &Counted<'_, Dev<D>, [T]>,
) -> (Vec<usize>, Vec<T>) {
    let shape = counted.shape().unwrap();
    let len = shape.iter().product();
    if len == 0 {
        return (shape, Vec::new());
    }
    let mut staged = current.malloc_host(side, len).unwrap();
    current
        .memcpy(&mut staged, counted.front().unwrap())
        .unwrap();
    (shape, staged.to_vec())
}

/// An operator that the program declares.
enum Places {}
// SAFETY: the parameters of `aclnn_nonzero.h`; it writes the rows that it counts.
unsafe impl Operator for Places {
    ascendcl::operator!(aclnnNonzero(a: View<In<i32>>, out: OutUpTo<i64>));
}

isolated! {
    fn positions_of_what_differs_from_zero() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[0.0f32, 2.0, f32::NAN, 0.0, -0.0, 1.0]);
        let a = a.tensor(&[2, 3]).unwrap();
        let out = || current.malloc::<i64>(12).unwrap().into_tensor_up_to(&[6, 2]).unwrap();
        let counted = op::nonzero(current, &a, out()).unwrap().run(&mut stream).unwrap();
        assert_eq!(found(current, side, &counted), (vec![3, 2], vec![0, 1, 0, 2, 1, 2]));
        // A view, and more rows than there can be.
        let large = current.malloc::<i64>(14).unwrap().into_tensor_up_to(&[7, 2]).unwrap();
        let turned = op::nonzero(current, &a.transpose(0, 1).unwrap(), large).unwrap().run(&mut stream).unwrap();
        assert_eq!(found(current, side, &turned), (vec![3, 2], vec![1, 0, 2, 0, 2, 1]));
        // What was found is an operand, of the shape that it has.
        let one = upload(current, side, &[1i32]);
        let one = one.tensor(&[1]).unwrap().indices(current, side, 2).unwrap();
        let columns = current.malloc::<i64>(3).unwrap().into_tensor(&[3, 1]).unwrap();
        let columns = op::index_select(current, &counted.tensor().unwrap(), 1, &one, columns);
        let columns = columns.unwrap().run(&mut stream).unwrap();
        assert_eq!(download(current, side, &columns), [1, 2, 2]);
        // The memory serves the next output.
        let fresh = counted.into_fresh().into_tensor_up_to(&[6, 2]).unwrap();
        let none = upload(current, side, &[0u8; 6]);
        let none = op::nonzero(current, &none.tensor(&[2, 3]).unwrap(), fresh).unwrap().run(&mut stream).unwrap();
        assert_eq!(found(current, side, &none), (vec![0, 2], vec![]));
        assert_eq!(none.front().unwrap().len(), 0);
        assert_clean(&acl);
    }

    fn elements_that_a_mask_chooses() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[1i16, 2, 3, 4, 5, 6]);
        let mask = upload(current, side, &[false, true, true].map(Bool::from));
        let out = current.malloc::<i16>(6).unwrap().into_tensor_up_to(&[6]).unwrap();
        let plan = op::masked_select(current, &a.tensor(&[2, 3]).unwrap(), &mask.tensor(&[3]).unwrap(), out);
        let counted = plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(found(current, side, &counted), (vec![4], vec![2, 3, 5, 6]));
        // Both broadcast.
        let out = current.malloc::<i16>(6).unwrap().into_tensor_up_to(&[6]).unwrap();
        let plan = op::masked_select(
            current,
            &a.slice(0..2).unwrap().tensor(&[2, 1]).unwrap(),
            &mask.tensor(&[1, 3]).unwrap(),
            out,
        );
        let counted = plan.unwrap().run(&mut stream).unwrap();
        assert_eq!(found(current, side, &counted), (vec![4], vec![1, 1, 2, 2]));
        assert_clean(&acl);
    }

    fn different_elements_and_their_counts() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[3u64, 1, 3, 3]);
        let values = current.malloc::<u64>(4).unwrap().into_tensor_up_to(&[4]).unwrap();
        let counts = current.malloc::<i64>(4).unwrap().into_tensor_up_to(&[4]).unwrap();
        let inverse = current.malloc::<i64>(4).unwrap().into_tensor(&[2, 2]).unwrap();
        let plan = op::unique2(current, &a.tensor(&[2, 2]).unwrap(), true, values, inverse, counts).unwrap();
        let (values, inverse, counts) = plan.run(&mut stream).unwrap();
        assert_eq!(found(current, side, &values), (vec![2], vec![1, 3]));
        assert_eq!(found(current, side, &counts), (vec![2], vec![1, 3]));
        assert_eq!(download(current, side, &inverse), [1, 0, 1, 1]);
        assert_clean(&acl);
    }

    fn queued_memory_is_counted_behind_a_wait() {
        bound!(acl, side, device: D, current, stream);
        let a = stream.adopt(upload(current, side, &[0i32, 5, 0, 7]));
        let out = || stream.malloc::<i64>(4).unwrap().into_tensor_up_to(&[4, 1]).unwrap();
        let (first, second, dropped) = (out(), out(), out());
        let plan = op::nonzero(current, &a.tensor(&[4]).unwrap(), first).unwrap();
        let first = plan.launch(&mut stream).unwrap().into_output();
        // One that the program declares, with a workspace of its own.
        let mut workspaces = op::Workspaces::new();
        let plan = Places::plan(current, (&a.tensor(&[4]).unwrap(), second)).unwrap();
        let second = plan.launch_in(&mut stream, &mut workspaces).unwrap();
        // Dropped while the work is queued: memory and description are released behind the wait.
        let plan = op::nonzero(current, &a.tensor(&[4]).unwrap(), dropped).unwrap();
        drop(plan.launch(&mut stream).unwrap());
        let idle = stream.synchronize().unwrap();
        let (first, mut second) = (idle.take(first), second);
        assert_eq!(idle.get_mut(&mut second).shape().unwrap(), [2, 1]);
        let second = idle.take(second);
        assert_eq!(found(current, side, &first), (vec![2, 1], vec![1, 3]));
        assert_eq!(found(current, side, &second), (vec![2, 1], vec![1, 3]));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn each_description_is_destroyed_once() {
        bound!(acl with journal, side, device: D, current, stream);
        {
            let a = upload(current, side, &[1i32, 0]);
            let a = a.tensor(&[2]).unwrap();
            let out = || current.malloc::<i64>(2).unwrap().into_tensor_up_to(&[2, 1]).unwrap();
            // Never planned, never run, run, refused, and forgotten.
            drop(out());
            drop(op::nonzero(current, &a, out()).unwrap());
            drop(op::nonzero(current, &a, out()).unwrap().run(&mut stream).unwrap());
            assert_says(op::nonzero(current, &a.reshape(&[1, 2]).unwrap(), out()), &["aclnnNonzero", "[2, 1]"]);
            assert_says(op::nonzero(current, &a, out()).unwrap().repeatable(current), &["aclnnNonzero", "once", "a plan for each run"]);
            let queued = stream.adopt(upload(current, side, &[1i32, 0]));
            let room = stream.malloc::<i64>(2).unwrap().into_tensor_up_to(&[2, 1]).unwrap();
            let plan = op::nonzero(current, &queued.tensor(&[2]).unwrap(), room).unwrap();
            let created = calls("aclCreateTensor");
            drop(plan.launch(&mut stream).unwrap());
            // The description of the operand is destroyed, and that of the output is not yet.
            assert_eq!(calls("aclDestroyTensor"), created - 1);
            stream.synchronize().unwrap();
        }
        assert_eq!(calls("aclCreateTensor"), calls("aclDestroyTensor"));
        let ended = calls("aclDestroyAclOpExecutor") + calls("aclnnNonzero");
        assert_eq!(calls("aclnnNonzeroGetWorkspaceSize"), ended);
        assert_clean(&acl);
    }

    fn outputs_with_too_little_room_are_refused() {
        bound!(acl, side, device: D, current);
        let six = upload(current, side, &[1i32; 6]);
        let a = six.tensor(&[2, 3]).unwrap();
        let nothing = six.slice(0..0).unwrap();
        let longs = |shape: &[usize]| {
            current.malloc::<i64>(shape.iter().product()).unwrap().into_tensor_up_to(shape).unwrap()
        };
        let ints = |shape: &[usize]| {
            current.malloc::<i32>(shape.iter().product()).unwrap().into_tensor_up_to(shape).unwrap()
        };
        let wrong = |operator, expected: &[usize], output: &[usize]| Usage::OutputShape {
            operator,
            operand: vec![2, 3],
            expected: expected.to_vec(),
            output: output.to_vec(),
        };
        for shape in [&[5, 2][..], &[6, 3], &[12]] {
            let refused = usage(op::nonzero(current, &a, longs(shape)));
            assert_eq!(refused, wrong("aclnnNonzero", &[shape[0].max(6), 2], shape));
        }
        // No element, and so no row would be written: the memory would come back as if there were one.
        let empty = |operator, shape: &[usize]| Usage::from(Misplaced::NoElements { operator, shape: shape.to_vec() });
        let none = nothing.tensor(&[0]).unwrap();
        assert_eq!(usage(op::nonzero(current, &none, longs(&[1, 1]))), empty("aclnnNonzero", &[0]));

        let bools = upload(current, side, &[Bool::TRUE; 6]);
        let mask = bools.tensor(&[3, 2]).unwrap();
        assert_eq!(
            usage(op::masked_select(current, &a, &mask, ints(&[6]))),
            Usage::Broadcast {
                operator: "aclnnMaskedSelect",
                operands: vec![vec![2, 3], vec![3, 2]],
                output: vec![6],
            }
        );
        let mask = bools.tensor(&[2, 1, 3]).unwrap();
        assert_eq!(
            usage(op::masked_select(current, &a, &mask, ints(&[6]))),
            wrong("aclnnMaskedSelect", &[12], &[6])
        );
        let no_mask = bools.slice(0..0).unwrap();
        let no_mask = no_mask.tensor(&[0]).unwrap();
        let one = six.slice(0..1).unwrap();
        let one = one.tensor(&[1]).unwrap();
        assert_eq!(usage(op::masked_select(current, &one, &no_mask, ints(&[1]))), empty("aclnnMaskedSelect", &[0]));

        let inverse = |shape: &[usize]| current.malloc::<i64>(6).unwrap().into_tensor(shape).unwrap();
        let refused = op::unique2(current, &a, true, ints(&[5]), inverse(&[2, 3]), longs(&[6]));
        assert_eq!(usage(refused), wrong("aclnnUnique2", &[6], &[5]));
        let refused = op::unique2(current, &a, true, ints(&[6]), inverse(&[2, 3]), longs(&[7]));
        assert_eq!(usage(refused), wrong("aclnnUnique2", &[6], &[7]));
        let refused = op::unique2(current, &a, true, ints(&[6]), inverse(&[6]), longs(&[6]));
        assert_eq!(usage(refused), wrong("aclnnUnique2", &[2, 3], &[6]));
        let refused = current.malloc::<i64>(6).unwrap().into_tensor_up_to(&[7]);
        assert_says(refused, &["[7]", "6"]);
    }

    // The second phase of CANN waits for the stream, and may take the report of an earlier failure: the next wait tells
    // that something has failed.
    ["ASCENDCL_EMULATOR_FAULTS" = "aclnnNonzero#1=507001"]
    fn a_refused_second_phase_is_told_again_by_the_next_wait() {
        bound!(acl, side, device: D, current, stream);
        let a = stream.adopt(upload(current, side, &[0i32, 5]));
        let out = stream.malloc::<i64>(2).unwrap().into_tensor_up_to(&[2, 1]).unwrap();
        let plan = op::nonzero(current, &a.tensor(&[2]).unwrap(), out).unwrap();
        assert_says(plan.launch(&mut stream), &["aclnnNonzero", "507001"]);
        assert_says(stream.synchronize(), &["aclnnNonzero", "507001"]);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclnnNonzero#1=507001"]
    fn a_refused_second_phase_of_a_run_is_told_again_too() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[0i32, 5]);
        let out = current.malloc::<i64>(2).unwrap().into_tensor_up_to(&[2, 1]).unwrap();
        let plan = op::nonzero(current, &a.tensor(&[2]).unwrap(), out).unwrap();
        assert_says(plan.run(&mut stream), &["aclnnNonzero", "507001"]);
        assert_says(stream.synchronize(), &["aclnnNonzero", "507001"]);
    }

    // An operator that failed has not said how much it has written: its output does not come back.
    ["ASCENDCL_EMULATOR_FAULTS" = "task:aclnnNonzero#1=507001"]
    fn a_failed_operator_gives_nothing_back() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[0i32, 5]);
        let out = current.malloc::<i64>(2).unwrap().into_tensor_up_to(&[2, 1]).unwrap();
        let plan = op::nonzero(current, &a.tensor(&[2]).unwrap(), out).unwrap();
        assert_says(plan.run(&mut stream), &["aclrtSynchronizeStream", "507001"]);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclGetViewShape#1=561000"]
    fn a_shape_that_is_not_said_is_an_error() {
        bound!(acl, side, device: D, current, stream);
        let a = upload(current, side, &[0i32, 5]);
        let out = current.malloc::<i64>(2).unwrap().into_tensor_up_to(&[2, 1]).unwrap();
        let plan = op::nonzero(current, &a.tensor(&[2]).unwrap(), out).unwrap();
        let counted = plan.run(&mut stream).unwrap();
        assert_says(counted.front(), &["aclGetViewShape", "561000"]);
        // It can be asked again.
        assert_eq!(counted.shape().unwrap(), [1, 1]);
    }
}
