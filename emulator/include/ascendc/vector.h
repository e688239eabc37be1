// The instructions that work element by element. Each takes the number of elements at the front, or a mask and repeats.
#ifndef ASCENDCL_VECTOR_H
#define ASCENDCL_VECTOR_H

#include "lanes.h"

#pragma GCC visibility push(hidden)
namespace ascendcl {

// Integers wrap around.
template <class T> T plus(T x, T y)
{
    if constexpr (std::is_integral_v<T>) {
        T result;
        __builtin_add_overflow(x, y, &result);
        return result;
    } else {
        return x + y;
    }
}
template <class T> T minus(T x, T y)
{
    if constexpr (std::is_integral_v<T>) {
        T result;
        __builtin_sub_overflow(x, y, &result);
        return result;
    } else {
        return x - y;
    }
}
template <class T> T times(T x, T y)
{
    if constexpr (std::is_integral_v<T>) {
        T result;
        __builtin_mul_overflow(x, y, &result);
        return result;
    } else {
        return x * y;
    }
}
template <class T> T relu(T x) { return x > T(0) ? x : T(0); }
template <class T> T gelu(T x) { return x / (T(1) + std::exp(T(-1.5957691216057308) * (x + T(0.044715) * x * x * x))); }
template <class T> T left(T x, int64_t bits) { return T(uint64_t(x) << (bits & 63)); }

} // namespace ascendcl

namespace AscendC {

// `x` and `y` are the elements of the sources; numbers of 16 bits compute as floats.
#define ASCENDCL_BINARY(Name, expression)                                                                                        \
    template <class T, bool isSetMask = true>                                                                                    \
    void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, int32_t count)                  \
    {                                                                                                                            \
        using W [[maybe_unused]] = ascendcl::Wide<T>;                                                                            \
        ascendcl::lanes(#Name, ascendcl::Walk::first(#Name, count), ascendcl::operand(dst, "dst"), [](W x, W y) { return T(expression); }, \
                        ascendcl::operand(src0, "src0"), ascendcl::operand(src1, "src1"));                                       \
    }                                                                                                                            \
    template <class T, bool isSetMask = true>                                                                                    \
    void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, const ascendcl::Mask &mask,     \
              uint8_t repeatTime, const BinaryRepeatParams &p)                                                                   \
    {                                                                                                                            \
        using W [[maybe_unused]] = ascendcl::Wide<T>;                                                                            \
        ascendcl::lanes(#Name, ascendcl::Walk::repeats(#Name, mask, isSetMask, repeatTime, sizeof(T)),                           \
                        ascendcl::operand(dst, "dst", p.dstBlkStride, p.dstRepStride), [](W x, W y) { return T(expression); },   \
                        ascendcl::operand(src0, "src0", p.src0BlkStride, p.src0RepStride),                                       \
                        ascendcl::operand(src1, "src1", p.src1BlkStride, p.src1RepStride));                                      \
    }
ASCENDCL_BINARY(Add, ascendcl::plus(x, y))
ASCENDCL_BINARY(Sub, ascendcl::minus(x, y))
ASCENDCL_BINARY(Mul, ascendcl::times(x, y))
ASCENDCL_BINARY(Div, x / y)
ASCENDCL_BINARY(Max, x < y ? y : x)
ASCENDCL_BINARY(Min, y < x ? y : x)
ASCENDCL_BINARY(And, x & y)
ASCENDCL_BINARY(Or, x | y)
ASCENDCL_BINARY(AddRelu, ascendcl::relu(ascendcl::plus(x, y)))
ASCENDCL_BINARY(SubRelu, ascendcl::relu(ascendcl::minus(x, y)))
#undef ASCENDCL_BINARY

// `z` is the element of the target before.
#define ASCENDCL_TERNARY(Name, expression)                                                                                       \
    template <class T, class U = T, bool isSetMask = true>                                                                       \
    void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, int32_t count)                  \
    {                                                                                                                            \
        using W = ascendcl::Wide<T>;                                                                                             \
        ascendcl::lanes(#Name, ascendcl::Walk::first(#Name, count), ascendcl::operand(dst, "dst"), [](W z, W x, W y) { return T(expression); }, \
                        ascendcl::operand(dst, "dst"), ascendcl::operand(src0, "src0"), ascendcl::operand(src1, "src1"));        \
    }                                                                                                                            \
    template <class T, class U = T, bool isSetMask = true>                                                                       \
    void Name(const LocalTensor<T> &dst, const LocalTensor<U> &src0, const LocalTensor<U> &src1, const ascendcl::Mask &mask,     \
              uint8_t repeatTime, const BinaryRepeatParams &p)                                                                   \
    {                                                                                                                            \
        using W = ascendcl::Wide<T>;                                                                                             \
        const auto to = ascendcl::operand(dst, "dst", p.dstBlkStride, p.dstRepStride);                                           \
        ascendcl::lanes(#Name, ascendcl::Walk::repeats(#Name, mask, isSetMask, repeatTime, sizeof(T)), to,                       \
                        [](W z, W x, W y) { return T(expression); }, to,                                                         \
                        ascendcl::operand(src0, "src0", p.src0BlkStride, p.src0RepStride),                                       \
                        ascendcl::operand(src1, "src1", p.src1BlkStride, p.src1RepStride));                                      \
    }
