//! Notifies that count (`acl/acl_rt.h`): counters that streams change and wait for. Only the product 950 has them.
//!
//! The comparisons are those of the manual. These are assumptions: the code for modes that do not exist, that a sum which is too large
//! goes on from 0, and that a wait whose time is up ends as one for an event does. A queued task keeps its counter when the program
//! destroys the notify. The checker does not follow counters: behind a wait it reports no missing order of the stream.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use ascendcl_sys::{
    ACL_ERROR_RT_TASK_TIMEOUT, ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE,
    ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE, ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE,
    ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE,
    ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE,
    ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE, ACL_SUCCESS, aclError, aclrtCntNotify,
    aclrtCntNotifyRecordInfo, aclrtCntNotifyRecordMode, aclrtCntNotifyWaitInfo,
    aclrtCntNotifyWaitMode, aclrtStream,
};

use crate::check;
use crate::engine::current::current;
use crate::engine::queue::{Blocked, Stream};
use crate::engine::submit::{self, own};
use crate::engine::task::{Fault, Task};
use crate::engine::work::{self, Others, Work};
use crate::error::null_below;
use crate::object_calls::{Objects, attempt, invalid_below, not_null};

static COUNTERS: Objects<Arc<AtomicU32>> = Objects::new("aclrtCntNotify", 0x4b);

/// A task of a stream about a counter.
#[derive(Debug, Clone)]
struct Count {
    counter: Arc<AtomicU32>,
    what: What,
}

#[derive(Debug, Clone, Copy)]
enum What {
    Record(aclrtCntNotifyRecordMode, u32),
    Reset,
    Wait {
        mode: aclrtCntNotifyWaitMode,
        value: u32,
        clears: bool,
        /// The limit in seconds; 0 means none.
        limit: u32,
        /// The time at which the limit is over, once the task is at the front of its stream.
        end: Option<Instant>,
        is_late: bool,
    },
}

/// Returns a number after its change.
fn changed(mode: aclrtCntNotifyRecordMode, by: u32, seen: u32) -> u32 {
    match mode {
        ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE => seen.wrapping_add(by),
        ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE => seen | by,
        ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE => seen & by,
        _ => by,
    }
}

/// Returns whether a number ends a wait.
fn is_met(mode: aclrtCntNotifyWaitMode, value: u32, seen: u32) -> bool {
    match mode {
        ACL_RT_CNT_NOTIFY_WAIT_LESS_MODE => seen < value,
        ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE => seen == value,
        ACL_RT_CNT_NOTIFY_WAIT_BIGGER_MODE => seen > value,
        ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE => seen >= value,
        _ => seen & value == value,
    }
}

impl Work for Count {
    fn call(&self) -> &'static str {
        match self.what {
            What::Record(..) => "aclrtCntNotifyRecord",
            What::Reset => "aclrtCntNotifyReset",
            What::Wait { .. } => "aclrtCntNotifyWaitWithTimeout",
        }
    }

    fn blocked(&mut self, stream: &'static Stream, _: u64) -> Option<(Blocked, Option<Instant>)> {
        let What::Wait {
            mode,
            value,
            limit,
            end,
            is_late,
            ..
        } = &mut self.what
        else {
            return None;
        };
        if is_met(*mode, *value, self.counter.load(Ordering::Acquire)) {
            return None;
        }
        if *limit > 0 {
            let now = Instant::now();
            let limit = Duration::from_secs((*limit).into());
            *is_late = *end.get_or_insert(now + limit) <= now;
        }
        (!*is_late).then(|| work::look_again(stream))
    }

    fn run(&mut self, _: &'static Stream, _: u64) -> Result<(), Fault> {
        match self.what {
            What::Record(mode, by) => {
                let change = |seen| Some(changed(mode, by, seen));
                let _ = self
                    .counter
                    .fetch_update(Ordering::AcqRel, Ordering::Acquire, change);
            }
            What::Wait { is_late: true, .. } => return Err(Fault(ACL_ERROR_RT_TASK_TIMEOUT)),
            What::Wait { clears: false, .. } => {}
            What::Reset | What::Wait { .. } => self.counter.store(0, Ordering::Release),
        }
        Ok(())
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }

    fn repeated(&self, stream: &'static Stream, _: u64) {
        if matches!(self.what, What::Wait { .. }) {
            check::note(&|checker| checker.counter_awaited(stream.slot()));
        }
    }

    fn others(&self) -> Others {
        Others::Streams
    }
}

/// Returns the counter of a handle.
fn find(call: &str, handle: aclrtCntNotify) -> Result<Arc<AtomicU32>, aclError> {
    if handle.is_null() {
        return Err(null_below(call, "cntNotify"));
    }
    COUNTERS.get(call, "cntNotify", handle)
}

