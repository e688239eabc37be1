//! Memory that several streams read.

use ascendcl::event::Order;
use ascendcl::{MemAttr, Npu, StreamName, op};

use crate::common::{assert_clean, bound, isolated};

enum Second {}
impl StreamName for Second {}

isolated! {
    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn two_streams_read_what_one_has_written() {
        bound!(acl, device: Npu<0>, current, a);
        let mut b = current.create_stream::<Second>().unwrap();
        let written = a.memset_d32_async(a.adopt(current.malloc::<f32>(16).unwrap()), 1.0).unwrap();
        let fence = a.fence(current.create_event::<Order>().unwrap(), written.share()).unwrap();
        let on_b = b.wait_shared(&fence).unwrap();
        let again_on_b = on_b.clone();
        let (on_a, _event) = fence.cancel();
        let copy = b.memcpy_async(b.adopt(current.malloc::<f32>(16).unwrap()), &on_b).unwrap();
        // As an operand too.
        let out = a.adopt(current.malloc::<f32>(16).unwrap()).into_tensor(&[16]).unwrap();
        let shared = on_a.tensor(&[16]).unwrap();
        let plan = op::add(current, &shared, &shared, 1.0, out).unwrap();
        let sum = plan.launch(&mut a).unwrap().into_output();
        let idle = b.synchronize().unwrap();
        let copy = idle.take(copy);
        let (first, second) = (idle.take(on_b), idle.take(again_on_b));
        let idle = a.synchronize().unwrap();
        let (first, second) = (idle.verify(first), idle.verify(second));
        let (last, sum) = (idle.take(on_a), idle.take(sum));
        let mut seen = current.malloc_local::<f32, 64>(16).unwrap();
        for (buf, number) in [(&copy, 1.0), (&sum, 2.0), (&*last, 1.0)] {
            current.memcpy(&mut seen, buf).unwrap();
            assert_eq!(seen[..], [number; 16]);
        }
        // The last reader turns it back, and no other.
        let first = first.try_unwrap().expect_err("three readers");
        drop((first, second));
        last.try_unwrap().expect("the last reader").free().unwrap();
        drop((a, b));
        drop((copy, sum, seen));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn two_streams_read_memory_that_has_grown() {
        bound!(acl, side, device: Npu<0>, current, a);
        let mut b = current.create_stream::<Second>().unwrap();
        let mut rows = a.adopt(current.reserve_mem_address::<f32>(side, 1000).unwrap());
        a.memset_d32_async(rows.grow(current, 16).unwrap(), 1.0).unwrap();
        let fence = a.fence(current.create_event::<Order>().unwrap(), rows.share()).unwrap();
        let on_b = b.wait_shared(&fence).unwrap();
        let (on_a, _event) = fence.cancel();
        let copy = b.memcpy_async(b.malloc_host(side, 16).unwrap(), &on_b).unwrap();
        let out = a.malloc::<f32>(16).unwrap().into_tensor(&[2, 8]).unwrap();
        let shared = on_a.tensor(&[2, 8]).unwrap();
        let sum = op::add(current, &shared, &shared, 1.0, out).unwrap().launch(&mut a).unwrap().into_output();
        let idle = b.synchronize().unwrap();
        assert_eq!(idle.take(copy)[..], [1.0; 16]);
        drop(idle.take(on_b));
        let idle = a.synchronize().unwrap();
        let mut seen = current.malloc_local::<f32, 64>(16).unwrap();
        current.memcpy(&mut seen, &idle.take(sum)).unwrap();
        assert_eq!(seen[..], [2.0; 16]);
        // It grows again behind its last reader.
        let mut rows = idle.take(on_a).try_unwrap().expect("the last reader");
        current.memset(rows.grow(current, 16).unwrap(), 0).unwrap();
        assert_eq!(rows.len(), 32);
        drop((a, b, seen, rows));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_reader_that_was_dropped_while_queued_keeps_the_memory_shared() {
        bound!(acl, device: Npu<0>, current, a);
        let mut b = current.create_stream::<Second>().unwrap();
        let before = current.mem_info(MemAttr::Hbm).unwrap().free;
        let written = a.memset_async(a.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap();
        let fence = a.fence(current.create_event::<Order>().unwrap(), written.share()).unwrap();
        let on_b = b.wait_shared(&fence).unwrap();
        let copy = b.memcpy_async(b.adopt(current.malloc::<u8>(64).unwrap()), &on_b).unwrap();
        drop(on_b); // while the copy is queued
        let (on_a, _event) = fence.cancel();
        let last = a.synchronize().unwrap().take(on_a);
        let last = last.try_unwrap().expect_err("the copy may be reading it");
        let shared = current.mem_info(MemAttr::Hbm).unwrap().free;
        drop(last); // parked, not freed: the copy still runs
        assert_eq!(current.mem_info(MemAttr::Hbm).unwrap().free, shared);
        drop(b.synchronize().unwrap().take(copy));
        assert_eq!(current.mem_info(MemAttr::Hbm).unwrap().free, before);
        drop((a, b));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_forgotten_reader_only_leaks() {
        bound!(acl, device: Npu<0>, current, a);
        let written = a.memset_async(a.adopt(current.malloc::<u8>(64).unwrap()), 1).unwrap();
        let shared = written.share();
        std::mem::forget(shared.clone());
        let last = a.synchronize().unwrap().take(shared);
        let last = last.try_unwrap().expect_err("a forgotten reader counts");
        drop((last, a));
        assert_clean(&acl);
    }
}
