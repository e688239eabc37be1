//! Loaded models: the C objects and the memory of a model, and the checks before a run.

use std::ffi::c_void;

use ascendcl_sys as sys;

use crate::error::{Error, ModelMismatch, Result, Usage};
use crate::model::TensorInfo;
use crate::model::describe::{Desc, check_sizes, describe};
use crate::model::gear::{GEAR_INPUT, GearInfo, Gears, Sizing, position};
use crate::model::load::{Held, Memory};
use crate::model::operand::each::Write;
use crate::model::operand::{GearOutputs, Given, Inputs, Outputs};
use crate::raw::check;
use crate::release;

/// The distance of the places for gears: the alignment of `aclrtMalloc`.
const PLACE: usize = 64;

/// A data set with a data buffer for each input or output. Each run updates the buffers, so a run allocates nothing.
///
/// # Invariants
///
/// - The set and the buffers are live, and the set has exactly these buffers.
#[derive(Debug)]
pub(super) struct Operands {
    pub(super) set: *mut sys::aclmdlDataset,
    buffers: Vec<*mut sys::aclDataBuffer>,
}

// SAFETY: the objects are plain memory of the host without a tie to a thread (GE, `aclmdlDataset`, `aclDataBuffer`), and
// this value owns them. A parked model is freed on any thread.
unsafe impl Send for Operands {}

impl Operands {
    fn new(count: usize) -> Result<Operands> {
        // SAFETY: takes nothing.
        let set = unsafe { sys::aclmdlCreateDataset() };
        if set.is_null() {
            return Err(Error::refused(
                "aclmdlCreateDataset",
                sys::ACL_ERROR_BAD_ALLOC,
            ));
        }
        let mut operands = Operands {
            set,
            buffers: Vec::with_capacity(count),
        };
        for _ in 0..count {
            // SAFETY: a buffer without memory.
            let buffer = unsafe { sys::aclCreateDataBuffer(core::ptr::null_mut(), 0) };
            if buffer.is_null() {
                return Err(Error::refused(
                    "aclCreateDataBuffer",
                    sys::ACL_ERROR_BAD_ALLOC,
                ));
            }
            operands.buffers.push(buffer);
            // SAFETY: both are live.
            let code = unsafe { sys::aclmdlAddDatasetBuffer(operands.set, buffer) };
            check("aclmdlAddDatasetBuffer", code)?;
        }
        Ok(operands)
    }

    /// Puts the memory of an operand into the buffer at `index`, after a comparison with its description.
    fn put(&mut self, all: &[TensorInfo], index: usize, given: Given) -> Result<()> {
        let (Some(info), Some(buffer)) = (all.get(index), self.buffers.get(index)) else {
            // The number of operands is compared at the end.
            return Ok(());
        };
        if info.data_type() != given.data_type {
            return Err(Usage::Model(ModelMismatch::Element {
                name: info.name().to_owned(),
                passed: given.data_type,
                expected: info.data_type(),
            })
            .into());
        }
        if info.bytes() != given.bytes {
            return Err(Usage::Model(ModelMismatch::Size {
                name: info.name().to_owned(),
                passed: given.bytes,
                expected: info.bytes(),
            })
            .into());
        }
        update(*buffer, given.address, given.bytes)
    }

    /// Puts the memory of a gear into the last buffer, and writes the gear to that memory.
    ///
    /// # Safety
    ///
    /// - `id` is a loaded model, and these are its inputs.
    /// - `place` is memory of `bytes` bytes, the size of the input for gears. No work uses it.
    unsafe fn set_gear<G: Sizing>(
        &mut self,
        id: u32,
        (place, bytes): (*mut c_void, usize),
        values: &[i64],
    ) -> Result<()> {
        let index = self.buffers.len().saturating_sub(1);
        if let Some(buffer) = self.buffers.last() {
            update(*buffer, place, bytes)?;
        }
        // SAFETY: the caller's contract, and a live data set.
        let (call, code) = unsafe { G::set(id, self.set, index, values) };
        check(call, code)
    }
}

