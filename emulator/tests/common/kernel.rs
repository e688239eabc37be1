//! Kernels: short forms of the calls.

use std::ffi::{CString, c_void};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::ptr;
use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};

use ascendcl_emulator::kernel::{self, View, ViewMut};
use ascendcl_emulator::{EmulatorConfig, Schedule, What, take_violations};
use ascendcl_sys::*;

use super::{Serial, start_with};

/// The number of blocks of `saxpy` and `nothing` that have run.
pub(crate) static RAN: AtomicU32 = AtomicU32::new(0);

/// Starts a test. Queued work runs when the test waits. The first test registers the kernels of the file.
pub(crate) fn start_lazy(register: fn()) -> Serial {
    static ONCE: Once = Once::new();
    let serial = start_with(EmulatorConfig::default().with_schedule(Schedule::Lazy));
    ONCE.call_once(register);
    RAN.store(0, Ordering::Relaxed);
    serial
}

/// Registers two kernels that count their blocks.
pub(crate) fn register_counted() {
    kernel::register(ascendcl_emulator::kernel!(
        saxpy(x: View<f32>, y: ViewMut<f32>, a: f32, n: u32) |block| {
            RAN.fetch_add(1, Ordering::Relaxed);
            for i in block.part(n as usize) {
                y.set(i, a * x.get(i) + y.get(i));
            }
        }
    ));
    kernel::register(ascendcl_emulator::kernel!(
        nothing() | block | {
            RAN.fetch_add(block.count() as u32, Ordering::Relaxed);
        }
    ));
}

/// Loads bytes as a binary. Kernels that the test has registered stand for them.
pub(crate) fn load() -> aclrtBinHandle {
    load_data(b"code of AI cores")
}

pub(crate) fn load_data(bytes: &[u8]) -> aclrtBinHandle {
    let mut binary = ptr::null_mut();
    let data = bytes.as_ptr().cast();
    check!(model.aclrtBinaryLoadFromData(data, bytes.len(), ptr::null(), &mut binary));
    assert!(!binary.is_null());
    binary
}

#[expect(clippy::unwrap_used, reason = "a path of a test has no byte 0")]
pub(crate) fn load_file(path: &Path) -> (aclError, aclrtBinHandle) {
    let path = CString::new(path.to_str().unwrap()).unwrap();
    let mut binary = ptr::null_mut();
    let code = call!(model.aclrtBinaryLoadFromFile(path.as_ptr(), ptr::null_mut(), &mut binary));
    (code, binary)
}

#[expect(clippy::unwrap_used, reason = "a name of a test has no byte 0")]
pub(crate) fn look_up(binary: aclrtBinHandle, name: &str) -> (aclError, aclrtFuncHandle) {
    let name = CString::new(name).unwrap();
    let mut function = ptr::null_mut();
    let code = call!(model.aclrtBinaryGetFunction(binary, name.as_ptr(), &mut function));
    (code, function)
}

/// Looks a function up, which has to be there.
pub(crate) fn function(binary: aclrtBinHandle, name: &str) -> aclrtFuncHandle {
    let (code, function) = look_up(binary, name);
    assert_eq!(code, 0, "{}", super::text());
    function
}

/// Arguments as the members of a structure of C.
#[derive(Debug, Clone, Default)]
pub(crate) struct Arguments {
    pub(crate) bytes: Vec<u8>,
    pub(crate) places: Vec<aclrtPlaceHolderInfo>,
}

impl Arguments {
    fn add(mut self, bytes: &[u8]) -> Self {
        let start = self.bytes.len().next_multiple_of(bytes.len().max(4));
        self.bytes.resize(start, 0);
        self.bytes.extend(bytes);
        self
    }

    pub(crate) fn pointer(self, pointer: *mut c_void) -> Self {
        self.add(&pointer.addr().to_ne_bytes())
    }

    pub(crate) fn u32(self, value: u32) -> Self {
        self.add(&value.to_ne_bytes())
    }

    pub(crate) fn f32(self, value: f32) -> Self {
        self.add(&value.to_ne_bytes())
    }

    /// Adds a pointer to data, which `with_data` stores.
    pub(crate) fn placeholder(mut self) -> Self {
        let start = self.bytes.len().next_multiple_of(8);
        self.places.push(aclrtPlaceHolderInfo {
            addrOffset: start as u32,
            dataOffset: 0,
        });
        self.add(&[0; 8])
    }

    /// Stores the data of a placeholder behind all arguments.
    pub(crate) fn with_data(mut self, place: usize, data: &[u8]) -> Self {
        let start = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(start, 0);
        self.bytes.extend(data);
        if let Some(place) = self.places.get_mut(place) {
            place.dataOffset = start as u32;
        }
        self
    }

    /// Launches a kernel.
    pub(crate) fn launch(
        &self,
        function: aclrtFuncHandle,
        blocks: u32,
        stream: aclrtStream,
    ) -> aclError {
        self.launch_with(function, blocks, stream, &mut [])
    }

