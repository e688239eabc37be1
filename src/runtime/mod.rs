//! The process: initialising and finalising AscendCL, choosing the backend, the run mode
//! (`acl/acl_rt.h`; manual chapters 02 and 03).

mod mode;
mod params;
mod version;

use std::ffi::CStr;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ascendcl_sys as sys;
use ascendcl_sys::config::{Config, ConfigError};

pub(crate) use mode::is_host;
pub use params::SysParam;
pub use version::RuntimeVersion;

use crate::device::later;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{BackendError, Result, Usage};
use crate::park::calls;
use crate::raw::{c_path, check, in_host_func};
use crate::release;

/// Whether this process holds an `Acl`.
static INITIALISED: AtomicBool = AtomicBool::new(false);

/// The `Acl` that ended while a device had not: AscendCL is still initialised, and the next `Acl` takes it over.
static LEFT: Mutex<Option<Left>> = Mutex::new(None);

struct Left {
    default_device: Option<u32>,
    attached: bool,
}

/// Claims the one `Acl` of the process. Returns what an earlier one has left, if it has.
fn claim() -> Result<Option<Left>> {
    let left = LEFT.lock().unwrap_or_else(PoisonError::into_inner).take();
    if INITIALISED.swap(true, Ordering::AcqRel) && left.is_none() {
        return Err(Usage::AlreadyInitialised.into());
    }
    Ok(left)
}

/// An initialised AscendCL. All other values borrow from it, so none outlives it.
///
/// A process has one `Acl`; share it by reference. [`Acl::finalize`] or its drop finalises AscendCL.
///
/// # Examples
///
/// ```
/// # fn main() -> ascendcl::Result<()> {
/// # #[cfg(feature = "emulator")] {
/// use ascendcl::{Acl, Npu, Thread};
///
/// let acl = Acl::from_env()?;
/// let mut thread = Thread::claim()?;
/// let device = acl.set_device::<Npu<0>>(&mut thread, 0)?;
/// device.reset()?;
/// acl.finalize()?;
/// # } Ok(()) }
/// ```
#[derive(Debug)]
pub struct Acl {
    backend: &'static sys::Origin,
    default_device: Option<u32>,
    /// Whether other code of the process may hold references too.
    attached: bool,
    // INVARIANT: a value of this type exists only while INITIALISED is true and aclInit has succeeded.
    _private: (),
}

impl Acl {
    /// Finds CANN and initialises it (`aclInit`, pyACL `acl.init`).
    ///
    /// Searches the file in `ASCENDCL_LIBRARY`, the folders in `ASCEND_HOME_PATH` and `ASCEND_TOOLKIT_HOME`, the
    /// usual installation folders, and the search path of the loader. A library that the environment names is trusted
    /// to be AscendCL, as the loader trusts `LD_LIBRARY_PATH`. No other backend is used instead; for the emulator see
    /// `Acl::emulator` and [`Acl::from_env`].
    ///
    /// ```no_run
    /// # fn main() -> ascendcl::Result<()> {
    /// let acl = ascendcl::Acl::init()?;
    /// println!("AscendCL of {}", acl.backend());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Backend`] names the places that were searched. [`Usage::AlreadyInitialised`] when an `Acl`
    /// exists. [`ErrorKind::Refused`] with 500000 where CANN finds no usable device.
    #[doc(alias = "aclInit")]
    #[doc(alias = "acl.init")]
    pub fn init() -> Result<Acl> {
        Acl::start(install_cann()?, None)
    }

