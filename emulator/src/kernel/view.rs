//! Views of the memory behind a pointer argument, for kernels in Rust.

use std::fmt;
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{
    AtomicI8, AtomicI16, AtomicI32, AtomicI64, AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering,
};

use super::block::{Block, Stopped, Why};
use super::used::How;

mod sealed {
    /// Only numbers are elements: any bytes are a value of theirs, and one atomic access moves them.
    pub trait Sealed: Sized {
        /// Returns the value with these bytes; 0 if there are fewer or more.
        fn of(bytes: &[u8]) -> Self;

        /// Reads a value.
        ///
        /// # Safety
        ///
        /// - `from` is valid for a read and a write of the type, and aligned to its size. Other accesses at the same time
        ///   are atomic.
        unsafe fn load(from: *mut u8) -> Self;

        /// Writes a value.
        ///
        /// # Safety
        ///
        /// - The contract of `load` holds.
        unsafe fn store(self, to: *mut u8);

        /// Adds a value. A sum that is too large wraps around.
        ///
        /// # Safety
        ///
        /// - The contract of `load` holds.
        unsafe fn add(self, to: *mut u8);
    }
}

/// An element of device memory: a number of one, two, four or eight bytes.
pub trait Element: sealed::Sealed + Copy + fmt::Debug + 'static {}

/// The sum of two numbers.
macro_rules! sum {
    (wrapping $one:expr, $other:expr) => {
        $one.wrapping_add($other)
    };
    (plain $one:expr, $other:expr) => {
        $one + $other
    };
}

macro_rules! elements {
    ($($T:ty: $Atomic:ident, $sum:ident $(, $to:ident, $from:ident)?;)*) => { $(
        impl sealed::Sealed for $T {
            fn of(bytes: &[u8]) -> $T {
                bytes.try_into().map(<$T>::from_ne_bytes).unwrap_or_default()
            }

            unsafe fn load(from: *mut u8) -> $T {
                // SAFETY: the contract of this function.
                let atomic = unsafe { $Atomic::from_ptr(from.cast()) };
                let value = atomic.load(Ordering::Relaxed);
                $(let value = <$T>::$from(value);)?
                value
            }

            unsafe fn store(self, to: *mut u8) {
                // SAFETY: the contract of this function.
                let atomic = unsafe { $Atomic::from_ptr(to.cast()) };
                let value = self;
                $(let value = value.$to();)?
                atomic.store(value, Ordering::Relaxed);
            }

            unsafe fn add(self, to: *mut u8) {
                // SAFETY: the contract of this function.
                let atomic = unsafe { $Atomic::from_ptr(to.cast()) };
                // It changes the value in each case.
                let _ = atomic.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| {
                    $(let old = <$T>::$from(old);)?
                    let new = sum!($sum old, self);
                    $(let new = new.$to();)?
                    Some(new)
                });
            }
        }

        impl Element for $T {}
    )* };
}
elements! {
    u8: AtomicU8, wrapping;
    i8: AtomicI8, wrapping;
    u16: AtomicU16, wrapping;
    i16: AtomicI16, wrapping;
    u32: AtomicU32, wrapping;
    i32: AtomicI32, wrapping;
    u64: AtomicU64, wrapping;
    i64: AtomicI64, wrapping;
    f32: AtomicU32, plain, to_bits, from_bits;
    f64: AtomicU64, plain, to_bits, from_bits;
}

/// The memory behind a pointer argument, as a block sees it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Memory<'b> {
    block: &'b Block<'b>,
    /// The number of the parameter.
    parameter: usize,
    /// The number of its memory in the launch; `None` for NULL.
    memory: Option<usize>,
    pointer: *mut u8,
}

