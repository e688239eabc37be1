//! Kernels in Rust, which a program registers: their functions, arguments and attributes.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr::{null, null_mut};
use std::sync::atomic::Ordering;

use ascendcl_emulator::kernel::{self, View, ViewMut};
use ascendcl_emulator::{What, take_violations};
use ascendcl_sys::*;
use common::kernel::*;
use common::*;

passes_while_watched!("kernels");

fn register() {
    register_counted();
    kernel::register(ascendcl_emulator::kernel!(
        mixed(a: u8, b: u64, c: i16, d: f32, e: [u16; 3], out: ViewMut<f64>) |block| {
            let e = e.iter().map(|one| f64::from(*one)).sum::<f64>();
            out.set(block.index(), f64::from(a) + b as f64 + f64::from(c) + f64::from(d) + e);
        }
    ));
    kernel::register(ascendcl_emulator::kernel!(
        tiled(tiling: View<u32>, out: ViewMut<u32>) |block| {
            for i in block.part(tiling.get(0) as usize) {
                out.set(i, tiling.get(1));
            }
        }
    ));
}

#[test]
fn a_kernel_runs_once_for_each_block() {
    let _serial = start_lazy(register);
    let binary = load();
    let saxpy = function(binary, "saxpy");
    for blocks in [1, 3, 8, 200] {
        RAN.store(0, Ordering::Relaxed);
        let (x, y) = (floats(&[2.0; 100]), floats(&[1.0; 100]));
        let arguments = Arguments::default().pointer(x).pointer(y).f32(0.5).u32(100);
        assert_eq!(arguments.launch(saxpy, blocks, null_mut()), 0);
        assert_eq!((wait(), numbers(y, 100)), (0, vec![2.0; 100]));
        assert_eq!(RAN.load(Ordering::Relaxed), blocks);
    }
    // Large enough for several threads.
    let (x, y) = (floats(&vec![2.0; 100_000]), floats(&vec![1.0; 100_000]));
    let arguments = Arguments::default().pointer(x).pointer(y).f32(0.5);
    assert_eq!(arguments.u32(100_000).launch(saxpy, 64, null_mut()), 0);
    assert_eq!((wait(), numbers(y, 100_000)), (0, vec![2.0; 100_000]));
    check!(model.aclrtBinaryUnLoad(binary));
    assert_eq!(violated(), []);
}

#[test]
fn registered_memory_of_the_host_is_memory_of_a_kernel() {
    let _serial = start_lazy(register);
    let binary = load();
    let saxpy = function(binary, "saxpy");
    let x = floats(&[2.0; 1024]);
    let mut host = null_mut();
    check!(memory.aclrtMallocHost(&mut host, 4096));
    // SAFETY: the memory has these bytes.
    unsafe { host.cast::<u8>().write_bytes(0, 4096) };
    let launch = |to: *mut c_void| {
        let arguments = Arguments::default().pointer(x).pointer(to);
        arguments.f32(0.5).u32(1024).launch(saxpy, 4, null_mut())
    };
    // Page-locked memory has an address for devices only when it is registered.
    assert_eq!(launch(host), ACL_ERROR_RT_PARAM_INVALID);
    assert!(text().contains("aclrtHostRegisterV2"), "{}", text());
    assert_eq!(violated().len(), 1);
    check!(memory.aclrtHostRegisterV2(host, 4096, ACL_HOST_REG_MAPPED));
    let mut seen = null_mut();
    check!(memory.aclrtHostGetDevicePointer(host, &mut seen, 0));
    assert_eq!((launch(seen), wait()), (0, 0), "{}", text());
    // SAFETY: the memory has these numbers, and no work uses it any more.
    let written = unsafe { std::slice::from_raw_parts(host.cast::<f32>(), 1024) };
    assert_eq!(written, [1.0; 1024]);
    check!(memory.aclrtHostUnregister(host));
    check!(memory.aclrtFreeHost(host));
    check!(model.aclrtBinaryUnLoad(binary));
    assert_eq!(violated(), []);
}

