//! Says that the work of a recording runs.

use ascendcl::bounds::StreamTag;
use ascendcl::stream::GraphBrand;

struct Mine<'g>(GraphBrand<'g>);
impl StreamTag for Mine<'_> {} //~ mistake
//~ instead: fn takes_any_tag(_: impl StreamTag) {}
