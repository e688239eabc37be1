//! Operators on large tensors, compared with plain loops over the same memory, and products of matrices with a BLAS.
//!
//! `ASCENDCL_BENCH_BLAS` names a library with `cblas_sgemm`, for example the OpenBLAS inside NumPy
//! (`numpy.libs/libscipy_openblas64_*.so`). Without it the rows of products have no reference. `taskset -c 0` in front
//! of the command compares single threads.

use std::env;
use std::ffi::c_void;
use std::hint::black_box;
use std::ptr;
use std::thread;

use ascendcl_sys::*;
use libloading::Library;

use crate::calls::{check, free, malloc, stream, synchronise};
use crate::large::{pinned, touched};
use crate::table::{Goal, Table, each};

/// The number of elements of the tensors: 64 MiB in single precision.
const LEN: usize = 16 << 20;
/// A kernel takes at most so many times as long as the loop over the same memory.
const LIMIT: Goal = Goal::Ratio(1.0 / 0.7);

pub(crate) fn rows(table: &Table) {
    let stream = stream();
    each_element(table, stream);
    each_row(table, stream);
    products(table, stream);
    crate::calls::destroy(stream);
}

/// The second phase of an operator.
type Launch = unsafe fn(*mut c_void, u64, *mut aclOpExecutor, aclrtStream) -> aclnnStatus;

/// Runs both phases of an operator and waits for it.
fn run(
    stream: aclrtStream,
    launch: Launch,
    prepare: impl Fn(*mut u64, *mut *mut aclOpExecutor) -> aclnnStatus,
) {
    let (mut size, mut executor) = (0, ptr::null_mut());
    check(prepare(&raw mut size, &raw mut executor));
    assert_eq!(size, 0, "the operands are contiguous");
    // SAFETY: the executor that the first phase made; no workspace is needed.
    check(unsafe { launch(ptr::null_mut(), size, executor, stream) });
    synchronise(stream);
}

/// A loop over memory, for comparison.
struct Loop {
    from: *mut f32,
    to: *mut f32,
}

impl Loop {
    fn new() -> Loop {
        let [from, to] = [pinned(LEN * 4), pinned(LEN * 4)].map(<*mut c_void>::cast);
        Loop { from, to }
    }

    /// Multiplies numbers: one is read and one is written at a time.
    fn scale(&self, len: usize) {
        // SAFETY: page-locked memory of this length, zero at first, that no other code uses.
        let from = unsafe { std::slice::from_raw_parts(self.from, len) };
        // SAFETY: page-locked memory of this length, zero at first, that no other code uses.
        let to = unsafe { std::slice::from_raw_parts_mut(self.to, len) };
        for (to, from) in black_box(to).iter_mut().zip(black_box(from)) {
            *to = *from * 3.0;
        }
    }

    /// Reads numbers.
    fn sum(&self, len: usize) {
        // SAFETY: page-locked memory of this length, zero at first, that no other code uses.
        let from = unsafe { std::slice::from_raw_parts(self.from, len) };
        let mut sums = [0.0; 64];
        for chunk in black_box(from).as_chunks::<64>().0 {
            for (sum, one) in sums.iter_mut().zip(chunk) {
                *sum += one;
            }
        }
        black_box(sums);
    }

    fn free(self) {
        [self.from, self.to]
            .into_iter()
            .for_each(|one| free(one.cast()));
    }
}

