// y += a * x, in one part for each block: the first kernel of the guide. `n` is a multiple of 8 * blocks.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void saxpy(GM_ADDR x, GM_ADDR y, float a, uint32_t n)
{
    uint32_t len = n / GetBlockNum(), first = GetBlockIdx() * len; // the part of this block
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x + first, len);
    to.SetGlobalBuffer((__gm__ float *)y + first, len);

    TPipe pipe;
    TQue<TPosition::VECIN, 2> in; // two tensors wait in it
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 2, len * sizeof(float)); // of x, and of y
    pipe.InitBuffer(out, 1, len * sizeof(float));

    LocalTensor<float> xs = in.AllocTensor<float>(), ys = in.AllocTensor<float>();
    DataCopy(xs, from, len);
    DataCopy(ys, to, len);
    in.EnQue(xs);
    in.EnQue(ys);
    xs = in.DeQue<float>();
    ys = in.DeQue<float>();
    LocalTensor<float> sum = out.AllocTensor<float>();
    Muls(sum, xs, a, len);
    Add(sum, sum, ys, len);
    out.EnQue(sum);
    in.FreeTensor(xs);
    in.FreeTensor(ys);
    sum = out.DeQue<float>();
    DataCopy(to, sum, len);
    out.FreeTensor(sum);
}
ASCENDCL_EXPORT(saxpy)