pub(crate) unsafe extern "C" fn aclrtCntNotifyCreate(
    cntNotify: *mut aclrtCntNotify,
    flag: u64,
) -> aclError {
    let call = "aclrtCntNotifyCreate";
    if cntNotify.is_null() {
        return null_below(call, "cntNotify");
    }
    if flag != 0 {
        return invalid_below(
            call,
            format_args!("flag is {flag:#x}; it is reserved, pass 0"),
        );
    }
    attempt!(current(call));
    let handle = COUNTERS.create(call, Arc::new(AtomicU32::new(0)));
    // SAFETY: not null; the caller's contract: valid for a write.
    unsafe { cntNotify.write(handle) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtCntNotifyDestroy(cntNotify: aclrtCntNotify) -> aclError {
    let call = "aclrtCntNotifyDestroy";
    attempt!(find(call, cntNotify));
    attempt!(current(call));
    check::tell(call, &|checker, site| {
        checker.destroying(cntNotify.addr(), &site);
    });
    COUNTERS.destroy(call, "cntNotify", cntNotify)
}

pub(crate) unsafe extern "C" fn aclrtCntNotifyGetId(
    cntNotify: aclrtCntNotify,
    notifyId: *mut u32,
) -> aclError {
    let call = "aclrtCntNotifyGetId";
    attempt!(find(call, cntNotify));
    if notifyId.is_null() {
        return null_below(call, "notifyId");
    }
    // The number is the slot of the handle; no other live notify that counts has this slot.
    // SAFETY: not null; the caller ensures that it is valid for a write.
    unsafe { notifyId.write(cntNotify.addr() as u32) };
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtCntNotifyRecord(
    cntNotify: aclrtCntNotify,
    stream: aclrtStream,
    info: *mut aclrtCntNotifyRecordInfo,
) -> aclError {
    let call = "aclrtCntNotifyRecord";
    attempt!(not_null(call, "info", info));
    // SAFETY: not null; the caller's contract: valid for a read.
    let aclrtCntNotifyRecordInfo { mode, value } = unsafe { info.read() };
    let known = [
        ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE,
        ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE,
        ACL_RT_CNT_NOTIFY_RECORD_BIT_OR_MODE,
        ACL_RT_CNT_NOTIFY_RECORD_BIT_AND_MODE,
    ];
    if !known.contains(&mode) {
        return unknown(call, mode.0);
    }
    queue(call, cntNotify, stream, What::Record(mode, value))
}

pub(crate) unsafe extern "C" fn aclrtCntNotifyReset(
    cntNotify: aclrtCntNotify,
    stream: aclrtStream,
) -> aclError {
    queue("aclrtCntNotifyReset", cntNotify, stream, What::Reset)
}

pub(crate) unsafe extern "C" fn aclrtCntNotifyWaitWithTimeout(
    cntNotify: aclrtCntNotify,
    stream: aclrtStream,
    info: *mut aclrtCntNotifyWaitInfo,
) -> aclError {
    let call = "aclrtCntNotifyWaitWithTimeout";
    attempt!(not_null(call, "info", info));
    // SAFETY: not null; the caller's contract: valid for a read.
    let info = unsafe { info.read() };
    if info.mode.0 > 4 {
        return unknown(call, info.mode.0);
    }
    let wait = What::Wait {
        mode: info.mode,
        value: info.value,
        clears: info.isClear != 0,
        limit: info.timeout,
        end: None,
        is_late: false,
    };
    queue(call, cntNotify, stream, wait)
}

#[cold]
fn unknown(call: &str, mode: u32) -> aclError {
    invalid_below(call, format_args!("info.mode is {mode}, which is none"))
}

/// Queues a task about a counter.
fn queue(call: &'static str, handle: aclrtCntNotify, stream: aclrtStream, what: What) -> aclError {
    let counter = attempt!(find(call, handle));
    let target = attempt!(submit::find(call, stream).and_then(|found| own(call, found)));
    let count = Count { counter, what };
    let told = count.clone();
    submit::push_told(
        call,
        target,
        false,
        &|task| {
            check::tell(call, &|checker, site| {
                let slot = target.stream.slot();
                checker.uses_object(handle.addr(), slot, task, Arc::clone(&site));
                checker.queued(slot, task, Vec::new(), false, site);
            });
            // A task that is stored in a graph has no number; each run of the graph reports it.
            if task > 0 {
                told.repeated(target.stream, task);
            }
        },
        |_| Task::Other(Box::new(count)),
    )
}
