//! Kernels of the program: what they get, what comes back, and what is refused before C sees it. The kernels are functions
//! of Rust, so these tests run on the embedded emulator.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use ascendcl::emulator::kernel::{Registered, View, ViewMut, register};
use ascendcl::error::{KernelMismatch, Usage};
use ascendcl::kernel::{Binary, In, InOut, LaunchConfig, LenOf, Out, Placed, Schedule, Struct};
use ascendcl::memory::Pages;
use ascendcl::stream::Main;
use ascendcl::{Current, HostSide, Npu, Result, Stream, kernel};

use crate::common::{acl_with_journal, assert_clean, assert_says, bound, calls, isolated, usage};
use crate::parking::{on_device, serve};

type D = Npu<0>;

/// Three words, which end in the middle of eight bytes.
#[derive(Clone, Copy)]
#[repr(C)]
struct Three([u32; 3]);
// SAFETY: three numbers without padding.
unsafe impl bytemuck::Zeroable for Three {}
// SAFETY: as above.
unsafe impl bytemuck::Pod for Three {}

kernel! {
    /// `y += a * x`
    struct Saxpy = saxpy(x: In<f32>, y: InOut<f32>, a: f32, n: LenOf<x>) where x == y;
}
kernel! {
    /// Each block writes its number to its part, in two outputs.
    struct Numbers = numbers<blocks>(low: Out<u32>, high: Out<u64>, scale: u64, n: LenOf<low>)
        where low == high, low % blocks == 0, low / blocks * scale <= 1000;
}
kernel! {
    /// Writes all its values to `out`, one behind the other.
    struct Pack = pack(
        a: u8, b: u16, three: Struct<Three>, c: f64, first: Placed<Three>, second: Placed<u32>, d: i8,
        n: LenOf<out, u64>, out: InOut<u32>,
    ) where d < 0, b > a;
}
kernel! { struct Bias = bias(x: InOut<u32>, bias: Option<In<u32>>, n: LenOf<x>) where bias == 0 || bias == x; }
kernel! { struct Fails = fails(x: InOut<u32>); }
kernel! { struct Meet = meet(x: InOut<u32>); }

fn kernels() {
    register(
        ascendcl::emulator::kernel!(saxpy(x: View<f32>, y: ViewMut<f32>, a: f32, n: u32) |block| {
            for i in block.part(n as usize) {
                y.set(i, a * x.get(i) + y.get(i));
            }
        }),
    );
    register(
        ascendcl::emulator::kernel!(numbers(low: ViewMut<u32>, high: ViewMut<u64>, scale: u64, n: u32) |block| {
            for i in block.part(n as usize) {
                low.set(i, block.index() as u32);
                high.set(i, block.index() as u64 * scale);
            }
        }),
    );
    register(pack());
    register(
        ascendcl::emulator::kernel!(bias(x: ViewMut<u32>, bias: View<u32>, n: u32) |block| {
            for i in block.part(n as usize) {
                x.set(i, x.get(i) + if bias.is_null() { 1 } else { bias.get(i) });
            }
        }),
    );
    register(ascendcl::emulator::kernel!(fails(x: ViewMut<u32>) |block| {
        x.set(0, 1);
        assert_ne!(block.index(), 1, "a defect of the kernel");
    }));
    static MET: AtomicU32 = AtomicU32::new(0);
    register(ascendcl::emulator::kernel!(meet(x: ViewMut<u32>) |block| {
        MET.fetch_add(1, Ordering::SeqCst);
        block.sync();
        x.set(block.index(), MET.load(Ordering::SeqCst));
    }));
}

