//! Whole programs, typed and raw, from the streams' creation on.

mod operators;
mod pingpong;
mod pipeline;
mod round_trip;

use ascendcl::{Current, HostSide, StreamName};
use ascendcl_benches::measure::measure;
use ascendcl_benches::table::Table;

use crate::{Build, D};

/// Elements of a buffer: few, so that the host's work on them costs little.
const LEN: usize = 16;
/// The bytes of a buffer.
const BYTES: usize = LEN * size_of::<f32>();

/// A stream that uploads, or the first of two.
pub(crate) enum Upload {}
impl StreamName for Upload {}
/// A stream that computes, or the second of two.
pub(crate) enum Compute {}
impl StreamName for Compute {}
/// A stream that downloads.
pub(crate) enum Download {}
impl StreamName for Download {}

/// All rows.
/// The additional work of a program that moves events in fences.
const DROPS: &str = "the registers around the drop of an event, which forgets its fence";

pub(crate) fn table(
    current: Current<'_, '_, D>,
    host: HostSide<'_>,
    build: Build,
) -> Result<Table, Box<dyn std::error::Error>> {
    let mut up = current.create_stream::<Upload>()?;
    let mut compute = current.create_stream::<Compute>()?;
    let mut down = current.create_stream::<Download>()?;
    let raw = [up.as_raw(), compute.as_raw(), down.as_raw()];

    let bound = match build {
        Build::Lto => 1.05,
        Build::Default => 1.12,
    };
    let mut table = Table::new("whole programs", bound);
    table.row(
        "upload, compute, download",
        measure((current, host, &mut compute), round_trip::typed),
        measure(&raw, round_trip::raw),
    )?;
    table.row(
        "two streams in turns, 16 rounds",
        measure((current, &mut up, &mut compute), pingpong::typed),
        measure(&raw, pingpong::raw),
    )?;
    table.row(
        "pipeline of three streams, 16 turns",
        measure(
            (current, host, &mut up, &mut compute, &mut down),
            pipeline::typed,
        ),
        measure(&raw, pipeline::raw),
    )?;
    table.allow(32, DROPS);
    table.row(
        "operators in a row, 16",
        measure((current, &mut compute), operators::typed),
        measure(&raw, operators::raw),
    )?;
    Ok(table)
}
