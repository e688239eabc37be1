//! The root information: the bytes by which ranks find each other.

use std::fmt;

use ascendcl_sys as sys;

use crate::collective::rank::check_size;
use crate::context::Current;
use crate::device::DeviceTag;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{CollectiveMismatch, Result};

/// The bytes of the number of ranks in front of the bytes of HCCL.
const HEAD: usize = size_of::<u32>();

/// The root information of a communicator (`HcclRootInfo`), with the number of its ranks.
///
/// One rank makes it by [`Current::root_info`]. It is plain bytes, which the program sends to all ranks: to other threads as
/// they are, and to other processes by [`to_bytes`](RootInfo::to_bytes) and [`from_bytes`](RootInfo::from_bytes). Each rank
/// passes it to [`Current::comm_init_root_info`]. The number of ranks is a part of it, so no two ranks can pass different
/// ones.
///
/// ```
/// use ascendcl::collective::RootInfo;
/// use ascendcl::{Current, DeviceTag, Result};
///
/// fn root<D: DeviceTag>(current: Current<'_, '_, D>) -> Result<Vec<u8>> {
///     let root: RootInfo = current.root_info(2)?; // for two ranks
///     Ok(root.to_bytes().to_vec()) // to send to the other process
/// }
/// ```
///
/// # Invariants
///
/// - `size` is not 0.
/// - The last byte of `raw` is 0, so each text in it ends inside of it.
#[derive(Clone, PartialEq, Eq)]
pub struct RootInfo {
    size: u32,
    raw: [u8; sys::HCCL_ROOT_INFO_BYTES],
}

impl RootInfo {
    /// The number of bytes of [`RootInfo::to_bytes`].
    pub const BYTES: usize = HEAD + sys::HCCL_ROOT_INFO_BYTES;

    /// Returns the number of ranks.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let root = current.root_info(2)?;
    /// assert_eq!(root.size(), 2);
    /// # });
    /// ```
    #[must_use]
    pub fn size(&self) -> u32 {
        self.size
    }

    /// Returns the bytes for a file, a socket or another transport.
    ///
    /// ```
    /// use ascendcl::collective::RootInfo;
    ///
    /// # fn main() -> ascendcl::Result<()> {
    /// let info = RootInfo::from_raw(2, &[0; 4108])?;
    /// let bytes: [u8; RootInfo::BYTES] = info.to_bytes();
    /// assert_eq!(RootInfo::from_bytes(&bytes)?, info);
    /// # Ok(()) }
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> [u8; RootInfo::BYTES] {
        let mut bytes = [0; RootInfo::BYTES];
        let (head, rest) = bytes.split_at_mut(HEAD);
        head.copy_from_slice(&self.size.to_le_bytes());
        rest.copy_from_slice(&self.raw);
        bytes
    }

    /// Makes a root information of the bytes that [`RootInfo::to_bytes`] has returned on the rank that made it.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::collective::RootInfo;
    ///
    /// let root = current.root_info(2)?;
    /// let bytes = root.to_bytes(); // to another process, by a socket or a file
    /// assert_eq!(RootInfo::from_bytes(&bytes)?, root);
    /// assert!(RootInfo::from_bytes(&bytes[1..]).is_err());
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::RootInfo`] for another number of bytes, and for bytes that no call of `to_bytes` returns.
    pub fn from_bytes(bytes: &[u8]) -> Result<RootInfo> {
        let damaged = || CollectiveMismatch::RootInfo {
            bytes: bytes.len(),
            expected: RootInfo::BYTES,
        };
        let (head, rest) = bytes.split_first_chunk::<HEAD>().ok_or_else(damaged)?;
        let raw = <&[u8; sys::HCCL_ROOT_INFO_BYTES]>::try_from(rest).map_err(|_| damaged())?;
        match RootInfo::from_raw(u32::from_le_bytes(*head), raw) {
            Ok(info) => Ok(info),
            Err(_) => Err(damaged().into()),
        }
    }

    /// Makes a root information of the bytes of an `HcclRootInfo` that a program in another language has made, for `size`
    /// ranks.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::collective::RootInfo;
    ///
    /// let root = current.root_info(2)?;
    /// let raw = root.as_raw(); // an `HcclRootInfo`, for instance of a program in C
    /// assert_eq!(RootInfo::from_raw(2, raw)?, root);
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::NoRanks`] if `size` is 0. [`CollectiveMismatch::RootInfo`] if the last byte is not 0: HCCL
    /// writes the first bytes only, and a program zeroes the others before the call.
    pub fn from_raw(size: u32, raw: &[u8; sys::HCCL_ROOT_INFO_BYTES]) -> Result<RootInfo> {
        check_size(size)?;
        if raw.last() != Some(&0) {
            let len = raw.len();
            return Err(CollectiveMismatch::RootInfo {
                bytes: len,
                expected: len,
            }
            .into());
        }
        Ok(RootInfo { size, raw: *raw })
    }

    /// Returns the bytes of the `HcclRootInfo`, for a rank that is a program in another language.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// let root = current.root_info(2)?;
    /// assert_eq!(root.as_raw().len(), 4108); // the size of `HcclRootInfo`
    /// # });
    /// ```
    #[must_use]
    pub fn as_raw(&self) -> &[u8; sys::HCCL_ROOT_INFO_BYTES] {
        &self.raw
    }

    /// Returns the structure of C.
    pub(super) fn to_c(&self) -> sys::HcclRootInfo {
        sys::HcclRootInfo {
            internal: self.raw.map(|byte| byte as core::ffi::c_char),
        }
    }
}

impl fmt::Debug for RootInfo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RootInfo")
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}

impl<D: DeviceTag> Current<'_, '_, D> {
    /// Makes the root information of a new communicator with `size` ranks (`HcclGetRootInfo`).
    ///
    /// One rank calls it, the root, and waits on a port of its host for the others. The root joins as every other rank
    /// does, by [`Current::comm_init_root_info`].
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::collective::World;
    ///
    /// let root = current.root_info(1)?; // for a communicator of one rank
    /// let comm = current.comm_init_root_info::<World>(&root, 0)?;
    /// comm.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::NoRanks`] if `size` is 0. [`ErrorKind::Refused`] if HCCL cannot listen on a port (see
    /// `HCCL_IF_BASE_PORT` and `HCCL_HOST_SOCKET_PORT_RANGE` in the manual of HCCL).
    #[doc(alias = "HcclGetRootInfo")]
    pub fn root_info(self, size: u32) -> Result<RootInfo> {
        check_size(size)?;
        let mut raw = sys::HcclRootInfo {
            internal: [0; sys::HCCL_ROOT_INFO_BYTES],
        };
        // SAFETY: valid for a write of the structure; a device is current.
        let code = unsafe { sys::HcclGetRootInfo(&raw mut raw) };
        crate::raw::check("HcclGetRootInfo", code.0)?;
        let mut raw = raw.internal.map(|byte| byte as u8);
        if let Some(last) = raw.last_mut() {
            // The library writes the first 204 bytes of the 4108.
            *last = 0;
        }
        // INVARIANT: the last byte is 0, and `size` was checked.
        Ok(RootInfo { size, raw })
    }
}
