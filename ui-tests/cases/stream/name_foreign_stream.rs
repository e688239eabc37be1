//! Makes the mark of borrowed streams a name for streams of the program.

use ascendcl::interop::Foreign;
use ascendcl::{Current, Npu, Result, StreamName};

enum Torch {}
impl StreamName for Torch {}

struct Mine;
impl StreamName for Foreign<Mine> {} //~ mistake
//~ instead: impl StreamName for Mine {}

fn wrong(current: Current<'_, '_, Npu<0>>) -> Result<()> {
    current.create_stream::<Torch>()?.destroy()
}
