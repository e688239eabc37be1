//! What a device is and has.

use std::ffi::{CStr, c_char};
use std::ptr;

use ascendcl_sys as sys;

use crate::error::Result;
#[cfg(doc)]
use crate::error::{ErrorKind, Usage};
use crate::raw::{check, check_device};
use crate::runtime::Acl;
use crate::settings::c_id;

/// A question about a device, for [`Acl::device_info`]. Each is one call of C, by its kind.
///
/// The figures of use are without meaning while a profiler runs, and in a virtual device (manual).
///
/// ```
/// # ascendcl::example!(|acl| {
/// use ascendcl::settings::DeviceInfo;
///
/// let bytes = acl.device_info(0, DeviceInfo::TotalGlobalMemSize)?;
/// println!("{} GiB", bytes >> 30);
/// # });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DeviceInfo {
    /// The number of AI cores (`aclGetDeviceCapability` with `ACL_DEVICE_INFO_AI_CORE_NUM`).
    AiCoreNum,
    /// The number of vector cores (`aclGetDeviceCapability` with `ACL_DEVICE_INFO_VECTOR_CORE_NUM`).
    VectorCoreNum,
    /// The bytes of the second-level cache (`aclGetDeviceCapability` with `ACL_DEVICE_INFO_L2_SIZE`).
    L2Size,
    /// The number of CPUs for operators (`aclrtGetDeviceInfo` with `ACL_DEV_ATTR_AICPU_CORE_NUM`).
    AicpuCoreNum,
    /// The number of cube cores (`aclrtGetDeviceInfo` with `ACL_DEV_ATTR_CUBE_CORE_NUM`).
    CubeCoreNum,
    /// The bytes of memory (`aclrtGetDeviceInfo` with `ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE`).
    TotalGlobalMemSize,
    /// The bytes of local memory of a vector core (`aclrtGetDeviceInfo` with `ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE`).
    UbufPerVectorCore,
    /// The number of the chip (`aclrtGetDeviceInfo` with `ACL_DEV_ATTR_PHY_CHIP_ID`).
    PhyChipId,
    /// The number of the super node (`aclrtGetDeviceInfo` with `ACL_DEV_ATTR_SUPER_POD_ID`).
    SuperPodId,
    /// The number of the server in the super node (`aclrtGetDeviceInfo` with `ACL_DEV_ATTR_SUPER_POD_SERVER_ID`).
    SuperPodServerId,
    /// The number of the device in the super node (`aclrtGetDeviceInfo` with `ACL_DEV_ATTR_SUPER_POD_DEVICE_ID`).
    SuperPodDeviceId,
    /// Whether the device is a virtual one, 0 or 1 (`aclrtGetDeviceInfo` with `ACL_DEV_ATTR_IS_VIRTUAL`).
    IsVirtual,
    /// The number of the architecture (`aclrtGetDeviceInfo` with `ACL_DEV_ATTR_NPU_ARCH`).
    NpuArch,
    /// Whether a queued task of AI cores can be changed, 0 or 1 (`aclrtGetDeviceCapability` with
    /// `ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV`).
    TaskUpdate,
    /// Whether queues of memory have events across devices, 0 or 1 (`aclrtGetDeviceCapability` with
    /// `ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV`).
    MemqEventCrossDev,
    /// How busy the cube cores are, in percent; -1 if the device does not say (`aclrtGetDeviceUtilizationRate`).
    CubeUtilization,
    /// How busy the vector cores are, in percent; -1 if the device does not say (`aclrtGetDeviceUtilizationRate`).
    VectorUtilization,
    /// How busy the CPUs for operators are, in percent; -1 if the device does not say (`aclrtGetDeviceUtilizationRate`).
    AicpuUtilization,
}

/// A question in the words of the C function that answers it.
enum Question {
    Capability(sys::aclDeviceInfo),
    Attribute(sys::aclrtDevAttr),
    Feature(sys::aclrtDevFeatureType),
    Utilization(fn(&sys::aclrtUtilizationInfo) -> i32),
}

impl DeviceInfo {
    fn question(self) -> Question {
        use Question::{Attribute, Capability, Feature, Utilization};
        match self {
            DeviceInfo::AiCoreNum => Capability(sys::ACL_DEVICE_INFO_AI_CORE_NUM),
            DeviceInfo::VectorCoreNum => Capability(sys::ACL_DEVICE_INFO_VECTOR_CORE_NUM),
            DeviceInfo::L2Size => Capability(sys::ACL_DEVICE_INFO_L2_SIZE),
            DeviceInfo::AicpuCoreNum => Attribute(sys::ACL_DEV_ATTR_AICPU_CORE_NUM),
            DeviceInfo::CubeCoreNum => Attribute(sys::ACL_DEV_ATTR_CUBE_CORE_NUM),
            DeviceInfo::TotalGlobalMemSize => Attribute(sys::ACL_DEV_ATTR_TOTAL_GLOBAL_MEM_SIZE),
            DeviceInfo::UbufPerVectorCore => Attribute(sys::ACL_DEV_ATTR_UBUF_PER_VECTOR_CORE),
            DeviceInfo::PhyChipId => Attribute(sys::ACL_DEV_ATTR_PHY_CHIP_ID),
            DeviceInfo::SuperPodId => Attribute(sys::ACL_DEV_ATTR_SUPER_POD_ID),
            DeviceInfo::SuperPodServerId => Attribute(sys::ACL_DEV_ATTR_SUPER_POD_SERVER_ID),
            DeviceInfo::SuperPodDeviceId => Attribute(sys::ACL_DEV_ATTR_SUPER_POD_DEVICE_ID),
            DeviceInfo::IsVirtual => Attribute(sys::ACL_DEV_ATTR_IS_VIRTUAL),
            DeviceInfo::NpuArch => Attribute(sys::ACL_DEV_ATTR_NPU_ARCH),
            DeviceInfo::TaskUpdate => Feature(sys::ACL_FEATURE_TSCPU_TASK_UPDATE_SUPPORT_AIC_AIV),
            DeviceInfo::MemqEventCrossDev => Feature(sys::ACL_FEATURE_SYSTEM_MEMQ_EVENT_CROSS_DEV),
            DeviceInfo::CubeUtilization => Utilization(|used| used.cubeUtilization),
            DeviceInfo::VectorUtilization => Utilization(|used| used.vectorUtilization),
            DeviceInfo::AicpuUtilization => Utilization(|used| used.aicpuUtilization),
        }
    }
}

