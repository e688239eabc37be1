//! The overlap of large copies with work of the host.

use std::hint::black_box;

use crate::calls::{copy, destroy, free, stream, synchronise};
use crate::large::touched;
use crate::table::{Goal, Table, each};

/// Size of a copy in bytes.
const LARGE: usize = 64 << 20;

/// Times two copies on two streams while the host computes; the reference does one after the other.
pub(crate) fn rows(table: &Table) {
    const NAME: &str = "2 copies of 64 MiB beside the host's work";
    if !table.wants(NAME) {
        return;
    }
    let streams = [stream(), stream()];
    let memory: Vec<_> = (0..4).map(|_| touched(LARGE)).collect();
    let &[a, b, c, d] = memory.as_slice() else {
        return;
    };
    let copies = || {
        let [one, other] = streams;
        copy(a, b, LARGE, one);
        copy(c, d, LARGE, other);
    };
    let wait = || streams.into_iter().for_each(synchronise);
    // The work of the host takes as long as the copies, so that each can hide the other.
    let alone = || {
        each(1, || {
            copies();
            wait();
        })
    };
    let turns = (alone().min(alone()) / each(TURNS, turn)) as u32;
    let compute = || {
        black_box(each(turns, turn));
    };
    table.row(
        NAME,
        Goal::Ratio(0.8),
        11,
        || {
            each(1, || {
                copies();
                compute();
                wait();
            })
        },
        || {
            each(1, || {
                copies();
                wait();
                compute();
            })
        },
    );
    streams.into_iter().for_each(destroy);
    memory.into_iter().for_each(free);
}

/// Number of turns that are timed to find the time of one.
const TURNS: u32 = 1000;

/// Does work that needs a processor and no memory. Each step depends on the one before it.
fn turn() {
    let mut value = 1u64;
    for _ in 0..1000 {
        value = black_box(value).wrapping_mul(6_364_136_223_846_793_005);
    }
    black_box(value);
}
