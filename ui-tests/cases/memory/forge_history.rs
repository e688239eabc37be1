//! Makes up a history of memory that asks no stream.

use ascendcl::bounds::{AnyDevice, History};
use ascendcl::queue::{Queue, Unverified};

struct Spotless;
impl History for Spotless { //~ mistake
    type Verified<'dev, D: AnyDevice, R> = R; //~ mistake
    const MOVED: bool = false; //~ mistake
    fn verified<'dev, Q: Queue, R>(_: Unverified<'dev, Q, R, Self>) -> R { //~ mistake
        std::process::abort() //~ mistake
    } //~ mistake
} //~ mistake
//~ instead: fn takes_any_history<Q: Queue, R, H: History>(_: Unverified<'_, Q, R, H>) {}
