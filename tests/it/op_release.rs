//! The order of release on every way out of an operator: each call of C fails once. An executor is released before the
//! descriptions that it refers to, and these before the memory that they describe.

use ascendcl::op::{self, CubeMath};
use ascendcl::stream::Main;
use ascendcl::{Current, Npu, Result, Thread};

use crate::common::{acl_with_journal, run_isolated};

type D = Npu<0>;

/// A product of a view in a workspace, as a run and as a launch.
fn product(current: Current<'_, '_, D>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let a = current.memset(current.malloc::<f32>(64)?, 0)?;
    let (left, right) = (a.tensor(&[8, 8])?.transpose(0, 1)?, a.tensor(&[8, 8])?);
    let out = current.malloc::<f32>(64)?.into_tensor(&[8, 8])?;
    let plan = op::matmul(current, &left, &right, out, CubeMath::Keep)?;
    assert!(plan.workspace_size() > 0);
    let product = plan.run(&mut stream)?;
    let a = stream.adopt(product);
    let (left, right) = (a.tensor(&[8, 8])?.transpose(0, 1)?, a.tensor(&[8, 8])?);
    let out = stream.malloc::<f32>(64)?.into_tensor(&[8, 8])?;
    let plan = op::matmul(current, &left, &right, out, CubeMath::Keep)?;
    drop(plan.launch(&mut stream)?);
    stream.synchronize()?;
    Ok(())
}

/// The same with workspaces that later operators use again.
fn product_in(current: Current<'_, '_, D>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let mut workspaces = op::Workspaces::new();
    let a = current.memset(current.malloc::<f32>(64)?, 0)?;
    let (left, right) = (a.tensor(&[8, 8])?.transpose(0, 1)?, a.tensor(&[8, 8])?);
    let out = current.malloc::<f32>(64)?.into_tensor(&[8, 8])?;
    op::matmul(current, &left, &right, out, CubeMath::Keep)?
        .run_in(&mut stream, &mut workspaces)?;
    let mut workspaces = op::Workspaces::new();
    let a = stream.adopt(a);
    let (left, right) = (a.tensor(&[8, 8])?.transpose(0, 1)?, a.tensor(&[8, 8])?);
    let out = stream.malloc::<f32>(64)?.into_tensor(&[8, 8])?;
    drop(
        op::matmul(current, &left, &right, out, CubeMath::Keep)?
            .launch_in(&mut stream, &mut workspaces)?,
    );
    stream.synchronize()?;
    Ok(())
}

/// An output whose size the data decide: its description belongs to the output.
fn counted(current: Current<'_, '_, D>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let a = current.memset(current.malloc::<f32>(4)?, 0)?;
    let out = current.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?;
    let found = op::nonzero(current, &a.tensor(&[4])?, out)?.run(&mut stream)?;
    assert_eq!(found.shape()?, [0, 1]);
    Ok(())
}

/// A plan that runs again, with a workspace, on other tensors.
fn repeatable(current: Current<'_, '_, D>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let a = current.memset(current.malloc::<i32>(6)?, 0)?;
    let b = current.memset(current.malloc::<i32>(6)?, 0)?;
    let row = current.memset(current.malloc::<i32>(3)?, 0)?;
    let row = row.tensor(&[3])?;
    let mut out = current.memset(current.malloc::<i32>(6)?, 0)?;
    let plan = op::add(
        current,
        &a.tensor(&[2, 3])?,
        &row,
        1,
        out.tensor_mut(&[2, 3])?,
    )?;
    let mut add = plan.repeatable(current)?;
    assert!(add.workspace_size() > 0);
    for from in [&a, &b] {
        let to = out.tensor_mut(&[2, 3])?;
        add.run(&mut stream, (&from.tensor(&[2, 3])?, &row, to))?;
    }
    Ok(())
}

