//! The checks of lesson 2.

//# error E0277
//> [1, 3, 2]

//# accepted: the three directions, in generic code
fn check<A: api::CopyTo<B>, B>(to: &mut Buffer<B>, from: &Buffer<A>) -> u32 {
    copy(to, from)
}

//# refused E0277: a copy from host to host
//? Host to host has a row in your table, or `copy` has lost its bound. `From: CopyTo<To>` accepts the rows only.
fn check(to: &mut Buffer<Host>, from: &Buffer<Host>) {
    copy(to, from);
}

//# refused E0277 E0603: a row of somebody else
//? Code outside `api` has added a direction. Let `CopyTo` require a trait that this code cannot name.
struct Mine;
impl api::CopyTo<Device> for Mine {
    const KIND: u32 = 9;
}

//# cheat 1: all directions
//- mod sealed {
//+ impl CopyTo<Host> for Host {
//+     const KIND: u32 = 0;
//+ }
//+ mod sealed {

//# cheat 2: the trait is open
//- pub trait CopyTo<Target>: sealed::Place {
//+ pub trait CopyTo<Target> {
