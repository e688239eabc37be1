//! Tensors, operators and kernels: enumerations and flags (`acl/acl_rt.h`, `acl/acl_base_rt.h`, `acl/acl_op.h`,
//! `acl/acl_op_compiler.h`, ACL 1.17).

enumeration! {
    /// Element type of a tensor or scalar.
    aclDataType: i32 {
        ACL_DT_UNDEFINED = -1,
        ACL_FLOAT = 0,
        ACL_FLOAT16 = 1,
        ACL_INT8 = 2,
        ACL_INT32 = 3,
        ACL_UINT8 = 4,
        ACL_INT16 = 6,
        ACL_UINT16 = 7,
        ACL_UINT32 = 8,
        ACL_INT64 = 9,
        ACL_UINT64 = 10,
        ACL_DOUBLE = 11,
        ACL_BOOL = 12,
        ACL_STRING = 13,
        ACL_COMPLEX64 = 16,
        ACL_COMPLEX128 = 17,
        ACL_BF16 = 27,
        ACL_INT4 = 29,
        ACL_UINT1 = 30,
        ACL_COMPLEX32 = 33,
        ACL_HIFLOAT8 = 34,
        ACL_FLOAT8_E5M2 = 35,
        ACL_FLOAT8_E4M3FN = 36,
        ACL_FLOAT8_E8M0 = 37,
        ACL_FLOAT6_E3M2 = 38,
        ACL_FLOAT6_E2M3 = 39,
        ACL_FLOAT4_E2M1 = 40,
        ACL_FLOAT4_E1M2 = 41,
    }
    /// Memory layout of a tensor.
    aclFormat: i32 {
        ACL_FORMAT_UNDEFINED = -1,
        ACL_FORMAT_NCHW = 0,
        ACL_FORMAT_NHWC = 1,
        ACL_FORMAT_ND = 2,
        ACL_FORMAT_NC1HWC0 = 3,
        ACL_FORMAT_FRACTAL_Z = 4,
        ACL_FORMAT_NC1HWC0_C04 = 12,
        ACL_FORMAT_HWCN = 16,
        ACL_FORMAT_NDHWC = 27,
        ACL_FORMAT_FRACTAL_NZ = 29,
        ACL_FORMAT_NCDHW = 30,
        ACL_FORMAT_NDC1HWC0 = 32,
        ACL_FRACTAL_Z_3D = 33,
        ACL_FORMAT_NC = 35,
        ACL_FORMAT_NCL = 47,
        ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
        ACL_FORMAT_FRACTAL_NZ_C0_32 = 51,
        ACL_FORMAT_FRACTAL_NZ_C0_2 = 52,
        ACL_FORMAT_FRACTAL_NZ_C0_4 = 53,
        ACL_FORMAT_FRACTAL_NZ_C0_8 = 54,
    }
    /// Operation of a reducing copy.
    aclrtReduceKind: u32 {
        ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM = 10,
        ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX = 11,
        ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN = 12,
        ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL = 13,
    }
    /// Distribution of random numbers.
    aclrtRandomNumFuncType: u32 {
        ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK = 0,
        ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS = 1,
        ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS = 2,
        ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS = 3,
    }
    /// An option of loading kernels.
    aclrtBinaryLoadOptionType: u32 {
        ACL_RT_BINARY_LOAD_OPT_LAZY_LOAD = 1,
        ACL_RT_BINARY_LOAD_OPT_LAZY_MAGIC = 2,
        ACL_RT_BINARY_LOAD_OPT_MAGIC = 2,
        ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE = 3,
    }
    /// The cores that a kernel runs on.
    aclrtEngineType: u32 {
        ACL_RT_ENGINE_TYPE_AIC = 0,
        ACL_RT_ENGINE_TYPE_AIV = 1,
    }
    /// An attribute of a kernel launch.
    aclrtLaunchKernelAttrId: u32 {
        ACL_RT_LAUNCH_KERNEL_ATTR_SCHEM_MODE = 1,
        ACL_RT_LAUNCH_KERNEL_ATTR_LOCAL_MEMORY_SIZE = 2,
        ACL_RT_LAUNCH_KERNEL_ATTR_DYN_UBUF_SIZE = 2,
        ACL_RT_LAUNCH_KERNEL_ATTR_ENGINE_TYPE = 3,
        ACL_RT_LAUNCH_KERNEL_ATTR_BLOCKDIM_OFFSET = 4,
        ACL_RT_LAUNCH_KERNEL_ATTR_BLOCK_TASK_PREFETCH = 5,
        ACL_RT_LAUNCH_KERNEL_ATTR_DATA_DUMP = 6,
        ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT = 7,
        ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US = 8,
        ACL_RT_LAUNCH_KERNEL_ATTR_ENABLE_PROFILING = 9,
    }
    /// An attribute of a kernel.
    aclrtFuncAttribute: u32 {
        ACL_FUNC_ATTR_KERNEL_TYPE = 1,
        ACL_FUNC_ATTR_KERNEL_RATIO = 2,
        ACL_FUNC_ATTR_KERNEL_SCHED_MODE = 3,
    }
    /// Kind of a kernel.
    aclrtKernelType: u32 {
        ACL_KERNEL_TYPE_AICORE = 0,
        ACL_KERNEL_TYPE_CUBE = 1,
        ACL_KERNEL_TYPE_VECTOR = 2,
        ACL_KERNEL_TYPE_MIX = 3,
        ACL_KERNEL_TYPE_AICPU = 100,
    }
    /// The element type of an atomic operation.
    aclrtAtomicOperationCapability: u32 {
        ACL_RT_ATOMIC_CAPABILITY_SIGNED = 1,
        ACL_RT_ATOMIC_CAPABILITY_UNSIGNED = 2,
        ACL_RT_ATOMIC_CAPABILITY_REDUCATION = 4,
        ACL_RT_ATOMIC_CAPABILITY_REDUCTION = 4,
        ACL_RT_ATOMIC_CAPABILITY_SCALAR8 = 8,
        ACL_RT_ATOMIC_CAPABILITY_SCALAR16 = 16,
        ACL_RT_ATOMIC_CAPABILITY_SCALAR32 = 32,
        ACL_RT_ATOMIC_CAPABILITY_SCALAR64 = 64,
        ACL_RT_ATOMIC_CAPABILITY_SCALAR128 = 128,
        ACL_RT_ATOMIC_CAPABILITY_VECTOR32X4 = 256,
    }
    /// An atomic operation.
    aclrtAtomicOperation: u32 {
        ACL_RT_ATOMIC_OPERATION_INTEGER_ADD = 0,
        ACL_RT_ATOMIC_OPERATION_INTEGER_MIN = 1,
        ACL_RT_ATOMIC_OPERATION_INTEGER_MAX = 2,
        ACL_RT_ATOMIC_OPERATION_INTEGER_INCREMENT = 3,
        ACL_RT_ATOMIC_OPERATION_INTEGER_DECREMENT = 4,
        ACL_RT_ATOMIC_OPERATION_AND = 5,
        ACL_RT_ATOMIC_OPERATION_OR = 6,
        ACL_RT_ATOMIC_OPERATION_XOR = 7,
        ACL_RT_ATOMIC_OPERATION_EXCHANGE = 8,
        ACL_RT_ATOMIC_OPERATION_CAS = 9,
        ACL_RT_ATOMIC_OPERATION_FLOAT_ADD = 10,
        ACL_RT_ATOMIC_OPERATION_FLOAT_MIN = 11,
        ACL_RT_ATOMIC_OPERATION_FLOAT_MAX = 12,
        ACL_RT_ATOMIC_OPERATION_DMA_ADD = 30,
        ACL_RT_ATOMIC_OPERATION_DMA_MIN = 31,
        ACL_RT_ATOMIC_OPERATION_DMA_MAX = 32,
        ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_ADD = 40,
        ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MIN = 41,
        ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_MAX = 42,
        ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_CAS = 43,
        ACL_RT_ATOMIC_OPERATION_SIMD_SCALAR_EXCH = 44,
    }
    /// The cores that an operator is compiled for.
    aclopEngineType: u32 {
        ACL_ENGINE_SYS = 0,
        ACL_ENGINE_AICORE = 1,
        ACL_ENGINE_VECTOR = 2,
    }
    /// Where the definition of an operator that is compiled comes from: the installed operators, or a file.
    aclopCompileType: u32 {
        ACL_COMPILE_SYS = 0,
        ACL_COMPILE_UNREGISTERED = 1,
    }
    /// An option of compiling operators.
    aclCompileOpt: u32 {
        ACL_PRECISION_MODE = 0,
        ACL_AICORE_NUM = 1,
        ACL_AUTO_TUNE_MODE = 2,
        ACL_OP_SELECT_IMPL_MODE = 3,
        ACL_OPTYPELIST_FOR_IMPLMODE = 4,
        ACL_OP_DEBUG_LEVEL = 5,
        ACL_DEBUG_DIR = 6,
        ACL_OP_COMPILER_CACHE_MODE = 7,
        ACL_OP_COMPILER_CACHE_DIR = 8,
        ACL_OP_PERFORMANCE_MODE = 9,
        ACL_OP_JIT_COMPILE = 10,
        ACL_OP_DETERMINISTIC = 11,
        ACL_CUSTOMIZE_DTYPES = 12,
        ACL_OP_PRECISION_MODE = 13,
        ACL_ALLOW_HF32 = 14,
        ACL_PRECISION_MODE_V2 = 15,
        ACL_OP_DEBUG_OPTION = 16,
    }
    /// Whether operators are compiled for exact shapes or for ranges of them.
    aclOpCompileFlag: u32 {
        ACL_OP_COMPILE_DEFAULT = 0,
        ACL_OP_COMPILE_FUZZ = 1,
    }
    /// The part of a queued task that is updated.
    aclrtUpdateTaskAttrId: u32 {
        ACL_RT_UPDATE_RANDOM_TASK = 1,
        ACL_RT_UPDATE_AIC_AIV_TASK = 2,
    }
}

/// First bytes of a kernel file.
pub const ACL_RT_BINARY_MAGIC_ELF_AICORE: u32 = 0x43554245;
/// First bytes of a kernel file.
pub const ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE: u32 = 0x41415246;
/// First bytes of a kernel file.
pub const ACL_RT_BINARY_MAGIC_ELF_CUBE_CORE: u32 = 0x41494343;