/// Operators that compute each element on its own.
fn each_element(table: &Table, stream: aclrtStream) {
    type Prepare = unsafe fn(
        *const aclTensor,
        *mut aclTensor,
        *mut u64,
        *mut *mut aclOpExecutor,
    ) -> aclnnStatus;
    let relu: Prepare = |from, to, size, executor| {
        // SAFETY: the caller's contract.
        unsafe { aclnnReluGetWorkspaceSize(from, to, size, executor) }
    };
    let cases: [(&str, aclDataType, Prepare, Launch); 11] = [
        ("relu", ACL_FLOAT, relu, aclnnRelu),
        ("exp", ACL_FLOAT, aclnnExpGetWorkspaceSize, aclnnExp),
        ("tanh", ACL_FLOAT, aclnnTanhGetWorkspaceSize, aclnnTanh),
        ("gelu", ACL_FLOAT, aclnnGeluGetWorkspaceSize, aclnnGelu),
        ("silu", ACL_FLOAT, aclnnSiluGetWorkspaceSize, aclnnSilu),
        ("relu", ACL_FLOAT16, relu, aclnnRelu),
        ("relu", ACL_BF16, relu, aclnnRelu),
        ("exp", ACL_FLOAT16, aclnnExpGetWorkspaceSize, aclnnExp),
        ("gelu", ACL_FLOAT16, aclnnGeluGetWorkspaceSize, aclnnGelu),
        ("tanh", ACL_BF16, aclnnTanhGetWorkspaceSize, aclnnTanh),
        ("silu", ACL_BF16, aclnnSiluGetWorkspaceSize, aclnnSilu),
    ];
    for (name, dtype, prepare, launch) in cases {
        let name = format!("{name} of 64 MiB {} (reference: a loop)", word(dtype));
        if !table.wants(&name) {
            continue;
        }
        let elements = LEN * 4 / size_of_type(dtype);
        let [from, to] = [filled(dtype, elements), touched(LEN * 4)];
        let shape = [elements as i64];
        let tensors = [tensor(dtype, &shape, from), tensor(dtype, &shape, to)];
        let plain = Loop::new();
        table.row(
            &name,
            LIMIT,
            7,
            || {
                each(1, || {
                    let [from, to] = tensors;
                    // SAFETY: tensors that exist, and answers valid for writes.
                    run(stream, launch, |size, executor| unsafe {
                        prepare(from, to, size, executor)
                    });
                })
            },
            || each(1, || plain.scale(LEN)),
        );
        plain.free();
        release(&tensors, &[from, to]);
    }
}

/// Operators that go along rows.
fn each_row(table: &Table, stream: aclrtStream) {
    let size = [1024i64];
    // SAFETY: the number is read in the call.
    let sizes = unsafe { aclCreateIntArray(size.as_ptr(), 1) };
    // SAFETY: the number is read in the call.
    let last = unsafe { aclCreateIntArray([1i64].as_ptr(), 1) };
    for dtype in [ACL_FLOAT, ACL_FLOAT16] {
        let elements = LEN * 4 / size_of_type(dtype);
        let shape = [elements as i64 / 1024, 1024];
        let names = ["softmax", "layer norm", "RMS norm", "sum of rows"];
        let names = names.map(|name| format!("{name}, 64 MiB {} (reference: a loop)", word(dtype)));
        if !names.iter().any(|name| table.wants(name)) {
            continue;
        }
        let memory = [
            filled(dtype, elements),
            touched(LEN * 4),
            filled(dtype, 1024),
            touched(elements / 1024 * 4),
        ];
        let [from, to, weight, small] = memory;
        let tensors = [
            tensor(dtype, &shape, from),
            tensor(dtype, &shape, to),
            tensor(dtype, &size, weight),
            tensor(ACL_FLOAT, &[shape[0], 1], small),
            tensor(dtype, &[shape[0]], small),
        ];
        let [x, y, gamma, factors, sums] = tensors;
        let plain = Loop::new();
        let [softmax, layer, root, sum] = &names;
        let row = |name: &str, operator: &dyn Fn()| {
            table.row(
                name,
                LIMIT,
                7,
                || each(1, operator),
                || each(1, || plain.scale(LEN)),
            );
        };
        row(softmax, &|| {
            // SAFETY: tensors that exist, and answers valid for writes.
            run(stream, aclnnSoftmax, |size, executor| unsafe {
                aclnnSoftmaxGetWorkspaceSize(x, 1, y, size, executor)
            });
        });
        row(layer, &|| {
            let none = ptr::null_mut();
            // SAFETY: tensors that exist or are null, and answers valid for writes.
            run(stream, aclnnLayerNorm, |size, executor| unsafe {
                aclnnLayerNormGetWorkspaceSize(
                    x, sizes, gamma, gamma, 1e-5, y, none, none, size, executor,
                )
            });
        });
        row(root, &|| {
            // SAFETY: tensors that exist, and answers valid for writes.
            run(stream, aclnnRmsNorm, |size, executor| unsafe {
                aclnnRmsNormGetWorkspaceSize(x, gamma, 1e-5, y, factors, size, executor)
            });
        });
        table.row(
            sum,
            LIMIT,
            7,
            || {
                each(1, || {
                    // SAFETY: tensors that exist, and answers valid for writes.
                    run(stream, aclnnReduceSum, |size, executor| unsafe {
                        aclnnReduceSumGetWorkspaceSize(x, last, false, dtype, sums, size, executor)
                    });
                })
            },
            || each(1, || plain.sum(LEN)),
        );
        plain.free();
        release(&tensors, &memory);
    }
    for array in [sizes, last] {
        // SAFETY: the array exists.
        check(unsafe { aclDestroyIntArray(array) });
    }
}

