//! The set-up of the examples in this documentation, written once.
//!
//! A reader sees the lines of an example and not what they need: an `Acl`, a device, a stream. Two hidden lines give it.
//!
//! ```
//! # ascendcl::example!(|acl, host, current, stream| {
//! let zeros = stream.memset_async(stream.malloc::<u8>(4)?, 0)?;
//! stream.synchronize()?.take(zeros).free()?;
//! # });
//! ```
//!
//! The names are those that the lines can use, in a fixed order: `|acl|`, `|acl, host|`, `|acl, host, current|`, or with a
//! stream. With `async` in front the lines await futures. `ranks |comm|` and `ranks |comm, host, stream|` run the lines on two ranks of a communicator.

/// Runs the lines of an example, and panics if one of them fails.
///
/// Without the feature `emulator` nothing is left of it: there may be no device where the documentation is tested.
#[doc(hidden)]
#[macro_export]
macro_rules! example {
    (|$acl:ident $(, $host:ident)?| $body:block) => {
        #[cfg(feature = "emulator")]
        {
            use $crate::{Acl, Npu, Thread};
            fn example() -> $crate::Result<()> {
                let $acl = Acl::from_env()?;
                $(let $host = $acl.host()?;)?
                $body
                Ok(())
            }
            example().unwrap();
        }
    };
    (|$acl:ident, $host:ident, $current:ident $(, $stream:ident)?| $body:block) => {
        $crate::example!(|$acl, $host| {
            $acl.on::<Npu<0>, _>(0, |$current| {
                $(let mut $stream = $current.create_stream::<$crate::stream::Main>()?;)?
                $body
                Ok(())
            })?;
        })
    };
    (async |$acl:ident, $host:ident, $current:ident, $stream:ident| $body:block) => {
        $crate::example!(|$acl, $host, $current, $stream| {
            struct Unpark(std::thread::Thread);
            impl std::task::Wake for Unpark {
                fn wake(self: std::sync::Arc<Self>) {
                    self.0.unpark();
                }
            }
            let waker = std::sync::Arc::new(Unpark(std::thread::current())).into();
            let mut context = std::task::Context::from_waker(&waker);
            let mut example = std::pin::pin!(async {
                $body
                Ok::<(), $crate::Error>(())
            });
            while std::future::Future::poll(example.as_mut(), &mut context)?.is_pending() {
                std::thread::park();
            }
        })
    };
    (ranks |$comm:ident $(, $host:ident, $stream:ident)?| $body:block) => {
        $crate::example!(|acl| {
            use $crate::collective::{RootInfo, World};
            fn rank<const N: usize>(acl: &Acl, root: &RootInfo) -> $crate::Result<()> {
                acl.on::<Npu<N>, _>(N as u32, |current| {
                    let mut $comm = current.comm_init_root_info::<World>(root, N as u32)?;
                    $(
                        let $host = acl.host()?;
                        let mut $stream = current.create_stream::<$crate::stream::Main>()?;
                        let $comm = $stream.adopt($comm);
                    )?
                    $body
                    Ok(())
                })
            }
            let root = acl.on::<Npu<0>, _>(0, |current| current.root_info(2))?;
            std::thread::scope(|threads| {
                let other = threads.spawn(|| rank::<1>(&acl, &root));
                rank::<0>(&acl, &root).and(other.join().unwrap())
            })?;
        })
    };
}
