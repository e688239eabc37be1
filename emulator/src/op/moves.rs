//! Moves of elements from one tensor to another. The type of the elements does not matter, only their size.

use core::marker::PhantomData;

use super::call::{Input, Output};
use super::number::Whole;
use super::pass::GRAIN;
use super::rule::at;
use super::shape::{Dims, Loop, Nest};
use super::view::Views;
use crate::sync::cores::distribute;

/// The rows and columns that are exchanged at a time. As many elements of 4 bytes are a line of the cache.
const TILE: usize = 16;

/// The offset of an element that does not exist.
pub(super) const NOWHERE: usize = usize::MAX;

/// An element of any size whose bits are 0.
const ZERO: [u8; 8] = [0; 8];

/// Elements to move: the loops over them, and the offsets of the first one in both tensors.
#[derive(Debug, Clone)]
pub(super) struct Part {
    nest: Nest<1>,
    from: usize,
    to: usize,
}

impl Part {
    /// Makes a part of its loops. A negative distance is in two's complement.
    pub(super) fn new(loops: &[Loop<1>], from: usize, to: usize) -> Self {
        let nest = Nest::of_loops(loops);
        Self { nest, from, to }
    }

    /// Makes the part that moves each element of a tensor to the same position of another one.
    pub(super) fn whole(input: &Input, out: &Output) -> Self {
        let from = input.tensor.strides_in(&out.tensor.shape);
        Self::between(out, &from)
    }

    /// Makes the part that moves one element to all positions of a tensor.
    pub(super) fn filled(out: &Output) -> Self {
        Self::between(out, &out.tensor.shape.repeated())
    }

    fn between(out: &Output, from: &Dims) -> Self {
        let to = out.tensor.strides.as_slice();
        Self::new(&Loop::of(out.shape(), from.as_slice(), to), 0, 0)
    }
}

/// Indices along one dimension that move together.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub(super) count: usize,
    /// The first index in the source, and the distance to the next one in two's complement.
    pub(super) from: usize,
    pub(super) step: usize,
    /// The first index in the target.
    pub(super) to: usize,
}

impl Segment {
    /// No indices.
    pub(super) const NONE: Self = Self {
        count: 0,
        from: 0,
        step: 1,
        to: 0,
    };

    /// Returns this segment alone.
    pub(super) fn alone(self) -> [Self; 3] {
        [self, Self::NONE, Self::NONE]
    }

    /// Returns the segment of so many indices that stay the same.
    pub(super) fn same(count: usize) -> Self {
        Self {
            count,
            ..Self::NONE
        }
    }

    /// Returns the segment of so many indices in the opposite order, from `from` on down.
    pub(super) fn backwards(count: usize, from: usize) -> Self {
        Self {
            from,
            step: 1usize.wrapping_neg(),
            ..Self::same(count)
        }
    }
}

/// Returns the parts that the segments of all dimensions are together. `segments` gives those of a dimension; one without
/// indices is none. `strides` are those of the source and of the target.
pub(super) fn combined(
    strides: [&[usize]; 2],
    segments: &dyn Fn(usize) -> [Segment; 3],
) -> Vec<Part> {
    let mut parts = Vec::new();
    combine(strides, segments, &mut Vec::new(), [0; 2], &mut parts);
    parts
}

/// Adds the parts that begin with these loops and at these offsets.
fn combine(
    strides: [&[usize]; 2],
    segments: &dyn Fn(usize) -> [Segment; 3],
    loops: &mut Vec<Loop<1>>,
    [from, to]: [usize; 2],
    parts: &mut Vec<Part>,
) {
    let dim = loops.len();
    if dim == strides[0].len() {
        return parts.push(Part::new(loops, from, to));
    }
    let (source, target) = (at(strides[0], dim), at(strides[1], dim));
    for one in segments(dim) {
        if one.count > 0 {
            loops.push(Loop::new(one.count, source.wrapping_mul(one.step), target));
            let starts = [from + one.from * source, to + one.to * target];
            combine(strides, segments, loops, starts, parts);
            loops.pop();
        }
    }
}

/// Moves elements along a line: from an address and in steps of so many bytes, to an address and in steps, so many.
type Line = unsafe fn(*const u8, usize, *mut u8, usize, usize);

/// Exchanges rows and columns. The elements of a row of the source are next to each other, and those of a column of the
/// source are in a row of the target. The steps are those of the rows in both.
type Exchange = unsafe fn(*const u8, usize, *mut u8, usize, [usize; 2]);

