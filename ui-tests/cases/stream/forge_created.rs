//! Says that streams with a tag of one's own were created.

use ascendcl::bounds::Created;

enum Mine {}
impl Created for Mine {} //~ mistake
//~ instead: impl ascendcl::StreamName for Mine {}