/// Where a release belongs: executors, descriptions, memory.
fn place(call: &str) -> Option<usize> {
    match call {
        "aclDestroyAclOpExecutor" => Some(0),
        "aclDestroyTensor" | "aclDestroyScalar" => Some(1),
        "aclrtFree" => Some(2),
        _ => None,
    }
}

/// Runs `body` with a call that fails, and looks at what is released behind the failure.
fn released(body: fn(Current<'_, '_, D>) -> Result<()>) {
    let fault = std::env::var("ASCENDCL_EMULATOR_FAULTS").unwrap();
    let acl = acl_with_journal();
    {
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        body(thread.set_current(&device).unwrap()).unwrap_err();
        device.reset().unwrap();
    }
    let (name, rest) = fault.split_once('#').unwrap();
    let nth: usize = rest.split_once('=').unwrap().0.parse().unwrap();
    let calls: Vec<_> = ascendcl::emulator::journal()
        .iter()
        .map(|call| call.name)
        .collect();
    let mut places = calls.iter().enumerate().filter(|(_, call)| **call == name);
    let (failed, _) = places.nth(nth - 1).unwrap();
    let made = |create: &str| calls.iter().filter(|call| call.starts_with(create)).count();
    // The one that has failed made nothing.
    let tensors = made("aclCreateTensor") - usize::from(name == "aclCreateTensor");
    assert_eq!(made("aclDestroyTensor"), tensors, "{fault}");
    let releases: Vec<_> = calls[failed..]
        .iter()
        .filter_map(|call| place(call))
        .collect();
    assert!(releases.is_sorted(), "{fault}: {:?}", &calls[failed..]);
}

/// Runs the test `name` for each of the first calls of some functions.
fn each_fails(name: &str, calls: &[(&str, u32)], body: fn(Current<'_, '_, D>) -> Result<()>) {
    if !crate::common::runs_on(&["emulator"], &[]) {
        return;
    }
    for (call, count) in calls {
        for nth in 1..=*count {
            let fault = format!("{call}#{nth}=207001");
            let variables = [
                ("ASCENDCL_BACKEND", "emulator"),
                // Under the checker each operator has a workspace, whose memory no description refers to.
                ("ASCENDCL_EMULATOR_CHECK", "0"),
                ("ASCENDCL_EMULATOR_FAULTS", fault.as_str()),
            ];
            run_isolated(module_path!(), name, &variables, || released(body));
            if std::env::var_os("ASCENDCL_TEST_CHILD").is_some() {
                return;
            }
        }
    }
}

#[test]
fn a_product_releases_in_order() {
    let calls = [
        ("aclrtMalloc", 5),
        ("aclCreateTensor", 6),
        ("aclnnMatmulGetWorkspaceSize", 2),
        ("aclnnMatmul", 2),
        ("aclrtSynchronizeStream", 1),
    ];
    each_fails("a_product_releases_in_order", &calls, product);
}

#[test]
fn a_product_with_kept_workspaces_releases_in_order() {
    let calls = [("aclrtMalloc", 5), ("aclnnMatmul", 2)];
    each_fails(
        "a_product_with_kept_workspaces_releases_in_order",
        &calls,
        product_in,
    );
}

#[test]
fn a_counted_output_is_released_in_order() {
    let calls = [
        ("aclrtMalloc", 2),
        ("aclCreateTensor", 2),
        ("aclnnNonzeroGetWorkspaceSize", 1),
        ("aclnnNonzero", 1),
        ("aclGetViewShape", 1),
    ];
    each_fails("a_counted_output_is_released_in_order", &calls, counted);
}

#[test]
fn a_repeatable_plan_releases_in_order() {
    let calls = [
        ("aclrtMalloc", 5),
        ("aclCreateTensor", 3),
        ("aclCreateScalar", 1),
        ("aclnnAddGetWorkspaceSize", 2),
        ("aclSetAclOpExecutorRepeatable", 1),
        ("aclSetInputTensorAddr", 1),
        ("aclnnAdd", 2),
    ];
    each_fails("a_repeatable_plan_releases_in_order", &calls, repeatable);
}