/// Gives a data buffer its memory.
fn update(buffer: *mut sys::aclDataBuffer, address: *mut c_void, bytes: usize) -> Result<()> {
    // SAFETY: a live data buffer. The memory is used by runs only, which come after all buffers were updated.
    let code = unsafe { sys::aclUpdateDataBuffer(buffer, address, bytes) };
    check("aclUpdateDataBuffer", code)
}

impl Drop for Operands {
    fn drop(&mut self) {
        // SAFETY: a live data set, and no call uses it: a queued run has read it during its call.
        let code = unsafe { sys::aclmdlDestroyDataset(self.set) };
        release::status_in_drop("aclmdlDestroyDataset", code);
        for buffer in &self.buffers {
            // SAFETY: a live data buffer, whose data set is gone.
            let code = unsafe { sys::aclDestroyDataBuffer(*buffer) };
            release::status_in_drop("aclDestroyDataBuffer", code);
        }
    }
}

/// The gears of a loaded model.
#[derive(Debug, Default)]
struct GearSets {
    infos: Vec<GearInfo>,
    /// The inputs for each gear. The memory of each input for gears is written once, before any run.
    sets: Vec<Operands>,
    /// The gear that was announced last.
    announced: usize,
}

/// A loaded model with its C objects and its memory.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) id: u32,
    pub(super) inputs: Vec<TensorInfo>,
    pub(super) outputs: Vec<TensorInfo>,
    /// The inputs of each run, or of a model with gears the data set that announces a gear and does not run.
    pub(super) reads: Operands,
    pub(super) writes: Operands,
    gears: GearSets,
    /// Freed when the model is unloaded.
    pub(super) held: Held,
}

impl Loaded {
    /// Describes a loaded model and makes its C objects. `allocate` returns device memory for its gears.
    pub(super) fn new<G: Sizing>(
        id: u32,
        allocate: impl FnOnce(usize) -> Result<Memory>,
    ) -> Result<Loaded> {
        let desc = Desc::new(id)?;
        let (mut inputs, outputs) = describe(&desc)?;
        let Some(option) = G::OPTION else {
            check_sizes(inputs.iter().chain(&outputs))?;
            return Ok(Loaded {
                id,
                reads: Operands::new(inputs.len())?,
                writes: Operands::new(outputs.len())?,
                inputs,
                outputs,
                gears: GearSets::default(),
                held: Held::default(),
            });
        };
        let all = G::gears(&desc)?;
        let bytes = match inputs.pop() {
            Some(last) if last.name() == GEAR_INPUT && !all.is_empty() => last.bytes(),
            _ => return Err(Usage::Model(ModelMismatch::Gears { option }).into()),
        };
        let place = bytes.next_multiple_of(PLACE).max(PLACE);
        let memory = allocate(place.saturating_mul(all.len() + 1))?;
        let at = |index: usize| (memory.at(place * index), bytes);
        let mut gears = GearSets::default();
        for (index, values) in all.into_iter().enumerate() {
            let mut reads = Operands::new(inputs.len() + 1)?;
            // SAFETY: a loaded model with these inputs; the place `index` of the memory, which has one more than gears.
            unsafe { reads.set_gear::<G>(id, at(index), &values) }?;
            gears.sets.push(reads);
            gears.announced = index;
            gears
                .infos
                .push(gear::<G>(&desc, &inputs, &outputs, values)?);
        }
        let mut reads = Operands::new(inputs.len() + 1)?;
        if let Some(last) = gears.infos.last() {
            let place = at(gears.sets.len());
            // SAFETY: a loaded model with these inputs; the last place, which no run reads.
            unsafe { reads.set_gear::<G>(id, place, &last.values) }?;
        }
        Ok(Loaded {
            id,
            reads,
            writes: Operands::new(outputs.len())?,
            inputs,
            outputs,
            gears,
            held: Held::from(memory),
        })
    }

