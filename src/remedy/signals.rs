//! Placeholder methods for signals, which the host does not see, and for notifies that a stream has.

use std::time::Duration;

use crate::error::Result;
use crate::event::{EventStatus, Notify, Signal};
use crate::queue::{Queue, Queued, Resource};

use super::missing::{NotAwaited, SeenByHost};

#[doc(hidden)]
impl<'dev, Q: Queue, W, H> Queued<'dev, Q, Notify<'dev, Q::Device, W>, H> {
    pub fn destroy(self) -> Result<()>
    where
        Self: NotAwaited,
    {
        <Self as NotAwaited>::never()
    }
}

#[doc(hidden)]
impl<Q: Queue, W, R: Resource<Q::Device>, H> Signal<'_, Q, W, R, H> {
    pub fn synchronize(self) -> Result<()>
    where
        Self: SeenByHost,
    {
        <Self as SeenByHost>::never()
    }
    pub fn query(&self) -> Result<EventStatus>
    where
        Self: SeenByHost,
    {
        <Self as SeenByHost>::never()
    }
    pub fn timestamp(&self) -> Result<Duration>
    where
        Self: SeenByHost,
    {
        <Self as SeenByHost>::never()
    }
}
