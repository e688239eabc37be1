//! Random numbers: their distributions, their continuation in the next task, and refused calls.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[macro_use]
mod common;

use std::ffi::c_void;
use std::ptr;

use ascendcl_sys::*;
use common::*;
use half::{bf16, f16};

passes_while_watched!("random");

const DROPOUT: aclrtRandomNumFuncType = ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK;
const UNIFORM: aclrtRandomNumFuncType = ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS;
const NORMAL: aclrtRandomNumFuncType = ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS;
const TRUNCATED: aclrtRandomNumFuncType = ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS;

/// Makes a parameter from its bytes.
fn value(bytes: &[u8]) -> aclrtRandomParaInfo {
    let mut filled = [0; 8];
    for (to, from) in filled.iter_mut().zip(bytes) {
        *to = *from;
    }
    aclrtRandomParaInfo {
        isAddr: 0,
        valueOrAddr: filled,
        size: bytes.len().try_into().unwrap(),
        rsv: [0; 6],
    }
}

/// Makes a parameter in device memory.
fn at(address: *mut c_void) -> aclrtRandomParaInfo {
    let mut info = value(&address.addr().to_le_bytes());
    info.isAddr = 1;
    info
}

/// Makes a counter in device memory.
fn counter(start: u128) -> *mut c_void {
    let memory = malloc(16);
    upload(memory, &start.to_le_bytes());
    memory
}

/// Returns the value of a counter.
fn count_of(counter: *mut c_void) -> u128 {
    u128::from_le_bytes(download(counter, 16).try_into().unwrap())
}

/// Makes a task with the seed 7; a dropout uses the first parameter.
fn task(
    function: aclrtRandomNumFuncType,
    data: aclDataType,
    [first, second]: [aclrtRandomParaInfo; 2],
    count: u64,
    result: *mut c_void,
    counter: *mut c_void,
) -> aclrtRandomNumTaskInfo {
    let (min, max) = (first, second);
    aclrtRandomNumTaskInfo {
        dataType: data,
        randomNumFuncParaInfo: aclrtRandomNumFuncParaInfo {
            funcType: function,
            // The parameters of all distributions are at these places.
            paramInfo: aclrtRandomNumFuncParaInfo_paramInfo {
                uniformDisInfo: aclrtUniformDisInfo { min, max },
            },
        },
        randomParaAddr: ptr::null_mut(),
        randomResultAddr: result,
        randomCounterAddr: counter,
        randomSeed: value(&7u64.to_le_bytes()),
        randomNum: value(&count.to_le_bytes()),
        rsv: [0; 8],
    }
}

/// Makes a task for numbers from 0 to below 1.
fn unit(count: u64, result: *mut c_void, counter: *mut c_void) -> aclrtRandomNumTaskInfo {
    task(UNIFORM, ACL_FLOAT, floats(0.0, 1.0), count, result, counter)
}

fn floats(first: f32, second: f32) -> [aclrtRandomParaInfo; 2] {
    [first, second].map(|number| value(&number.to_le_bytes()))
}

/// Queues a copy of a task, because the call writes to its argument.
fn queue(task: &aclrtRandomNumTaskInfo, stream: aclrtStream) -> aclError {
    let mut task = *task;
    call!(model.aclrtRandomNumAsync(&raw mut task, stream, ptr::null_mut()))
}

/// Runs a task on the default stream.
fn run(task: &aclrtRandomNumTaskInfo) {
    assert_eq!(queue(task, ptr::null_mut()), 0, "{}", text());
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
}

/// Returns the bytes of a new result with a new counter.
fn made(
    function: aclrtRandomNumFuncType,
    data: aclDataType,
    shape: [aclrtRandomParaInfo; 2],
    count: u64,
    bytes: usize,
) -> Vec<u8> {
    let (result, counter) = (malloc(bytes), counter(0));
    run(&task(function, data, shape, count, result, counter));
    assert!(count_of(counter) > 0);
    download(result, bytes)
}

