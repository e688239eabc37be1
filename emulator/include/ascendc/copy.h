// Copies between global memory and the unified buffer.
#ifndef ASCENDCL_COPY_H
#define ASCENDCL_COPY_H

#include "control.h"

#pragma GCC visibility push(hidden)
namespace AscendC {

/// `blockCount` pieces of `blockLen` data blocks of 32 bytes; the strides are gaps, in data blocks too.
struct DataCopyParams {
    uint16_t blockCount, blockLen, srcStride, dstStride;
    DataCopyParams(uint16_t blockCount = 1, uint16_t blockLen = 0, uint16_t srcStride = 0, uint16_t dstStride = 0)
        : blockCount(blockCount), blockLen(blockLen), srcStride(srcStride), dstStride(dstStride)
    {
    }
};
/// The same for `DataCopyPad`: `blockLen` in bytes; gaps in bytes in global memory, and in data blocks in the unified buffer.
struct DataCopyExtParams {
    uint16_t blockCount;
    uint32_t blockLen, srcStride, dstStride, rsv;
    DataCopyExtParams(uint16_t blockCount = 1, uint32_t blockLen = 0, uint32_t srcStride = 0, uint32_t dstStride = 0, uint32_t rsv = 0)
        : blockCount(blockCount), blockLen(blockLen), srcStride(srcStride), dstStride(dstStride), rsv(rsv)
    {
    }
    DataCopyExtParams(const DataCopyParams &other)
        : DataCopyExtParams(other.blockCount, other.blockLen, other.srcStride, other.dstStride)
    {
    }
};
/// What surrounds each piece, in elements. Without `isPad` their value is that of SetPadValue, or any.
struct DataCopyPadParams {
    bool isPad = false;
    uint8_t leftPadding = 0, rightPadding = 0;
    uint64_t paddingValue = 0;
};
template <class T> struct DataCopyPadExtParams {
    bool isPad = false;
    uint8_t leftPadding = 0, rightPadding = 0;
    T paddingValue = T(0);

    DataCopyPadExtParams() = default;
    DataCopyPadExtParams(bool isPad, uint8_t left, uint8_t right, T value)
        : isPad(isPad), leftPadding(left), rightPadding(right), paddingValue(value)
    {
    }
};

} // namespace AscendC

