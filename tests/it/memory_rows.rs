//! Copies of rows.

use ascendcl::Npu;
use ascendcl::error::Usage;
use ascendcl::memory::Rows;
use typenum::{U2, U3, U4};

use crate::common::{assert_clean, bound, isolated, usage};

isolated! {
    fn rows_go_up_and_come_back_without_their_gaps() {
        bound!(acl, side, device: Npu<0>, current);
        let mut picture = current.malloc_host::<u16>(side, 6).unwrap();
        picture.copy_from_slice(&[1, 2, 3, 4, 5, 6]);
        let mut padded = current.memset(current.malloc::<u16>(7).unwrap(), 0xEE).unwrap();
        let to = Rows::new(&mut padded, 2, 3, 4).unwrap();
        current.memcpy_2d(to, Rows::new(&picture, 2, 3, 3).unwrap(), side).unwrap();
        let mut seen = current.malloc_host::<u16>(side, 7).unwrap();
        current.memcpy(&mut seen, &padded).unwrap();
        assert_eq!(seen[..], [1, 2, 3, 0xEEEE, 4, 5, 6]);
        picture.fill(0);
        let to = Rows::fixed::<U2, U3, U3>(&mut picture).unwrap();
        current.memcpy_2d(to, Rows::fixed::<U2, U3, U4>(&padded).unwrap(), side).unwrap();
        assert_eq!(picture[..], [1, 2, 3, 4, 5, 6]);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn queued_rows_are_copied_in_order() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let mut picture = current.malloc_host::<u8>(side, 6).unwrap();
        picture.copy_from_slice(&[1, 2, 3, 4, 5, 6]);
        let picture = stream.adopt(picture);
        let mut padded = stream.memset_async(stream.adopt(current.malloc(16).unwrap()), 9).unwrap();
        let part = padded.slice_mut(8..16).unwrap();
        let (to, from) = (Rows::new(part, 2, 3, 4), Rows::new(&picture, 2, 3, 3));
        stream.memcpy_2d_async(to.unwrap(), from.unwrap(), side).unwrap();
        // Within the device too, on products that have it.
        let from = Rows::new(&picture, 1, 2, 2).unwrap();
        stream.memcpy_2d_async(Rows::new(&mut padded, 1, 2, 8).unwrap(), from, side).unwrap();
        let mut seen = stream.adopt(current.malloc_host::<u8>(side, 16).unwrap());
        stream.memcpy_async(&mut seen, &padded).unwrap();
        let idle = stream.synchronize().unwrap();
        assert_eq!(idle.take(seen)[..], [1, 2, 9, 9, 9, 9, 9, 9, 1, 2, 3, 9, 4, 5, 6, 9]);
        drop((idle.take(picture), idle.take(padded)));
        drop(stream);
        assert_clean(&acl);
    }

    fn rows_that_do_not_fit_are_mistakes() {
        bound!(acl, side, device: Npu<0>, current);
        let mut to = current.memset(current.malloc::<u8>(16).unwrap(), 0).unwrap();
        let from = current.malloc_host::<u8>(side, 16).unwrap();
        assert_eq!(
            usage(Rows::new(&from, 2, 5, 4)),
            Usage::Pitch { width: 5, pitch: 4 }
        );
        for (height, width, pitch) in [(3, 4, 7), (5, 4, 4), (usize::MAX, 1, 2), (2, 1, usize::MAX)] {
            assert_eq!(
                usage(Rows::new(&from, height, width, pitch)),
                Usage::Rows { height, width, pitch, len: 16 }
            );
        }
        assert!(matches!(
            usage(Rows::fixed::<U4, U4, typenum::U5>(&from)),
            Usage::Rows { height: 4, width: 4, pitch: 5, len: 16 }
        ));
        let rows = Rows::new(&mut to, 2, 3, 4).unwrap();
        let error = usage(current.memcpy_2d(rows, Rows::new(&from, 3, 2, 4).unwrap(), side));
        assert_eq!(
            error.to_string(),
            "the source has 3 rows of 2 elements and the destination 2 rows of 3: copy as many as both have"
        );
        assert_clean(&acl);
    }

    fn a_copy_of_no_rows_does_nothing() {
        bound!(acl, side, device: Npu<0>, current);
        let from = current.malloc_host::<u16>(side, 1).unwrap();
        let mut to = current.memset(current.malloc::<u16>(1).unwrap(), 3).unwrap();
        for (height, width, pitch) in [(0, 1, 4), (9, 0, 4), (0, usize::MAX, usize::MAX)] {
            let rows = Rows::new(&mut to, height, width, pitch).unwrap();
            let source = Rows::new(&from, height, width, pitch).unwrap();
            current.memcpy_2d(rows, source, side).unwrap();
        }
        let mut seen = current.malloc_host::<u16>(side, 1).unwrap();
        current.memcpy(&mut seen, &to).unwrap();
        assert_eq!(seen[0], 0x0303);
    }

    ["ASCENDCL_EMULATOR_MEMORY" = "64MiB"]
    fn queued_rows_have_limits() {
        bound!(acl, side, device: Npu<0>, current, stream);
        const LEN: usize = 5_242_881;
        let from = stream.adopt(current.malloc_host::<u8>(side, LEN).unwrap());
        let mut to = stream.memset_async(stream.adopt(current.malloc(LEN).unwrap()), 0).unwrap();
        for (height, width) in [(LEN, 1), (1, 5_000_001)] {
            let rows = Rows::new(&mut to, height, width, width).unwrap();
            let source = Rows::new(&from, height, width, width).unwrap();
            assert_eq!(
                usage(stream.memcpy_2d_async(rows, source, side)),
                Usage::RowLimit { bytes: width, height }
            );
        }
        let rows = Rows::new(&mut to, 1, 5_000_000, 5_000_000).unwrap();
        let source = Rows::new(&from, 1, 5_000_000, 5_000_000).unwrap();
        stream.memcpy_2d_async(rows, source, side).unwrap();
        let idle = stream.synchronize().unwrap();
        drop((idle.take(from), idle.take(to)));
    }
}
