//! Models: loads, descriptions, both kinds of runs, and the errors of buffers that do not fit.
//!
//! The engine of these tests adds its inputs, so the emulator needs no other one. On a card the tests are skipped.

use std::ptr::null_mut;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ascendcl::emulator::model::{
    self as emulated, Array, Description, Dim, Network, Output, Port, Unreadable,
};
use ascendcl::error::{ErrorKind, ModelMismatch, Usage};
use ascendcl::event::Order;
use ascendcl::model::{Blocking, Queueing};
use ascendcl::stream::Main;
use ascendcl::sys::{ACL_FLOAT, ACL_FORMAT_ND, ACL_INT32, aclDataType};
use ascendcl::{Npu, StreamName};

use crate::common::{assert_clean, assert_says, bound, isolated, usage};

type D = Npu<0>;

enum Side {}
impl StreamName for Side {}

/// A model whose output is the sum of its two inputs of six numbers.
pub(crate) const SUM: &[u8] = &[1 << 3, 8, 7 << 3 | 2, 1, 1];
/// A model like [`SUM`] whose runs fail.
pub(crate) const FAILING: &[u8] = &[1 << 3, 8, 7 << 3 | 2, 1, 2];
/// A model like [`SUM`] with batch sizes: each run has one row or two.
pub(crate) const GEARS: &[u8] = &[1 << 3, 8, 7 << 3 | 2, 1, 3];
/// A model like [`SUM`] for pictures of 1 by 4 and 2 by 3 pixels.
pub(crate) const PICTURES: &[u8] = &[1 << 3, 8, 7 << 3 | 2, 1, 4];
/// A model like [`SUM`] whose first input has one row or two, as the second one.
pub(crate) const DIMS: &[u8] = &[1 << 3, 8, 7 << 3 | 2, 1, 5];

/// The address of the context in which the last model was unloaded.
pub(crate) static ENDED_IN: AtomicUsize = AtomicUsize::new(0);

struct Engine;

impl emulated::Engine for Engine {
    fn read(&self, file: &[u8]) -> Result<Arc<dyn Network>, Unreadable> {
        // A load by the path of a file adds the path behind it.
        let file = &file[..SUM.len()];
        let named = |name: &str| Dim::Named(name.to_owned());
        let (shape, gears) = match file {
            GEARS => ([named("n"), Dim::Fixed(3)], Some(("batch_size", "1,2"))),
            PICTURES => ([named("h"), named("w")], Some(("image_size", "1,4;2,3"))),
            DIMS => ([named("n"), Dim::Fixed(3)], Some(("dims", "1,1;2,2"))),
            _ => ([Dim::Fixed(2), Dim::Fixed(3)], None),
        };
        let option = |(kind, values): (&str, &str)| (format!("dynamic_{kind}"), values.to_owned());
        let metadata = gears.map(option).into_iter().collect();
        let port = |name: &str, data_type: aclDataType| Port {
            name: name.to_owned(),
            data_type,
            shape: Some(shape.to_vec()),
        };
        let description = Description {
            inputs: vec![port("left", ACL_FLOAT), port("right", ACL_INT32)],
            outputs: vec![port("sum", ACL_FLOAT)],
            metadata,
            weight_bytes: 24,
        };
        let fails = file == FAILING;
        Ok(Arc::new(Sum { description, fails }))
    }
}

struct Sum {
    description: Description,
    fails: bool,
}

impl Drop for Sum {
    /// Stores the context in which the model ends.
    fn drop(&mut self) {
        let mut context = null_mut();
        // SAFETY: `context` is valid for a write. Without a current context it stays null.
        let _ = unsafe { ascendcl::sys::aclrtGetCurrentContext(&raw mut context) };
        ENDED_IN.store(context.addr(), Ordering::Relaxed);
    }
}

impl Network for Sum {
    fn description(&self) -> &Description {
        &self.description
    }

    fn run(&self, inputs: &[Array<'_>]) -> Result<Vec<Output>, String> {
        if self.fails {
            return Err("this model fails".to_owned());
        }
        let words = |array: &Array<'_>| -> Vec<[u8; 4]> {
            array
                .bytes
                .chunks_exact(4)
                .map(|four| four.try_into().unwrap())
                .collect()
        };
        let (left, right) = (words(&inputs[0]), words(&inputs[1]));
        let sums = left
            .into_iter()
            .zip(right)
            .map(|(left, right)| f32::from_le_bytes(left) + i32::from_le_bytes(right) as f32);
        Ok(vec![Output {
            shape: inputs[0].shape.to_vec(),
            bytes: sums.flat_map(f32::to_le_bytes).collect(),
        }])
    }
}

