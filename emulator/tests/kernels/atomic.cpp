// total[0..8] += the sums of columns of x, of 8 floats each row: all blocks add to the same memory at once. `rows` is a
// multiple of the blocks.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void columns(GM_ADDR x, GM_ADDR total, uint32_t rows)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, rows * 8), to.SetGlobalBuffer((__gm__ float *)total, 8);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 2, 32);
    SetAtomicAdd<float>();
    for (uint32_t row = uint32_t(GetBlockIdx()); row < rows; row += uint32_t(GetBlockNum())) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopy(a, from[row * 8], 8);
        in.EnQue(a);
        a = in.DeQue<float>();
        DataCopy(to, a, 8);
        in.FreeTensor(a);
    }
    SetAtomicNone();
}
ASCENDCL_EXPORT(columns)
