//! Labels: positions in a bound stream. A task jumps to one of them; a number in device memory selects it.
//!
//! A jump goes forward in its own stream, and the tasks in between do not run. The manual also has backward jumps and
//! jumps to other streams. `aclmdlRIBuildEnd` refuses them here, and it refuses streams that are started behind a
//! jump. The rules are those of the runtime's public source (`hicann/runtime`); the codes that the interface returns
//! for its errors are an assumption.

use std::ffi::c_void;
use std::ptr;
use std::slice;
use std::sync::Arc;

use ascendcl_sys::{
    ACL_ERROR_RT_FEATURE_NOT_SUPPORT, ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_INVALID_HANDLE,
    ACL_ERROR_RT_STREAM_MODEL, ACL_SUCCESS, aclError, aclrtLabel, aclrtLabelList, aclrtStream,
};

use super::step::{Step, What};
use super::{Inner, Role, graphs, keep_step};
use crate::check::{self, Touch};
use crate::engine::current::current;
use crate::engine::queue::Stream;
use crate::engine::submit::{self, Target, own};
use crate::engine::task::{Fault, fault};
use crate::engine::work::Work;
use crate::error::{fail, null};
use crate::handles::registry::{Fate, Registry};
use crate::object_calls::{attempt, invalid_below, not_null, refused};
use crate::space::place::{Gone, Place};
use crate::space::space;

/// The largest number of labels in a list (manual).
const MOST: usize = 65535;
/// The bytes of the number that selects a label.
const SIZE: usize = size_of::<u32>();

static LABELS: Registry<Label> = Registry::new(0x4c);
static LISTS: Registry<Arc<[usize]>> = Registry::new(0x6d);

/// The state of a label.
#[derive(Debug, Clone, Copy, Default)]
struct Label {
    is_listed: bool,
    is_set: bool,
}

/// A jump that is stored in a graph.
#[derive(Debug)]
pub(super) struct Switch {
    place: Place,
    labels: Arc<[usize]>,
}

/// A jump of a run.
#[derive(Debug, Clone)]
pub(super) struct Jump {
    /// The memory of the number, with [`SIZE`] bytes.
    place: Place,
    /// The distance of each label, in tasks of the stream.
    labels: Vec<u64>,
}

impl Work for Jump {
    fn call(&self) -> &'static str {
        "aclrtSwitchLabelByIndex"
    }

    fn run(&mut self, stream: &'static Stream, number: u64) -> Result<(), Fault> {
        self.jump(stream, number)
            .map_err(|gone| fault(self.call(), gone))
    }

    fn again(&self) -> Box<dyn Work> {
        Box::new(self.clone())
    }
}

impl Jump {
    /// Makes the stream skip the tasks between the `number`th and the selected label.
    fn jump(&self, stream: &Stream, number: u64) -> Result<(), Gone> {
        let memory = self.place.enter(space())?;
        // SAFETY: the place is entered and has the bytes of a `u32`, aligned or not.
        let chosen = unsafe { memory.pointer().cast::<u32>().read_unaligned() };
        memory.leave()?;
        // A number that is too large means the last label (manual).
        let chosen = self.labels.get(chosen as usize).or(self.labels.last());
        if let Some(further) = chosen {
            stream.abort_to(number + further - 1);
        }
        Ok(())
    }
}

#[cold]
fn stale(call: &str, what: &str, handle: usize) -> aclError {
    check::tell(call, &|checker, site| checker.stale(what, handle, site));
    fail(
        ACL_ERROR_RT_INVALID_HANDLE,
        format_args!("{call} failed: {handle:#x} is no {what}, or was destroyed already"),
    )
}

/// Changes a label, or returns the error of a refused change.
fn change(
    call: &str,
    label: usize,
    change: &dyn Fn(&mut Label) -> Result<(), &'static str>,
) -> Result<(), aclError> {
    let changed = LABELS.visit(label, &mut |label| (Fate::Keep, change(label)));
    let changed = changed.ok_or_else(|| stale(call, LABEL, label))?;
    changed.map_err(|why| refused(call, ACL_ERROR_RT_INTERNAL_ERROR, format_args!("{why}")))
}

