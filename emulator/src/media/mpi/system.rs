//! The state of the second generation: whether it is initialised, and the channels by their numbers.

use std::sync::Condvar;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use ascendcl_sys::{
    HI_CSC_MATRIX_USER, HI_ERR_SYS_BUSY, HI_ERR_SYS_ILLEGAL_PARAM, HI_ERR_SYS_NOT_READY,
    HI_ERR_SYS_NOT_SUPPORT, HI_ERR_SYS_NULL_PTR, HI_ERR_SYS_UNEXIST, HI_ID_VPC, HI_MOD_ALL,
    HI_MOD_JPEGD, HI_MOD_JPEGE, HI_MOD_PNGD, HI_MOD_VENC, hi_csc_coefficient, hi_csc_matrix,
    hi_img_align_info, hi_img_base_info, hi_mod_id, hi_module_type,
};

use super::pngd::Decoder as PngDecoder;
use super::vdec::Decoder;
use super::venc::Encoder;
use super::vpc::Processor;
use crate::check::{self, StreamSlot};
use crate::engine::current::current;
use crate::media::colour::Matrix;
use crate::media::format::Layout;
use crate::media::generation;
use crate::media::picture::Generation;
use crate::media::product::product;
use crate::object_calls::{refused, status};
use crate::sorted::Sorted;
use crate::space::heap::Maker;
use crate::sync::{Mutex, lock};

/// The reasons of status codes; the module makes them codes.
pub(super) const INVALID_CHN_ID: u32 = 2;
pub(super) const ILLEGAL_PARAM: u32 = 3;
pub(super) const EXIST: u32 = 4;
pub(super) const UNEXIST: u32 = 5;
pub(super) const NULL_PTR: u32 = 6;
pub(super) const NOT_SUPPORT: u32 = 8;
pub(super) const NOT_PERM: u32 = 9;
pub(super) const BUF_EMPTY: u32 = 0xe;
pub(super) const BUF_FULL: u32 = 0xf;
pub(super) const NOT_READY: u32 = 0x10;
pub(super) const BAD_ADDR: u32 = 0x11;
pub(super) const BUSY: u32 = 0x12;

/// The modules with channels, by their numbers in status codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Module {
    Vdec = 5,
    Vpc = 7,
    Venc = 8,
    Pngd = 64,
}

impl Module {
    /// Returns the status code of a reason.
    pub(super) fn code(self, reason: u32) -> i32 {
        (0xa000_0000 | (self as u32) << 16 | 4 << 13 | reason) as i32
    }

    /// Refuses a call.
    #[cold]
    pub(super) fn refuse(self, call: &str, reason: u32, why: std::fmt::Arguments<'_>) -> i32 {
        refused(call, self.code(reason), why)
    }

    /// The number by which the checker knows a channel.
    pub(super) fn channel(self, number: i32) -> usize {
        0x7a << 56 | (self as usize) << 32 | number as u32 as usize
    }

    /// Refuses a null pointer.
    pub(super) fn not_null<T>(
        self,
        call: &str,
        argument: &str,
        pointer: *const T,
    ) -> Result<(), i32> {
        self.not_zero(call, argument, pointer.addr())
    }

    /// Pointers are of many types, and this is compiled once for all of them.
    fn not_zero(self, call: &str, argument: &str, address: usize) -> Result<(), i32> {
        if address == 0 {
            return Err(self.refuse(call, NULL_PTR, format_args!("{argument} is NULL")));
        }
        Ok(())
    }

    /// Refuses a channel that does not exist.
    #[cold]
    pub(super) fn unknown(self, call: &str, number: i32) -> i32 {
        self.refuse(
            call,
            UNEXIST,
            format_args!("the channel {number} does not exist; create it first"),
        )
    }
}

/// The state of the process.
#[derive(Default)]
pub(super) struct System {
    is_ready: bool,
    pub(super) vpc: Sorted<i32, Processor>,
    pub(super) vdec: Sorted<i32, Decoder>,
    pub(super) pngd: Sorted<i32, PngDecoder>,
    pub(super) venc: Sorted<i32, Encoder>,
}

impl System {
    /// Refuses a call before the second generation is initialised.
    fn ready(&mut self, module: Module, call: &str) -> Result<&mut System, i32> {
        if self.is_ready {
            return Ok(self);
        }
        Err(module.refuse(
            call,
            NOT_READY,
            format_args!("the system is not initialised; call hi_mpi_sys_init first"),
        ))
    }
}

pub(super) static SYSTEM: Mutex<System> = Mutex::new(System {
    is_ready: false,
    vpc: Sorted::new(),
    vdec: Sorted::new(),
    pngd: Sorted::new(),
    venc: Sorted::new(),
});

/// Notified when a queue of a channel has changed.
static CHANGED: Condvar = Condvar::new();

/// Notifies the threads that wait for a queue.
pub(super) fn changed() {
    CHANGED.notify_all();
}