    /// Finds CANN and initialises it with a configuration file (`aclInit`, pyACL `acl.init`). The file is JSON: dump,
    /// profiling, default device.
    ///
    /// The runtime remembers the first configuration of a process; a later one must not differ.
    ///
    /// ```no_run
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::Acl;
    ///
    /// let acl = Acl::init_with_config("acl.json")?;
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Acl::init`]. [`ErrorKind::Refused`] with 100003 for a file that is missing, and 100006 for a damaged
    /// one. [`Usage::Configuration`] for one that asks for kinds of dumps that exclude each other.
    pub fn init_with_config(path: impl AsRef<Path>) -> Result<Acl> {
        Acl::start(install_cann()?, Some(path.as_ref()))
    }

    /// Initialises the CPU emulator instead of CANN.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::Acl;
    /// use ascendcl::emulator::EmulatorConfig;
    ///
    /// let acl = Acl::emulator(EmulatorConfig::default().with_devices(4))?;
    /// assert_eq!(acl.device_count()?, 4);
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Backend`] when the process uses another backend, or the emulator runs with another
    /// configuration.
    #[cfg(feature = "emulator")]
    pub fn emulator(config: ascendcl_emulator::EmulatorConfig) -> Result<Acl> {
        Acl::start(install_emulator(Some(config))?, None)
    }

    /// Initialises the CPU emulator with a configuration file for `aclInit`.
    ///
    /// ```
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::Acl;
    /// use ascendcl::emulator::EmulatorConfig;
    ///
    /// fn start() -> ascendcl::Result<Acl> {
    ///     Acl::emulator_with_config(EmulatorConfig::default(), "acl.json")
    /// }
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Acl::emulator`] and [`Acl::init_with_config`].
    #[cfg(feature = "emulator")]
    pub fn emulator_with_config(
        config: ascendcl_emulator::EmulatorConfig,
        path: impl AsRef<Path>,
    ) -> Result<Acl> {
        Acl::start(install_emulator(Some(config))?, Some(path.as_ref()))
    }

    /// Initialises the backend that `ASCENDCL_BACKEND` names: `cann`, `emulator`, or the path of a
    /// `libascendcl.so`. Without it: CANN where that is found, else the emulator if the program was built with the
    /// feature `emulator`.
    ///
    /// This is for examples, for tests, and for programs that let their user choose; print [`Acl::backend`]. Without
    /// the variable, a backend that the process has installed already ([`Api::install`](sys::Api::install)) comes
    /// before all others.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// let acl = ascendcl::Acl::from_env()?;
    /// println!("AscendCL of {}", acl.backend()); // a path, or `the emulator`
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Backend`] names the value of the variable and the allowed values.
    pub fn from_env() -> Result<Acl> {
        Acl::start(install_from_env()?, None)
    }

    /// Initialises the backend that `ASCENDCL_BACKEND` names, as [`Acl::from_env`] does, with a configuration file
    /// for `aclInit`.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use std::{env, fs, process};
    ///
    /// let path = env::temp_dir().join(format!("acl-{}.json", process::id()));
    /// fs::write(&path, r#"{"defaultDevice": {"default_device": "1"}}"#).expect("a temporary file");
    /// let acl = ascendcl::Acl::from_env_with_config(&path)?;
    /// assert_eq!(acl.default_device_id(), Some(1));
    /// # fs::remove_file(&path).expect("the file is there");
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Acl::from_env`] and [`Acl::init_with_config`].
    pub fn from_env_with_config(path: impl AsRef<Path>) -> Result<Acl> {
        Acl::start(install_from_env()?, Some(path.as_ref()))
    }

    fn start(backend: &'static sys::Origin, config: Option<&Path>) -> Result<Acl> {
        let path = config.map(c_path).transpose()?;
        // AscendCL refuses some of these, and drops one of the dumps in others.
        if let Some(Err(wrong @ ConfigError::Dumps { .. })) = config.map(Config::read) {
            return Err(Usage::Configuration {
                reason: wrong.to_string(),
            }
            .into());
        }
        if let Some(left) = claim()? {
            return Ok(left.take_over(backend));
        }
        calls::begin();
        let pointer = path.as_deref().map_or(core::ptr::null(), CStr::as_ptr);
        // SAFETY: null or a NUL-terminated string that lives until the end of this function.
        let code = unsafe { sys::aclInit(pointer) };
        if let Err(error) = check("aclInit", code) {
            if code == sys::ACL_ERROR_REPEAT_INITIALIZE {
                // A refused repetition counts all the same (observed, CANN runtime 1.17): give it back.
                release::in_drop(give_back_reference());
            }
            INITIALISED.store(false, Ordering::Release);
            return Err(match config {
                Some(file) => error.about_config(file, Config::read(file)),
                None => error,
            });
        }
        // The runtime accepted the file, so what cannot be read here holds no default device.
        let default_device = config
            .and_then(|path| Config::read(path).ok())
            .and_then(|config| config.default_device)
            .and_then(|id| u32::try_from(id).ok());
        Ok(Acl {
            backend,
            default_device,
            attached: false,
            _private: (),
        })
    }

    /// Joins an AscendCL that another component of the process may have initialised, or initialises it.
    ///
    /// The runtime counts initialisations. This value takes one and gives it back with `aclFinalizeReference`, so the
    /// other component keeps its own. A runtime without that function (before CANN 9) stays initialised. The backend
    /// is chosen as in [`Acl::from_env`].
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::{Acl, Npu};
    ///
    /// let acl = Acl::attach()?; // works also where torch_npu has initialised AscendCL before
    /// acl.on::<Npu<0>, _>(0, |current| current.malloc::<f32>(16)?.free())?;
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// As for [`Acl::from_env`]. A second initialisation is no error here.
    pub fn attach() -> Result<Acl> {
        let backend = install_from_env()?;
        if let Some(left) = claim()? {
            calls::begin_shared();
            // The reference of the earlier one is given back, and no other.
            let attached = true;
            return Ok(Left { attached, ..left }.take_over(backend));
        }
        calls::begin_shared();
        // SAFETY: null is a valid configuration.
        let code = unsafe { sys::aclInit(core::ptr::null()) };
        // A repeated initialisation counts, whatever the code says (observed, CANN runtime 1.17).
        if code != sys::ACL_ERROR_REPEAT_INITIALIZE
            && let Err(error) = check("aclInit", code)
        {
            INITIALISED.store(false, Ordering::Release);
            return Err(error);
        }
        if code != sys::ACL_SUCCESS {
            // Its text must not be taken for that of a later error.
            drop(crate::raw::recent_error_text());
        }
        Ok(Acl {
            backend,
            default_device: None,
            attached: true,
            _private: (),
        })
    }

    /// Keeps AscendCL initialised for the rest of the process. Values that borrow it can then be stored without a
    /// lifetime. It is never finalised.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::{Acl, Npu};
    ///
    /// let acl: &'static Acl = Acl::from_env()?.leak();
    /// let worker = std::thread::spawn(move || {
    ///     acl.on::<Npu<0>, _>(0, |current| current.malloc::<f32>(16)?.free())
    /// });
    /// assert!(worker.join().is_ok_and(|result| result.is_ok()));
    /// # } Ok(()) }
    /// ```
    #[must_use]
    pub fn leak(self) -> &'static Acl {
        Box::leak(Box::new(self))
    }

    /// The origin of the runtime's functions: a file, the linker, or the emulator.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::Acl;
    /// use ascendcl::sys::Origin;
    ///
    /// let acl = Acl::from_env()?;
    /// match acl.backend() {
    ///     Origin::Library(path) => println!("CANN, loaded from {}", path.display()),
    ///     Origin::Linked => println!("CANN, linked with the program"),
    ///     other => println!("{other}"), // the emulator
    /// }
    /// # } Ok(()) }
    /// ```
    #[must_use]
    pub fn backend(&self) -> &'static sys::Origin {
        self.backend
    }

    /// The device that the configuration file names as default.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// // `{"defaultDevice": {"default_device": "1"}}` in the file of `Acl::init_with_config`
    /// match acl.default_device_id() {
    ///     Some(id) => println!("the file names device {id}"),
    ///     None => println!("there is no file, or it names no device"),
    /// }
    /// # });
    /// ```
    #[must_use]
    pub fn default_device_id(&self) -> Option<u32> {
        self.default_device
    }

    /// The number of devices (`aclrtGetDeviceCount`, pyACL `acl.rt.get_device_count`).
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::{Acl, Npu};
    ///
    /// let acl = Acl::from_env()?;
    /// for id in 0..acl.device_count()? {
    ///     acl.on::<Npu<0>, _>(id, |current| current.malloc::<u8>(1024)?.free())?;
    /// }
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`], for example without a driver.
    #[doc(alias = "aclrtGetDeviceCount")]
    pub fn device_count(&self) -> Result<u32> {
        let mut count = 0;
        // SAFETY: `count` is valid for a write of a u32.
        let code = unsafe { sys::aclrtGetDeviceCount(&raw mut count) };
        check("aclrtGetDeviceCount", code)?;
        Ok(count)
    }

    /// The name of the chip (`aclrtGetSocName`, pyACL `acl.rt.get_soc_name`), if the runtime knows it.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// match acl.soc_name() {
    ///     Some(name) => println!("this chip is an {name}"),
    ///     None => println!("the runtime does not know the chip"),
    /// }
    /// # });
    /// ```
    #[doc(alias = "aclrtGetSocName")]
    #[must_use]
    pub fn soc_name(&self) -> Option<String> {
        // SAFETY: takes no argument.
        let name = unsafe { sys::aclrtGetSocName() };
        if name.is_null() {
            return None;
        }
        // SAFETY: a NUL-terminated string that the runtime owns; copied at once.
        Some(
            unsafe { CStr::from_ptr(name) }
                .to_string_lossy()
                .into_owned(),
        )
    }

    /// Whether the program runs on a host or on the device itself (`aclrtGetRunMode`, pyACL `acl.rt.get_run_mode`).
    ///
    /// On a host there are host memory, device memory, and copies between them. On the device itself (Ascend RC)
    /// there is device memory only. The value inside [`RunMode`] is the proof that allocations and touching calls ask
    /// for.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::{Acl, RunMode};
    ///
    /// let acl = Acl::from_env()?;
    /// match acl.run_mode()? {
    ///     RunMode::Host(host) => println!("{host:?}: there is host memory, and copies between both"),
    ///     RunMode::Device(device) => println!("{device:?}: device memory only"),
    /// }
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`].
    #[doc(alias = "aclrtGetRunMode")]
    pub fn run_mode(&self) -> Result<RunMode<'_>> {
        if mode::ask()? {
            Ok(RunMode::Host(HostSide(PhantomData)))
        } else {
            Ok(RunMode::Device(DeviceSide(PhantomData)))
        }
    }

    /// The proof for host memory (`aclrtGetRunMode`, pyACL `acl.rt.get_run_mode`).
    ///
    /// For programs that run on a host only. A program for both run modes calls [`Acl::run_mode`].
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::{Acl, Npu};
    ///
    /// let acl = Acl::from_env()?;
    /// let host = acl.host()?;
    /// acl.on::<Npu<0>, _>(0, |current| current.malloc_host::<f32>(host, 16)?.free())?;
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::NotOnHost`] if the program runs on the device itself, and [`ErrorKind::Refused`].
    #[doc(alias = "aclrtGetRunMode")]
    pub fn host(&self) -> Result<HostSide<'_>> {
        self.run_mode()?
            .host()
            .ok_or_else(|| Usage::NotOnHost.into())
    }

    /// Limits the time that the device waits for an event, for all waits that the process queues later
    /// (`aclrtSetOpWaitTimeout`, pyACL `acl.rt.set_op_wait_timeout`). `None` removes the limit.
    ///
    /// The limit is rounded up to seconds. A wait that exceeds it fails like a task: the next wait for its stream
    /// returns the error, and later work of the stream runs. So waits that hand memory over
    /// ([`Stream::wait_fence`](crate::Stream::wait_fence), [`handoff`](crate::Stream::handoff),
    /// [`wait_shared`](crate::Stream::wait_shared)) have no limit: the other stream might still use the memory. While
    /// a limit is set, they are queued with `aclrtStreamWaitEventWithTimeout`. This call takes `Acl` exclusively, so
    /// no device is in use when the limit changes.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use std::time::Duration;
    ///
    /// let mut acl = ascendcl::Acl::from_env()?;
    /// acl.set_op_wait_timeout(Some(Duration::from_secs(30)))?; // before a device is taken into use
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::WaitTimeout`] for no time at all, or more than C's `uint32_t` of seconds, and [`ErrorKind::Refused`].
    ///
    /// Products without the function, according to the manual: 310P.
    #[doc(alias = "aclrtSetOpWaitTimeout")]
    #[doc(alias = "acl.rt.set_op_wait_timeout")]
    pub fn set_op_wait_timeout(&mut self, limit: Option<Duration>) -> Result<()> {
        let seconds = match limit {
            None => 0,
            Some(limit) => match u32::try_from(limit.as_nanos().div_ceil(1_000_000_000)) {
                Ok(seconds) if seconds > 0 => seconds,
                _ => return Err(Usage::WaitTimeout { limit }.into()),
            },
        };
        // SAFETY: takes a number.
        let code = unsafe { sys::aclrtSetOpWaitTimeout(seconds) };
        check("aclrtSetOpWaitTimeout", code)?;
        calls::limit_waits(seconds > 0);
        Ok(())
    }

    /// Finalises AscendCL (`aclFinalize`, pyACL `acl.finalize`).
    ///
    /// This does not compile while a device is alive. Afterwards [`Acl::init`] works again. If this value came from
    /// [`Acl::attach`] and another component still holds AscendCL, only `attach` works.
    ///
    /// ```
    /// # fn main() -> ascendcl::Result<()> {
    /// # #[cfg(feature = "emulator")] {
    /// use ascendcl::Acl;
    ///
    /// let acl = Acl::from_env()?;
    /// acl.finalize()?; // a drop finalises too, and its error goes to the hook for failed releases
    /// let acl = Acl::from_env()?; // AscendCL can be initialised again
    /// # } Ok(()) }
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 100037 when other code has finalised already. The value is gone all
    /// the same. [`Usage::Unproven`] while a device whose [limit](crate::Device::release_within) has passed has not ended yet;
    /// AscendCL stays initialised then, with its configuration, and the next [`Acl`] takes it over.
    #[doc(alias = "aclFinalize")]
    #[doc(alias = "acl.finalize")]
    pub fn finalize(self) -> Result<()> {
        let acl = core::mem::ManuallyDrop::new(self);
        acl.close()
    }

    fn close(&self) -> Result<()> {
        if in_host_func() {
            return Err(Usage::InHostFunc.into());
        }
        if later::runs() {
            *LEFT.lock().unwrap_or_else(PoisonError::into_inner) = Some(Left {
                default_device: self.default_device,
                attached: self.attached,
            });
            let cause = "a device that did not answer in time has not ended yet".to_owned();
            return Err(Usage::Unproven { cause, code: None }.into());
        }
        if self.attached {
            return detach();
        }
        // SAFETY: takes no argument. Each device borrowed from this value, so no value of a device is used any more. A
        // device that was forgotten or lost its proof has no value, and nothing can access its memory.
        let code = unsafe { sys::aclFinalize() };
        INITIALISED.store(false, Ordering::Release);
        check("aclFinalize", code)
    }
}

