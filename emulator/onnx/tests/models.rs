//! ONNX files through the functions of C, beside the results of onnxruntime (`models/generate.py`).

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::ffi::{CStr, CString, c_void};
use std::ptr::null_mut;
use std::sync::Once;

use ascendcl_emulator::model::{self, Unreadable};
use ascendcl_sys::*;

/// Calls a function and asserts its status.
macro_rules! check {
    ($code:expr, $area:ident.$name:ident($($arg:expr),* $(,)?)) => {{
        let function = ascendcl_emulator::API.$area.$name;
        #[allow(clippy::macro_metavars_in_unsafe, reason = "the arguments are plain values")]
        // SAFETY: the test passes valid pointers and handles, or values that the emulator refuses.
        let code = unsafe { function($($arg),*) };
        assert_eq!(code, $code, "{}: {:?}", stringify!($name), ascendcl_emulator::unread_text());
    }};
    ($area:ident.$name:ident($($arg:expr),* $(,)?)) => { check!(0, $area.$name($($arg),*)) };
}

fn start() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| check!(runtime.aclInit(std::ptr::null())));
    ascendcl_emulator_onnx::register();
    check!(device.aclrtSetDevice(0));
}

fn path(name: &str) -> String {
    format!("{}/tests/models/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Returns the bytes of the numbers of a line.
fn bytes(data_type: &str, numbers: &str) -> Vec<u8> {
    let words = numbers.split_whitespace();
    match data_type {
        "float32" => words
            .flat_map(|word| word.parse::<f32>().unwrap().to_le_bytes())
            .collect(),
        "float64" => words
            .flat_map(|word| word.parse::<f64>().unwrap().to_le_bytes())
            .collect(),
        "int64" => words
            .flat_map(|word| word.parse::<i64>().unwrap().to_le_bytes())
            .collect(),
        "uint8" | "bool" => words.map(|word| word.parse().unwrap()).collect(),
        other => panic!("{other} is no type of the tests"),
    }
}

/// A data set of device memory.
struct Set {
    set: *mut aclmdlDataset,
    all: Vec<(*mut c_void, usize, *mut aclDataBuffer)>,
}

impl Set {
    fn new(contents: &[Vec<u8>]) -> Set {
        // SAFETY: takes nothing.
        let set = unsafe { (ascendcl_emulator::API.model.aclmdlCreateDataset)() };
        let mut all = Vec::new();
        for content in contents {
            let (mut memory, bytes) = (null_mut(), content.len());
            check!(memory.aclrtMalloc(&mut memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
            check!(memory.aclrtMemcpy(
                memory,
                bytes,
                content.as_ptr().cast(),
                bytes,
                ACL_MEMCPY_HOST_TO_DEVICE
            ));
            // SAFETY: a wrapper of an address and a size.
            let buffer =
                unsafe { (ascendcl_emulator::API.runtime.aclCreateDataBuffer)(memory, bytes) };
            check!(model.aclmdlAddDatasetBuffer(set, buffer));
            all.push((memory, bytes, buffer));
        }
        Set { set, all }
    }

    fn read(&self, index: usize) -> Vec<u8> {
        let (memory, len, _) = self.all[index];
        let mut content = vec![0; len];
        check!(memory.aclrtMemcpy(
            content.as_mut_ptr().cast(),
            len,
            memory,
            len,
            ACL_MEMCPY_DEVICE_TO_HOST
        ));
        content
    }
}

impl Drop for Set {
    fn drop(&mut self) {
        check!(model.aclmdlDestroyDataset(self.set));
        for (memory, _, buffer) in self.all.drain(..) {
            check!(runtime.aclDestroyDataBuffer(buffer));
            check!(memory.aclrtFree(memory));
        }
    }
}

/// Runs a model with the inputs of its text file, and compares the outputs with those of onnxruntime.
fn compare(name: &str, batch: Option<u64>) {
    start();
    let file = CString::new(path(&format!("{name}.onnx"))).unwrap();
    let mut id = 0;
    check!(model.aclmdlLoadFromFile(file.as_ptr(), &mut id));
    let text = std::fs::read_to_string(path(&format!("{name}.txt"))).unwrap();
    let (mut inputs, mut expected) = (Vec::new(), Vec::new());
    for line in text.lines() {
        let mut words = line.splitn(3, ' ');
        let (side, data_type, numbers) = (
            words.next().unwrap(),
            words.next().unwrap(),
            words.next().unwrap(),
        );
        let content = bytes(data_type, numbers);
        if side == "in" {
            inputs.push(content);
        } else {
            expected.push((data_type.to_owned(), content));
        }
    }
    if batch.is_some() {
        inputs.push(vec![0; 8]);
    }
    let input = Set::new(&inputs);
    let output = Set::new(
        &expected
            .iter()
            .map(|(_, bytes)| vec![0; bytes.len()])
            .collect::<Vec<_>>(),
    );
    if let Some(batch) = batch {
        check!(model.aclmdlSetDynamicBatchSize(id, input.set, inputs.len() - 1, batch));
    }
    check!(model.aclmdlExecute(id, input.set, output.set));
    assert!(!expected.is_empty());
    for (index, (data_type, expected)) in expected.iter().enumerate() {
        let found = output.read(index);
        if data_type != "float32" {
            assert_eq!(found, *expected, "{name}, output {index}");
            continue;
        }
        let floats = |bytes: &[u8]| -> Vec<f32> {
            bytes
                .chunks_exact(4)
                .map(|four| f32::from_le_bytes(four.try_into().unwrap()))
                .collect()
        };
        for (found, expected) in floats(&found).iter().zip(floats(expected)) {
            assert!(
                (found - expected).abs() <= 1e-6 * expected.abs().max(1.0),
                "{name}: {found}, not {expected}"
            );
        }
    }
    check!(model.aclmdlUnload(id));
}

#[test]
fn a_sum_is_that_of_onnxruntime() {
    compare("sum", None);
}

#[test]
fn a_convolutional_network_is_that_of_onnxruntime() {
    compare("convolution", None);
}

#[test]
fn int64_and_bool_keep_their_types() {
    compare("types", None);
}

#[test]
fn metadata_gives_a_model_gears() {
    compare("gears", Some(2));
}

#[test]
fn the_first_of_equal_elements_is_taken_and_nodes_may_have_names_of_values() {
    compare("first", None);
}

#[test]
fn a_description_has_names_shapes_and_sizes_of_the_file() {
    start();
    let file = CString::new(path("convolution.onnx")).unwrap();
    let (mut work, mut weights) = (0, 0);
    check!(model.aclmdlQuerySize(file.as_ptr(), &mut work, &mut weights));
    // 4 * 9 + 4 + 64 * 10 + 10 floats, in units of 512 bytes.
    assert_eq!(weights, 3072);
    let table = ascendcl_emulator::API.model;
    // SAFETY: takes nothing.
    let desc = unsafe { (table.aclmdlCreateDesc)() };
    check!(model.aclmdlGetDescFromFile(desc, file.as_ptr()));
    // SAFETY: a live description.
    let name = unsafe { (table.aclmdlGetInputNameByIndex)(desc, 0) };
    // SAFETY: a C string that lives as long as the description.
    assert_eq!(unsafe { CStr::from_ptr(name) }, c"image");
    // SAFETY: a live description.
    let format = unsafe { (table.aclmdlGetInputFormat)(desc, 0) };
    assert_eq!(format, ACL_FORMAT_NCHW);
    // SAFETY: a live description.
    let size = unsafe { (table.aclmdlGetOutputSizeByIndex)(desc, 0) };
    assert_eq!(size, 40);
    check!(model.aclmdlDestroyDesc(desc));
}

#[test]
fn a_file_that_the_engine_cannot_run_is_refused_with_the_reason() {
    start();
    let load = |code: i32, bytes: &[u8]| {
        let mut id = 0;
        check!(
            code,
            model.aclmdlLoadFromMem(bytes.as_ptr().cast(), bytes.len(), &mut id)
        );
        ascendcl_emulator::unread_text().unwrap_or_default()
    };
    let double = std::fs::read(path("double.onnx")).unwrap();
    let changed = |from: &[u8], to: &[u8]| -> Vec<u8> {
        let mut file = double.clone();
        let places: Vec<_> = (0..file.len() - from.len())
            .filter(|at| file[*at..].starts_with(from))
            .collect();
        assert!(!places.is_empty());
        for at in places {
            file[at..at + from.len()].copy_from_slice(to);
        }
        file
    };
    // The element type 11 becomes 8.
    let text = load(207000, &changed(&[8, 11], &[8, 8]));
    assert!(
        text.contains("`y` has elements of the ONNX type string"),
        "{text}"
    );
    let text = load(207000, &changed(b"Cast", b"Cask"));
    assert!(
        text.contains("Cask `y`: this engine has no such operator"),
        "{text}"
    );
    // A graph of one byte that is no message.
    load(145006, &[8_u8, 8, 0x3a, 1, 0xff]);
}

#[test]
fn double_precision_is_computed_in_double_precision() {
    compare("double", None);
}

#[test]
fn whole_numbers_have_all_their_bits() {
    start();
    let file = CString::new(path("types.onnx")).unwrap();
    let mut id = 0;
    check!(model.aclmdlLoadFromFile(file.as_ptr(), &mut id));
    let large = [0_i64, 1 << 40, 0]
        .iter()
        .flat_map(|one| one.to_le_bytes())
        .collect();
    let input = Set::new(&[vec![0; 32], vec![0; 32], large, vec![0; 24]]);
    let output = Set::new(&[vec![0; 16], vec![0; 8], vec![0; 24]]);
    check!(model.aclmdlExecute(id, input.set, output.set));
    assert_eq!(output.read(2)[8..16], (1_i64 << 40).to_le_bytes());
    check!(model.aclmdlUnload(id));
}

#[test]
fn a_file_beside_the_model_has_the_options_of_atc() {
    compare("picture", None);
    let file = CString::new(path("picture.onnx")).unwrap();
    let table = ascendcl_emulator::API.model;
    // SAFETY: takes nothing.
    let desc = unsafe { (table.aclmdlCreateDesc)() };
    check!(model.aclmdlGetDescFromFile(desc, file.as_ptr()));
    // SAFETY: a live description.
    let bytes = unsafe { (table.aclmdlGetInputSizeByIndex)(desc, 0) };
    assert_eq!(bytes, 8 * 6 * 3 / 2);
    // SAFETY: a live description.
    let kind = unsafe { (table.aclmdlGetInputDataType)(desc, 0) };
    assert_eq!(kind, ACL_UINT8);
    check!(model.aclmdlDestroyDesc(desc));

    let (mut id, mut kind, mut attached) = (0, ACL_DYNAMIC_AIPP_NODE, 0);
    check!(model.aclmdlLoadFromFile(file.as_ptr(), &mut id));
    check!(model.aclmdlGetAippType(id, 0, &mut kind, &mut attached));
    assert_eq!((kind, attached), (ACL_DATA_WITH_STATIC_AIPP, 0xffff_ffff));
    let mut info = Box::<aclAippInfo>::new_uninit();
    check!(model.aclmdlGetFirstAippInfo(id, 0, info.as_mut_ptr()));
    // SAFETY: the call has written all of it.
    let info = unsafe { info.assume_init() };
    assert_eq!(info.inputFormat, ACL_YUV420SP_U8);
    assert_eq!((info.srcImageSizeW, info.srcImageSizeH), (8, 6));
    assert_eq!(
        (info.cropSwitch, info.loadStartPosW, info.cropSizeH),
        (1, 2, 4)
    );
    assert_eq!(
        (info.paddingSwitch, info.cscSwitch, info.matrixR1C2),
        (0, 1, -183)
    );
    assert_eq!(
        (info.inputBias1, info.meanChn2, info.varReciChn1),
        (128, 123, 0.25)
    );
    assert_eq!(
        (info.srcFormat, info.srcDatatype, info.srcDimNum),
        (ACL_FORMAT_NCHW, ACL_FLOAT, 4)
    );
    let [shape, ..] = &info.outDims;
    assert_eq!(
        (info.shapeCount, shape.srcDims.dimCount, shape.srcSize),
        (1, 4, 3 * 4 * 4 * 4)
    );
    assert_eq!(shape.aippOutdims.dims[..4], [1, 3, 4, 4]);
    check!(model.aclmdlUnload(id));
}

#[test]
fn metadata_gives_a_shape_to_a_model_in_memory() {
    start();
    let mut file = std::fs::read(path("picture.onnx")).unwrap();
    let mut id = 0;
    let mut load = |code: i32, file: &[u8]| {
        check!(
            code,
            model.aclmdlLoadFromMem(file.as_ptr().cast(), file.len(), &mut id)
        );
        id
    };
    load(207000, &file);
    let text = ascendcl_emulator::unread_text().unwrap();
    assert!(text.contains("inputs of unknown shape"), "{text}");
    // What `ModelFile::input_shape` of the typed API appends.
    file.extend_from_slice(b"\x72\x1c\x0a\x0binput_shape\x12\x0dimage:1,3,2,5");
    let id = load(0, &file);
    let table = ascendcl_emulator::API.model;
    // SAFETY: takes nothing.
    let desc = unsafe { (table.aclmdlCreateDesc)() };
    check!(model.aclmdlGetDesc(desc, id));
    // SAFETY: a live description.
    let bytes = unsafe { (table.aclmdlGetOutputSizeByIndex)(desc, 0) };
    assert_eq!(bytes, 3 * 2 * 5 * 4);
    check!(model.aclmdlDestroyDesc(desc));
    check!(model.aclmdlUnload(id));
}

#[test]
fn an_option_that_does_not_fit_is_refused_with_its_name() {
    start();
    let folder = std::env::temp_dir().join(format!("ascendcl-onnx-options-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let model = folder.join("net.onnx");
    std::fs::copy(path("picture.onnx"), &model).unwrap();
    let configuration = std::fs::read_to_string(path("picture.cfg")).unwrap();
    let shape = "--input_shape=image:1,3,4,4";
    for (options, from, to, said) in [
        (
            "--input_shape=picture:1",
            "",
            "",
            "`picture`, which is no input",
        ),
        (
            "--input_shape=image:1,4,4,4",
            "",
            "",
            "`image` 4 where the model has 3",
        ),
        ("--out_nodes=y", "", "", "the option `--out_nodes`"),
        ("input_shape", "", "", "`input_shape` in"),
        (
            "--insert_op_conf=net.cfg",
            "",
            "",
            "give them by `input_shape`",
        ),
        (
            "--insert_op_conf=none.cfg",
            "",
            "",
            "none.cfg cannot be read",
        ),
        (
            shape,
            "static",
            "dynamic",
            "`aipp_mode` of AIPP is `dynamic`",
        ),
        (
            shape,
            "YUV420SP_U8",
            "YUYV_U8",
            "`input_format` of AIPP is `YUYV_U8`",
        ),
        (shape, "crop_size_w: 4", "crop_size_w: 2", "wants 4 x 4"),
        (
            shape,
            "load_start_pos_w: 2",
            "load_start_pos_w: 6",
            "wants 4 x 4",
        ),
        (
            shape,
            "crop: true",
            "crap: true",
            "does not know `crap` of AIPP",
        ),
        (
            shape,
            "related_input_rank: 0",
            "related_input_rank: 1",
            "no such input",
        ),
    ] {
        std::fs::write(folder.join("net.cfg"), configuration.replacen(from, to, 1)).unwrap();
        let conf = if options == shape {
            " --insert_op_conf=net.cfg"
        } else {
            ""
        };
        std::fs::write(folder.join("net.onnx.atc"), format!("{options}{conf}")).unwrap();
        let (mut id, file) = (0, CString::new(model.to_str().unwrap()).unwrap());
        check!(207000, model.aclmdlLoadFromFile(file.as_ptr(), &mut id));
        let text = ascendcl_emulator::unread_text().unwrap();
        assert!(text.contains(said), "{options}, {to}: {text}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn reasons_are_sentences() {
    let text = Unreadable::Unsupported("no Loop".to_owned()).to_string();
    assert_eq!(text, "the engine cannot run it: no Loop");
    let dim = model::Dim::Fixed(3);
    assert_ne!(dim, model::Dim::Named(String::new()));
}
