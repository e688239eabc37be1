// A mistake each, over `n` floats: the emulator, the header or the machine stops it.
#include <cstdlib>

#include "kernel_operator.h"
using namespace AscendC;

static __aicore__ GlobalTensor<float> tensor(GM_ADDR memory)
{
    GlobalTensor<float> tensor;
    tensor.SetGlobalBuffer((__gm__ float *)memory);
    return tensor;
}

#define MISTAKE(name) \
    extern "C" __global__ __aicore__ void name([[maybe_unused]] GM_ADDR x, [[maybe_unused]] GM_ADDR y, [[maybe_unused]] uint32_t n); \
    ASCENDCL_EXPORT(name) \
    extern "C" __global__ __aicore__ void name([[maybe_unused]] GM_ADDR x, [[maybe_unused]] GM_ADDR y, [[maybe_unused]] uint32_t n)

// ---- Found by the emulator ----

// Each block writes all elements.
MISTAKE(racing)
{
    for (uint32_t i = 0; i < n; i++) {
        tensor(y).SetValue(i, tensor(x).GetValue(i));
    }
}
// Writes to what it reads from.
MISTAKE(writing_input)
{
    tensor(x).SetValue(GetBlockIdx(), tensor(x).GetValue(GetBlockIdx()));
}
// Writes to what its type says that it only reads.
extern "C" __global__ __aicore__ void writing_const(const float *x, [[maybe_unused]] float *y, [[maybe_unused]] uint32_t n)
{
    tensor((GM_ADDR)x).SetValue(GetBlockIdx(), 0);
}
ASCENDCL_EXPORT(writing_const)
// Reads one element too many.
MISTAKE(beyond)
{
    tensor(y).SetValue(GetBlockIdx(), tensor(x).GetValue(n));
}
// Leaves the last element.
MISTAKE(leaving)
{
    for (uint32_t i = uint32_t(GetBlockIdx()); i + 1 < n; i += uint32_t(GetBlockNum())) {
        tensor(y).SetValue(i, tensor(x).GetValue(i));
    }
}

// ---- Found by the header ----

// Adds what nothing wrote.
MISTAKE(fresh)
{
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, n * sizeof(float));
    LocalTensor<float> a = buffer.Get<float>();
    Adds(a, a, 1.0f, n);
}
// Fills half of the tensor, and copies all of it.
MISTAKE(half_fresh)
{
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, n * sizeof(float));
    LocalTensor<float> a = buffer.Get<float>();
    DataCopy(a, tensor(x), n / 2);
    Adds(a, a, 1.0f, n);
    DataCopy(tensor(y), a, n);
}
// Does not free what it allocates.
MISTAKE(keeping)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 2, 32);
    in.AllocTensor<float>();
}
// Allocates a third of two buffers.
MISTAKE(third_buffer)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 2, 32);
    for (int i = 0; i < 3; i++) {
        in.AllocTensor<float>();
    }
}
MISTAKE(empty_queue)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 1, 32);
    in.DeQue<float>();
}
MISTAKE(freed)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    pipe.InitBuffer(in, 1, 32);
    LocalTensor<float> a = in.AllocTensor<float>();
    in.FreeTensor(a);
    Duplicate(a, 1.0f, 8);
}
MISTAKE(large)
{
    TPipe pipe;
    TBuf<> a, b;
    pipe.InitBuffer(a, 128 * 1024);
    pipe.InitBuffer(b, 128 * 1024);
}
MISTAKE(odd_copy)
{
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 64);
    DataCopy(buffer.Get<float>(), tensor(x), 5);
}
MISTAKE(misaligned)
{
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 128);
    LocalTensor<float> a = buffer.Get<float>();
    Duplicate(a[4], 0.0f, 8);
}
MISTAKE(beyond_local)
{
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 64);
    Duplicate(buffer.Get<float>(), 0.0f, 17);
}
MISTAKE(wide_mask)
{
    TPipe pipe;
    TBuf<> buffer;
    pipe.InitBuffer(buffer, 512);
    Duplicate(buffer.Get<float>(), 0.0f, 128, 1, 1, 8);
}
MISTAKE(waiting)
{
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
}
MISTAKE(asserting)
{
    assert(n == 0);
}
MISTAKE(throwing)
{
    throw n;
}

// ---- Found by the machine ----

MISTAKE(null_pointer)
{
    *(volatile float *)nullptr = 1;
}
MISTAKE(wild_pointer)
{
    *(volatile float *)0x12345678 = 1;
}
// As of a failed assert of the C library.
MISTAKE(aborting)
{
    std::abort();
}
// Not on aarch64, where it gives 0.
MISTAKE(division)
{
    volatile uint32_t zero = 0;
    *(__gm__ uint32_t *)y = n / zero;
}
