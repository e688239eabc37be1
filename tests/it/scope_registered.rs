//! Host memory that a scope registers: page-locked for copies, and mapped for operators and kernels.

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use ascendcl::error::Usage;
use ascendcl::memory::Pages;
use ascendcl::stream::{Main, StreamStatus};
use ascendcl::{ErrorKind, Npu, Result, op, sys};

use crate::common::{
    acl_with_journal, assert_clean, assert_says, bound, calls, host, isolated, usage,
};

isolated! {
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_copy_of_page_locked_memory_does_not_wait() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let mut numbers = Pages::<u32>::zeroed(1000).unwrap();
        numbers.fill(5);
        current
            .scope(|scope| {
                let mut lent = stream.adopt(scope.lend_pinned(current, side, &mut numbers[..]).unwrap());
                let buf = stream.malloc(1000).unwrap();
                let buf = stream.memcpy_async(buf, &lent).unwrap();
                // Nothing has waited: the copy is still queued.
                assert_eq!(stream.query().unwrap(), StreamStatus::NotReady);
                stream.memcpy_async(&mut lent, &buf).unwrap();
                let idle = stream.synchronize().unwrap();
                assert_eq!(idle.get_mut(&mut lent).as_slice(), [5; 1000]);
                // A second round, without a new registration.
                idle.get_mut(&mut lent).as_mut_slice().fill(7);
                let buf = stream.memcpy_async(stream.malloc(1000).unwrap(), &lent).unwrap();
                stream.memcpy_async(&mut lent, &buf).unwrap();
                let lent = stream.synchronize().unwrap().take(lent);
                assert_eq!(lent.into_inner(), [7; 1000]);
            })
            .unwrap();
        assert_eq!(numbers[..], [7; 1000]);
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn operators_read_and_write_mapped_memory_in_place() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let mut table = Pages::<f32>::zeroed(6).unwrap();
        table.copy_from_slice(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        let mut squares = current.malloc_host::<f32>(side, 2048).unwrap();
        let mut sums = Pages::<f32>::zeroed(6).unwrap();
        current
            .scope(|scope| -> Result<()> {
                let table = stream.adopt(scope.lend_mapped(current, side, &table[..])?);
                // Memory of `aclrtMallocHost` is mapped too, where it begins at a page.
                let whole = squares.as_raw().addr().is_multiple_of(4096);
                if whole {
                    let mut squares = stream.adopt(scope.lend_mapped(current, side, &mut squares)?);
                    let wrong = usage(squares.tensor_mut(&[6]).map(drop));
                    assert!(matches!(wrong, Usage::ShapeSize { .. }), "{wrong:?}");
                    stream.synchronize()?.get_mut(&mut squares).as_mut_slice().fill(3.0);
                    let x = squares.tensor(&[2048])?;
                    let out = stream.malloc(2048)?.into_tensor(&[2048])?;
                    let out = op::mul(current, &x, &x, out)?.launch(&mut stream)?.into_output();
                    let out = stream.memcpy_async(stream.malloc_host(side, 2048)?, &out)?;
                    assert_eq!(stream.synchronize()?.take(out)[..], [9.0; 2048]);
                }
                let wrong = usage(table.tensor(&[5]).map(drop));
                assert!(matches!(wrong, Usage::ShapeSize { .. }), "{wrong:?}");
                let mut sums = stream.adopt(scope.lend_mapped(current, side, &mut sums[..])?);
                let x = table.tensor(&[2, 3])?;
                op::add(current, &x, &x, 1.0, sums.tensor_mut(&[2, 3])?)?.launch(&mut stream)?.into_output();
                let sums = stream.synchronize()?.take(sums);
                assert_eq!(sums.as_slice()[5], 12.0);
                Ok(())
            })
            .unwrap()
            .unwrap();
        assert_eq!(sums[..], [2.0, 4.0, 6.0, 8.0, 10.0, 12.0]);
        drop((squares, stream));
        assert_clean(&acl);
    }

    fn what_cannot_be_registered_is_refused_before_the_call() {
        let acl = acl_with_journal();
        let side = host(&acl);
        acl.on::<Npu<0>, _>(0, |current| {
            let mut odd = Pages::<u8>::zeroed(8192)?;
            let numbers = Pages::<u8>::zeroed(8192)?;
            current.scope(|scope| {
                let part = scope.lend_pinned(current, side, &mut odd[16..]);
                let address = usage(part.map(drop));
                assert!(matches!(address, Usage::RegisteredAddress { address } if address % 4096 == 16));
                let text = address.to_string();
                assert!(text.contains("4096") && text.contains("Pages"), "{text}");
                let part = usage(scope.lend_mapped(current, side, &numbers[4095..]).map(drop));
                assert!(matches!(part, Usage::RegisteredAddress { .. }), "{part}");
                let empty = usage(scope.lend_mapped(current, side, &numbers[4096..4096]).map(drop));
                assert_eq!(empty, Usage::ZeroSize { len: 0, size: 1 });
                let empty = usage(scope.lend_pinned(current, side, &[] as &[u8]).map(drop));
                assert_eq!(empty, Usage::ZeroSize { len: 0, size: 1 });
            })
        }).unwrap();
        if crate::common::embedded(&acl) {
            assert_eq!((calls("aclrtHostRegister"), calls("aclrtHostRegisterV2")), (0, 0));
        }
        assert_clean(&acl);
    }

    fn registered_memory_is_registered_once() {
        bound!(acl, side, device: Npu<0>, current);
        let numbers = Pages::<u8>::zeroed(8192).unwrap();
        current
            .scope(|scope| {
                let first = scope.lend_mapped(current, side, &numbers[..]).unwrap();
                // The second page is a part of it, and shared borrows do not exclude each other.
                let part = scope.lend_pinned(current, side, &numbers[4096..]);
                assert_says(part, &["aclrtHostRegisterV2", "as_mut_slice", "keep the lease"]);
                let again = scope.lend_mapped(current, side, first.into_inner());
                match again.map_err(ascendcl::Error::into_kind) {
                    Err(ErrorKind::Refused(refused)) => {
                        assert_eq!(refused.code, sys::ACL_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
                    }
                    other => panic!("{other:?}"),
                }
            })
            .unwrap();
        // The scope has ended the registration, and the next one begins another.
        current.scope(|scope| scope.lend_pinned(current, side, &numbers[4096..]).map(drop)).unwrap().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn forgotten_leases_panics_and_returns_end_registrations() {
        bound!(acl, side, device: Npu<0>, current, stream);
        for way in 0..5 {
            let mut numbers = Pages::<u32>::zeroed(2048).unwrap();
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                current.scope(|scope| -> Result<()> {
                    let lent = scope.lend_pinned(current, side, &mut numbers[..1024]);
                    let lent = lent.unwrap();
                    let filled = stream.memset_async(stream.malloc::<u32>(1024)?, 1)?;
                    let mut to = stream.adopt(lent);
                    stream.memcpy_async(&mut to, &filled)?;
                    match way {
                        0 => mem::forget(to),
                        1 => drop(to),
                        2 => panic!("in the middle"),
                        3 => current.malloc::<u8>(0).map(drop)?,
                        _ => drop(stream.synchronize()?.take(to)),
                    }
                    Ok(())
                })
            }));
            match way {
                2 => assert!(outcome.is_err()),
                3 => assert!(outcome.unwrap().unwrap().is_err()),
                _ => outcome.unwrap().unwrap().unwrap(),
            }
            assert_eq!((numbers[0], numbers[1023], numbers[1024]), (0x0101_0101, 0x0101_0101, 0));
            let again = current.scope(|scope| scope.lend_mapped(current, side, &numbers[..]).map(drop));
            again.unwrap().unwrap();
        }
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn another_thread_gets_registered_memory() {
        bound!(acl, side, device: Npu<0>, current);
        let mut numbers = Pages::<u32>::zeroed(1024).unwrap();
        current
            .scope(|scope| {
                let lent = scope.lend_pinned(current, side, &mut numbers[..]).unwrap();
                let device = &device;
                thread::scope(|threads| {
                    let worker = threads.spawn(move || {
                        let mut thread = ascendcl::Thread::claim().unwrap();
                        let current = thread.set_current(device).unwrap();
                        let mut stream = current.create_stream::<Main>().unwrap();
                        let ones = stream.memset_async(stream.malloc::<u32>(1024).unwrap(), 1).unwrap();
                        let mut lent = stream.adopt(lent);
                        stream.memcpy_async(&mut lent, &ones).unwrap();
                    });
                    worker.join().unwrap();
                });
            })
            .unwrap();
        assert_eq!(numbers[..], [0x0101_0101; 1024]);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtHostUnregister=507899", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_registration_that_does_not_end_is_reported() {
        bound!(acl, side, device: Npu<0>, current);
        let numbers = Pages::<u8>::zeroed(4096).unwrap();
        current.scope(|scope| scope.lend_pinned(current, side, &numbers[..]).map(drop)).unwrap().unwrap();
        assert_eq!(ascendcl::release_failures(), 1);
    }
}

#[test]
fn pages_begin_at_pages() {
    for len in [1, 3, 1000, 1025] {
        let mut numbers = Pages::<[f32; 3]>::zeroed(len).unwrap();
        assert_eq!((numbers.len(), numbers.as_ptr().addr() % 4096), (len, 0));
        numbers[len - 1] = [1.0; 3];
        assert!(format!("{numbers:?}").contains(&len.to_string()));
    }
    assert!(Pages::<f32>::zeroed(0).is_err());
    assert!(Pages::<u8>::zeroed(usize::MAX).is_err());
    assert!(Pages::<u8>::zeroed(isize::MAX as usize).is_err());
}