namespace ascendcl {

/// Deduces nothing: a scalar takes the type of the tensor.
template <class T> struct SameType {
    using Type = T;
};
template <class T> using Same = typename SameType<T>::Type;

/// Adds to global memory, or takes the larger or smaller one, such that blocks do not disturb each other.
template <class T> void update(unsigned char *to, const unsigned char *from, uint64_t elements, Atomic atomic)
{
    using Bits = std::conditional_t<sizeof(T) == 1, uint8_t, std::conditional_t<sizeof(T) == 2, uint16_t, std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>>>;
    for (uint64_t i = 0; i < elements; i++) {
        Bits *word = reinterpret_cast<Bits *>(to) + i;
        Bits old = __atomic_load_n(word, __ATOMIC_RELAXED), next;
        const T other = load<T>(from + i * sizeof(T));
        do {
            const Wide<T> x = load<T>(reinterpret_cast<const unsigned char *>(&old)), y = other;
            const T value = atomic == Atomic::ADD ? T(x + y) : atomic == Atomic::MAX ? T(std::max(x, y)) : T(std::min(x, y));
            memcpy(&next, &value, sizeof next);
        } while (!__atomic_compare_exchange_n(word, &old, next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    }
}

/// Writes bytes of the unified buffer to global memory.
template <class T> void store(const char *call, const AscendC::GlobalTensor<T> &to, uint64_t into, uint32_t from, uint64_t bytes)
{
    core->use(call, "src", from, bytes);
    if (core->atomic == Atomic::NONE) {
        memcpy(to.touch(call, into, bytes, WRITES), core->bytes + from, bytes);
    } else {
        update<T>(to.touch(call, into, bytes, ADDS), core->bytes + from, bytes / sizeof(T), core->atomic);
    }
}

/// A copy of pieces: `size` bytes each, `source` and `target` bytes from one to the next.
struct Pieces {
    uint64_t number, size, source, target;

    uint64_t span(uint64_t step) const { return number == 0 ? 0 : (number - 1) * step + size; }
    bool is_one() const { return source == size && target == size; }
    /// Calls `f` with the places of each piece, or once if they all touch.
    template <class F> void each(F f) const
    {
        if (is_one()) {
            return f(uint64_t(0), uint64_t(0), number * size);
        }
        for (uint64_t i = 0; i < number; i++) {
            f(i * source, i * target, size);
        }
    }
};
inline Pieces pieces(const AscendC::DataCopyParams &params)
{
    const uint64_t size = uint64_t(params.blockLen) * BLOCK;
    return {params.blockCount, size, size + uint64_t(params.srcStride) * BLOCK, size + uint64_t(params.dstStride) * BLOCK};
}
template <class T> Pieces whole(const char *remedy, uint64_t elements)
{
    const uint64_t bytes = elements * sizeof(T);
    if (bytes % BLOCK != 0) {
        stop("DataCopy of %llu elements, %llu bytes, which is no multiple of 32%s", (unsigned long long)elements, (unsigned long long)bytes, remedy);
    }
    return {1, bytes, bytes, bytes};
}

template <class T> void copy(const AscendC::LocalTensor<T> &to, const AscendC::GlobalTensor<T> &from, const Pieces &pieces)
{
    const uint32_t start = to.reach("DataCopy", "dst", 0, pieces.span(pieces.target));
    pieces.each([&](uint64_t source, uint64_t target, uint64_t size) {
        memcpy(core->bytes + start + target, from.touch("DataCopy", source, size, READS), size);
        core->mark(uint32_t(start + target), size);
    });
}
template <class T> void copy(const AscendC::GlobalTensor<T> &to, const AscendC::LocalTensor<T> &from, const Pieces &pieces)
{
    const uint32_t start = from.reach("DataCopy", "src", 0, pieces.span(pieces.source));
    pieces.each([&](uint64_t source, uint64_t target, uint64_t size) { store("DataCopy", to, target, uint32_t(start + source), size); });
}
template <class T> void copy(const AscendC::LocalTensor<T> &to, const AscendC::LocalTensor<T> &from, const Pieces &pieces)
{
    const uint32_t into = to.reach("DataCopy", "dst", 0, pieces.span(pieces.target)), out = from.reach("DataCopy", "src", 0, pieces.span(pieces.source));
    core->read("DataCopy", "src", out, pieces.span(pieces.source));
    pieces.each([&](uint64_t source, uint64_t target, uint64_t size) {
        const bool whole = core->all_written(uint32_t(out + source), size);
        for (uint64_t i = 0; i < size && !whole; i++) {
            core->mark(uint32_t(into + target + i), 1, core->all_written(uint32_t(out + source + i), 1));
        }
        memmove(core->bytes + into + target, core->bytes + out + source, size);
        core->mark(uint32_t(into + target), whole ? size : 0);
    });
}

template <class T> void padded(const AscendC::LocalTensor<T> &to, const AscendC::GlobalTensor<T> &from, const AscendC::DataCopyExtParams &params,
                               const AscendC::DataCopyPadExtParams<T> &pad)
{
    const uint64_t left = uint64_t(pad.leftPadding) * sizeof(T), right = uint64_t(pad.rightPadding) * sizeof(T);
    if (left > BLOCK || right > BLOCK) {
        stop("DataCopyPad: paddings of %llu and %llu bytes; each may have 32", (unsigned long long)left, (unsigned long long)right);
    }
    const uint64_t row = rounded(left + params.blockLen + right);
    const uint32_t start = to.reach("DataCopyPad", "dst", 0, params.blockCount == 0 ? 0 : (row + params.dstStride * uint64_t(BLOCK)) * (params.blockCount - 1) + row);
    for (uint32_t i = 0; i < params.blockCount; i++) {
        const uint32_t at = uint32_t(start + i * (row + params.dstStride * uint64_t(BLOCK)));
        // What no one has given a value counts as not written.
        core->mark(at, row, pad.isPad || core->pads);
        for (uint64_t byte = 0; byte < row; byte += sizeof(T)) {
            memcpy(core->bytes + at + byte, pad.isPad ? static_cast<const void *>(&pad.paddingValue) : &core->pad, sizeof(T));
        }
        if (pad.isPad) { // beyond the paddings nothing is filled
            core->mark(uint32_t(at + left + params.blockLen + right), row - left - params.blockLen - right, core->pads);
        }
        memcpy(core->bytes + at + left, from.touch("DataCopyPad", i * (uint64_t(params.blockLen) + params.srcStride), params.blockLen, READS), params.blockLen);
        core->mark(uint32_t(at + left), params.blockLen);
    }
}
template <class T> void padded(const AscendC::GlobalTensor<T> &to, const AscendC::LocalTensor<T> &from, const AscendC::DataCopyExtParams &params)
{
    const uint64_t row = rounded(params.blockLen) + params.srcStride * uint64_t(BLOCK);
    const uint32_t start = from.reach("DataCopyPad", "src", 0, params.blockCount == 0 ? 0 : row * (params.blockCount - 1) + params.blockLen);
    for (uint32_t i = 0; i < params.blockCount; i++) {
        store("DataCopyPad", to, i * (uint64_t(params.blockLen) + params.dstStride), uint32_t(start + i * row), params.blockLen);
    }
}

constexpr char PAD[] = ": use DataCopyPad, which takes any number of bytes, or round the count up";

} // namespace ascendcl

namespace AscendC {

template <class T> void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, uint32_t count) { ascendcl::copy(dst, src, ascendcl::whole<T>(ascendcl::PAD, count)); }
template <class T> void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count) { ascendcl::copy(dst, src, ascendcl::whole<T>(ascendcl::PAD, count)); }
template <class T> void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, uint32_t count) { ascendcl::copy(dst, src, ascendcl::whole<T>(": round the count up", count)); }
template <class T> void DataCopy(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &params) { ascendcl::copy(dst, src, ascendcl::pieces(params)); }
template <class T> void DataCopy(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params) { ascendcl::copy(dst, src, ascendcl::pieces(params)); }
template <class T> void DataCopy(const LocalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyParams &params) { ascendcl::copy(dst, src, ascendcl::pieces(params)); }

