//! Random numbers (`acl/acl_rt.h`).
//!
//! The generator is that of the card, Philox 4x32-10, but the numbers differ: how a card converts words to elements
//! is not public. Programs can rely on two things as on a card: the same seed and counter give the same numbers, and
//! a task writes the counter from which the next task continues.
//!
//! The checks and their order are those of the runtime's public source (`hicann/runtime`). These are assumptions:
//!
//! - A bit of a dropout is 1 if the element is kept. The first element has the lowest bit of the first byte, and the
//!   unused bits of the last byte are 0. Operators of CANN round numbers of bits up to 128; the manual does not
//!   require it, and here any number is allowed.
//! - Parameters from device memory have the length of the data type, seeds eight bytes: `size` is the length of the
//!   field, which then contains the address.
//! - The task reads the counter, so the program has to write it before. A public example does not.
//! - Ranges with `max` below `min` are refused if both are known. It is not known whether a card checks this. The
//!   runtime does not refuse equal ends; all numbers are then this end.

mod distribution;
mod fill;
mod generator;

use std::ffi::c_void;
use std::slice;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_BF16, ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT64,
    ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK, ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS,
    ACL_UINT32, ACL_UINT64, aclDataType, aclError, aclrtRandomNumTaskInfo, aclrtRandomParaInfo,
    aclrtStream,
};

use crate::engine::kernel::{Mapped, Span, submit_kernel};
use crate::engine::submit;
use crate::error::fail;
use crate::object_calls::{attempt, invalid, invalid_below, not_null};

use fill::Way;
use generator::Words;

/// The bytes of a counter.
const COUNTER: usize = size_of::<u128>();
/// The bytes of a seed, and of the number of results.
const LONG: usize = size_of::<u64>();
/// The bytes of the memory that the caller may pass for the parameters of a distribution.
const SCRATCH: usize = 16;

pub(crate) unsafe extern "C" fn aclrtRandomNumAsync(
    taskInfo: *const aclrtRandomNumTaskInfo,
    stream: aclrtStream,
    reserve: *mut c_void,
) -> aclError {
    let call = "aclrtRandomNumAsync";
    attempt!(not_null(call, "taskInfo", taskInfo));
    // SAFETY: not null; the caller's contract: valid for a read.
    let info = unsafe { taskInfo.read() };
    let job = check_data_type(call, &info)
        .and_then(|number| {
            // SAFETY: not null; the caller's contract: a structure.
            let place = unsafe { &raw mut (*taskInfo.cast_mut()).dataType };
            // SAFETY: this is a field of the structure, which is valid for writes although C says `const`.
            unsafe { place.write(number) };
            submit::find(call, stream)
        })
        .and_then(|_| Job::new(call, &info, reserve));
    let job = attempt!(job);
    let spans = job.spans();
    let kernel = move |mapped: &[Mapped]| {
        let _ = job.run(mapped);
    };
    submit_kernel(stream, call, spans, Arc::new(kernel))
}

/// The numbers of data types in the runtime. The ACL layer writes them into the program's structure, so the structure
/// is good for one call only: most of these numbers are not a data type of random numbers, and the others mean
/// another type.
const NUMBERS: [(aclDataType, i32); 7] = [
    (ACL_FLOAT, 6),
    (ACL_FLOAT16, 5),
    (ACL_BF16, 4),
    (ACL_INT32, 0),
    (ACL_UINT32, 2),
    (ACL_INT64, 1),
    (ACL_UINT64, 3),
];

/// Makes the checks of the ACL layer and returns the number that the layer writes over the data type.
fn check_data_type(call: &str, info: &aclrtRandomNumTaskInfo) -> Result<aclDataType, aclError> {
    let found = NUMBERS.iter().find(|(data, _)| *data == info.dataType);
    match found {
        Some((_, number)) => Ok(aclDataType(*number)),
        None => Err(invalid(
            call,
            format_args!(
                "dataType is {:?}; pass ACL_INT32, ACL_INT64, ACL_UINT32, ACL_UINT64, \
                 ACL_BF16, ACL_FLOAT16 or ACL_FLOAT (the call overwrites it: fill the structure anew for \
                 each call)",
                info.dataType
            ),
        )),
    }
}

/// A parameter of a task.
#[derive(Debug, Clone, Copy)]
enum Parameter {
    /// The bits of the parameter.
    Bits(u64),
    /// The device address of the parameter when the task runs, and its bytes.
    At(usize, usize),
}