/// Moves single elements between the offsets of both tensors.
type Singles = unsafe fn(*const u8, *mut u8, &[[usize; 2]]);

/// A line of single elements, of which an index names that of the one tensor. The pairs are those of the source and the target.
#[derive(Debug, Clone, Copy)]
pub(super) struct Named {
    /// The first offsets.
    pub(super) starts: [usize; 2],
    /// The distances of two positions along the line.
    pub(super) along: [usize; 2],
    /// The distances of the elements of two indices. That of the tensor whose elements are not named is 0.
    pub(super) steps: [usize; 2],
    /// The number of elements that indices name.
    pub(super) size: usize,
    /// Whether they are in the source.
    pub(super) reads: bool,
}

/// Moves the elements of a line up to the first index without an element. Returns the number of elements.
type Names = unsafe fn(*const u8, *mut u8, &Named, &[Whole]) -> usize;

/// What moves elements to a tensor.
///
/// # Invariants
///
/// - `reach` elements of `size` bytes are readable at `from`, and `room` of them are writable at `to`. The two ranges share
///   no memory.
/// - The functions are for elements of this size.
pub(super) struct Mover<'a> {
    from: *const u8,
    reach: usize,
    to: *mut u8,
    room: usize,
    size: usize,
    line: Line,
    exchange: Exchange,
    singles: Singles,
    names: Names,
    /// Whether no two positions of the target share an element.
    is_apart: bool,
    /// The memory of the source, if it is not that of a tensor.
    _copy: Vec<u8>,
    lives: PhantomData<&'a ()>,
}

// SAFETY: the addresses are values; the functions that write there are unsafe or exclude other threads.
unsafe impl Sync for Mover<'_> {}

impl<'a> Mover<'a> {
    /// Makes what moves elements of an input to an output of the same type. An input that shares memory with the output is
    /// copied now.
    pub(super) fn new(views: &Views<'a>, input: &Input, out: &Output) -> Self {
        let (from, extent) = views.input(input).memory();
        let mut mover = Self::to(views, out);
        (mover.from, mover.reach) = (from, extent);
        if !views.is_alone(out.slot, &[input.slot]) {
            let mut copy = vec![0u8; extent * mover.size];
            // SAFETY: the invariant of `View`: the source has these bytes, and `copy` has as many.
            unsafe { from.copy_to_nonoverlapping(copy.as_mut_ptr(), copy.len()) };
            mover.from = copy.as_ptr();
            mover._copy = copy;
        }
        mover
    }

    /// Makes what stores an element with these bits.
    pub(super) fn of_bits(views: &Views<'a>, bits: u64, out: &Output) -> Self {
        let mut mover = Self::to(views, out);
        let copy = bits.to_le_bytes().to_vec();
        (mover.from, mover.reach, mover._copy) = (copy.as_ptr(), 1, copy);
        mover
    }

    fn to(views: &Views<'a>, out: &Output) -> Self {
        let (to, room, size) = views.output(out).memory();
        let (line, exchange, singles, names): (Line, Exchange, Singles, Names) = match size {
            1 => (line::<u8>, exchange::<u8>, singles::<u8>, names::<u8>),
            2 => (line::<u16>, exchange::<u16>, singles::<u16>, names::<u16>),
            4 => (line::<u32>, exchange::<u32>, singles::<u32>, names::<u32>),
            _ => (line::<u64>, exchange::<u64>, singles::<u64>, names::<u64>),
        };
        // INVARIANT: the invariant of the view, a source without elements, and the functions for this size.
        Self {
            from: core::ptr::dangling(),
            reach: 0,
            to,
            room,
            size,
            line,
            exchange,
            singles,
            names,
            is_apart: views.is_apart(out.slot, &[]),
            _copy: Vec::new(),
            lives: PhantomData,
        }
    }

    /// Moves all elements of a part, on several threads if they are many. Does nothing if one of them is outside of its
    /// tensor.
    pub(super) fn part(&mut self, part: &Part) {
        let longest = part.nest.longest();
        let unit = (part.nest.elements() / longest.count.max(1)).max(1);
        let grain = if self.is_apart {
            GRAIN / unit
        } else {
            usize::MAX
        };
        if !self.has(&part.nest, part.from, part.to) {
            return;
        }
        distribute(longest.count, grain, TILE, &|range| {
            let from = part
                .from
                .wrapping_add(longest.inputs[0].wrapping_mul(range.start));
            let to = part.to.wrapping_add(longest.out.wrapping_mul(range.start));
            // SAFETY: `has` compared all elements of the nest, and this is a part of it. The threads write apart elements.
            unsafe { self.walk(&part.nest.part(range.len()), from, to) };
        });
    }

