//! How a rank joins a communicator: by root information, and by a rank table.

use std::path::Path;
use std::ptr::null_mut;
use std::sync::Arc;

use ascendcl_sys as sys;

use crate::collective::claim::Claim;
use crate::collective::comm::Comm;
use crate::collective::name::{CommName, Name};
use crate::collective::options::CommOptions;
use crate::collective::rank::check_rank;
use crate::collective::raw_comm::{RawComm, destroy_left};
use crate::collective::root::RootInfo;
use crate::context::Current;
use crate::device::DeviceTag;
use crate::error::Result;
#[cfg(doc)]
use crate::error::Usage;
#[cfg(doc)]
use crate::error::{CollectiveMismatch, ErrorKind};
use crate::raw::{Handle, c_path, check};

impl<'t, 'dev, D: DeviceTag> Current<'t, 'dev, D> {
    /// Joins the communicator of a root information as the rank `rank` (`HcclCommInitRootInfo`).
    ///
    /// Each rank calls it once, on a thread or in a process of its own, with the same root information. The call returns when
    /// all ranks have joined. A device joins as one rank.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")]
    /// # fn main() -> ascendcl::Result<()> {
    /// use std::thread;
    ///
    /// use ascendcl::collective::{RootInfo, World};
    /// use ascendcl::{Acl, Npu, Result};
    ///
    /// fn rank_one(acl: &Acl, root: &RootInfo) -> Result<()> {
    ///     acl.on::<Npu<1>, _>(1, |current| {
    ///         let comm = current.comm_init_root_info::<World>(root, 1)?;
    ///         comm.destroy()
    ///     })
    /// }
    ///
    /// let acl = Acl::from_env()?;
    /// acl.on::<Npu<0>, _>(0, |current| {
    ///     let root = current.root_info(2)?;
    ///     thread::scope(|threads| {
    ///         let other = threads.spawn(|| rank_one(&acl, &root));
    ///         let comm = current.comm_init_root_info::<World>(&root, 0)?;
    ///         assert_eq!(comm.ranks().size(), 2);
    ///         comm.destroy()?;
    ///         other.join().unwrap_or(Ok(()))
    ///     })
    /// })
    /// # }
    /// # #[cfg(not(feature = "emulator"))]
    /// # fn main() {}
    /// ```
    ///
    /// # Errors
    ///
    /// - [`CollectiveMismatch::Rank`] for a rank that is not less than the number of ranks.
    /// - [`CollectiveMismatch::NameTaken`] if the device has a communicator of this name, and
    ///   [`CollectiveMismatch::OtherThread`] if another thread has communicators of the device.
    /// - [`ErrorKind::Refused`] with 9 if a rank does not join within the time of `HCCL_CONNECT_TIMEOUT`, with 11 if the root
    ///   cannot be reached, and with 4 if two ranks have one number.
    #[doc(alias = "HcclCommInitRootInfo")]
    pub fn comm_init_root_info<N: CommName>(
        self,
        root: &RootInfo,
        rank: u32,
    ) -> Result<Comm<'t, 'dev, D, N>> {
        let raw = root.to_c();
        self.join("HcclCommInitRootInfo", rank, Some(root.size()), |comm| {
            // SAFETY: a readable root information, whose texts end inside of it (invariant of `RootInfo`), and a place for the
            // communicator. A device is current.
            unsafe { sys::HcclCommInitRootInfo(root.size(), &raw const raw, rank, comm) }
        })
    }

    /// Joins the communicator of a root information as the rank `rank`, with options (`HcclCommInitRootInfoConfig`). All ranks
    /// pass the same options.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// use ascendcl::collective::{CommOptions, World};
    ///
    /// let options = CommOptions::default().with_name("gradients");
    /// let root = current.root_info(1)?; // for a communicator of one rank
    /// let comm = current.comm_init_root_info_config::<World>(&root, 0, &options)?;
    /// assert_eq!(comm.name(), "gradients");
    /// comm.destroy()?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::CommName`] for a name that does not fit, and the errors of
    /// [`Current::comm_init_root_info`]: [`CollectiveMismatch::Rank`], [`CollectiveMismatch::NameTaken`],
    /// [`CollectiveMismatch::OtherThread`] and [`ErrorKind::Refused`].
    #[doc(alias = "HcclCommInitRootInfoConfig")]
    #[doc(alias = "HcclCommConfigInit")]
    pub fn comm_init_root_info_config<N: CommName>(
        self,
        root: &RootInfo,
        rank: u32,
        options: &CommOptions,
    ) -> Result<Comm<'t, 'dev, D, N>> {
        let (raw, config) = (root.to_c(), options.to_c()?);
        let call = "HcclCommInitRootInfoConfig";
        self.join(call, rank, Some(root.size()), |comm| {
            let size = root.size();
            // SAFETY: a readable root information, whose texts end inside of it (invariant of `RootInfo`), complete options,
            // and a place for the communicator. A device is current.
            unsafe {
                sys::HcclCommInitRootInfoConfig(size, &raw const raw, rank, &raw const config, comm)
            }
        })
    }

