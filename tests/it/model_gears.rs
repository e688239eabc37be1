//! Models that were compiled for several sizes: each kind of gears, runs of both kinds, and the errors of gears.

use ascendcl::error::{ErrorKind, ModelMismatch, Usage};
use ascendcl::model::{
    BatchSize, Blocking, Dims, ImageSize, LoadOptions, ModelFile, NoGears, Queueing,
};
use ascendcl::stream::Main;
use ascendcl::sys::ACL_FLOAT;
use ascendcl::{Acl, Current, Npu, Result, Thread};

use crate::common::{
    acl_with_journal, assert_clean, assert_says, bound, calls, isolated, run_isolated, usage,
};
use crate::model::{DIMS, GEARS, PICTURES, SUM, engine};

type D = Npu<0>;

/// Returns the file of a test model.
pub(crate) fn file(bytes: &[u8]) -> ModelFile {
    ModelFile::new(bytes)
}

/// Writes a model to a file of its own and returns the path.
fn on_disk(bytes: &[u8], name: &str) -> std::path::PathBuf {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("gears-{name}.onnx"));
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Queues runs with both gears before the first one has run, and leaves at the first error.
fn both_gears(acl: &Acl, current: Current<'_, '_, D>) -> Result<Vec<f32>> {
    let host = acl.host()?;
    let mut stream = current.create_stream::<Main>()?;
    let options = LoadOptions::new();
    let mut model =
        stream.adopt(current.load_model_with::<Queueing, BatchSize>(&file(GEARS), options)?);
    let left = current.malloc_host_from(host, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0])?;
    let left = stream.adopt(current.memcpy(current.malloc(6)?, &left)?);
    let right = stream.adopt(current.memset(current.malloc::<i32>(6)?, 0)?);
    let mut one = stream.adopt(current.memset(current.malloc::<f32>(6)?, 0)?);
    let mut two = stream.adopt(current.memset(current.malloc::<f32>(6)?, 0)?);
    stream.execute_gear_async(&mut model, 1, (&left, &right), (&mut one,))?;
    stream.execute_gear_async(&mut model, 2, (&left, &right), (&mut two,))?;
    stream.execute_gear_async(&mut model, 1, (&two, &right), (&mut one,))?;
    let mut back = stream.adopt(current.malloc_host::<f32>(host, 12)?);
    stream.memcpy_async(back.slice_mut(0..6)?, &one)?;
    stream.memcpy_async(back.slice_mut(6..12)?, &two)?;
    let idle = stream.synchronize()?;
    idle.take(model).unload()?;
    Ok(idle.take(back).to_vec())
}

/// The calls and tasks that fail, each in a process of its own.
const FAULTS: [&str; 16] = [
    "aclmdlLoadWithConfig#1=145006",
    "aclmdlSetConfigOpt#1=100000",
    "aclmdlSetConfigOpt#3=100000",
    "aclmdlGetDesc#1=500002",
    "aclmdlGetDynamicBatch#1=100000",
    "aclrtMalloc#1=207001",
    "aclmdlSetDynamicBatchSize#1=145012",
    "aclmdlSetDynamicBatchSize#2=145012",
    "aclmdlSetDynamicBatchSize#3=145012",
    "aclmdlSetDynamicBatchSize#4=145012",
    "aclmdlGetCurOutputDims#2=500001",
    "aclUpdateDataBuffer#3=100000",
    "aclmdlAddDatasetBuffer#4=100000",
    "aclmdlExecuteAsync#2=500002",
    "task:aclmdlExecuteAsync#2=507011",
    "aclmdlUnload#1=145003",
];

/// Runs [`both_gears`] with a failing call or task. Afterwards nothing is left that a call has made.
fn with_fault() {
    engine();
    let acl = acl_with_journal();
    {
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let failed = both_gears(&acl, thread.set_current(&device).unwrap());
        let failed = failed.unwrap_err();
        assert!(
            matches!(failed.kind(), ErrorKind::Refused(_) | ErrorKind::Wait(_)),
            "{failed}"
        );
        device.reset().unwrap();
    }
    assert_eq!(ascendcl::release_failures(), 0);
    for (made, released) in [
        ("aclmdlCreateConfigHandle", "aclmdlDestroyConfigHandle"),
        ("aclmdlCreateDesc", "aclmdlDestroyDesc"),
        ("aclmdlCreateDataset", "aclmdlDestroyDataset"),
        ("aclCreateDataBuffer", "aclDestroyDataBuffer"),
    ] {
        assert_eq!(calls(made), calls(released), "{made}");
    }
    let live = ascendcl::emulator::live();
    assert_eq!(
        (live.device_blocks, live.host_blocks, live.streams),
        (0, 0, 0)
    );
    assert_eq!(ascendcl::emulator::violations(), []);
}

