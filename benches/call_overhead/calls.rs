//! Single calls.

use std::ffi::c_void;
use std::io;
use std::mem::forget;

use ascendcl::event::{Event, Order};
use ascendcl::kernel::{In, InOut, LenOf};
use ascendcl::op::AdamWOptions;
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, Queued, Result, Stream, StreamName, op, sys};
use ascendcl_benches::measure::{Cost, measure};
use ascendcl_benches::table::Table;

use crate::raw::{self, Prepared, Status};
use crate::{Build, D};

/// Elements of a buffer.
const LEN: usize = 1024;
/// The bytes of a buffer.
const BYTES: usize = LEN * size_of::<f32>();
const WITHIN: sys::aclrtMemcpyKind = sys::ACL_MEMCPY_DEVICE_TO_DEVICE;

/// The additional work of a typed wait. With LTO it is one instruction, which the result saves again: an
/// [`Error`](ascendcl::Error) is one word, and the raw `Result<(), aclError>` is two. Without LTO, the address of the
/// word is read first.
const LOOK: &str =
    "the look whether another thread's wait for the whole device took the only report of a failure";

/// The runs of a repeatable plan.
const RUNS: u64 = 16;
/// Instructions that such a run may have beside the raw one: it has 86 with LTO, and 97 to 102 without, where the
/// comparison is a call. How many depends on the codegen units, whose borders move with each feature of a crate.
const fn again(build: Build) -> u64 {
    match build {
        Build::Default => 104,
        Build::Lto => 100,
    }
}
/// What they do.
const COMPARED: &str =
    "the comparison of three tensors with those of the run before: address, shape and strides";

/// What a launch has more without LTO.
const ACROSS: &str = "what only optimisation across crates removes";

/// The attributes of a step of AdamW, which the raw program has as numbers.
const STEP: AdamWOptions = {
    let [lr, beta1, beta2, weight_decay, eps] = raw::STEP;
    AdamWOptions {
        lr,
        beta1,
        beta2,
        weight_decay,
        eps,
        maximize: false,
    }
};

/// A second stream.
enum Other {}
impl StreamName for Other {}

type Fixed<'d> = DeviceBuf<'d, D, [f32; LEN]>;
type InQueue<'d> = Queued<'d, (D, Main), Fixed<'d>>;

/// The handles of a typed program.
struct Typed<'t, 'd> {
    current: Current<'t, 'd, D>,
    stream: Stream<'t, 'd, D, Main>,
    other: Stream<'t, 'd, D, Other>,
    event: Event<'d, D, Order>,
    source: DeviceBuf<'d, D, [f32]>,
    target: DeviceBuf<'d, D, [f32]>,
    fixed_source: Fixed<'d>,
    fixed_target: Fixed<'d>,
    queued_source: InQueue<'d>,
    queued_target: InQueue<'d>,
    len: usize,
}

/// The handles of a raw program.
struct Raw {
    stream: sys::aclrtStream,
    other: sys::aclrtStream,
    event: sys::aclrtEvent,
    source: *mut c_void,
    source_len: usize,
    target: *mut c_void,
    target_len: usize,
    fixed_source: *mut c_void,
    fixed_target: *mut c_void,
    queued_source: *mut c_void,
    queued_target: *mut c_void,
    len: usize,
}

/// Both programs, with the same handles and addresses.
fn both<'t, 'd>(current: Current<'t, 'd, D>) -> Result<(Typed<'t, 'd>, Raw)> {
    let fixed = || current.memset(current.malloc_as::<[f32; LEN]>()?, 0);
    let stream = current.create_stream()?;
    let other = current.create_stream()?;
    let event = current.create_event()?;
    let source = current.memset(current.malloc::<f32>(LEN)?, 0)?;
    let target = current.memset(current.malloc::<f32>(LEN)?, 0)?;
    let (fixed_source, fixed_target) = (fixed()?, fixed()?);
    let (queued_source, queued_target) = (fixed()?, fixed()?);
    let raw = Raw {
        stream: stream.as_raw(),
        other: other.as_raw(),
        event: event.as_raw(),
        source: source.as_raw().cast(),
        source_len: LEN,
        target: target.as_raw().cast(),
        target_len: LEN,
        fixed_source: fixed_source.as_raw().cast(),
        fixed_target: fixed_target.as_raw().cast(),
        queued_source: queued_source.as_raw().cast(),
        queued_target: queued_target.as_raw().cast(),
        len: LEN,
    };
    let typed = Typed {
        current,
        queued_source: stream.adopt(queued_source),
        queued_target: stream.adopt(queued_target),
        stream,
        other,
        event,
        source,
        target,
        fixed_source,
        fixed_target,
        len: LEN,
    };
    Ok((typed, raw))
}