    /// Moves blocks of elements: the nest is one of them, and there is one for each pair of places behind each pair of starts.
    /// A block from [`NOWHERE`] becomes 0, and one to there is not moved. Nor is one of which an element is outside of its
    /// tensor.
    pub(super) fn blocks(&mut self, starts: &[[usize; 2]], places: &[[usize; 2]], block: &Nest<1>) {
        let is_single = block.elements() == 1;
        for start in starts.iter().copied() {
            if is_single {
                self.singles(start, places);
                continue;
            }
            for place in places {
                let [from, to] = *place;
                if to == NOWHERE {
                    continue;
                }
                let to = start[1] + to;
                if from == NOWHERE {
                    self.clear(block, to);
                } else if self.has(block, start[0] + from, to) {
                    // SAFETY: `has` compared all elements of the nest, and `self` is borrowed exclusively.
                    unsafe { self.walk(block, start[0] + from, to) };
                }
            }
        }
    }

    /// Stores 0 in the elements of a nest.
    fn clear(&mut self, nest: &Nest<1>, to: usize) {
        let mut zeros = nest.clone();
        for one in &mut zeros.outer {
            one.inputs = [0];
        }
        zeros.inner.inputs = [0];
        let source = (self.from, self.reach);
        (self.from, self.reach) = (ZERO.as_ptr(), 1);
        if self.has(&zeros, 0, to) {
            // SAFETY: `has` compared all elements of the nest. The source has one element of any size.
            unsafe { self.walk(&zeros, 0, to) };
        }
        (self.from, self.reach) = source;
    }

    /// Moves the only elements of blocks.
    fn singles(&mut self, start: [usize; 2], places: &[[usize; 2]]) {
        let [from, to] = start;
        let (reach, room) = (
            self.reach.saturating_sub(from),
            self.room.saturating_sub(to),
        );
        let to = self.to.wrapping_add(to * self.size);
        let from = self.from.wrapping_add(from * self.size);
        if places
            .iter()
            .all(|place| (place[0] < reach) & (place[1] < room))
        {
            // SAFETY: the invariants: all elements lie in both tensors, and `self` is borrowed exclusively.
            return unsafe { (self.singles)(from, to, places) };
        }
        for [source, target] in places.iter().copied().filter(|place| place[1] < room) {
            let is_known = source < reach;
            let (from, source) = if is_known {
                (from, source)
            } else {
                (ZERO.as_ptr(), 0)
            };
            // SAFETY: the invariants: the element lies in the target, and in the source or in `ZERO`.
            unsafe { (self.singles)(from, to, &[[source, target]]) };
        }
    }

    /// Moves the elements of a line. Calls `stray` with an index without an element: it names 0, or no place. Does nothing if an
    /// element is outside of its tensor.
    pub(super) fn named(&mut self, line: &Named, indices: &[Whole], stray: &mut dyn FnMut(Whole)) {
        let has = |side: usize, limit: usize| {
            let along = indices.len().saturating_sub(1) * at(&line.along, side);
            let named = line.size.saturating_sub(1) * at(&line.steps, side);
            // Where there is no element to name, no index has one.
            at(&line.starts, side) + along + named < limit
                || (line.size == 0 && line.reads == (side == 0))
        };
        if !has(0, self.reach) || !has(1, self.room) {
            return;
        }
        let mut done = 0;
        while let Some(rest @ [_, ..]) = indices.get(done..) {
            let place = |side: usize| at(&line.starts, side) + done * at(&line.along, side);
            let from = self.from.wrapping_add(place(0) * self.size);
            let to = self.to.wrapping_add(place(1) * self.size);
            // SAFETY: the invariants. The elements of the last position and of the last index are in both tensors, so all are.
            done += unsafe { (self.names)(from, to, line, rest) };
            if let Some(index) = indices.get(done) {
                stray(*index);
                if line.reads {
                    let to = line.starts[1] + done * line.along[1];
                    self.singles([0; 2], &[[NOWHERE, to]]);
                }
            }
            done += 1;
        }
    }

