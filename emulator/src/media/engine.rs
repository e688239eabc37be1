//! Engines: the libraries that decode, encode and scale.
//!
//! The emulator does the work of AscendCL: descriptions, checks, streams, memory, colours. Coding and smooth scaling are
//! those of an engine, which a program or a library registers. The package `ascendcl-emulator-media` has one. It is a
//! package of its own, because decoders take longer to build than a program without pictures should.

use std::sync::Arc;

use ascendcl_sys::{ACL_ERROR_RT_FEATURE_NOT_SUPPORT, aclError};

use super::image::Plane;
use crate::check;
use crate::error::fail;
use crate::sync::{Mutex, lock};

/// Decodes, encodes and scales pictures. Several threads may use it at the same time.
pub trait Engine: Send + Sync {
    /// Decodes a baseline JPEG whose header was read: one component of brightness, or three of Y, U and V for each pixel.
    ///
    /// # Errors
    ///
    /// A sentence with the reason.
    fn decode_jpeg(&self, file: &[u8]) -> Result<Plane, String>;

    /// Encodes planes with Y, U and V of each pixel as a baseline JPEG with a quality of 1 to 100. Two pixels of a
    /// row share a colour, and those of two rows if `is_420`.
    ///
    /// # Errors
    ///
    /// A sentence with the reason.
    fn encode_jpeg(
        &self,
        planes: &[Plane; 3],
        is_420: bool,
        quality: u8,
    ) -> Result<Vec<u8>, String>;

    /// Decodes a PNG without palette to eight bits: the components that it has.
    ///
    /// # Errors
    ///
    /// A sentence with the reason.
    fn decode_png(&self, file: &[u8]) -> Result<Plane, String>;

    /// Scales a plane by interpolation between the two nearest pixels along each axis.
    ///
    /// # Errors
    ///
    /// A sentence with the reason.
    fn scale(&self, plane: &Plane, width: usize, height: usize) -> Result<Plane, String>;
}

static ENGINE: Mutex<Option<Arc<dyn Engine>>> = Mutex::new(None);

/// Registers the engine for later calls. It replaces an engine that was registered before.
pub fn register(engine: Arc<dyn Engine>) {
    *lock(&ENGINE) = Some(engine);
}

/// Registers an engine if there is none. An engine that was registered before stays.
pub fn register_default(engine: Arc<dyn Engine>) {
    lock(&ENGINE).get_or_insert(engine);
}

/// Returns the registered engine.
pub(super) fn engine() -> Option<Arc<dyn Engine>> {
    lock(&ENGINE).clone()
}

/// Returns the registered engine, or refuses a call that needs one.
pub(super) fn needed(call: &'static str) -> Result<Arc<dyn Engine>, aclError> {
    engine().ok_or_else(|| {
        check::not_modelled(call);
        fail(
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "{call} failed: the emulator has no engine for pictures; build with the feature `emulator-media`, or register one \
                 (`ascendcl_emulator_media::register`)"
            ),
        )
    })
}
