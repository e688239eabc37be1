//! Memory at reserved addresses: it grows, and does not move.

use std::mem;

use ascendcl::error::Usage;
use ascendcl::memory::ReservedBuf;
use ascendcl::stream::Main;
use ascendcl::{Current, ErrorKind, HostSide, Npu, Queued, Result, Stream, StreamName, op};

use crate::common::{acl_with_journal, assert_clean, bound, calls, isolated, usage};

/// The unit in which the emulator has memory.
const UNIT: usize = 2 << 20;
/// The elements of `f32` in it.
const FLOATS: usize = UNIT / 4;

enum Second {}
impl StreamName for Second {}

type D = Npu<0>;

/// Queues a buffer with one element more than the first unit has room for.
fn append<'dev>(
    current: Current<'_, 'dev, D>,
    host: HostSide<'_>,
    stream: &mut Stream<'_, 'dev, D, Main>,
) -> Queued<'dev, (D, Main), ReservedBuf<'dev, D, f32>> {
    let mut numbers = stream.adopt(current.reserve_mem_address(host, 2 * FLOATS).unwrap());
    stream
        .memset_async(numbers.grow(current, FLOATS).unwrap(), 0)
        .unwrap();
    numbers
}

isolated! {
    fn only_written_elements_are_read() {
        bound!(acl, host, device: D, current);
        let mut numbers = current.reserve_mem_address::<u32>(host, 1 << 20).unwrap();
        assert_eq!((numbers.len(), numbers.capacity()), (0, 0));
        let values = current.malloc_host_from(host, &[1_u32, 2, 3]).unwrap();
        let written = current.memcpy(numbers.grow(current, 3).unwrap(), &values).unwrap();
        assert_eq!(written.len(), 3);
        // A tail that nobody writes, and a copy that is refused.
        assert!(format!("{:?}", numbers.grow(current, 5).unwrap()).starts_with("Tail("));
        let lengths = usage(current.memcpy(numbers.grow(current, 2).unwrap(), &values).map(drop));
        assert!(matches!(lengths, Usage::Length { .. }));
        assert_eq!((numbers.len(), numbers.capacity()), (3, UNIT / 4 - 8));
        let range = usage(numbers.slice(0..4).map(drop));
        assert_eq!(range, Usage::Range { start: 0, end: 4, len: 3 });
        current.memset(numbers.grow(current, 1).unwrap(), 0).unwrap();
        current.memset(numbers.slice_mut(0..1).unwrap(), 0xff).unwrap();
        let mut back = current.malloc_host::<u32>(host, 4).unwrap();
        current.memcpy(&mut back, &numbers).unwrap();
        assert_eq!(back[..], [u32::MAX, 2, 3, 0]);
        numbers.truncate(2);
        numbers.truncate(3);
        assert_eq!(numbers.len(), 2);
        current.memcpy(numbers.grow(current, 3).unwrap(), &values).unwrap();
        let mut back = current.malloc_host::<u32>(host, 5).unwrap();
        current.memcpy(&mut back, numbers.slice(0..5).unwrap()).unwrap();
        assert_eq!(back[..], [u32::MAX, 2, 1, 2, 3]);
        numbers.free().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_buffer_grows_while_queued_work_uses_it() {
        bound!(acl, host, device: D, current, stream);
        let ones = stream.memset_async(stream.malloc::<f32>(FLOATS / 2).unwrap(), 1).unwrap();
        let numbers = current.reserve_mem_address::<f32>(host, 8 * FLOATS).unwrap();
        let mut numbers = stream.adopt(numbers);
        for round in 0..8 {
            // The copies of the earlier rounds have not run yet.
            stream.memcpy_async(numbers.grow(current, FLOATS / 2).unwrap(), &ones).unwrap();
            assert_eq!(numbers.len(), (round + 1) * FLOATS / 2);
        }
        assert!(numbers.capacity() >= 4 * FLOATS);
        // Across the borders of the units.
        let all = stream.memcpy_async(stream.malloc_host(host, 4 * FLOATS).unwrap(), &numbers).unwrap();
        let idle = stream.synchronize().unwrap();
        let one = f32::from_bits(0x0101_0101);
        assert!(idle.take(all).iter().all(|number| *number == one));
        let mut numbers = idle.take(numbers);
        // So does an operator, whose output crosses one too.
        let (x, len) = (current.memset_d32(current.malloc(FLOATS).unwrap(), 2.0).unwrap(), numbers.len());
        let next = numbers.grow(current, FLOATS).unwrap().into_tensor(&[FLOATS]).unwrap();
        let twos = x.tensor(&[FLOATS]).unwrap();
        op::mul(current, &twos, &twos, next).unwrap().run(&mut stream).unwrap();
        let out = current.malloc(FLOATS).unwrap().into_tensor(&[FLOATS]).unwrap();
        let start = len - FLOATS / 4;
        let part = numbers.slice(start..start + FLOATS).unwrap();
        let out = op::mul(current, &twos, &part.tensor(&[FLOATS]).unwrap(), out).unwrap().run(&mut stream).unwrap();
        let mut back = current.malloc_host::<f32>(host, FLOATS).unwrap();
        current.memcpy(&mut back, &out).unwrap();
        assert!(back[..FLOATS / 4].iter().all(|number| *number == 2.0 * one));
        assert!(back[FLOATS / 4..].iter().all(|number| *number == 8.0));
        drop(out);
        numbers.truncate(1);
        numbers.unmap_mem().unwrap();
        assert_eq!(numbers.capacity(), FLOATS - 8);
        numbers.truncate(0);
        numbers.unmap_mem().unwrap();
        assert_eq!(numbers.capacity(), 0);
        drop((numbers, ones, stream));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn any_order_of_steps_gives_what_a_vec_has() {
        bound!(acl, host, device: D, current, stream);
        let mut state = 1_u64;
        // The upper bits of a linear generator.
        let mut below = |limit: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as usize % limit
        };
        let mut model: Vec<u8> = Vec::new();
        let mut numbers = stream.adopt(current.reserve_mem_address::<u8>(host, 4 * UNIT).unwrap());
        let room = numbers.reserved();
        for step in 0..200 {
            let additional = 1 + below(UNIT);
            match below(6) {
                0..=2 => {
                    let fits = additional <= room - model.len();
                    let grown = numbers.grow(current, additional);
                    assert_eq!(grown.is_ok(), fits);
                    if let Ok(tail) = grown {
                        stream.memset_async(tail, step as u8).unwrap();
                        model.resize(model.len() + additional, step as u8);
                    }
                }
                3 => {
                    numbers.truncate(additional);
                    model.truncate(additional);
                }
                4 => drop(numbers.map_mem(current, additional)),
                _ => {
                    let idle = stream.synchronize().unwrap();
                    idle.get_mut(&mut numbers).unmap_mem().unwrap();
                }
            }
            assert_eq!(numbers.len(), model.len());
            assert!(numbers.capacity() >= numbers.len());
            if step % 20 == 19 && !model.is_empty() {
                let back = stream.malloc_host(host, model.len()).unwrap();
                let back = stream.memcpy_async(back, &numbers).unwrap();
                assert!(stream.synchronize().unwrap().take(back)[..] == model[..]);
            }
        }
        drop((numbers, stream));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn operators_read_it_and_append_to_it() {
        bound!(acl, host, device: D, current, stream);
        let ones = stream.memset_d32_async(stream.malloc::<f32>(6).unwrap(), 1.0).unwrap();
        let mut rows = stream.adopt(current.reserve_mem_address::<f32>(host, 600).unwrap());
        for round in 0..4 {
            // The second and later ones do not begin at a multiple of 32 bytes.
            let next = rows.grow(current, 6).unwrap().into_tensor(&[2, 3]).unwrap();
            let ones = ones.tensor(&[2, 3]).unwrap();
            let plan = op::add(current, &ones, &ones, round as f32, next).unwrap();
            let part = plan.launch(&mut stream).unwrap().into_output();
            assert_eq!(part.len(), 6);
        }
        let wrong = usage(rows.grow(current, 6).unwrap().into_tensor(&[5]).map(drop));
        assert!(matches!(wrong, Usage::ShapeSize { .. }), "{wrong}");
        let wrong = usage(rows.tensor(&[5]).map(drop));
        assert!(matches!(wrong, Usage::ShapeSize { .. }), "{wrong}");
        let out = stream.malloc(24).unwrap().into_tensor(&[4, 2, 3]).unwrap();
        let out = op::neg(current, &rows.tensor(&[4, 2, 3]).unwrap(), out).unwrap();
        let out = out.launch(&mut stream).unwrap().into_output();
        let back = stream.memcpy_async(stream.malloc_host(host, 24).unwrap(), &out).unwrap();
        let idle = stream.synchronize().unwrap();
        let back = idle.take(back);
        assert_eq!((back[0], back[6], back[23]), (-1.0, -2.0, -4.0));
        // Idle, too.
        let mut rows = idle.take(rows);
        let next = rows.grow(current, 6).unwrap().into_tensor(&[6]).unwrap();
        let two = current.memset_d32(current.malloc::<f32>(6).unwrap(), 2.0).unwrap();
        let two = two.tensor(&[6]).unwrap();
        op::mul(current, &two, &two, next).unwrap().run(&mut stream).unwrap();
        assert_eq!(rows.len(), 30);
        // One operator reads what was written and appends to it.
        let (written, tail) = rows.grow(current, 30).unwrap().split_written();
        assert_eq!(written.len(), 30);
        let (written, tail) = (written.tensor(&[30]).unwrap(), tail.into_tensor(&[30]).unwrap());
        op::add(current, &written, &written, 1.0, tail).unwrap().run(&mut stream).unwrap();
        let out = current.malloc(60).unwrap().into_tensor(&[60]).unwrap();
        let out = op::abs(current, &rows.tensor(&[60]).unwrap(), out).unwrap().run(&mut stream).unwrap();
        let mut back = current.malloc_host::<f32>(host, 60).unwrap();
        current.memcpy(&mut back, &out).unwrap();
        assert_eq!((back[0], back[29], back[30], back[59]), (1.0, 4.0, 2.0, 8.0));
        // Nothing is written in front of the first element.
        rows.truncate(0);
        let (written, tail) = rows.grow(current, 1).unwrap().split_written();
        assert!(written.is_empty());
        drop(tail);
        assert!(rows.is_empty());
        drop((rows, out, ones, stream));
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn memory_that_is_dropped_in_use_is_parked() {
        bound!(acl, host, device: D, current, stream);
        let free = || current.mem_info(ascendcl::MemAttr::Hbm).unwrap().free;
        let before = free();
        drop(append(current, host, &mut stream));
        assert_eq!(ascendcl::parked_bytes(), 2 * UNIT);
        assert_eq!(free(), before - 2 * UNIT);
        stream.synchronize().unwrap();
        assert_eq!((ascendcl::parked_bytes(), free()), (0, before));
        let numbers = append(current, host, &mut stream);
        let unverified = stream.drain().unwrap().take(numbers);
        let numbers = stream.synchronize().unwrap().verify(unverified);
        assert_eq!(numbers.len(), FLOATS);
        drop(numbers);
        // Forgotten memory is leaked until the device is reset, and nothing else.
        let forgotten = append(current, host, &mut stream);
        mem::forget(forgotten);
        stream.synchronize().unwrap();
        assert_eq!(free(), before - 2 * UNIT);
        drop(stream);
    }

    fn another_stream_and_another_thread_take_it() {
        bound!(acl, host, device: D, current, stream);
        let mut second = current.create_stream::<Second>().unwrap();
        let mut event = current.create_event::<ascendcl::event::Order>().unwrap();
        let mut numbers = stream.adopt(current.reserve_mem_address::<u32>(host, 1000).unwrap());
        stream.memset_async(numbers.grow(current, 16).unwrap(), 1).unwrap();
        let mut numbers = stream.handoff(&mut second, &mut event, numbers).unwrap();
        second.memset_async(numbers.grow(current, 16).unwrap(), 2).unwrap();
        let back = second.memcpy_async(second.malloc_host(host, 32).unwrap(), &numbers).unwrap();
        let (of_first, of_second) = (stream.synchronize().unwrap(), second.synchronize().unwrap());
        let numbers = of_first.verify(of_second.take(numbers));
        let back = of_second.take(back);
        assert_eq!((back[15], back[16]), (0x0101_0101, 0x0202_0202));
        std::thread::scope(|scope| {
            scope.spawn(move || drop(numbers));
        });
        drop((event, stream, second));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn sizes_that_do_not_fit_are_refused_before_a_call() {
        let acl = acl_with_journal();
        let host = crate::common::host(&acl);
        acl.on::<D, _>(0, |current| {
        let zero = Usage::ZeroSize { len: 0, size: 4 };
        assert_eq!(usage(current.reserve_mem_address::<u32>(host, 0)), zero);
        let overflow = usage(current.reserve_mem_address::<u32>(host, usize::MAX));
        assert!(matches!(overflow, Usage::SizeOverflow { .. }));
        let overflow = usage(current.reserve_mem_address::<u8>(host, isize::MAX as usize));
        assert!(matches!(overflow, Usage::SizeOverflow { .. }));
        assert_eq!(calls("aclrtReserveMemAddress"), 0);
        // The unit of memory is no multiple of these elements, and the elements behind which an engine may read are less.
        let mut numbers = current.reserve_mem_address::<[u8; 7]>(host, 1000).unwrap();
        let (reserved, most) = (numbers.reserved(), (UNIT - 32) / 7);
        assert_eq!(reserved, most);
        assert_eq!(usage(numbers.grow(current, 0)), Usage::ZeroSize { len: 0, size: 7 });
        for additional in [most + 1, usize::MAX] {
            let full = usage(numbers.grow(current, additional));
            assert_eq!(full, Usage::ReservationFull { needed: additional, reserved });
            let text = full.to_string();
            assert!(text.contains(&reserved.to_string()) && text.contains("reserve_mem_address"), "{text}");
        }
        assert_eq!((calls("aclrtMallocPhysical"), numbers.capacity()), (0, 0));
        current.memset(numbers.grow(current, most).unwrap(), 0).unwrap();
        assert_eq!(usage(numbers.map_mem(current, 1)), Usage::ReservationFull { needed: most + 1, reserved });
        assert_eq!((calls("aclrtMallocPhysical"), calls("aclrtMapMem")), (1, 1));
        numbers.free()
        }).unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_MEMORY" = "64MiB"]
    fn memory_that_is_exhausted_leaves_the_buffer_as_it_was() {
        bound!(acl, host, device: D, current);
        let mut numbers = current.reserve_mem_address::<u8>(host, 1 << 30).unwrap();
        current.memset(numbers.grow(current, 1000).unwrap(), 7).unwrap();
        let refused = numbers.grow(current, 1 << 29).map(drop).map_err(ascendcl::Error::into_kind);
        let Err(ErrorKind::Refused(refused)) = refused else { panic!("{refused:?}") };
        assert_eq!((refused.code, refused.call), (207001, "aclrtMallocPhysical"));
        assert_eq!((numbers.len(), numbers.capacity()), (1000, UNIT - 32));
        current.memset(numbers.grow(current, 1000).unwrap(), 7).unwrap();
        drop(numbers);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtMapMem#2=507899"]
    fn a_mapping_that_fails_frees_its_memory() {
        bound!(acl, host, device: D, current);
        let free = || current.mem_info(ascendcl::MemAttr::Hbm).unwrap().free;
        let mut numbers = current.reserve_mem_address::<u8>(host, 4 * UNIT).unwrap();
        current.memset(numbers.grow(current, 1000).unwrap(), 7).unwrap();
        let before = free();
        assert!(numbers.map_mem(current, UNIT).is_err());
        assert_eq!((numbers.len(), numbers.capacity(), free()), (1000, UNIT - 32, before));
        numbers.map_mem(current, UNIT).unwrap();
        assert_eq!(numbers.capacity(), 2 * UNIT - 32);
        drop(numbers);
        assert_eq!(ascendcl::release_failures(), 0);
        assert_clean(&acl);
    }

    ["ASCENDCL_EMULATOR_FAULTS" = "aclrtUnmapMem#1=507899,aclrtFreePhysical#1=507899", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn what_is_not_released_is_reported() {
        bound!(acl, host, device: D, current);
        let fresh = || -> Result<ReservedBuf<'_, D, u8>> {
            let mut numbers = current.reserve_mem_address::<u8>(host, 4 * UNIT)?;
            numbers.map_mem(current, 1)?;
            numbers.map_mem(current, UNIT)?;
            Ok(numbers)
        };
        let mut numbers = fresh().unwrap();
        assert!(numbers.unmap_mem().is_err());
        // It is mapped still, and the next attempt unmaps it.
        assert_eq!(numbers.capacity(), 2 * UNIT - 32);
        numbers.unmap_mem().unwrap_err();
        numbers.unmap_mem().unwrap();
        assert_eq!(numbers.capacity(), 0);
        numbers.free().unwrap();
    }
}