template <class T>
void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyExtParams &params, const DataCopyPadExtParams<T> &pad)
{
    ascendcl::padded(dst, src, params, pad);
}
template <class T> void DataCopyPad(const LocalTensor<T> &dst, const GlobalTensor<T> &src, const DataCopyParams &params, const DataCopyPadParams &pad)
{
    T value;
    memcpy(&value, &pad.paddingValue, sizeof(T));
    ascendcl::padded<T>(dst, src, params, {pad.isPad, pad.leftPadding, pad.rightPadding, value});
}
template <class T> void DataCopyPad(const GlobalTensor<T> &dst, const LocalTensor<T> &src, const DataCopyExtParams &params) { ascendcl::padded(dst, src, params); }

template <class T, TPosition = TPosition::MAX> void SetPadValue(T value)
{
    ascendcl::core->pads = true, ascendcl::core->pad = 0;
    memcpy(&ascendcl::core->pad, &value, sizeof(T));
}

// Copies to global memory between these update it, such that several blocks may do so at once.
template <class T> void SetAtomicAdd() { ascendcl::core->atomic = ascendcl::Atomic::ADD; }
template <class T> void SetAtomicMax() { ascendcl::core->atomic = ascendcl::Atomic::MAX; }
template <class T> void SetAtomicMin() { ascendcl::core->atomic = ascendcl::Atomic::MIN; }
inline void SetAtomicNone() { ascendcl::core->atomic = ascendcl::Atomic::NONE; }
inline void DisableDmaAtomic() { SetAtomicNone(); }

/// Global memory past the caches, as blocks use it that wait for each other.
template <class T> T ReadGmByPassDCache(__gm__ T *address)
{
    ascendcl::touch(address, sizeof(T), ascendcl::READS);
    return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}
template <class T> void WriteGmByPassDCache(__gm__ T *address, ascendcl::Same<T> value)
{
    ascendcl::touch(address, sizeof(T), ascendcl::WRITES);
    __atomic_store_n(address, value, __ATOMIC_RELEASE);
}

/// Fills global memory.
template <class T> void InitGlobalMemory(const GlobalTensor<T> &dst, uint64_t size, T value)
{
    unsigned char *to = dst.touch("InitGlobalMemory", 0, size * sizeof(T), ascendcl::WRITES);
    for (uint64_t i = 0; i < size; i++) {
        memcpy(to + i * sizeof(T), &value, sizeof(T));
    }
}
template <class T> void InitOutput(const GlobalTensor<T> &dst, uint32_t size, T value = T(0)) { InitGlobalMemory<T>(dst, size, value); }
template <class T> void Fill(const GlobalTensor<T> &dst, uint64_t size, T value) { InitGlobalMemory<T>(dst, size, value); }

} // namespace AscendC
#pragma GCC visibility pop
#endif
