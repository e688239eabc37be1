//! The transfer of bytes from the memory of some ranks into that of others, in blocks and on several threads.
//!
//! The results are those of reading all memory before any is written, because a rank can receive into the memory that it
//! sends, or that another rank does. A block of a result depends only on the same block of the inputs. So the blocks are
//! independent if no result lies in an input of another block; other inputs are read in advance ([`separate`]).

use std::borrow::Cow;
use std::ops::Range;

use ascendcl_sys::{HcclDataType, HcclReduceOp};

use super::byte_span::ByteSpan;
use super::element::reduce;
use crate::sorted::by_number;
use crate::sync::cores::distribute;

/// The bytes of a block of a reduction, a multiple of the size of each element. Two blocks, the result and an input, fit
/// into the cache of a core.
const BLOCK: usize = 16 << 10;
/// The number of moved bytes for which another thread is worth its start.
const GRAIN: usize = 2 << 20;

/// The type of the elements, and what makes one of several.
pub(super) type Reduction = (HcclDataType, HcclReduceOp);

/// Bytes that a rank sends.
#[derive(Debug)]
pub(super) enum Input<'a> {
    /// They are in its memory.
    Here(ByteSpan<'a>),
    /// They were read.
    Read(Cow<'a, [u8]>),
}

impl Input<'_> {
    fn len(&self) -> usize {
        match self {
            Input::Here(span) => span.len(),
            Input::Read(bytes) => bytes.len(),
        }
    }

    /// Copies the bytes from `start` on, as many as `into` has.
    fn read(&self, start: usize, into: &mut [u8]) {
        match self {
            Input::Here(span) => span.read(start, into),
            Input::Read(bytes) => {
                let bytes = bytes.iter().skip(start);
                into.iter_mut()
                    .zip(bytes)
                    .for_each(|(to, from)| *to = *from);
            }
        }
    }
}

/// A result, its inputs in the order of the ranks, and the memory of all ranks that receive it.
///
/// # Invariants
///
/// - All inputs and outputs have one length.
#[derive(Debug)]
pub(super) struct Transfer<'a> {
    inputs: Vec<Input<'a>>,
    outputs: Vec<ByteSpan<'a>>,
}

/// Memory for a block of a result, and for one of an input.
#[derive(Debug, Default)]
struct Scratch {
    result: Vec<u8>,
    other: Vec<u8>,
}

impl<'a> Transfer<'a> {
    /// Returns the transfer of a result to the first rank, unless the lengths differ.
    pub(super) fn new(inputs: Vec<Input<'a>>, output: ByteSpan<'a>) -> Option<Transfer<'a>> {
        let is_one = inputs.iter().all(|input| input.len() == output.len());
        // INVARIANT: the lengths were compared.
        is_one.then(|| Transfer {
            inputs,
            outputs: vec![output],
        })
    }

    /// Adds a rank that receives the result, unless the length differs.
    pub(super) fn add(&mut self, output: ByteSpan<'a>) {
        if output.len() == self.len() {
            // INVARIANT: the lengths were compared.
            self.outputs.push(output);
        }
    }

    fn len(&self) -> usize {
        self.outputs.first().map_or(0, ByteSpan::len)
    }

    /// Copies a range of the first input.
    fn copy(&self, range: &Range<usize>) {
        for output in &self.outputs {
            match self.inputs.first() {
                Some(Input::Here(span)) => output.copy(span, range.clone()),
                Some(Input::Read(bytes)) => {
                    let bytes = bytes.get(range.clone());
                    output.write(range.start, bytes.unwrap_or_default());
                }
                None => {}
            }
        }
    }

    /// Makes one block of the blocks of all inputs. The lengths of both vectors are that of the block.
    fn reduce(&self, (dtype, op): Reduction, start: usize, scratch: &mut Scratch) {
        let Scratch { result, other } = scratch;
        for (rank, input) in self.inputs.iter().enumerate() {
            if rank == 0 {
                input.read(start, result);
            } else {
                input.read(start, other);
                reduce(dtype, op, result, other);
            }
        }
        for output in &self.outputs {
            output.write(start, result);
        }
    }

    /// Moves a range of the bytes, which begins with a block.
    fn run(&self, range: Range<usize>, block: usize, of: Option<Reduction>, scratch: &mut Scratch) {
        let Some(reduction) = of.filter(|_| self.inputs.len() > 1) else {
            return self.copy(&range);
        };
        for start in range.clone().step_by(block) {
            let len = block.min(range.end - start);
            scratch.result.resize(len, 0);
            scratch.other.resize(len, 0);
            self.reduce(reduction, start, scratch);
        }
    }
}

/// Computes and writes the results. `reduction` makes one of several inputs.
pub(super) fn run(transfers: Vec<Transfer<'_>>, reduction: Option<Reduction>) {
    run_in(transfers, reduction, (BLOCK, GRAIN));
}

