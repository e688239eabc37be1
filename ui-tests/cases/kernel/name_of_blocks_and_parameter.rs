//! Gives the number of blocks the name of a parameter.

use ascendcl::kernel;
use ascendcl::kernel::InOut;

kernel! {
    pub struct Fill =
        fill<blocks>( //~ mistake
        //~ instead: fill<launched>(
            x: InOut<u32>, blocks: u32,
        ) where blocks == 3;
}