ASCENDCL_TERNARY(MulAddDst, x *y + z)
ASCENDCL_TERNARY(FusedMulAdd, x *z + y)
ASCENDCL_TERNARY(FusedMulAddRelu, ascendcl::relu(x *z + y))
#undef ASCENDCL_TERNARY

// `y` is the scalar.
#define ASCENDCL_SCALAR(Name, Scalar, expression)                                                                                \
    template <class T, bool isSetMask = true>                                                                                    \
    void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const ascendcl::Same<Scalar> &scalar, int32_t count)         \
    {                                                                                                                            \
        using W = ascendcl::Wide<T>;                                                                                             \
        const ascendcl::Wide<Scalar> y = scalar;                                                                                 \
        ascendcl::lanes(#Name, ascendcl::Walk::first(#Name, count), ascendcl::operand(dst, "dst"), [y](W x) { return T(expression); }, \
                        ascendcl::operand(src, "src"));                                                                          \
    }                                                                                                                            \
    template <class T, bool isSetMask = true>                                                                                    \
    void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const ascendcl::Same<Scalar> &scalar, const ascendcl::Mask &mask, \
              uint8_t repeatTime, const UnaryRepeatParams &p)                                                                    \
    {                                                                                                                            \
        using W = ascendcl::Wide<T>;                                                                                             \
        const ascendcl::Wide<Scalar> y = scalar;                                                                                 \
        ascendcl::lanes(#Name, ascendcl::Walk::repeats(#Name, mask, isSetMask, repeatTime, sizeof(T)),                           \
                        ascendcl::operand(dst, "dst", p.dstBlkStride, p.dstRepStride), [y](W x) { return T(expression); },       \
                        ascendcl::operand(src, "src", p.srcBlkStride, p.srcRepStride));                                          \
    }
ASCENDCL_SCALAR(Adds, T, ascendcl::plus(x, y))
ASCENDCL_SCALAR(Muls, T, ascendcl::times(x, y))
ASCENDCL_SCALAR(Maxs, T, x < y ? y : x)
ASCENDCL_SCALAR(Mins, T, y < x ? y : x)
ASCENDCL_SCALAR(LeakyRelu, T, x >= W(0) ? x : x *y)
ASCENDCL_SCALAR(ShiftLeft, int64_t, ascendcl::left(x, y))
ASCENDCL_SCALAR(ShiftRight, int64_t, x >> (y & 63))
#undef ASCENDCL_SCALAR

#define ASCENDCL_UNARY(Name, expression)                                                                                         \
    template <class T, bool isSetMask = true> void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t count)     \
    {                                                                                                                            \
        using W = ascendcl::Wide<T>;                                                                                             \
        ascendcl::lanes(#Name, ascendcl::Walk::first(#Name, count), ascendcl::operand(dst, "dst"), [](W x) { return T(expression); }, \
                        ascendcl::operand(src, "src"));                                                                          \
    }                                                                                                                            \
    template <class T, bool isSetMask = true>                                                                                    \
    void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const ascendcl::Mask &mask, uint8_t repeatTime,              \
              const UnaryRepeatParams &p)                                                                                        \
    {                                                                                                                            \
        using W = ascendcl::Wide<T>;                                                                                             \
        ascendcl::lanes(#Name, ascendcl::Walk::repeats(#Name, mask, isSetMask, repeatTime, sizeof(T)),                           \
                        ascendcl::operand(dst, "dst", p.dstBlkStride, p.dstRepStride), [](W x) { return T(expression); },        \
                        ascendcl::operand(src, "src", p.srcBlkStride, p.srcRepStride));                                          \
    }
ASCENDCL_UNARY(Exp, std::exp(x))
ASCENDCL_UNARY(Ln, std::log(x))
ASCENDCL_UNARY(Abs, x < W(0) ? ascendcl::minus(W(0), x) : x)
ASCENDCL_UNARY(Sqrt, std::sqrt(x))
ASCENDCL_UNARY(Rsqrt, W(1) / std::sqrt(x))
ASCENDCL_UNARY(Reciprocal, W(1) / x)
ASCENDCL_UNARY(Relu, ascendcl::relu(x))
ASCENDCL_UNARY(Not, ~x)
ASCENDCL_UNARY(Neg, ascendcl::minus(W(0), x))
#undef ASCENDCL_UNARY

