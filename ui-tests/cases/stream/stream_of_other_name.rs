//! Passes the stream of one name where the stream of another is wanted.

use ascendcl::{Npu, Stream, StreamName};

enum Upload {}
impl StreamName for Upload {}
enum Compute {}
impl StreamName for Compute {}

fn send(_: &mut Stream<'_, '_, Npu<0>, Upload>) {}

fn wrong(up: &mut Stream<'_, '_, Npu<0>, Upload>, compute: &mut Stream<'_, '_, Npu<0>, Compute>) {
    send(compute); //~ mistake
    //~ instead: send(up);
}
