//! The lives of models: refused loads, drops, forgotten values, failures in each call, and the context of the unload.

use std::mem;
use std::sync::atomic::Ordering;

use ascendcl::error::{ErrorKind, ModelMismatch, Usage};
use ascendcl::model::{Blocking, Queueing};
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, Npu, Result, Thread};

use crate::common::{
    acl, acl_with_journal, assert_clean, bound, calls, isolated, run_isolated, usage,
};
use crate::model::{ENDED_IN, FAILING, GEARS, SUM, engine};

type D = Npu<0>;

/// Loads a model of each kind, runs both, and leaves at the first error.
fn both_kinds(current: Current<'_, '_, D>) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let left = current.memset(current.malloc::<f32>(6)?, 0)?;
    let right = current.memset(current.malloc::<i32>(6)?, 0)?;
    let mut model = current.load_model_from::<Blocking>(SUM)?;
    let mut queued = stream.adopt(current.load_model_from::<Queueing>(SUM)?);
    let (sum,) = model.execute((&left, &right), (current.malloc::<f32>(6)?,))?;
    let (left, right, mut sum) = (stream.adopt(left), stream.adopt(right), stream.adopt(sum));
    let out = stream.adopt(current.malloc::<f32>(6)?);
    let (out,) = stream.execute_async(&mut queued, (&left, &right), (out,))?;
    let ((),) = stream.execute_async(&mut queued, (&out, &right), (&mut sum,))?;
    let idle = stream.synchronize()?;
    idle.take(queued).unload()?;
    model.unload()
}

/// The number of successful calls of a C function.
fn successes(name: &str) -> usize {
    let journal = ascendcl::emulator::journal();
    let ok = |code: Option<i32>| code.is_none_or(|code| code == 0);
    journal
        .iter()
        .filter(|call| call.name == name && ok(call.code))
        .count()
}

/// Runs [`both_kinds`] with a failing call or task. Afterwards nothing is left that a call has made.
fn with_fault(fault: &str) {
    engine();
    let acl = acl_with_journal();
    {
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let failed = both_kinds(current);
        // A destructor reports its failure to the hook.
        let reported = ascendcl::release_failures() as usize;
        let is_release = fault.contains("Destroy");
        assert_eq!(
            (failed.is_err(), reported),
            (!is_release, usize::from(is_release)),
            "{failed:?}"
        );
        // A failed wait says that the stream has failed; the memory behind it is freed by the end of the device.
        device.reset().unwrap();
    }
    for name in [
        "aclmdlUnload",
        "aclmdlDestroyDesc",
        "aclmdlDestroyDataset",
        "aclDestroyDataBuffer",
    ] {
        let made = match name {
            "aclmdlUnload" => successes("aclmdlLoadFromMem"),
            "aclmdlDestroyDesc" => calls("aclmdlCreateDesc"),
            "aclmdlDestroyDataset" => calls("aclmdlCreateDataset"),
            _ => calls("aclCreateDataBuffer"),
        };
        assert_eq!(calls(name), made, "{name} with {fault}");
    }
    assert_eq!(ascendcl::emulator::violations(), []);
}

/// The calls and tasks that fail, each in a process of its own.
const FAULTS: [&str; 25] = [
    "aclmdlLoadFromMem#1=145006",
    "aclmdlLoadFromMem#2=145006",
    "aclmdlGetDesc#1=500002",
    "aclmdlGetDesc#2=500002",
    "aclmdlGetInputDims#2=100000",
    "aclmdlGetOutputDims#1=100000",
    "aclmdlDestroyDesc#1=100000",
    "aclmdlAddDatasetBuffer#1=100000",
    "aclmdlAddDatasetBuffer#3=100000",
    "aclmdlAddDatasetBuffer#5=100000",
    "aclUpdateDataBuffer#1=100000",
    "aclUpdateDataBuffer#3=100000",
    "aclUpdateDataBuffer#5=100000",
    "aclmdlExecute#1=507011",
    "aclmdlExecute#1=507046",
    "aclmdlExecute#1=500002",
    "aclmdlExecuteAsync#1=500002",
    "aclmdlExecuteAsync#2=500002",
    "task:aclmdlExecuteAsync=507001",
    "task:aclmdlExecuteAsync#2=507011",
    "aclrtSynchronizeStream#1=507046",
    "aclmdlUnload#1=145003",
    "aclmdlUnload#2=145003",
    "aclmdlDestroyDataset#1=100000",
    "aclDestroyDataBuffer#1=100000",
];