/// Splits bytes into elements of four bytes.
fn words(bytes: &[u8]) -> Vec<[u8; 4]> {
    bytes.as_chunks().0.to_vec()
}

fn as_floats(bytes: &[u8]) -> Vec<f32> {
    words(bytes).into_iter().map(f32::from_le_bytes).collect()
}

fn mean(numbers: &[f32]) -> f32 {
    numbers.iter().sum::<f32>() / numbers.len() as f32
}

#[test]
fn the_same_seed_and_counter_give_the_same_numbers() {
    let _serial = start();
    let (a, b) = (malloc(64), malloc(64));
    let make = |result, seed: u64, start| {
        let mut task = unit(16, result, counter(start));
        task.randomSeed = value(&seed.to_le_bytes());
        run(&task);
        download(result, 64)
    };
    let first = make(a, 7, 5);
    assert_eq!(make(b, 7, 5), first);
    assert_ne!(make(b, 8, 5), first);
    assert_ne!(make(b, 7 << 32, 5), first);
    assert_ne!(make(b, 7, 9), first);
    // Fewer bytes of a seed are the same number.
    let mut short = unit(16, b, counter(5));
    short.randomSeed = value(&[7]);
    run(&short);
    assert_eq!(download(b, 64), first);
}

#[test]
fn tasks_continue_each_other_by_the_counter() {
    let _serial = start();
    let (whole, parts) = (malloc(512), malloc(512));
    let (one, other) = (counter(u128::MAX), counter(u128::MAX));
    run(&unit(128, whole, one));
    let s = stream();
    assert_eq!(queue(&unit(64, parts, other), s), 0);
    let second = parts.wrapping_byte_add(256);
    assert_eq!(queue(&unit(64, second, other), s), 0);
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(parts, 512), download(whole, 512));
    // Four words make a block, and the counter begins again at 0.
    assert_eq!((count_of(one), count_of(other)), (31, 31));
    // A block that was begun is not used again.
    run(&unit(1, whole, one));
    assert_eq!(count_of(one), 32);
}

#[test]
fn uniform_numbers_stay_in_their_range_and_fill_it() {
    let _serial = start();
    let numbers = as_floats(&made(UNIFORM, ACL_FLOAT, floats(-1.0, 3.0), 4096, 16384));
    assert!(numbers.iter().all(|number| (-1.0..3.0).contains(number)));
    assert!((mean(&numbers) - 1.0).abs() < 0.05, "{}", mean(&numbers));

    let range = [f16::from_f32(1.0), f16::from_f32(2.0)];
    let shape = range.map(|number| value(&number.to_bits().to_le_bytes()));
    let bytes = made(UNIFORM, ACL_FLOAT16, shape, 4096, 8192);
    let halves = bytes.as_chunks().0.iter();
    let numbers: Vec<f32> = halves
        .map(|half| f16::from_bits(u16::from_le_bytes(*half)).to_f32())
        .collect();
    assert!(numbers.iter().all(|number| (1.0..2.0).contains(number)));
    assert!((mean(&numbers) - 1.5).abs() < 0.02, "{}", mean(&numbers));

    let range = [bf16::from_f32(1.0), bf16::from_f32(2.0)];
    let shape = range.map(|number| value(&number.to_bits().to_le_bytes()));
    let bytes = made(UNIFORM, ACL_BF16, shape, 4096, 8192);
    let halves = bytes.as_chunks().0.iter();
    let numbers: Vec<f32> = halves
        .map(|half| bf16::from_bits(u16::from_le_bytes(*half)).to_f32())
        .collect();
    assert!(numbers.iter().all(|number| (1.0..2.0).contains(number)));
    assert!((mean(&numbers) - 1.5).abs() < 0.02, "{}", mean(&numbers));
}

