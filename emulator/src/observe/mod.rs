//! Observing a program while it runs: its calls, a timeline, the mistakes that a card punishes, and injected faults.

pub(crate) mod calls;
pub(crate) mod strike;
pub(crate) mod trace;
pub(crate) mod violation;
