//! Host functions and callbacks of a stream (`acl/acl_rt.h`).
//!
//! The manual has the subscription of host functions for one small product only, where host functions are those of
//! offline models. A public sample subscribes one thread for `aclrtLaunchHostFunc` and one for callbacks. The
//! emulator does the same: the host functions of a subscribed stream run on the subscribed thread. This is an
//! assumption. The codes that the calls share with callbacks are assumptions too. The codes for a NULL stream and for
//! timeouts are from the public source of that product.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use ascendcl_sys::{
    ACL_CALLBACK_BLOCK, ACL_CALLBACK_NO_BLOCK, ACL_ERROR_RT_INTERNAL_ERROR,
    ACL_ERROR_RT_REPORT_TIMEOUT, ACL_ERROR_RT_STREAM_NO_CB_REG, ACL_ERROR_RT_STREAM_SUBSCRIBE,
    ACL_ERROR_RT_THREAD_SUBSCRIBE, ACL_SUCCESS, aclError, aclrtCallback, aclrtCallbackBlockType,
    aclrtHostFunc, aclrtStream,
};

use crate::check;
use crate::engine::drive::step;
use crate::engine::host_thread::HostCall;
use crate::engine::queue::{Blocked, Stream};
use crate::engine::submit::{self, Target, any, own};
use crate::engine::task::{Fault, Task};
use crate::engine::work::{Others, Work};
use crate::engine::{engine, idle_host_func};
use crate::error::fail;
use crate::graph;
use crate::object_calls::{attempt, invalid, invalid_below};
use crate::ordered::Ordered;
use crate::sync::{Mutex, MutexGuard, lock};

/// The number of threads that can run callbacks (manual, chapter 12).
const THREADS: usize = 1024;

/// The kind of function that a thread of the program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FunctionKind {
    Callbacks,
    HostFunctions,
}

/// The threads that run callbacks, by the number that the program passed.
static CALLBACKS: Mutex<Ordered<Subscriber>> = Mutex::new(Ordered::new());
/// The threads that run host functions, by the number that the program passed.
static HOST_FUNCTIONS: Mutex<Ordered<Subscriber>> = Mutex::new(Ordered::new());

#[derive(Debug)]
struct Subscriber {
    /// The device of the thread's streams.
    device: u32,
    streams: Vec<&'static Stream>,
    reports: VecDeque<Report>,
}

/// A callback whose turn has come.
#[derive(Debug, Clone, Copy)]
struct Report {
    call: HostCall,
    stream: &'static Stream,
    number: u64,
    blocks: bool,
}

impl FunctionKind {
    fn threads(self) -> MutexGuard<'static, Ordered<Subscriber>> {
        lock(match self {
            FunctionKind::Callbacks => &CALLBACKS,
            FunctionKind::HostFunctions => &HOST_FUNCTIONS,
        })
    }

    /// The number of the thread that runs a stream's functions; 0 means no thread.
    fn subscriber(self, stream: &Stream) -> &AtomicU64 {
        match self {
            FunctionKind::Callbacks => &stream.subscriber,
            FunctionKind::HostFunctions => &stream.host_subscriber,
        }
    }

    /// Passes a callback to a subscribed thread. Returns false if there is no such thread.
    fn hand(
        self,
        thread: u64,
        stream: &'static Stream,
        number: u64,
        call: HostCall,
        blocks: bool,
    ) -> bool {
        let mut threads = self.threads();
        let Some(subscriber) = threads.get_mut(thread as usize) else {
            return false;
        };
        subscriber.reports.push_back(Report {
            call,
            stream,
            number,
            blocks,
        });
        drop(threads);
        engine().announce();
        true
    }
}

/// A task that passes a function to the subscribed thread.
#[derive(Debug, Clone, Copy)]
struct Callback {
    call: HostCall,
    blocks: bool,
    handed: bool,
    /// The kind of the function, which decides on which thread it runs.
    kind: FunctionKind,
    /// The thread of the captured stream, if a graph runs the task. The graph's own stream has no thread.
    thread: Option<u64>,
}