#[test]
fn uniform_integers_come_in_four_types() {
    let _serial = start();
    let shape = [-5i32, 5].map(|number| value(&number.to_le_bytes()));
    let bytes = words(&made(UNIFORM, ACL_INT32, shape, 1000, 4000));
    let numbers: Vec<i32> = bytes.into_iter().map(i32::from_le_bytes).collect();
    assert!(numbers.iter().all(|number| (-5..5).contains(number)));
    assert!((-5..5).all(|number| numbers.contains(&number)));

    let shape = [3_000_000_000u32, 3_000_000_004].map(|number| value(&number.to_le_bytes()));
    let bytes = words(&made(UNIFORM, ACL_UINT32, shape, 100, 400));
    let numbers: Vec<u32> = bytes.into_iter().map(u32::from_le_bytes).collect();
    let range = 3_000_000_000..3_000_000_004;
    assert!(numbers.iter().all(|number| range.contains(number)));
    assert!(range.clone().all(|number| numbers.contains(&number)));

    let shape = [i64::MIN, i64::MAX].map(|number| value(&number.to_le_bytes()));
    let bytes = made(UNIFORM, ACL_INT64, shape, 100, 800);
    let numbers: Vec<i64> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|bytes| i64::from_le_bytes(*bytes))
        .collect();
    assert!(numbers.iter().any(|&number| number < i64::MIN / 2));
    assert!(numbers.iter().any(|&number| number > i64::MAX / 2));

    let shape = [1u64 << 40, (1 << 40) + 2].map(|number| value(&number.to_le_bytes()));
    let bytes = made(UNIFORM, ACL_UINT64, shape, 100, 800);
    let mut numbers: Vec<u64> = bytes
        .as_chunks()
        .0
        .iter()
        .map(|bytes| u64::from_le_bytes(*bytes))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers, [1 << 40, (1 << 40) + 1]);
}

#[test]
fn bounds_that_are_equal_leave_one_number() {
    let _serial = start();
    let (result, place) = (malloc(64), counter(0));
    let equal = floats(2.5, 2.5);
    run(&task(UNIFORM, ACL_FLOAT, equal, 16, result, place));
    assert_eq!(as_floats(&download(result, 64)), [2.5; 16]);
}

/// The numbers that the runtime has for the data types.
const NUMBERS: [(aclDataType, i32); 7] = [
    (ACL_FLOAT, 6),
    (ACL_FLOAT16, 5),
    (ACL_BF16, 4),
    (ACL_INT32, 0),
    (ACL_UINT32, 2),
    (ACL_INT64, 1),
    (ACL_UINT64, 3),
];

#[test]
fn a_task_is_written_to_and_cannot_be_used_twice() {
    let _serial = start();
    let (result, place, s) = (malloc(64), counter(0), stream());
    let bounds = [value(&[0]), value(&[1])];
    for (data, number) in NUMBERS {
        let mut info = task(UNIFORM, data, bounds, 4, result, place);
        let none = ptr::null_mut();
        check!(model.aclrtRandomNumAsync(&raw mut info, s, none));
        assert_eq!(info.dataType.0, number, "{data:?}");
    }
    // If the runtime refuses a structure, it was written before; if the layer above refuses it, it was not.
    let mut info = unit(4, result, place);
    check!(107000, model.aclrtRandomNumAsync(&raw mut info, s, result));
    assert_eq!(info.dataType.0, 6);
    let none = ptr::null_mut();
    check!(100000, model.aclrtRandomNumAsync(&raw mut info, s, none));
    assert_eq!(info.dataType.0, 6);
    check!(stream.aclrtSynchronizeStream(s));
}

