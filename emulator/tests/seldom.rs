//! Functions that few public programs call: limits on time, events that are left, the cache, batches, notifies,
//! attributes of streams, kinds of memory, names of devices, and functions for the start and the end of AscendCL.

#[macro_use]
mod common;

use std::cell::Cell;
use std::ffi::{c_char, c_void};
use std::ptr;

use ascendcl_sys::*;
use common::*;

passes_while_watched!("seldom");

/// Returns the code of a call on a thread without a context.
fn unbound(call: impl FnOnce() -> aclError + Send) -> aclError {
    std::thread::scope(|scope| scope.spawn(call).join())
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

#[test]
fn the_time_of_operators_is_counted_in_steps() {
    let _serial = start();
    let (mut step, mut actual, mut ms) = (0, 0, 0);
    check!(runtime.aclrtGetOpTimeOutInterval(&mut step));
    assert!(step > 0);
    check!(runtime.aclrtSetOpExecuteTimeOut(1));
    check!(runtime.aclrtGetOpExecuteTimeout(&mut ms));
    assert_eq!(u64::from(ms), 1_000_000_u64.next_multiple_of(step) / 1000);
    for (asked, steps) in [(1, 1), (step, 1), (step + 1, 2), (u64::MAX, 254), (0, 254)] {
        check!(runtime.aclrtSetOpExecuteTimeOutV2(asked, &mut actual));
        assert_eq!(actual, steps * step, "{asked}");
    }
    check!(runtime.aclrtSetOpExecuteTimeOutWithMs(u32::MAX));
    check!(runtime.aclrtGetOpExecuteTimeout(&mut ms));
    assert_eq!(u64::from(ms), 254 * step / 1000);
    check!(100000, runtime.aclrtGetOpTimeOutInterval(ptr::null_mut()));
    check!(
        100000,
        runtime.aclrtSetOpExecuteTimeOutV2(1, ptr::null_mut())
    );
    check!(100000, runtime.aclrtGetOpExecuteTimeout(ptr::null_mut()));
    let code = unbound(|| call!(runtime.aclrtGetOpTimeOutInterval(&mut 0)));
    assert_eq!(code, 107002);
}

#[test]
fn an_event_takes_one_of_the_events_that_are_left() {
    let _serial = start();
    let left = || {
        let mut left = 0;
        check!(event.aclrtGetEventAvailNum(&mut left));
        left
    };
    assert_eq!(left(), 65_535);
    let (plain, flag) = (event(), event_with(ACL_EVENT_SYNC));
    assert_eq!(left(), 65_534, "that of the flag");
    check!(event.aclrtRecordEvent(plain, ptr::null_mut()));
    assert_eq!(left(), 65_533);
    check!(stream.aclrtSynchronizeStream(ptr::null_mut()));
    check!(event.aclrtDestroyEvent(plain));
    check!(event.aclrtDestroyEvent(flag));
    assert_eq!(left(), 65_535);
    check!(100000, event.aclrtGetEventAvailNum(ptr::null_mut()));
    let code = unbound(|| call!(event.aclrtGetEventAvailNum(&mut 0)));
    assert_eq!(code, 107002);
}

#[test]
fn the_cache_is_written_back_and_forgotten() {
    let _serial = start();
    let memory = malloc(64);
    check!(memory.aclrtMemFlush(memory, 64));
    check!(memory.aclrtMemInvalidate(memory, 64));
    let none = ptr::null_mut();
    check!(100000, memory.aclrtMemFlush(none, 64));
    check!(100000, memory.aclrtMemInvalidate(none, 64));
    check!(100000, memory.aclrtMemFlush(memory, 0));
    check!(100000, memory.aclrtMemInvalidate(memory, 0));
    let address = memory.addr();
    let code = unbound(|| call!(memory.aclrtMemFlush(ptr::without_provenance_mut(address), 64)));
    assert_eq!(code, 107002);
}

#[test]
fn a_batch_that_succeeds_names_no_copy() {
    let _serial = start();
    let (mut to, mut from, s) = (malloc(8), malloc_host(8), stream());
    let host = ACL_MEM_LOCATION_TYPE_HOST;
    let device = ACL_MEM_LOCATION_TYPE_DEVICE;
    let (mut size, mut start, mut failed) = (8, 0, 7);
    let place = |type_| aclrtMemLocation { id: 0, type_ };
    let mut up = aclrtMemcpyBatchAttr {
        dstLoc: place(device),
        srcLoc: place(host),
        rsv: [0; 16],
    };
    let (sizes, starts, attributes) = (&raw mut size, &raw mut start, &raw mut up);
    let (ends, sources) = (&raw mut to, &raw mut from);
    macro_rules! batch {
        ($name:ident $(, $more:expr)*) => {
            call!(memory.$name(ends, sizes, sources, sizes, 1, attributes, starts, 1 $(, $more)*))
        };
    }
    let mut wrote = 0;
    let mut next = || {
        wrote += 1;
        upload(from, &[wrote; 8]);
        wrote
    };
    let first = next();
    assert_eq!(batch!(aclrtMemcpyBatch, &mut failed), 0, "{}", text());
    assert_eq!((failed, download(to, 8)), (usize::MAX, vec![first; 8]));
    failed = 7;
    let second = next();
    assert_eq!(batch!(aclrtMemcpyBatchAsync, &mut failed, s), 0);
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!((failed, download(to, 8)), (usize::MAX, vec![second; 8]));
    let third = next();
    assert_eq!(batch!(aclrtMemcpyBatchV2), 0, "{}", text());
    assert_eq!(download(to, 8), [third; 8]);
    let fourth = next();
    assert_eq!(batch!(aclrtMemcpyBatchAsyncV2, s), 0, "{}", text());
    check!(stream.aclrtSynchronizeStream(s));
    assert_eq!(download(to, 8), [fourth; 8]);
    let none = ptr::null_mut();
    assert_eq!(batch!(aclrtMemcpyBatch, none), 100000);
    assert_eq!(batch!(aclrtMemcpyBatchAsync, none, s), 100000);
    // Refused before the first copy: the reserved bytes, and the room of a copy.
    failed = 7;
    // SAFETY: the attribute lives, and nothing else refers to it.
    unsafe { (*attributes).rsv[0] = 1 };
    assert_eq!(batch!(aclrtMemcpyBatch, &mut failed), 100000);
    assert_eq!(batch!(aclrtMemcpyBatchAsyncV2, s), 100000);
    // SAFETY: the attribute lives, and nothing else refers to it.
    unsafe { (*attributes).rsv[0] = 0 };
    let mut less = 7;
    for refused in [
        call!(memory.aclrtMemcpyBatch(
            ends,
            &mut less,
            sources,
            sizes,
            1,
            attributes,
            starts,
            1,
            &mut failed
        )),
        call!(memory.aclrtMemcpyBatchV2(ends, &mut less, sources, sizes, 1, attributes, starts, 1)),
        call!(memory.aclrtMemcpyBatchAsync(
            ends,
            &mut less,
            sources,
            sizes,
            1,
            attributes,
            starts,
            1,
            &mut failed,
            s
        )),
        call!(
            memory.aclrtMemcpyBatchAsyncV2(
                ends, &mut less, sources, sizes, 1, attributes, starts, 1, s
            )
        ),
    ] {
        assert_eq!(refused, 100000);
    }
    assert_eq!(failed, 7);
    // The attribute says that the source is device memory.
    // SAFETY: the attribute lives, and nothing else refers to it.
    unsafe { (*attributes).srcLoc = place(device) };
    assert_eq!(batch!(aclrtMemcpyBatchV2), 107000);
    assert_eq!(batch!(aclrtMemcpyBatchAsyncV2, s), 107000);
    check!(memory.aclrtFreeHost(from));
}

#[test]
fn notifies_are_reset_together() {
    let _serial = start();
    let (s, mut notifies) = (stream(), [ptr::null_mut(); 2]);
    for notify in &mut notifies {
        check!(event.aclrtCreateNotify(notify, ACL_NOTIFY_DEFAULT));
        check!(event.aclrtRecordNotify(*notify, s));
    }
    check!(stream.aclrtSynchronizeStream(s));
    let list = notifies.as_mut_ptr();
    check!(event.aclrtNotifyBatchReset(list, 2));
    for notify in notifies {
        check!(event.aclrtWaitAndResetNotify(notify, s, 1));
        // The signal is gone: nobody records the notify again, so the wait ends with its time.
        let code = ACL_ERROR_RT_TASK_TIMEOUT;
        check!(code, stream.aclrtSynchronizeStream(s));
    }
    let [one, other] = notifies;
    check!(event.aclrtRecordNotify(one, s));
    check!(event.aclrtWaitAndResetNotify(one, s, 0));
    check!(stream.aclrtSynchronizeStream(s));
    check!(100000, event.aclrtNotifyBatchReset(ptr::null_mut(), 2));
    check!(107000, event.aclrtNotifyBatchReset(list, 0));
    check!(event.aclrtDestroyNotify(one));
    check!(107017, event.aclrtNotifyBatchReset(list, 2));
    check!(event.aclrtDestroyNotify(other));
}

#[test]
fn flags_of_a_set_have_four_bytes_or_eight() {
    let _serial = start();
    let set = call!(stream.aclrtCreateStreamConfigHandle());
    let (of, narrow) = (ACL_RT_STREAM_FLAG, ACL_STREAM_FAST_LAUNCH);
    let wide = narrow as usize;
    let (mut made, mut flags) = (ptr::null_mut(), 0);
    for (value, size) in [
        (ptr::from_ref(&narrow).cast::<c_void>(), 4),
        (ptr::from_ref(&wide).cast(), 8),
    ] {
        check!(stream.aclrtSetStreamConfigOpt(set, of, value, size));
        check!(stream.aclrtCreateStreamV2(&mut made, set));
        check!(stream.aclrtStreamGetFlags(made, &mut flags));
        assert_eq!(flags, narrow);
        check!(stream.aclrtDestroyStream(made));
        let none = ptr::from_ref(&0_u32).cast();
        check!(stream.aclrtSetStreamConfigOpt(set, of, none, 4));
        check!(stream.aclrtCreateStreamV2(&mut made, set));
        check!(stream.aclrtStreamGetFlags(made, &mut flags));
        assert_eq!(flags, 0);
        check!(stream.aclrtDestroyStream(made));
    }
    let value = ptr::from_ref(&wide).cast();
    check!(100000, stream.aclrtSetStreamConfigOpt(set, of, value, 2));
    check!(stream.aclrtDestroyStreamConfigHandle(set));
}

#[test]
fn addresses_are_of_a_kind_of_memory() {
    let _serial = start();
    let (one, other, host) = (malloc(8), malloc(8), malloc_host(8));
    let gone = malloc(8);
    check!(memory.aclrtFree(gone));
    let is = |kind, addresses: &mut [*mut c_void]| {
        let (mut answer, size) = (7, addresses.len() as u32);
        let list = addresses.as_mut_ptr();
        check!(memory.aclrtCheckMemType(list, size, kind, &mut answer, 0));
        answer
    };
    let both = ACL_RT_MEM_TYPE_DEV | ACL_RT_MEM_TYPE_DVPP;
    let inside = other.wrapping_byte_add(4);
    assert_eq!(is(ACL_RT_MEM_TYPE_DEV, &mut [one, inside]), 1);
    assert_eq!(is(both, &mut [one]), 1);
    assert_eq!(is(ACL_RT_MEM_TYPE_DVPP, &mut [one]), 0);
    assert_eq!(is(ACL_RT_MEM_TYPE_DEV, &mut [one, host]), 0);
    assert_eq!(is(ACL_RT_MEM_TYPE_DEV, &mut [gone]), 0);
    let (mut list, mut answer, dev) = ([one], 0, ACL_RT_MEM_TYPE_DEV);
    let none = ptr::null_mut();
    let list = list.as_mut_ptr();
    check!(
        100000,
        memory.aclrtCheckMemType(none, 1, dev, &mut answer, 0)
    );
    check!(
        100000,
        memory.aclrtCheckMemType(list, 1, dev, ptr::null_mut(), 0)
    );
    check!(
        107000,
        memory.aclrtCheckMemType(list, 0, dev, &mut answer, 0)
    );
    check!(
        107000,
        memory.aclrtCheckMemType(list, 1, dev, &mut answer, 1)
    );
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn an_address_leads_to_its_allocation() {
    let _serial = start();
    let (device, host, gone) = (malloc(100), malloc_host(100), malloc(8));
    check!(memory.aclrtFree(gone));
    let (mut base, mut size) = (ptr::null_mut(), 0);
    for memory in [device, host] {
        for inside in [0, 7, 99] {
            let address = memory.wrapping_byte_add(inside);
            check!(memory.aclrtMemGetAddressRange(address, &mut base, &mut size));
            assert_eq!(base, memory);
            assert!(size >= 100, "{size}");
        }
    }
    let outside = ptr::from_mut(&mut size).cast();
    let mut bytes = 0;
    for address in [gone, device.wrapping_byte_sub(1), outside] {
        check!(
            107000,
            memory.aclrtMemGetAddressRange(address, &mut base, &mut bytes)
        );
    }
    let none = ptr::null_mut();
    check!(
        100000,
        memory.aclrtMemGetAddressRange(none, &mut base, &mut bytes)
    );
    // One of the two answers is enough.
    check!(memory.aclrtMemGetAddressRange(device, ptr::null_mut(), &mut bytes));
    check!(memory.aclrtMemGetAddressRange(device, &mut base, ptr::null_mut()));
    check!(
        107000,
        memory.aclrtMemGetAddressRange(device, ptr::null_mut(), ptr::null_mut())
    );
    check!(memory.aclrtFreeHost(host));
}

#[test]
fn attributes_of_a_stream_are_those_of_its_own_calls() {
    let _serial = start();
    let (s, mut flag) = (stream(), 9);
    let get = |of| {
        let mut value = aclrtStreamAttrValue { failureMode: 99 };
        check!(stream.aclrtGetStreamAttribute(s, of, &mut value));
        // SAFETY: any bytes are a number.
        unsafe { value.failureMode }
    };
    let set = |of, number| {
        let mut value = aclrtStreamAttrValue {
            failureMode: number,
        };
        call!(stream.aclrtSetStreamAttribute(s, of, &mut value))
    };
    let (tag, describes) = (
        ACL_STREAM_ATTR_USER_CUSTOM_TAG,
        ACL_STREAM_ATTR_CACHE_OP_INFO,
    );
    let overflow = ACL_STREAM_ATTR_FLOAT_OVERFLOW_CHECK;
    assert_eq!((get(overflow), set(overflow, 1), get(overflow)), (0, 0, 1));
    assert_eq!((get(tag), set(tag, 1), get(tag)), (0xffff_ffff, 0, 1));
    assert_eq!(
        (get(describes), set(describes, 1), get(describes)),
        (0, 0, 0)
    );
    assert_eq!(set(describes, 99), 107000);
    check!(stream.aclrtGetStreamOverflowSwitch(s, &mut flag));
    assert_eq!(flag, 1);
    assert_eq!(set(overflow, 2), 107000);
    let mode = ACL_STREAM_ATTR_FAILURE_MODE;
    assert_eq!((get(mode), set(mode, ACL_STOP_ON_FAILURE)), (0, 0));
    assert_eq!((get(mode), set(mode, 0)), (1, 207000));
    assert_eq!(get(ACL_STREAM_ATTR_PRIORITY), 0);
    assert_eq!(set(ACL_STREAM_ATTR_PRIORITY, 1), 107000);
    assert_eq!(set(aclrtStreamAttr(77), 1), 107000);
    let (mut value, of) = (aclrtStreamAttrValue { failureMode: 0 }, overflow);
    let unknown = aclrtStreamAttr(77);
    check!(
        107000,
        stream.aclrtGetStreamAttribute(s, unknown, &mut value)
    );
    check!(
        100000,
        stream.aclrtGetStreamAttribute(s, of, ptr::null_mut())
    );
    check!(
        100000,
        stream.aclrtSetStreamAttribute(s, of, ptr::null_mut())
    );
    check!(stream.aclrtDestroyStream(s));
    check!(107017, stream.aclrtGetStreamAttribute(s, of, &mut value));
    check!(107017, stream.aclrtSetStreamAttribute(s, of, &mut value));
}

#[test]
fn each_device_has_a_number_of_its_own_and_no_bus() {
    let _serial = start();
    let number = |id| {
        let mut number = aclrtUuid { bytes: [0; 16] };
        check!(device.aclrtDeviceGetUuid(id, &mut number));
        number
    };
    assert_eq!(number(0), number(0));
    assert_ne!(number(0), number(1));
    let (mut uuid, mut id) = (number(0), 0);
    check!(107001, device.aclrtDeviceGetUuid(9, &mut uuid));
    check!(100000, device.aclrtDeviceGetUuid(0, ptr::null_mut()));
    let mut bus = [0; 13];
    check!(
        207000,
        device.aclrtDeviceGetPCIBusId(0, bus.as_mut_ptr(), 13)
    );
    let name = c"0000:00:00.0".as_ptr();
    check!(207000, device.aclrtDeviceGetByPCIBusId(name, &mut id));
    // The arguments come first.
    check!(
        100000,
        device.aclrtDeviceGetPCIBusId(0, ptr::null_mut(), 13)
    );
    check!(
        107000,
        device.aclrtDeviceGetPCIBusId(0, bus.as_mut_ptr(), 12)
    );
    check!(
        107001,
        device.aclrtDeviceGetPCIBusId(9, bus.as_mut_ptr(), 13)
    );
    check!(
        100000,
        device.aclrtDeviceGetByPCIBusId(ptr::null(), &mut id)
    );
    check!(
        100000,
        device.aclrtDeviceGetByPCIBusId(name, ptr::null_mut())
    );
}

/// What the functions for the start and the end have seen.
#[derive(Default)]
struct Seen {
    starts: Cell<usize>,
    ends: Cell<usize>,
    answer: Cell<aclError>,
}

unsafe extern "C" fn on_start(_: *const c_char, len: usize, data: *mut c_void) -> aclError {
    // SAFETY: the tests register the function with a `Seen` that outlives the registration.
    let seen = unsafe { &*data.cast::<Seen>() };
    seen.starts.set(seen.starts.get() + 1);
    assert_eq!(len, 0, "there is no configuration");
    // The function may use AscendCL, which counts as initialised.
    assert_eq!(call!(runtime.aclInit(ptr::null())), 100002);
    seen.answer.get()
}

unsafe extern "C" fn on_end(data: *mut c_void) -> aclError {
    // SAFETY: the tests register the function with a `Seen` that outlives the registration.
    let seen = unsafe { &*data.cast::<Seen>() };
    seen.ends.set(seen.ends.get() + 1);
    0
}

#[test]
fn functions_are_called_at_the_start_and_at_the_end() {
    let _serial = start();
    let (seen, removed) = (Seen::default(), Seen::default());
    let data = |seen: &Seen| ptr::from_ref(seen).cast_mut().cast::<c_void>();
    let (other, model) = (ACL_REG_TYPE_OTHER, ACL_REG_TYPE_ACL_MODEL);
    check!(runtime.aclInitCallbackRegister(other, Some(on_start), data(&removed)));
    check!(runtime.aclInitCallbackUnRegister(other, Some(on_start)));
    check!(runtime.aclInitCallbackRegister(other, Some(on_start), data(&seen)));
    check!(runtime.aclInit(ptr::null()));
    assert_eq!((seen.starts.get(), removed.starts.get()), (1, 0));
    // AscendCL is initialised, so the function is called at once.
    check!(runtime.aclInitCallbackRegister(model, Some(on_start), data(&removed)));
    assert_eq!(removed.starts.get(), 1);
    let again = data(&removed);
    check!(
        500000,
        runtime.aclInitCallbackRegister(model, Some(on_start), again)
    );
    check!(runtime.aclInitCallbackUnRegister(model, Some(on_start)));
    check!(
        500000,
        runtime.aclInitCallbackUnRegister(model, Some(on_start))
    );
    check!(100000, runtime.aclInitCallbackRegister(model, None, again));
    check!(100000, runtime.aclInitCallbackUnRegister(model, None));

    check!(runtime.aclFinalizeCallbackRegister(other, Some(on_end), data(&removed)));
    check!(runtime.aclFinalizeCallbackUnRegister(other, Some(on_end)));
    check!(runtime.aclFinalizeCallbackRegister(other, Some(on_end), data(&seen)));
    check!(
        100000,
        runtime.aclFinalizeCallbackRegister(other, None, again)
    );
    check!(100000, runtime.aclFinalizeCallbackUnRegister(other, None));
    // Each call of `aclInit` above has taken a reference, also those of the functions.
    let mut left = 9;
    while left > 0 {
        assert_eq!(seen.ends.get(), 0);
        check!(runtime.aclFinalizeReference(&mut left));
    }
    assert_eq!((seen.ends.get(), removed.ends.get()), (1, 0));

    // A function that fails keeps AscendCL from being initialised.
    seen.answer.set(500000);
    check!(500000, runtime.aclInit(ptr::null()));
    left = 9;
    check!(100037, runtime.aclFinalizeReference(&mut left));
    assert_eq!(left, 0, "a refused call writes the number too");
    seen.answer.set(0);
    check!(runtime.aclInit(ptr::null()));
    check!(runtime.aclInitCallbackUnRegister(other, Some(on_start)));
    check!(runtime.aclFinalize());
    assert_eq!(seen.ends.get(), 2);
    // A function that is registered twice is called twice.
    let twice = Seen::default();
    for _ in 0..2 {
        check!(runtime.aclInitCallbackRegister(other, Some(on_start), data(&twice)));
    }
    check!(runtime.aclInit(ptr::null()));
    assert_eq!(twice.starts.get(), 2);
    for _ in 0..2 {
        check!(runtime.aclInitCallbackUnRegister(other, Some(on_start)));
    }
    check!(runtime.aclFinalize());
    check!(runtime.aclFinalizeCallbackUnRegister(other, Some(on_end)));
    check!(
        500000,
        runtime.aclFinalizeCallbackUnRegister(other, Some(on_end))
    );
}
