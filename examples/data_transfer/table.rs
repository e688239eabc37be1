//! The table of allocations.

use std::fmt;

use ascendcl::bounds::{Elements, Place};
use ascendcl::memory::Buf;

/// One row for each allocation.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

struct Row {
    domain: &'static str,
    call: &'static str,
    bytes: usize,
    alignment: usize,
}

impl Table {
    /// Adds a buffer of `domain` that `call` allocated.
    pub(crate) fn row<M: Place, E: Elements<Element = u8> + ?Sized, I>(
        &mut self,
        domain: &'static str,
        call: &'static str,
        buffer: &Buf<'_, M, E, I>,
    ) {
        let address = buffer.as_raw().addr();
        // Alignment beyond a page is accidental.
        let alignment = (1 << address.trailing_zeros().min(12)) as usize;
        self.rows.push(Row {
            domain,
            call,
            bytes: buffer.len(),
            alignment,
        });
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<16} {:<16} {:>11} {:>15}",
            "memory", "allocated by", "bytes", "aligned to"
        )?;
        for Row {
            domain,
            call,
            bytes,
            alignment,
        } in &self.rows
        {
            writeln!(f, "{domain:<16} {call:<16} {bytes:>11} {alignment:>15}")?;
        }
        writeln!(f)
    }
}