#[test]
fn each_argument_is_at_its_offset() {
    let _serial = start_lazy(register);
    let binary = load();
    let mixed = function(binary, "mixed");
    let (mut count, mut offset, mut size) = (0, 0, 0);
    check!(model.aclrtFunctionGetParamCount(mixed, &mut count));
    assert_eq!(count, 6);
    let expected = [(0, 1), (8, 8), (16, 2), (20, 4), (24, 6), (32, 8)];
    for (index, place) in expected.into_iter().enumerate() {
        check!(model.aclrtFunctionGetParamInfo(mixed, index, &mut offset, &mut size));
        assert_eq!((offset, size), place, "parameter {index}");
    }
    check!(model.aclrtFunctionGetParamInfo(mixed, 1, null_mut(), null_mut()));
    check!(
        107000,
        model.aclrtFunctionGetParamInfo(mixed, 6, &mut offset, &mut size)
    );
    assert!(text().contains("6 parameters"));
    let out = malloc(16);
    let mut bytes = vec![0; 40];
    bytes[0] = 1;
    bytes[8..16].copy_from_slice(&10_u64.to_ne_bytes());
    bytes[16..18].copy_from_slice(&(-100_i16).to_ne_bytes());
    bytes[20..24].copy_from_slice(&0.5_f32.to_ne_bytes());
    for at in [24, 26, 28] {
        bytes[at..at + 2].copy_from_slice(&1000_u16.to_ne_bytes());
    }
    bytes[32..40].copy_from_slice(&out.addr().to_ne_bytes());
    let arguments = Arguments {
        bytes,
        places: vec![],
    };
    assert_eq!(arguments.launch(mixed, 2, null_mut()), 0, "{}", text());
    assert_eq!(wait(), 0);
    let sum = 1.0 + 10.0 - 100.0 + 0.5 + 3000.0_f64;
    assert_eq!(download(out, 16), [sum.to_ne_bytes(); 2].concat());
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn data_of_a_placeholder_are_copied_with_the_launch() {
    let _serial = start_lazy(register);
    let binary = load();
    let tiled = function(binary, "tiled");
    let out = malloc(40);
    let tiling: Vec<u8> = [10_u32, 7]
        .iter()
        .flat_map(|one| one.to_ne_bytes())
        .collect();
    let arguments = Arguments::default().placeholder().pointer(out);
    let arguments = arguments.with_data(0, &tiling);
    assert_eq!(arguments.launch(tiled, 4, null_mut()), 0, "{}", text());
    assert_eq!(
        (wait(), download(out, 40)),
        (0, [7_u32.to_ne_bytes(); 10].concat())
    );
    // The data end with the arguments.
    let short = Arguments::default()
        .placeholder()
        .pointer(out)
        .with_data(0, &tiling[..4]);
    assert_eq!(short.launch(tiled, 1, null_mut()), 0);
    failed(
        507015,
        What::KernelOutOfBounds,
        "it reads bytes 4 to 8 of parameter tiling, which has 4 bytes",
    );
    // A placeholder that is at no pointer, in front of an argument, or behind the end.
    for (address, data, words) in [
        (4, 16, "where no pointer is"),
        (0, 8, "passes 8 bytes in front of the data"),
        (0, 999, "behind the end of 24 bytes"),
    ] {
        let mut wrong = arguments.clone();
        wrong.places[0] = aclrtPlaceHolderInfo {
            addrOffset: address,
            dataOffset: data,
        };
        assert_eq!(wrong.launch(tiled, 1, null_mut()), 107000);
        assert!(text().contains(words), "{address} {data}");
    }
    assert_eq!(violated().len(), 3);
    let mut bytes = arguments.bytes.clone();
    check!(
        107000,
        model.aclrtLaunchKernelWithHostArgs(
            tiled,
            1,
            null_mut(),
            null_mut(),
            bytes.as_mut_ptr().cast(),
            bytes.len(),
            null_mut(),
            1
        )
    );
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn arguments_that_are_not_those_of_the_kernel_are_refused() {
    let _serial = start_lazy(register);
    let binary = load();
    let saxpy = function(binary, "saxpy");
    let (x, y) = (floats(&[1.0; 4]), floats(&[1.0; 4]));
    let pinned = malloc_host(64);
    let mut local = [0_f32; 4];
    let freed = malloc(64);
    check!(memory.aclrtFree(freed));
    let few = Arguments::default().pointer(x).pointer(y).f32(1.0);
    let all = few.clone().u32(4);
    let with = |x: *mut c_void| Arguments::default().pointer(x).pointer(y).f32(1.0).u32(4);
    for (arguments, words) in [
        (
            few,
            "saxpy has 4 parameters in 24 bytes, and the launch passes 20 bytes",
        ),
        (all.clone().u32(1), "passes 28 bytes"),
        (with(local.as_mut_ptr().cast()), "parameter x is 0x"),
        (with(pinned), "which is no memory of a device"),
        (
            with(freed),
            "where no device memory is allocated (any more)",
        ),
        (
            with(std::ptr::without_provenance_mut(16)),
            "parameter x is 0x10",
        ),
    ] {
        assert_eq!(arguments.launch(saxpy, 1, null_mut()), 107000);
        assert!(text().contains(words), "{words}");
    }
    for blocks in [0, 65_536] {
        assert_eq!(all.launch(saxpy, blocks, null_mut()), 107000);
        assert!(text().contains("pass 1 to 65535"));
    }
    // NULL is allowed, and stops the block that follows it.
    assert_eq!(with(null_mut()).launch(saxpy, 1, null_mut()), 0);
    let _ = take_violations();
    failed(
        507015,
        What::KernelOutOfBounds,
        "block 0 of saxpy: parameter x is NULL",
    );
    // An address that is no multiple of the element.
    assert_eq!(with(x.wrapping_byte_add(2)).launch(saxpy, 1, null_mut()), 0);
    failed(
        507015,
        What::KernelOutOfBounds,
        "does not begin at a multiple of the 4 bytes",
    );
    check!(memory.aclrtFreeHost(pinned));
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn calls_with_missing_arguments_have_the_codes_of_the_runtime() {
    let _serial = start_lazy(register);
    let binary = load();
    let nothing = function(binary, "nothing");
    let none = null_mut::<c_void>();
    let mut out = none;
    check!(
        100000,
        model.aclrtBinaryLoadFromData(null(), 4, null(), &mut out)
    );
    check!(
        100000,
        model.aclrtBinaryLoadFromData(binary, 4, null(), null_mut())
    );
    check!(
        107000,
        model.aclrtBinaryLoadFromData(b"x".as_ptr().cast(), 0, null(), &mut out)
    );
    check!(
        100000,
        model.aclrtBinaryGetFunction(none, c"x".as_ptr(), &mut out)
    );
    check!(
        100000,
        model.aclrtBinaryGetFunction(binary, null(), &mut out)
    );
    check!(
        100000,
        model.aclrtBinaryGetFunction(binary, c"x".as_ptr(), null_mut())
    );
    check!(
        107000,
        model.aclrtBinaryGetFunction(binary, c"x".as_ptr(), &mut out)
    );
    assert!(
        text().contains("saxpy"),
        "the text lists those that are there"
    );
    check!(100000, model.aclrtFunctionGetParamCount(none, &mut 0));
    check!(
        100000,
        model.aclrtFunctionGetParamCount(nothing, null_mut())
    );
    check!(
        100000,
        model.aclrtFunctionGetParamInfo(none, 0, &mut 0, &mut 0)
    );
    let launch = |function, args| {
        call!(model.aclrtLaunchKernelWithHostArgs(
            function,
            1,
            none,
            null_mut(),
            args,
            0,
            null_mut(),
            0
        ))
    };
    assert_eq!(
        (launch(none, binary), launch(nothing, none)),
        (100000, 100000)
    );
    // Handles of other objects, and of none.
    let stream = stream();
    for wrong in [stream, binary, std::ptr::dangling_mut()] {
        assert_eq!(launch(wrong, binary), 107017, "{wrong:p}");
    }
    check!(107017, model.aclrtBinaryUnLoad(nothing));
    check!(
        107017,
        model.aclrtBinaryGetFunction(nothing, c"x".as_ptr(), &mut out)
    );
    assert_eq!(
        Arguments::default().launch(nothing, 1, std::ptr::dangling_mut()),
        107017
    );
    // Kernels without parameters.
    assert_eq!(Arguments::default().launch(nothing, 3, stream), 0);
    check!(stream.aclrtSynchronizeStream(stream));
    assert_eq!(RAN.load(Ordering::Relaxed), 9);
    // A thread without a context.
    let unbound = std::thread::spawn(|| {
        let mut out = null_mut();
        call!(model.aclrtBinaryLoadFromData(b"x".as_ptr().cast(), 1, null(), &mut out))
    });
    assert_eq!(unbound.join().ok(), Some(107002));
    check!(model.aclrtBinaryUnLoad(binary));
    check!(stream.aclrtDestroyStream(stream));
}

#[test]
fn a_function_tells_its_binary_name_and_attributes() {
    let _serial = start_lazy(register);
    let binary = load();
    let nothing = function(binary, "nothing");
    assert_eq!(
        function(binary, "nothing"),
        nothing,
        "one function has one handle"
    );
    let mut found = null_mut();
    check!(model.aclrtFunctionGetBinary(nothing, &mut found));
    assert_eq!(found, binary);
    check!(107000, model.aclrtFunctionGetBinary(null_mut(), &mut found));
    let mut name = [1; 16];
    check!(model.aclrtGetFunctionName(nothing, 8, name.as_mut_ptr()));
    let name_there = name[..8].iter().map(|byte| *byte as u8);
    assert!(name_there.eq(*b"nothing\0") && name[8] == 1);
    check!(
        107000,
        model.aclrtGetFunctionName(nothing, 7, name.as_mut_ptr())
    );
    check!(100000, model.aclrtGetFunctionName(nothing, 7, null_mut()));
    check!(
        107017,
        model.aclrtGetFunctionName(binary, 8, name.as_mut_ptr())
    );
    let mut value = -1;
    for (attribute, expected) in [
        (ACL_FUNC_ATTR_KERNEL_TYPE, 2),
        (ACL_FUNC_ATTR_KERNEL_RATIO, 1),
        (ACL_FUNC_ATTR_KERNEL_SCHED_MODE, 0),
    ] {
        check!(model.aclrtGetFunctionAttribute(nothing, attribute, &mut value));
        assert_eq!(value, expected);
    }
    check!(
        107000,
        model.aclrtGetFunctionAttribute(nothing, aclrtFuncAttribute(9), &mut value)
    );
    check!(model.aclrtBinaryUnLoad(binary));
    check!(107017, model.aclrtFunctionGetBinary(nothing, &mut found));
}

#[test]
fn attributes_of_a_launch_are_checked() {
    let _serial = start_lazy(register);
    let binary = load();
    let nothing = function(binary, "nothing");
    let none = Arguments::default();
    let attribute = |id, number| aclrtLaunchKernelAttr {
        id,
        value: aclrtLaunchKernelAttrValue {
            blockDimOffset: number,
        },
    };
    for (id, value, code) in [
        (ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE, 2, 107000),
        (ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET, 0, 0),
        (ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET, 3, 207000),
        (ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE, 1, 0),
        (ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE, 64, 0),
        (aclrtLaunchKernelAttrId(77), 0, 107000),
    ] {
        let mut attributes = [attribute(id, value)];
        assert_eq!(
            none.launch_with(nothing, 1, null_mut(), &mut attributes),
            code,
            "{id:?} {value}"
        );
    }
    let mut config = aclrtLaunchKernelCfg {
        attrs: null_mut(),
        numAttrs: 1,
    };
    let mut room = [0_u64; 1];
    check!(
        107000,
        model.aclrtLaunchKernelWithHostArgs(
            nothing,
            1,
            null_mut(),
            &mut config,
            room.as_mut_ptr().cast(),
            0,
            null_mut(),
            0
        )
    );
    assert_eq!(wait(), 0);
    check!(model.aclrtBinaryUnLoad(binary));
}

#[test]
fn options_of_a_load_are_checked() {
    let _serial = start_lazy(register);
    let mut binary = null_mut();
    for (type_, code) in [
        (ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD, 0),
        (ACL_RT_BINARY_LOAD_OPT_MAGIC, 0),
        (ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE, 207000),
        (aclrtBinaryLoadOptionType(99), 107000),
    ] {
        let value = aclrtBinaryLoadOptionValue { rsv: [0; 4] };
        let mut option = aclrtBinaryLoadOption { type_, value };
        let mut options = aclrtBinaryLoadOptions {
            options: &mut option,
            numOpt: 1,
        };
        check!(
            code,
            model.aclrtBinaryLoadFromData(b"x".as_ptr().cast(), 1, &options, &mut binary)
        );
        if code == 0 {
            check!(model.aclrtBinaryUnLoad(binary));
        }
        options.options = null_mut();
        check!(
            107000,
            model.aclrtBinaryLoadFromData(b"x".as_ptr().cast(), 1, &options, &mut binary)
        );
    }
}
