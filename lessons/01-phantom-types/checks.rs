//! The checks of lesson 1.

//# error E0107
//> [1, 2, 3]

//# accepted: a buffer is as large as its numbers
//? The place is a fact for the compiler. Use `PhantomData`, and store no value for the place.
const _: () = assert!(size_of::<Buffer<Host>>() == size_of::<Vec<u32>>());
const _: () = assert!(size_of::<Buffer<Device>>() == size_of::<Vec<u32>>());

//# refused E0308 E0277: an upload from the device
//? `upload` takes a buffer of any place. Name the place in its parameter.
fn check(device: &Buffer<Device>) {
    let _ = api::upload(device);
}

//# refused E0308 E0277: a download from the host
//? `download` takes a buffer of any place. Name the place in its parameter.
fn check(host: &Buffer<Host>) {
    let _ = api::download(host);
}

//# refused E0308 E0277: a read of device memory on the host
//? `numbers` takes a buffer of any place. The host can read its own memory only.
fn check(device: &Buffer<Device>) {
    let _ = api::numbers(device);
}

//# refused E0308 E0271: an upload that is still on the host
//? The caller chooses the place of the result. The result of `upload` is on the device.
fn check(host: &Buffer<Host>) {
    let _: Buffer<Host> = api::upload(host);
}

//# cheat 1: an upload from anywhere
//- pub fn upload(from: &Buffer<Host>) -> Buffer<Device> {
//+ pub fn upload<Place>(from: &Buffer<Place>) -> Buffer<Device> {

//# cheat 2: a download from anywhere
//- pub fn download(from: &Buffer<Device>) -> Buffer<Host> {
//+ pub fn download<Place>(from: &Buffer<Place>) -> Buffer<Host> {

//# cheat 3: numbers of any buffer
//- pub fn numbers(buffer: &Buffer<Host>) -> &[u32] {
//+ pub fn numbers<Place>(buffer: &Buffer<Place>) -> &[u32] {

//# cheat 4: the caller chooses the place
//- pub fn upload(from: &Buffer<Host>) -> Buffer<Device> {
//+ pub fn upload<Place>(from: &Buffer<Host>) -> Buffer<Place> {
