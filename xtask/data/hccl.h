/* The headers of HCCL, in CANN and in the wheels of torch-npu. C cannot read them: they use constants of C++ as lengths. */
#ifdef __cplusplus
#if __has_include("hccl/hccl.h")
#include "hccl/hccl.h"
#elif __has_include("third_party/hccl/inc/hccl/hccl.h")
#include "third_party/hccl/inc/hccl/hccl.h"
#endif
#endif
