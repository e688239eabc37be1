//! Models: loads, descriptions, data sets, gears and runs, with the codes of refused calls and the order of checks.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
#[path = "../common/mod.rs"]
mod common;

mod aipp;
mod describe;
mod engine;
mod gear;
mod load;
mod operands;
mod run;

use std::ffi::c_void;
use std::ptr::null_mut;

use ascendcl_emulator::{Check, EmulatorConfig, take_findings};
use ascendcl_sys::*;
use common::*;

/// Sets device 0 and initialises AscendCL, which the last test may have finalised.
fn start() -> Serial {
    let serial = serial(EmulatorConfig::default().with_check(Check::Collect));
    let _ = take_findings();
    engine::start();
    call!(runtime.aclInit(std::ptr::null()));
    check!(device.aclrtSetDevice(0));
    serial
}

/// Loads a model of the test engine.
fn load(model: u8) -> u32 {
    let (file, mut id) = (engine::file(model), 0);
    check!(model.aclmdlLoadFromMem(file.as_ptr().cast(), file.len(), &mut id));
    id
}

/// Returns the description of a loaded model.
fn describe(id: u32) -> *mut aclmdlDesc {
    let desc = call!(model.aclmdlCreateDesc());
    check!(model.aclmdlGetDesc(desc, id));
    desc
}

/// A data set with the device memory of its buffers, all released by `end`.
struct Set {
    set: *mut aclmdlDataset,
    buffers: Vec<*mut aclDataBuffer>,
    memory: Vec<*mut c_void>,
}

impl Set {
    /// Makes a set of buffers of these numbers.
    fn new(all: &[&[f32]]) -> Set {
        let mut set = Set {
            set: call!(model.aclmdlCreateDataset()),
            buffers: Vec::new(),
            memory: Vec::new(),
        };
        for numbers in all {
            let bytes = 4 * numbers.len();
            let mut memory = null_mut();
            check!(memory.aclrtMalloc(&mut memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
            check!(memory.aclrtMemcpy(
                memory,
                bytes,
                numbers.as_ptr().cast(),
                bytes,
                ACL_MEMCPY_HOST_TO_DEVICE
            ));
            set.memory.push(memory);
            set.add(memory, bytes);
        }
        set
    }

    /// Adds a buffer of memory that somebody else frees.
    fn add(&mut self, memory: *mut c_void, bytes: usize) {
        let buffer = call!(runtime.aclCreateDataBuffer(memory, bytes));
        check!(model.aclmdlAddDatasetBuffer(self.set, buffer));
        self.buffers.push(buffer);
    }

    /// Reads numbers of a buffer.
    fn read(&self, index: usize, count: usize) -> Vec<f32> {
        let mut numbers = vec![0_f32; count];
        let (to, bytes) = (numbers.as_mut_ptr().cast(), 4 * count);
        check!(memory.aclrtMemcpy(
            to,
            bytes,
            self.memory[index],
            bytes,
            ACL_MEMCPY_DEVICE_TO_HOST
        ));
        numbers
    }

    /// Releases the set, its buffers and their memory.
    fn end(self) {
        check!(model.aclmdlDestroyDataset(self.set));
        for buffer in self.buffers {
            check!(runtime.aclDestroyDataBuffer(buffer));
        }
        for memory in self.memory {
            check!(memory.aclrtFree(memory));
        }
    }
}
