//! Steps with memory that grows as Rust.

use super::{LENGTH, Printer};
use crate::program::{ACL, Name, Op, Step};

/// The largest number of elements, and a number that needs more than one unit of memory.
const RESERVED: usize = 1 << 21;
const MAPPED: usize = 1 << 20;

impl Printer {
    /// A step with memory that grows. `result` is the head of the line for its result.
    pub(super) fn reserved(&self, step: &Step, result: &str) -> String {
        let of = |index: usize| step.of.get(index).copied().unwrap_or(ACL);
        let (a, b, c, d) = (of(0), of(1), of(2), of(3));
        let target = |name: Name| match step.to.first() {
            Some(_) => name.to_string(),
            None => self.exclusive(name),
        };
        match step.op {
            Op::ReserveMem => {
                let x = step.to.first().copied().unwrap_or(ACL);
                format!("let mut {x} = {a}.reserve_mem_address::<i32>(host, {RESERVED})?;")
            }
            Op::MapMem => format!("{b}.map_mem({a}, {MAPPED})?;"),
            Op::GrowFilled => format!("{a}.memset({b}.grow({a}, {LENGTH})?, 7)?;"),
            Op::GrowCopied => {
                let from = self.shared(c);
                format!("{a}.memcpy({b}.grow({a}, {LENGTH})?, {from})?;")
            }
            Op::GrowFilledOn => format!("{a}.memset_async({c}.grow({b}, {LENGTH})?, 7)?;"),
            Op::GrowCopiedOn => {
                let from = self.shared(d);
                format!("{a}.memcpy_async({c}.grow({b}, {LENGTH})?, {from})?;")
            }
            Op::ReadTail => {
                let to = self.exclusive(c);
                format!("{a}.memcpy_async({to}, {d}.grow({b}, {LENGTH})?)?;")
            }
            Op::ReadGrown { piece } => {
                let to = target(b);
                format!("{result}{a}.memcpy({to}, {c}.slice({})?)?;", range(piece))
            }
            Op::ReadGrownOn { piece } => {
                let to = target(b);
                format!(
                    "{result}{a}.memcpy_async({to}, {c}.slice({})?)?;",
                    range(piece)
                )
            }
            Op::WriteGrownOn { piece } => {
                format!("{a}.memset_async({b}.slice_mut({})?, 7)?;", range(piece))
            }
            Op::Truncate { to } => format!("{a}.truncate({});", usize::from(to) * LENGTH),
            _ => format!("{a}.unmap_mem()?;"),
        }
    }
}

/// The elements of a piece.
fn range(piece: u8) -> String {
    let first = usize::from(piece) * LENGTH;
    format!("{first}..{}", first + LENGTH)
}