/// Does so in blocks of this many bytes, and on another thread for each `grain` of moved bytes.
fn run_in(
    mut transfers: Vec<Transfer<'_>>,
    reduction: Option<Reduction>,
    (block, grain): (usize, usize),
) {
    let are_apart = separate(&mut transfers);
    // Results in the same memory are written as a whole, in the order of the ranks.
    let block = if are_apart { block } else { usize::MAX };
    let blocks_of = |transfer: &Transfer<'_>| transfer.len().div_ceil(block);
    let mut ends = Vec::with_capacity(transfers.len());
    let (mut blocks, mut moved) = (0, 0);
    for transfer in &transfers {
        blocks += blocks_of(transfer);
        moved += transfer.len() * (transfer.inputs.len() + transfer.outputs.len());
        ends.push(blocks);
    }
    let work = |range: Range<usize>| {
        let mut scratch = Scratch::default();
        let mut next = range.start;
        let first = ends.partition_point(|end| *end <= next);
        for (transfer, end) in transfers.iter().zip(&ends).skip(first) {
            if next >= range.end {
                break;
            }
            let begin = end - blocks_of(transfer);
            let last = range.end.min(*end);
            let to = (last - begin).saturating_mul(block).min(transfer.len());
            let bytes = (next - begin) * block..to;
            transfer.run(bytes, block, reduction, &mut scratch);
            next = last;
        }
    };
    if are_apart {
        distribute(blocks, blocks * grain / moved.max(1), 1, &work);
    } else {
        work(0..blocks);
    }
}

/// Reads the inputs in advance that a thread could find overwritten. Returns whether each byte is in one output only; if not,
/// all inputs are read.
fn separate(transfers: &mut [Transfer<'_>]) -> bool {
    let mut written = Vec::new();
    for (index, transfer) in transfers.iter().enumerate() {
        let outputs = transfer.outputs.iter();
        written.extend(outputs.map(|output| (output.addresses(), index)));
    }
    let written = by_number(&written, &|(addresses, _)| addresses.start);
    let are_apart = written.is_sorted_by(|(one, _), (next, _)| one.end <= next.start);
    for (index, transfer) in transfers.iter_mut().enumerate() {
        for input in &mut transfer.inputs {
            let Input::Here(span) = input else {
                continue;
            };
            let read = span.addresses();
            // A block of an output in the same place is written behind the reads of this block.
            let is_own =
                |(addresses, of): &(Range<usize>, usize)| *of == index && *addresses == read;
            if !are_apart || !near(&written, &read).all(is_own) {
                let mut bytes = vec![0; span.len()];
                span.read(0, &mut bytes);
                *input = Input::Read(Cow::Owned(bytes));
            }
        }
    }
    are_apart
}

/// Returns the outputs that share memory with a range. They are in order and apart.
fn near<'a>(
    written: &'a [(Range<usize>, usize)],
    range: &Range<usize>,
) -> impl Iterator<Item = &'a (Range<usize>, usize)> {
    let before = written.partition_point(|(addresses, _)| addresses.end <= range.start);
    let end = range.end;
    let rest = written.iter().skip(before);
    rest.take_while(move |(addresses, _)| addresses.start < end)
}

