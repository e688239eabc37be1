//! The checks of lesson 3.

//# error E0107
//> destroy stream 7
//> reset device 0

//# accepted: two streams, then the reset
fn check() {
    let device = Device::open(0);
    let (a, b) = (device.create_stream(1), work(&device));
    drop((a, b));
    device.reset();
}

//# refused E0505: a reset before the stream is dropped
//? The device was reset while a stream lives. The lifetime of the result of `create_stream` must be that of `&self`.
fn check() {
    let device = Device::open(0);
    let stream = device.create_stream(1);
    device.reset();
    drop(stream);
}

//# refused E0505: a reset before the end of the scope of a stream
//? The stream was in a variable, and its drop came after the reset. Keep `impl Drop for Stream<'_>`: it is a use.
fn check() {
    let device = Device::open(0);
    let _stream = device.create_stream(1);
    device.reset();
}

//# refused E0597 E0515: a stream that leaves the scope of its device
//? The stream lives longer than its device. The lifetime of the result of `create_stream` must be that of `&self`.
fn check() -> Stream<'static> {
    let device = Device::open(0);
    device.create_stream(1)
}

//# cheat 1 3: a stream that borrows nothing
//- pub fn create_stream(&self, number: u32) -> Stream<'_> {
//+ pub fn create_stream(&self, number: u32) -> Stream<'static> {

//# cheat 2: a stream without a release
//- impl Drop for Stream<'_> {
//-     fn drop(&mut self) {
//+ impl Stream<'_> {
//+     pub fn destroy(self) {
