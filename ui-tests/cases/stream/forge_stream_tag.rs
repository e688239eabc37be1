//! Makes a type of one's own a stream's tag without naming streams by it.

use ascendcl::bounds::StreamTag;

enum Mine {}
impl StreamTag for Mine {} //~ mistake
//~ instead: impl ascendcl::StreamName for Mine {}
