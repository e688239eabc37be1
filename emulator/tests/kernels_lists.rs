//! Launches of programs in C: lists of arguments, arrays of pointers, and arguments in device memory.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr::{null_mut, without_provenance_mut};

use ascendcl_emulator::kernel::{self, View, ViewMut};
use ascendcl_emulator::{What, take_violations};
use ascendcl_sys::*;
use common::kernel::*;
use common::*;

passes_while_watched!("kernels_lists");

fn register() {
    // Two values of four bytes: side by side here, eight bytes apart in a list.
    kernel::register(ascendcl_emulator::kernel!(
        fills(table: View<f32>, a: u32, b: f32, out: ViewMut<f32>) |block| {
            for i in block.part(a as usize) {
                out.set(i, b + table.get(0));
            }
        }
    ));
    kernel::register(ascendcl_emulator::kernel!(other(a: u32) |block| {
        let _ = (block, a);
    }));
}

fn init(function: aclrtFuncHandle) -> aclrtArgsHandle {
    let mut list = null_mut();
    check!(model.aclrtKernelArgsInit(function, &mut list));
    list
}

/// Appends a value, and returns the code and the handle.
fn append<T>(list: aclrtArgsHandle, mut value: T) -> (aclError, aclrtParamHandle) {
    let (param, mut handle) = ((&raw mut value).cast(), null_mut());
    let code = call!(model.aclrtKernelArgsAppend(list, param, size_of::<T>(), &mut handle));
    (code, handle)
}

fn placeholder(list: aclrtArgsHandle) -> aclrtParamHandle {
    let mut handle = null_mut();
    check!(model.aclrtKernelArgsAppendPlaceHolder(list, &mut handle));
    handle
}

fn buffer(list: aclrtArgsHandle, handle: aclrtParamHandle, size: usize) -> (aclError, *mut c_void) {
    let mut buffer = null_mut();
    let code = call!(model.aclrtKernelArgsGetPlaceHolderBuffer(list, handle, size, &mut buffer));
    (code, buffer)
}

fn launch(function: aclrtFuncHandle, list: aclrtArgsHandle) -> aclError {
    call!(model.aclrtLaunchKernelWithConfig(function, 2, null_mut(), null_mut(), list, null_mut()))
}

/// Returns the text of a refusal, which has to be the only violation, too.
fn refusal(code: aclError) -> String {
    assert_eq!(code, 107000);
    let all = take_violations();
    let text = text();
    assert_eq!(all.len(), 1, "{all:?} {text}");
    assert_eq!(all[0].what, What::KernelArguments);
    assert!(text.contains(&all[0].text));
    text
}