impl Left {
    /// The configuration stays that of the `Acl` before.
    fn take_over(self, backend: &'static sys::Origin) -> Acl {
        Acl {
            backend,
            default_device: self.default_device,
            attached: self.attached,
            // INVARIANT: the `Acl` before has not finalised, and INITIALISED has stayed true.
            _private: (),
        }
    }
}

/// Gives back the one reference that [`Acl::attach`] took.
fn detach() -> Result<()> {
    let given_back = give_back_reference();
    INITIALISED.store(false, Ordering::Release);
    given_back
}

/// Counts one initialisation down.
fn give_back_reference() -> Result<()> {
    let mut left = 0;
    // SAFETY: `left` is valid for a write of a u64.
    let code = unsafe { sys::aclFinalizeReference(&raw mut left) };
    match sys::absent::take() {
        // An older runtime cannot count down; finalising it would take it from the other component.
        Some("aclFinalizeReference") => Ok(()),
        _ => check("aclFinalizeReference", code),
    }
}

impl Drop for Acl {
    fn drop(&mut self) {
        release::in_drop(self.close());
    }
}

/// The side that the program runs on, with the proof for its memory.
///
/// ```
/// # ascendcl::example!(|acl| {
/// use ascendcl::RunMode;
///
/// let text = match acl.run_mode()? {
///     RunMode::Host(_) => "host and device memory",
///     RunMode::Device(_) => "device memory only",
/// };
/// println!("{text}");
/// # });
/// ```
#[derive(Debug, Clone, Copy)]
pub enum RunMode<'acl> {
    /// On a host with a device beside it (`ACL_HOST`).
    Host(HostSide<'acl>),
    /// On the device itself (`ACL_DEVICE`, Ascend RC).
    Device(DeviceSide<'acl>),
}

impl<'acl> RunMode<'acl> {
    /// The proof for host memory, if the program runs on a host.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// if let Some(host) = acl.run_mode()?.host() {
    ///     println!("{host:?}: host memory can be allocated");
    /// }
    /// # });
    /// ```
    #[must_use]
    pub fn host(self) -> Option<HostSide<'acl>> {
        match self {
            RunMode::Host(side) => Some(side),
            RunMode::Device(_) => None,
        }
    }

    /// The proof for touching device memory, if the program runs on the device itself.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// match acl.run_mode()?.device() {
    ///     Some(_) => println!("the program reads device memory directly"),
    ///     None => println!("the program copies device memory first"),
    /// }
    /// # });
    /// ```
    #[must_use]
    pub fn device(self) -> Option<DeviceSide<'acl>> {
        match self {
            RunMode::Host(_) => None,
            RunMode::Device(side) => Some(side),
        }
    }
}

