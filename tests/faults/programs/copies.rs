//! Blocking copies, fills and every kind of memory: device, host, media, blocks and unified memory.

use ascendcl::memory::Rows;
use ascendcl::queue::RandomNum;
use ascendcl::stream::Main;
use ascendcl::{Acl, MemAttr, Npu, Result};

fn main() -> Result<()> {
    let acl = Acl::from_env()?;
    let host = acl.host()?;
    acl.on::<Npu<0>, _>(0, |current| {
        let mut stream = current.create_stream::<Main>()?;
        current.mem_info(MemAttr::Hbm)?;
        let numbers = current.malloc_host_from(host, &[1_u8; 64])?;
        let on_device = current.memcpy(current.malloc(64)?, &numbers)?;
        let mut rows = current.malloc_host::<u8>(host, 64)?;
        current.memcpy_2d(
            Rows::new(&mut rows, 4, 8, 16)?,
            Rows::new(&on_device, 4, 8, 16)?,
            host,
        )?;
        let media = current.malloc_dvpp_block(1024)?;
        let mut piece = current.memcpy(media.piece::<u8>(64)?, &on_device)?;
        current.memcpy(&mut piece, &on_device)?;
        drop(piece);
        drop(media);
        let block = current.malloc_block(4096)?;
        let words = current.memset_d32(block.piece::<u32>(16)?, 7)?;
        let queued = stream.memset_async(stream.adopt(block.piece::<u8>(64)?), 1)?;
        drop((queued, words));
        block.free_with_dev_sync(current)?;
        let queued = stream.memset_async(stream.malloc::<u8>(64)?, 1)?;
        queued.free_with_dev_sync(current)?;
        let mut counter = stream.memset_async(stream.malloc_as::<[u64; 2]>()?, 0)?;
        let range = RandomNum::Uniform { min: 0.0, max: 1.0 };
        let noise = stream.random_num_async(stream.malloc(16)?, &mut counter, range, 7)?;
        drop(stream.synchronize()?.take(noise));
        drop(counter);
        on_device.free()?;
        numbers.free()?;
        stream.destroy()
    })
}
