//! Copies of many buffers by one call, and reductions of one buffer into another.

use ascendcl::error::Usage;
use ascendcl::queue::ReduceKind;
use ascendcl::{Npu, Result, sys};

use crate::common::{
    acl_with_journal, assert_clean, assert_refused, bound, calls, host, isolated, usage,
};

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_batch_is_one_call_in_each_direction() {
        let acl = acl_with_journal();
        let side = host(&acl);
        let mut thread = ascendcl::Thread::claim().unwrap();
        let device = acl.set_device::<Npu<0>>(&mut thread, 0).unwrap();
        let current = thread.set_current(&device).unwrap();
        let rows: Vec<_> = (1..=4_u32)
            .map(|len| current.malloc_host_from(side, &vec![len; len as usize]).unwrap())
            .collect();
        let fresh = rows.iter().map(|row| (current.malloc(row.len()).unwrap(), row));
        let on_device = current.memcpy_batch(fresh).unwrap();
        let mut back: Vec<_> =
            rows.iter().map(|row| current.malloc_host::<u32>(side, row.len()).unwrap()).collect();
        current.memcpy_batch(back.iter_mut().zip(&on_device)).unwrap();
        for (back, row) in back.iter().zip(&rows) {
            assert_eq!(back[..], row[..]);
        }
        assert_eq!((calls("aclrtMemcpyBatch"), calls("aclrtMemcpy")), (2, 0));
        // Parts are operands too, and those of no elements are left out.
        let (first, last) = (&rows[3], &on_device[3]);
        let mut target = current.memset(current.malloc::<u32>(4).unwrap(), 0).unwrap();
        let parts = [
            (target.slice_mut(0..0).unwrap(), first.slice(0..0).unwrap()),
        ];
        current.memcpy_batch(parts).unwrap();
        let (left, right) = target.split_at_mut(2).unwrap();
        current.memcpy_batch([(left, first.slice(0..2).unwrap()), (right, first.slice(2..4).unwrap())]).unwrap();
        let mut all = current.malloc_host::<u32>(side, 4).unwrap();
        current.memcpy_batch([(&mut all, &target)]).unwrap();
        assert_eq!(all[..], [4; 4]);
        assert_eq!(calls("aclrtMemcpyBatch"), 4);
        let wrong = current.memcpy_batch([(&mut all, last), (&mut back[0], last)]);
        assert!(matches!(usage(wrong), Usage::Length { .. }));
        assert_eq!(calls("aclrtMemcpyBatch"), 4);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_queued_batch_is_in_the_order_of_its_stream() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let pool = current.create_pool(0).unwrap();
        let mut round = |value: u32| -> Result<()> {
            let rows = [
                stream.malloc_host_from(side, &[value; 3])?,
                stream.malloc_host_from(side, &[value + 1; 5])?,
            ];
            // Memory of a pool takes part as other memory does.
            let fresh = rows.iter().map(|row| Ok((stream.malloc_from(&pool, row.len())?, row)));
            let fresh = fresh.collect::<Result<Vec<_>>>()?;
            let on_device = stream.memcpy_batch_async(fresh)?;
            let fresh = on_device.iter().map(|row| Ok((stream.malloc_host(side, row.len())?, row)));
            let fresh = fresh.collect::<Result<Vec<_>>>()?;
            let mut back = stream.memcpy_batch_async(fresh)?.into_iter();
            let idle = stream.synchronize()?;
            assert_eq!(idle.take(back.next().unwrap())[..], [value; 3]);
            assert_eq!(idle.take(back.next().unwrap())[..], [value + 1; 5]);
            Ok(())
        };
        round(5).unwrap();
        round(7).unwrap();
        stream.synchronize().unwrap();
        drop(stream);
        drop(pool);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtMemcpyBatchAsync#1=507899,aclrtMemcpyBatch#1=507899"]
    fn a_refused_batch_parks_its_fresh_memory() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let row = stream.malloc_host_from(side, &[1_u8; 64]).unwrap();
        let fresh = [(stream.malloc(64).unwrap(), &row), (stream.malloc(64).unwrap(), &row)];
        assert_refused(stream.memcpy_batch_async(fresh).map(drop), 507899);
        assert_eq!(ascendcl::parked_bytes(), 128);
        let row = stream.synchronize().unwrap().take(row);
        assert_eq!(ascendcl::parked_bytes(), 0);
        assert_refused(current.memcpy_batch([(current.malloc(64).unwrap(), &row)]).map(drop), 507899);
        drop(stream);
        assert_clean(&acl);
    }

    fn a_reduction_combines_each_element() {
        bound!(acl, side, device: Npu<0>, current, stream);
        let numbers = stream.malloc_host_from(side, &[1.0_f32, -2.0, 3.5]).unwrap();
        let part = stream.memcpy_async(stream.malloc(3).unwrap(), &numbers).unwrap();
        let mut all = stream.memset_async(stream.malloc::<f32>(3).unwrap(), 0).unwrap();
        stream.reduce_async(&mut all, &part, ReduceKind::Sum).unwrap();
        stream.reduce_async(&mut all, &part, ReduceKind::Sum).unwrap();
        stream.reduce_async(&mut all, &part, ReduceKind::Max).unwrap();
        stream.reduce_async(all.slice_mut(2..3).unwrap(), part.slice(1..2).unwrap(), ReduceKind::Min).unwrap();
        stream.reduce_async(all.slice_mut(1..1).unwrap(), part.slice(1..1).unwrap(), ReduceKind::Sum).unwrap();
        let back = stream.memcpy_async(stream.malloc_host(side, 3).unwrap(), &all).unwrap();
        let wrong = stream.reduce_async(&mut all, part.slice(0..2).unwrap(), ReduceKind::Sum);
        assert!(matches!(usage(wrong), Usage::Length { .. }));
        assert_eq!(stream.synchronize().unwrap().take(back)[..], [2.0, -2.0, -2.0]);
        let ones = stream.memset_async(stream.malloc_as::<[i8; 4]>().unwrap(), 1).unwrap();
        let mut sums = stream.memset_async(stream.malloc_as::<[i8; 4]>().unwrap(), 2).unwrap();
        stream.reduce_async(&mut sums, &ones, ReduceKind::Sum).unwrap();
        let back = stream.memcpy_async(stream.malloc_host_as::<[i8; 4]>(side).unwrap(), &sums).unwrap();
        assert_eq!(stream.synchronize().unwrap().take(back)[..], [3; 4]);
        drop(stream);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtReduceAsync#1=207000"]
    fn a_product_without_a_reduction_says_so() {
        bound!(acl, device: Npu<0>, current, stream);
        let ones = stream.memset_async(stream.malloc::<i32>(4).unwrap(), 1).unwrap();
        let mut sums = stream.memset_async(stream.malloc::<i32>(4).unwrap(), 1).unwrap();
        let refused = stream.reduce_async(&mut sums, &ones, ReduceKind::Sum);
        assert_refused(refused, sys::ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
        drop((ones, sums, stream));
        assert_clean(&acl);
    }
}