// The library of functions: with or without memory for intermediate results, which is not used here.
#define ASCENDCL_FUNCTION(Name, expression)                                                                                      \
    template <class T, auto... Options> void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count)          \
    {                                                                                                                            \
        using W = ascendcl::Wide<T>;                                                                                             \
        ascendcl::lanes(#Name, ascendcl::Walk::first(#Name, count), ascendcl::operand(dst, "dst"), [](W x) { return T(expression); }, \
                        ascendcl::operand(src, "src"));                                                                          \
    }                                                                                                                            \
    template <class T, auto... Options> void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src) { Name(dst, src, src.GetSize()); } \
    template <class T, auto... Options>                                                                                          \
    void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, uint32_t count)                \
    {                                                                                                                            \
        Name(dst, src, count);                                                                                                   \
    }                                                                                                                            \
    template <class T, auto... Options> void Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &) { Name(dst, src); }
ASCENDCL_FUNCTION(Tanh, std::tanh(x))
ASCENDCL_FUNCTION(Sigmoid, W(1) / (W(1) + std::exp(-x)))
ASCENDCL_FUNCTION(Silu, x / (W(1) + std::exp(-x)))
ASCENDCL_FUNCTION(Gelu, ascendcl::gelu(x))
ASCENDCL_FUNCTION(FasterGelu, x / (W(1) + std::exp(W(-1.702) * x)))
ASCENDCL_FUNCTION(Sin, std::sin(x))
ASCENDCL_FUNCTION(Cos, std::cos(x))
ASCENDCL_FUNCTION(Tan, std::tan(x))
ASCENDCL_FUNCTION(Asin, std::asin(x))
ASCENDCL_FUNCTION(Acos, std::acos(x))
ASCENDCL_FUNCTION(Atan, std::atan(x))
ASCENDCL_FUNCTION(Sinh, std::sinh(x))
ASCENDCL_FUNCTION(Cosh, std::cosh(x))
ASCENDCL_FUNCTION(Asinh, std::asinh(x))
ASCENDCL_FUNCTION(Acosh, std::acosh(x))
ASCENDCL_FUNCTION(Atanh, std::atanh(x))
ASCENDCL_FUNCTION(Erf, std::erf(x))
ASCENDCL_FUNCTION(Erfc, std::erfc(x))
ASCENDCL_FUNCTION(Log, std::log(x))
ASCENDCL_FUNCTION(Log2, std::log2(x))
ASCENDCL_FUNCTION(Log10, std::log10(x))
ASCENDCL_FUNCTION(Floor, std::floor(x))
ASCENDCL_FUNCTION(Ceil, std::ceil(x))
ASCENDCL_FUNCTION(Round, std::nearbyint(x))
ASCENDCL_FUNCTION(Trunc, std::trunc(x))
ASCENDCL_FUNCTION(Frac, x - std::trunc(x))
ASCENDCL_FUNCTION(Sign, x > W(0) ? W(1) : x < W(0) ? W(-1) : x)
#undef ASCENDCL_FUNCTION

template <class T, auto... Options> void Power(const LocalTensor<T> &dst, const LocalTensor<T> &base, const LocalTensor<T> &exponent, uint32_t count)
{
    using W = ascendcl::Wide<T>;
    ascendcl::lanes("Power", ascendcl::Walk::first("Power", count), ascendcl::operand(dst, "dst"), [](W x, W y) { return T(std::pow(x, y)); },
                    ascendcl::operand(base, "src0"), ascendcl::operand(exponent, "src1"));
}
template <class T, auto... Options> void Power(const LocalTensor<T> &dst, const LocalTensor<T> &base, const ascendcl::Same<T> &exponent, uint32_t count)
{
    using W = ascendcl::Wide<T>;
    const W y = exponent;
    ascendcl::lanes("Power", ascendcl::Walk::first("Power", count), ascendcl::operand(dst, "dst"), [y](W x) { return T(std::pow(x, y)); },
                    ascendcl::operand(base, "src0"));
}

