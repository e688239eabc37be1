// The numbers of 16 bits that C++17 lacks, and rounding. All in integers, so that each machine computes the same.
#ifndef ASCENDCL_NUMBERS_H
#define ASCENDCL_NUMBERS_H

#include "words.h"

#pragma GCC visibility push(hidden)
namespace ascendcl {

constexpr uint32_t bits_of(float value) { return __builtin_bit_cast(uint32_t, value); }
constexpr float float_of(uint32_t bits) { return __builtin_bit_cast(float, bits); }

/// IEEE binary16.
struct Binary16 {
    static constexpr float widen(uint16_t code)
    {
        const uint32_t sign = uint32_t(code & 0x8000) << 16, exponent = code >> 10 & 31, fraction = code & 0x3ff;
        if (exponent == 31) {
            return float_of(sign | 0x7f800000 | fraction << 13);
        }
        if (exponent != 0) {
            return float_of(sign | (exponent + 112) << 23 | fraction << 13);
        }
        return float_of(sign | bits_of(float(fraction) * 0x1p-24f));
    }
    /// To the nearest one, the even one of two.
    static constexpr uint16_t narrow(float value)
    {
        const uint32_t all = bits_of(value), sign = all >> 16 & 0x8000, size = all & 0x7fffffff;
        if (size > 0x7f800000) {
            return uint16_t(sign | 0x7e00);
        }
        if (size >= 0x477ff000) { // 65520
            return uint16_t(sign | 0x7c00);
        }
        if (size >= 0x38800000) { // 2^-14
            return uint16_t(sign | (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13);
        }
        const uint32_t shift = 126 - (size >> 23), whole = (size & 0x7fffff) | 0x800000;
        if (shift > 25) {
            return uint16_t(sign);
        }
        const uint32_t code = whole >> shift, rest = whole & ((1u << shift) - 1), half = 1u << (shift - 1);
        return uint16_t(sign | (code + (rest > half || (rest == half && (code & 1) != 0))));
    }
};

/// The upper half of a float.
struct Brain16 {
    static constexpr float widen(uint16_t code) { return float_of(uint32_t(code) << 16); }
    static constexpr uint16_t narrow(float value)
    {
        const uint32_t all = bits_of(value);
        const bool is_number = (all & 0x7fffffff) <= 0x7f800000;
        return uint16_t(is_number ? (all + 0x7fff + (all >> 16 & 1)) >> 16 : all >> 16 | 0x40);
    }
};

/// A number of 16 bits. It computes as a float; storing rounds.
template <class Format> struct Narrow {
    uint16_t bits;

    Narrow() = default;
    constexpr Narrow(float value) : bits(Format::narrow(value)) {}
    template <class N, class = std::enable_if_t<std::is_arithmetic_v<N>>> constexpr Narrow(N value) : Narrow(float(value)) {}
    static constexpr Narrow of(uint16_t bits)
    {
        Narrow one(0.0f);
        one.bits = bits;
        return one;
    }
    constexpr operator float() const { return Format::widen(bits); }
    constexpr Narrow &operator+=(float other) { return *this = Narrow(float(*this) + other); }
    constexpr Narrow &operator-=(float other) { return *this = Narrow(float(*this) - other); }
    constexpr Narrow &operator*=(float other) { return *this = Narrow(float(*this) * other); }
    constexpr Narrow &operator/=(float other) { return *this = Narrow(float(*this) / other); }
};

template <class T> inline constexpr bool is_narrow = false;
template <class Format> inline constexpr bool is_narrow<Narrow<Format>> = true;
template <class T> inline constexpr bool is_real = std::is_floating_point_v<T> || is_narrow<T>;
/// What a number is computed as.
template <class T> using Wide = std::conditional_t<is_narrow<T>, float, T>;

} // namespace ascendcl

using half = ascendcl::Narrow<ascendcl::Binary16>;
using bfloat16_t = ascendcl::Narrow<ascendcl::Brain16>;
using float16_t = half;
using float32_t = float;

namespace AscendC {
/// NONE is RINT where a value does not fit exactly.
enum class RoundMode { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };

inline float ToFloat(const bfloat16_t &value) { return value; }
inline bfloat16_t ToBfloat16(const float &value) { return value; }
} // namespace AscendC

namespace ascendcl {

template <class T> T to_integral(T value, AscendC::RoundMode mode)
{
    switch (mode) {
    case AscendC::RoundMode::CAST_FLOOR: return std::floor(value);
    case AscendC::RoundMode::CAST_CEIL: return std::ceil(value);
    case AscendC::RoundMode::CAST_ROUND: return std::round(value);
    case AscendC::RoundMode::CAST_TRUNC: return std::trunc(value);
    case AscendC::RoundMode::CAST_ODD: {
        const T whole = std::trunc(value);
        return whole == value || std::fmod(whole, T(2)) != 0 ? whole : whole + std::copysign(T(1), value);
    }
    default: return std::nearbyint(value);
    }
}

/// A float as a number of 16 bits, rounded as the mode says.
template <class To> To narrowed(float value, AscendC::RoundMode mode)
{
    To near = To(value);
    if (!std::isfinite(value) || float(near) == value || mode == AscendC::RoundMode::CAST_NONE || mode == AscendC::RoundMode::CAST_RINT) {
        return near;
    }
    // `small` and `large` are the two around the value: codes of one sign grow with the size.
    const bool is_below = std::fabs(float(near)) < std::fabs(value);
    const To small = is_below ? near : To::of(uint16_t(near.bits - 1)), large = is_below ? To::of(uint16_t(near.bits + 1)) : near;
    switch (mode) {
    case AscendC::RoundMode::CAST_FLOOR: return value < 0 ? large : small;
    case AscendC::RoundMode::CAST_CEIL: return value < 0 ? small : large;
    case AscendC::RoundMode::CAST_TRUNC: return small;
    case AscendC::RoundMode::CAST_ODD: return (small.bits & 1) != 0 ? small : large;
    default: // away from zero, if both are as near
        return std::fabs(value) - std::fabs(float(small)) < std::fabs(float(large)) - std::fabs(value) ? small : large;
    }
}

/// The conversion of `Cast`. Integers stop at their ends, what is no number is 0.
template <class To, class From> To converted(From value, AscendC::RoundMode mode)
{
    if constexpr (is_narrow<To>) {
        return narrowed<To>(float(value), mode);
    } else if constexpr (std::is_floating_point_v<To>) {
        // From a number to itself: the numbers stay, rounded to whole ones.
        return std::is_same_v<To, From> && mode != AscendC::RoundMode::CAST_NONE ? to_integral(To(value), mode) : To(value);
    } else if constexpr (is_real<From>) {
        const double whole = to_integral(double(Wide<From>(value)), mode);
        const double least = double(std::numeric_limits<To>::min()), most = double(std::numeric_limits<To>::max());
        return std::isnan(whole) ? To(0) : whole <= least ? std::numeric_limits<To>::min() :
               whole >= most ? std::numeric_limits<To>::max() : To(whole);
    } else {
        using Both = __int128;
        const Both least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max(), whole = value;
        return To(whole < least ? least : whole > most ? most : whole);
    }
}

} // namespace ascendcl
#pragma GCC visibility pop

namespace AscendC {
/// One number as another one.
template <class From, class To, RoundMode MODE> To ScalarCast(From value) { return ascendcl::converted<To>(value, MODE); }
} // namespace AscendC
#endif