impl Work for Callback {
    fn call(&self) -> &'static str {
        match self.kind {
            FunctionKind::HostFunctions => "aclrtLaunchHostFunc",
            FunctionKind::Callbacks => "aclrtLaunchCallback",
        }
    }

    fn blocked(
        &mut self,
        stream: &'static Stream,
        number: u64,
    ) -> Option<(Blocked, Option<Instant>)> {
        if !self.handed {
            let subscribed = || self.kind.subscriber(stream).load(Ordering::Acquire);
            let thread = self.thread.unwrap_or_else(subscribed);
            let Callback {
                call, blocks, kind, ..
            } = *self;
            self.handed = kind.hand(thread, stream, number, call, blocks);
        }
        let returned =
            !self.handed || !self.blocks || stream.called_back.load(Ordering::Acquire) >= number;
        (!returned).then_some((Blocked::Elsewhere, None))
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        Ok(())
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(Callback {
            handed: false,
            ..*self
        })
    }

    fn repeated(&self, stream: &'static Stream, number: u64) {
        check::note(&|checker| checker.calls_program(stream.slot(), number));
    }

    fn others(&self) -> Others {
        if self.blocks {
            Others::Thread
        } else {
            Others::Streams
        }
    }
}

/// Ends the subscriptions of a destroyed stream.
pub(crate) fn forget_stream(stream: &'static Stream) {
    for kind in [FunctionKind::Callbacks, FunctionKind::HostFunctions] {
        forget(kind, stream);
    }
}

/// Ends a subscription of a stream, if it has one.
fn forget(kind: FunctionKind, stream: &'static Stream) {
    let thread = kind.subscriber(stream).swap(0, Ordering::AcqRel);
    if thread == 0 {
        return;
    }
    let mut threads = kind.threads();
    if let Some(subscriber) = threads.get_mut(thread as usize) {
        subscriber.streams.retain(|other| !ptr::eq(*other, stream));
        if subscriber.streams.is_empty() {
            threads.remove(thread as usize);
        }
    }
}

/// Returns the calling thread's number, which is that of `pthread_self`.
fn this_thread() -> usize {
    // SAFETY: no preconditions.
    unsafe { libc::pthread_self() as usize }
}

pub(crate) unsafe extern "C" fn aclrtSubscribeReport(
    threadId: u64,
    stream: aclrtStream,
) -> aclError {
    subscribe(
        "aclrtSubscribeReport",
        FunctionKind::Callbacks,
        threadId,
        stream,
    )
}

pub(crate) unsafe extern "C" fn aclrtSubscribeHostFunc(
    hostFuncThreadId: u64,
    exeStream: aclrtStream,
) -> aclError {
    let call = "aclrtSubscribeHostFunc";
    if exeStream.is_null() {
        return no_stream(call);
    }
    subscribe(
        call,
        FunctionKind::HostFunctions,
        hostFuncThreadId,
        exeStream,
    )
}

