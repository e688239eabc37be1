//! Makes a type of one's own lent memory, of which a part would count as the whole.

use ascendcl::bounds::Lent;

struct Fresh;
impl Lent for Fresh {} //~ mistake
//~ instead: fn takes_lent<O: Lent>(_: O, _: Fresh) {}
