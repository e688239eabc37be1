//! Separate allocators for host and device memory: the run mode selects them.
//!
//! The program needs code for both modes. In return it copies less on the chip, where data is loaded
//! straight into device memory, and the allocators take care of the alignment.

use ascendcl::{Current, DeviceSide, DeviceTag, HostSide};

use crate::log::Logged;
use crate::table::Table;
use crate::{Result, pattern};

/// host -> device -> media -> device -> host.
pub(crate) fn on_host<D: DeviceTag>(
    current: Current<'_, '_, D>,
    side: HostSide<'_>,
    size: usize,
    table: &mut Table,
) -> Result<()> {
    // STEP 1: Allocate. Host memory is page-locked, which a device reads and writes fastest. Memory
    // for the media engine (decoding, resizing) comes from an allocator of its own.
    let mut host = current
        .malloc_host::<u8>(side, size)
        .logged("aclrtMallocHost")?;
    let device = current.malloc(size).logged("aclrtMalloc")?;
    let media = current.malloc_dvpp(size).logged("acldvppMalloc")?;
    let back = current.malloc(size).logged("aclrtMalloc")?;
    // `malloc_host` zeroes the memory. In C the contents are undefined, and a program can easily forget to set them.
    current.memset(&mut host, 0).logged("aclrtMemset")?;

    // STEP 2: Load data into memory.
    pattern::fill(&mut host);

    // STEP 3: Copy. Fresh memory is passed by value and returned as memory that may be read.
    let device = current.memcpy(device, &host).logged("aclrtMemcpy")?;
    let media = current.memcpy(media, &device).logged("aclrtMemcpy")?;
    let back = current.memcpy(back, &media).logged("aclrtMemcpy")?;
    // Cleared, so that the check sees only bytes that were copied all the way.
    host.fill(0);
    current.memcpy(&mut host, &back).logged("aclrtMemcpy")?;
    pattern::check(&host)?;

    table.row("host", "aclrtMallocHost", &host);
    table.row("device", "aclrtMalloc", &device);
    table.row("media (DVPP)", "acldvppMalloc", &media);
    table.row("device", "aclrtMalloc", &back);

    // Each buffer knows the function that frees it.
    host.free().logged("aclrtFreeHost")?;
    device.free().logged("aclrtFree")?;
    media.free().logged("acldvppFree")?;
    back.free().logged("aclrtFree")?;
    Ok(())
}

/// device -> media -> device: on the chip there is no host memory.
pub(crate) fn on_device<D: DeviceTag>(
    current: Current<'_, '_, D>,
    side: DeviceSide<'_>,
    size: usize,
    table: &mut Table,
) -> Result<()> {
    // STEP 1: Allocate.
    let device = current.malloc::<u8>(size).logged("aclrtMalloc")?;
    let media = current.malloc_dvpp(size).logged("acldvppMalloc")?;
    let back = current.malloc(size).logged("aclrtMalloc")?;
    let mut device = current.memset(device, 0).logged("aclrtMemset")?;

    // STEP 2: Load data into memory. The proof `side` says that the program shares the memory of the
    // device and may touch it.
    pattern::fill(device.as_mut_slice(side)?);

    // STEP 3: Copy.
    let media = current.memcpy(media, &device).logged("aclrtMemcpy")?;
    let back = current.memcpy(back, &media).logged("aclrtMemcpy")?;
    pattern::check(back.as_slice(side)?)?;

    table.row("device", "aclrtMalloc", &device);
    table.row("media (DVPP)", "acldvppMalloc", &media);
    table.row("device", "aclrtMalloc", &back);

    device.free().logged("aclrtFree")?;
    media.free().logged("acldvppFree")?;
    back.free().logged("aclrtFree")?;
    Ok(())
}