#[test]
fn a_list_of_arguments_is_launched_and_updated() {
    let _serial = start_lazy(register);
    let binary = load();
    let fills = function(binary, "fills");
    let out = malloc(32);
    let (mut size, mut handle_size) = (0, 0);
    check!(model.aclrtKernelArgsGetMemSize(fills, 29, &mut size));
    check!(model.aclrtKernelArgsGetHandleMemSize(fills, &mut handle_size));
    assert_eq!(size, 32);
    let mut room = vec![0_u8; handle_size];
    let mut memory = vec![0_u8; size];
    let own = room.as_mut_ptr().cast();
    check!(model.aclrtKernelArgsInitByUserMem(fills, own, memory.as_mut_ptr().cast(), size));
    for list in [init(fills), own] {
        let table = placeholder(list);
        assert_eq!(append(list, 8_u32).0, 0);
        let (code, b) = append(list, 0.5_f32);
        assert_eq!((code, append(list, out).0), (0, 0));
        let (code, data) = buffer(list, table, 4);
        assert_eq!(code, 0, "{}", text());
        // SAFETY: the buffer has these bytes.
        unsafe { data.cast::<f32>().write_unaligned(2.0) };
        check!(model.aclrtKernelArgsFinalize(list));
        // A list that is complete may be launched again.
        for _ in 0..2 {
            assert_eq!((launch(fills, list), wait()), (0, 0), "{}", text());
            assert_eq!(numbers(out, 8), [2.5; 8]);
        }
        let mut new = 1.5_f32;
        let param = (&raw mut new).cast();
        check!(model.aclrtKernelArgsParaUpdate(list, b, param, 4));
        assert!(refusal(launch(fills, list)).contains("aclrtKernelArgsFinalize"));
        check!(model.aclrtKernelArgsFinalize(list));
        assert_eq!((launch(fills, list), wait()), (0, 0));
        assert_eq!(numbers(out, 8), [3.5; 8]);
        let text = refusal(call!(model.aclrtKernelArgsParaUpdate(list, b, param, 8)));
        assert!(text.contains("parameter b of fills has 4 bytes, and the argument has 8"));
        check!(
            107000,
            model.aclrtKernelArgsParaUpdate(list, table, data, 8)
        );
    }
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn arguments_of_a_list_are_those_of_its_kernel() {
    let _serial = start_lazy(register);
    let binary = load();
    let (fills, other) = (function(binary, "fills"), function(binary, "other"));
    let list = init(fills);
    let words = |code, words: &str| {
        let text = refusal(code);
        assert!(text.contains(words), "{text}");
    };
    words(
        append(list, 8_u32).0,
        "parameter table of fills has 8 bytes, and the argument has 4",
    );
    let table = placeholder(list);
    let mut handle = null_mut();
    let placed = call!(model.aclrtKernelArgsAppendPlaceHolder(list, &mut handle));
    words(
        placed,
        "parameter a of fills has 4 bytes, and the argument has 8",
    );
    assert_eq!(append(list, 8_u32).0, 0);
    words(buffer(list, table, 4).0, "2 of 4 arguments are appended");
    let finalised = call!(model.aclrtKernelArgsFinalize(list));
    words(
        finalised,
        "fills has 4 parameters, and 2 arguments are appended",
    );
    words(launch(fills, list), "is not finalised");
    let b = append(list, 0.5_f32).1;
    assert_eq!(append(list, null_mut::<c_void>()).0, 0);
    words(append(list, 8_u32).0, "this is argument 4, counted from 0");
    words(
        call!(model.aclrtKernelArgsFinalize(list)),
        "a placeholder without data",
    );
    assert_eq!(
        (buffer(list, b, 4).0, buffer(list, table, 0).0),
        (107000, 100000)
    );
    assert_eq!(buffer(list, table, 4).0, 0);
    check!(model.aclrtKernelArgsFinalize(list));
    words(
        launch(other, list),
        "the arguments are those of fills, and not of other",
    );
    // Handles of another list, and of none. The list of a thread ends with the next one.
    let next = init(other);
    let (_, a) = append(next, 1_u32);
    let mut value = 1_u32;
    let param = (&raw mut value).cast();
    for wrong in [b, table, null_mut::<c_void>().wrapping_byte_add(1), next] {
        check!(
            107000,
            model.aclrtKernelArgsParaUpdate(next, wrong, param, 4)
        );
    }
    check!(model.aclrtKernelArgsParaUpdate(next, a, param, 4));
    check!(107017, model.aclrtKernelArgsFinalize(list));
    assert_eq!(launch(fills, list), 107017);
    assert_eq!(launch(fills, without_provenance_mut(8)), 107017);
    check!(model.aclrtKernelArgsFinalize(next));
    assert_eq!((launch(other, next), wait()), (0, 0));
    // The list of another thread lives as long as the thread.
    let address = other.addr();
    let their = std::thread::spawn(move || {
        let list = init(without_provenance_mut(address));
        assert_eq!(append(list, 1_u32).0, 0);
        list.addr()
    });
    let their = without_provenance_mut(their.join().unwrap());
    check!(107017, model.aclrtKernelArgsFinalize(their));
    check!(model.aclrtKernelArgsFinalize(next));
    check!(model.aclrtBinaryUnLoad(binary));
    assert_eq!(launch(other, next), 107017);
    check!(107017, model.aclrtKernelArgsInit(other, &mut handle));
}

#[test]
fn calls_of_lists_check_for_missing_arguments() {
    let _serial = start_lazy(register);
    let binary = load();
    let other = function(binary, "other");
    let (none, mut out, mut size) = (null_mut::<c_void>(), null_mut(), 0);
    let list = init(other);
    check!(100000, model.aclrtKernelArgsInit(none, &mut out));
    check!(100000, model.aclrtKernelArgsInit(other, null_mut()));
    check!(
        100000,
        model.aclrtKernelArgsInitByUserMem(other, list, none, 8)
    );
    check!(
        100000,
        model.aclrtKernelArgsInitByUserMem(other, list, list, 0)
    );
    check!(100000, model.aclrtKernelArgsGetMemSize(none, 8, &mut size));
    check!(
        100000,
        model.aclrtKernelArgsGetHandleMemSize(other, null_mut())
    );
    check!(100000, model.aclrtKernelArgsAppend(list, none, 4, &mut out));
    check!(100000, model.aclrtKernelArgsAppend(list, list, 0, &mut out));
    check!(
        100000,
        model.aclrtKernelArgsAppendPlaceHolder(none, &mut out)
    );
    check!(
        100000,
        model.aclrtKernelArgsGetPlaceHolderBuffer(list, list, 0, &mut out)
    );
    check!(100000, model.aclrtKernelArgsParaUpdate(list, none, list, 4));
    check!(100000, model.aclrtKernelArgsFinalize(none));
    let launch = |function, blocks, list| {
        call!(model.aclrtLaunchKernelWithConfig(function, blocks, none, null_mut(), list, none))
    };
    let codes = (
        launch(none, 1, list),
        launch(other, 0, list),
        launch(other, 1, none),
    );
    assert_eq!(codes, (100000, 100000, 100000));
    assert_eq!(launch(other, 65_536, list), 107000);
    check!(107017, model.aclrtKernelArgsGetMemSize(list, 8, &mut size));
    check!(107017, model.aclrtKernelArgsFinalize(other));
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn an_array_has_a_pointer_to_each_argument() {
    let _serial = start_lazy(register);
    let binary = load();
    let fills = function(binary, "fills");
    let (mut table, mut out) = (floats(&[1.0]), malloc(32));
    let (mut a, mut b) = (8_u32, 0.25_f32);
    let mut all: [*mut c_void; 4] = [
        (&raw mut table).cast(),
        (&raw mut a).cast(),
        (&raw mut b).cast(),
        (&raw mut out).cast(),
    ];
    let launch = |function, blocks, args| {
        call!(model.aclrtLaunchKernelWithArgsArray(function, blocks, null_mut(), null_mut(), args))
    };
    assert_eq!(
        (launch(fills, 3, all.as_mut_ptr()), wait()),
        (0, 0),
        "{}",
        text()
    );
    assert_eq!(numbers(out, 8), [1.25; 8]);
    assert_eq!(launch(null_mut(), 3, all.as_mut_ptr()), 100000);
    assert_eq!(launch(fills, 0, all.as_mut_ptr()), 100000);
    assert!(refusal(launch(fills, 3, null_mut())).contains("args is NULL"));
    all[2] = null_mut();
    let text = refusal(launch(fills, 3, all.as_mut_ptr()));
    assert!(
        text.contains("the pointer to parameter b of fills is NULL"),
        "{text}"
    );
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn arguments_in_device_memory_are_read_when_the_task_runs() {
    let _serial = start_lazy(register);
    let binary = load();
    let fills = function(binary, "fills");
    let (table, out, stored) = (floats(&[1.0]), malloc(32), malloc(24));
    let arguments = |b| {
        Arguments::default()
            .pointer(table)
            .u32(8)
            .f32(b)
            .pointer(out)
            .bytes
    };
    let launch = |at, size| call!(model.aclrtLaunchKernel(fills, 2, at, size, null_mut()));
    // An earlier task writes them.
    let host = malloc_host(24);
    // SAFETY: the memory of the host has these bytes.
    unsafe {
        host.cast::<u8>()
            .copy_from_nonoverlapping(arguments(0.5).as_ptr(), 24)
    };
    check!(memory.aclrtMemcpyAsync(stored, 24, host, 24, ACL_MEMCPY_HOST_TO_DEVICE, null_mut()));
    assert_eq!((launch(stored, 24), wait()), (0, 0), "{}", text());
    assert_eq!(numbers(out, 8), [1.5; 8]);
    let mut config = aclrtLaunchKernelCfg {
        attrs: null_mut(),
        numAttrs: 0,
    };
    upload(stored, &arguments(2.0));
    check!(model.aclrtLaunchKernelV2(fills, 2, stored, 24, &mut config, null_mut()));
    assert_eq!((wait(), numbers(out, 8)), (0, vec![3.0; 8]));
    for (at, words) in [
        (host, "is 0x"),
        (without_provenance_mut(16), "argsData is 0x10"),
    ] {
        let text = refusal(launch(at, 24));
        assert!(text.contains(words) && text.contains("aclrtLaunchKernelWithHostArgs"));
    }
    assert!(refusal(launch(stored, 1 << 20)).contains("no 1048576 bytes"));
    assert_eq!(launch(null_mut(), 24), 100000);
    // What they hold is known when the task runs only.
    let fails = |words: &str| {
        assert_eq!(wait(), 507015);
        let all = take_violations();
        assert_eq!(all.len(), 1, "{all:?}");
        assert!(
            all[0].what == What::KernelArguments && all[0].text.contains(words),
            "{all:?}"
        );
    };
    assert_eq!(launch(stored, 20), 0);
    fails("fills has 4 parameters in 24 bytes, and the launch passes 20 bytes");
    upload(
        stored,
        &Arguments::default()
            .pointer(host)
            .u32(8)
            .f32(0.0)
            .pointer(out)
            .bytes,
    );
    assert_eq!(launch(stored, 24), 0);
    fails("parameter table is 0x");
    check!(memory.aclrtFreeHost(host));
    check!(model.aclrtBinaryUnLoad(binary));
}
