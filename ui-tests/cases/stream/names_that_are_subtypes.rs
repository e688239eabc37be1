//! Takes a buffer with the proof of another stream, whose name is the same up to lifetimes of functions.

use ascendcl::queue::Queued;
use ascendcl::stream::Idle;
use ascendcl::{HostBuf, Npu, StreamName};

struct Named<F>(F);
impl<F: 'static> StreamName for Named<F> {}

type One = Named<for<'a> fn(&'a u8, &'a u8)>;
type Two = Named<for<'a, 'b> fn(&'a u8, &'b u8)>;

fn wrong<'d>(idle: Idle<'_, (Npu<0>, One)>, queued: Queued<'d, (Npu<0>, Two), HostBuf<'d, [u8]>>) {
    idle.take(queued); //~ mistake
    //~ instead: drop((idle, queued));
}
