//! The work of a rank: it adds up numbers with the others, looks at the clock, and checks the sums.

use std::time::Instant;

use ascendcl::collective::{Max, Sum};
use ascendcl::stream::Main;
use ascendcl::{Current, DeviceBuf, DeviceTag, HostSide, Queued, Stream};

use crate::Result;
use crate::ranks::{Rank, Work};
use crate::table::{bandwidths, head, row};

/// Device memory that the work of the stream uses.
type Memory<'d, D> = Queued<'d, (D, Main), DeviceBuf<'d, D, [f32]>>;

/// The numbers of a rank are its number, and a bit more for each element up to this one. Their sums are exact.
const PERIOD: usize = 16;

/// What is measured.
#[derive(Debug)]
pub(crate) struct Measure {
    /// The sizes in elements.
    pub(crate) sizes: Vec<usize>,
    pub(crate) iterations: u32,
}

impl Work for Measure {
    fn run<D: DeviceTag>(
        &self,
        current: Current<'_, '_, D>,
        host: HostSide<'_>,
        rank: &Rank,
    ) -> Result<()> {
        let comm = rank.join(current)?;
        let mut stream = current.create_stream::<Main>()?;
        let comm = stream.adopt(comm);
        rank.say(&format!("sums of f32 over {} ranks", rank.size))?;
        rank.say(&head())?;
        let mut bus = 0.0;
        for elements in self.sizes.iter().copied() {
            // All ranks begin with the same memory, so a result that nobody writes is found.
            let own: Vec<f32> = (0..elements)
                .map(|element| number(element, rank.number))
                .collect();
            let send = upload(host, &mut stream, &own)?;
            let fresh = stream.malloc(elements)?;
            // The first run connects the ranks, and writes the memory for the first time.
            let mut sums = stream.with(&comm).all_reduce(Sum, &send, fresh)?;
            stream.synchronize()?;
            let start = Instant::now();
            for _ in 0..self.iterations {
                stream.with(&comm).all_reduce(Sum, &send, &mut sums)?;
            }
            stream.synchronize()?;
            let seconds = start.elapsed().as_secs_f64() / f64::from(self.iterations);
            check(&download(current, host, &mut stream, &sums)?, rank.size)?;

            // The time of the slowest rank counts. A rank with a wrong sum does not come so far.
            // CAST: a time for the eye.
            let mut slowest = upload(host, &mut stream, &[seconds as f32])?;
            stream.with(&comm).all_reduce_in_place(Max, &mut slowest)?;
            let slowest = download(current, host, &mut stream, &slowest)?;
            let seconds = slowest.first().copied().map_or(seconds, f64::from);
            let bytes = elements * size_of::<f32>();
            bus += bandwidths(bytes, seconds, rank.size).1;
            rank.say(&row(bytes, seconds, rank.size))?;
        }
        // CAST: a few sizes.
        let average = bus / self.sizes.len() as f64;
        rank.say(&format!(
            "all sums are right on every rank; the average bus bandwidth is {average:.3} GB/s"
        ))?;
        stream.synchronize()?.take(comm).destroy()?;
        Ok(stream.destroy()?)
    }
}

/// The number of an element on a rank.
fn number(element: usize, rank: u32) -> f32 {
    // CAST: small whole numbers, which are exact.
    (element % PERIOD) as f32 + rank as f32
}

/// Checks the sums of all ranks.
fn check(sums: &[f32], ranks: u32) -> Result<()> {
    let expected = |element| (0..ranks).map(|rank| number(element, rank)).sum::<f32>();
    let expected: Vec<f32> = (0..PERIOD).map(expected).collect();
    let wrong = sums
        .iter()
        .zip(expected.iter().cycle())
        .enumerate()
        .find(|(_, (sum, expected))| sum != expected);
    match wrong {
        None => Ok(()),
        Some((element, (sum, expected))) => Err(format!(
            "sum {element} of {} is {sum} and not {expected}",
            sums.len()
        )
        .into()),
    }
}

/// Copies numbers to the device.
fn upload<'d, D: DeviceTag>(
    host: HostSide<'d>,
    stream: &mut Stream<'_, 'd, D>,
    numbers: &[f32],
) -> Result<Memory<'d, D>> {
    let staged = stream.malloc_host_from(host, numbers)?;
    let fresh: Queued<'d, (D, Main), DeviceBuf<'d, D, [f32], _>> = stream.malloc(numbers.len())?;
    Ok(stream.memcpy_async(fresh, &staged)?)
}

/// Copies numbers back, after everything that is queued.
fn download<'d, D: DeviceTag>(
    current: Current<'_, 'd, D>,
    host: HostSide<'d>,
    stream: &mut Stream<'_, 'd, D>,
    memory: &Memory<'d, D>,
) -> Result<Vec<f32>> {
    let mut here = stream.adopt(current.malloc_host(host, memory.len())?);
    stream.memcpy_async(&mut here, memory)?;
    Ok(stream.synchronize()?.take(here).to_vec())
}