    /// Returns the gears, and none for a model of one size.
    pub(super) fn gears(&self) -> &[GearInfo] {
        &self.gears.infos
    }

    /// Compares the operands of a run with the model, and puts them into the data sets.
    pub(super) fn put<X, I: Inputs<X>, O: Outputs<X>>(
        &mut self,
        inputs: &I,
        outputs: &O,
    ) -> Result<()> {
        put(
            (&mut self.reads, &self.inputs),
            (&mut self.writes, &self.outputs),
            inputs,
            outputs,
        )
    }

    /// Compares the operands of a run with the model, puts them into the data sets, and announces the gear. Returns the
    /// inputs.
    pub(super) fn put_with<X, G: Gears, I: Inputs<X>, O: GearOutputs<X>>(
        &mut self,
        gear: G::Gear<'_>,
        inputs: &I,
        outputs: &O,
    ) -> Result<*mut sys::aclmdlDataset> {
        let index = position::<G>(&self.gears.infos, gear)?;
        let found = self
            .gears
            .sets
            .get_mut(index)
            .zip(self.gears.infos.get(index));
        let Some((reads, info)) = found else {
            // Each gear has a data set.
            return Ok(self.reads.set);
        };
        put(
            (reads, &self.inputs),
            (&mut self.writes, &self.outputs),
            inputs,
            outputs,
        )?;
        let set = reads.set;
        if self.gears.announced != index {
            let last = self.inputs.len();
            // SAFETY: a loaded model. The data set is that without runs, so no work uses its memory for the gear.
            let (call, code) = unsafe { G::set(self.id, self.reads.set, last, &info.values) };
            check(call, code)?;
            self.gears.announced = index;
        }
        Ok(set)
    }
}

/// Describes a run with the gear that was set last.
fn gear<G: Sizing>(
    desc: &Desc,
    inputs: &[TensorInfo],
    outputs: &[TensorInfo],
    values: Vec<i64>,
) -> Result<GearInfo> {
    let known = inputs.iter().enumerate();
    let inputs: Result<_> = known
        .map(|(index, input)| input.with_shape(G::shape(inputs, index, &values)))
        .collect();
    let known = outputs.iter().enumerate();
    let outputs: Result<_> = known
        .map(|(index, output)| output.with_shape(desc.current_shape(index)?))
        .collect();
    let info = GearInfo {
        values,
        inputs: inputs?,
        outputs: outputs?,
    };
    check_sizes(info.inputs.iter().chain(&info.outputs))?;
    Ok(info)
}

/// Compares operands with their descriptions, and puts them into data sets.
fn put<X, I: Inputs<X>, O: Write<X>>(
    (reads, known_inputs): (&mut Operands, &[TensorInfo]),
    (writes, known_outputs): (&mut Operands, &[TensorInfo]),
    inputs: &I,
    outputs: &O,
) -> Result<()> {
    let mut passed = 0;
    inputs.read(&mut |given| {
        passed += 1;
        reads.put(known_inputs, passed - 1, given)
    })?;
    count("inputs", passed, known_inputs.len())?;
    passed = 0;
    outputs.write(&mut |given| {
        passed += 1;
        writes.put(known_outputs, passed - 1, given)
    })?;
    count("outputs", passed, known_outputs.len())
}

/// Unloads a model and returns the status of that call.
///
/// # Safety
///
/// - No run of the model is unfinished, and nothing uses it afterwards.
pub(super) unsafe fn unload(id: u32) -> sys::aclError {
    // SAFETY: the caller's contract.
    unsafe { sys::aclmdlUnload(id) }
}

/// Compares the number of operands.
fn count(side: &'static str, passed: usize, expected: usize) -> Result<()> {
    if passed == expected {
        return Ok(());
    }
    Err(Usage::Model(ModelMismatch::Count {
        side,
        passed,
        expected,
    })
    .into())
}
