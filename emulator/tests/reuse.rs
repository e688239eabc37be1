//! Memory that was freed while queued work uses it: when it can be allocated again.

#[macro_use]
mod common;

use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use ascendcl_emulator::{EmulatorConfig, take_violations};
use ascendcl_sys::*;
use common::*;

/// The bytes that a test allocates; with the padding they are two granules.
const LEN: usize = 4096;
/// The bytes that such an allocation takes.
const BLOCK: usize = 8192;
/// The byte that stale work would write.
const STALE: u8 = 0xee;

/// Ends the other thread when it is dropped, also after a failed check.
struct Over<'a>(&'a AtomicBool);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Each round allocates the only free block, while another thread runs the task of the round before, which refers to
/// the block's old owner.
#[test]
fn tasks_of_the_last_owner_never_write() {
    let _serial = serial(
        EmulatorConfig::default()
            .with_memory(2 * BLOCK)
            .with_workers(1),
    );
    check!(device.aclrtSetDevice(0));
    let (s, source) = (stream(), malloc(LEN));
    check!(memory.aclrtMemset(source, LEN, STALE.into(), LEN));
    let mut context = ptr::null_mut();
    check!(context.aclrtGetCurrentContext(&mut context));
    let (shared, context, is_over) = (s as usize, context as usize, AtomicBool::new(false));
    let mut stale = 0;
    thread::scope(|scope| {
        scope.spawn(|| {
            check!(context.aclrtSetCurrentContext(context as aclrtContext));
            while !is_over.load(Ordering::Relaxed) {
                // This also reports tasks that ran too late.
                let _ = call!(stream.aclrtSynchronizeStream(shared as aclrtStream));
            }
        });
        let _over = Over(&is_over);
        for round in 0..20_000u32 {
            let mark = (round % 100) as u8;
            // For the program the block is free, even if a task still uses it.
            let block = malloc(LEN);
            check!(memory.aclrtMemset(block, LEN, mark.into(), LEN));
            for _ in 0..2 {
                stale += download(block, LEN).iter().filter(|b| **b != mark).count();
            }
            for piece in 0..4 {
                let to = block.wrapping_byte_add(piece * 1024);
                assert_eq!(copy_async(to, source, 1024, s), 0);
            }
            check!(memory.aclrtFree(block));
            if round % 1000 == 0 {
                let _ = take_violations();
            }
        }
    });
    assert_eq!(stale, 0, "bytes");
    check!(memory.aclrtFree(source));
}
