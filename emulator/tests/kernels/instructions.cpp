// Instructions against loops over plain numbers: a wrong result stops the block with the line. Writes 1 to `done` at the end.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int32_t N = 512;

/// Tensors one behind the other, without queues.
struct Memory {
    LocalMemAllocator<Hardware::UB> rest;
    template <class T> LocalTensor<T> fresh(int32_t count = N) { return rest.Alloc<T>(count); }
    template <class T, class F> LocalTensor<T> of(F f, int32_t count = N)
    {
        LocalTensor<T> tensor = fresh<T>(count);
        for (int32_t i = 0; i < count; i++) {
            tensor.SetValue(i, T(f(i)));
        }
        return tensor;
    }
};
static float wave(int32_t i) { return float((i * 37) % 101) / 8 - 5; }

static void element_by_element()
{
    Memory memory;
    auto x = memory.of<float>(wave), y = memory.of<float>([](int32_t i) { return 0.5f + float(i % 7); }), z = memory.fresh<float>();
    const auto is = [&z](float (*expected)(float, float)) {
        for (int32_t i = 0; i < N; i++) {
            const float wanted = expected(wave(i), 0.5f + float(i % 7)), found = z.GetValue(i);
            assert(std::fabs(found - wanted) <= 1e-6f * (1 + std::fabs(wanted)));
        }
    };
    Add(z, x, y, N), is([](float a, float b) { return a + b; });
    Sub<float>(z, x, y, N), is([](float a, float b) { return a - b; });
    Div(z, x, y, N), is([](float a, float b) { return a / b; });
    Max(z, x, y, N), is([](float a, float b) { return a > b ? a : b; });
    Adds(z, x, 2.5, N), is([](float a, float) { return a + 2.5f; });
    Mins<float, false>(z, x, 1, N), is([](float a, float) { return a < 1 ? a : 1; });
    LeakyRelu(z, x, 0.25f, N), is([](float a, float) { return a < 0 ? 0.25f * a : a; });
    Abs(z, x, N), is([](float a, float) { return std::fabs(a); });
    Exp(z, x, N), is([](float a, float) { return std::exp(a); });
    Rsqrt(z, y, N), is([](float, float b) { return 1 / std::sqrt(b); });
    Tanh(z, x), is([](float a, float) { return std::tanh(a); });
    Duplicate(z, 1.0f, N), Axpy(z, x, 3.0f, N), is([](float a, float) { return 3 * a + 1; });
    Duplicate(z, 1.0f, N), MulAddDst(z, x, y, N), is([](float a, float b) { return a * b + 1; });
    // Repeats of 64 lanes, each second block, over four repeats: the rest stays.
    Duplicate(z, 0.0f, N);
    uint64_t low[2] = {0x00ff00ff00ff00ffull, 0};
    Mul(z, x, y, low, 8, BinaryRepeatParams(1, 1, 1, 8, 8, 8));
    for (int32_t i = 0; i < N; i++) {
        assert(z.GetValue(i) == (i / 8 % 2 == 0 ? wave(i) * (0.5f + float(i % 7)) : 0));
    }
    // The first repeat's source for all of them.
    Muls(z, x, 2.0f, 64, N / 64, {1, 1, 8, 0});
    for (int32_t i = 0; i < N; i++) {
        assert(z.GetValue(i) == 2 * wave(i % 64));
    }
    // A count of elements instead of a mask.
    Duplicate(z, 0.0f, N), SetMaskCount(), SetVectorMask<float, MaskMode::COUNTER>(100);
    Adds<float, false>(z, x, 1.0f, MASK_PLACEHOLDER, 1, {1, 1, 8, 8});
    SetMaskNorm(), ResetMask();
    for (int32_t i = 0; i < N; i++) {
        assert(z.GetValue(i) == (i < 100 ? wave(i) + 1 : 0));
    }
}

