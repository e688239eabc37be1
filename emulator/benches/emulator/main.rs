//! The cost of the calls of the emulator, compared with a reference that is timed alternately in the same process.
//!
//! The figures are medians. The time depends on the machine; the ratio depends much less on it. The goals are those
//! of a shared x86-64 server with two processors. The command is `cargo bench -p ascendcl-emulator --bench emulator`.
//! A word after `--` selects the rows whose names contain it (`PoCL` selects the rows of PoCL); a number after the
//! word multiplies the rounds.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a benchmark prints, and stops when something is wrong"
)]

mod calls;
mod large;
mod operators;
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
    operators::rows(&table);
    overlap::rows(&table);
    pocl::rows(&table);
}
