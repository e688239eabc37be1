//! Observation of a running program: its calls, a timeline, violations, and injected faults.

pub(crate) mod calls;
pub(crate) mod inject;
pub(crate) mod trace;
pub(crate) mod violation;