/// Proof that the program runs on a host: there is host memory, and copies go between host and device.
///
/// ```
/// use ascendcl::{Current, HostBuf, HostSide, Npu, Result};
///
/// // A function that allocates host memory takes the proof as a parameter.
/// fn ones<'dev>(
///     current: Current<'_, 'dev, Npu<0>>,
///     host: HostSide<'_>,
/// ) -> Result<HostBuf<'dev, [f32]>> {
///     current.malloc_host_from(host, &[1.0; 16])
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct HostSide<'acl>(PhantomData<&'acl Acl>);

/// Proof that the program runs on the device: there is device memory only.
///
/// ```
/// use ascendcl::{DeviceBuf, DeviceSide, Npu, Result};
///
/// // On the device itself, device memory is a slice, and no copy is needed.
/// fn sum(numbers: &DeviceBuf<'_, Npu<0>, [f32]>, device: DeviceSide<'_>) -> Result<f32> {
///     Ok(numbers.as_slice(device)?.iter().sum())
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct DeviceSide<'acl>(PhantomData<&'acl Acl>);

/// Makes CANN the backend of this process, unless a CANN is its backend already.
fn install_cann() -> Result<&'static sys::Origin> {
    if let Some(installed @ (sys::Origin::Linked | sys::Origin::Library(_))) = sys::installed() {
        return Ok(installed);
    }
    #[cfg(feature = "linked")]
    return install(sys::Api::linked());
    #[cfg(all(feature = "loaded", not(feature = "linked")))]
    {
        // SAFETY: what the environment names is trusted to be CANN, as `Acl::init` documents.
        install(unsafe { sys::Api::find() }.map_err(BackendError::from)?)
    }
    #[cfg(not(any(feature = "linked", feature = "loaded")))]
    Err(BackendError::NotBuilt {
        feature: "loaded",
        what: "CANN",
    }
    .into())
}

