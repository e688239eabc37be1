//! Memory at reserved addresses that processes share, by a handle of its physical memory (manual chapter 11-04).
//!
//! A process that has imported the handle has the memory until it frees it, whatever the process that has exported it does. C has no
//! call that ends an export alone: the handle leads to the memory until it is freed. So no end of an export gives the memory back.

use std::marker::PhantomData;

use ascendcl_sys as sys;

use super::operand::Exportable;
use super::{Exported, Importers, MemoryKey, SharedBuf};
use crate::context::Current;
use crate::device::{AnyDevice, OfDevice};
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::{Plain, Reserved, ReservedBuf};
use crate::raw::check;

#[diagnostic::do_not_recommend]
impl<'dev, D: AnyDevice, T: Plain> Exportable<'dev, D> for ReservedBuf<'dev, D, T> {
    type Side = Exported<Reserved<D>>;
    type Element = T;

    fn export(
        mut self,
        current: Current<'_, 'dev, D>,
        importers: Importers<'_>,
    ) -> Result<SharedBuf<'dev, Exported<Reserved<D>>, T>> {
        let (elements, size) = (self.written(), size_of::<T>());
        if elements.is_empty() {
            return Err(Usage::ZeroSize { len: 0, size }.into());
        }
        let flags = match importers {
            Importers::Listed(_) => sys::ACL_RT_VMM_EXPORT_FLAG_DEFAULT,
            Importers::Any => sys::ACL_RT_VMM_EXPORT_FLAG_DISABLE_PID_VALIDATION,
        };
        let (handle, whole) = self.range().export(flags)?;
        // INVARIANT: written memory of this device in the range, which the buffer gives up; it has the handle.
        let shared = SharedBuf {
            elements,
            // No overflow: the range has this many bytes.
            key: MemoryKey::of_handle(handle, whole, elements.len() * size),
            mapped: Some(self.into_range()),
            core: current.core(),
            _domain: PhantomData,
        };
        if let Importers::Listed(processes) = importers {
            let (list, len) = (processes.as_ptr().cast_mut(), processes.len());
            // SAFETY: as many numbers as the call is told. C does not write them (manual chapter 11-04).
            let code = unsafe { sys::aclrtMemSetPidToShareableHandle(handle, list, len) };
            check("aclrtMemSetPidToShareableHandle", code)?;
        }
        Ok(shared)
    }
}

impl<'dev, D: AnyDevice, T> SharedBuf<'dev, Exported<Reserved<D>>, T> {
    /// Ends the export: unmaps and frees the memory and releases the addresses (`aclrtUnmapMem`, `aclrtFreePhysical`,
    /// `aclrtReleaseMemAddress`). The processes that have imported it keep it. Nothing is returned: AscendCL ends no export otherwise,
    /// so other processes could write the memory still.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current| {
    /// # use ascendcl::share::Importers;
    /// let mut cache = current.reserve_mem_address::<f32>(host, 1 << 20)?;
    /// current.memset(cache.grow(current, 1 << 19)?, 0)?;
    /// let cache = current.export_memory(cache, Importers::Any)?;
    /// // ... other processes import it ...
    /// cache.close(current)?;
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`]. What could not be unmapped or released is leaked then.
    pub fn close<'t>(self, _current: impl OfDevice<Current<'t, 'dev, D>>) -> Result<()>
    where
        'dev: 't,
    {
        self.into_mapped().map_or(Ok(()), |range| range.release())
    }
}
