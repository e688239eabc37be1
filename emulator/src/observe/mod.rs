//! What is learnt of a program while it runs: its calls, a timeline, mistakes that a card punishes, and faults that it
//! was asked to make.

pub(crate) mod calls;
pub(crate) mod strike;
pub(crate) mod trace;
pub(crate) mod violation;