/// Products of matrices, beside a BLAS on the same number of threads.
fn products(table: &Table, stream: aclrtStream) {
    const SIZE: usize = 1024;
    let blas = Blas::load();
    let reference = if blas.is_some() { "BLAS" } else { "none" };
    for rows in [SIZE, 256, 64] {
        let name = format!("product {rows} x 1024 x 1024 f32 (reference: {reference})");
        if !table.wants(&name) {
            continue;
        }
        let memory = [
            filled(ACL_FLOAT, rows * SIZE),
            filled(ACL_FLOAT, SIZE * SIZE),
            touched(rows * SIZE * 4),
        ];
        let size = SIZE as i64;
        let [left, right, to] = memory;
        let tensors = [
            tensor(ACL_FLOAT, &[rows as i64, size], left),
            tensor(ACL_FLOAT, &[size, size], right),
            tensor(ACL_FLOAT, &[rows as i64, size], to),
        ];
        let numbers = |len: usize| {
            (0..len)
                .map(|one| (one % 13) as f32 - 6.0)
                .collect::<Vec<_>>()
        };
        let (a, b, mut c) = (
            numbers(rows * SIZE),
            numbers(SIZE * SIZE),
            numbers(rows * SIZE),
        );
        let operator = || {
            each(1, || {
                let [left, right, to] = tensors;
                // SAFETY: tensors that exist, and answers valid for writes.
                run(stream, aclnnMatmul, |size, executor| unsafe {
                    aclnnMatmulGetWorkspaceSize(left, right, to, 0, size, executor)
                });
            })
        };
        let goal = if rows == SIZE {
            Goal::Ratio(1.0 / 0.8)
        } else {
            Goal::None
        };
        match &blas {
            Some(blas) => table.row(&name, goal, 15, operator, || {
                each(1, || blas.multiply(&a, &b, &mut c, [rows, SIZE, SIZE]))
            }),
            None => table.row(&name, Goal::None, 15, operator, || each(1, || ())),
        }
        release(&tensors, &memory);
    }
}

/// A BLAS, which exists as long as the benchmark.
struct Blas {
    sgemm: Sgemm,
}

/// `cblas_sgemm`, with whole numbers of 64 bits. Those of 32 bits have the same registers and places on the stack.
type Sgemm = unsafe extern "C" fn(
    i32,
    i32,
    i32,
    i64,
    i64,
    i64,
    f32,
    *const f32,
    i64,
    *const f32,
    i64,
    f32,
    *mut f32,
    i64,
);

