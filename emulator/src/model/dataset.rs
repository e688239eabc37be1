//! Data sets: lists of data buffers, the inputs or the outputs of a run (`acl/acl_mdl.h`).
//!
//! A data set owns neither its data buffers nor their memory. It owns the copies of tensor descriptions.

use std::ptr;

use ascendcl_sys::{aclDataBuffer, aclError, aclTensorDesc, aclmdlDataset};

use super::tensor_desc::TENSOR_DESCS;
use crate::object_calls::{Objects, invalid, not_null, status};
use crate::ordered::Numbers;

/// A data set.
#[derive(Debug, Clone, Default)]
pub(super) struct Dataset {
    /// The handles of the data buffers.
    pub(super) buffers: Vec<usize>,
    /// The copies of tensor descriptions, by the position of their buffer. Each is a handle that belongs to the set.
    descs: Numbers,
    /// The values of the gear that was set last. The functions of gears store them before they look at the model.
    pub(super) gear: Option<Vec<u64>>,
}

pub(super) static DATASETS: Objects<Dataset> = Objects::new("aclmdlDataset", 0x53);

pub(crate) unsafe extern "C" fn aclmdlCreateDataset() -> *mut aclmdlDataset {
    DATASETS.create("aclmdlCreateDataset", Dataset::default())
}

pub(crate) unsafe extern "C" fn aclmdlDestroyDataset(dataset: *const aclmdlDataset) -> aclError {
    let call = "aclmdlDestroyDataset";
    status((|| {
        let descs = DATASETS.with(call, "dataset", dataset, &mut |set| {
            std::mem::take(&mut set.descs)
        })?;
        descs.into_values().for_each(|desc| {
            TENSOR_DESCS.registry.remove(desc);
        });
        match DATASETS.destroy(call, "dataset", dataset) {
            ascendcl_sys::ACL_SUCCESS => Ok(()),
            code => Err(code),
        }
    })())
}

pub(crate) unsafe extern "C" fn aclmdlAddDatasetBuffer(
    dataset: *mut aclmdlDataset,
    dataBuffer: *mut aclDataBuffer,
) -> aclError {
    let call = "aclmdlAddDatasetBuffer";
    status((|| {
        not_null(call, "dataset", dataset)?;
        not_null(call, "dataBuffer", dataBuffer)?;
        DATASETS.with(call, "dataset", dataset, &mut |set| {
            set.buffers.push(dataBuffer.addr());
        })
    })())
}

pub(crate) unsafe extern "C" fn aclmdlGetDatasetNumBuffers(dataset: *const aclmdlDataset) -> usize {
    let call = "aclmdlGetDatasetNumBuffers";
    DATASETS
        .with(call, "dataset", dataset, &mut |set| set.buffers.len())
        .unwrap_or(0)
}

pub(crate) unsafe extern "C" fn aclmdlGetDatasetBuffer(
    dataset: *const aclmdlDataset,
    index: usize,
) -> *mut aclDataBuffer {
    let call = "aclmdlGetDatasetBuffer";
    let found = DATASETS.with(call, "dataset", dataset, &mut |set| {
        set.buffers.get(index).copied()
    });
    match found {
        Ok(Some(buffer)) => ptr::without_provenance_mut(buffer),
        Ok(None) => {
            let _ = outside(call, index);
            ptr::null_mut()
        }
        Err(_) => ptr::null_mut(),
    }
}

fn outside(call: &str, index: usize) -> aclError {
    invalid(
        call,
        format_args!("index {index} is not below the number of data buffers; add the buffer first"),
    )
}

pub(crate) unsafe extern "C" fn aclmdlSetDatasetTensorDesc(
    dataset: *mut aclmdlDataset,
    tensorDesc: *mut aclTensorDesc,
    index: usize,
) -> aclError {
    let call = "aclmdlSetDatasetTensorDesc";
    status((|| {
        let inside = DATASETS.with(call, "dataset", dataset, &mut |set| {
            index < set.buffers.len()
        })?;
        if !inside {
            return Err(outside(call, index));
        }
        let copy = if tensorDesc.is_null() {
            None
        } else {
            let copy = TENSOR_DESCS.get(call, "tensorDesc", tensorDesc)?;
            TENSOR_DESCS.registry.insert(copy)
        };
        let before = DATASETS.with(call, "dataset", dataset, &mut |set| match copy {
            Some(copy) => set.descs.insert(index, copy),
            None => set.descs.remove(&index),
        })?;
        if let Some(before) = before {
            TENSOR_DESCS.registry.remove(before);
        }
        Ok(())
    })())
}

pub(crate) unsafe extern "C" fn aclmdlGetDatasetTensorDesc(
    dataset: *const aclmdlDataset,
    index: usize,
) -> *mut aclTensorDesc {
    let call = "aclmdlGetDatasetTensorDesc";
    let found = DATASETS.with(call, "dataset", dataset, &mut |set| {
        set.descs.get(&index).copied()
    });
    found
        .ok()
        .flatten()
        .map_or(ptr::null_mut(), ptr::without_provenance_mut)
}