fn pack() -> Registered {
    ascendcl::emulator::kernel!(
        pack(
            a: u8, b: u16, three: [u32; 3], c: f64, first: View<u32>, second: View<u32>, d: i8, n: u64,
            out: ViewMut<u32>,
        ) |_block| {
            let words = [u32::from(a), u32::from(b), three[0], three[1], three[2], c as u32];
            let placed = [first.get(0), first.get(1), first.get(2), second.get(0), d as u8 as u32, n as u32];
            for (at, word) in words.into_iter().chain(placed).enumerate() {
                out.set(at, word);
            }
        }
    )
}

/// Loads the kernels of this file.
fn load<'t, 'dev>(current: Current<'t, 'dev, D>) -> Binary<'t, 'dev, D> {
    kernels();
    current
        .load_binary_from(b"the registered kernels stand for it")
        .unwrap()
}

/// Returns what a kernel has left in a buffer.
macro_rules! read {
    ($stream:ident, $host:ident, $buffer:expr) => {{
        let len = $buffer.len();
        let back = $stream
            .memcpy_async($stream.malloc_host($host, len).unwrap(), $buffer)
            .unwrap();
        $stream.synchronize().unwrap().take(back).to_vec()
    }};
}

/// The rest of a launch that is refused by itself.
fn refused(result: Result<()>) -> KernelMismatch {
    match usage(result) {
        Usage::Kernel(mismatch) => mismatch,
        other => panic!("{other}"),
    }
}

fn numbers_on<'q, 'dev: 'q>(
    stream: &mut Stream<'q, 'dev, D>,
    host: HostSide<'_>,
    len: usize,
) -> ascendcl::Queued<'q, (D, Main), ascendcl::DeviceBuf<'dev, D, [f32]>> {
    let numbers: Vec<f32> = (0..len).map(|i| i as f32).collect();
    let numbers = stream.malloc_host_from(host, &numbers).unwrap();
    stream
        .memcpy_async(stream.malloc(len).unwrap(), &numbers)
        .unwrap()
}