#[cfg(feature = "emulator")]
fn install_emulator(
    config: Option<ascendcl_emulator::EmulatorConfig>,
) -> Result<&'static sys::Origin> {
    let config = match config {
        Some(config) => config,
        None => ascendcl_emulator::EmulatorConfig::from_env().map_err(BackendError::from)?,
    };
    ascendcl_emulator::configure(config).map_err(BackendError::from)?;
    #[cfg(feature = "emulator-onnx")]
    ascendcl_emulator_onnx::register();
    #[cfg(feature = "emulator-media")]
    ascendcl_emulator_media::register();
    install(ascendcl_emulator::api())
}

fn install_from_env() -> Result<&'static sys::Origin> {
    let value = std::env::var_os("ASCENDCL_BACKEND").unwrap_or_default();
    match value.to_str() {
        Some("") => default_backend(),
        Some("cann") => install_cann(),
        #[cfg(feature = "emulator")]
        Some("emulator") => install_emulator(None),
        #[cfg(not(feature = "emulator"))]
        Some("emulator") => Err(BackendError::NotBuilt {
            feature: "emulator",
            what: "the emulator",
        }
        .into()),
        _ => {
            let path = PathBuf::from(&value);
            // A file name needs a sign that it is one, or a misspelt word would be searched for.
            if path.components().count() > 1 || path.extension().is_some_and(|ext| ext == "so") {
                install_library(&path)
            } else {
                let value = value.to_string_lossy().into_owned();
                Err(BackendError::Unknown { value }.into())
            }
        }
    }
}