/// Measures a typed operation.
fn typed<S, T>(state: S, operation: impl FnOnce(S) -> Result<T>) -> io::Result<Cost> {
    measure(state, operation)
}

/// Measures a raw operation.
fn raw<S, T>(state: S, operation: impl FnOnce(S) -> Result<T, Status>) -> io::Result<Cost> {
    measure(state, operation)
}

/// All rows.
pub(crate) fn table(
    current: Current<'_, '_, D>,
    build: Build,
) -> Result<Table, Box<dyn std::error::Error>> {
    let (mut t, mut r) = both(current)?;
    let mut table = Table::new("one call", 1.00);
    let (t, r) = (&mut t, &mut r);

    table.row(
        "memcpy, length in the type",
        typed(&mut *t, |t| {
            t.current.memcpy(&mut t.fixed_target, &t.fixed_source)
        }),
        raw(&mut *r, |r| {
            raw::memcpy(r.fixed_target, BYTES, r.fixed_source, BYTES, WITHIN)
        }),
    )?;
    table.row(
        "memcpy, run-time length",
        typed(&mut *t, |t| t.current.memcpy(&mut t.target, &t.source)),
        raw(&mut *r, |r| {
            if r.source_len != r.target_len {
                return Err(raw::lengths_differ(r.source_len, r.target_len));
            }
            let bytes = r.source_len * size_of::<f32>();
            raw::memcpy(r.target, bytes, r.source, bytes, WITHIN)
        }),
    )?;
    table.row(
        "memset",
        typed(&mut *t, |t| t.current.memset(&mut t.fixed_target, 0)),
        raw(&mut *r, |r| raw::memset(r.fixed_target, BYTES, 0, BYTES)),
    )?;
    table.row(
        "memcpy_async",
        typed(&mut *t, |t| {
            t.stream
                .memcpy_async(&mut t.queued_target, &t.queued_source)
        }),
        raw(&mut *r, |r| {
            raw::memcpy_async(
                r.queued_target,
                BYTES,
                r.queued_source,
                BYTES,
                WITHIN,
                r.stream,
            )
        }),
    )?;
    table.row(
        "memset_async",
        typed(&mut *t, |t| t.stream.memset_async(&mut t.queued_target, 0)),
        raw(&mut *r, |r| {
            raw::memset_async(r.queued_target, BYTES, 0, BYTES, r.stream)
        }),
    )?;
    table.row(
        "record",
        typed(&mut *t, |t| t.stream.record(&mut t.event)),
        raw(&mut *r, |r| {
            raw::record(r.event, r.stream).map(|()| r.event)
        }),
    )?;
    let recorded = t.stream.record(&mut t.event)?;
    table.row(
        "wait for a recorded event",
        typed((&mut t.other, recorded), |(other, recorded)| {
            other.wait(recorded)
        }),
        raw((&mut r.other, r.event), |(other, event)| {
            raw::wait(*other, event)
        }),
    )?;
    table.row(
        "record and wait",
        typed(&mut *t, |t| {
            let recorded = t.stream.record(&mut t.event)?;
            t.other.wait(recorded)
        }),
        raw(&mut *r, |r| {
            raw::record(r.event, r.stream)?;
            raw::wait(r.other, r.event)
        }),
    )?;
    table.row(
        "synchronize",
        typed(&mut *t, |t| t.stream.synchronize()),
        raw(&mut *r, |r| raw::synchronize(r.stream)),
    )?;
    if build == Build::Default {
        table.allow(1, LOOK);
    }
    table.row(
        "malloc and free, length in the type",
        typed(&mut *t, |t| t.current.malloc_as::<[f32; LEN]>()?.free()),
        raw(&mut *r, |_| raw::free(raw::malloc(BYTES)?)),
    )?;
    table.row(
        "malloc and free, run-time length",
        typed(&mut *t, |t| t.current.malloc::<f32>(t.len)?.free()),
        raw(&mut *r, |r| raw::free(raw::malloc(raw::bytes_of(r.len)?)?)),
    )?;
    kernels(&mut table, t, r)?;
    graphs(&mut table, t, r)?;
    operators(&mut table, t, r, build)?;
    operands(&mut table, t, r, build)?;
    Ok(table)
}

