// How an instruction walks over its operands: over the first elements of each, or over repeats of 256 bytes, in which a mask
// chooses the lanes and strides choose the data blocks.
#ifndef ASCENDCL_LANES_H
#define ASCENDCL_LANES_H

#include "copy.h"

#pragma GCC visibility push(hidden)
namespace AscendC {

constexpr uint64_t MASK_PLACEHOLDER = 0; // the mask is that of SetVectorMask
enum class MaskMode : uint8_t { NORMAL, COUNTER };
constexpr uint32_t DEFAULT_BLK_STRIDE = 1, DEFAULT_REPEAT_STRIDE = 8, ONE_BLK_SIZE = 32, ONE_REPEAT_BYTE_SIZE = 256,
                   TOTAL_UB_SIZE = ascendcl::UNIFIED_BUFFER;

/// Strides in data blocks: from one block of a repeat to the next, and from one repeat to the next.
struct UnaryRepeatParams {
    uint16_t dstBlkStride, srcBlkStride;
    uint8_t dstRepStride, srcRepStride;
    UnaryRepeatParams(uint16_t dstBlkStride = 1, uint16_t srcBlkStride = 1, uint8_t dstRepStride = 8, uint8_t srcRepStride = 8)
        : dstBlkStride(dstBlkStride), srcBlkStride(srcBlkStride), dstRepStride(dstRepStride), srcRepStride(srcRepStride)
    {
    }
};
struct BinaryRepeatParams {
    uint8_t dstBlkStride, src0BlkStride, src1BlkStride, dstRepStride, src0RepStride, src1RepStride;
    BinaryRepeatParams(uint8_t dstBlkStride = 1, uint8_t src0BlkStride = 1, uint8_t src1BlkStride = 1, uint8_t dstRepStride = 8,
                       uint8_t src0RepStride = 8, uint8_t src1RepStride = 8)
        : dstBlkStride(dstBlkStride), src0BlkStride(src0BlkStride), src1BlkStride(src1BlkStride), dstRepStride(dstRepStride),
          src0RepStride(src0RepStride), src1RepStride(src1RepStride)
    {
    }
};

inline void SetMaskNorm() { ascendcl::core->counts = false; }
inline void SetMaskCount() { ascendcl::core->counts = true; }
template <class T, MaskMode MODE = MaskMode::NORMAL> void SetVectorMask(uint64_t high, uint64_t low) { ascendcl::core->mask[0] = low, ascendcl::core->mask[1] = high; }
template <class T, MaskMode MODE = MaskMode::NORMAL> void SetVectorMask(int32_t number)
{
    const uint64_t lanes = uint64_t(number);
    const bool counts = MODE == MaskMode::COUNTER;
    ascendcl::core->mask[0] = counts ? lanes : lanes >= 64 ? ~0ull : (1ull << lanes) - 1;
    ascendcl::core->mask[1] = counts || lanes <= 64 ? 0 : lanes >= 128 ? ~0ull : (1ull << (lanes - 64)) - 1;
}
inline void ResetMask() { ascendcl::core->mask[0] = ascendcl::core->mask[1] = ~0ull; }

} // namespace AscendC

namespace ascendcl {

/// The lanes of a repeat that work: the first ones, or those of set bits.
struct Mask {
    uint64_t number;
    const uint64_t *bits;
    Mask(uint64_t number) : number(number), bits(nullptr) {}
    Mask(const uint64_t *bits) : number(0), bits(bits) {}
};

/// Which lanes an instruction works on.
struct Walk {
    uint64_t total;   // of all repeats
    uint32_t lanes;   // of a repeat
    uint32_t limit;   // the lanes behind these do not work,
    uint64_t bits[2]; // and of the first 128 only those of set bits
    bool dense;       // the first `total` elements of each operand, without strides

