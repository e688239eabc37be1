//! Queued work: giving memory to a stream, copying, filling, taking it back, and early exits.

use ascendcl::error::Usage;
use ascendcl::stream::{Main, StreamStatus};
use ascendcl::{
    Current, DeviceTag, Error, ErrorKind, HostBuf, HostSide, MemAttr, Npu, StreamName, Thread,
    leaks, release_failures,
};

use crate::common::{acl, assert_clean, assert_says, bound, embedded, host, isolated, usage};
use crate::stream::queue_a_failing_task;

enum Upload {}
impl StreamName for Upload {}

fn counting<'dev, D: DeviceTag>(
    current: Current<'_, 'dev, D>,
    side: HostSide<'_>,
    len: usize,
) -> HostBuf<'dev, [u32]> {
    let mut buf = current.malloc_host(side, len).unwrap();
    for (value, index) in buf.iter_mut().zip(0..) {
        *value = index;
    }
    buf
}

/// Nothing was freed early, nothing was freed twice, nothing touched what was freed.
/// Up, within the device, and down again, without a wait in between.
fn round_trip() {
    bound!(acl, side, device: Npu<0>, current, stream);
    for len in [1, 1000, 1 << 20] {
        let source = counting(current, side, len);
        let expected = source.to_vec();
        let source = stream.adopt(source);
        let first = stream.adopt(current.malloc::<u32>(len).unwrap());
        let first = stream.memcpy_async(first, &source).unwrap();
        let second = stream.adopt(current.malloc_dvpp::<u32>(len).unwrap());
        let second = stream.memset_async(second, 0).unwrap();
        let mut second = second;
        stream.memcpy_async(&mut second, &first).unwrap();
        let mut back = stream.adopt(current.malloc_host::<u32>(side, len).unwrap());
        stream.memcpy_async(&mut back, &second).unwrap();
        let idle = stream.synchronize().unwrap();
        let back = idle.take(back);
        assert_eq!(back[..], expected[..]);
        drop((idle.take(source), idle.take(first), idle.take(second)));
        assert_eq!(stream.query().unwrap(), StreamStatus::Complete);
    }
    drop(stream);
    device.reset().unwrap();
    assert_clean(&acl);
}