#[test]
fn normal_numbers_have_their_mean_and_deviation() {
    let _serial = start();
    let all = as_floats(&made(NORMAL, ACL_FLOAT, floats(3.0, 2.0), 4096, 16384));
    let cut = as_floats(&made(TRUNCATED, ACL_FLOAT, floats(3.0, 2.0), 4096, 16384));
    assert!((mean(&all) - 3.0).abs() < 0.1, "{}", mean(&all));
    assert!((mean(&cut) - 3.0).abs() < 0.1, "{}", mean(&cut));
    let squares: Vec<f32> = all.iter().map(|number| (number - 3.0).powi(2)).collect();
    assert!((mean(&squares) - 4.0).abs() < 0.3, "{}", mean(&squares));
    assert!(all.iter().any(|number| (number - 3.0).abs() > 4.0));
    assert!(cut.iter().all(|number| (number - 3.0).abs() <= 4.0));
    for function in [NORMAL, TRUNCATED] {
        let shape = [1.0, 0.0].map(|number| value(&f16::from_f32(number).to_bits().to_le_bytes()));
        assert_eq!(made(function, ACL_FLOAT16, shape, 2, 4), [0, 0x3c, 0, 0x3c]);
        let shape = [1.0, 0.0].map(|number| value(&bf16::from_f32(number).to_bits().to_le_bytes()));
        assert_eq!(
            made(function, ACL_BF16, shape, 2, 4),
            [0x80, 0x3f, 0x80, 0x3f]
        );
    }
}

#[test]
fn a_dropout_keeps_what_its_ratio_leaves() {
    let _serial = start();
    let kept = |data, ratio: &[u8], count: u64, bytes| -> u32 {
        let made = made(DROPOUT, data, [value(ratio), value(&[])], count, bytes);
        made.iter().map(|byte| byte.count_ones()).sum()
    };
    let of = kept(ACL_FLOAT, &0.25f32.to_le_bytes(), 4096, 512);
    assert!((3000..3150).contains(&of), "{of}");
    let half = f16::from_f32(0.5).to_bits().to_le_bytes();
    let of = kept(ACL_FLOAT16, &half, 4096, 512);
    assert!((1950..2150).contains(&of), "{of}");
    let half = bf16::from_f32(0.5).to_bits().to_le_bytes();
    let of = kept(ACL_BF16, &half, 4096, 512);
    assert!((1950..2150).contains(&of), "{of}");
    assert_eq!(kept(ACL_FLOAT, &0f32.to_le_bytes(), 4096, 512), 4096);
    assert_eq!(kept(ACL_FLOAT, &1f32.to_le_bytes(), 4096, 512), 0);
    // The rest of the last byte is written, and nothing behind it.
    let (result, nothing) = (malloc(4), value(&0f32.to_le_bytes()));
    upload(result, &[0xaa; 4]);
    run(&task(
        DROPOUT,
        ACL_FLOAT,
        [nothing; 2],
        11,
        result,
        counter(0),
    ));
    assert_eq!(download(result, 4), [0xff, 0b111, 0xaa, 0xaa]);
}

#[test]
fn parameters_are_read_when_the_task_runs() {
    let _serial = start();
    let (result, by_value) = (malloc(64), malloc(64));
    let (min, max, seed) = (malloc(4), malloc(4), malloc(8));
    let s = stream();
    let gate = Gate::close(s);
    let mut one = task(
        UNIFORM,
        ACL_FLOAT,
        [at(min), at(max)],
        16,
        result,
        counter(0),
    );
    one.randomSeed = at(seed);
    assert_eq!(queue(&one, s), 0, "{}", text());
    upload(min, &2f32.to_le_bytes());
    upload(max, &4f32.to_le_bytes());
    upload(seed, &7u64.to_le_bytes());
    gate.open();
    check!(stream.aclrtSynchronizeStream(s));
    let shape = floats(2.0, 4.0);
    run(&task(UNIFORM, ACL_FLOAT, shape, 16, by_value, counter(0)));
    assert_eq!(download(result, 64), download(by_value, 64));
    // One parameter of each kind, and memory of the program for the parameters.
    let mixed = [at(min), value(&4f32.to_le_bytes())];
    one = task(UNIFORM, ACL_FLOAT, mixed, 16, result, counter(0));
    one.randomParaAddr = malloc(16);
    run(&one);
    assert_eq!(download(result, 64), download(by_value, 64));
    // An empty range in device memory is known too late to be refused.
    upload(max, &2f32.to_le_bytes());
    let empty = counter(0);
    run(&task(
        UNIFORM,
        ACL_FLOAT,
        [at(min), at(max)],
        16,
        result,
        empty,
    ));
    assert_eq!(as_floats(&download(result, 64)), [2.0; 16]);
    assert_eq!(count_of(empty), 0);
    // The other distributions.
    upload(max, &0f32.to_le_bytes());
    run(&task(
        NORMAL,
        ACL_FLOAT,
        [at(min), at(max)],
        16,
        result,
        counter(0),
    ));
    assert_eq!(as_floats(&download(result, 64)), [2.0; 16]);
    run(&task(
        DROPOUT,
        ACL_FLOAT,
        [at(max), value(&[])],
        16,
        result,
        counter(0),
    ));
    assert_eq!(download(result, 2), [0xff; 2]);
}

