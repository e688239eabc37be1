//! Keeps one stream for the whole process, where threads bound to other devices use it.
#![allow(unused)]

use std::sync::Mutex;

use ascendcl::stream::Main;
use ascendcl::{Npu, ParkedStream, Stream};

static COPIES: Mutex<Option<Stream<'static, 'static, Npu<0>>>> = Mutex::new(None); //~ mistake
//~ instead: static COPIES: Mutex<Option<ParkedStream<'static, Npu<0>, Main>>> = Mutex::new(None);

fn main() {
    let _ = &COPIES;
}
