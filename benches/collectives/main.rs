//! All-reduce on the emulator: beside gloo and the memory, and over the number of ranks.
//!
//! ```text
//! cargo bench --package ascendcl-collectives
//! cargo bench --package ascendcl-collectives -- gloo
//! cargo bench --package ascendcl-collectives -- ranks
//! ```
//!
//! Ranks of the emulator are threads, and those of gloo are processes of PyTorch. `ASCENDCL_BENCH_PYTHON` names a
//! Python that has it. Both add up single-precision numbers in place, and wait for each sum. The two are measured by
//! turns, so other work on the machine changes the ratio less than the times. It says nothing about a card.
#![expect(clippy::print_stdout, reason = "a benchmark prints")]

use std::time::Duration;

use ascendcl::Acl;
use ascendcl::emulator::EmulatorConfig;
use ascendcl_collectives::gloo::Group as Gloo;
use ascendcl_collectives::memory::{copy, processor, resident};
use ascendcl_collectives::ranks::with_ranks;
use ascendcl_collectives::{Result, median};

/// The most ranks.
const MOST: u32 = 64;
/// The rounds of a median.
const ROUNDS: usize = 7;
/// The sums of a few bytes in a round.
const ITERATIONS: u32 = 200;
/// A round takes about as long as a sum of this many bytes.
const BYTES: usize = 64 << 20;

fn main() -> Result<()> {
    // Cargo passes `--bench`, too.
    let word = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    let is_chosen = |name| word.as_deref().is_none_or(|word| word == name);
    let config = EmulatorConfig::default()
        .with_devices(MOST)
        .with_rank_timeout(Duration::from_secs(60));
    let acl = Acl::emulator(config)?;
    if is_chosen("ranks") {
        over_ranks(&acl)?;
    }
    if is_chosen("gloo") {
        for ranks in [2, 4] {
            beside_gloo(&acl, ranks)?;
        }
    }
    Ok(acl.finalize()?)
}

/// Prints the cost of a rank over the number of ranks.
fn over_ranks(acl: &Acl) -> Result<()> {
    println!(
        "{:>6} {:>12} {:>14} {:>14} {:>14} {:>14}",
        "ranks", "joined", "KiB per rank", "4 B", "CPU per rank", "64 KiB"
    );
    for ranks in [2, 4, 8, 16, 32, MOST] {
        let before = resident();
        with_ranks(acl, ranks, |group| {
            let each = resident().saturating_sub(before) / u64::from(ranks);
            let used = processor();
            let small = rounds(|| Ok(group.sum(1, ITERATIONS)? / f64::from(ITERATIONS)))?;
            let sums = f64::from(ITERATIONS) * ROUNDS as f64;
            let each_rank = (processor() - used) / sums / f64::from(ranks);
            let large = rounds(|| Ok(group.sum(16 << 10, 20)? / 20.0))?;
            println!(
                "{ranks:>6} {:>9.2} ms {each:>14} {:>11.2} us {:>11.2} us {:>11.2} us",
                group.joined * 1e3,
                small * 1e6,
                each_rank * 1e6,
                large * 1e6,
            );
            Ok(())
        })?;
    }
    Ok(())
}

/// Prints the times of an all-reduce of each size beside those of gloo, and beside a copy for each rank.
fn beside_gloo(acl: &Acl, ranks: u32) -> Result<()> {
    let mut gloo = Gloo::start(ranks)?;
    println!(
        "\n{ranks} ranks, gloo of PyTorch {}\n{:>12} {:>14} {:>14} {:>8} {:>14} {:>8}",
        gloo.version, "bytes", "emulator", "gloo", "ratio", "copies", "ratio"
    );
    with_ranks(acl, ranks, |group| {
        let sizes = std::iter::successors(Some(4_usize), |bytes| Some(bytes * 4));
        // Up to 256 MiB.
        for bytes in sizes.take(14) {
            let elements = bytes / size_of::<f32>();
            let iterations = u32::try_from((BYTES / bytes).clamp(1, 200))?;
            let (mut ours, mut theirs, mut copies) = (Vec::new(), Vec::new(), Vec::new());
            for _ in 0..ROUNDS {
                ours.push(group.sum(elements, iterations)? / f64::from(iterations));
                theirs.push(gloo.sum(elements, iterations)? / f64::from(iterations));
                copies.push(copy(elements, iterations) * f64::from(ranks));
            }
            let by_turns = |of: &[f64]| {
                let ratios = ours.iter().zip(of).map(|(ours, of)| ours / of);
                median(ratios.collect())
            };
            let (to_gloo, to_copies) = (by_turns(&theirs), by_turns(&copies));
            println!(
                "{bytes:>12} {:>11.2} us {:>11.2} us {to_gloo:>8.2} {:>11.2} us {to_copies:>8.2}",
                median(ours) * 1e6,
                median(theirs) * 1e6,
                median(copies) * 1e6,
            );
        }
        Ok(())
    })
}

/// The median of some rounds.
fn rounds(mut round: impl FnMut() -> Result<f64>) -> Result<f64> {
    let values = (0..ROUNDS).map(|_| round());
    Ok(median(values.collect::<Result<Vec<_>>>()?))
}
