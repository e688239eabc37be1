//! Names streams by a type with a lifetime: two names would look the same at run time.

use ascendcl::StreamName;

struct Of<'a>(&'a str);
impl<'a> StreamName for Of<'a> {} //~ mistake
//~ instead: impl StreamName for Of<'static> {}
