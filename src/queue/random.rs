//! Random numbers without an operator (`acl/acl_rt.h`; manual chapter 12).

use core::ptr;

use ascendcl_sys as sys;

use crate::device::AnyDevice;
#[cfg(doc)]
use crate::error::ErrorKind;
use crate::error::{Result, Usage};
use crate::memory::operand::Allocated;
use crate::memory::{Destination, Elements, Operand};
use crate::queue::operand::Updated;
use crate::raw::check;
use crate::stream::{Stream, StreamTag};

/// The distribution of [random numbers](Stream::random_num_async).
///
/// ```
/// use ascendcl::queue::RandomNum;
///
/// let weights = RandomNum::TruncatedNormal { mean: 0.0, stddev: 0.02 };
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum RandomNum {
    /// All numbers of a range are equally likely (`ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS`).
    Uniform {
        /// The smallest number.
        min: f32,
        /// The end of the range.
        max: f32,
    },
    /// A normal distribution (`ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS`).
    Normal {
        /// Its mean.
        mean: f32,
        /// Its standard deviation.
        stddev: f32,
    },
    /// A normal distribution without the numbers that are far from the mean
    /// (`ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS`).
    TruncatedNormal {
        /// Its mean.
        mean: f32,
        /// Its standard deviation.
        stddev: f32,
    },
}

impl RandomNum {
    fn raw(self) -> sys::aclrtRandomNumFuncParaInfo {
        let normal = |mean: f32, stddev: f32| sys::aclrtRandomNumFuncParaInfo_paramInfo {
            normalDisInfo: sys::aclrtNormalDisInfo {
                mean: number(mean.to_bits().into(), 4),
                stddev: number(stddev.to_bits().into(), 4),
            },
        };
        let (function, parameters) = match self {
            RandomNum::Uniform { min, max } => (
                sys::ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS,
                sys::aclrtRandomNumFuncParaInfo_paramInfo {
                    uniformDisInfo: sys::aclrtUniformDisInfo {
                        min: number(min.to_bits().into(), 4),
                        max: number(max.to_bits().into(), 4),
                    },
                },
            ),
            RandomNum::Normal { mean, stddev } => (
                sys::ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS,
                normal(mean, stddev),
            ),
            RandomNum::TruncatedNormal { mean, stddev } => (
                sys::ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS,
                normal(mean, stddev),
            ),
        };
        sys::aclrtRandomNumFuncParaInfo {
            funcType: function,
            paramInfo: parameters,
        }
    }
}

/// A parameter by value, of `size` bytes.
fn number(bits: u64, size: u8) -> sys::aclrtRandomParaInfo {
    sys::aclrtRandomParaInfo {
        isAddr: 0,
        valueOrAddr: bits.to_le_bytes(),
        size,
        rsv: [0; 6],
    }
}

/// Elements that random numbers fill: only `f32`, whose 4 bytes the device writes.
#[diagnostic::on_unimplemented(
    message = "random numbers do not fill memory of `{Self}`",
    label = "`random_num_async` makes numbers of the type `f32`",
    note = "fill memory of `f32`, `stream.malloc::<f32>(len)?`, and convert the numbers with the operator `op::cast`"
)]
pub trait RandomElements: Elements<Element = f32> {}
#[diagnostic::do_not_recommend]
impl<E: Elements<Element = f32> + ?Sized> RandomElements for E {}

/// The elements of a counter: two of `u64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no counter of random numbers",
    label = "a counter has two elements of the type `u64`",
    note = "make it 0 once, and pass it to each call: `stream.memset_async(stream.malloc_as::<[u64; 2]>()?, 0)?`"
)]
pub trait RandomCounter: Elements {}
#[diagnostic::do_not_recommend]
impl RandomCounter for [u64; 2] {}
#[diagnostic::do_not_recommend]
impl RandomCounter for [u64] {}

impl<D: AnyDevice, S: StreamTag> Stream<'_, '_, D, S> {
    /// Queues the filling of device memory with random numbers (`aclrtRandomNumAsync`). An engine of its own makes them (Philox), so
    /// it needs no operator.
    ///
    /// One seed and one counter give one sequence. The counter is 16 bytes of device memory: the call reads where the sequence goes
    /// on, and writes where it ends. Make it 0 once, and pass it to each call: two `u64`, with their number in the type or not.
    ///
    /// ```
    /// # ascendcl::example!(|acl, host, current, stream| {
    /// use ascendcl::queue::RandomNum;
    ///
    /// let mut counter = stream.memset_async(stream.malloc_as::<[u64; 2]>()?, 0)?;
    /// let range = RandomNum::Uniform { min: 0.0, max: 1.0 };
    /// let noise = stream.random_num_async(stream.malloc(4)?, &mut counter, range, 7)?;
    /// let more = stream.random_num_async(stream.malloc(4)?, &mut counter, range, 7)?; // other numbers
    /// let back = stream.memcpy_async(stream.malloc_host(host, 4)?, &noise)?;
    /// for number in &stream.synchronize()?.take(back) {
    ///     assert!((0.0..=1.0).contains(number));
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`Usage::RandomCounter`] for a counter that has not two elements. [`ErrorKind::Refused`], also for a range whose ends are in the wrong
    /// order, and [`ErrorKind::Backend`] if an older CANN lacks the function. On an error a fresh destination is parked: it is freed after a later successful wait for the stream.
    ///
    /// Products without the function, according to the manual: 950, 310B, 310P, 910.
    #[doc(alias = "aclrtRandomNumAsync")]
    pub fn random_num_async<T, C>(
        &mut self,
        destination: T,
        counter: C,
        numbers: RandomNum,
        seed: u64,
    ) -> Result<T::Written>
    where
        T: Destination<(D, S), Place: Operand, Origin = Allocated, Elements: RandomElements>,
        C: Updated<(D, S)>
            + Destination<(D, S), Place: Operand, Origin = Allocated, Elements: RandomCounter>,
    {
        let (to, state) = (destination.destination(), counter.destination());
        let elements = C::Elements::count(state);
        if elements != 2 {
            return Err(Usage::RandomCounter { elements }.into());
        }
        let len = T::Elements::count(to);
        if len > 0 {
            // The call writes into the structure (observed, CANN runtime 1.17), so each call has a new one.
            let mut info = sys::aclrtRandomNumTaskInfo {
                dataType: sys::ACL_FLOAT,
                randomNumFuncParaInfo: numbers.raw(),
                // The runtime has memory of its own for the parameters of each task (sources of the CANN runtime, July 2026).
                randomParaAddr: ptr::null_mut(),
                randomResultAddr: to.as_ptr().cast(),
                randomCounterAddr: state.as_ptr().cast(),
                randomSeed: number(seed, 8),
                randomNum: number(len as u64, 8),
                rsv: [0; 8],
            };
            // SAFETY: a live stream of the current context, and memory of its device: `len` numbers of 4 bytes, and 16 initialised
            // bytes. Both stay until the work is over (invariant of `Queued`), and do not overlap, because the counter is
            // borrowed exclusively and the destination is too, or owned. `info` is valid for writes.
            let code =
                unsafe { sys::aclrtRandomNumAsync(&raw mut info, self.as_raw(), ptr::null_mut()) };
            check("aclrtRandomNumAsync", code)?;
        }
        // SAFETY: the numbers fill every element, and any bytes are a number.
        Ok(unsafe { destination.written() })
    }
}
