//! Lesson 8: the compiler compares known lengths, and the call compares the others.

mod api {
    /// Memory for elements: `[T]` or `[T; N]`.
    pub struct Memory<E: ?Sized> {
        elements: Box<E>,
    }

    impl<E: ?Sized> Memory<E> {
        pub fn new(elements: Box<E>) -> Memory<E> {
            Memory { elements }
        }
    }

    /// Elements of type `T`, as a slice.
    pub trait Elements {
        type Element: Copy;

        fn slice(&self) -> &[Self::Element];
        fn slice_mut(&mut self) -> &mut [Self::Element];
    }

    impl<T: Copy> Elements for [T] {
        type Element = T;

        fn slice(&self) -> &[T] {
            self
        }

        fn slice_mut(&mut self) -> &mut [T] {
            self
        }
    }

    impl<T: Copy, const N: usize> Elements for [T; N] {
        type Element = T;

        fn slice(&self) -> &[T] {
            self
        }

        fn slice_mut(&mut self) -> &mut [T] {
            self
        }
    }

    /// Elements of one type, whose numbers can be equal.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` cannot be copied to `{Target}`",
        label = "both sides of a copy have the same element type and the same length"
    )]
    pub trait SameElements<Target: ?Sized> {}

    impl<T> SameElements<[T]> for [T] {}
    impl<T, const N: usize> SameElements<[T; N]> for [T] {}
    impl<T, const N: usize> SameElements<[T]> for [T; N] {}
    impl<T, const N: usize> SameElements<[T; N]> for [T; N] {}

    /// Copies. The error has the two lengths.
    pub fn copy<To, From>(to: &mut Memory<To>, from: &Memory<From>) -> Result<(), (usize, usize)>
    where
        To: Elements + ?Sized,
        From: Elements<Element = To::Element> + SameElements<To> + ?Sized,
    {
        let (to, from) = (to.elements.slice_mut(), from.elements.slice());
        if to.len() != from.len() {
            return Err((to.len(), from.len()));
        }
        to.copy_from_slice(from);
        Ok(())
    }
}

use api::{Memory, copy};

fn main() {
    let mut four: Memory<[u32; 4]> = Memory::new(Box::new([0; 4]));
    let mut other: Memory<[u32; 4]> = Memory::new(Box::new([1, 2, 3, 4]));
    let mut some: Memory<[u32]> = Memory::new(vec![0; 4].into());
    println!("{:?}", copy(&mut four, &other));
    println!("{:?}", copy(&mut some, &four));
    println!("{:?}", copy(&mut other, &some));
    let mut three: Memory<[u32]> = Memory::new(vec![0; 3].into());
    println!("{:?}", copy(&mut three, &other));
}
