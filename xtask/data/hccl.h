/* The headers of HCCL, in CANN and in the wheels of torch-npu. */
#if __has_include("hccl/hccl.h")
#include "hccl/hccl.h"
#elif __has_include("third_party/hccl/inc/hccl/hccl.h")
#include "third_party/hccl/inc/hccl/hccl.h"
#endif
