//! Devices that are opened and reset on several threads, with memory that is queued, dropped, shared and given to
//! peers.
//!
//! `ASCENDCL_STORM_ROUNDS` sets the number of rounds.

use std::sync::atomic::{AtomicU64, Ordering};

use ascendcl::error::Usage;
use ascendcl::event::Order;
use ascendcl::stream::Main;
use ascendcl::{
    Acl, Current, DeviceBuf, DeviceTag, ErrorKind, Result, StreamName, Thread, release_failures,
};

use crate::common::{acl, assert_clean, host, isolated};

enum Second {}
impl StreamName for Second {}

const DEVICES: u32 = 4;
const THREADS: u64 = 8;
const ROUNDS: u64 = 300;

/// The number of forgotten contexts.
static FORGOTTEN: AtomicU64 = AtomicU64::new(0);

/// A thread's share of the work on one device: a number chooses which kind.
fn work<D: DeviceTag>(current: Current<'_, '_, D>, kind: u64) -> Result<()> {
    let mut stream = current.create_stream::<Main>()?;
    let fresh = stream.adopt(current.malloc::<u32>(64)?);
    let queued = stream.memset_async(fresh, 1)?;
    match kind % 6 {
        0 => drop(queued),
        1 => {
            drop(queued);
            current.synchronize_device()?;
        }
        2 => {
            let mut other = current.create_stream::<Second>()?;
            let mut event = current.create_event::<Order>()?;
            let fence = stream.fence(&mut event, queued.share())?;
            drop(other.wait_shared(&fence)?);
            drop(fence);
            other.synchronize()?;
        }
        3 => {
            drop(queued);
            std::mem::forget(stream);
        }
        4 => {
            // Many, so that freeing them takes a while.
            for _ in 0..32 {
                let fresh = stream.adopt(current.malloc::<u32>(64)?);
                drop(stream.memset_async(fresh, 2)?);
            }
            drop(queued);
            stream.synchronize()?;
        }
        _ => {
            let block = current.malloc_block(4096)?;
            let piece = stream.adopt(block.piece::<u32>(16)?);
            drop(stream.memset_async(piece, 3)?);
            drop(queued);
        }
    }
    Ok(())
}

/// Opens a device that no other thread has, works on it, and resets it. Returns whether there was one.
fn open_and_work(acl: &Acl, thread: &mut Thread, id: u32, kind: u64) -> bool {
    let worked = acl.with_device(thread, id, |device, thread| {
        // Memory of this thread alone: whatever others free, it keeps what was written.
        let current = thread.set_current(&device).unwrap();
        let own = current
            .memset(current.malloc::<u8>(256).unwrap(), 7)
            .unwrap();
        work(current, kind).unwrap();
        if kind.is_multiple_of(5) {
            let context = device.create_context::<1>(thread).unwrap();
            work(thread.set_current_context(&context).unwrap(), kind / 5).unwrap();
            // A forgotten context keeps its default stream, of which a device has so many; and the checker calls it a
            // leak.
            let is_checked =
                std::env::var_os("ASCENDCL_EMULATOR_CHECK").is_some_and(|on| on != "0");
            if kind.is_multiple_of(10)
                && !is_checked
                && FORGOTTEN.fetch_add(1, Ordering::Relaxed) < 400
            {
                std::mem::forget(context);
            }
        }
        let current = thread.set_current(&device).unwrap();
        assert_eq!(sum(acl, current, &own), 7 * 256);
        own.free().unwrap();
        device.reset().unwrap();
    });
    match worked.map_err(ascendcl::Error::into_kind) {
        Ok(()) => true,
        Err(ErrorKind::Usage(Usage::DeviceTaken { .. })) => false,
        Err(other) => panic!("{other}"),
    }
}

/// The sum of the bytes of a buffer.
fn sum<D: DeviceTag>(acl: &Acl, current: Current<'_, '_, D>, buf: &DeviceBuf<'_, D, [u8]>) -> u64 {
    let mut bytes = current.malloc_host::<u8>(host(acl), buf.len()).unwrap();
    current.memcpy(&mut bytes, buf).unwrap();
    bytes.iter().copied().map(u64::from).sum()
}

isolated! {
    ["ASCENDCL_EMULATOR_DEVICES" = "4"]
    fn devices_without_slots_come_and_go_on_many_threads() {
        let acl = acl();
        let rounds = std::env::var("ASCENDCL_STORM_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().unwrap());
        let opened = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for number in 0..THREADS {
                let (acl, opened) = (&acl, &opened);
                scope.spawn(move || {
                    let mut thread = Thread::claim().unwrap();
                    let mut kind = number;
                    let mut done = 0;
                    while done < rounds {
                        let id = u32::try_from(kind % u64::from(DEVICES)).unwrap();
                        if open_and_work(acl, &mut thread, id, kind) {
                            done += 1;
                            opened.fetch_add(1, Ordering::Relaxed);
                        } else {
                            std::thread::yield_now();
                        }
                        kind = kind.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407) >> 3;
                    }
                });
            }
        });
        assert_eq!(opened.load(Ordering::Relaxed), THREADS * rounds);
        assert_eq!(release_failures(), 0);
        assert_clean(&acl);
    }
}