/// Runs a test for each failing call, under one schedule.
fn each_fault(name: &str, schedule: &str) {
    for fault in FAULTS {
        // The checker reports what the failed release has left.
        let leaves = fault.contains("Destroy") || fault.contains("Unload");
        let variables = [
            ("ASCENDCL_BACKEND", "emulator"),
            ("ASCENDCL_EMULATOR_FAULTS", fault),
            ("ASCENDCL_EMULATOR_SCHEDULE", schedule),
            (
                "ASCENDCL_EMULATOR_CHECK",
                if leaves { "0" } else { "leaks" },
            ),
        ];
        run_isolated(module_path!(), name, &variables, || {
            with_fault(&std::env::var("ASCENDCL_EMULATOR_FAULTS").unwrap());
        });
        if std::env::var_os("ASCENDCL_TEST_CHILD").is_some() {
            return;
        }
    }
}

#[test]
fn each_failing_call_of_a_model_leaves_nothing() {
    if crate::common::runs_on(&["emulator"], &[]) {
        each_fault("each_failing_call_of_a_model_leaves_nothing", "eager");
    }
}

#[test]
fn each_failing_call_of_a_model_leaves_nothing_when_work_is_late() {
    if crate::common::runs_on(&["emulator"], &[]) {
        each_fault(
            "each_failing_call_of_a_model_leaves_nothing_when_work_is_late",
            "lazy",
        );
    }
}