ascendcl::kernel! {
    struct Add = add(x: In<f32>, y: In<f32>, z: InOut<f32>);
}
ascendcl::kernel! {
    struct Saxpy = saxpy(x: In<f32>, y: InOut<f32>, a: f32, n: LenOf<x>) where x == y;
}

/// Launches of a kernel: without conditions, and with one.
fn kernels(
    table: &mut Table,
    t: &mut Typed<'_, '_>,
    r: &mut Raw,
) -> Result<(), Box<dyn std::error::Error>> {
    let binary = t.current.load_binary_from(b"a binary")?;
    // SAFETY: the backend of this program runs nothing.
    let add = unsafe { binary.kernel::<Add>() }?;
    // SAFETY: as above.
    let saxpy = unsafe { binary.kernel::<Saxpy>() }?;
    let (raw_add, raw_saxpy) = (add.as_raw(), saxpy.as_raw());
    table.row(
        "launch of a kernel",
        typed((&mut *t, add), |(t, add)| {
            let x = &t.queued_source;
            t.stream.launch(add, 8, (x, x, &mut t.queued_target))
        }),
        raw((&mut *r, raw_add), |(r, add)| {
            let mut arguments = [r.queued_source, r.queued_source, r.queued_target];
            raw::launch(
                add,
                8,
                r.stream,
                arguments.as_mut_ptr().cast(),
                size_of_val(&arguments),
            )
        }),
    )?;
    table.row(
        "launch of a kernel with a length and a condition",
        typed((&mut *t, saxpy), |(t, saxpy)| {
            let (x, y) = (&t.queued_source, &mut t.queued_target);
            t.stream.launch(saxpy, 8, (x, y, 2.0, ()))
        }),
        raw((&mut *r, raw_saxpy), |(r, saxpy)| {
            /// The arguments as the kernel reads them.
            #[repr(C)]
            struct Arguments(*mut c_void, *mut c_void, f32, u32);

            let mut arguments = Arguments(r.queued_source, r.queued_target, 2.0, LEN as u32);
            let bytes = size_of_val(&arguments);
            raw::launch(saxpy, 8, r.stream, (&raw mut arguments).cast(), bytes)
        }),
    )?;
    forget(binary);
    Ok(())
}

/// A run of a graph, whose memory is a buffer.
fn graphs(
    table: &mut Table,
    t: &mut Typed<'_, '_>,
    r: &mut Raw,
) -> Result<(), Box<dyn std::error::Error>> {
    let memory = t.current.memset(t.current.malloc::<f32>(LEN)?, 0)?;
    let fill = t.stream.capture(memory, |recording, memory| {
        recording.memset_async(memory, 1)
    });
    let mut fill = fill.map_err(ascendcl::Error::from)?;
    let instance = fill.as_raw();
    table.row(
        "launch of a graph",
        typed((&mut *t, &mut fill), |(t, graph)| {
            graph.launch(&mut t.stream)
        }),
        raw((&mut *r, instance), |(r, instance)| {
            raw::run_graph(instance, r.stream)
        }),
    )?;
    forget(fill);
    Ok(())
}