    /// Launches a kernel with attributes.
    pub(crate) fn launch_with(
        &self,
        function: aclrtFuncHandle,
        blocks: u32,
        stream: aclrtStream,
        attributes: &mut [aclrtLaunchKernelAttr],
    ) -> aclError {
        // The room of no argument has an address, too.
        let (mut bytes, len) = (self.bytes.clone(), self.bytes.len());
        bytes.reserve(8);
        let mut places = self.places.clone();
        let mut config = aclrtLaunchKernelCfg {
            attrs: attributes.as_mut_ptr(),
            numAttrs: attributes.len(),
        };
        let code = call!(model.aclrtLaunchKernelWithHostArgs(
            function,
            blocks,
            stream,
            &mut config,
            bytes.as_mut_ptr().cast(),
            len,
            places.as_mut_ptr(),
            places.len()
        ));
        // The call has copied them.
        bytes.fill(0xff);
        code
    }
}

/// The attribute of the schedule `batch`.
pub(crate) fn batch() -> aclrtLaunchKernelAttr {
    aclrtLaunchKernelAttr {
        id: ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE,
        value: aclrtLaunchKernelAttrValue { schemMode: 1 },
    }
}

/// Copies numbers to new device memory.
pub(crate) fn floats(values: &[f32]) -> *mut c_void {
    let bytes: Vec<u8> = values.iter().flat_map(|one| one.to_ne_bytes()).collect();
    let memory = super::malloc(bytes.len());
    super::upload(memory, &bytes);
    memory
}

/// Copies numbers from device memory.
pub(crate) fn numbers(memory: *const c_void, count: usize) -> Vec<f32> {
    let bytes = super::download(memory, count * 4);
    let words = bytes.as_chunks::<4>().0.iter();
    words.map(|word| f32::from_ne_bytes(*word)).collect()
}

/// Returns the violations, each with its text.
pub(crate) fn violated() -> Vec<(What, String)> {
    let all = take_violations().into_iter();
    all.map(|one| (one.what, one.text)).collect()
}

/// Allocates memory without padding.
pub(crate) fn malloc_exact(size: usize) -> *mut c_void {
    let mut memory = ptr::null_mut();
    check!(memory.aclrtMallocAlign32(&mut memory, size, ACL_MEM_MALLOC_HUGE_FIRST));
    memory
}

/// Waits for the default stream.
pub(crate) fn wait() -> aclError {
    call!(stream.aclrtSynchronizeStream(ptr::null_mut()))
}

/// Asserts that the last task has failed with a code, and that the only violation is of this kind and has these words.
pub(crate) fn failed(code: aclError, what: What, words: &str) {
    assert_eq!(wait(), code, "{}", super::text());
    let all = violated();
    let [(found, text)] = &all[..] else {
        unreachable!("one violation is expected: {all:?}")
    };
    assert_eq!(*found, what, "{text}");
    assert!(text.contains(words), "{text}");
    assert_eq!(wait(), 0);
}

/// What the header of the emulator makes for a kernel, by hand.
pub(crate) const HEADER: &str = r"
#include <stdint.h>
#include <stddef.h>
#include <stdio.h>
struct ascendcl_block {
    uint32_t index, count;
    const void *block;
    int (*touch)(const void *block, const void *address, size_t bytes, int write);
    void (*print)(const void *block, const char *text);
    int (*sync)(const void *block);
};
struct ascendcl_parameter { uint32_t offset, size, kind; };
struct ascendcl_kernel {
    uint32_t version, count;
    const struct ascendcl_parameter *parameters;
    int (*run)(const struct ascendcl_block *, const void *arguments, char *why, size_t room);
};
#define TOUCH(at, n, w) if (b->touch(b->block, at, n, w)) return 1
";

/// Compiles a source in C to a shared object, or with other options to something else.
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
pub(crate) fn compile(name: &str, source: &str, options: &[&str]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels");
    std::fs::create_dir_all(&folder).unwrap();
    let (file, out) = (folder.join(format!("{name}.c")), folder.join(name));
    std::fs::write(&file, format!("{HEADER}{source}")).unwrap();
    let mut cc = Command::new("cc");
    cc.args(options).arg(&file).arg("-o").arg(&out);
    let status = cc.status().unwrap();
    assert!(status.success(), "cc of {name}: {status}");
    out
}

/// The options for a shared object.
pub(crate) const SHARED: &[&str] = &["-shared", "-fPIC", "-O1"];

/// Builds the kernels of a source in Ascend C (`tests/kernels`) with the header of the emulator.
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
pub(crate) fn ascend_c(name: &str) -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernels");
    std::fs::create_dir_all(&folder).unwrap();
    let out = folder.join(format!("{name}.so"));
    let mut compiler = Command::new("g++");
    // The line in the head of the header.
    compiler
        .args("-std=c++17 -O2 -fno-strict-aliasing -shared -fPIC -fvisibility=hidden".split(' '));
    compiler.args(["-D__CCE_KT_TEST__", "-Wall", "-Wextra", "-Werror", "-I"]);
    compiler.arg(package.join("include"));
    compiler
        .arg(package.join(format!("tests/kernels/{name}.cpp")))
        .arg("-o")
        .arg(&out);
    let status = compiler.status().unwrap();
    assert!(status.success(), "g++ of {name}: {status}");
    out
}
