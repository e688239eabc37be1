// result[0] = the sum of x: a part for each block, then SyncAll, then the first block adds the parts. `n` is a multiple of
// 8 * blocks; `parts` has 8 floats for each block. Needs the schedule mode batch.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void sum(const float *x, float *parts, float *result, uint32_t n)
{
    const uint32_t length = n / uint32_t(GetBlockNum());
    GlobalTensor<float> from, part, to;
    from.SetGlobalBuffer(const_cast<float *>(x) + GetBlockIdx() * length, length);
    part.SetGlobalBuffer(parts, GetBlockNum() * 8);
    to.SetGlobalBuffer(result, 1);
    TPipe pipe;
    TBuf<> buffer, work;
    pipe.InitBuffer(buffer, length * sizeof(float));
    pipe.InitBuffer(work, length * sizeof(float));
    LocalTensor<float> a = buffer.Get<float>(), w = work.Get<float>();
    DataCopy(a, from, length);
    ReduceSum(w, a, w, length);
    part.SetValue(GetBlockIdx() * 8, w.GetValue(0));
    SyncAll();
    if (GetBlockIdx() == 0) {
        float all = 0;
        for (int64_t i = 0; i < GetBlockNum(); i++) {
            all += part.GetValue(i * 8);
        }
        to.SetValue(0, all);
    }
}
ASCENDCL_EXPORT(sum)