/// An operator, from its operands to the launch, and to the result.
fn operators(
    table: &mut Table,
    t: &mut Typed<'_, '_>,
    r: &mut Raw,
    build: Build,
) -> Result<(), Box<dyn std::error::Error>> {
    table.row(
        "operator, launched",
        typed(&mut *t, |t| {
            let operand = t.queued_source.tensor(&[LEN])?;
            let out = t.queued_target.tensor_mut(&[LEN])?;
            op::mul(t.current, &operand, &operand, out)?.launch(&mut t.stream)
        }),
        raw(&mut *r, |r| {
            let operands = [r.queued_source, r.queued_source, r.queued_target];
            let plan = Prepared::mul(operands, LEN as i64, sys::ACL_FLOAT)?;
            plan.launch(r.stream)?;
            plan.forget_operands()?;
            Ok(plan.workspace)
        }),
    )?;
    table.row(
        "operator, planned once and run 16 times",
        typed(&mut *t, |t| {
            let operand = t.fixed_source.tensor(&[LEN])?;
            let out = t.fixed_target.tensor_mut(&[LEN])?;
            let mut plan = op::mul(t.current, &operand, &operand, out)?.repeatable(t.current)?;
            for _ in 0..RUNS {
                let out = t.fixed_target.tensor_mut(&[LEN])?;
                plan.run(&mut t.stream, (&operand, &operand, out))?;
            }
            Ok(())
        }),
        raw(&mut *r, |r| {
            let operands = [r.fixed_source, r.fixed_source, r.fixed_target];
            let plan = Prepared::repeatable(operands, LEN as i64, sys::ACL_FLOAT)?;
            for _ in 0..RUNS {
                plan.launch(r.stream)?;
                raw::synchronize(r.stream)?;
            }
            plan.destroy()?;
            plan.forget_operands()?;
            plan.free_workspace()
        }),
    )?;
    table.allow(RUNS * again(build), COMPARED);
    table.row(
        "operator, run to its end",
        typed(&mut *t, |t| {
            let operand = t.fixed_source.tensor(&[LEN])?;
            let out = t.fixed_target.tensor_mut(&[LEN])?;
            op::mul(t.current, &operand, &operand, out)?.run(&mut t.stream)
        }),
        raw(&mut *r, |r| {
            let operands = [r.fixed_source, r.fixed_source, r.fixed_target];
            let plan = Prepared::mul(operands, LEN as i64, sys::ACL_FLOAT)?;
            plan.launch(r.stream)?;
            raw::synchronize(r.stream)?;
            plan.forget_operands()?;
            plan.free_workspace()
        }),
    )?;
    // The record of earlier failures is read, too.
    match build {
        Build::Default => table.allow(10, LOOK),
        Build::Lto => table.allow(3, LOOK),
    }
    Ok(())
}

/// Operators of one operand and of five, launched; those above have two.
fn operands(
    table: &mut Table,
    t: &mut Typed<'_, '_>,
    r: &mut Raw,
    build: Build,
) -> Result<(), Box<dyn std::error::Error>> {
    table.row(
        "operator of one operand, launched",
        typed(&mut *t, |t| {
            let operand = t.queued_source.tensor(&[LEN])?;
            let out = t.queued_target.tensor_mut(&[LEN])?;
            op::relu(t.current, &operand, out)?.launch(&mut t.stream)
        }),
        raw(&mut *r, |r| {
            let operands = [r.queued_source, r.queued_target];
            raw::launch_relu(operands, LEN as i64, r.stream)
        }),
    )?;
    if build == Build::Default {
        table.allow(3, ACROSS);
    }
    let zeros = || t.current.memset(t.current.malloc_as::<[f32; LEN]>()?, 0);
    let step = t.current.memset(t.current.malloc_as::<[i64; 1]>()?, 0)?;
    let (parameters, mean, square) = (zeros()?, zeros()?, zeros()?);
    let addresses: [*mut c_void; 5] = [
        parameters.as_raw().cast(),
        mean.as_raw().cast(),
        square.as_raw().cast(),
        r.queued_source,
        step.as_raw().cast(),
    ];
    let changed = [parameters, mean, square].map(|buf| t.stream.adopt(buf));
    let step = t.stream.adopt(step);
    table.row(
        "operator of five operands, launched",
        typed((&mut *t, changed, &step), |(t, mut changed, step)| {
            let [parameters, mean, square] = &mut changed;
            let [parameters, mean, square] = [
                parameters.tensor_mut(&[LEN])?,
                mean.tensor_mut(&[LEN])?,
                square.tensor_mut(&[LEN])?,
            ];
            let gradient = t.queued_source.tensor(&[LEN])?;
            let step = step.tensor(&[1])?;
            let plan =
                op::apply_adam_w_v2(t.current, parameters, mean, square, &gradient, &step, &STEP)?;
            let launched = plan.launch(&mut t.stream);
            // The raw program has its addresses still, too.
            forget(changed);
            launched
        }),
        raw(addresses, |addresses| {
            raw::launch_adam(addresses, LEN as i64, r.stream)
        }),
    )?;
    if build == Build::Default {
        table.allow(91, ACROSS);
    }
    Ok(())
}