/// Registers the engine of these tests.
pub(crate) fn engine() {
    emulated::register(Arc::new(Engine));
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_blocking_run_returns_its_outputs() {
        engine();
        bound!(acl, side, device: D, current);
        let mut model = current.load_model_from::<Blocking>(SUM).unwrap();
        let info = &model.inputs()[1];
        assert_eq!((info.name(), info.data_type(), info.format()), ("right", ACL_INT32, ACL_FORMAT_ND));
        assert_eq!((info.shape(), info.bytes()), (&[2, 3][..], 24));
        assert_eq!((model.inputs().len(), model.outputs().len(), model.outputs()[0].name()), (2, 1, "sum"));
        let mut left = current.malloc_host::<f32>(side, 6).unwrap();
        left.copy_from_slice(&[0.5, 1.5, 2.5, 3.5, 4.5, 5.5]);
        let left = current.memcpy(current.malloc(6).unwrap(), &left).unwrap();
        let right = current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap();
        let (mut sum,) = model.execute((&left, &right), (current.malloc::<f32>(6).unwrap(),)).unwrap();
        let mut back = current.malloc_host::<f32>(side, 6).unwrap();
        current.memcpy(&mut back, &sum).unwrap();
        assert_eq!(back[..], [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]);
        // The same buffers again, and borrowed.
        let ((),) = model.execute((&left, &right), (&mut sum,)).unwrap();
        model.unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_queued_run_writes_memory_of_its_stream() {
        engine();
        bound!(acl, side, device: D, current, stream);
        let mut model = stream.adopt(current.load_model_from::<Queueing>(SUM).unwrap());
        let left = stream.adopt(current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap());
        let right = stream.adopt(current.memset(current.malloc::<i32>(6).unwrap(), 1).unwrap());
        let sum = stream.adopt(current.malloc::<f32>(6).unwrap());
        let (sum,) = stream.execute_async(&mut model, (&left, &right), (sum,)).unwrap();
        // The sum is an input of the next run of the stream.
        let again = stream.adopt(current.malloc::<f32>(6).unwrap());
        let (again,) = stream.execute_async(&mut model, (&sum, &right), (again,)).unwrap();
        let mut back = stream.adopt(current.malloc_host::<f32>(side, 6).unwrap());
        stream.memcpy_async(&mut back, &again).unwrap();
        let idle = stream.synchronize().unwrap();
        assert_eq!(idle.take(back)[..], [0x0101_0101 as f32 * 2.0; 6]);
        idle.take(model).unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_model_moves_to_another_stream_behind_an_event() {
        engine();
        bound!(acl, device: D, current, main);
        let mut other = current.create_stream::<Side>().unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        let mut model = main.adopt(current.load_model_from::<Queueing>(SUM).unwrap());
        let operands = || (
            current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap(),
            current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap(),
            current.malloc::<f32>(6).unwrap(),
        );
        let (left, right, sum) = operands();
        let (left, right) = (main.adopt(left), main.adopt(right));
        let (first,) = {
            let sum = main.adopt(sum);
            main.execute_async(&mut model, (&left, &right), (sum,)).unwrap()
        };
        let mut model = main.handoff(&mut other, &mut event, model).unwrap();
        let (left, right, sum) = operands();
        let (left, right) = (other.adopt(left), other.adopt(right));
        let (second,) = {
            let sum = other.adopt(sum);
            other.execute_async(&mut model, (&left, &right), (sum,)).unwrap()
        };
        drop((first, second));
        let model = other.synchronize().unwrap().take(model);
        let model = main.synchronize().unwrap().verify(model);
        model.unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_queued_model_that_is_dropped_is_unloaded_after_a_wait() {
        engine();
        let acl = crate::common::acl_with_journal();
        let mut thread = ascendcl::Thread::claim().unwrap();
        let device = acl.set_device::<D>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        drop(stream.adopt(current.load_model_from::<Queueing>(SUM).unwrap()));
        assert_eq!(crate::common::calls("aclmdlUnload"), 0);
        let _ = stream.synchronize().unwrap();
        assert_eq!(crate::common::calls("aclmdlUnload"), 1);
        drop(current.load_model_from::<Blocking>(SUM).unwrap());
        assert_eq!(crate::common::calls("aclmdlUnload"), 2);
        assert_eq!(crate::common::calls("aclCreateDataBuffer"), crate::common::calls("aclDestroyDataBuffer"));
        assert_eq!(crate::common::calls("aclmdlCreateDataset"), crate::common::calls("aclmdlDestroyDataset"));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn buffers_that_do_not_fit_are_named_before_the_run() {
        engine();
        bound!(acl, device: D, current);
        let mut model = current.load_model_from::<Blocking>(SUM).unwrap();
        let floats = |len| current.memset(current.malloc::<f32>(len).unwrap(), 0).unwrap();
        let numbers = current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap();
        let (six, five, mut out) = (floats(6), floats(5), floats(6));
        let mismatch = |result| match usage(result) {
            Usage::Model(mismatch) => mismatch,
            other => panic!("{other}"),
        };
        assert_eq!(
            mismatch(model.execute((&six,), (&mut out,))),
            ModelMismatch::Count { side: "inputs", passed: 1, expected: 2 }
        );
        let error = model.execute((&six, &numbers, &six), (&mut out,));
        assert_says(error, &["the model has 2 inputs, and 3 were passed"]);
        assert_eq!(
            mismatch(model.execute((&six, &six), (&mut out,))),
            ModelMismatch::Element { name: "right".to_owned(), passed: ACL_FLOAT, expected: ACL_INT32 }
        );
        assert_eq!(
            mismatch(model.execute((&five, &numbers), (&mut out,))),
            ModelMismatch::Size { name: "left".to_owned(), passed: 20, expected: 24 }
        );
        let error = model.execute((&six, &numbers), (current.malloc::<f32>(7).unwrap(),));
        assert_says(error.map(drop), &["`sum` of the model has 24 bytes, and the buffer 28"]);
        // None of these has run, and the model still runs.
        model.execute((&six, &numbers), (&mut out,)).unwrap();
        model.unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    on emulator fn a_load_that_is_refused_says_what_to_do() {
        engine();
        bound!(acl, device: D, current);
        let refused = current.load_model::<Blocking>("/nowhere/model.onnx").map(drop);
        assert_says(refused, &["aclmdlLoadFromFile", "145002", "/nowhere/model.onnx cannot be read"]);
        assert_says(current.load_model_from::<Blocking>(b"no model").map(drop), &["145006", "neither an ONNX file"]);
        let mut offline = vec![0; 256];
        offline[..4].copy_from_slice(b"IMOD");
        let refused = current.load_model_from::<Queueing>(&offline).map(drop);
        assert_says(refused, &["207000", "pass that file here"]);
        let path = usage(current.load_model::<Blocking>("a\0b").map(drop));
        assert!(matches!(path, Usage::Path { .. }), "{path}");
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    on emulator fn a_run_that_fails_is_an_error_of_the_call_or_of_the_wait() {
        engine();
        bound!(acl, device: D, current);
        let floats = || current.memset(current.malloc::<f32>(6).unwrap(), 0).unwrap();
        let numbers = || current.memset(current.malloc::<i32>(6).unwrap(), 0).unwrap();
        let mut model = current.load_model_from::<Blocking>(FAILING).unwrap();
        let failed = model.execute((&floats(), &numbers()), (&mut floats(),)).unwrap_err();
        assert!(matches!(failed.kind(), ErrorKind::Refused(call) if call.code == 507011), "{failed}");
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut model = stream.adopt(current.load_model_from::<Queueing>(FAILING).unwrap());
        let (left, right) = (stream.adopt(floats()), stream.adopt(numbers()));
        let sum = stream.adopt(current.malloc::<f32>(6).unwrap());
        let (sum,) = stream.execute_async(&mut model, (&left, &right), (sum,)).unwrap();
        let failed = stream.synchronize().map(drop).unwrap_err();
        assert!(matches!(failed.kind(), ErrorKind::Wait(_)), "{failed}");
        drop((sum, model));
        assert_eq!(ascendcl::emulator::take_violations().len(), 2);
    }
}
