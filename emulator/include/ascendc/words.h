// The words of the kernel language that mean nothing on this machine, and what sources ask the preprocessor.
#ifndef ASCENDCL_WORDS_H
#define ASCENDCL_WORDS_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <limits>
#include <type_traits>

// As in the CPU mode of the toolchain: sources hide launches by `<<<>>>` behind these.
#ifndef __CCE_KT_TEST__
#define __CCE_KT_TEST__ 1
#endif
#ifndef ASCENDC_CPU_DEBUG
#define ASCENDC_CPU_DEBUG 1
#endif
// The products 910B: kernels choose types and sizes by these.
#ifndef __CCE_AICORE__
#define __CCE_AICORE__ 220
#endif
#ifndef __NPU_ARCH__
#define __NPU_ARCH__ 2201
#endif

#ifndef __global__ // `cargo xtask kernel` keeps the word, to find kernels by it
#define __global__
#endif
#ifndef __aicore__
#define __aicore__
#endif
#define __gm__
#define __ubuf__
#define __vector__
#define __mix__(...)
#define __inline__ inline
#define __BLOCK_LOCAL__ thread_local
#define GM_ADDR __gm__ uint8_t *

#define KERNEL_TASK_TYPE(...) static_assert(true)
#define KERNEL_TASK_TYPE_DEFAULT(...) static_assert(true)
// `if ASCEND_IS_AIC { .. }`: this core is a vector core.
#define ASCEND_IS_AIV constexpr(true)
#define ASCEND_IS_AIC constexpr(false)

#endif
