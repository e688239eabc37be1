//! Says that the default stream was created, so that it could be destroyed.

use ascendcl::StreamName;
use ascendcl::stream::Default;

impl StreamName for Default {} //~ mistake
//~ instead: enum Mine {}
//~ instead: impl StreamName for Mine {}

fn main() {}