impl Acl {
    /// Answers a question about the device with the id `id`, which need not be open (`aclGetDeviceCapability`,
    /// `aclrtGetDeviceInfo`, `aclrtGetDeviceCapability`, `aclrtGetDeviceUtilizationRate`).
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// use ascendcl::settings::DeviceInfo;
    ///
    /// for id in 0..acl.device_count()? {
    ///     println!("device {id}: {} AI cores", acl.device_info(id, DeviceInfo::AiCoreNum)?);
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] with 107000 or 107001 for an id that does not exist, and with 207000 where the device has no
    /// answer. [`ErrorKind::Backend`] when an older CANN lacks the function: 8.1 has those for
    /// [`DeviceInfo::AiCoreNum`], [`DeviceInfo::VectorCoreNum`], [`DeviceInfo::L2Size`] and the figures of use.
    #[doc(alias = "aclGetDeviceCapability")]
    #[doc(alias = "acl.get_device_capability")]
    #[doc(alias = "aclrtGetDeviceInfo")]
    #[doc(alias = "aclrtGetDeviceCapability")]
    #[doc(alias = "aclrtGetDeviceUtilizationRate")]
    #[doc(alias = "acl.rt.get_device_utilization_rate")]
    pub fn device_info(&self, id: u32, info: DeviceInfo) -> Result<i64> {
        let c_id = c_id(id)?;
        let mut value = 0;
        match info.question() {
            Question::Capability(of) => {
                // SAFETY: `value` is valid for a write of an i64.
                let code = unsafe { sys::aclGetDeviceCapability(id, of, &raw mut value) };
                check_device("aclGetDeviceCapability", id, code)?;
            }
            Question::Attribute(of) => {
                // SAFETY: `value` is valid for a write of an i64.
                let code = unsafe { sys::aclrtGetDeviceInfo(id, of, &raw mut value) };
                check_device("aclrtGetDeviceInfo", id, code)?;
            }
            Question::Feature(of) => {
                let mut has = 0;
                // SAFETY: `has` is valid for a write of an i32.
                let code = unsafe { sys::aclrtGetDeviceCapability(c_id, of, &raw mut has) };
                check_device("aclrtGetDeviceCapability", id, code)?;
                value = has.into();
            }
            Question::Utilization(of) => {
                // -1 says that nothing is known. The extension is reserved.
                let mut used = sys::aclrtUtilizationInfo {
                    cubeUtilization: -1,
                    vectorUtilization: -1,
                    aicpuUtilization: -1,
                    memoryUtilization: -1,
                    utilizationExtend: ptr::null_mut(),
                };
                // SAFETY: `used` is valid for a read and a write.
                let code = unsafe { sys::aclrtGetDeviceUtilizationRate(c_id, &raw mut used) };
                check_device("aclrtGetDeviceUtilizationRate", id, code)?;
                value = of(&used).into();
            }
        }
        Ok(value)
    }

    /// Returns the version of an installed package as a number that can be compared (`aclsysGetVersionNum`). The name of a
    /// package is that of its folder in `share/info` of CANN, such as `c"runtime"`.
    ///
    /// ```
    /// # ascendcl::example!(|acl| {
    /// match acl.version_num(c"runtime") {
    ///     Ok(version) => println!("{} or older: {}", 80_500_000, version <= 80_500_000), // 8.5.0
    ///     Err(error) => println!("{error}"), // CANN is not installed here
    /// }
    /// # });
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Refused`] when there is no such package, and [`ErrorKind::Backend`] when an older CANN lacks the
    /// function.
    #[doc(alias = "aclsysGetVersionNum")]
    pub fn version_num(&self, package: &CStr) -> Result<i32> {
        let mut version = 0;
        let package: *mut c_char = package.as_ptr().cast_mut();
        // SAFETY: a NUL-terminated string, which the function only reads (manual: an input), and `version` is valid for a
        // write of an i32.
        let code = unsafe { sys::aclsysGetVersionNum(package, &raw mut version) };
        check("aclsysGetVersionNum", code)?;
        Ok(version)
    }
}
