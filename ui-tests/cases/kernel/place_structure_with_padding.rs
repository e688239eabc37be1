//! Places a structure behind the arguments that has padding.

use ascendcl::kernel;
use ascendcl::kernel::{InOut, Placed};

#[derive(Clone, Copy)]
#[repr(C)]
pub struct Tiling {
    tile: u8, //~ mistake
    //~ instead: tile: u32,
    blocks: u32,
}
//~ instead: // SAFETY: two numbers without padding.
//~ instead: unsafe impl bytemuck::NoUninit for Tiling {}

kernel! {
    pub struct Scale = scale(x: InOut<f32>, tiling: Placed<Tiling>);
}