/// Makes a thread run all functions of one kind of a stream.
fn subscribe(call: &str, kind: FunctionKind, threadId: u64, stream: aclrtStream) -> aclError {
    let Target { stream, .. } =
        attempt!(submit::find(call, stream).and_then(|found| own(call, found)));
    if kind == FunctionKind::Callbacks && stream.host_used.load(Ordering::Acquire) {
        return subscribed(
            call,
            "the stream runs host functions, which need no subscription",
        );
    }
    let device = stream
        .context()
        .map_or(0, |context| context.device.load(Ordering::Relaxed));
    let mut threads = kind.threads();
    if kind.subscriber(stream).load(Ordering::Acquire) != 0 {
        return subscribed(call, "the stream has a thread already");
    }
    if threads.len() >= THREADS && threads.get(threadId as usize).is_none() {
        return fail(
            ACL_ERROR_RT_INTERNAL_ERROR,
            format_args!("{call} failed: {THREADS} threads run callbacks, which is the limit"),
        );
    }
    let new = Subscriber {
        device,
        streams: Vec::new(),
        reports: VecDeque::new(),
    };
    let subscriber = threads.get_or_insert(threadId as usize, new);
    if subscriber.device != device {
        return fail(
            ACL_ERROR_RT_THREAD_SUBSCRIBE,
            format_args!(
                "{call} failed: thread {threadId} serves device {}, the stream is on {device}",
                subscriber.device
            ),
        );
    }
    subscriber.streams.push(stream);
    kind.subscriber(stream).store(threadId, Ordering::Release);
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtUnSubscribeReport(
    threadId: u64,
    stream: aclrtStream,
) -> aclError {
    unsubscribe(
        "aclrtUnSubscribeReport",
        FunctionKind::Callbacks,
        threadId,
        stream,
    )
}

pub(crate) unsafe extern "C" fn aclrtUnSubscribeHostFunc(
    hostFuncThreadId: u64,
    exeStream: aclrtStream,
) -> aclError {
    let call = "aclrtUnSubscribeHostFunc";
    if exeStream.is_null() {
        return no_stream(call);
    }
    unsubscribe(
        call,
        FunctionKind::HostFunctions,
        hostFuncThreadId,
        exeStream,
    )
}

#[cold]
fn no_stream(call: &str) -> aclError {
    invalid_below(
        call,
        format_args!("exeStream is NULL; pass a stream that you created"),
    )
}

/// Ends a subscription that [`subscribe`] made.
fn unsubscribe(call: &str, kind: FunctionKind, threadId: u64, stream: aclrtStream) -> aclError {
    let target = match submit::find(call, stream).and_then(|found| any(call, found)) {
        Ok((target, _)) => target,
        Err(code) => return code,
    };
    match kind.subscriber(target.stream).load(Ordering::Acquire) {
        0 => subscribed(call, "the stream has no thread"),
        thread if thread != threadId => fail(
            ACL_ERROR_RT_THREAD_SUBSCRIBE,
            format_args!("{call} failed: the stream's thread is {thread}, not {threadId}"),
        ),
        _ => {
            forget(kind, target.stream);
            ACL_SUCCESS
        }
    }
}

#[cold]
fn subscribed(call: &str, why: &str) -> aclError {
    fail(
        ACL_ERROR_RT_STREAM_SUBSCRIBE,
        format_args!("{call} failed: {why}"),
    )
}

/// Runs a callback and all further callbacks whose turn has come, as the runtime does in one call.
fn run_what_is_ready(kind: FunctionKind, thread: usize, mut report: Option<Report>) {
    while let Some(ready) = report {
        // The function runs code of the program, so from here on the program knows that earlier tasks are complete.
        check::note(&|checker| checker.synchronised(ready.stream.slot(), ready.number - 1));
        if ready.blocks {
            check::in_function(ready.stream.slot(), || ready.call.run());
            ready.stream.returned(ready.number);
        } else {
            ready.call.run();
        }
        let mut threads = kind.threads();
        report = threads
            .get_mut(thread)
            .and_then(|subscriber| subscriber.reports.pop_front());
    }
}

pub(crate) unsafe extern "C" fn aclrtProcessReport(timeout: i32) -> aclError {
    let call = "aclrtProcessReport";
    if timeout == 0 || timeout < -1 {
        return invalid(
            call,
            format_args!("timeout is {timeout}; pass milliseconds, or -1 for none"),
        );
    }
    process(call, FunctionKind::Callbacks, timeout)
}

pub(crate) unsafe extern "C" fn aclrtProcessHostFunc(timeout: i32) -> aclError {
    process("aclrtProcessHostFunc", FunctionKind::HostFunctions, timeout)
}

/// Runs the callbacks of the calling thread whose turn has come, or waits for the first one.
fn process(call: &str, kind: FunctionKind, timeout: i32) -> aclError {
    let deadline = attempt!(submit::deadline(call, timeout));
    let thread = this_thread();
    loop {
        let ticket = engine().progress.ticket();
        let (report, streams) = {
            let mut threads = kind.threads();
            let Some(subscriber) = threads.get_mut(thread) else {
                return fail(
                    ACL_ERROR_RT_THREAD_SUBSCRIBE,
                    format_args!("{call} failed: no stream has this thread; subscribe it to one"),
                );
            };
            (subscriber.reports.pop_front(), subscriber.streams.clone())
        };
        if report.is_some() {
            drop(ticket);
            run_what_is_ready(kind, thread, report);
            return ACL_SUCCESS;
        }
        // Possibly no other thread runs these streams, so this thread runs their tasks up to a callback.
        let sum = || {
            streams
                .iter()
                .map(|stream| stream.completed())
                .fold(0, u64::wrapping_add)
        };
        let before = sum();
        for stream in &streams {
            step(stream, stream.submitted());
        }
        let waiting = kind
            .threads()
            .get(thread)
            .is_some_and(|subscriber| !subscriber.reports.is_empty());
        if waiting || sum() != before {
            continue;
        }
        if !ticket.wait(deadline) {
            return fail(
                ACL_ERROR_RT_REPORT_TIMEOUT,
                format_args!("{call} failed: no callback's turn came in {timeout} ms"),
            );
        }
    }
}

pub(crate) unsafe extern "C" fn aclrtLaunchCallback(
    fn_: aclrtCallback,
    userData: *mut c_void,
    blockType: aclrtCallbackBlockType,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtLaunchCallback";
    if blockType != ACL_CALLBACK_BLOCK && blockType != ACL_CALLBACK_NO_BLOCK {
        return invalid(
            call,
            format_args!("blockType is {blockType:?}; pass 0 or 1"),
        );
    }
    let found = attempt!(submit::find(call, stream));
    let Some(function) = fn_ else {
        return no_function(call);
    };
    let target = attempt!(own(call, found));
    if target.stream.host_used.load(Ordering::Acquire) {
        return subscribed(
            call,
            "the stream runs host functions, use aclrtLaunchHostFunc",
        );
    }
    if target.stream.subscriber.load(Ordering::Acquire) == 0 {
        return fail(
            ACL_ERROR_RT_STREAM_NO_CB_REG,
            format_args!(
                "{call} failed: no thread runs the stream's callbacks; call aclrtSubscribeReport"
            ),
        );
    }
    let call_back = HostCall::new(function, userData);
    let blocks = blockType == ACL_CALLBACK_BLOCK;
    hand_over(call, target, call_back, blocks, FunctionKind::Callbacks)
}

pub(crate) unsafe extern "C" fn aclrtLaunchHostFunc(
    stream: aclrtStream,
    fn_: aclrtHostFunc,
    args: *mut c_void,
) -> aclError {
    let call = "aclrtLaunchHostFunc";
    let found = attempt!(submit::find(call, stream));
    let Some(function) = fn_ else {
        return no_function(call);
    };
    let target = attempt!(own(call, found));
    if target.stream.host_subscriber.load(Ordering::Acquire) != 0 {
        let host = HostCall::new(function, args);
        return hand_over(call, target, host, true, FunctionKind::HostFunctions);
    }
    if target.stream.subscriber.load(Ordering::Acquire) != 0 {
        return subscribed(
            call,
            "the stream has a thread for callbacks, use aclrtLaunchCallback",
        );
    }
    target.stream.host_used.store(true, Ordering::Release);
    let task = Task::HostFunction(HostCall::new(function, args));
    let code = push(call, target, task);
    if code == ACL_SUCCESS {
        idle_host_func::queued(target);
    }
    code
}

/// Queues a function for a subscribed thread, and wakes the thread if it sleeps.
fn hand_over(
    call: &str,
    target: Target,
    host: HostCall,
    blocks: bool,
    kind: FunctionKind,
) -> aclError {
    let callback = Callback {
        call: host,
        blocks,
        handed: false,
        kind,
        thread: graph::is_captured(target)
            .then(|| kind.subscriber(target.stream).load(Ordering::Acquire)),
    };
    let code = push(call, target, Task::Other(Box::new(callback)));
    engine().announce();
    code
}

/// Queues a task that runs the program's own code.
fn push(call: &str, target: Target, task: Task) -> aclError {
    submit::push_told(
        call,
        target,
        false,
        &|number| {
            check::note(&|checker| checker.calls_program(target.stream.slot(), number));
        },
        |_| task,
    )
}

#[cold]
fn no_function(call: &str) -> aclError {
    invalid_below(call, format_args!("the function is NULL"))
}
