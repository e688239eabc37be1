//! Says that the default stream was created, so that it could be destroyed.

use ascendcl::StreamName;
use ascendcl::stream::DefaultName;

impl StreamName for DefaultName {} //~ mistake
//~ instead: enum Mine {}
//~ instead: impl StreamName for Mine {}
