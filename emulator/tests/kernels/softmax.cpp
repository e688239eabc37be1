// y = the softmax of each row of x; rows of any length up to 4096, so that DataCopyPad and a whole-row reduction are needed.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void softmax(GM_ADDR x, GM_ADDR y, uint32_t rows, uint32_t columns)
{
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x, uint64_t(rows) * columns);
    to.SetGlobalBuffer((__gm__ float *)y, uint64_t(rows) * columns);
    const uint32_t bytes = columns * sizeof(float);
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<> work, one;
    pipe.InitBuffer(in, 1, bytes);
    pipe.InitBuffer(out, 1, bytes);
    pipe.InitBuffer(work, bytes);
    pipe.InitBuffer(one, 32);
    for (uint32_t row = uint32_t(GetBlockIdx()); row < rows; row += uint32_t(GetBlockNum())) {
        LocalTensor<float> a = in.AllocTensor<float>();
        DataCopyPad(a, from[uint64_t(row) * columns], DataCopyExtParams{1, bytes, 0, 0, 0}, DataCopyPadExtParams<float>{false, 0, 0, 0});
        in.EnQue(a);
        LocalTensor<float> v = in.DeQue<float>(), e = out.AllocTensor<float>(), w = work.Get<float>(), s = one.Get<float>();
        ReduceMax(s, v, w, columns);
        Adds(v, v, -s.GetValue(0), columns);
        Exp(e, v, columns);
        ReduceSum(s, e, w, columns);
        Muls(e, e, 1.0f / s.GetValue(0), columns);
        in.FreeTensor(v);
        out.EnQue(e);
        e = out.DeQue<float>();
        DataCopyPad(to[uint64_t(row) * columns], e, DataCopyExtParams{1, bytes, 0, 0, 0});
        out.FreeTensor(e);
    }
}
ASCENDCL_EXPORT(softmax)
