//! The checks of lesson 8.

//# error E0277
//> Ok(())
//> Ok(())
//> Ok(())
//> Err((3, 4))

//# accepted: other elements and lengths
fn check(to: &mut Memory<[f32; 8]>, from: &Memory<[f32; 8]>) {
    let _ = copy(to, from);
}

//# refused E0277 E0308: two lengths
//? Memory of 4 elements was copied to memory of 8. Name the length once in the row for two arrays.
fn check(to: &mut Memory<[u32; 8]>, from: &Memory<[u32; 4]>) {
    let _ = copy(to, from);
}

//# refused E0277 E0271: two element types
//? Floating point numbers were copied to integers. Both sides of a row have the same `T`.
fn check(to: &mut Memory<[u32; 4]>, from: &Memory<[f32; 4]>) {
    let _ = copy(to, from);
}

//# cheat 1: a length for each side
//- impl<T, const N: usize> SameElements<[T; N]> for [T; N] {}
//+ impl<T, const N: usize, const M: usize> SameElements<[T; N]> for [T; M] {}

//# cheat 2: an element type for each side
//- impl<T, const N: usize> SameElements<[T; N]> for [T; N] {}
//+ impl<T, U, const N: usize> SameElements<[T; N]> for [U; N] {}
//- From: Elements<Element = To::Element> + SameElements<To> + ?Sized,
//+ From: Elements + SameElements<To> + ?Sized,
//- to.copy_from_slice(from);
//- Ok(())
//+ Ok(())