    /// Moves elements along a line. Does nothing if one of them is outside of its tensor.
    pub(super) fn line(&mut self, [from, to]: [usize; 2], steps: [usize; 2], count: usize) {
        let reach = |first: usize, step: usize| first + count.saturating_sub(1) * step;
        let [from_step, to_step] = steps;
        if count > 0 && reach(from, from_step) < self.reach && reach(to, to_step) < self.room {
            let from = self.from.wrapping_add(from * self.size);
            let to = self.to.wrapping_add(to * self.size);
            let (from_step, to_step) = (from_step * self.size, to_step * self.size);
            // SAFETY: the invariants, and the comparison of the last elements.
            unsafe { (self.line)(from, from_step, to, to_step, count) };
        }
    }

    /// Returns whether the elements of a nest lie in both tensors.
    fn has(&self, nest: &Nest<1>, from: usize, to: usize) -> bool {
        let is_inside = |start: usize, step: fn(&Loop<1>) -> usize, end: usize| {
            let (mut low, mut high) = (Some(start), Some(start));
            let mut reach = |one: &Loop<1>| {
                // CAST: a distance in two's complement.
                let step = step(one) as isize;
                let way = one.count.saturating_sub(1).checked_mul(step.unsigned_abs());
                if step < 0 {
                    low = low.zip(way).and_then(|(low, way)| low.checked_sub(way));
                } else {
                    high = high.zip(way).and_then(|(high, way)| high.checked_add(way));
                }
                true
            };
            nest.all(&mut reach);
            low.is_some() && high.is_some_and(|high| high < end)
        };
        nest.inner.count > 0
            && is_inside(from, |one| one.inputs[0], self.reach)
            && is_inside(to, |one| one.out, self.room)
    }

    /// Moves all elements of a nest.
    ///
    /// # Safety
    ///
    /// - All elements of the nest lie in both tensors, from these offsets on.
    /// - No other thread uses those of the target.
    unsafe fn walk(&self, nest: &Nest<1>, from: usize, to: usize) {
        let size = self.size;
        let bytes = |step: usize| step.wrapping_mul(size);
        let (inner, out) = (bytes(nest.inner.inputs[0]), bytes(nest.inner.out));
        // Where the source has neighbours along another loop, each line of the cache is read once for many lines of results.
        let is_scattered = inner != size && inner != 0 && out == size;
        let across = nest
            .outer
            .iter()
            .position(|one| is_scattered && one.inputs == [1]);
        let mut positions = vec![0usize; nest.outer.len()];
        let mut from = self.from.wrapping_add(bytes(from));
        let mut to = self.to.wrapping_add(bytes(to));
        loop {
            match across.and_then(|across| nest.outer.get(across)) {
                Some(row) => {
                    let sizes = [row.count, nest.inner.count];
                    // SAFETY: the caller's contract: the two loops visit elements of the nest.
                    unsafe { (self.exchange)(from, inner, to, bytes(row.out), sizes) };
                }
                // SAFETY: the caller's contract: the inner loop visits elements of the nest.
                None => unsafe { (self.line)(from, inner, to, out, nest.inner.count) },
            }
            let mut is_over = true;
            let loops = nest.outer.iter().zip(&mut positions).enumerate();
            for (index, (one, position)) in loops.rev() {
                if across == Some(index) {
                    continue;
                }
                *position += 1;
                is_over = *position == one.count;
                let steps = if is_over {
                    (one.count - 1).wrapping_neg()
                } else {
                    1
                };
                from = from.wrapping_add(bytes(one.inputs[0]).wrapping_mul(steps));
                to = to.wrapping_add(bytes(one.out).wrapping_mul(steps));
                if !is_over {
                    break;
                }
                *position = 0;
            }
            if is_over {
                return;
            }
        }
    }
}

/// Moves elements along a line.
///
/// # Safety
///
/// - So many elements are readable at the first address and writable at the second one, with these steps in bytes. The two
///   share no memory.
unsafe fn line<T: Copy>(
    from: *const u8,
    from_step: usize,
    to: *mut u8,
    to_step: usize,
    count: usize,
) {
    let size = size_of::<T>();
    if from_step == size && to_step == size {
        // SAFETY: the caller's contract.
        return unsafe { to.copy_from_nonoverlapping(from, count * size) };
    }
    if from_step == 0 && count > 0 {
        // SAFETY: the caller's contract; all bit patterns are valid.
        let one = unsafe { from.cast::<T>().read_unaligned() };
        let fill = |to_step: usize| {
            let mut to = to;
            for _ in 0..count {
                // SAFETY: the caller's contract.
                unsafe { to.cast::<T>().write_unaligned(one) };
                to = to.wrapping_add(to_step);
            }
        };
        // A step that the compiler knows makes vector code.
        return if to_step == size {
            fill(size)
        } else {
            fill(to_step)
        };
    }
    let steps = |from_step: usize, to_step: usize| {
        let (mut from, mut to) = (from, to);
        for _ in 0..count {
            // SAFETY: the caller's contract; all bit patterns are valid.
            let one = unsafe { from.cast::<T>().read_unaligned() };
            // SAFETY: the caller's contract.
            unsafe { to.cast::<T>().write_unaligned(one) };
            from = from.wrapping_add(from_step);
            to = to.wrapping_add(to_step);
        }
    };
    // Steps that the compiler knows make vector code.
    if from_step == size.wrapping_neg() && to_step == size {
        steps(size.wrapping_neg(), size);
    } else if to_step == size {
        steps(from_step, size);
    } else {
        steps(from_step, to_step);
    }
}

