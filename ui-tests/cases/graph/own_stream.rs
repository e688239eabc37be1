//! Gives a graph a stream.

use ascendcl::{Npu, Result, Stream, StreamName};

enum Other {}
impl StreamName for Other {}

fn wrong(stream: &mut Stream<'_, '_, Npu<0>>, other: Stream<'_, '_, Npu<0>, Other>) -> Result<()> {
    drop(stream.capture(other, |_, _| Ok(()))?); //~ mistake
    //~ instead: drop(stream.capture((), |_, _| Ok(()))?);
    //~ instead: other.destroy()?;
    Ok(())
}
