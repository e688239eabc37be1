//! The headers of AscendCL and HCCL from the place where they are public: the wheels of `torch-npu`.

use std::path::PathBuf;

use crate::wheel::{Missing, Wheel};

/// Versions of the wheel, the ACL version of their headers, and the folder of `acl/acl.h`. The older one can be read as
/// C++ only.
pub(super) const WHEELS: [(&str, &str, &str); 2] = [
    ("2.14.0", "1.17", "torch_npu/include"),
    ("2.9.0", "1.15", "torch_npu/include/third_party/acl/inc"),
];

/// A folder of headers; fetches its wheel on first use.
pub(super) fn headers(version: &str, folder: &str) -> Result<PathBuf, Missing> {
    let wheel = Wheel {
        name: "torch-npu",
        version,
        // The platform of the wheel does not matter for headers.
        platforms: &["manylinux_2_28_x86_64"],
        files: r"/(acl|hccl)/.*\.h$",
    };
    let cache = format!("ascendcl-headers/{version}-hccl");
    let kept = wheel.kept("headers", &cache, &format!("{folder}/acl/acl.h"));
    let kept = kept.map(|kept| kept.join(folder));
    let hint = "name headers of your own with --include <folder>";
    kept.map_err(|missing| match missing {
        Missing::Failed(error) => Missing::Failed(format!("{error}\n{hint}").into()),
        Missing::Offline => missing,
    })
}
