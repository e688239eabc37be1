//! Memory at reserved addresses that two processes share, by a handle: it outlives the end of the export.

use std::io::Read;
use std::mem;

use ascendcl::error::Usage;
use ascendcl::event::Order;
use ascendcl::memory::{Reserved, ReservedBuf};
use ascendcl::share::{Exported, Importers, MemoryKey, SharedBuf};
use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, Npu, Result, StreamName};

use super::{Lines, Other, REFUSED, first, import, open_shares};
use crate::common::{
    acl_with_journal, assert_clean, assert_refused, assert_says, bound, calls, embedded, host,
    isolated, usage,
};

type D = Npu<0>;

/// A second stream.
enum Second {}
impl StreamName for Second {}

/// Memory that this process has exported.
type Shared<'dev> = SharedBuf<'dev, Exported<Reserved<D>>, u32>;

/// The unit of memory of the emulator.
const UNIT: usize = 2 << 20;

/// A buffer of 1024 elements with `byte` in each byte, and memory of one unit.
fn reserved<'dev>(
    current: Current<'_, 'dev, D>,
    side: HostSide<'_>,
    byte: u8,
) -> Result<ReservedBuf<'dev, D, u32>> {
    let mut numbers = current.reserve_mem_address(side, 1 << 20)?;
    current.memset(numbers.grow(current, 1024)?, byte)?;
    Ok(numbers)
}

fn exported<'dev>(
    current: Current<'_, 'dev, D>,
    side: HostSide<'_>,
    byte: u8,
) -> Result<Shared<'dev>> {
    current.export_memory(reserved(current, side, byte)?, Importers::Any)
}

/// The allocations of devices that exist in the emulator.
fn blocks() -> usize {
    ascendcl::emulator::live().device_blocks
}

