//! Adds an alignment that no allocation has.

use ascendcl::bounds::Alignment;
use ascendcl::memory::Align;

impl Alignment for Align<48> {} //~ mistake
//~ instead: fn takes_any_alignment<const N: usize>() where Align<N>: Alignment {}
