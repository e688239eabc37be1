// y = the half x times `factor`, computed as float, by masks and repeats: 64 lanes, of which the first `lanes` are written.
// `n` is a multiple of 64.
#include "kernel_operator.h"
using namespace AscendC;

extern "C" __global__ __aicore__ void scale(GM_ADDR x, GM_ADDR y, float factor, uint32_t lanes, uint32_t n)
{
    GlobalTensor<half> from, to;
    from.SetGlobalBuffer((__gm__ half *)x, n), to.SetGlobalBuffer((__gm__ half *)y, n);
    TPipe pipe;
    TBuf<> small, large;
    pipe.InitBuffer(small, n * sizeof(half));
    pipe.InitBuffer(large, n * sizeof(float));
    LocalTensor<half> a = small.Get<half>();
    LocalTensor<float> b = large.Get<float>();
    const uint8_t repeats = uint8_t(n / 64);
    DataCopy(a, from, n);
    Cast(b, a, RoundMode::CAST_NONE, 64, repeats, {1, 1, 8, 4});
    Muls(b, b, factor, lanes, repeats, {1, 1, 8, 8});
    Cast(a, b, RoundMode::CAST_RINT, 64, repeats, {1, 1, 4, 8});
    DataCopy(to, a, n);
}
ASCENDCL_EXPORT(scale)