isolated! {
    fn memory_of_a_handle_outlives_the_end_of_its_export() {
        bound!(acl, side, device: D, current, stream);
        if let Some(mut lines) = first() {
            lines.send(&current.bare_tgid().unwrap().to_le_bytes());
            let key = lines.memory();
            let shared = import(current, &key).unwrap();
            assert_eq!((shared.len(), shared.key()), (1024, key));
            // A process has one handle for it at a time.
            assert_refused(import(current, &key), REFUSED);
            let mut shared = stream.adopt(shared);
            for turn in 1..=3_u8 {
                let here = stream.memcpy_async(stream.malloc(1024).unwrap(), &shared).unwrap();
                let here = stream.memcpy_async(stream.malloc_host(side, 1024).unwrap(), &here).unwrap();
                let next = stream.memset_async(stream.malloc(512).unwrap(), turn + 1).unwrap();
                stream.memcpy_async(shared.slice_mut(512..1024).unwrap(), &next).unwrap();
                let here = stream.synchronize().unwrap().take(here);
                let seen = u32::from_ne_bytes([turn; 4]);
                assert_eq!((here[511], here[512]), (0x0101_0101, seen), "{turn}");
                lines.send(&[]);
                // Behind the second turn the first process has ended its export, and behind the third one its pipe ends.
                assert_eq!(lines.receive().is_some(), turn < 3);
            }
            stream.synchronize().unwrap().take(shared).close(current).unwrap();
            assert_refused(import(current, &key), REFUSED);
        } else {
            let mut other = Other::start();
            let lines = &mut other.lines;
            let number = [lines.number()];
            let numbers = reserved(current, side, 1).unwrap();
            let shared = current.export_memory(numbers, Importers::Listed(&number)).unwrap();
            lines.send(&shared.key().to_bytes());
            lines.receive().unwrap();
            let mut back = current.malloc_host::<u32>(side, 1024).unwrap();
            current.memcpy(&mut back, &shared).unwrap();
            assert_eq!((back[511], back[512]), (0x0101_0101, 0x0202_0202));
            lines.send(&[]);
            lines.receive().unwrap();
            shared.close(current).unwrap();
            lines.send(&[]);
            lines.receive().unwrap();
            // The pipe of the other process ends, as it does with this process.
            let Other { mut child, lines: Lines { mut from, to } } = other;
            drop(to);
            let mut rest = String::new();
            from.read_to_string(&mut rest).unwrap();
            assert!(child.0.wait().unwrap().success(), "{rest}");
        }
        drop(stream);
        assert_clean(&acl);
        assert_eq!((open_shares(), ascendcl::leaks()), (0, 0));
    }

    fn memory_of_a_handle_outlives_the_process_that_has_exported_it() {
        bound!(acl, side, device: D, current);
        if let Some(mut lines) = first() {
            let shared = exported(current, side, 1).unwrap();
            lines.send(&shared.key().to_bytes());
            // It is killed in front of the end of this wait.
            assert!(lines.receive().is_none(), "{shared:?}");
        } else {
            let mut stream = current.create_stream::<Main>().unwrap();
            let mut other = Other::start();
            let key = other.lines.memory();
            // SAFETY: the other process keeps the memory until this call has returned.
            let shared = unsafe { current.import_memory::<u32>(&key) }.unwrap();
            drop(other);
            let mut shared = stream.adopt(shared);
            for turn in 1..=2 {
                let here = stream.memcpy_async(stream.malloc(1024).unwrap(), &shared).unwrap();
                let here = stream.memcpy_async(stream.malloc_host(side, 1024).unwrap(), &here).unwrap();
                let next = stream.memset_async(stream.malloc(1024).unwrap(), 2).unwrap();
                stream.memcpy_async(&mut shared, &next).unwrap();
                assert_eq!(stream.synchronize().unwrap().take(here)[..], [u32::from_ne_bytes([turn; 4]); 1024]);
            }
            stream.synchronize().unwrap().take(shared).close(current).unwrap();
            assert_refused(import(current, &key), REFUSED);
        }
        assert_clean(&acl);
        assert_eq!((open_shares(), ascendcl::leaks()), (0, 0));
    }

    fn a_handle_is_for_the_processes_of_its_list() {
        bound!(acl, side, device: D, current);
        if let Some(mut lines) = first() {
            assert_says(import(current, &lines.memory()), &["aclrtMemImportFromShareableHandle", "bare_tgid"]);
        } else {
            let mut other = Other::start();
            let own = [current.bare_tgid().unwrap()];
            let numbers = reserved(current, side, 1).unwrap();
            let shared = current.export_memory(numbers, Importers::Listed(&own)).unwrap();
            let key = shared.key();
            other.lines.send(&key.to_bytes());
            other.succeeds();
            // A process does not import what it has exported itself, or what was freed.
            assert_refused(import(current, &key), REFUSED);
            drop(shared);
            assert_refused(import(current, &key), REFUSED);
        }
        assert_clean(&acl);
    }

    fn memory_that_no_handle_has_is_refused_before_the_call() {
        let acl = acl_with_journal();
        let side = host(&acl);
        acl.on::<D, _>(0, |current| {
            let export = |numbers: ReservedBuf<'_, D, u32>| usage(current.export_memory(numbers, Importers::Any).map(drop));
            let mut empty = current.reserve_mem_address(side, 1000)?;
            empty.map_mem(current, 1000)?;
            assert_eq!(export(empty), Usage::ZeroSize { len: 0, size: 4 });
            let mut twice = reserved(current, side, 1)?;
            twice.map_mem(current, UNIT / 4)?;
            let wrong = export(twice);
            assert_eq!(wrong, Usage::SharedMappings { mappings: 2 });
            assert!(wrong.to_string().contains("map_mem"), "{wrong}");
            let nobody = current.export_memory(reserved(current, side, 1)?, Importers::Listed(&[]));
            assert_eq!(usage(nobody.map(drop)), Usage::NoImporters);
            if embedded(&acl) {
                assert_eq!((calls("aclrtMemExportToShareableHandle"), blocks()), (0, 0));
            }
            // What the key says, and what was mapped for it.
            let bytes = exported(current, side, 1)?.key().to_bytes();
            assert_eq!((bytes[0], &bytes[65..]), (0, &4096_u64.to_le_bytes()[..]));
            assert_eq!(bytes[57..65], (UNIT as u64 - 4096).to_le_bytes());
            assert_eq!(MemoryKey::from_bytes(bytes).to_bytes(), bytes);
            Ok(())
        }).unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn what_is_dropped_while_it_is_queued_is_unmapped_behind_its_work() {
        let acl = acl_with_journal();
        let side = host(&acl);
        acl.on::<D, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            let ended = || (calls("aclrtUnmapMem"), calls("aclrtFreePhysical"), calls("aclrtReleaseMemAddress"));
            if let Some(mut lines) = first() {
                let mut memory = stream.adopt(import(current, &lines.memory())?);
                let ones = stream.memset_async(stream.malloc::<u32>(1024)?, 1)?;
                stream.memcpy_async(&mut memory, &ones)?;
                drop(memory);
                assert_eq!((ended(), ascendcl::parked_bytes()), ((0, 0, 0), 0));
                stream.synchronize()?;
                assert_eq!(ended(), (1, 1, 1));
            } else {
                let mut other = Other::start();
                let memory = exported(current, side, 0)?;
                other.lines.send(&memory.key().to_bytes());
                other.succeeds();
                let memory = stream.adopt(memory);
                let back = stream.memcpy_async(stream.malloc_host(side, 1024)?, &memory)?;
                drop(memory);
                assert_eq!((ended(), ascendcl::parked_bytes()), ((0, 0, 0), UNIT));
                assert_eq!(stream.synchronize()?.take(back)[..], [0x0101_0101; 1024]);
                assert_eq!((ended(), ascendcl::parked_bytes()), ((1, 1, 1), 0));
            }
            Ok(())
        }).unwrap();
        assert_clean(&acl);
        assert_eq!((open_shares(), ascendcl::leaks()), (0, 0));
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn memory_of_handles_ends_on_threads_without_a_device_and_is_forgotten() {
        let acl = acl_with_journal();
        let side = host(&acl);
        acl.on::<D, _>(0, |current| {
            let memory = exported(current, side, 1)?;
            std::thread::scope(|threads| threads.spawn(|| drop(memory)).join().unwrap());
            assert_eq!((calls("aclrtUnmapMem"), calls("aclrtFreePhysical")), (1, 1));
            mem::forget(exported(current, side, 1)?);
            assert_eq!(blocks(), 1);
            Ok(())
        }).unwrap();
        // The reset of the device has taken what was forgotten.
        assert_eq!(blocks(), 0);
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_FAULTS" =
        "aclrtMemExportToShareableHandle#1=507899,aclrtMemSetPidToShareableHandle#1=107000,aclrtUnmapMem#3=507899,aclrtFreePhysical#3=507899,aclrtReleaseMemAddress#4=507899"]
    fn an_export_of_which_a_call_fails_loses_nothing() {
        let acl = acl_with_journal();
        let side = host(&acl);
        acl.on::<D, _>(0, |current| {
            let own = [current.bare_tgid()?];
            let list = Importers::Listed(&own);
            let export = || current.export_memory(reserved(current, side, 1)?, list);
            assert_refused(export(), 507_899);
            assert_eq!((blocks(), ascendcl::release_failures()), (0, 0));
            assert_refused(export(), 107_000);
            assert_eq!((blocks(), ascendcl::release_failures()), (0, 0));
            assert_eq!(open_shares(), 0);
            // Each call of the end: the first error is returned, and what is left is not touched again.
            assert_refused(export()?.close(current), 507_899);
            assert_eq!((calls("aclrtUnmapMem"), calls("aclrtFreePhysical"), calls("aclrtReleaseMemAddress")), (3, 2, 2));
            assert_refused(export()?.close(current), 507_899);
            assert_eq!((calls("aclrtUnmapMem"), calls("aclrtFreePhysical"), calls("aclrtReleaseMemAddress")), (4, 3, 3));
            assert_eq!(ascendcl::release_failures(), 0);
            drop(export()?);
            assert_eq!(ascendcl::release_failures(), 1);
            export()?.close(current)
        }).unwrap();
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn an_import_of_which_a_call_fails_leaves_nothing() {
        let acl = acl_with_journal();
        let side = host(&acl);
        acl.on::<D, _>(0, |current| {
            if let Some(mut lines) = first() {
                let key = lines.memory();
                let codes = [207_001, 507_899, 107_000];
                for (turn, code) in codes.into_iter().enumerate() {
                    assert_refused(import(current, &key), code);
                    assert_eq!((blocks(), ascendcl::release_failures()), (0, 0), "{code}");
                    assert_eq!(calls("aclrtReleaseMemAddress"), turn);
                }
                // Each call of the end.
                assert_refused(import(current, &key)?.close(current), 507_899);
                assert_eq!((calls("aclrtFreePhysical"), calls("aclrtReleaseMemAddress")), (1, 2));
                // The handle is still open, for as long as the process has it.
                assert_refused(import(current, &key), REFUSED);
                assert_eq!(ascendcl::release_failures(), 0);
            } else {
                let memory = exported(current, side, 1)?;
                let faults = "aclrtReserveMemAddress#1=207001,aclrtMemImportFromShareableHandle#1=507899,aclrtMapMem#1=107000,aclrtUnmapMem#1=507899";
                let mut other = Other::start_with("ASCENDCL_EMULATOR_FAULTS", faults);
                other.lines.send(&memory.key().to_bytes());
                other.succeeds();
                memory.close(current)?;
                assert_eq!((open_shares(), ascendcl::leaks()), (0, 0));
            }
            Ok(())
        }).unwrap();
    }
}

isolated! {
    ["ASCENDCL_EMULATOR_CHECK" = "leaks", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn several_streams_read_what_is_shared() {
        let acl = acl_with_journal();
        let side = host(&acl);
        acl.on::<D, _>(0, |current| {
            let mut a = current.create_stream::<Main>()?;
            let mut b = current.create_stream::<Second>()?;
            let shared = current.export_memory(reserved(current, side, 1)?, Importers::Any)?;
            let key = shared.key();
            let fence = a.fence(current.create_event::<Order>()?, a.adopt(shared).share())?;
            let of_b = b.wait_shared(&fence)?;
            let (of_a, _) = fence.cancel();
            let first = a.memcpy_async(a.malloc_host::<u32>(side, 1024)?, &of_a)?;
            let second = b.memcpy_async(b.malloc_host::<u32>(side, 1024)?, &of_b)?;
            let idle = a.synchronize()?;
            assert_eq!(idle.take(first)[..], [0x0101_0101; 1024]);
            let last = idle.take(of_a);
            assert_eq!(last.key(), key);
            let last = last.try_unwrap().map(drop).unwrap_err();
            let idle = b.synchronize()?;
            assert_eq!(idle.take(second)[..], [0x0101_0101; 1024]);
            drop(idle.take(of_b));
            last.try_unwrap().map_err(drop).unwrap().close(current)
        })
        .unwrap();
        assert_clean(&acl);
    }
}
