//! Declares two streams to be one, to run a model of one stream on the other.
#![allow(unused)]

use ascendcl::bounds::{AnyDevice, SameStream, StreamTag};
use ascendcl::stream::Main;
use ascendcl::{Stream, StreamName};

enum Side {}
impl StreamName for Side {}

impl SameStream<Side> for Main { //~ mistake
//~ instead: trait Serves<S> {
    fn renamed<'s, 't, 'dev, D: AnyDevice>(
        stream: &'s mut Stream<'t, 'dev, D, Self>,
    ) -> &'s mut Stream<'t, 'dev, D, Side>
    where
        Self: Sized + StreamTag,
    {
        loop {}
    }
}

fn main() {}
