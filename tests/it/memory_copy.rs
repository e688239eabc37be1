//! Blocking copies and fills, parts of buffers, filling piece by piece.

use ascendcl::error::Usage;
use ascendcl::memory::fixed::Fixed;
use ascendcl::{Current, DeviceTag, HostBuf, HostSide, Npu, Thread};

use crate::common::{acl, assert_clean, assert_says, bound, calls, host, isolated, usage};

/// Host memory that counts up.
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

isolated! {
    fn two_threads_work_on_one_half_each() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let source = counting(current, side, 4096);
        let mut buf = current.memset(current.malloc::<u32>(4096).unwrap(), 0).unwrap();
        let (left, right) = buf.split_at_mut(1024).unwrap();
        std::thread::scope(|scope| {
            for (half, range) in [(left, 0..1024), (right, 1024..4096)] {
                let part = source.slice(range).unwrap();
                let device = &device;
                scope.spawn(move || {
                    let mut thread = Thread::claim().unwrap();
                    let current = thread.set_current(device).unwrap();
                    current.memcpy(half, part).unwrap();
                });
            }
        });
        let mut back = current.malloc_host(side, 4096).unwrap();
        current.memcpy(&mut back, &buf).unwrap();
        assert_eq!(back[..], source[..]);
    }

    fn a_round_through_every_domain_keeps_the_data() {
        bound!(acl, side, device: Npu<0>, current);
        for len in [1, 31, 4096, 1 << 20] {
            let source = counting(current, side, len);
            let first = current.memcpy(current.malloc(len).unwrap(), &source).unwrap();
            let second = current.memcpy(current.malloc(len).unwrap(), &first).unwrap();
            let media = current.memcpy(current.malloc_dvpp(len).unwrap(), &second).unwrap();
            let media = current.memcpy(current.malloc_dvpp(len).unwrap(), &media).unwrap();
            let mut third = current.memset(current.malloc::<u32>(len).unwrap(), 0xff).unwrap();
            current.memcpy(&mut third, &media).unwrap();
            let mut back = current.malloc_host(side, len).unwrap();
            current.memcpy(&mut back, &third).unwrap();
            assert_eq!(back[..], source[..]);
            back.fill(0);
            current.memcpy(&mut back, &media).unwrap();
            assert_eq!(back[..], source[..]);
            let media = current.memcpy(current.malloc_dvpp(len).unwrap(), &source).unwrap();
            drop((media, third, second, first));
        }
    }

    fn fills_write_every_byte_in_every_domain() {
        bound!(acl, side, device: Npu<0>, current);
        let mut host = current.malloc_host::<u16>(side, 100).unwrap();
        current.memset(&mut host, 0x12).unwrap();
        assert!(host.iter().all(|value| *value == 0x1212));
        let mut filled = current.memset(current.malloc::<u16>(100).unwrap(), 0xab).unwrap();
        current.memset(filled.slice_mut(10..20).unwrap(), 0).unwrap();
        current.memcpy(&mut host, &filled).unwrap();
        for (index, value) in host.iter().enumerate() {
            assert_eq!(*value, if (10..20).contains(&index) { 0 } else { 0xabab }, "{index}");
        }
        let media = current.memset(current.malloc_dvpp::<u16>(100).unwrap(), 1).unwrap();
        current.memcpy(&mut host, &media).unwrap();
        assert!(host.iter().all(|value| *value == 0x0101));
    }

    fn lengths_of_run_time_are_compared() {
        bound!(acl, side, device: Npu<0>, current);
        let source = counting(current, side, 8);
        let expected = Usage::Length { source_len: 8, destination_len: 4 };
        assert_eq!(usage(current.memcpy(current.malloc(4).unwrap(), &source)), expected);
        assert_says(current.memcpy(current.malloc(9).unwrap(), &source), &["8", "9", "slice"]);
        let array = current.malloc_as::<[u32; 8]>().unwrap();
        let array = current.memcpy(array, &source).unwrap();
        let other = current.memcpy(current.malloc_as::<[u32; 8]>().unwrap(), &array).unwrap();
        let mut back = current.malloc_host_as::<[u32; 8]>(side).unwrap();
        current.memcpy(&mut back, &other).unwrap();
        assert_eq!(back[..], source[..]);
    }

    fn computed_lengths_are_compared_by_the_compiler() {
        use typenum::{Prod, Sum, U3, U4, U5, U12};
        bound!(acl, side, device: Npu<0>, current);
        let mut source = current.malloc_host_as::<Fixed<u32, U12>>(side).unwrap();
        source.fill(7);
        let fixed = current.malloc_as::<Fixed<u32, Prod<U3, U4>>>().unwrap();
        let fixed = current.memcpy(fixed, &source).unwrap();
        let array = current.memcpy(current.malloc_as::<[u32; 12]>().unwrap(), &fixed).unwrap();
        let dynamic = current.memcpy(current.malloc::<u32>(12).unwrap(), &array).unwrap();
        let mut back = current.malloc_host_as::<Fixed<u32, U12>>(side).unwrap();
        current.memcpy(&mut back, &dynamic).unwrap();
        assert_eq!(back[..], [7; 12]);
        let nine = current.malloc_as::<Fixed<u32, Sum<U4, U5>>>().unwrap();
        assert_eq!(format!("{:?}", nine.len()), "9");
        assert_says(current.memcpy(nine, &array), &["12", "9"]);
    }

    fn slices_copy_their_part_alone() {
        bound!(acl, side, device: Npu<0>, current);
        let source = counting(current, side, 100);
        let mut on_device = current.memset(current.malloc::<u32>(100).unwrap(), 0).unwrap();
        let part = source.slice(10..20).unwrap();
        assert_eq!((part.len(), part.is_empty()), (10, false));
        current.memcpy(on_device.slice_mut(90..100).unwrap(), part).unwrap();
        current.memcpy(on_device.slice_mut(5..5).unwrap(), source.slice(0..0).unwrap()).unwrap();
        current.memset(on_device.slice_mut(5..5).unwrap(), 7).unwrap();
        let mut back = current.malloc_host::<u32>(side, 100).unwrap();
        current.memcpy(&mut back, &on_device).unwrap();
        assert!(back[..90].iter().all(|value| *value == 0));
        assert_eq!(back[90..], source[10..20]);
    }

    #[allow(clippy::reversed_empty_ranges, reason = "a caller's mistake is tested")]
    fn ranges_outside_a_buffer_are_refused() {
        bound!(acl, side, device: Npu<0>, current);
        let mut buf = current.malloc_host::<u32>(side, 8).unwrap();
        for (start, end) in [(0, 9), (9, 9), (5, 4), (usize::MAX, usize::MAX)] {
            assert_eq!(usage(buf.slice(start..end)), Usage::Range { start, end, len: 8 });
            assert_says(buf.slice_mut(start..end), &["8 elements"]);
        }
        assert!(buf.slice(8..8).unwrap().is_empty());
    }

    fn a_writer_fills_a_fresh_buffer_piece_by_piece() {
        bound!(acl, side, device: Npu<0>, current);
        let source = counting(current, side, 100);
        let mut writer = current.malloc::<u32>(100).unwrap().writer();
        for start in (0..100).step_by(30) {
            let end = 100.min(start + 30);
            writer.memcpy(current, source.slice(start..end).unwrap()).unwrap();
            assert_eq!(writer.remaining(), 100 - end);
        }
        assert_says(writer.memcpy(current, source.slice(0..1).unwrap()), &["100..101", "100 elements"]);
        let filled = writer.finish().unwrap();
        let mut back = current.malloc_host(side, 100).unwrap();
        current.memcpy(&mut back, &filled).unwrap();
        assert_eq!(back[..], source[..]);
    }

    fn a_writer_that_is_not_full_gives_no_buffer() {
        bound!(acl, side, device: Npu<0>, current);
        let source = counting(current, side, 10);
        let mut writer = current.malloc::<u32>(11).unwrap().writer();
        writer.memcpy(current, &source).unwrap();
        assert_eq!(usage(writer.finish()), Usage::NotFilled { filled: 10, len: 11 });
        assert_eq!(ascendcl::release_failures(), 0);
    }

    fn a_prefix_that_was_written_is_a_buffer_of_its_own() {
        bound!(acl, side, device: Npu<0>, current);
        let source = counting(current, side, 10);
        let mut writer = current.malloc_as::<[u32; 64]>().unwrap().writer();
        writer.memcpy(current, &source).unwrap();
        let prefix = writer.finish_prefix().unwrap();
        assert_eq!(prefix.len(), 10);
        assert_eq!(usage(prefix.slice(0..11)), Usage::Range { start: 0, end: 11, len: 10 });
        let mut back = current.malloc_host(side, 10).unwrap();
        current.memcpy(&mut back, &prefix).unwrap();
        assert_eq!(back[..], source[..]);
        prefix.free().unwrap();
        let nothing = current.malloc::<u32>(11).unwrap().writer();
        assert_eq!(usage(nothing.finish_prefix()), Usage::NotFilled { filled: 0, len: 11 });
        drop((back, source));
        device.reset().unwrap();
        assert_clean(&acl);
    }

    fn what_a_writer_has_not_written_is_filled() {
        bound!(acl with journal, side, device: Npu<0>, current);
        let source = counting(current, side, 10);
        let mut writer = current.malloc_as::<[u32; 16]>().unwrap().writer();
        writer.memcpy(current, &source).unwrap();
        let filled = writer.fill_rest(current, 1).unwrap();
        let mut back = current.malloc_host_as::<[u32; 16]>(side).unwrap();
        current.memcpy(&mut back, &filled).unwrap();
        assert_eq!(back[..10], source[..]);
        assert_eq!(back[10..], [0x0101_0101; 6]);
        let mut writer = current.malloc::<u32>(10).unwrap().writer();
        writer.memcpy(current, &source).unwrap();
        let before = calls("aclrtMemset");
        drop(writer.fill_rest(current, 1).unwrap());
        assert_eq!(calls("aclrtMemset"), before);
    }

    fn memory_of_two_devices_is_apart() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let zero = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let one = acl.set_device::<Npu<1>>(&mut thread, 1).unwrap();
        let current = thread.set_current(&zero).unwrap();
        let source = counting(current, side, 50);
        let on_zero = current.memcpy(current.malloc(50).unwrap(), &source).unwrap();
        let current = thread.set_current(&one).unwrap();
        let on_one = current.memset(current.malloc::<u32>(50).unwrap(), 9).unwrap();
        // Host memory can carry data between devices, also if it was allocated under another device.
        let mut back = current.malloc_host::<u32>(side, 50).unwrap();
        current.memcpy(&mut back, &on_one).unwrap();
        assert!(back.iter().all(|value| *value == 0x0909_0909));
        let current = thread.set_current(&zero).unwrap();
        current.memcpy(&mut back, &on_zero).unwrap();
        assert_eq!(back[..], source[..]);
    }
}