/// Installs CANN if it is found, else the emulator if the program has it.
fn default_backend() -> Result<&'static sys::Origin> {
    match sys::installed() {
        Some(installed) => Ok(installed),
        #[cfg(feature = "emulator")]
        None => match install_cann() {
            Ok(origin) => Ok(origin),
            // A CANN that was named but does not load is an error; only its absence is not.
            #[cfg(feature = "loaded")]
            Err(error) if !is_not_found(&error) => Err(error),
            Err(_) => install_emulator(None),
        },
        #[cfg(not(feature = "emulator"))]
        None => install_cann(),
    }
}

/// Whether no CANN was found, which is no failure where there is another backend.
#[cfg(all(feature = "emulator", feature = "loaded"))]
fn is_not_found(error: &crate::error::Error) -> bool {
    use crate::error::ErrorKind::Backend;

    let kind = error.kind();
    matches!(
        kind,
        Backend(BackendError::Load(sys::LoadError::NotFound { .. }))
    )
}

#[cfg(feature = "loaded")]
fn install_library(path: &Path) -> Result<&'static sys::Origin> {
    // SAFETY: what the environment names is trusted to be AscendCL, as `Acl::init` documents.
    install(unsafe { sys::Api::load(path) }.map_err(BackendError::from)?)
}

#[cfg(not(feature = "loaded"))]
fn install_library(_: &Path) -> Result<&'static sys::Origin> {
    Err(BackendError::NotBuilt {
        feature: "loaded",
        what: "a library by path",
    }
    .into())
}

/// Installs a backend. An equal backend that is installed already is accepted.
#[allow(
    dead_code,
    reason = "without any backend feature there is nothing to install"
)]
fn install(api: sys::Api) -> Result<&'static sys::Origin> {
    match sys::installed() {
        Some(installed) if *installed == api.origin => Ok(installed),
        // SAFETY: the callers pass CANN, found where the user says, or the emulator.
        _ => Ok(unsafe { api.install() }.map_err(BackendError::from)?),
    }
}