/// dst += src * scalar.
template <class T, class U> void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const ascendcl::Same<U> &scalar, int32_t count)
{
    const ascendcl::Wide<T> y = scalar;
    ascendcl::lanes("Axpy", ascendcl::Walk::first("Axpy", count), ascendcl::operand(dst, "dst"),
                    [y](ascendcl::Wide<T> z, ascendcl::Wide<U> x) { return T(x * y + z); }, ascendcl::operand(dst, "dst"), ascendcl::operand(src, "src"));
}
template <class T, class U, bool isSetMask = true>
void Axpy(const LocalTensor<T> &dst, const LocalTensor<U> &src, const ascendcl::Same<U> &scalar, const ascendcl::Mask &mask, uint8_t repeatTime, const UnaryRepeatParams &p)
{
    const ascendcl::Wide<T> y = scalar;
    const auto to = ascendcl::operand(dst, "dst", p.dstBlkStride, p.dstRepStride);
    ascendcl::lanes("Axpy", ascendcl::Walk::repeats("Axpy", mask, isSetMask, repeatTime, std::max(sizeof(T), sizeof(U))), to,
                    [y](ascendcl::Wide<T> z, ascendcl::Wide<U> x) { return T(x * y + z); }, to, ascendcl::operand(src, "src", p.srcBlkStride, p.srcRepStride));
}

// ---- Filling ----

template <class T, bool isSetMask = true> void Duplicate(const LocalTensor<T> &dst, const ascendcl::Same<T> &scalar, int32_t count)
{
    const T value = scalar;
    ascendcl::lanes("Duplicate", ascendcl::Walk::first("Duplicate", count), ascendcl::operand(dst, "dst"), [value]() { return value; });
}
template <class T, bool isSetMask = true>
void Duplicate(const LocalTensor<T> &dst, const ascendcl::Same<T> &scalar, const ascendcl::Mask &mask, uint8_t repeatTime, uint16_t dstBlockStride, uint8_t dstRepeatStride)
{
    const T value = scalar;
    ascendcl::lanes("Duplicate", ascendcl::Walk::repeats("Duplicate", mask, isSetMask, repeatTime, sizeof(T)),
                    ascendcl::operand(dst, "dst", dstBlockStride, dstRepeatStride), [value]() { return value; });
}
/// dst = first, first + difference, ...
template <class T> void ArithProgression(const LocalTensor<T> &dst, const ascendcl::Same<T> first, const ascendcl::Same<T> difference, int32_t count)
{
    int64_t n = 0;
    ascendcl::lanes("ArithProgression", ascendcl::Walk::first("ArithProgression", count), ascendcl::operand(dst, "dst"),
                    [&]() { return T(ascendcl::Wide<T>(first) + ascendcl::Wide<T>(difference) * ascendcl::Wide<T>(n++)); });
}
template <class T> void CreateVecIndex(const LocalTensor<T> &dst, const ascendcl::Same<T> &first, uint32_t count) { ArithProgression<T>(dst, first, T(1), int32_t(count)); }

// ---- Conversions ----

} // namespace AscendC
namespace ascendcl {
template <class D, class S> auto conversion(AscendC::RoundMode mode)
{
    return [mode](S value) {
        if constexpr (std::is_same_v<S, int32_t> && std::is_same_v<D, half>) {
            return converted<D>(float(value) * core->scale, mode);
        } else {
            return converted<D>(value, mode);
        }
    };
}
} // namespace ascendcl
namespace AscendC {

template <class D, class S> void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, const RoundMode &mode, uint32_t count)
{
    ascendcl::lanes("Cast", ascendcl::Walk::first("Cast", count), ascendcl::operand(dst, "dst"), ascendcl::conversion<D, S>(mode), ascendcl::operand(src, "src"));
}
template <class D, class S, bool isSetMask = true>
void Cast(const LocalTensor<D> &dst, const LocalTensor<S> &src, const RoundMode &mode, const ascendcl::Mask &mask, uint8_t repeatTime, const UnaryRepeatParams &p)
{
    ascendcl::lanes("Cast", ascendcl::Walk::repeats("Cast", mask, isSetMask, repeatTime, std::max(sizeof(D), sizeof(S))),
                    ascendcl::operand(dst, "dst", p.dstBlkStride, p.dstRepStride), ascendcl::conversion<D, S>(mode),
                    ascendcl::operand(src, "src", p.srcBlkStride, p.srcRepStride));
}
/// The factor of `Cast` from int32_t to half.
inline void SetDeqScale(half scale) { ascendcl::core->scale = scale; }

struct CopyRepeatParams {
    uint16_t dstStride = 1, srcStride = 1, dstRepeatSize = 8, srcRepeatSize = 8;
};
template <class T, bool isSetMask = true>
void Copy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const ascendcl::Mask &mask, uint8_t repeatTime, const CopyRepeatParams &p)
{
    ascendcl::lanes("Copy", ascendcl::Walk::repeats("Copy", mask, isSetMask, repeatTime, sizeof(T)), ascendcl::operand(dst, "dst", p.dstStride, p.dstRepeatSize),
                    [](T x) { return x; }, ascendcl::operand(src, "src", p.srcStride, p.srcRepeatSize));
}

} // namespace AscendC
#pragma GCC visibility pop
#endif
