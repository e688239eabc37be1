// z = x + y in tiles, with two buffers for each queue: how most kernels begin. `n` is a multiple of 8 * blocks.
#include "kernel_operator.h"
using namespace AscendC;

constexpr uint32_t TILE = 256;

class Add2 {
public:
    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n)
    {
        length = n / GetBlockNum();
        const uint64_t from = GetBlockIdx() * length;
        xs.SetGlobalBuffer((__gm__ float *)x + from, length);
        ys.SetGlobalBuffer((__gm__ float *)y + from, length);
        zs.SetGlobalBuffer((__gm__ float *)z + from, length);
        pipe.InitBuffer(xIn, 2, TILE * sizeof(float));
        pipe.InitBuffer(yIn, 2, TILE * sizeof(float));
        pipe.InitBuffer(out, 2, TILE * sizeof(float));
    }
    __aicore__ inline void Process()
    {
        for (uint32_t at = 0; at < length; at += TILE) {
            const uint32_t count = length - at < TILE ? length - at : TILE;
            CopyIn(at, count);
            Compute(count);
            CopyOut(at, count);
        }
    }

private:
    __aicore__ inline void CopyIn(uint32_t at, uint32_t count)
    {
        LocalTensor<float> x = xIn.AllocTensor<float>(), y = yIn.AllocTensor<float>();
        DataCopy(x, xs[at], count);
        DataCopy(y, ys[at], count);
        xIn.EnQue(x);
        yIn.EnQue(y);
    }
    __aicore__ inline void Compute(uint32_t count)
    {
        LocalTensor<float> x = xIn.DeQue<float>(), y = yIn.DeQue<float>(), z = out.AllocTensor<float>();
        Add(z, x, y, count);
        out.EnQue(z);
        xIn.FreeTensor(x);
        yIn.FreeTensor(y);
    }
    __aicore__ inline void CopyOut(uint32_t at, uint32_t count)
    {
        LocalTensor<float> z = out.DeQue<float>();
        DataCopy(zs[at], z, count);
        out.FreeTensor(z);
    }

    TPipe pipe;
    TQue<TPosition::VECIN, 2> xIn, yIn;
    TQue<TPosition::VECOUT, 2> out;
    GlobalTensor<float> xs, ys, zs;
    uint32_t length;
};

extern "C" __global__ __aicore__ void add(GM_ADDR x, GM_ADDR y, GM_ADDR z, uint32_t n)
{
    Add2 op;
    op.Init(x, y, z, n);
    op.Process();
}
ASCENDCL_EXPORT(add)