impl Blas {
    fn load() -> Option<Blas> {
        let path = env::var_os("ASCENDCL_BENCH_BLAS")?;
        // SAFETY: the user names a BLAS, whose initialisation has no requirements.
        let library: &'static Library = Box::leak(Box::new(unsafe { Library::new(path) }.unwrap()));
        for name in [
            "scipy_openblas_set_num_threads64_",
            "openblas_set_num_threads",
        ] {
            // SAFETY: the function of OpenBLAS has this type.
            if let Ok(set) = unsafe { library.get::<unsafe extern "C" fn(i32)>(name) } {
                let threads = thread::available_parallelism().map_or(1, usize::from);
                // SAFETY: any positive number is allowed.
                unsafe { set(threads as i32) };
            }
        }
        let names = ["scipy_cblas_sgemm64_", "cblas_sgemm64_", "cblas_sgemm"];
        let found = names.iter().find_map(|name| {
            // SAFETY: the type is that of the standard.
            unsafe { library.get::<Sgemm>(*name) }.ok()
        });
        Some(Blas {
            sgemm: *found.unwrap(),
        })
    }

    fn multiply(&self, a: &[f32], b: &[f32], c: &mut [f32], [rows, length, columns]: [usize; 3]) {
        const ROWS: i32 = 101;
        const PLAIN: i32 = 111;
        let [m, k, n] = [rows, length, columns].map(|size| size as i64);
        let (a, b, c) = (a.as_ptr(), b.as_ptr(), c.as_mut_ptr());
        // SAFETY: the slices have the elements of these matrices.
        unsafe { (self.sgemm)(ROWS, PLAIN, PLAIN, m, n, k, 1.0, a, k, b, n, 0.0, c, n) };
    }
}

fn size_of_type(dtype: aclDataType) -> usize {
    if dtype == ACL_FLOAT { 4 } else { 2 }
}

fn word(dtype: aclDataType) -> &'static str {
    match dtype {
        ACL_FLOAT => "f32",
        ACL_FLOAT16 => "f16",
        _ => "bf16",
    }
}

/// Allocates device memory with numbers from 1/8 to 8, of either sign, in no order.
fn filled(dtype: aclDataType, elements: usize) -> *mut c_void {
    let bytes = elements * size_of_type(dtype);
    let bits = |index: usize| {
        let mixed = (index as u32).wrapping_mul(0x9e37_79b9);
        let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b);
        // A sign, an exponent and a fraction.
        let (sign, exponent, fraction) = (mixed >> 31, (mixed >> 23) % 6, mixed & 0x007f_ffff);
        match dtype {
            ACL_FLOAT => sign << 31 | (124 + exponent) << 23 | fraction,
            ACL_FLOAT16 => sign << 15 | (12 + exponent) << 10 | fraction >> 13,
            _ => sign << 15 | (124 + exponent) << 7 | fraction >> 16,
        }
    };
    let values = (0..elements).map(bits);
    let data: Vec<u8> = if dtype == ACL_FLOAT {
        values.flat_map(u32::to_ne_bytes).collect()
    } else {
        values.flat_map(|one| (one as u16).to_ne_bytes()).collect()
    };
    let memory = malloc(bytes);
    let kind = ACL_MEMCPY_HOST_TO_DEVICE;
    // SAFETY: the data has as many bytes; the emulator checks the device address.
    check(unsafe { aclrtMemcpy(memory, bytes, data.as_ptr().cast(), bytes, kind) });
    memory
}

fn tensor(dtype: aclDataType, shape: &[i64], address: *mut c_void) -> *mut aclTensor {
    let (sizes, rank) = (shape.as_ptr(), shape.len() as u64);
    // SAFETY: the shape is read in the call, and null strides stand for contiguous ones.
    unsafe {
        aclCreateTensor(
            sizes,
            rank,
            dtype,
            ptr::null(),
            0,
            ACL_FORMAT_ND,
            sizes,
            rank,
            address,
        )
    }
}

fn release(tensors: &[*mut aclTensor], memory: &[*mut c_void]) {
    for tensor in tensors {
        // SAFETY: the tensor exists.
        check(unsafe { aclDestroyTensor(*tensor) });
    }
    memory.iter().copied().for_each(free);
}
