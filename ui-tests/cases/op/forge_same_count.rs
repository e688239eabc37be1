//! Says of an array of one's own that it has as many elements as a longer one.

use ascendcl::op::array::SameCount;

struct Short;
impl SameCount<[Short; 8]> for [Short; 4] {} //~ mistake
//~ instead: fn takes_any<R, S: SameCount<R>>(_: S, _: Short) {}