    static Walk first(const char *call, int64_t count)
    {
        if (count < 0) {
            stop("%s: a count of %lld", call, (long long)count);
        }
        return {uint64_t(count), 1, 1, {~0ull, ~0ull}, true};
    }
    /// Repeats of lanes with elements of `size` bytes, the largest of the operands.
    static Walk repeats(const char *call, const Mask &mask, bool sets, uint64_t number, uint32_t size)
    {
        const uint32_t lanes = REPEAT / size;
        if (core->counts) {
            return {sets ? mask.number : core->mask[0], lanes, lanes, {~0ull, ~0ull}, false};
        }
        if (sets && mask.bits == nullptr) {
            if (mask.number > lanes) {
                stop("%s: a mask of %llu lanes, where a repeat has %u elements of %u bytes", call, (unsigned long long)mask.number, lanes, size);
            }
            return {number * lanes, lanes, uint32_t(mask.number), {~0ull, ~0ull}, false};
        }
        const uint64_t *bits = sets ? mask.bits : core->mask;
        return {number * lanes, lanes, lanes, {bits[0], lanes > 64 ? bits[1] : 0}, false};
    }
    bool has(uint32_t lane) const { return lane < limit && (lane >= 128 || (bits[lane / 64] >> lane % 64 & 1) != 0); }
    uint64_t repeat_number() const { return (total + lanes - 1) / lanes; }
    /// Calls `f` with each repeat, lane, and number of the lane among all.
    template <class F> void each(F f) const
    {
        for (uint64_t n = 0, repeat = 0; n < total; repeat++) {
            for (uint32_t lane = 0; lane < lanes && n < total; lane++, n++) {
                if (dense || has(lane)) {
                    f(repeat, lane, n);
                }
            }
        }
    }
    uint32_t last_lane() const
    {
        uint32_t last = uint32_t(std::min<uint64_t>(lanes, total));
        while (last > 0 && !has(last - 1)) {
            last--;
        }
        return last;
    }
};

/// Strides in data blocks.
struct Stride {
    uint32_t block, repeat;
};

/// An operand of an instruction: where its lanes lie in the unified buffer.
template <class T> struct Operand {
    const AscendC::LocalTensor<T> &tensor;
    const char *name;
    Stride stride = {1, 8};
    uint32_t start = 0;
    uint64_t span = 0;

    uint64_t offset(uint64_t repeat, uint32_t lane) const
    {
        constexpr uint32_t per = BLOCK / sizeof(T);
        return repeat * stride.repeat * BLOCK + uint64_t(lane / per) * stride.block * BLOCK + lane % per * sizeof(T);
    }
    /// Finds and checks the place.
    void place(const char *call, const Walk &walk, uint32_t alignment = BLOCK)
    {
        if (walk.dense) {
            span = walk.total * sizeof(T);
        } else if (walk.total != 0 && walk.last_lane() != 0) {
            // The last repeat of a count of elements may be shorter than the one before.
            const uint64_t repeats = walk.repeat_number();
            span = offset(repeats - 1, 0) + offset(0, walk.last_lane() - 1) + sizeof(T);
            if (walk.total % walk.lanes != 0) {
                span = std::max(offset(repeats - 1, uint32_t(walk.total % walk.lanes) - 1) + sizeof(T),
                                repeats < 2 ? 0 : offset(repeats - 2, walk.lanes - 1) + sizeof(T));
            }
        }
        start = tensor.reach(call, name, 0, span, alignment);
    }
    uint32_t at(const Walk &walk, uint64_t repeat, uint32_t lane, uint64_t n) const
    {
        return uint32_t(start + (walk.dense ? n * sizeof(T) : offset(repeat, lane)));
    }
};
template <class T> Operand<T> operand(const AscendC::LocalTensor<T> &tensor, const char *name, uint32_t block = 1, uint32_t repeat = 8)
{
    return {tensor, name, {block, repeat}};
}

template <class T> T get(uint32_t at) { return load<T>(core->bytes + at); }
template <class T> void put(uint32_t at, T value) { memcpy(core->bytes + at, &value, sizeof(T)); }

/// dst = f(src..), lane by lane. A lane whose sources were not written is not written either.
template <class D, class F, class... S> void lanes(const char *call, const Walk &walk, Operand<D> dst, F f, Operand<S>... src)
{
    dst.place(call, walk);
    (src.place(call, walk), ...);
    (core->read(call, src.name, src.start, src.span), ...);
    const bool whole = (core->all_written(src.start, src.span) && ...);
    if (walk.dense && whole) {
        for (uint64_t n = 0; n < walk.total; n++) {
            put<D>(uint32_t(dst.start + n * sizeof(D)), f(get<S>(uint32_t(src.start + n * sizeof(S)))...));
        }
        core->mark(dst.start, dst.span);
        return;
    }
    walk.each([&](uint64_t repeat, uint32_t lane, uint64_t n) {
        const uint32_t to = dst.at(walk, repeat, lane, n);
        const bool written = whole || (core->all_written(src.at(walk, repeat, lane, n), sizeof(S)) && ...);
        put<D>(to, f(get<S>(src.at(walk, repeat, lane, n))...));
        core->mark(to, sizeof(D), written);
    });
}

} // namespace ascendcl
#pragma GCC visibility pop
#endif
