//! The order of release on every way out of a program of each area: each call of C fails once. What refers to something is
//! released before that: an executor before its descriptions, and descriptions before the memory that they describe.

use ascendcl::collective::{Sum, World};
use ascendcl::media::{All, Nv12, Region};
use ascendcl::model::{Blocking, Queueing};
use ascendcl::op::{self, CubeMath};
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, Npu, Result, Thread};

use crate::common::{acl_with_journal, run_isolated};

type D = Npu<0>;

/// A program that returns the failure of one of its calls.
type Body = fn(&Acl, Current<'_, '_, D>) -> Result<()>;

/// A product of a view in a workspace, as a run and as a launch.
fn product(_: &Acl, current: Current<'_, '_, D>) -> Result<()> {
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
fn product_in(_: &Acl, current: Current<'_, '_, D>) -> Result<()> {
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
fn counted(_: &Acl, current: Current<'_, '_, D>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let a = current.memset(current.malloc::<f32>(4)?, 0)?;
    let out = current.malloc::<i64>(4)?.into_tensor_up_to(&[4, 1])?;
    let found = op::nonzero(current, &a.tensor(&[4])?, out)?.run(&mut stream)?;
    assert_eq!(found.shape()?, [0, 1]);
    Ok(())
}

/// A plan that runs again, with a workspace, on other tensors.
fn repeatable(_: &Acl, current: Current<'_, '_, D>) -> Result<()> {
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

/// The releases of an area in their order, and the calls that make what one of them destroys.
struct Order {
    releases: &'static [&'static [&'static str]],
    made_by: &'static str,
    destroyed_by: &'static str,
}

/// Executors, descriptions, memory.
const OF_OPERATORS: Order = Order {
    releases: &[
        &["aclDestroyAclOpExecutor"],
        &["aclDestroyTensor", "aclDestroyScalar"],
        &["aclrtFree"],
    ],
    made_by: "aclCreateTensor",
    destroyed_by: "aclDestroyTensor",
};

/// Runs `body` with a call that fails, and looks at what is released behind the failure.
fn released(order: &Order, body: Body) {
    let fault = std::env::var("ASCENDCL_EMULATOR_FAULTS").unwrap();
    let acl = acl_with_journal();
    {
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        body(&acl, thread.set_current(&device).unwrap()).unwrap_err();
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
    let count = |wanted: &str| calls.iter().filter(|call| **call == wanted).count();
    // The one that has failed made nothing.
    let made = count(order.made_by) - usize::from(name == order.made_by);
    assert_eq!(count(order.destroyed_by), made, "{fault}");
    let place = |call: &&str| order.releases.iter().position(|calls| calls.contains(call));
    let releases: Vec<_> = calls[failed..].iter().filter_map(place).collect();
    assert!(releases.is_sorted(), "{fault}: {:?}", &calls[failed..]);
}

/// Runs the test `name` for each of the first calls of some functions.
fn each_fails(name: &str, order: &Order, calls: &[(&str, u32)], body: Body) {
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
            run_isolated(module_path!(), name, &variables, || released(order, body));
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
    each_fails(
        "a_product_releases_in_order",
        &OF_OPERATORS,
        &calls,
        product,
    );
}

#[test]
fn a_product_with_kept_workspaces_releases_in_order() {
    let calls = [("aclrtMalloc", 5), ("aclnnMatmul", 2)];
    each_fails(
        "a_product_with_kept_workspaces_releases_in_order",
        &OF_OPERATORS,
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
    each_fails(
        "a_counted_output_is_released_in_order",
        &OF_OPERATORS,
        &calls,
        counted,
    );
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
    each_fails(
        "a_repeatable_plan_releases_in_order",
        &OF_OPERATORS,
        &calls,
        repeatable,
    );
}

/// A run that waits and one that is queued.
fn model(_: &Acl, current: Current<'_, '_, D>) -> Result<()> {
    crate::model::engine();
    let mut model = current.load_model_from::<Blocking>(crate::model::SUM)?;
    let left = current.memset(current.malloc::<f32>(6)?, 0)?;
    let right = current.memset(current.malloc::<i32>(6)?, 0)?;
    drop(model.execute((&left, &right), (current.malloc::<f32>(6)?,))?);
    model.unload()?;
    let mut stream = current.create_stream::<Main>()?;
    let mut model = stream.adopt(current.load_model_from::<Queueing>(crate::model::SUM)?);
    let (left, right) = (stream.adopt(left), stream.adopt(right));
    let out = (stream.malloc::<f32>(6)?,);
    drop(stream.execute_async(&mut model, (&left, &right), out)?);
    stream.synchronize()?;
    Ok(())
}

/// A model keeps the addresses of its runs, and nothing behind them, so only its device comes later than they do.
const OF_MODELS: Order = Order {
    releases: &[
        &[
            "aclDestroyDataBuffer",
            "aclmdlDestroyDataset",
            "aclmdlDestroyDesc",
            "aclmdlUnload",
            "aclrtFree",
        ],
        &["aclrtResetDevice"],
    ],
    made_by: "aclCreateDataBuffer",
    destroyed_by: "aclDestroyDataBuffer",
};

#[test]
fn the_runs_of_a_model_release_in_order() {
    let calls = [
        ("aclCreateDataBuffer", 6),
        ("aclmdlAddDatasetBuffer", 6),
        ("aclmdlCreateDataset", 4),
        ("aclmdlExecute", 1),
        ("aclmdlExecuteAsync", 1),
        ("aclrtSynchronizeStream", 1),
    ];
    each_fails(
        "the_runs_of_a_model_release_in_order",
        &OF_MODELS,
        &calls,
        model,
    );
}

/// A part of a picture becomes another picture.
fn pictures(acl: &Acl, current: Current<'_, '_, D>) -> Result<()> {
    let media = crate::media::media(acl);
    let mut stream = current.create_stream::<Main>()?;
    let channel = stream.adopt(media.create_channel::<All, _>(current)?);
    let whole = media.picture::<Nv12, _>(current, 32, 16)?;
    let whole = stream.adopt(whole.fill(current, 7)?);
    let region = Region {
        left: 0,
        top: 0,
        width: 32,
        height: 16,
    };
    let part = stream.adopt(media.picture::<Nv12, _>(current, 32, 16)?);
    let part = stream.with(&channel).crop(&whole, region, part)?;
    let idle = stream.synchronize()?;
    drop(idle.take(part).check()?);
    Ok(())
}

/// Descriptions of pictures before their memory.
const OF_PICTURES: Order = Order {
    releases: &[&["acldvppDestroyPicDesc"], &["acldvppFree"]],
    made_by: "acldvppCreatePicDesc",
    destroyed_by: "acldvppDestroyPicDesc",
};

#[test]
fn pictures_release_in_order() {
    let calls = [
        ("acldvppMalloc", 2),
        ("acldvppCreatePicDesc", 2),
        ("acldvppCreateRoiConfig", 1),
        ("acldvppVpcCropAsync", 1),
        ("aclrtSynchronizeStream", 1),
    ];
    each_fails("pictures_release_in_order", &OF_PICTURES, &calls, pictures);
}

/// A sum over the ranks of a communicator.
fn collective(_: &Acl, current: Current<'_, '_, D>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let own = stream.adopt(current.memset(current.malloc::<f32>(2)?, 0)?);
    let root = current.root_info(1)?;
    let comm = stream.adopt(current.comm_init_root_info::<World>(&root, 0)?);
    let out = stream.malloc(2)?;
    drop(stream.with(&comm).all_reduce(Sum, &own, out)?);
    stream.synchronize()?;
    Ok(())
}

/// A wait, then the memory and the communicator, then their device.
const OF_COLLECTIVES: Order = Order {
    releases: &[
        &["aclrtSynchronizeStream"],
        &["aclrtFree", "HcclCommDestroy"],
        &["aclrtResetDevice"],
    ],
    made_by: "HcclCommInitRootInfo",
    destroyed_by: "HcclCommDestroy",
};

#[test]
fn a_communicator_releases_in_order() {
    let calls = [
        ("HcclCommInitRootInfo", 1),
        ("HcclAllReduce", 1),
        ("aclrtMalloc", 2),
        ("aclrtSynchronizeStream", 1),
    ];
    each_fails(
        "a_communicator_releases_in_order",
        &OF_COLLECTIVES,
        &calls,
        collective,
    );
}
