//! The futures of the typed API on the executors that programs use.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use ascendcl::emulator::EmulatorConfig;
use ascendcl::stream::Main;
use ascendcl::{Acl, Current, Npu, Result};
use async_executor::LocalExecutor;
use futures_lite::future;
use tokio::runtime::Builder;
use tokio::time::timeout;

type D = Npu<0>;

/// Turns whose memory is awaited behind the next fill, and whose stream is awaited at the end.
async fn turns(current: Current<'_, '_, D>) -> Result<usize> {
    let mut stream = current.create_stream::<Main>()?;
    let mut verified = 0;
    for turn in 0..20 {
        let work = stream.memset_async(stream.malloc::<u8>(64)?, turn)?;
        let completed = stream.completed(work);
        let later = stream.memset_async(stream.malloc::<u8>(64)?, turn)?;
        let work = completed.await?;
        let idle = stream.synchronized().await?;
        idle.verify(work).free()?;
        idle.take(later).free()?;
        verified += 2;
    }
    stream.destroy()?;
    Ok(verified)
}

/// A time limit of the executor drops a future whose work is held up.
async fn in_time(current: Current<'_, '_, D>) -> Result<bool> {
    let mut stream = current.create_stream::<Main>()?;
    let (held, holds) = std::sync::mpsc::channel::<()>();
    stream.launch_host_func(move || holds.recv().unwrap_or(()))?;
    let work = stream.memset_async(stream.malloc::<u8>(64)?, 1)?;
    let is_in_time = timeout(Duration::from_millis(1), stream.completed(work))
        .await
        .is_ok();
    drop(held);
    stream.destroy()?;
    Ok(is_in_time)
}

// One test: the state of AscendCL belongs to the process.
#[test]
fn futures_run_on_tokio_and_smol() {
    let acl = Acl::emulator(EmulatorConfig::default()).unwrap();
    acl.on::<D, _>(0, |current| {
        let one = Builder::new_current_thread().enable_time().build().unwrap();
        assert_eq!(one.block_on(turns(current))?, 40);
        assert!(!one.block_on(in_time(current))?);
        let many = Builder::new_multi_thread()
            .worker_threads(2)
            .build()
            .unwrap();
        assert_eq!(many.block_on(turns(current))?, 40);
        let smol = LocalExecutor::new();
        let task = smol.spawn(turns(current));
        assert_eq!(future::block_on(smol.run(task))?, 40);
        assert_eq!((ascendcl::parked_bytes(), ascendcl::leaks()), (0, 0));
        Ok(())
    })
    .unwrap();
}