impl Parameter {
    /// Checks a parameter of `len` bytes.
    fn new(
        call: &str,
        name: &str,
        info: &aclrtRandomParaInfo,
        len: usize,
    ) -> Result<Parameter, aclError> {
        let filled = match info.isAddr {
            0 => len,
            1 => size_of::<usize>(),
            other => {
                return Err(invalid_below(
                    call,
                    format_args!(
                        "{name}.isAddr is {other}; pass 0 for a value or 1 for a device address"
                    ),
                ));
            }
        };
        let size = usize::from(info.size);
        if size == 0 || size > filled {
            return Err(invalid_below(
                call,
                format_args!(
                    "{name}.size is {size}; pass how many bytes of valueOrAddr are filled, 1 to {filled}"
                ),
            ));
        }
        let mut bytes = [0; LONG];
        for (to, from) in bytes.iter_mut().zip(info.valueOrAddr).take(size) {
            *to = from;
        }
        let bits = u64::from_le_bytes(bytes);
        Ok(match info.isAddr {
            0 => Parameter::Bits(bits),
            // CAST: addresses have 64 bits here.
            _ => Parameter::At(bits as usize, len),
        })
    }

    /// Returns the memory of the parameter, if it has any.
    fn span(self) -> Option<Span> {
        match self {
            Parameter::Bits(_) => None,
            Parameter::At(address, len) => Some(span(address, len, false)),
        }
    }

    /// Returns the bits of the parameter; `memory` has the spans of this parameter and of the following ones.
    fn read(self, memory: &mut slice::Iter<'_, Mapped>) -> Option<u64> {
        let len = match self {
            Parameter::Bits(bits) => return Some(bits),
            Parameter::At(_, len) => len.min(LONG),
        };
        let from = memory.next().filter(|mapped| mapped.len >= len)?;
        let mut bytes = [0u8; LONG];
        // SAFETY: the span is valid for reads of `len` bytes, which was checked, and `bytes` has room for `len`
        // bytes.
        unsafe { from.pointer.copy_to_nonoverlapping(bytes.as_mut_ptr(), len) };
        Some(u64::from_le_bytes(bytes))
    }
}

/// Makes a contiguous span.
fn span(address: usize, len: usize, write: bool) -> Span {
    Span {
        address,
        len,
        write,
        dense: true,
        scratch: false,
    }
}

/// A checked task that makes random numbers.
#[derive(Debug)]
struct Job {
    way: Way,
    seed: Parameter,
    /// The parameters of the distribution.
    shape: [Parameter; 2],
    /// The number of results, and their bytes.
    count: usize,
    bytes: usize,
    /// The addresses of the task. The memory at `scratch` is not used here; it may be 0.
    result: usize,
    counter: usize,
    scratch: usize,
}

impl Job {
    /// Makes the checks of the runtime, in the runtime's order.
    fn new(
        call: &str,
        info: &aclrtRandomNumTaskInfo,
        reserve: *mut c_void,
    ) -> Result<Job, aclError> {
        if !reserve.is_null() {
            return Err(invalid_below(
                call,
                format_args!("reserve is {reserve:p}; it is reserved, pass NULL"),
            ));
        }
        let function = info.randomNumFuncParaInfo.funcType;
        let Some(way) = Way::of(function, info.dataType) else {
            return Err(invalid_below(
                call,
                format_args!(
                    "funcType {function:?} makes no {:?}; uniform distributions have all data types, \
                     the others ACL_BF16, ACL_FLOAT16 and ACL_FLOAT",
                    info.dataType
                ),
            ));
        };
        for (name, address) in [
            ("randomCounterAddr", info.randomCounterAddr),
            ("randomResultAddr", info.randomResultAddr),
        ] {
            if address.is_null() {
                return Err(invalid_below(
                    call,
                    format_args!("{name} is NULL; pass memory of aclrtMalloc"),
                ));
            }
        }
        let seed = Parameter::new(call, "randomSeed", &info.randomSeed, LONG)?;
        let number = Parameter::new(call, "randomNum", &info.randomNum, LONG)?;
        let shape = shape(call, info, way)?;
        let (count, bytes) = extent(call, number, way)?;
        Ok(Job {
            way,
            seed,
            shape,
            count,
            bytes,
            result: info.randomResultAddr.addr(),
            counter: info.randomCounterAddr.addr(),
            scratch: info.randomParaAddr.addr(),
        })
    }