    /// Joins the communicator of a rank table as the rank `rank` (`HcclCommInitClusterInfo`). The table is a JSON file that
    /// lists the servers, their devices and the ranks of these.
    ///
    /// ```
    /// use ascendcl::collective::{Comm, World};
    /// use ascendcl::{Current, DeviceTag, Result};
    ///
    /// fn join<'t, 'd, D: DeviceTag>(current: Current<'t, 'd, D>, rank: u32) -> Result<Comm<'t, 'd, D>> {
    ///     current.comm_init_cluster_info::<World>("rank_table.json", rank)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::Path`] for a path with a zero byte, [`CollectiveMismatch::NameTaken`] and
    /// [`CollectiveMismatch::OtherThread`]. [`ErrorKind::Refused`] with 4 for a table that cannot be loaded, with 1 for a rank
    /// that it does not list, and with 9 or 11 if the ranks do not meet.
    #[doc(alias = "HcclCommInitClusterInfo")]
    pub fn comm_init_cluster_info<N: CommName>(
        self,
        table: impl AsRef<Path>,
        rank: u32,
    ) -> Result<Comm<'t, 'dev, D, N>> {
        let table = c_path(table.as_ref())?;
        self.join("HcclCommInitClusterInfo", rank, None, |comm| {
            // SAFETY: a C string and a place for the communicator; a device is current.
            unsafe { sys::HcclCommInitClusterInfo(table.as_ptr(), rank, comm) }
        })
    }

    /// Joins the communicator of a rank table as the rank `rank`, with options (`HcclCommInitClusterInfoConfig`). All ranks
    /// pass the same options.
    ///
    /// ```
    /// use ascendcl::collective::{Comm, CommOptions, Determinism, World};
    /// use ascendcl::{Current, DeviceTag, Result};
    ///
    /// fn join<'t, 'd, D: DeviceTag>(current: Current<'t, 'd, D>, rank: u32) -> Result<Comm<'t, 'd, D>> {
    ///     let options = CommOptions::default().with_determinism(Determinism::On);
    ///     current.comm_init_cluster_info_config::<World>("rank_table.json", rank, &options)
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// [`CollectiveMismatch::CommName`] for a name that does not fit, and the errors of
    /// [`Current::comm_init_cluster_info`]: [`Usage::Path`], [`CollectiveMismatch::NameTaken`],
    /// [`CollectiveMismatch::OtherThread`] and [`ErrorKind::Refused`].
    #[doc(alias = "HcclCommInitClusterInfoConfig")]
    pub fn comm_init_cluster_info_config<N: CommName>(
        self,
        table: impl AsRef<Path>,
        rank: u32,
        options: &CommOptions,
    ) -> Result<Comm<'t, 'dev, D, N>> {
        let (table, mut config) = (c_path(table.as_ref())?, options.to_c()?);
        let call = "HcclCommInitClusterInfoConfig";
        self.join(call, rank, None, |comm| {
            // SAFETY: a C string, complete options and a place for the communicator; a device is current.
            unsafe {
                sys::HcclCommInitClusterInfoConfig(table.as_ptr(), rank, &raw mut config, comm)
            }
        })
    }

    /// Joins as the rank `rank` by `init`, which writes the communicator. `size` is the number of ranks, if it is known before
    /// the call.
    fn join<N: CommName>(
        self,
        call: &'static str,
        rank: u32,
        size: Option<u32>,
        init: impl FnOnce(*mut sys::HcclComm) -> sys::HcclResult,
    ) -> Result<Comm<'t, 'dev, D, N>> {
        if let Some(size) = size {
            check_rank(rank, size)?;
        }
        let claim = Claim::new(self.core(), Name::of::<N>())?;
        let handle = make(call, init).inspect_err(|_| destroy_left(claim.release()))?;
        let raw = RawComm::new(self.core(), handle, claim, (rank, size), None)?;
        Ok(Comm::new(Arc::new(raw), self))
    }
}

/// Calls a function that makes a communicator.
pub(super) fn make(
    call: &'static str,
    init: impl FnOnce(*mut sys::HcclComm) -> sys::HcclResult,
) -> Result<Handle> {
    let mut comm = null_mut();
    check(call, init(&raw mut comm).0)?;
    Handle::new(call, comm)
}
