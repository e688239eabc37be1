//! Loops of memory and copies.

use std::mem;

use ascendcl::dlpack::ManagedTensor;
use ascendcl::event::Order;
use ascendcl::memory::{Pages, Rows};
use ascendcl::queue::ReduceKind;
use ascendcl::share::Importers;
use ascendcl::stream::Main;
use ascendcl::{Result, StreamName};

use crate::flat::{Given, Lines, Second, loops, rounds};
use crate::loops::on_own_stream;

loops! {
    fn plain_memory(Given { current, side, .. }) {
        rounds(current, || {
            let ones = current.memset(current.malloc::<u32>(64).unwrap(), 1).unwrap();
            let mut host = current.malloc_host::<u32>(side, 64).unwrap();
            current.memcpy(&mut host, &ones).unwrap();
            let media = current.memcpy(current.malloc_dvpp(64).unwrap(), &host).unwrap();
            let block = current.malloc_block(4096).unwrap();
            drop((block.piece::<u8>(100).unwrap(), media));
            block.free_with_dev_sync(current).unwrap();
            ones.free().unwrap();
        });
    }

    ["out-of-memory%10,aclrtMemcpy%10=507899,aclrtMemset%10=507899"]
    fn plain_memory_that_fails_at_each_line(Given { current, side, .. }) {
        rounds(current, || {
            let round = || -> Result<()> {
                let ones = current.memset(current.malloc::<u32>(64)?, 1)?;
                let mut host = current.malloc_host::<u32>(side, 64)?;
                current.memcpy(&mut host, &ones)?;
                let media = current.memcpy(current.malloc_dvpp(64)?, &host)?;
                let block = current.malloc_block(4096)?;
                drop((block.piece::<u8>(100)?, media));
                ones.free()
            };
            let _ = round();
            // A block that is dropped is freed by a wait for the device.
            current.synchronize_device().unwrap();
        });
    }

    ["out-of-memory%10,aclrtGetDevice%10=107002"]
    fn tensors_of_dlpack_that_fail_in_some_rounds(Given { current, side, .. }) {
        rounds(current, || {
            let round = || -> Result<()> {
                let mut ones = current.memset(current.malloc::<u32>(64)?, 1)?;
                drop(current.to_dlpack(ones.slice_mut(0..32)?, &[4, 8])?);
                let given = current.to_dlpack(ones, &[64])?;
                // SAFETY: written memory of this device, which nothing else uses.
                let borrowed = unsafe { current.borrow_dlpack::<u32>(&given)? };
                let mut host = current.malloc_host::<u32>(side, 64)?;
                current.memcpy(&mut host, &borrowed)?;
                let address = current.to_dlpack(host, &[2, 32])?.into_legacy()?;
                // SAFETY: the address of `into_legacy`, over memory that nothing else uses.
                drop(unsafe { ManagedTensor::from_legacy(address)? });
                Ok(())
            };
            let _ = round();
        });
    }

    ["aclrtHostRegister%10=507899,aclrtHostRegisterV2%10=507899"]
    fn registered_memory_that_fails_in_some_rounds(Given { current, side, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut numbers = Pages::<u32>::zeroed(64).unwrap();
        let table = Pages::<u32>::zeroed(64).unwrap();
        rounds(current, || {
            let mut round = || -> Result<()> {
                current.scope(|scope| -> Result<()> {
                    let mut lent = stream.adopt(scope.lend_pinned(current, side, &mut numbers[..])?);
                    let ones = stream.memset_async(stream.malloc::<u32>(64)?, 1)?;
                    stream.memcpy_async(&mut lent, &ones)?;
                    mem::forget(stream.adopt(scope.lend_mapped(current, side, &table[..])?));
                    Ok(())
                })?
            };
            let _ = round();
            stream.synchronize().unwrap();
        });
    }

    ["aclrtReserveMemAddress%10=207001,aclrtMallocPhysical%10=207001,aclrtMapMem%10=507899"]
    fn memory_that_grows_and_fails_to_in_some_rounds(Given { current, side, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        rounds(current, || {
            let mut round = || -> Result<()> {
                let mut numbers = stream.adopt(current.reserve_mem_address::<u8>(side, 4 << 20)?);
                numbers.map_mem(current, 1000)?;
                stream.memset_async(numbers.grow(current, 2 << 20)?, 1)?;
                let mut numbers = stream.synchronize()?.take(numbers);
                numbers.truncate(7);
                numbers.unmap_mem()?;
                let mut numbers = stream.adopt(numbers);
                stream.memset_async(numbers.grow(current, 2 << 20)?, 1)?;
                Ok(()) // dropped while it is queued
            };
            let _ = round();
            stream.synchronize().unwrap();
        });
    }

    ["aclrtIpcMemGetExportKey%10=507899,aclrtIpcMemSetImportPid%7=507899,aclrtMemExportToShareableHandle%9=507899,aclrtMemSetPidToShareableHandle%8=107000,aclrtNotifyGetExportKey%10=507899,aclrtIpcGetEventHandle%9=507899"]
    fn what_is_for_other_processes(Given { current, side, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let own = [current.bare_tgid().unwrap()];
        rounds(current, || {
            let mut round = || -> Result<()> {
                let memory = current.memset(current.malloc::<u32>(1024)?, 0)?;
                let mut memory = stream.adopt(current.export_memory(memory, Importers::Listed(&own))?);
                let ones = stream.memset_async(stream.malloc::<u32>(1024)?, 1)?;
                stream.memcpy_async(&mut memory, &ones)?;
                let mut cache = current.reserve_mem_address::<u32>(side, 1024)?;
                current.memset(cache.grow(current, 1024)?, 0)?;
                let mut cache = stream.adopt(current.export_memory(cache, Importers::Listed(&own))?);
                stream.memcpy_async(&mut cache, &ones)?;
                // The memory is dropped while it is queued.
                drop(current.create_shared_notify(Importers::Listed(&own))?);
                current.create_shared_event()?.record(&mut stream)?;
                Ok(())
            };
            let _ = round();
            stream.synchronize().unwrap();
        });
    }

    ["aclrtMemPoolMallocAsync%10=207001,aclrtMemcpyBatchAsync%10=507899"]
    fn memory_of_a_pool_that_fails_in_some_rounds(Given { current, side, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut second = current.create_stream::<Second>().unwrap();
        let pool = current.create_pool(1 << 30).unwrap();
        let numbers = stream.malloc_host_from(side, &[1.0_f32; 64]).unwrap();
        let mut event = current.create_event::<Order>().unwrap();
        rounds(current, || {
            let mut round = || -> Result<()> {
                let fresh = [(stream.malloc_from(&pool, 64)?, &numbers), (stream.malloc_from(&pool, 64)?, &numbers)];
                let mut batches = stream.memcpy_batch_async(fresh)?;
                let mut sum = stream.memset_async(stream.malloc_from::<f32>(&pool, 64)?, 0)?;
                if let Some(batch) = batches.pop() {
                    stream.reduce_async(&mut sum, &batch, ReduceKind::Sum)?;
                }
                drop(stream.handoff(&mut second, &mut event, sum)?);
                second.synchronize().map(drop)
            };
            let _ = round();
        });
        let reserved = pool.reserved(current).unwrap();
        assert!(reserved < 200 << 20, "{reserved} bytes");
    }

    fn copies_of_every_direction(Given { current, side, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        rounds(current, || {
            let up = stream.malloc_host_from(side, &[7_u32; 64]).unwrap();
            let first = stream.memcpy_async(stream.malloc(64).unwrap(), &up).unwrap();
            let second = stream.memcpy_async(stream.malloc(64).unwrap(), &first).unwrap();
            let media = stream.adopt(current.malloc_dvpp(64).unwrap());
            let media = stream.memcpy_async(media, &second).unwrap();
            let mut padded = stream.memset_async(stream.malloc::<u32>(64).unwrap(), 0).unwrap();
            let rows = Rows::new(&mut padded, 4, 8, 16).unwrap();
            stream.memcpy_2d_async(rows, Rows::new(&up, 4, 8, 8).unwrap(), side).unwrap();
            let down = stream.memcpy_async(stream.malloc_host(side, 64).unwrap(), &media).unwrap();
            drop((up, first, second, padded));
            assert_eq!(stream.synchronize().unwrap().take(down)[..], [7; 64]);
        });
    }

    fn copies_that_are_dropped_at_each_line(Given { current, side, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let lines = Lines::new(5);
        rounds(current, || {
            lines.begin();
            let mut round = || -> Result<()> {
                let up = stream.malloc_host_from(side, &[7_u32; 64])?;
                lines.end()?;
                let first = stream.memcpy_async(stream.malloc(64)?, &up)?;
                lines.end()?;
                let second = stream.memset_async(stream.malloc::<u32>(64)?, 1)?;
                lines.end()?;
                let (first, second) = first.and(second).split();
                drop(second);
                lines.end()?;
                let down = stream.memcpy_async(stream.malloc_host(side, 64)?, &first)?;
                lines.end()?;
                assert_eq!(stream.synchronize()?.take(down)[..], [7; 64]);
                Ok(())
            };
            if round().is_err() {
                stream.synchronize().unwrap();
            }
        });
    }

    ["out-of-memory%10,aclrtMemcpyAsync%10=507899,aclrtMemsetAsync%10=507899,aclrtSynchronizeStream%5=507000"]
    fn queued_calls_that_are_refused(Given { current, side, .. }) {
        let mut refused = 0;
        rounds(current, || {
            refused += usize::from(on_own_stream(current, |stream| {
                let up = stream.malloc_host_from(side, &[7_u32; 64])?;
                let there = stream.memcpy_async(stream.malloc(64)?, &up)?;
                let filled = stream.memset_async(stream.malloc::<u32>(64)?, 1)?;
                let down = stream.memcpy_async(stream.malloc_host(side, 64)?, &there)?;
                stream.synchronize()?;
                drop((filled, down));
                Ok(())
            }).is_err());
        });
        assert!(refused > 0);
    }

    ["task:aclrtMemcpyAsync%10=507001,task:aclrtMemsetAsync%10=507015"]
    fn copies_that_fail(Given { current, side, .. }) {
        let mut failed = 0;
        rounds(current, || {
            failed += usize::from(on_own_stream(current, |stream| {
                let up = stream.malloc_host_from(side, &[7_u32; 64])?;
                let there = stream.memcpy_async(stream.malloc(64)?, &up)?;
                let filled = stream.memset_async(stream.malloc::<u32>(64)?, 1)?;
                let back = stream.memcpy_async(stream.malloc_host(side, 64)?, &there)?;
                drop(stream.synchronize()?.take(back));
                drop(filled);
                Ok(())
            }).is_err());
        });
        assert!(failed > 0);
    }

    // The stream stays poisoned, so each later wait is an error, or a `drain`.
    ["task:aclrtMemcpyAsync#1=507001"]
    fn copies_behind_a_failure_that_stays(Given { current, side, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut nth = 0_usize;
        rounds(current, || {
            nth += 1;
            let up = stream.malloc_host_from(side, &[7_u32; 64]).unwrap();
            let there = stream.memcpy_async(stream.malloc(64).unwrap(), &up).unwrap();
            if nth.is_multiple_of(2) {
                assert!(stream.synchronize().is_err());
            } else {
                drop(stream.drain().unwrap().take(there).accept_unverified());
            }
        });
    }

    fn memory_on_the_default_stream(Given { current, side, .. }) {
        let mut stream = current.default_stream().unwrap();
        rounds(current, || {
            let up = stream.malloc_host_from(side, &[7_u32; 64]).unwrap();
            drop(stream.memcpy_async(stream.malloc(64).unwrap(), &up).unwrap());
            drop(up);
            stream.synchronize().unwrap();
        });
    }

    fn memory_of_a_stream_that_only_the_device_waits_for(Given { current, side, .. }) {
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut second = current.create_stream::<Second>().unwrap();
        rounds(current, || {
            let up = stream.malloc_host_from(side, &[7_u32; 64]).unwrap();
            drop(stream.memcpy_async(stream.malloc(64).unwrap(), &up).unwrap());
            drop(up);
            drop(second.memset_async(second.malloc::<u8>(64).unwrap(), 1).unwrap());
            current.synchronize_device().unwrap();
        });
    }

    fn parts_and_pairs(Given { current, side, .. }) {
        enum Other {}
        impl StreamName for Other {}
        let mut stream = current.create_stream::<Other>().unwrap();
        rounds(current, || {
            let mut memory = stream.memset_async(stream.malloc::<u32>(64).unwrap(), 0).unwrap();
            let up = stream.malloc_host_from(side, &[7_u32; 16]).unwrap();
            stream.memcpy_async(memory.slice_mut(16..32).unwrap(), &up).unwrap();
            let pair = memory.and(up);
            let share = pair.share();
            drop(share.clone());
            drop(stream.synchronize().unwrap().take(share).try_unwrap().err());
        });
    }
}