#[cfg(test)]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::indexing_slicing,
        reason = "a failed step is a failed test"
    )]
    use super::*;
    use crate::config::EmulatorConfig;
    use crate::space::Space;
    use crate::space::heap::Maker;
    use crate::space::place::{Entered, Place};
    use crate::sync::cores::tests::on;
    use ascendcl_sys::{HCCL_DATA_TYPE_FP32, HCCL_DATA_TYPE_INT16, HCCL_REDUCE_SUM};

    /// The bytes of a block here, and those for which another thread starts.
    const SIZES: (usize, usize) = (64, 256);
    /// Some blocks and a part of one.
    const LEN: usize = 20 * 64 + 6;
    const ROOM: usize = 16 << 10;
    const SUM: Option<Reduction> = Some((HCCL_DATA_TYPE_INT16, HCCL_REDUCE_SUM));

    /// Returns device memory with numbers in it, and the numbers.
    fn memory() -> (Entered, Vec<u8>) {
        let config = EmulatorConfig::default().with_memory(1 << 20);
        let space: &'static Space = Box::leak(Box::new(Space::new(&config)));
        let device = space.device(0).unwrap();
        device.open();
        let address = device.allocate(space.blocks(), ROOM, Maker::Device);
        let place = Place::new(space, address.unwrap(), ROOM).unwrap();
        let memory = place.enter(space).unwrap();
        let numbers: Vec<_> = (0..ROOM / 2)
            .flat_map(|n| (n as u16).to_ne_bytes())
            .collect();
        at(&memory, 0, ROOM).write(0, &numbers);
        (memory, numbers)
    }

    fn at(memory: &Entered, start: usize, len: usize) -> ByteSpan<'_> {
        assert!(start + len <= ROOM);
        // SAFETY: it lies in the memory.
        unsafe { ByteSpan::new(memory, start..start + len) }
    }

    fn all(memory: &Entered) -> Vec<u8> {
        let mut bytes = vec![0; ROOM];
        at(memory, 0, ROOM).read(0, &mut bytes);
        bytes
    }

    /// The places of the inputs and of the outputs of a transfer, all of one length.
    type Places<'a> = (&'a [usize], &'a [usize]);

    /// Runs transfers, and compares the memory with that of transfers that read everything before they write.
    fn check(plans: &[Places<'_>], len: usize, reduction: Option<Reduction>) {
        let (memory, before) = memory();
        let mut expected = before.clone();
        for (inputs, outputs) in plans {
            let inputs = inputs
                .iter()
                .map(|start| before[*start..start + len].to_vec());
            let sum = inputs.reduce(|mut sum, other| {
                let (dtype, op) = reduction.unwrap();
                reduce(dtype, op, &mut sum, &other);
                sum
            });
            for start in *outputs {
                expected[*start..start + len].copy_from_slice(sum.as_ref().unwrap());
            }
        }
        for cores in [1, 2, 5] {
            at(&memory, 0, ROOM).write(0, &before);
            let transfers = plans.iter().map(|(inputs, outputs)| {
                let at = |start: &usize| at(&memory, *start, len);
                let inputs = inputs.iter().map(at).map(Input::Here).collect();
                let mut outputs = outputs.iter().map(at);
                let mut transfer = Transfer::new(inputs, outputs.next().unwrap()).unwrap();
                outputs.for_each(|output| transfer.add(output));
                transfer
            });
            on(cores, || run_in(transfers.collect(), reduction, SIZES));
            assert!(
                all(&memory) == expected,
                "{plans:?} of {len} bytes on {cores} cores"
            );
        }
    }

    #[test]
    fn sums_in_place_and_apart_are_those_of_whole_buffers() {
        let (a, b, c, d) = (0, LEN, 2 * LEN, 3 * LEN);
        for len in [2, 64, 66, LEN] {
            check(&[(&[a, b], &[a, b])], len, SUM);
            check(&[(&[a, b, c], &[c])], len, SUM);
            check(&[(&[a, b, c], &[d, a, 4 * LEN])], len, SUM);
            check(
                &[(&[a, b], &[c]), (&[a, c], &[b]), (&[b, c], &[a])],
                len,
                SUM,
            );
            check(&[(&[a], &[b]), (&[a], &[c]), (&[a], &[a])], len, None);
        }
    }

    #[test]
    fn memory_that_overlaps_by_a_part_is_read_before_it_is_written() {
        let far = 4 * LEN;
        for shift in [2, 62, 64, 3 * 64 + 6, LEN - 2] {
            // Forwards, backwards, and over two inputs.
            check(&[(&[0, far], &[shift])], LEN, SUM);
            check(&[(&[shift, far], &[0])], LEN, SUM);
            check(&[(&[0, LEN], &[shift, far])], LEN, SUM);
            check(&[(&[0], &[shift])], LEN, None);
            check(&[(&[shift], &[0])], LEN, None);
            // Another transfer writes there.
            check(&[(&[0], &[far]), (&[far + shift], &[0])], LEN, None);
            check(
                &[(&[0, LEN], &[far]), (&[far, LEN], &[far + LEN + shift])],
                LEN,
                SUM,
            );
        }
    }

    #[test]
    fn of_results_in_one_place_the_last_one_stays() {
        let (c, far) = (2 * LEN, 4 * LEN);
        for shift in [0, 2, 64, 66] {
            check(&[(&[0, LEN], &[c, c + shift])], LEN, SUM);
            check(&[(&[0, LEN], &[c + shift, c])], LEN, SUM);
            check(&[(&[0], &[c]), (&[LEN], &[c + shift])], LEN, None);
            check(&[(&[0], &[far + shift]), (&[LEN], &[far])], LEN, None);
        }
    }

    #[test]
    fn bytes_of_other_processes_are_added_in_the_order_of_the_ranks() {
        let (memory, _) = memory();
        let bytes = |number: f32| number.to_ne_bytes().repeat(35);
        let (here, there, last) = (bytes(-1e8), bytes(1e8), bytes(1.0));
        let place = || at(&memory, 0, here.len());
        for (order, sum) in [([0, 1, 2], 1.0_f32), ([1, 2, 0], 0.0), ([2, 0, 1], 0.0)] {
            place().write(0, &here);
            let inputs = order.map(|rank| match rank {
                0 => Input::Here(place()),
                1 => Input::Read(Cow::Borrowed(&there)),
                _ => Input::Read(Cow::Borrowed(&last)),
            });
            let transfer = Transfer::new(inputs.into(), place()).unwrap();
            let sums = Some((HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM));
            run_in(vec![transfer], sums, SIZES);
            let mut result = vec![0; here.len()];
            place().read(0, &mut result);
            assert!(result == bytes(sum), "{order:?}");
        }
    }

    #[test]
    fn what_has_another_length_takes_no_part() {
        let (memory, before) = memory();
        let input = || vec![Input::Here(at(&memory, 0, 8))];
        assert!(Transfer::new(input(), at(&memory, 8, 4)).is_none());
        let mut transfer = Transfer::new(input(), at(&memory, 8, 8)).unwrap();
        transfer.add(at(&memory, 100, 4));
        run(vec![transfer], None);
        let expected = [&before[..8], &before[..8], &before[16..]].concat();
        assert!(all(&memory) == expected);
    }
}
