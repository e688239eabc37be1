//! Waits beside a capture of other code, which begins and ends by raw calls.

use ascendcl::stream::Main;
use ascendcl::{Npu, Result, StreamName, Thread, sys};

use crate::common::{acl, assert_clean, assert_refused, bound, host, isolated};

enum Second {}
impl StreamName for Second {}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn a_capture_of_other_code_ends_no_scope_and_poisons_no_stream() {
        let acl = acl();
        let side = host(&acl);
        let mut thread = Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let mut captured = current.create_parked_stream().unwrap();
        let mut other = current.create_stream::<Main>().unwrap();
        let zeros = other.memset_async(other.malloc::<u8>(4).unwrap(), 0).unwrap();
        let raw = captured.with(current, |stream| stream.as_raw());
        // SAFETY: a live stream of the current context, which nothing else uses until the end below.
        let begun = unsafe { sys::aclmdlRICaptureBegin(raw, sys::ACL_MODEL_RI_CAPTURE_MODE_RELAXED) };
        assert_eq!(begun, 0);
        assert_refused(current.synchronize_device(), sys::ACL_ERROR_RT_STREAM_CAPTURED);
        other.synchronize().unwrap().take(zeros).free().unwrap();
        std::thread::scope(|threads| {
            // Nothing that is lent is on a captured stream, so these scopes do not wait for the end of the capture.
            threads.spawn(|| {
                let mut thread = Thread::claim().unwrap();
                let current = thread.set_current(&device).unwrap();
                current.scope(|_| ()).unwrap();
                let (mut numbers, mut pinned) = ([0_u32; 4], current.malloc_host::<u32>(side, 4).unwrap());
                let mut second = current.create_stream::<Second>().unwrap();
                let mut default = current.default_stream().unwrap();
                current.scope(|scope| -> Result<()> {
                    let ones = second.memset_async(second.malloc::<u32>(4)?, 1)?;
                    second.memcpy_async(&mut second.adopt(scope.lend(&mut pinned)), &ones)?;
                    let twos = default.memset_async(default.malloc::<u32>(4)?, 2)?;
                    default.memcpy_async(&mut default.adopt(scope.lend(&mut numbers[..])), &twos)
                }).unwrap().unwrap();
                assert_eq!((numbers, &pinned[..]), ([0x0202_0202; 4], &[0x0101_0101; 4][..]));
                // A stream that ends in the scope has no work behind that.
                let ended = current.scope(|scope| {
                    let lease = second.adopt(scope.lend(&mut numbers[..]));
                    drop(lease);
                    second.destroy()
                });
                ended.unwrap().unwrap();
            }).join().unwrap();
            let mut graph = std::ptr::null_mut();
            // SAFETY: the stream of the begin.
            assert_eq!(unsafe { sys::aclmdlRICaptureEnd(raw, &raw mut graph) }, 0);
            // SAFETY: the graph of the end, which nothing runs.
            assert_eq!(unsafe { sys::aclmdlRIDestroy(graph) }, 0);
        });
        other.synchronize().unwrap();
        current.synchronize_device().unwrap();
        drop((captured, other));
        drop(device);
        assert_clean(&acl);
    }

    // Lent memory outlives its stream, and a later stream of the same name uses it.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    on emulator fn a_scope_waits_for_later_streams_of_a_name_beside_a_capture() {
        bound!(acl, side, device: Npu<0>, current);
        let mut lane = current.create_parked_stream().unwrap();
        let raw = lane.with(current, |stream| stream.as_raw());
        // SAFETY: a live stream of the current context, which nothing else uses until the end below.
        let begun = unsafe { sys::aclmdlRICaptureBegin(raw, sys::ACL_MODEL_RI_CAPTURE_MODE_RELAXED) };
        assert_eq!(begun, 0);
        let mut memory = [(); 4].map(|()| current.malloc_host::<u8>(side, 4).unwrap());
        let [named, default, slot, other] = &mut memory;
        current.scope(|scope| -> Result<()> {
            let stream = current.create_stream::<Main>()?;
            let mut lent = stream.adopt(scope.lend(named));
            stream.destroy()?;
            let mut stream = current.create_stream::<Main>()?;
            let ones = stream.memset_async(stream.malloc::<u8>(4)?, 1)?;
            stream.memcpy_async(&mut lent, &ones)?;
            // A lease that takes the place of another one in a queue.
            let mut first = stream.adopt(scope.lend(slot));
            let mut second = scope.lend(other);
            std::mem::swap(stream.synchronize()?.get_mut(&mut first), &mut second);
            let threes = stream.memset_async(stream.malloc::<u8>(4)?, 3)?;
            stream.memcpy_async(&mut first, &threes)?;
            std::mem::forget(stream);
            Ok(())
        }).unwrap().unwrap();
        current.scope(|scope| -> Result<()> {
            let stream = current.default_stream()?;
            let mut lent = stream.adopt(scope.lend(default));
            drop(stream);
            let mut stream = current.default_stream()?;
            let filled = stream.memset_async(stream.malloc::<u8>(4)?, 2)?;
            stream.memcpy_async(&mut lent, &filled)?;
            std::mem::forget(stream);
            Ok(())
        }).unwrap().unwrap();
        assert_eq!(memory.each_ref().map(|memory| memory[0]), [1, 2, 0, 3]);
        let mut graph = std::ptr::null_mut();
        // SAFETY: the stream of the begin.
        assert_eq!(unsafe { sys::aclmdlRICaptureEnd(raw, &raw mut graph) }, 0);
        // SAFETY: the graph of the end, which nothing runs.
        assert_eq!(unsafe { sys::aclmdlRIDestroy(graph) }, 0);
        drop((lane, memory));
        drop(device);
        drop(acl);
    }
}
