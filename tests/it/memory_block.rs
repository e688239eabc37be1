//! Blocks and their pieces, and splits.

use ascendcl::error::Usage;
use ascendcl::memory::fixed::Fixed;
use ascendcl::memory::padded;
use ascendcl::{Npu, op};
use typenum::{U10, U16, U32, U48, U64, U256, U512};

use crate::common::{assert_clean, bound, isolated, usage};

isolated! {
    fn pieces_are_aligned_and_padded() {
        bound!(acl, device: Npu<0>, current);
        let block = current.malloc_block(1024).unwrap();
        let pieces = [100, 32, 1].map(|len| block.piece::<u8>(len).unwrap());
        let starts = pieces.each_ref().map(|piece| piece.as_raw().addr());
        assert_eq!(starts[0] % 64, 0);
        // 100 bytes take 128 + 32, so the next piece begins at 192; 32 take 64.
        assert_eq!((starts[1] - starts[0], starts[2] - starts[1]), (192, 64));
        assert_eq!(block.left(), 1024 - 256 - 64);
        let media = current.malloc_dvpp_block(1024).unwrap();
        let pieces = [1, 1].map(|len| media.piece::<u8>(len).unwrap());
        let [first, second] = pieces.each_ref().map(|piece| piece.as_raw().addr());
        assert_eq!((first % 128, second - first), (0, 128));
        assert_eq!((padded(0), padded(1), padded(32), padded(33)), (Some(32), Some(64), Some(64), Some(96)));
        assert_eq!(padded(usize::MAX - 1), None);
    }

    fn a_full_block_says_what_is_left() {
        bound!(acl, device: Npu<0>, current);
        let block = current.malloc_block(256).unwrap();
        let _first = block.piece::<f32>(16).unwrap();
        assert_eq!(usage(block.piece::<f32>(33)), Usage::BlockFull { needed: 192, left: 128 });
        assert_eq!(usage(block.piece::<f32>(0)), Usage::ZeroSize { len: 0, size: 4 });
        let mistake = usage(block.piece::<f32>(usize::MAX / 4));
        assert!(matches!(mistake, Usage::BlockFull { .. } | Usage::SizeOverflow { .. }), "{mistake}");
        block.piece::<f32>(24).unwrap();
    }

    fn one_half_is_copied_to_the_other() {
        bound!(acl, device: Npu<0>, current);
        let buf = current.malloc_as::<Fixed<u8, U64>>().unwrap();
        let mut buf = current.memset(buf, 1).unwrap();
        current.memset(buf.slice_mut(32..64).unwrap(), 2).unwrap();
        let (left, right) = buf.split_at_mut(32).unwrap();
        current.memcpy(left, right.into_slice()).unwrap();
        let (left, right) = buf.split_fixed_mut::<U32>();
        current.memcpy(right, left.into_slice()).unwrap(); // lengths compared by the compiler
        let mut seen = current.malloc_local::<u8, 64>(64).unwrap();
        current.memcpy(&mut seen, &buf).unwrap();
        assert_eq!(seen[..], [2; 64]);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn pieces_are_buffers_like_others() {
        bound!(acl, device: Npu<0>, current, stream);
        let block = current.malloc_block(4096).unwrap();
        let a = current.memset_d32(block.piece::<f32>(16).unwrap(), 1.5).unwrap();
        let out = block.piece::<f32>(16).unwrap().into_tensor(&[16]).unwrap();
        let a_16 = a.tensor(&[16]).unwrap();
        let plan = op::add(current, &a_16, &a_16, 1.0, out).unwrap();
        let sum = plan.run(&mut stream).unwrap();
        let sum = stream.adopt(sum);
        let copy = stream.memcpy_async(stream.adopt(block.piece::<f32>(16).unwrap()), &sum).unwrap();
        let idle = stream.synchronize().unwrap();
        let mut seen = current.malloc_local::<f32, 64>(16).unwrap();
        current.memcpy(&mut seen, &idle.take(copy)).unwrap();
        assert_eq!(seen[..], [3.0; 16]);
        drop((idle.take(sum), a));
        drop(seen);
        block.free_with_dev_sync(current).unwrap();
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_dropped_block_waits_for_its_queued_pieces() {
        bound!(acl, device: Npu<0>, current, stream);
        let before = current.mem_info(ascendcl::MemAttr::Hbm).unwrap().free;
        {
            let block = current.malloc_block(1 << 20).unwrap();
            let piece = stream.adopt(block.piece::<u8>(1000).unwrap());
            drop(stream.memset_async(piece, 1).unwrap());
            let piece = stream.adopt(block.piece::<u8>(1000).unwrap());
            std::mem::forget(stream.memset_async(piece, 1).unwrap());
        }
        // The block is parked: its memory is still there, and the fills run without harm.
        assert!(current.mem_info(ascendcl::MemAttr::Hbm).unwrap().free < before);
        current.synchronize_device().unwrap();
        assert_eq!(current.mem_info(ascendcl::MemAttr::Hbm).unwrap().free, before);
        drop(stream);
        assert_clean(&acl);
    }

    fn a_room_is_cut_by_the_compiler() {
        bound!(acl, device: Npu<0>, current);
        let block = current.malloc_block(1024).unwrap();
        let room = block.room::<U512>().unwrap();
        let (a, room) = room.piece::<f32, U10>(); // 64 + 32, up to the next 64: 128
        let (b, room) = room.piece::<u8, U256>(); // 256 + 32: 320
        let (c, rest) = room.piece::<u8, U16>(); // 32 + 32: 64
        assert_eq!((a.len(), b.len(), c.len()), (10, 256, 16));
        let [a, b, c] = [a.as_raw().addr(), b.as_raw().addr(), c.as_raw().addr()];
        assert_eq!((a % 64, b - a, c - b), (0, 128, 320));
        assert_eq!(format!("{rest:?}").split(", ").last(), Some("0)"));
        // The next piece begins after the room.
        assert_eq!(block.piece::<u8>(1).unwrap().as_raw().addr() - a, 512);
    }

    fn halves_are_filled_separately() {
        bound!(acl, device: Npu<0>, current);
        let buf = current.malloc_as::<Fixed<u8, U64>>().unwrap();
        let mut buf = current.memset(buf, 0).unwrap();
        let (left, right) = buf.split_at_mut(10).unwrap();
        current.memset(left, 1).unwrap();
        let (_, last) = right.split_at_mut(50).unwrap();
        current.memset(last, 2).unwrap();
        let (left, right) = buf.split_fixed_mut::<U16>();
        assert_eq!((left.len(), right.len()), (16, 48));
        let source = current.memset(current.malloc_as::<Fixed<u8, U48>>().unwrap(), 3).unwrap();
        current.memcpy(right, &source).unwrap(); // lengths compared by the compiler
        let mut seen = current.malloc_local::<u8, 64>(64).unwrap();
        current.memcpy(&mut seen, &buf).unwrap();
        assert_eq!(seen[..10], [1; 10]);
        assert_eq!(seen[10..16], [0; 6]);
        assert_eq!(seen[16..], [3; 48]);
        let (left, right) = buf.slice(0..64).unwrap().split_at(64).unwrap();
        assert_eq!((left.len(), right.len()), (64, 0));
        assert_eq!(usage(buf.split_at_mut(65)), Usage::Range { start: 0, end: 65, len: 64 });
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn queued_halves_are_aligned_by_the_compiler() {
        bound!(acl, device: Npu<0>, current, stream);
        let buf = stream.adopt(current.malloc_as::<Fixed<u32, U64>>().unwrap());
        let mut buf = stream.memset_async(buf, 0).unwrap();
        let other: ascendcl::DeviceBuf<'_, _, Fixed<u32, U48>> =
            current.memset_d32(current.malloc_as().unwrap(), 7).unwrap();
        let other = stream.adopt(other);
        let (left, right) = buf.split_fixed_mut::<U16>();
        stream.memset_async(left, 1).unwrap();
        stream.memcpy_async(right, &other).unwrap();
        let idle = stream.synchronize().unwrap();
        let mut seen = current.malloc_local::<u32, 64>(64).unwrap();
        current.memcpy(&mut seen, &idle.take(buf)).unwrap();
        assert_eq!((seen[15], seen[16], seen[63]), (0x0101_0101, 7, 7));
        drop(idle.take(other));
        drop((stream, seen));
        assert_clean(&acl);
    }
}