impl<'b> Memory<'b> {
    /// Takes the next argument of a block.
    pub(super) fn take(block: &'b Block<'b>) -> Memory<'b> {
        let parameter = block.take();
        let found = block.memory_of(parameter);
        Memory {
            block,
            parameter,
            memory: found.map(|(memory, _)| memory),
            pointer: found.map_or(ptr::null_mut(), |(_, pointer)| pointer),
        }
    }

    /// Returns the place of an element, if the block may access it.
    #[inline]
    fn at(&self, index: usize, size: usize, how: How) -> Result<*mut u8, Stopped> {
        let Some(memory) = self.memory else {
            return Err(self.is_null());
        };
        let start = index.saturating_mul(size);
        self.block.touch(memory, start, size, how)?;
        let place = self.pointer.wrapping_add(start);
        if place.addr().is_multiple_of(size) {
            Ok(place)
        } else {
            Err(self.is_misaligned(size))
        }
    }

    #[cold]
    fn is_null(&self) -> Stopped {
        let text = format!("{} is NULL", self.block.parameter(self.parameter));
        self.block.stop(Why::Bounds, &text)
    }

    #[cold]
    fn is_misaligned(&self, size: usize) -> Stopped {
        let text = format!(
            "{} does not begin at a multiple of the {size} bytes of an element",
            self.block.parameter(self.parameter)
        );
        self.block.stop(Why::Bounds, &text)
    }

    #[inline]
    fn get<T: Element>(&self, index: usize) -> T {
        match self.at(index, size_of::<T>(), How::Read) {
            // SAFETY: the block has checked that the element lies in memory of the launch, which is entered while the blocks
            // run (`task`), and its place is aligned. Blocks access it by these functions, which are atomic. A copy that the
            // program has not ordered with the launch may write it at the same time, as for every operator.
            Ok(place) => unsafe { T::load(place) },
            Err(stopped) => stopped.unwind(),
        }
    }

    #[inline]
    fn set<T: Element>(&self, index: usize, value: T) {
        match self.at(index, size_of::<T>(), How::Write) {
            // SAFETY: as in `get`.
            Ok(place) => unsafe { value.store(place) },
            Err(stopped) => stopped.unwind(),
        }
    }

    fn add<T: Element>(&self, index: usize, value: T) {
        match self.at(index, size_of::<T>(), How::Combine) {
            // SAFETY: as in `get`.
            Ok(place) => unsafe { value.add(place) },
            Err(stopped) => stopped.unwind(),
        }
    }
}

/// Elements of device memory that a kernel reads: a parameter `T *` of the kernel on a card.
#[derive(Debug, Clone, Copy)]
pub struct View<'b, T>(Memory<'b>, PhantomData<T>);

impl<'b, T: Element> View<'b, T> {
    pub(super) fn new(memory: Memory<'b>) -> Self {
        View(memory, PhantomData)
    }

    /// Returns whether the argument is NULL, as that of an input which is left out.
    #[must_use]
    pub fn is_null(&self) -> bool {
        self.0.memory.is_none()
    }

    /// Returns an element. An element beyond the memory ends the block.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> T {
        self.0.get(index)
    }
}

/// Elements of device memory that a kernel writes, and may read: a parameter `T *` of the kernel on a card.
///
/// Several blocks may use one element at the same time. What they read and write then is not known, on a card and here, and
/// the checker reports it; the accesses themselves are atomic.
#[derive(Debug, Clone, Copy)]
pub struct ViewMut<'b, T>(Memory<'b>, PhantomData<T>);

impl<'b, T: Element> ViewMut<'b, T> {
    pub(super) fn new(memory: Memory<'b>) -> Self {
        ViewMut(memory, PhantomData)
    }

    /// Returns an element. An element beyond the memory ends the block.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> T {
        self.0.get(index)
    }

    /// Writes an element. An element beyond the memory ends the block, and so does memory that was declared for reading.
    #[inline]
    pub fn set(&self, index: usize, value: T) {
        self.0.set(index, value);
    }

    /// Adds to an element, as a copy of a kernel with `SetAtomicAdd` does: several blocks may add to one element at the same
    /// time. A whole number that is too large wraps around.
    pub fn add(&self, index: usize, value: T) {
        self.0.add(index, value);
    }
}
