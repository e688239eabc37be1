//! Makes up a history of memory that asks no stream.

use ascendcl::AnyDevice;
use ascendcl::queue::{Completed, History, Queue};

struct Spotless;
impl History for Spotless { //~ mistake
    type Vouched<'dev, D: AnyDevice, R> = R; //~ mistake
    fn vouched<'dev, Q: Queue, R>(completed: Completed<'dev, Q, R, Self>) -> R { //~ mistake
        completed.into_unverified() //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn takes_any_history<Q: Queue, R, H: History>(_: Completed<'_, Q, R, H>) {}

fn main() {}
