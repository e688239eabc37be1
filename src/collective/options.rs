//! Options of a communicator (`HcclCommConfig`).

use ascendcl_sys as sys;

use crate::error::{CollectiveMismatch, Result};

/// Whether a reduction has the same result each time.
///
/// ```
/// use ascendcl::collective::{CommOptions, Determinism};
///
/// let options = CommOptions::default().with_determinism(Determinism::On);
/// # let _ = options;
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Determinism {
    /// The order of a reduction may differ from run to run.
    Off,
    /// The same program has the same result in each run.
    On,
    /// The result does not depend on the order of the ranks either. Only Ascend 910B has it.
    Strict,
}

/// The options of a communicator (`HcclCommConfig`). An option that is not set has the value of its environment variable, or
/// the default of HCCL.
///
/// All ranks of a communicator pass the same options.
///
/// With the feature `serde` a file can have some or all of them: `name`, `buffer_mebibytes`, `determinism` (`Off`, `On` or `Strict`),
/// `rdma_traffic_class` and `rdma_service_level`.
///
/// ```
/// use std::num::NonZeroU32;
/// use ascendcl::collective::{CommOptions, Determinism};
///
/// let options = CommOptions::default()
///     .with_name("gradients")
///     .with_buffer_mebibytes(NonZeroU32::new(64).unwrap_or(NonZeroU32::MIN))
///     .with_determinism(Determinism::On);
/// # let _ = options;
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct CommOptions {
    #[cfg_attr(feature = "serde", serde(rename = "buffer_mebibytes"))]
    buffer: Option<core::num::NonZeroU32>,
    determinism: Option<Determinism>,
    name: Option<String>,
    #[cfg_attr(feature = "serde", serde(rename = "rdma_traffic_class"))]
    traffic_class: Option<u32>,
    #[cfg_attr(feature = "serde", serde(rename = "rdma_service_level"))]
    service_level: Option<u32>,
}

impl CommOptions {
    /// Sets the size of each of the two buffers of the communicator, in MiB (`hcclBufferSize`). The default is that of
    /// `HCCL_BUFFSIZE`, or 200.
    ///
    /// ```
    /// use ascendcl::collective::CommOptions;
    /// use std::num::NonZeroU32;
    ///
    /// // Two buffers of 64 MiB instead of 200 MiB.
    /// let options = CommOptions::default().with_buffer_mebibytes(NonZeroU32::new(64).unwrap_or(NonZeroU32::MIN));
    /// ```
    #[must_use]
    pub fn with_buffer_mebibytes(mut self, size: core::num::NonZeroU32) -> Self {
        self.buffer = Some(size);
        self
    }

    /// Sets whether a reduction has the same result each time (`hcclDeterministic`). The default is that of
    /// `HCCL_DETERMINISTIC`, or [`Determinism::Off`].
    ///
    /// ```
    /// use ascendcl::collective::{CommOptions, Determinism};
    ///
    /// let repeatable = CommOptions::default().with_determinism(Determinism::On);
    /// ```
    #[must_use]
    pub fn with_determinism(mut self, determinism: Determinism) -> Self {
        self.determinism = Some(determinism);
        self
    }

    /// Sets the name of the communicator in HCCL (`hcclCommName`), of at most 127 bytes. A device has one communicator of a
    /// name. The default names the root.
    ///
    /// ```
    /// use ascendcl::collective::CommOptions;
    ///
    /// let options = CommOptions::default().with_name("gradients");
    /// ```
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the traffic class of RDMA (`hcclRdmaTrafficClass`).
    ///
    /// ```
    /// use ascendcl::collective::CommOptions;
    ///
    /// let options = CommOptions::default().with_rdma_traffic_class(132);
    /// ```
    #[must_use]
    pub fn with_rdma_traffic_class(mut self, class: u32) -> Self {
        self.traffic_class = Some(class);
        self
    }

    /// Sets the service level of RDMA (`hcclRdmaServiceLevel`).
    ///
    /// ```
    /// use ascendcl::collective::CommOptions;
    ///
    /// let options = CommOptions::default().with_rdma_service_level(4);
    /// ```
    #[must_use]
    pub fn with_rdma_service_level(mut self, level: u32) -> Self {
        self.service_level = Some(level);
        self
    }

    /// Returns the structure of C in the version of CANN 8.1, whose fields each later library reads.
    pub(super) fn to_c(&self) -> Result<sys::HcclCommConfig> {
        let mut config = sys::HcclCommConfig::new_8_1();
        if let Some(size) = self.buffer {
            config.hcclBufferSize = size.get();
        }
        if let Some(determinism) = self.determinism {
            config.hcclDeterministic = match determinism {
                Determinism::Off => 0,
                Determinism::On => 1,
                Determinism::Strict => 2,
            };
        }
        if let Some(name) = &self.name {
            put_name(&mut config.hcclCommName, name)?;
        }
        if let Some(class) = self.traffic_class {
            config.hcclRdmaTrafficClass = class;
        }
        if let Some(level) = self.service_level {
            config.hcclRdmaServiceLevel = level;
        }
        Ok(config)
    }
}

/// Writes a name with its NUL into a field.
fn put_name(field: &mut [core::ffi::c_char], name: &str) -> Result<()> {
    let fits = !name.is_empty() && name.len() < field.len() && !name.contains('\0');
    if !fits {
        let name = name.to_owned();
        return Err(CollectiveMismatch::CommName { name }.into());
    }
    for (to, from) in field.iter_mut().zip(name.bytes()) {
        *to = from as core::ffi::c_char;
    }
    Ok(())
}

#[cfg(all(test, not(loom)))]
#[expect(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::{CommOptions, Determinism, sys};
    use crate::error::{CollectiveMismatch, ErrorKind, Usage};

    #[test]
    fn options_that_are_not_set_have_the_values_of_the_header() {
        let config = CommOptions::default().to_c().unwrap();
        assert_eq!(config.head.size, sys::HcclCommConfig::SIZE_8_1);
        assert_eq!(config.hcclBufferSize, sys::HCCL_COMM_VALUE_NOT_SET);
        assert_eq!(config.hcclDeterministic, sys::HCCL_COMM_VALUE_NOT_SET);
        assert_eq!(config.hcclCommName, [0; sys::COMM_NAME_MAX_LENGTH]);
    }

    #[test]
    fn options_are_written_to_their_fields() {
        let options = CommOptions::default()
            .with_buffer_mebibytes(core::num::NonZeroU32::MIN)
            .with_determinism(Determinism::Strict)
            .with_name("ab")
            .with_rdma_traffic_class(3)
            .with_rdma_service_level(4);
        let config = options.to_c().unwrap();
        assert_eq!((config.hcclBufferSize, config.hcclDeterministic), (1, 2));
        assert_eq!(config.hcclCommName[..3], [b'a' as _, b'b' as _, 0]);
        assert_eq!(
            (config.hcclRdmaTrafficClass, config.hcclRdmaServiceLevel),
            (3, 4)
        );
    }

    #[test]
    fn a_name_that_does_not_fit_is_refused() {
        for name in ["", "a\0b", &"x".repeat(128)] {
            let error = CommOptions::default().with_name(name).to_c().unwrap_err();
            let expected = CollectiveMismatch::CommName {
                name: name.to_owned(),
            };
            let is_expected = matches!(error.kind(), ErrorKind::Usage(Usage::Collective(wrong)) if *wrong == expected);
            assert!(is_expected, "{error}");
        }
        assert!(
            CommOptions::default()
                .with_name("x".repeat(127))
                .to_c()
                .is_ok()
        );
    }
}