#[test]
fn each_run_of_an_instance_continues() {
    let _serial = start();
    let (s, result, whole) = (stream(), malloc(64), malloc(192));
    let place = counter(3);
    check!(graph.aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
    assert_eq!(queue(&unit(16, result, place), s), 0, "{}", text());
    let mut instance = ptr::null_mut();
    check!(graph.aclmdlRICaptureEnd(s, &mut instance));
    assert_eq!(count_of(place), 3, "it only runs with the instance");
    let mut drawn = Vec::new();
    for _ in 0..3 {
        check!(graph.aclmdlRIExecuteAsync(instance, s));
        check!(stream.aclrtSynchronizeStream(s));
        drawn.extend(download(result, 64));
    }
    check!(graph.aclmdlRIDestroy(instance));
    run(&unit(48, whole, counter(3)));
    assert_eq!(drawn, download(whole, 192));
    assert_eq!(count_of(place), 15);
}

#[test]
fn wrong_parameters_are_refused() {
    let _serial = start();
    let (result, place, s) = (malloc(64), counter(0), stream());
    let good = unit(16, result, place);
    let none = ptr::null_mut();
    check!(100000, model.aclrtRandomNumAsync(ptr::null(), s, none));
    let mut copy = good;
    check!(107000, model.aclrtRandomNumAsync(&raw mut copy, s, result));
    let refused = |code: aclError, word: &str, change: &dyn Fn(&mut aclrtRandomNumTaskInfo)| {
        let mut wrong = good;
        change(&mut wrong);
        let answer = queue(&wrong, s);
        let text = text();
        assert_eq!(answer, code, "{word}: {text}");
        assert!(text.contains(word), "{word}: {text}");
    };
    refused(100000, "ACL_DOUBLE", &|task| task.dataType = ACL_DOUBLE);
    refused(100000, "ACL_INT8", &|task| task.dataType = ACL_INT8);
    let function = |task: &mut aclrtRandomNumTaskInfo, function, data| {
        task.randomNumFuncParaInfo.funcType = function;
        task.dataType = data;
    };
    refused(107000, "(4)", &|task| {
        function(task, aclrtRandomNumFuncType(4), ACL_FLOAT);
    });
    for whole in [ACL_INT32, ACL_UINT32, ACL_INT64, ACL_UINT64] {
        for real in [DROPOUT, NORMAL, TRUNCATED] {
            refused(107000, "funcType", &|task| function(task, real, whole));
        }
    }
    refused(107000, "randomCounterAddr", &|task| {
        task.randomCounterAddr = ptr::null_mut();
    });
    refused(107000, "randomResultAddr", &|task| {
        task.randomResultAddr = ptr::null_mut();
    });
    refused(107000, "randomSeed.isAddr is 2", &|task| {
        task.randomSeed.isAddr = 2;
    });
    refused(107000, "randomSeed.size is 9", &|task| {
        task.randomSeed.size = 9;
    });
    refused(107000, "randomNum.size is 0", &|task| {
        task.randomNum.size = 0;
    });
    refused(107000, "randomNum is 0", &|task| {
        task.randomNum = value(&[0]);
    });
    refused(107000, "fit into memory", &|task| {
        task.randomNum = value(&u64::MAX.to_le_bytes());
    });
    refused(207000, "pass the number itself", &|task| {
        task.randomNum = at(result);
    });
    let shape = |task: &mut aclrtRandomNumTaskInfo, min, max| {
        task.randomNumFuncParaInfo.paramInfo.uniformDisInfo = aclrtUniformDisInfo { min, max };
    };
    let one = value(&1f32.to_le_bytes());
    for (which, wrong) in [
        ("isAddr is 3", aclrtRandomParaInfo { isAddr: 3, ..one }),
        ("size is 0", aclrtRandomParaInfo { size: 0, ..one }),
        ("size is 5", aclrtRandomParaInfo { size: 5, ..one }),
    ] {
        refused(107000, &format!("min.{which}"), &|task| {
            shape(task, wrong, one);
        });
        refused(107000, &format!("max.{which}"), &|task| {
            shape(task, value(&[0]), wrong);
        });
        refused(107000, &format!("mean.{which}"), &|task| {
            shape(task, wrong, one);
            function(task, NORMAL, ACL_FLOAT);
        });
        refused(107000, &format!("stddev.{which}"), &|task| {
            shape(task, one, wrong);
            function(task, TRUNCATED, ACL_FLOAT);
        });
        refused(107000, &format!("dropoutRation.{which}"), &|task| {
            shape(task, wrong, one);
            function(task, DROPOUT, ACL_FLOAT);
        });
    }
    let two = value(&2f32.to_le_bytes());
    refused(107000, "above", &|task| shape(task, two, one));
    let nan = value(&f32::NAN.to_le_bytes());
    refused(107000, "above", &|task| shape(task, nan, one));
    assert_eq!(count_of(place), 0, "nothing ran");
}

#[test]
fn the_handle_is_checked_first_and_the_context_last() {
    let _serial = start();
    let (result, place, s) = (malloc(64), counter(0), stream());
    let mut host = [0u8; 16];
    let host = host.as_mut_ptr().cast::<c_void>();
    let (good, mut wrong) = (unit(16, result, place), unit(0, result, place));
    let gone = stream();
    check!(stream.aclrtDestroyStream(gone));
    assert_eq!(queue(&wrong, gone), 107017);
    wrong.dataType = ACL_BOOL;
    assert_eq!(queue(&wrong, gone), 100000);
    let mut context = ptr::null_mut();
    check!(context.aclrtCreateContext(&mut context, 0));
    assert_eq!(queue(&unit(0, result, place), s), 107000);
    assert_eq!(queue(&good, s), 107003);
    check!(context.aclrtDestroyContext(context));
    check!(device.aclrtSetDevice(0));
    // Memory that is not device memory.
    assert_eq!(queue(&unit(4, host, place), s), 107000);
    assert!(text().contains("no device memory"));
    assert_eq!(queue(&unit(4, result, host), s), 107000);
    let mut parameters = good;
    parameters.randomParaAddr = host;
    assert_eq!(queue(&parameters, s), 107000);
    let mut seed = good;
    seed.randomSeed = at(host);
    assert_eq!(queue(&seed, s), 107000);
    assert_eq!(queue(&good, s), 0);
    check!(stream.aclrtSynchronizeStream(s));
}

#[test]
fn a_result_without_room_fails_the_task() {
    let _serial = start();
    let (result, place, s) = (malloc(64), counter(0), stream());
    for count in [1000, 1 << 40, 1 << 58] {
        assert_eq!(queue(&unit(count, result, place), s), 0, "{}", text());
        check!(507001, stream.aclrtSynchronizeStream(s));
        assert_eq!(count_of(place), 0);
    }
}
