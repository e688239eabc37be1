//! One allocator for both run modes: `aclrtMallocHost` returns memory on the program's own side, host memory on a
//! host and device memory on the chip.
//!
//! The code does not ask for the run mode. In return the program is responsible for the alignment, because
//! `aclrtMallocHost` promises one on a host only.

use ascendcl::{Current, DeviceTag};

use crate::log::Logged;
use crate::table::Table;
use crate::{Result, pattern};

/// The alignment of addresses for the media engine. The engines of operators need 32 or 64. A value that is no
/// alignment, such as 100, does not compile.
const ALIGNMENT: usize = 128;

/// own side -> device -> media -> device -> own side.
pub(crate) fn transfer<D: DeviceTag>(
    current: Current<'_, '_, D>,
    size: usize,
    table: &mut Table,
) -> Result<()> {
    // STEP 1: Allocate. Memory on the own side is zeroed, and a slice of bytes in both run modes.
    let mut local = current
        .malloc_local::<u8, ALIGNMENT>(size)
        .logged("aclrtMallocHost")?;
    let device = current.malloc(size).logged("aclrtMalloc")?;
    let media = current.malloc_dvpp(size).logged("acldvppMalloc")?;
    let back = current.malloc(size).logged("aclrtMalloc")?;

    // STEP 2: Load data into memory.
    pattern::fill(&mut local);

    // STEP 3: Copy, as on a host; on the chip each copy stays within its memory.
    let device = current.memcpy(device, &local).logged("aclrtMemcpy")?;
    let media = current.memcpy(media, &device).logged("aclrtMemcpy")?;
    let back = current.memcpy(back, &media).logged("aclrtMemcpy")?;
    // Cleared, so that the check sees only bytes that were copied all the way.
    local.fill(0);
    current.memcpy(&mut local, &back).logged("aclrtMemcpy")?;
    pattern::check(&local)?;

    table.row("own side", "aclrtMallocHost", &local);
    table.row("device", "aclrtMalloc", &device);
    table.row("media (DVPP)", "acldvppMalloc", &media);
    table.row("device", "aclrtMalloc", &back);

    local.free().logged("aclrtFreeHost")?;
    device.free().logged("aclrtFree")?;
    media.free().logged("acldvppFree")?;
    back.free().logged("aclrtFree")?;
    Ok(())
}
