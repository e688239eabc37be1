//! The headers of AscendCL and HCCL from the place where they are public: the wheels of `torch-npu`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::wheel::{Missing, Wheel, cache};

/// Versions of the wheel, and the ACL version of their headers. The older one can be read as C++ only.
pub(super) const WHEELS: [(&str, &str); 2] = [("2.14.0", "1.17"), ("2.9.0", "1.15")];

/// The folder of a wheel with `acl/acl.h`; fetches it on first use.
pub(super) fn headers(version: &str) -> Result<PathBuf, Missing> {
    let kept = cache("ascendcl-headers").join(format!("{version}-hccl"));
    if let Some(found) = find(&kept) {
        return Ok(found);
    }
    println!("headers: fetching torch-npu {version}");
    let wheel = Wheel {
        name: "torch-npu",
        version,
        // The platform of the wheel does not matter for headers.
        platforms: &["manylinux_2_28_x86_64"],
        files: r"/(acl|hccl)/.*\.h$",
    };
    wheel.unpack(&kept).map_err(|missing| match missing {
        Missing::Failed(Error::Failed(text)) => {
            let text = format!("{text}\nname headers of your own with --include <folder>");
            Missing::Failed(Error::Failed(text))
        }
        other => other,
    })?;
    find(&kept).ok_or_else(|| {
        let text = format!(
            "torch-npu {version} holds no acl/acl.h; see {}",
            kept.display()
        );
        Missing::Failed(Error::Failed(text))
    })
}

/// The shallowest folder below another one that holds `acl/acl.h`.
fn find(folder: &Path) -> Option<PathBuf> {
    let mut level = vec![folder.to_owned()];
    while !level.is_empty() {
        if let Some(found) = level.iter().find(|path| path.join("acl/acl.h").is_file()) {
            return Some(found.clone());
        }
        let below = level.iter().filter_map(|path| fs::read_dir(path).ok());
        level = below
            .flat_map(|entries| entries.flatten().map(|entry| entry.path()))
            .filter(|path| path.is_dir())
            .collect();
    }
    None
}