isolated! {
    fn a_round_trip_needs_one_wait() {
        round_trip();
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_round_trip_needs_one_wait_however_late_the_device_is() {
        round_trip();
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn dropped_buffers_stay_until_the_device_was_synchronised() {
        bound!(acl, side, device: Npu<0>, current);
        let before = current.mem_info(MemAttr::Hbm).unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let source = stream.adopt(counting(current, side, 1000));
        let target = stream.adopt(current.malloc::<u32>(1000).unwrap());
        let target = stream.memcpy_async(target, &source).unwrap();
        drop((source, target));
        assert_ne!(current.mem_info(MemAttr::Hbm).unwrap(), before);
        current.synchronize_device().unwrap();
        assert_eq!(current.mem_info(MemAttr::Hbm).unwrap(), before);
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn dropped_buffers_are_freed_before_the_reset() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let other = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        {
            let current = thread.set_current(&device).unwrap();
            let mut stream = current.create_stream::<Main>().unwrap();
            let source = stream.adopt(counting(current, side, 1000));
            let target = stream.adopt(current.malloc::<u32>(1000).unwrap());
            let target = stream.memcpy_async(target, &source).unwrap();
            core::mem::forget(stream);
            drop((source, target));
        }
        let current = thread.set_current(&other).unwrap();
        device.reset().unwrap();
        // The reset made its own context current, and then this one again.
        current.malloc::<u8>(10).unwrap();
        drop(other);
        assert_eq!(leaks(), 0);
        assert_clean(&acl);
        if embedded(&acl) {
            let live = ascendcl::emulator::live();
            assert_eq!((live.device_blocks, live.host_blocks), (0, 0), "{live:?}");
        }
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn forgotten_buffers_leak_and_do_no_harm() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let source = stream.adopt(counting(current, side, 1000));
        let target = stream.adopt(current.malloc::<u32>(1000).unwrap());
        core::mem::forget(stream.memcpy_async(target, &source).unwrap());
        core::mem::forget(source);
        core::mem::forget(stream);
        device.reset().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failed_wait_poisons_the_stream_and_draining_gives_back_unverified() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut stream = current.create_stream::<Upload>().unwrap();
        let source = stream.adopt(counting(current, side, 10));
        queue_a_failing_task(stream.as_raw());
        assert!(matches!(stream.synchronize().map_err(Error::into_kind), Err(ErrorKind::Wait(_))));
        // The runtime would now return success. That would not prove anything about the work that the failed wait
        // covered.
        let mistake = usage(stream.synchronize());
        assert!(matches!(mistake, Usage::StreamPoisoned { name } if name.ends_with("Upload")));
        let drained = stream.drain().unwrap();
        let source = drained.take(source).accept_unverified();
        assert_eq!(source[9], 9);
        drop(source);
        stream.destroy().unwrap();
        assert_says(current.create_stream::<Upload>(), &["Upload", "a reset of the device"]);
        device.reset().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        thread.set_current(&device).unwrap().create_stream::<Upload>().unwrap();
        assert_eq!(release_failures(), 0);
    }

    ["ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_failed_device_wait_poisons_every_stream() {
        bound!(acl, device: Npu<0>, current, main);
        let mut upload = current.create_stream::<Upload>().unwrap();
        queue_a_failing_task(main.as_raw());
        assert_says(current.synchronize_device(), &["507001"]);
        // The wait of the device received the only report, so neither stream can return it.
        assert_says(main.synchronize().map(drop), &["Main", "drain"]);
        assert_says(upload.synchronize().map(drop), &["Upload", "drain"]);
        main.drain().unwrap();
        upload.drain().unwrap();
        assert_eq!(release_failures(), 0);
    }

    fn host_memory_of_ascendcl_is_filled() {
        bound!(acl, device: Npu<0>, current, stream);
        let mut filled = stream.adopt(current.malloc_host::<u32>(host(&acl), 100).unwrap());
        stream.memset_async(&mut filled, 2).unwrap();
        stream.memset_async(filled.slice_mut(16..32).unwrap(), 3).unwrap();
        let back = stream.synchronize().unwrap().take(filled);
        assert_eq!(back[..16], [0x0202_0202; 16]);
        assert_eq!(back[16..32], [0x0303_0303; 16]);
        assert_eq!(back[32..], [0x0202_0202; 68]);
        drop(back);
        drop(stream);
        device.reset().unwrap();
        assert_clean(&acl);
    }

    fn parts_are_operands_of_their_own_stream() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let source = stream.adopt(counting(current, side, 64));
        let target = stream.adopt(current.malloc::<u32>(64).unwrap());
        let mut target = stream.memset_async(target, 0).unwrap();
        assert_eq!((target.len(), target.is_empty()), (64, false));
        stream.memcpy_async(target.slice_mut(16..32).unwrap(), source.slice(0..16).unwrap()).unwrap();
        let (left, right) = target.split_at_mut(32).unwrap();
        stream.memcpy_async(right, left.into_slice()).unwrap();
        let mut back = stream.adopt(current.malloc_host::<u32>(side, 64).unwrap());
        stream.memcpy_async(&mut back, &target).unwrap();
        let idle = stream.synchronize().unwrap();
        let back = idle.take(back);
        for (index, value) in back.iter().enumerate() {
            let expected = (index % 32).saturating_sub(16);
            assert_eq!(*value as usize, expected, "{index}");
        }
        drop((idle.take(source), idle.take(target)));
        assert_clean(&acl);
    }

    fn copies_within_the_device_begin_at_64_bytes() {
        bound!(acl, device: Npu<0>, current, stream);
        let buf = stream.adopt(current.malloc::<u32>(64).unwrap());
        let mut buf = stream.memset_async(buf, 0).unwrap();
        let (_, right) = buf.split_at_mut(33).unwrap();
        let other = stream.adopt(current.malloc::<u32>(31).unwrap());
        assert_says(stream.memcpy_async(other, right.into_slice()).map(drop), &["64 bytes"]);
        assert_says(buf.split_at_mut(65).map(drop), &["64 elements"]);
        assert_says(buf.slice(0..65).map(drop), &["0..65"]);
        stream.synchronize().unwrap();
    }

    fn pairs_travel_together() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let a = stream.adopt(counting(current, side, 3));
        let b = stream.adopt(current.malloc::<u8>(3).unwrap());
        let (a, b) = a.and(b).split();
        let both = a.and(b);
        let idle = stream.synchronize().unwrap();
        let (a, b) = idle.take(both);
        assert_eq!((a[2], b.len()), (2, 3));
    }
}
