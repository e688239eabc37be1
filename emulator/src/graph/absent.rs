//! The emulator without the feature `graphs`: no stream is captured, and none stores its tasks. The functions are those
//! that other modules call, with the answers of an emulator whose program has no graph.

use ascendcl_sys::{ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_STREAM_PERSISTENT, aclError, aclrtEvent};

use crate::engine::current::Current;
use crate::engine::signal::Event;
use crate::engine::submit::Target;
use crate::error::fail;

pub(crate) const EXTERNAL_RECORD: &str = "aclrtRecordEventWithFlag with ACL_EVENT_RECORD_EXTERNAL";
pub(crate) const EXTERNAL_WAIT: &str = "aclrtStreamWaitEventWithFlag with ACL_EVENT_WAIT_EXTERNAL";

/// Refuses a persistent stream: its tasks would run at once, and not with a graph.
pub(crate) fn allow_flags(call: &str, flags: u32) -> Result<(), aclError> {
    if flags & ACL_STREAM_PERSISTENT == 0 {
        return Ok(());
    }
    Err(fail(
        ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
        format_args!(
            "{call} failed: this emulator was built without the feature `graphs`, so there are no streams with the \
             flag ACL_STREAM_PERSISTENT"
        ),
    ))
}

pub(crate) fn persist(_: Target) {}

pub(crate) fn let_go(_: &str, _: Target) -> Result<(), aclError> {
    Ok(())
}

pub(crate) fn is_captured(_: Target) -> bool {
    false
}

pub(crate) fn is_kept(_: Target) -> bool {
    false
}

pub(crate) fn not_captured(_: &str, stream: Target) -> Result<Target, aclError> {
    Ok(stream)
}

pub(crate) fn none_captured(_: &str, _: &Current) -> Result<(), aclError> {
    Ok(())
}

pub(crate) fn event_not_captured(_: &str, _: aclrtEvent) -> Result<(), aclError> {
    Ok(())
}

pub(crate) fn allow(_: &str, _: &Current) -> Result<(), aclError> {
    Ok(())
}

pub(crate) fn allow_pageable(_: &str, _: Target) -> Result<(), aclError> {
    Ok(())
}

pub(crate) fn record(
    _: &str,
    _: Target,
    _: &'static Event,
    _: aclrtEvent,
) -> Option<Result<(), aclError>> {
    None
}

pub(crate) fn reset(_: &str, _: Target, _: &'static Event) -> Option<Result<(), aclError>> {
    None
}

pub(crate) fn wait(
    _: &str,
    _: Target,
    _: &'static Event,
    _: aclrtEvent,
    _: u32,
) -> Option<Result<(), aclError>> {
    None
}

pub(crate) fn forget_context(_: (u32, u32)) {}