static void conversions()
{
    Memory memory;
    auto x = memory.of<float>([](int32_t i) { return float(i - 256) / 4; });
    auto whole = memory.fresh<int32_t>();
    auto small = memory.fresh<half>();
    const RoundMode modes[] = {RoundMode::CAST_RINT, RoundMode::CAST_FLOOR, RoundMode::CAST_CEIL, RoundMode::CAST_ROUND, RoundMode::CAST_TRUNC};
    float (*const expected[])(float) = {std::nearbyint, std::floor, std::ceil, std::round, std::trunc};
    for (int32_t mode = 0; mode < 5; mode++) {
        Cast(whole, x, modes[mode], N);
        for (int32_t i = 0; i < N; i++) {
            assert(whole.GetValue(i) == int32_t(expected[mode](x.GetValue(i))));
        }
    }
    Cast(small, x, RoundMode::CAST_NONE, 64, N / 64, {1, 1, 4, 8});
    Cast(x, small, RoundMode::CAST_NONE, N);
    for (int32_t i = 0; i < N; i++) {
        assert(x(i) == float(i - 256) / 4 && small.GetValue(i) == x(i));
    }
    assert(float(half(65504.0f)) == 65504 && std::isinf(float(half(65520))) && float(half(1e-8f)) == 0 && float(bfloat16_t(1.0f + 1.0f / 512)) == 1);
    auto index = memory.fresh<int32_t>(), shifted = memory.fresh<int32_t>();
    CreateVecIndex(index, 5, N), ShiftLeft(shifted, index, 3, N), Adds(shifted, shifted, -8, N);
    assert(shifted.GetValue(0) == 32 && shifted.GetValue(N - 1) == (5 + N - 1) * 8 - 8);
}

static void reductions()
{
    Memory memory;
    auto x = memory.of<float>(wave), work = memory.fresh<float>(), result = memory.fresh<float>();
    float sum = 0, most = wave(0);
    int32_t at = 0;
    for (int32_t i = 0; i < N; i++) {
        sum += wave(i);
        at = wave(i) > most ? i : at, most = wave(at);
    }
    ReduceSum(result, x, work, N);
    assert(result.GetValue(0) == sum); // eighths add exactly
    ReduceMax(result, x, work, N, true);
    assert(result.GetValue(0) == most && result.ReinterpretCast<uint32_t>().GetValue(1) == uint32_t(at));
    WholeReduceSum(result, x, 60, N / 64, 1, 1, 8);
    WholeReduceMin(work, x, 64, N / 64, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);
    for (int32_t row = 0; row < N / 64; row++) {
        float of_row = 0, least = wave(row * 64);
        for (int32_t i = 0; i < 64; i++) {
            of_row += i < 60 ? wave(row * 64 + i) : 0, least = std::min(least, wave(row * 64 + i));
        }
        assert(result.GetValue(row) == of_row && work.GetValue(row) == least);
    }
    BlockReduceMax(result, x, N / 64, 64, 1, 1, 8);
    PairReduceSum(work, x, N / 64, 64, 1, 1, 8);
    for (int32_t i = 0; i < N / 2; i++) {
        assert(work.GetValue(i) == wave(2 * i) + wave(2 * i + 1));
        for (int32_t j = 0; j < 8 && i < N / 8; j++) {
            assert(result.GetValue(i) >= wave(8 * i + j));
        }
    }
}

static void choices()
{
    Memory memory;
    auto x = memory.of<float>(wave), y = memory.of<float>([](int32_t) { return 1.0f; }), z = memory.fresh<float>();
    auto bits = memory.fresh<uint8_t>(N / 8);
    Compare(bits, x, y, CMPMODE::LT, N);
    Select(z, bits, x, y, SELMODE::VSEL_TENSOR_TENSOR_MODE, N);
    for (int32_t i = 0; i < N; i++) {
        assert(z.GetValue(i) == std::min(wave(i), 1.0f) && (bits.GetValue(i / 8) >> i % 8 & 1) == (wave(i) < 1));
    }
    CompareScalar(bits, x, 0.0f, CMPMODE::GE, N);
    Select(z, bits, x, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, N);
    auto offsets = memory.of<uint32_t>([](int32_t i) { return (N - 1 - i) * 4; });
    auto turned = memory.fresh<float>();
    Gather(turned, z, offsets, 0, N);
    uint64_t number = 0;
    GatherMask(y, x, 2, false, 0, {1, N / 64, 8, 0}, number);
    for (int32_t i = 0; i < N; i++) {
        assert(turned.GetValue(N - 1 - i) == std::max(wave(i), 0.0f) && (i >= N / 2 || y.GetValue(i) == wave(2 * i + 1)));
    }
    assert(number == N / 2);
    Brcb(z, x, 1, {1, 8});
    assert(z.GetValue(0) == wave(0) && z.GetValue(63) == wave(7));
    const uint32_t to[2] = {4, 16}, from[2] = {4, 1};
    Broadcast<float, 2, 1>(z, x, to, from);
    assert(z.GetValue(17) == wave(1) && z.GetValue(63) == wave(3));
}

extern "C" __global__ __aicore__ void instructions(GM_ADDR done)
{
    element_by_element(), conversions(), reductions(), choices();
    GlobalTensor<uint32_t> to;
    to.SetGlobalBuffer((__gm__ uint32_t *)done);
    to.SetValue(0, 1);
}
ASCENDCL_EXPORT(instructions)
