//! What a program can load as a binary while it has registered no kernel: shared objects of this machine, and the refusals of
//! all else.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::path::Path;
use std::ptr::{null, null_mut};

use ascendcl_emulator::{What, take_violations};
use ascendcl_sys::*;
use common::kernel::*;
use common::*;

passes_while_watched!("kernels_files");

/// Kernels in C, as the header makes them.
const SOURCE: &str = r#"
static const struct ascendcl_parameter three[] = {{0, 8, 1}, {8, 8, 2}, {16, 4, 0}};
static const struct ascendcl_parameter one[] = {{0, 8, 2}};
struct add { const float *x; float *y; uint32_t n; };

static int add(const struct ascendcl_block *b, const void *arguments, char *why, size_t room)
{
    const struct add *a = arguments;
    for (uint32_t i = b->index; i < a->n; i += b->count) {
        TOUCH(a->x + i, 4, 0);
        TOUCH(a->y + i, 4, 1);
        a->y[i] += a->x[i];
    }
    return 0;
}
const struct ascendcl_kernel add__ascendcl = {1, 3, three, add};

static int sum(const struct ascendcl_block *b, const void *arguments, char *why, size_t room)
{
    uint32_t *y = *(uint32_t *const *)arguments, all = 0;
    y[b->index] = b->index;
    if (b->sync(b->block)) return 1;
    for (uint32_t i = 0; i < b->count; i++) all += y[i];
    if (b->sync(b->block)) return 1;
    y[b->index] = all;
    return 0;
}
const struct ascendcl_kernel sum__ascendcl = {1, 1, one, sum};

static int rule(const struct ascendcl_block *b, const void *arguments, char *why, size_t room)
{
    snprintf(why, room, "a queue of %u has no tensor", b->count);
    return 1;
}
const struct ascendcl_kernel rule__ascendcl = {1, 0, 0, rule};

static int far(const struct ascendcl_block *b, const void *arguments, char *why, size_t room)
{
    static int other;
    TOUCH(&other, 4, 1);
    return 0;
}
const struct ascendcl_kernel far__ascendcl = {1, 1, one, far};

static int input(const struct ascendcl_block *b, const void *arguments, char *why, size_t room)
{
    TOUCH(*(void *const *)arguments, 4, 1);
    return 0;
}
const struct ascendcl_kernel input__ascendcl = {1, 3, three, input};

static int says(const struct ascendcl_block *b, const void *arguments, char *why, size_t room)
{
    b->print(b->block, "said by a kernel\n");
    return 0;
}
const struct ascendcl_kernel says__ascendcl = {1, 0, 0, says};

static int count;
static int counts(const struct ascendcl_block *b, const void *arguments, char *why, size_t room)
{
    *(int *)*(void *const *)arguments = ++count;
    return 0;
}
const struct ascendcl_kernel counts__ascendcl = {1, 1, one, counts};

const struct ascendcl_kernel newer__ascendcl = {2, 0, 0, says};
static const struct ascendcl_parameter odd[] = {{0, 4, 2}};
const struct ascendcl_kernel odd__ascendcl = {1, 1, odd, says};
const struct ascendcl_kernel lacks__ascendcl = {1, 3, 0, says};
"#;

fn library() -> std::path::PathBuf {
    static ONCE: std::sync::OnceLock<std::path::PathBuf> = std::sync::OnceLock::new();
    ONCE.get_or_init(|| {
        // Runs of this file at the same time must not share it.
        let name = format!("shared-{}.so", std::process::id());
        compile(&name, SOURCE, SHARED)
    })
    .clone()
}

/// Loads the library from its file, and from its bytes.
fn both() -> [aclrtBinHandle; 2] {
    let path = library();
    let (code, binary) = load_file(&path);
    assert_eq!(code, 0, "{}", text());
    [binary, load_data(&std::fs::read(&path).unwrap())]
}

#[test]
fn kernels_of_a_shared_object_run() {
    let _serial = start();
    for binary in both() {
        let add = function(binary, "add");
        let (mut offset, mut size) = (0, 0);
        check!(model.aclrtFunctionGetParamInfo(add, 2, &mut offset, &mut size));
        assert_eq!((offset, size), (16, 4));
        let (x, y) = (floats(&[1.0; 100]), floats(&[2.0; 100]));
        let arguments = Arguments::default().pointer(x).pointer(y).u32(100);
        assert_eq!(arguments.launch(add, 7, null_mut()), 0, "{}", text());
        assert_eq!((wait(), numbers(y, 100)), (0, vec![3.0; 100]));
        let one = Arguments::default().pointer(y);
        let sum = function(binary, "sum");
        assert_eq!(one.launch_with(sum, 4, null_mut(), &mut [batch()]), 0);
        assert_eq!(
            (wait(), download(y, 16)),
            (0, [6_u32.to_ne_bytes(); 4].concat())
        );
        assert_eq!(
            Arguments::default().launch(function(binary, "says"), 2, null_mut()),
            0
        );
        assert_eq!(wait(), 0);
        check!(model.aclrtBinaryUnLoad(binary));
    }
    assert_eq!(take_violations(), []);
}

