//! The order in which a plan releases what it has, where no memory is left for the workspace.

use ascendcl::error::ErrorKind;
use ascendcl::op::{self, Workspaces};
use ascendcl::stream::Main;
use ascendcl::{Npu, Thread};

use crate::common::{acl_with_journal, isolated};

type D = Npu<0>;

/// What was created and destroyed of operators since the journal had `before` calls, without repetitions.
fn released(before: usize) -> Vec<&'static str> {
    let journal = ascendcl::emulator::journal();
    let names = journal.iter().skip(before).map(|call| call.name);
    let mut names: Vec<_> = names
        .filter(|name| name.starts_with("aclDestroy"))
        .collect();
    names.dedup();
    names
}

isolated! {
    // All memory but that of workspaces is allocated by the first eight calls. Under the checker each operator has a
    // workspace.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "1", "ASCENDCL_EMULATOR_FAULTS" = "aclrtMalloc#9+=207001"]
    on emulator fn an_executor_is_released_before_the_descriptions_that_it_has() {
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let zeros = || current.memset(current.malloc::<f32>(4).unwrap(), 0).unwrap();
        let (idle, mut out) = (zeros(), zeros());
        let queued = stream.adopt(zeros());
        let mut queued_out = stream.adopt(zeros());
        let places = || current.malloc::<i64>(4).unwrap().into_tensor_up_to(&[4, 1]).unwrap();
        let (first, second) = (places(), places());
        let places = || stream.malloc::<i64>(4).unwrap().into_tensor_up_to(&[4, 1]).unwrap();
        let (third, fourth) = (places(), places());
        let mut workspaces = Workspaces::new();

        macro_rules! fails {
            ($plan:expr, |$ready:ident| $run:expr) => {{
                let $ready = $plan.unwrap();
                let before = ascendcl::emulator::journal().len();
                let failed = $run.map(drop).unwrap_err();
                assert!(matches!(failed.kind(), ErrorKind::Refused(_)), "{failed}");
                assert_eq!(released(before), ["aclDestroyAclOpExecutor", "aclDestroyTensor"], stringify!($run));
            }};
        }
        let tensor = idle.tensor(&[2, 2]).unwrap();
        let turned = tensor.transpose(0, 1).unwrap();
        let line = idle.tensor(&[4]).unwrap();
        fails!(op::mul(current, &turned, &tensor, out.tensor_mut(&[2, 2]).unwrap()), |plan| plan.run(&mut stream));
        fails!(
            op::mul(current, &turned, &tensor, out.tensor_mut(&[2, 2]).unwrap()),
            |plan| plan.run_in(&mut stream, &mut workspaces)
        );
        fails!(op::nonzero(current, &line, first), |plan| plan.run(&mut stream));
        fails!(op::nonzero(current, &line, second), |plan| plan.run_in(&mut stream, &mut workspaces));
        let tensor = queued.tensor(&[2, 2]).unwrap();
        let turned = tensor.transpose(0, 1).unwrap();
        let line = queued.tensor(&[4]).unwrap();
        fails!(
            op::mul(current, &turned, &tensor, queued_out.tensor_mut(&[2, 2]).unwrap()),
            |plan| plan.launch(&mut stream)
        );
        fails!(
            op::mul(current, &turned, &tensor, queued_out.tensor_mut(&[2, 2]).unwrap()),
            |plan| plan.launch_in(&mut stream, &mut workspaces)
        );
        fails!(op::nonzero(current, &line, third), |plan| plan.launch(&mut stream));
        fails!(op::nonzero(current, &line, fourth), |plan| plan.launch_in(&mut stream, &mut workspaces));
    }
}
