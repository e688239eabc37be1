//! Lends memory in the scope of one context to a stream of another, which the scope does not wait for.

use ascendcl::stream::Main;
use ascendcl::{Ctx, Current, Npu, Result, Stream};

fn wrong(
    current: Current<'_, '_, Npu<0>>,
    mine: &mut Stream<'_, '_, Npu<0>, Main>,
    other: &mut Stream<'_, '_, Ctx<Npu<0>, 1>, Main>,
    numbers: &[f32],
) -> Result<()> {
    current.scope(|scope| {
        let _ = other.adopt(scope.lend(numbers)); //~ mistake
        //~ instead: let _ = &other;
        //~ instead: let _ = mine.adopt(scope.lend(numbers));
    })
}