/// Uses the state, if the second generation is initialised.
pub(super) fn with<R>(
    module: Module,
    call: &str,
    work: &mut dyn FnMut(&mut System) -> Result<R, i32>,
) -> Result<R, i32> {
    let mut system = lock(&SYSTEM);
    match system.ready(module, call) {
        Ok(system) => work(system),
        Err(code) => Err(code),
    }
}

/// Tries until `work` has a result: at once for 0 milliseconds, for ever for -1. `None` if the time is over.
pub(super) fn wait<R>(
    module: Module,
    call: &str,
    milliseconds: i32,
    work: &mut dyn FnMut(&mut System) -> Result<Option<R>, i32>,
) -> Result<Option<R>, i32> {
    let mut result = None;
    wait_until(module, call, milliseconds, &mut |system| {
        result = work(system)?;
        Ok(result.is_some())
    })?;
    Ok(result)
}

/// Tries until `work` returns true, or the time is over. It is compiled once, and not for each type of result.
fn wait_until(
    module: Module,
    call: &str,
    milliseconds: i32,
    work: &mut dyn FnMut(&mut System) -> Result<bool, i32>,
) -> Result<(), i32> {
    let end = match milliseconds {
        -1 => None,
        0.. => Some(Instant::now() + Duration::from_millis(milliseconds as u64)),
        other => {
            return Err(module.refuse(
                call,
                ILLEGAL_PARAM,
                format_args!("milli_sec is {other}; pass milliseconds, or -1 for no limit"),
            ));
        }
    };
    let mut system = lock(&SYSTEM);
    loop {
        if work(system.ready(module, call)?)? {
            return Ok(());
        }
        let left = match end {
            // Another thread may end without a notification; look again now and then.
            None => Duration::from_millis(50),
            Some(end) => end.saturating_duration_since(Instant::now()),
        };
        if left.is_zero() {
            return Ok(());
        }
        system = system.wait(&CHANGED, Some(left.min(Duration::from_millis(50))));
    }
}

/// Returns the name of the queue of a new channel for the checker. A number of a channel can be used again, and a name
/// cannot.
pub(super) fn new_queue() -> StreamSlot {
    static LAST: AtomicUsize = AtomicUsize::new(0);
    StreamSlot(0x7b << 56 | LAST.fetch_add(1, Ordering::Relaxed))
}

/// Tells the checker of a channel.
pub(super) fn created(module: Module, call: &str, number: i32) {
    let handle = module.channel(number);
    check::tell(call, &|checker, site| {
        checker.allocate(handle, 1, Maker::Object, site.clone());
        checker.created(handle, "channel of the media engine", site);
    });
}

/// Tells the checker of the end of a channel.
pub(super) fn destroyed(module: Module, call: &str, number: i32) {
    let handle = module.channel(number);
    check::tell(call, &|checker, site| {
        checker.free(handle, &site);
        checker.destroyed(handle, &site);
    });
}

fn system_refusal(call: &str, code: u32, why: std::fmt::Arguments<'_>) -> i32 {
    refused(call, code as i32, why)
}