#[test]
fn a_kernel_of_a_shared_object_that_stops_fails_its_task() {
    let _serial = start();
    for binary in both() {
        let (x, y) = (floats(&[1.0; 100]), malloc(400));
        let arguments = Arguments::default().pointer(x).pointer(y).u32(1_000_000);
        assert_eq!(arguments.launch(function(binary, "add"), 1, null_mut()), 0);
        failed(
            507015,
            What::KernelOutOfBounds,
            "block 0 of add: it reads bytes 4",
        );
        let one = Arguments::default().pointer(y);
        assert_eq!(one.launch(function(binary, "sum"), 2, null_mut()), 0);
        failed(507015, What::KernelRule, "schedule mode batch");
        assert_eq!(
            Arguments::default().launch(function(binary, "rule"), 3, null_mut()),
            0
        );
        failed(507015, What::KernelRule, "a queue of 3 has no tensor");
        assert_eq!(one.launch(function(binary, "far"), 1, null_mut()), 0);
        failed(507015, What::KernelOutOfBounds, "of far: it writes");
        let all = Arguments::default().pointer(x).pointer(y).u32(1);
        assert_eq!(all.launch(function(binary, "input"), 1, null_mut()), 0);
        failed(
            507015,
            What::KernelWritesInput,
            "parameter 0, which the program has declared for reading",
        );
        check!(model.aclrtBinaryUnLoad(binary));
    }
}

#[test]
fn what_a_shared_object_exports_is_checked() {
    let _serial = start();
    for binary in both() {
        for (name, words) in [
            ("missing", "it exports no missing__ascendcl"),
            ("newer", "with version 2"),
            ("odd", "the parameters of odd are damaged"),
            ("lacks", "the parameters of lacks are damaged"),
        ] {
            assert_eq!(look_up(binary, name).0, 107000);
            assert!(text().contains(words), "{name}");
        }
        check!(model.aclrtBinaryUnLoad(binary));
    }
}

#[test]
fn each_binary_in_memory_has_variables_of_its_own() {
    let _serial = start();
    let bytes = std::fs::read(library()).unwrap();
    let y = malloc(4);
    let one = Arguments::default().pointer(y);
    for round in 0..3 {
        let binaries = [load_data(&bytes), load_data(&bytes)];
        for binary in binaries {
            let counts = function(binary, "counts");
            for expected in 1..3 {
                assert_eq!((one.launch(counts, 1, null_mut()), wait()), (0, 0));
                assert_eq!(download(y, 4), [expected, 0, 0, 0], "round {round}");
            }
            check!(model.aclrtBinaryUnLoad(binary));
        }
    }
}

#[test]
fn other_files_are_refused_with_the_ways_out() {
    let _serial = start();
    let object = compile("object.o", SOURCE, &["-c"]);
    let folder = object.parent().unwrap().to_owned();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    };
    let mut foreign = std::fs::read(&object).unwrap();
    foreign[18..20].copy_from_slice(&4137_u16.to_le_bytes());
    let mut broken = std::fs::read(library()).unwrap();
    let mut half = broken.clone();
    half.truncate(broken.len() / 2);
    let mut wrong = broken.clone();
    // The version of the format.
    wrong[20] = 7;
    broken.truncate(100);
    for (path, code, words) in [
        (object.clone(), 207000, "link it with -shared"),
        (file("foreign.o", &foreign), 207000, "(ELF machine 4137)"),
        (file("text.o", b"some text"), 207000, "is no ELF file"),
        (file("broken.so", &broken), 207000, "without its end"),
        (file("half.so", &half), 207000, "without its end"),
        (file("wrong.so", &wrong), 207000, "cannot be loaded: "),
        (file("empty.o", b""), 107000, "it is empty"),
        (folder.join("missing.o"), 107000, "cannot be read"),
        (folder.clone(), 107000, "cannot be read"),
    ] {
        assert_eq!(load_file(&path).0, code, "{}", path.display());
        let text = text();
        assert!(text.contains(words), "{text}");
        if words.contains("4137") {
            assert!(
                text.contains("kernel_operator.h") && text.contains("ascendcl_emulator::kernel")
            );
        }
    }
    for bytes in [&foreign[..], b"x", &broken] {
        let mut binary = null_mut();
        let data = bytes.as_ptr().cast();
        check!(
            207000,
            model.aclrtBinaryLoadFromData(data, bytes.len(), null(), &mut binary)
        );
        assert!(text().contains(&format!("the binary of {} bytes", bytes.len())));
        assert!(binary.is_null());
    }
    // A name without a folder is not looked for elsewhere.
    assert_eq!(load_file(Path::new("libc.so.6")).0, 107000);
}

#[test]
fn a_binary_in_memory_is_made_loaded_and_destroyed() {
    let _serial = start();
    let mut bytes = std::fs::read(library()).unwrap();
    let create = |data: *const std::ffi::c_void, len| call!(model.aclrtCreateBinary(data, len));
    assert!(create(null(), 4).is_null() && create(bytes.as_ptr().cast(), 0).is_null());
    assert!(text().contains("pass the bytes"));
    let binary = create(bytes.as_ptr().cast(), bytes.len());
    bytes.fill(0);
    let mut loaded = null_mut();
    check!(100000, model.aclrtBinaryLoad(null_mut(), &mut loaded));
    check!(100000, model.aclrtBinaryLoad(binary, null_mut()));
    check!(model.aclrtBinaryLoad(binary, &mut loaded));
    check!(107017, model.aclrtBinaryLoad(loaded, &mut loaded));
    check!(100000, model.aclrtDestroyBinary(null_mut()));
    check!(model.aclrtDestroyBinary(binary));
    check!(107017, model.aclrtDestroyBinary(binary));
    let says = function(loaded, "says");
    assert_eq!(
        (Arguments::default().launch(says, 1, null_mut()), wait()),
        (0, 0)
    );
    check!(model.aclrtBinaryUnLoad(loaded));
}
