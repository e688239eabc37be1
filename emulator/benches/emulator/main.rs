//! The cost of the emulator's calls, beside a reference that is timed in turns with them in one process.
//!
//! Figures are medians. Time depends on the machine, the ratio much less. The goals are those of a
//! shared x86-64 server with two processors. `cargo bench -p ascendcl-emulator --bench emulator`,
//! with a word behind `--` for the rows that contain it (`PoCL` for those beside it), and a number for so
//! many times the rounds.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops when something is wrong"
)]

mod calls;
mod large;
mod overlap;
mod pocl;
mod reference;
mod table;

use table::Table;

fn main() {
    pocl::prepare();
    ascendcl_emulator::install().unwrap();
    let table = Table::from_args();
    calls::check(
        // SAFETY: no pointers are involved.
        unsafe { ascendcl_sys::aclrtSetDevice(0) },
    );
    calls::rows(&table);
    large::rows(&table);
    overlap::rows(&table);
    pocl::rows(&table);
}