    /// Returns the memory of the task, in the order of [`Job::run`].
    fn spans(&self) -> Vec<Span> {
        let mut spans = vec![
            span(self.result, self.bytes, true),
            // The counter has two spans: it is read before it is written, so it has to be initialised.
            span(self.counter, COUNTER, false),
            span(self.counter, COUNTER, true),
        ];
        let [first, second] = self.shape;
        spans.extend(
            [self.seed, first, second]
                .into_iter()
                .filter_map(Parameter::span),
        );
        if self.scratch != 0 {
            // A card stores the parameters in this memory until the task has run. The checker can report a program
            // that frees it before.
            spans.push(Span {
                scratch: true,
                ..span(self.scratch, SCRATCH, true)
            });
        }
        spans
    }

    /// Makes the numbers. The task itself does not change, because a graph may run it again. `None` if the spans are
    /// not those of the task.
    fn run(&self, mapped: &[Mapped]) -> Option<()> {
        let [result, counter, _, parameters @ ..] = mapped else {
            return None;
        };
        if result.len < self.bytes || counter.len < COUNTER {
            return None;
        }
        let mut parameters = parameters.iter();
        let seed = self.seed.read(&mut parameters)?;
        let [first, second] = self.shape;
        let shape = [first.read(&mut parameters)?, second.read(&mut parameters)?];
        let place = counter.pointer.cast::<[u8; COUNTER]>();
        // SAFETY: the span is valid for reads of this length, which was checked.
        let begin = u128::from_le_bytes(unsafe { place.read_unaligned() });
        let mut words = Words::new(seed, begin);
        // SAFETY: the span is valid for writes of `bytes` bytes, which is the length of `count` results.
        unsafe { (self.way.fill)(result.pointer, self.count, shape, &mut words) };
        let end = words.counter().to_le_bytes();
        // SAFETY: the span is valid for writes of this length, which was checked.
        unsafe { place.write_unaligned(end) };
        Some(())
    }
}

/// Returns the parameters of the distribution. A dropout has one parameter; its second one is ignored.
fn shape(call: &str, info: &aclrtRandomNumTaskInfo, way: Way) -> Result<[Parameter; 2], aclError> {
    let new = |name, info| Parameter::new(call, name, info, way.parameter);
    let function = &info.randomNumFuncParaInfo;
    match function.funcType {
        ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK => {
            // SAFETY: the field that the kind names; any bytes are a value of it.
            let dropout = unsafe { function.paramInfo.dropoutBitmaskInfo };
            let ratio = new("dropoutRation", &dropout.dropoutRation)?;
            Ok([ratio, Parameter::Bits(0)])
        }
        ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS => {
            // SAFETY: the field that the kind names; any bytes are a value of it.
            let uniform = unsafe { function.paramInfo.uniformDisInfo };
            let range = [new("min", &uniform.min)?, new("max", &uniform.max)?];
            match range {
                [Parameter::Bits(min), Parameter::Bits(max)] if !(way.fits)([min, max]) => {
                    Err(invalid_below(
                        call,
                        format_args!(
                            "min ({min:#x}) is above max ({max:#x}), or one of them is no number, read \
                             as {:?}; pass a range",
                            info.dataType
                        ),
                    ))
                }
                range => Ok(range),
            }
        }
        _ => {
            // SAFETY: this is the field of all remaining kinds; any bytes are a valid value of it.
            let normal = unsafe { function.paramInfo.normalDisInfo };
            Ok([new("mean", &normal.mean)?, new("stddev", &normal.stddev)?])
        }
    }
}

/// Returns the number of results, and their bytes.
fn extent(call: &str, number: Parameter, way: Way) -> Result<(usize, usize), aclError> {
    let number = match number {
        Parameter::Bits(number) => number,
        Parameter::At(address, _) => {
            return Err(fail(
                ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
                format_args!(
                    "{call} failed: randomNum is read from {address:#x} when the task runs, and the \
                     emulator has to know the length of the result before; pass the number itself, with \
                     isAddr 0"
                ),
            ));
        }
    };
    let count = usize::try_from(number).ok().filter(|count| *count > 0);
    let bits = count.and_then(|count| count.checked_mul(way.bits));
    match (count, bits) {
        (Some(count), Some(bits)) => Ok((count, bits.div_ceil(8))),
        _ => Err(invalid_below(
            call,
            format_args!(
                "randomNum is {number}; pass a number from 1 on whose results fit into memory"
            ),
        )),
    }
}