/// Exchanges rows and columns.
///
/// # Safety
///
/// - At the first address are `columns` rows, `from_step` bytes apart, of `rows` elements next to each other, all readable.
/// - At the second one are `rows` rows, `to_step` bytes apart, of `columns` elements next to each other, all writable.
/// - The two share no memory.
unsafe fn exchange<T: Copy + Default>(
    from: *const u8,
    from_step: usize,
    to: *mut u8,
    to_step: usize,
    [rows, columns]: [usize; 2],
) {
    let size = size_of::<T>();
    for column in (0..columns).step_by(TILE) {
        let width = TILE.min(columns - column);
        for row in (0..rows).step_by(TILE) {
            let height = TILE.min(rows - row);
            let mut tile = [[T::default(); TILE]; TILE];
            for (index, line) in tile.iter_mut().take(width).enumerate() {
                let place =
                    from.wrapping_add((column + index).wrapping_mul(from_step) + row * size);
                if height == TILE {
                    // SAFETY: the caller's contract; all bit patterns are valid.
                    *line = unsafe { place.cast::<[T; TILE]>().read_unaligned() };
                } else {
                    let line = line.as_mut_ptr().cast::<u8>();
                    // SAFETY: the caller's contract; a line has at least `height` elements.
                    unsafe { place.copy_to_nonoverlapping(line, height * size) };
                }
            }
            #[expect(
                clippy::indexing_slicing,
                clippy::needless_range_loop,
                reason = "all indices are below TILE, and a loop for each type of iterator is much code"
            )]
            for index in 0..height {
                let mut line = [T::default(); TILE];
                for at in 0..TILE {
                    line[at] = tile[at][index];
                }
                let place = to.wrapping_add((row + index).wrapping_mul(to_step) + column * size);
                if width == TILE {
                    // SAFETY: the caller's contract.
                    unsafe { place.cast::<[T; TILE]>().write_unaligned(line) };
                } else {
                    let line = line.as_ptr().cast::<u8>();
                    // SAFETY: the caller's contract; a line has at least `width` elements.
                    unsafe { place.copy_from_nonoverlapping(line, width * size) };
                }
            }
        }
    }
}

/// Moves single elements.
///
/// # Safety
///
/// - The elements of each position and of each index are readable from `from` on, and writable from `to` on.
unsafe fn names<T: Copy>(from: *const u8, to: *mut u8, line: &Named, indices: &[Whole]) -> usize {
    let (mut from, mut to) = (from.cast::<T>(), to.cast::<T>());
    for (done, index) in indices.iter().enumerate() {
        // CAST: a negative index counts from the end, and another one outside of the dimension is no place.
        let found = (index.0 as usize).wrapping_add(if index.0 < 0 { line.size } else { 0 });
        if found >= line.size {
            return done;
        }
        // SAFETY: the caller's contract; all bit patterns are valid.
        let one = unsafe { from.wrapping_add(found * line.steps[0]).read_unaligned() };
        // SAFETY: the caller's contract.
        unsafe { to.wrapping_add(found * line.steps[1]).write_unaligned(one) };
        from = from.wrapping_add(line.along[0]);
        to = to.wrapping_add(line.along[1]);
    }
    indices.len()
}

/// # Safety
///
/// - The element of each pair is readable at its first offset from `from`, and writable at its second one from `to`.
unsafe fn singles<T: Copy>(from: *const u8, to: *mut u8, pairs: &[[usize; 2]]) {
    for [source, target] in pairs {
        let place = from.cast::<T>().wrapping_add(*source);
        // SAFETY: the caller's contract; all bit patterns are valid.
        let one = unsafe { place.read_unaligned() };
        let place = to.cast::<T>().wrapping_add(*target);
        // SAFETY: the caller's contract.
        unsafe { place.write_unaligned(one) };
    }
}