/// Drops a queued model of an explicit context, and ends the context. Returns the address of the context.
fn model_of_context(acl: &Acl) -> usize {
    let mut thread = Thread::claim().unwrap();
    let device = acl.set_device::<D>(&mut thread, 0).unwrap();
    let context = device.create_context::<1>(&mut thread).unwrap();
    let address = context.as_raw().addr();
    {
        let current = thread.set_current_context(&context).unwrap();
        let stream = current.create_stream::<Main>().unwrap();
        let model = current.load_model_from::<Queueing>(SUM).unwrap();
        let model = stream.adopt(model);
        // The stream does not end, so nothing proves that the model is idle before the context ends.
        mem::forget(stream);
        drop(model);
    }
    let _ = thread.set_current(&device).unwrap();
    context.destroy().unwrap();
    device.reset().unwrap();
    address
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_model_whose_runs_have_many_sizes_is_refused() {
        engine();
        bound!(acl, device: D, current);
        // A run with the smaller gear would leave half of a fresh output unwritten.
        for refused in [
            usage(current.load_model_from::<Blocking>(GEARS).map(drop)),
            usage(current.load_model_from::<Queueing>(GEARS).map(drop)),
        ] {
            assert_eq!(refused, Usage::Model(ModelMismatch::Sizes { name: "left".to_owned() }));
            let text = refused.to_string();
            assert!(text.contains("without `--dynamic_batch_size`"), "{text}");
        }
        // What was loaded is unloaded.
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_parked_model_is_unloaded_in_its_context() {
        engine();
        let acl = acl();
        let context = model_of_context(&acl);
        assert_eq!(ENDED_IN.load(Ordering::Relaxed), context);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn two_models_of_one_file_are_two_models() {
        engine();
        bound!(acl, device: D, current);
        let mut blocking = current.load_model_from::<Blocking>(SUM).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut first = stream.adopt(current.load_model_from::<Queueing>(SUM).unwrap());
        let mut second = stream.adopt(current.load_model_from::<Queueing>(SUM).unwrap());
        let left = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let right = current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap();
        let (sum,) = blocking.execute((&left, &right), (current.malloc::<f32>(6).unwrap(),)).unwrap();
        let (left, right, sum) = (stream.adopt(left), stream.adopt(right), stream.adopt(sum));
        let out = stream.adopt(current.malloc::<f32>(6).unwrap());
        let (mut out,) = stream.execute_async(&mut first, (&left, &right), (out,)).unwrap();
        // Two values of one type may be exchanged: both are on this stream.
        mem::swap(&mut first, &mut second);
        let ((),) = stream.execute_async(&mut first, (&sum, &right), (&mut out,)).unwrap();
        let idle = stream.synchronize().unwrap();
        mem::swap(idle.get_mut(&mut first), idle.get_mut(&mut second));
        let (first, second) = (idle.take(first), idle.take(second));
        assert_ne!(first.as_raw(), second.as_raw());
        first.unload().unwrap();
        // The other two still run.
        let mut second = stream.adopt(second);
        let ((),) = stream.execute_async(&mut second, (&left, &right), (&mut out,)).unwrap();
        blocking.unload().unwrap();
        drop((second, out, left, right, sum));
        let _ = stream.synchronize().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn everything_of_a_queued_run_may_be_dropped_before_it_runs() {
        engine();
        bound!(acl, device: D, current, stream);
        let mut model = stream.adopt(current.load_model_from::<Queueing>(SUM).unwrap());
        let left = stream.adopt(current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap());
        let right = stream.adopt(current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap());
        let sum = stream.adopt(current.malloc::<f32>(6).unwrap());
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            let (sum,) = stream.execute_async(&mut model, (&left, &right), (sum,)).unwrap();
            let _dropped = (sum, left, right, model);
            std::panic::panic_any("between the run and the wait");
        }));
        assert!(panicked.is_err());
        let _ = stream.synchronize().unwrap();
        stream.destroy().unwrap();
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn a_forgotten_model_is_left_to_the_reset() {
        engine();
        let acl = acl_with_journal();
        let mut thread = Thread::claim().unwrap();
        {
            let device = acl.set_device::<D>(&mut thread, 0).unwrap();
            let current = thread.set_current(&device).unwrap();
            mem::forget(current.load_model_from::<Blocking>(SUM).unwrap());
            let stream = current.create_stream::<Main>().unwrap();
            mem::forget(stream.adopt(current.load_model_from::<Queueing>(SUM).unwrap()));
            drop(stream);
            device.reset().unwrap();
        }
        assert_eq!(calls("aclmdlUnload"), 0);
        // A model of the next life of the device has an id of its own.
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let model = current.load_model_from::<Blocking>(SUM).unwrap();
        assert_eq!(model.as_raw(), 3);
        model.unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn an_output_behind_a_failed_run_is_not_verified() {
        engine();
        bound!(acl, device: D, current, stream);
        let mut model = stream.adopt(current.load_model_from::<Queueing>(FAILING).unwrap());
        let left = stream.adopt(current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap());
        let right = stream.adopt(current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap());
        let sum = stream.adopt(current.malloc::<f32>(6).unwrap());
        let (sum,) = stream.execute_async(&mut model, (&left, &right), (sum,)).unwrap();
        let drained = stream.drain().unwrap();
        // Each comes back as `Unverified`, and is freed or unloaded as such.
        drop((drained.take(sum), drained.take(model)));
        let failed = stream.synchronize().map(drop).unwrap_err();
        assert!(matches!(failed.kind(), ErrorKind::Usage(_) | ErrorKind::Wait(_)), "{failed}");
        drop((left, right, stream));
        device.reset().unwrap();
        assert_eq!(ascendcl::release_failures(), 0);
        let live = ascendcl::emulator::live();
        assert_eq!((live.device_blocks, live.streams), (0, 0));
    }
}