pub(crate) unsafe extern "C" fn hi_mpi_sys_init() -> i32 {
    let call = "hi_mpi_sys_init";
    status((|| {
        if !product().has_second() {
            return Err(system_refusal(
                call,
                HI_ERR_SYS_NOT_SUPPORT,
                format_args!("this product does not have the second generation"),
            ));
        }
        if current(call).is_err() {
            return Err(system_refusal(
                call,
                HI_ERR_SYS_NOT_READY,
                format_args!("no device is current on this thread; call aclrtSetDevice first"),
            ));
        }
        lock(&SYSTEM).is_ready = true;
        generation::uses(call, Generation::Second);
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_sys_exit() -> i32 {
    let call = "hi_mpi_sys_exit";
    status((|| {
        let mut system = lock(&SYSTEM);
        let channels = system.vpc.len() + system.vdec.len() + system.pngd.len() + system.venc.len();
        if channels > 0 {
            return Err(system_refusal(
                call,
                HI_ERR_SYS_BUSY,
                format_args!("{channels} channels exist; destroy them first"),
            ));
        }
        system.is_ready = false;
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn hi_mpi_dvpp_get_version(
    major_version: *mut i32,
    minor_version: *mut i32,
    patch_version: *mut i32,
) -> i32 {
    let call = "hi_mpi_dvpp_get_version";
    for (place, number) in [(major_version, 1), (minor_version, 0), (patch_version, 0)] {
        if place.is_null() {
            return system_refusal(call, HI_ERR_SYS_NULL_PTR, format_args!("a version is NULL"));
        }
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { place.write(number) };
    }
    0
}

pub(crate) unsafe extern "C" fn hi_mpi_sys_set_chn_csc_matrix(
    mode: hi_mod_id,
    chn: i32,
    csc_matrix: hi_csc_matrix,
    csc_coefficient: *mut hi_csc_coefficient,
) -> i32 {
    let call = "hi_mpi_sys_set_chn_csc_matrix";
    let mut set = |system: &mut System| {
        if mode != HI_ID_VPC {
            return Err(system_refusal(
                call,
                HI_ERR_SYS_NOT_SUPPORT,
                format_args!("channels of {mode:?} have no colour matrix here"),
            ));
        }
        if csc_matrix == HI_CSC_MATRIX_USER {
            if csc_coefficient.is_null() {
                return Err(system_refusal(
                    call,
                    HI_ERR_SYS_NULL_PTR,
                    format_args!("csc_coefficient is NULL"),
                ));
            }
            check::not_modelled(call);
            return Err(system_refusal(
                call,
                HI_ERR_SYS_NOT_SUPPORT,
                format_args!("the emulator has no colour matrices of the program"),
            ));
        }
        let matrix = Matrix::of(csc_matrix.0).ok_or_else(|| {
            system_refusal(
                call,
                HI_ERR_SYS_ILLEGAL_PARAM,
                format_args!("{csc_matrix:?} is no colour matrix"),
            )
        })?;
        let channel = system.vpc.get_mut(&chn).ok_or_else(|| {
            system_refusal(
                call,
                HI_ERR_SYS_UNEXIST,
                format_args!("the channel {chn} does not exist"),
            )
        })?;
        (channel.matrix, channel.number) = (matrix, csc_matrix.0);
        Ok(())
    };
    status(with(Module::Vpc, call, &mut set))
}

pub(crate) unsafe extern "C" fn hi_mpi_sys_get_chn_csc_matrix(
    mode: hi_mod_id,
    chn: i32,
    csc_matrix: *mut hi_csc_matrix,
    _csc_coefficient: *mut hi_csc_coefficient,
) -> i32 {
    let call = "hi_mpi_sys_get_chn_csc_matrix";
    let number = with(Module::Vpc, call, &mut |system| {
        if csc_matrix.is_null() {
            return Err(system_refusal(
                call,
                HI_ERR_SYS_NULL_PTR,
                format_args!("csc_matrix is NULL"),
            ));
        }
        let channel = (mode == HI_ID_VPC).then(|| system.vpc.get(&chn)).flatten();
        channel.map(|channel| channel.number).ok_or_else(|| {
            system_refusal(
                call,
                HI_ERR_SYS_UNEXIST,
                format_args!("the channel {chn} of {mode:?} does not exist"),
            )
        })
    });
    status(number.map(|number| {
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { csc_matrix.write(hi_csc_matrix(number)) };
    }))
}

pub(crate) unsafe extern "C" fn hi_mpi_sys_get_image_align_info(
    mod_type: *const hi_module_type,
    mod_num: u32,
    img_base_info: *const hi_img_base_info,
    img_align_info: *mut hi_img_align_info,
) -> i32 {
    let call = "hi_mpi_sys_get_image_align_info";
    status((|| {
        if mod_type.is_null() || img_base_info.is_null() || img_align_info.is_null() {
            return Err(system_refusal(
                call,
                HI_ERR_SYS_NULL_PTR,
                format_args!("a pointer is NULL"),
            ));
        }
        if !(1..=6).contains(&mod_num) {
            return Err(system_refusal(
                call,
                HI_ERR_SYS_ILLEGAL_PARAM,
                format_args!("mod_num is {mod_num}; there are 1 to 6 modules"),
            ));
        }
        // SAFETY: not null; the caller's contract: valid for a read.
        let base = unsafe { img_base_info.read() };
        let layout = Layout::of(base.pixel_format.0)
            .filter(|_| base.width <= 1 << 14 && base.height <= 1 << 14);
        let layout = layout.ok_or_else(|| {
            system_refusal(
                call,
                HI_ERR_SYS_ILLEGAL_PARAM,
                format_args!("{:?} or the size is not supported", base.pixel_format),
            )
        })?;
        let product = product();
        let (mut columns, mut rows) = layout.strides(base.width, base.height, product);
        for index in 0..mod_num as usize {
            // SAFETY: the caller's contract: `mod_num` modules.
            let place = unsafe { mod_type.add(index) };
            // SAFETY: as above.
            let module = unsafe { place.read() };
            if [HI_MOD_JPEGD, HI_MOD_ALL].contains(&module) {
                columns = columns.next_multiple_of(product.decoded_unit());
                rows = rows.next_multiple_of(16);
            }
            if [HI_MOD_PNGD, HI_MOD_ALL].contains(&module) {
                columns = columns.next_multiple_of(128);
                rows = rows.next_multiple_of(16);
            }
            if [HI_MOD_JPEGE, HI_MOD_VENC].contains(&module) {
                columns = columns.next_multiple_of(16);
            }
        }
        let aligned = hi_img_align_info {
            width_stride: columns,
            height_stride: rows,
            img_buf_size: layout.bytes(columns as usize, rows as usize) as u64,
            reserved: [0; 2],
        };
        // SAFETY: not null; the caller's contract: valid for a write.
        unsafe { img_align_info.write(aligned) };
        Ok(())
    })())
}