/// The words for a label and a list of labels.
const LABEL: &str = "label";
const LIST: &str = "list of labels";

/// Registers a value and writes its handle for C.
///
/// # Safety
///
/// - `out` is valid for a write.
unsafe fn give<T>(
    (call, kind): (&str, &'static str),
    all: &Registry<T>,
    value: T,
    out: *mut *mut c_void,
) -> aclError {
    let handle = all.insert(value).unwrap_or(0);
    check::tell(call, &|checker, site| checker.created(handle, kind, site));
    // SAFETY: the caller's contract.
    unsafe { out.write(ptr::without_provenance_mut(handle)) };
    ACL_SUCCESS
}

/// Reports the end of a label or a list.
fn gone(call: &str, handle: usize) -> aclError {
    check::tell(call, &|checker, site| checker.destroyed(handle, &site));
    ACL_SUCCESS
}

pub(crate) unsafe extern "C" fn aclrtCreateLabel(label: *mut aclrtLabel) -> aclError {
    let call = "aclrtCreateLabel";
    attempt!(not_null(call, "label", label));
    match current(call) {
        // SAFETY: not null; the caller's contract: valid for a write.
        Ok(_) => unsafe { give((call, LABEL), &LABELS, Label::default(), label) },
        Err(code) => code,
    }
}

pub(crate) unsafe extern "C" fn aclrtDestroyLabel(label: aclrtLabel) -> aclError {
    let call = "aclrtDestroyLabel";
    match label.addr() {
        0 => null(call, "label"),
        label if LABELS.remove(label) => gone(call, label),
        label => stale(call, LABEL, label),
    }
}

pub(crate) unsafe extern "C" fn aclrtCreateLabelList(
    labels: *mut aclrtLabel,
    num: usize,
    labelList: *mut aclrtLabelList,
) -> aclError {
    let call = "aclrtCreateLabelList";
    attempt!(not_null(call, "labels", labels));
    attempt!(not_null(call, "labelList", labelList));
    if !(1..=MOST).contains(&num) {
        return invalid_below(
            call,
            format_args!("num is {num}; a list has 1 to {MOST} labels"),
        );
    }
    attempt!(current(call));
    // SAFETY: not null; the caller's contract: an array of `num` handles.
    let labels = unsafe { slice::from_raw_parts(labels, num) };
    let labels: Arc<[usize]> = labels.iter().map(|label| label.addr()).collect();
    let listed = labels.iter().enumerate().try_for_each(|(index, label)| {
        let list = |label: &mut Label| {
            if label.is_listed {
                return Err("a label is in a list already; make a label for each list");
            }
            label.is_listed = true;
            Ok(())
        };
        change(call, *label, &list).inspect_err(|_| unlist(labels.get(..index).unwrap_or(&[])))
    });
    match listed {
        // SAFETY: not null; the caller's contract: valid for a write.
        Ok(()) => unsafe { give((call, LIST), &LISTS, labels, labelList) },
        Err(code) => code,
    }
}

/// Removes labels from their list.
fn unlist(labels: &[usize]) {
    for label in labels {
        LABELS.visit(*label, &mut |label| (Fate::Keep, label.is_listed = false));
    }
}

pub(crate) unsafe extern "C" fn aclrtDestroyLabelList(labelList: aclrtLabelList) -> aclError {
    let call = "aclrtDestroyLabelList";
    attempt!(not_null(call, "labelList", labelList));
    let taken = LISTS.visit(labelList.addr(), &mut |labels| {
        (Fate::Remove, Arc::clone(labels))
    });
    match taken {
        Some(labels) => {
            unlist(&labels);
            gone(call, labelList.addr())
        }
        None => stale(call, LIST, labelList.addr()),
    }
}

/// Returns a stream that is bound to a graph.
fn bound(call: &str, stream: aclrtStream) -> Result<Target, aclError> {
    let target = own(call, submit::find(call, stream)?)?;
    match graphs().role(target) {
        Some(Role::Persistent(Some(_))) => Ok(target),
        _ => Err(refused(
            call,
            ACL_ERROR_RT_STREAM_MODEL,
            format_args!(
                "the stream is not bound to a model instance; call aclmdlRIBindStream first"
            ),
        )),
    }
}

pub(crate) unsafe extern "C" fn aclrtSetLabel(label: aclrtLabel, stream: aclrtStream) -> aclError {
    let call = "aclrtSetLabel";
    attempt!(not_null(call, "label", label));
    attempt!(not_null(call, "stream", stream));
    let set = bound(call, stream).and_then(|target| {
        change(call, label.addr(), &|label| {
            if label.is_set {
                return Err("the label is set already, and has one place");
            }
            if !label.is_listed {
                return Err("the label is in no list; call aclrtCreateLabelList first");
            }
            label.is_set = true;
            Ok(())
        })?;
        keep_step(call, target, Step::new(0, What::Label(label.addr())))
    });
    set.err().unwrap_or(ACL_SUCCESS)
}

pub(crate) unsafe extern "C" fn aclrtSwitchLabelByIndex(
    ptr: *mut c_void,
    maxValue: u32,
    labelList: aclrtLabelList,
    stream: aclrtStream,
) -> aclError {
    let call = "aclrtSwitchLabelByIndex";
    for (argument, is_null) in [
        ("ptr", ptr.is_null()),
        ("labelList", labelList.is_null()),
        ("stream", stream.is_null()),
    ] {
        if is_null {
            return null(call, argument);
        }
    }
    let kept = bound(call, stream).and_then(|target| {
        let labels = LISTS.get(labelList.addr());
        let labels = labels.ok_or_else(|| stale(call, LIST, labelList.addr()))?;
        let place = Place::new(space(), ptr.addr(), SIZE);
        let place = place.filter(|_| maxValue as usize == labels.len());
        let place = place.ok_or_else(|| {
            invalid_below(
                call,
                format_args!(
                    "ptr is {ptr:p}, maxValue {maxValue}; pass device memory, and the {} labels of the list",
                    labels.len()
                ),
            )
        })?;
        let ((), usage) = check::keep(|| {
            check::tell(call, &|checker, site| {
                let touches = vec![Touch::read(ptr.addr(), SIZE)];
                checker.queued(target.stream.slot(), 0, touches, false, site);
            });
        });
        let mut step = Step::new(0, What::Switch(Switch { place, labels }));
        step.usage = usage;
        keep_step(call, target, step)
    });
    kept.err().unwrap_or(ACL_SUCCESS)
}

impl Inner {
    /// Returns the task of a jump; `None` if a label is not set behind the jump in its stream.
    pub(super) fn jump(&self, index: usize, switch: &Switch) -> Option<Jump> {
        let lane = self.steps.get(index)?.lane;
        let behind = || {
            let steps = self.steps.iter().skip(index + 1);
            steps.filter(|step| step.lane == lane)
        };
        let further = |label: &usize| {
            let is_it = |step: &Step| matches!(step.what, What::Label(set) if set == *label);
            behind().position(is_it).map(|steps| steps as u64 + 1)
        };
        let labels: Option<Vec<u64>> = switch.labels.iter().map(further).collect();
        let starts = behind().any(|step| matches!(step.what, What::Start(_)));
        Some(Jump {
            place: switch.place,
            labels: labels.filter(|_| !starts)?,
        })
    }

    /// Checks that the emulator supports each jump.
    pub(super) fn check_jumps(&self, call: &str) -> Result<(), aclError> {
        let mut switches = self.steps.iter().enumerate();
        let is_known = switches.all(|(index, step)| match &step.what {
            What::Switch(switch) => self.jump(index, switch).is_some(),
            _ => true,
        });
        if is_known {
            return Ok(());
        }
        Err(refused(
            call,
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT,
            format_args!(
                "jumps are modelled that go forward in their own stream, with no aclrtActiveStream behind them; set \
                 all labels of the list there, behind aclrtSwitchLabelByIndex"
            ),
        ))
    }
}