isolated! {
    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_kernel_gets_its_arguments_and_the_length() {
        bound!(acl, host, device: D, current);
        let binary = load(current);
        // SAFETY: registered above.
        let saxpy = unsafe { binary.kernel::<Saxpy>() }.unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let x = numbers_on(&mut stream, host, 1000);
        let mut y = numbers_on(&mut stream, host, 1000);
        for blocks in [1, 7, 1001] {
            stream.launch(saxpy, blocks, (&x, &mut y, 2.0, ())).unwrap();
        }
        let (half, other) = (x.slice(0..512).unwrap(), y.slice_mut(8..520).unwrap());
        stream.launch(saxpy, 4, (half, other, 1.0, ())).unwrap();
        let back = read!(stream, host, &y);
        let expected = |i: usize| 7 * i + if (8..520).contains(&i) { i - 8 } else { 0 };
        assert!(back.iter().enumerate().all(|(i, y)| *y == expected(i) as f32), "{back:?}");
        binary.unload().unwrap();
        assert_clean(&acl);
    }
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_kernel_uses_mapped_memory_of_the_host() {
        bound!(acl, host, device: D, current);
        let binary = load(current);
        // SAFETY: registered above.
        let saxpy = unsafe { binary.kernel::<Saxpy>() }.unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let (mut x, mut y) = (Pages::<f32>::zeroed(1000).unwrap(), Pages::<f32>::zeroed(1000).unwrap());
        x.fill(3.0);
        y.fill(1.0);
        current
            .scope(|scope| {
                let x = stream.adopt(scope.lend_mapped(current, host, &x[..]).unwrap());
                let mut y = stream.adopt(scope.lend_mapped(current, host, &mut y[..]).unwrap());
                stream.launch(saxpy, 4, (&x, &mut y, 2.0, ())).unwrap();
            })
            .unwrap();
        assert_eq!(y[..], [7.0; 1000]);
        binary.unload().unwrap();
        assert_clean(&acl);
    }
    ["ASCENDCL_BACKEND" = "emulator"]
    fn outputs_come_back_in_the_order_of_the_parameters() {
        bound!(acl, host, device: D, current);
        let binary = load(current);
        // SAFETY: registered above.
        let numbers = unsafe { binary.kernel::<Numbers>() }.unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let (low, high) = (stream.malloc(8).unwrap(), stream.malloc(8).unwrap());
        let (mut low, high) = stream.launch(numbers, 4, (low, high, 100, ())).unwrap();
        assert_eq!(read!(stream, host, &low), [0, 0, 1, 1, 2, 2, 3, 3]);
        assert_eq!(read!(stream, host, &high), [0, 0, 100, 100, 200, 200, 300, 300]);
        // A borrowed output gives nothing back.
        let fresh = stream.malloc_as::<[u64; 8]>().unwrap();
        let ((), high) = stream.launch(numbers, 2, (&mut low, fresh, 3, ())).unwrap();
        assert_eq!(read!(stream, host, &low), [0, 0, 0, 0, 1, 1, 1, 1]);
        assert_eq!(read!(stream, host, &high), [0, 0, 0, 0, 3, 3, 3, 3]);
        binary.unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn values_and_structures_are_where_a_kernel_reads_them() {
        bound!(acl, host, device: D, current);
        let binary = load(current);
        // SAFETY: registered above.
        let pack = unsafe { binary.kernel::<Pack>() }.unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut out = stream.memset_async(stream.malloc::<u32>(16).unwrap(), 0).unwrap();
        let (by_value, placed) = (Three([3, 4, 5]), Three([7, 8, 9]));
        stream.launch(pack, 1, (1, 2, by_value, 6.0, &placed, &10, -1, (), &mut out)).unwrap();
        let back = read!(stream, host, &out);
        assert_eq!(back, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 255, 16, 0, 0, 0, 0]);
        binary.unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn an_input_may_be_left_out() {
        bound!(acl, host, device: D, current);
        let binary = load(current);
        // SAFETY: registered above.
        let bias = unsafe { binary.kernel::<Bias>() }.unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut x = stream.memset_async(stream.malloc::<u32>(64).unwrap(), 0).unwrap();
        stream.launch(bias, 2, (&mut x, (), ())).unwrap();
        let ones = stream.malloc_host_from(host, &[10_u32; 64]).unwrap();
        let ones = stream.memcpy_async(stream.malloc(64).unwrap(), &ones).unwrap();
        stream.launch(bias, 2, (&mut x, Some(&ones), ())).unwrap();
        assert_eq!(read!(stream, host, &x), [11; 64]);
        let short = Some(ones.slice(0..32).unwrap());
        let broken = refused(stream.launch(bias, 2, (&mut x, short, ())));
        assert_eq!(broken.to_string(), "the arguments of the kernel `bias` break the condition `bias == 0 || bias == x` of \
                                        its declaration: x = 64, bias = 32, n = 64, blocks = 2");
        binary.unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn what_a_declaration_does_not_admit_is_refused_before_c() {
        let acl = acl_with_journal();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let binary = load(current);
            // SAFETY: registered above.
            let saxpy = unsafe { binary.kernel::<Saxpy>() }?;
            // SAFETY: as above.
            let numbers = unsafe { binary.kernel::<Numbers>() }?;
            let mut stream = current.create_stream::<Main>()?;
            let x = numbers_on(&mut stream, host, 64);
            let mut y = numbers_on(&mut stream, host, 65);
            let before = calls("aclrtLaunchKernelWithHostArgs");
            let broken = refused(stream.launch(saxpy, 2, (&x, &mut y, 0.5, ())));
            assert!(matches!(broken, KernelMismatch::Condition { kernel: "saxpy", condition: "x == y", .. }), "{broken}");
            assert!(broken.to_string().ends_with(": x = 64, y = 65, a = 0.5, n = 64, blocks = 2"), "{broken}");
            // A product that no 64 bits hold admits nothing, and no blocks divide nothing.
            for (blocks, scale) in [(2, u64::MAX), (2, u64::MAX / 2 + 1), (0, 1)] {
                let (low, high) = (stream.malloc(8)?, stream.malloc(8)?);
                let broken = refused(stream.launch(numbers, blocks, (low, high, scale, ())).map(drop));
                assert!(matches!(broken, KernelMismatch::Condition { .. }), "{broken}");
            }
            let part = y.slice_mut(1..65)?;
            let start = refused(stream.launch(saxpy, 2, (&x, part, 0.5, ())));
            assert!(matches!(start, KernelMismatch::Part { kernel: "saxpy", parameter: "y", .. }), "{start}");
            let config = LaunchConfig::new().timeout(Duration::ZERO);
            let limit = refused(stream.launch_with(saxpy, 2, &config, (&x, y.slice_mut(0..64)?, 0.5, ())));
            assert_eq!(limit, KernelMismatch::Timeout { limit: Duration::ZERO });
            assert_eq!(calls("aclrtLaunchKernelWithHostArgs"), before);
            // The number of blocks is for C.
            for blocks in [0, 65_536] {
                let launched = stream.launch(saxpy, blocks, (&x, y.slice_mut(0..64)?, 0.5, ()));
                assert_says(launched, &["aclrtLaunchKernelWithHostArgs", "107000", &blocks.to_string()]);
            }
            stream.launch(saxpy, 65_535, (&x, y.slice_mut(0..64)?, 0.5, ()))?;
            drop((x, y));
            binary.unload()
        })
        .unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn a_binary_that_is_not_the_declared_one_is_refused() {
        kernel! { struct Unknown = unknown(x: InOut<u32>); }
        kernel! { struct Short = saxpy(x: In<f32>, y: InOut<f32>, a: f32); }
        kernel! { struct Double = saxpy(x: In<f32>, y: InOut<f32>, a: f64, n: LenOf<x>); }
        bound!(acl, device: D, current);
        let binary = load(current);
        // SAFETY: no kernel is launched.
        let unknown = unsafe { binary.kernel::<Unknown>() }.map(drop);
        // SAFETY: as above.
        let short = unsafe { binary.kernel::<Short>() }.map(drop);
        // SAFETY: as above.
        let double = unsafe { binary.kernel::<Double>() }.map(drop);
        assert_says(unknown, &["aclrtBinaryGetFunction", "unknown"]);
        assert_eq!(refused(short), KernelMismatch::Count { kernel: "saxpy", declared: 3, found: 4 });
        let layout = KernelMismatch::Layout { kernel: "saxpy", parameter: "a", declared: (16, 8), found: (16, 4) };
        assert_eq!(refused(double), layout);
        assert_says(current.load_binary("no/such/file.o").map(drop), &["aclrtBinaryLoadFromFile", "no/such/file.o"]);
        assert_says(current.load_binary_from(b"").map(drop), &["aclrtBinaryLoadFromData"]);
        assert!(matches!(usage(current.load_binary("a\0b").map(drop)), Usage::Path { .. }));
        binary.unload().unwrap();
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn launches_that_are_queued_or_refused_keep_no_memory() {
        on_device(|_, current| {
            let mut stream = current.create_stream::<Main>().unwrap();
            let binary = load(current);
            // SAFETY: registered above.
            let saxpy = unsafe { binary.kernel::<Saxpy>() }.unwrap();
            // SAFETY: as above.
            let bias = unsafe { binary.kernel::<Bias>() }.unwrap();
            serve(current, &mut stream, |stream| {
                let mut x = stream.memset_async(stream.malloc::<u32>(64)?, 0)?;
                stream.launch(bias, 2, (&mut x, (), ()))
            });
            serve(current, &mut stream, |stream| {
                let x = stream.memset_async(stream.malloc::<f32>(8)?, 0)?;
                let mut other = stream.memset_async(stream.malloc::<f32>(4)?, 0)?;
                let refused = stream.launch(saxpy, 1, (&x, &mut other, 2.0, ()));
                assert!(refused.is_err());
                Ok(())
            });
            serve(current, &mut stream, |stream| {
                let mut x = stream.memset_async(stream.malloc::<u32>(64)?, 0)?;
                let refused = stream.launch(bias, 0, (&mut x, (), ()));
                assert!(refused.is_err()); // by C
                Ok(())
            });
            binary.unload().unwrap();
        });
    }

    // No queued work runs before a wait.
    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_SCHEDULE" = "lazy"]
    fn a_binary_is_unloaded_behind_its_launches() {
        let acl = acl_with_journal();
        let host = acl.host().unwrap();
        acl.on::<D, _>(0, |current| {
            let mut stream = current.create_stream::<Main>()?;
            for drops in [false, true] {
                let binary = load(current);
                // SAFETY: registered above.
                let bias = unsafe { binary.kernel::<Bias>() }?;
                let mut x = stream.memset_async(stream.malloc::<u32>(64)?, 0)?;
                stream.launch(bias, 2, (&mut x, (), ()))?;
                let before = calls("aclrtBinaryUnLoad");
                if drops {
                    drop(binary);
                    // A wait for the stream alone proves nothing about the others.
                    let _ = stream.synchronize()?;
                    assert_eq!(calls("aclrtBinaryUnLoad"), before);
                    current.synchronize_device()?;
                } else {
                    binary.unload()?;
                }
                assert_eq!(calls("aclrtBinaryUnLoad"), before + 1);
                assert_eq!(read!(stream, host, &x), [1; 64]);
            }
            // The end of the device unloads what is parked, and no binary twice.
            drop(load(current));
            Ok(())
        })
        .unwrap();
        assert_eq!((calls("aclrtBinaryLoadFromData"), calls("aclrtBinaryUnLoad")), (3, 3));
        assert_clean(&acl);
    }

    ["ASCENDCL_BACKEND" = "emulator", "ASCENDCL_EMULATOR_CHECK" = "0"]
    fn a_kernel_that_panics_fails_the_next_wait() {
        bound!(acl, host, device: D, current);
        let binary = load(current);
        // SAFETY: registered above.
        let fails = unsafe { binary.kernel::<Fails>() }.unwrap();
        // SAFETY: as above.
        let bias = unsafe { binary.kernel::<Bias>() }.unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut x = stream.memset_async(stream.malloc::<u32>(64).unwrap(), 0).unwrap();
        stream.launch(fails, 2, (&mut x,)).unwrap();
        assert_says(stream.synchronize().map(drop), &["507015"]);
        // The process goes on, and another stream runs kernels of the same binary.
        enum Other {}
        impl ascendcl::StreamName for Other {}
        let mut other = current.create_stream::<Other>().unwrap();
        let mut y = other.memset_async(other.malloc::<u32>(64).unwrap(), 0).unwrap();
        other.launch(bias, 2, (&mut y, (), ())).unwrap();
        assert_eq!(read!(other, host, &y), [1; 64]);
        drop((x, y));
        drop(binary);
    }

    ["ASCENDCL_BACKEND" = "emulator"]
    fn blocks_of_a_batch_wait_for_each_other() {
        bound!(acl, host, device: D, current);
        let binary = load(current);
        // SAFETY: registered above.
        let meet = unsafe { binary.kernel::<Meet>() }.unwrap();
        let mut stream = current.create_stream::<Main>().unwrap();
        let mut x = stream.memset_async(stream.malloc::<u32>(8).unwrap(), 0).unwrap();
        let config = LaunchConfig::new().schedule(Schedule::Batch).timeout(Duration::from_secs(60));
        stream.launch_with(meet, 8, &config, (&mut x,)).unwrap();
        assert_eq!(read!(stream, host, &x), [8; 8]);
        binary.unload().unwrap();
        assert_clean(&acl);
    }
}
