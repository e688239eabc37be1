//! Makes the proof of an update without one.

use ascendcl::graph::Changed;

fn wrong<'g>() -> Changed<'g> { //~ mistake
    Changed(std::marker::PhantomData) //~ mistake
} //~ mistake
//~ instead: fn wrong<'g>(changed: Changed<'g>) -> Changed<'g> {
//~ instead:     changed
//~ instead: }