#[test]
fn each_failing_call_of_a_model_with_gears_leaves_nothing() {
    if !crate::common::runs_on(&["emulator"], &[]) {
        return;
    }
    for fault in FAULTS {
        let leaves = fault.contains("Unload");
        let variables = [
            ("ASCENDCL_BACKEND", "emulator"),
            ("ASCENDCL_EMULATOR_FAULTS", fault),
            ("ASCENDCL_EMULATOR_SCHEDULE", "lazy"),
            (
                "ASCENDCL_EMULATOR_CHECK",
                if leaves { "0" } else { "leaks" },
            ),
        ];
        let name = "each_failing_call_of_a_model_with_gears_leaves_nothing";
        run_isolated(module_path!(), name, &variables, with_fault);
        if std::env::var_os("ASCENDCL_TEST_CHILD").is_some() {
            return;
        }
    }
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_run_with_a_batch_size_writes_its_part() {
        engine();
        bound!(acl, side, device: D, current);
        let path = on_disk(GEARS, "batch");
        let mut model = current.load_geared_model::<Blocking, BatchSize>(&path).unwrap();
        // The input for the gear is not among the inputs of the program.
        let names: Vec<_> = model.inputs().iter().map(|input| (input.name(), input.bytes())).collect();
        assert_eq!(names, [("left", 24), ("right", 24)]);
        assert_eq!(model.inputs()[0].shape(), [-1, 3]);
        let gears: Vec<_> = model.gears().iter().map(|gear| gear.values().to_vec()).collect();
        assert_eq!(gears, [[1], [2]]);
        let one = &model.gears()[0];
        assert_eq!((one.inputs()[1].shape(), one.inputs()[1].bytes()), (&[1, 3][..], 12));
        let sum = &one.outputs()[0];
        assert_eq!((sum.name(), sum.data_type(), sum.shape(), sum.bytes()), ("sum", ACL_FLOAT, &[1, 3][..], 12));
        assert_eq!(model.gears()[1].outputs()[0].bytes(), 24);

        let left = current.malloc_host_from(side, &[1.0_f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
        let left = current.memcpy(current.malloc(6).unwrap(), &left).unwrap();
        let right = current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap();
        let mut sum = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let mut back = current.malloc_host::<f32>(side, 6).unwrap();
        for (gear, expected) in [
            (1, [1.0, 2.0, 3.0, 0.0, 0.0, 0.0]),
            (2, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
        ] {
            model.execute_gear(gear, (&left, &right), (&mut sum,)).unwrap();
            current.memcpy(&mut back, &sum).unwrap();
            assert_eq!(back[..], expected);
        }
        model.unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn a_queued_run_keeps_its_gear_when_the_next_one_has_another() {
        engine();
        bound!(acl with journal, device: D, current);
        // `one` is written by the first and the third run, `two` by the second one.
        let expected = [1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(both_gears(&acl, current).unwrap(), expected);
        // Two gears and the place without runs when it is loaded; then each of the three runs has another gear.
        assert_eq!(calls("aclmdlSetDynamicBatchSize"), 3 + 3);
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn pictures_have_a_height_and_a_width() {
        engine();
        bound!(acl, side, device: D, current);
        let path = on_disk(PICTURES, "pictures");
        let mut model = current.load_geared_model::<Blocking, ImageSize>(&path).unwrap();
        let gears: Vec<_> = model.gears().iter().map(|gear| (gear.values().to_vec(), gear.outputs()[0].bytes())).collect();
        assert_eq!(gears, [(vec![1, 4], 16), (vec![2, 3], 24)]);
        let left = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let ones = current.malloc_host_from(side, &[1; 6]).unwrap();
        let right = current.memcpy(current.malloc::<i32>(6).unwrap(), &ones).unwrap();
        let mut sum = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        model.execute_gear([1, 4], (&left, &right), (&mut sum,)).unwrap();
        let mut back = current.malloc_host::<f32>(side, 6).unwrap();
        current.memcpy(&mut back, &sum).unwrap();
        assert_eq!(back[..], [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
        model.execute_gear([2, 3], (&left, &right), (&mut sum,)).unwrap();
        let refused = usage(model.execute_gear([4, 1], (&left, &right), (&mut sum,)));
        let known = vec![vec![1, 4], vec![2, 3]];
        assert_eq!(refused, Usage::Model(ModelMismatch::Gear { passed: vec![4, 1], known }));
        assert_eq!(refused.to_string(), "the model has no gear [4, 1]: its gears are [[1, 4], [2, 3]]");
        model.unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn dimensions_are_those_of_all_inputs() {
        engine();
        bound!(acl, device: D, current);
        let path = on_disk(DIMS, "dims");
        let mut model = current.load_geared_model::<Blocking, Dims>(&path).unwrap();
        let gears: Vec<_> = model.gears().iter().map(|gear| gear.values().to_vec()).collect();
        assert_eq!(gears, [[1, 3, 1, 3], [2, 3, 2, 3]]);
        assert_eq!(model.gears()[0].inputs()[1].shape(), [1, 3]);
        let left = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let right = current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap();
        let mut sum = current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        model.execute_gear(&[1, 3, 1, 3], (&left, &right), (&mut sum,)).unwrap();
        let refused = model.execute_gear(&[3, 3], (&left, &right), (&mut sum,));
        assert_says(refused, &["the model has no gear [3, 3]: its gears are [[1, 3, 1, 3], [2, 3, 2, 3]]"]);
        model.unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn gears_of_another_kind_are_refused_by_the_load() {
        engine();
        bound!(acl, device: D, current);
        let load = || LoadOptions::new();
        for (refused, option) in [
            (usage(current.load_model_with::<Blocking, BatchSize>(&file(SUM), load()).map(drop)), "--dynamic_batch_size"),
            (usage(current.load_model_with::<Queueing, ImageSize>(&file(GEARS), load()).map(drop)), "--dynamic_image_size"),
            (usage(current.load_model_with::<Blocking, Dims>(&file(PICTURES), load()).map(drop)), "--dynamic_dims"),
        ] {
            assert_eq!(refused, Usage::Model(ModelMismatch::Gears { option }));
            let said = format!("the model was not compiled with `{option}`: load a model of one size by `load_model`");
            assert!(refused.to_string().starts_with(&said), "{refused}");
        }
        let refused = usage(current.load_model_with::<Blocking, NoGears>(&file(DIMS), load()).map(drop));
        assert_eq!(refused, Usage::Model(ModelMismatch::Sizes { name: "left".to_owned() }));
        let said = "load a model with gears by `load_geared_model`";
        assert!(refused.to_string().contains(said), "{refused}");
        // What was loaded is unloaded.
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_buffer_for_the_smaller_gear_is_too_small() {
        engine();
        bound!(acl, device: D, current);
        let mut model = current.load_model_with::<Blocking, BatchSize>(&file(GEARS), LoadOptions::new()).unwrap();
        let floats = |len| current.memset(current.malloc::<f32>(len).unwrap(), 0).unwrap();
        let right = current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap();
        let (mut three, mut six) = (floats(3), floats(6));
        let refused = usage(model.execute_gear(1, (&six, &right), (&mut three,)));
        assert_eq!(
            refused,
            Usage::Model(ModelMismatch::Size { name: "sum".to_owned(), passed: 12, expected: 24 })
        );
        let refused = usage(model.execute_gear(1, (&right, &right), (&mut six,)));
        assert!(matches!(refused, Usage::Model(ModelMismatch::Element { .. })), "{refused}");
        let refused = usage(model.execute_gear(1, (&six,), (&mut three,)));
        let expected = ModelMismatch::Count { side: "inputs", passed: 1, expected: 2 };
        assert_eq!(refused, Usage::Model(expected));
        model.unload().unwrap();
        assert_clean(&acl);
    }
}
