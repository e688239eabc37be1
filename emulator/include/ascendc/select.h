// Comparisons into bits, choices by them, and what takes elements from other places: Gather, GatherMask, Broadcast, Brcb.
#ifndef ASCENDCL_SELECT_H
#define ASCENDCL_SELECT_H

#include "reduce.h"

#pragma GCC visibility push(hidden)
namespace AscendC {
enum class CMPMODE : uint8_t { LT, GT, EQ, LE, GE, NE };
/// Bits of one repeat for all repeats; bits of all elements, and a scalar or a tensor for those that are 0.
enum class SELMODE : uint8_t { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };
} // namespace AscendC

namespace ascendcl {

template <class W> bool compares(W x, W y, AscendC::CMPMODE mode)
{
    switch (mode) {
    case AscendC::CMPMODE::LT: return x < y;
    case AscendC::CMPMODE::GT: return x > y;
    case AscendC::CMPMODE::EQ: return x == y;
    case AscendC::CMPMODE::LE: return x <= y;
    case AscendC::CMPMODE::GE: return x >= y;
    default: return x != y;
    }
}

/// dst = a bit for each lane, the lowest one first. A byte is written if its eight lanes were. On some cards the mask has no
/// meaning and all lanes are compared; here the others count as not written.
template <class T, class U, class F, class... S> void bits(const char *call, const Walk &walk, const AscendC::LocalTensor<U> &dst, F f, Operand<S>... src)
{
    (src.place(call, walk), ...);
    (core->read(call, src.name, src.start, src.span), ...);
    const uint32_t start = dst.reach(call, "dst", 0, (walk.total + 7) / 8);
    for (uint64_t n = 0; n < walk.total; n += 8) {
        uint8_t byte = 0;
        bool written = true;
        for (uint64_t i = n; i < n + 8 && i < walk.total; i++) {
            const uint64_t repeat = i / walk.lanes;
            const uint32_t lane = uint32_t(i % walk.lanes);
            if (!walk.dense && !walk.has(lane)) {
                written = false;
                continue;
            }
            written = written && (core->all_written(src.at(walk, repeat, lane, i), sizeof(S)) && ...);
            byte = uint8_t(byte | int(f(get<S>(src.at(walk, repeat, lane, i))...)) << i % 8);
        }
        put<uint8_t>(uint32_t(start + n / 8), byte);
        core->mark(uint32_t(start + n / 8), 1, written);
    }
}
template <class T> Walk compared(const char *call, uint32_t count)
{
    if (count * sizeof(T) % REPEAT != 0) {
        stop("%s: %u elements of %zu bytes; their bytes must be a multiple of 256: round the count up, into a tensor that is as large", call, count, sizeof(T));
    }
    return Walk::first(call, count);
}
/// dst = a where the bit is set, else b.
template <class T, class U, class... Other>
void choose(const Walk &walk, Operand<T> dst, const AscendC::LocalTensor<U> &mask, AscendC::SELMODE mode, T scalar, Operand<T> src0, Other... src1)
{
    const uint64_t whole = mode == AscendC::SELMODE::VSEL_CMPMASK_SPR ? REPEAT / sizeof(T) : walk.total;
    const uint32_t start = mask.reach("Select", "selMask", 0, (std::min(whole, walk.total) + 7) / 8);
    core->read("Select", "selMask", start, (std::min(whole, walk.total) + 7) / 8);
    dst.place("Select", walk), src0.place("Select", walk);
    (src1.place("Select", walk), ...);
    walk.each([&](uint64_t repeat, uint32_t lane, uint64_t n) {
        const uint32_t bit = uint32_t(n % whole), to = dst.at(walk, repeat, lane, n), a = src0.at(walk, repeat, lane, n);
        const bool is_set = (core->bytes[start + bit / 8] >> bit % 8 & 1) != 0;
        bool written = core->all_written(start + bit / 8, 1);
        T value = scalar;
        if (is_set) {
            value = get<T>(a), written &= core->all_written(a, sizeof(T));
        } else {
            ((value = get<T>(src1.at(walk, repeat, lane, n)), written &= core->all_written(src1.at(walk, repeat, lane, n), sizeof(T))), ...);
        }
        put<T>(to, value), core->mark(to, sizeof(T), written);
    });
}

} // namespace ascendcl

namespace AscendC {

template <class T, class U> void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE mode, uint32_t count)
{
    using W = ascendcl::Wide<T>;
    ascendcl::bits<T>("Compare", ascendcl::compared<T>("Compare", count), dst, [mode](W x, W y) { return ascendcl::compares(x, y, mode); },
                      ascendcl::operand(src0, "src0"), ascendcl::operand(src1, "src1"));
}
template <class T, class U, bool isSetMask = true>
void Compare(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const LocalTensor<T> &src1, CMPMODE mode, const ascendcl::Mask &mask, uint8_t repeatTime, const BinaryRepeatParams &p)
{
    using W = ascendcl::Wide<T>;
    ascendcl::bits<T>("Compare", ascendcl::Walk::repeats("Compare", mask, isSetMask, repeatTime, sizeof(T)), dst, [mode](W x, W y) { return ascendcl::compares(x, y, mode); },
                      ascendcl::operand(src0, "src0", p.src0BlkStride, p.src0RepStride), ascendcl::operand(src1, "src1", p.src1BlkStride, p.src1RepStride));
}
#define ASCENDCL_COMPARE(Name)                                                                                                   \
    template <class T, class U> void Name(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const ascendcl::Same<T> scalar, CMPMODE mode, uint32_t count) \
    {                                                                                                                            \
        using W = ascendcl::Wide<T>;                                                                                             \
        const W y = scalar;                                                                                                      \
        ascendcl::bits<T>(#Name, ascendcl::compared<T>(#Name, count), dst, [y, mode](W x) { return ascendcl::compares(x, y, mode); }, \
                          ascendcl::operand(src0, "src0"));                                                                      \
    }                                                                                                                            \
    template <class T, class U, bool isSetMask = true>                                                                           \
    void Name(const LocalTensor<U> &dst, const LocalTensor<T> &src0, const ascendcl::Same<T> scalar, CMPMODE mode, const ascendcl::Mask &mask, \
              uint8_t repeatTime, const UnaryRepeatParams &p)                                                                    \
    {                                                                                                                            \
        using W = ascendcl::Wide<T>;                                                                                             \
        const W y = scalar;                                                                                                      \
        ascendcl::bits<T>(#Name, ascendcl::Walk::repeats(#Name, mask, isSetMask, repeatTime, sizeof(T)), dst, [y, mode](W x) { return ascendcl::compares(x, y, mode); }, \
                          ascendcl::operand(src0, "src0", p.srcBlkStride, p.srcRepStride));                                      \
    }
ASCENDCL_COMPARE(CompareScalar)
ASCENDCL_COMPARE(Compares)
#undef ASCENDCL_COMPARE

template <class T, class U>
void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, const LocalTensor<T> &src1, SELMODE mode, uint32_t count)
{
    ascendcl::choose<T>(ascendcl::counted<T>("Select", count), ascendcl::operand(dst, "dst"), selMask, mode, T(0), ascendcl::operand(src0, "src0"),
                        ascendcl::operand(src1, "src1"));
}
template <class T, class U>
void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, const ascendcl::Same<T> src1, SELMODE mode, uint32_t count)
{
    ascendcl::choose<T>(ascendcl::counted<T>("Select", count), ascendcl::operand(dst, "dst"), selMask, mode, T(src1), ascendcl::operand(src0, "src0"));
}
template <class T, class U, bool isSetMask = true>
void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, const LocalTensor<T> &src1, SELMODE mode, const ascendcl::Mask &mask,
            uint8_t repeatTime, const BinaryRepeatParams &p)
{
    ascendcl::choose<T>(ascendcl::Walk::repeats("Select", mask, isSetMask, repeatTime, sizeof(T)), ascendcl::operand(dst, "dst", p.dstBlkStride, p.dstRepStride),
                        selMask, mode, T(0), ascendcl::operand(src0, "src0", p.src0BlkStride, p.src0RepStride),
                        ascendcl::operand(src1, "src1", p.src1BlkStride, p.src1RepStride));
}
template <class T, class U, bool isSetMask = true>
void Select(const LocalTensor<T> &dst, const LocalTensor<U> &selMask, const LocalTensor<T> &src0, const ascendcl::Same<T> src1, SELMODE mode, const ascendcl::Mask &mask,
            uint8_t repeatTime, const BinaryRepeatParams &p)
{
    ascendcl::choose<T>(ascendcl::Walk::repeats("Select", mask, isSetMask, repeatTime, sizeof(T)), ascendcl::operand(dst, "dst", p.dstBlkStride, p.dstRepStride),
                        selMask, mode, T(src1), ascendcl::operand(src0, "src0", p.src0BlkStride, p.src0RepStride));
}

/// dst[i] = the element of src that begins at byte srcBaseAddr + srcOffset[i].
template <class T> void Gather(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint32_t> &srcOffset, uint32_t srcBaseAddr, uint32_t count)
{
    const auto walk = ascendcl::Walk::first("Gather", count);
    ascendcl::Operand<uint32_t> offsets = ascendcl::operand(srcOffset, "srcOffset");
    offsets.place("Gather", walk);
    ascendcl::core->use("Gather", "srcOffset", offsets.start, offsets.span);
    const uint32_t to = dst.reach("Gather", "dst", 0, count * sizeof(T));
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t offset = uint64_t(srcBaseAddr) + ascendcl::get<uint32_t>(offsets.start + i * 4);
        const uint32_t from = src.reach("Gather", "src", offset, sizeof(T), sizeof(T)), at = uint32_t(to + i * sizeof(T));
        ascendcl::put<T>(at, ascendcl::get<T>(from)), ascendcl::core->mark(at, sizeof(T), ascendcl::core->all_written(from, sizeof(T)));
    }
}

struct GatherMaskParams {
    uint8_t src0BlockStride = 1;
    uint16_t repeatTimes = 0, src0RepeatStride = 0;
    uint8_t src1RepeatStride = 0;
};

} // namespace AscendC
namespace ascendcl {
/// dst = the elements of src that `is_wanted`, one behind the other. Returns their number.
template <class T, class F>
uint64_t gathered(const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, bool counts, uint32_t mask, const AscendC::GatherMaskParams &p, F is_wanted)
{
    const uint32_t lanes = counts ? mask : uint32_t(REPEAT / sizeof(T));
    Operand<T> from = operand(src, "src0", p.src0BlockStride, p.src0RepeatStride);
    uint64_t number = 0;
    for (uint32_t repeat = 0; repeat < p.repeatTimes; repeat++) {
        for (uint32_t lane = 0; lane < lanes; lane++) {
            const uint32_t at = src.reach("GatherMask", "src0", from.offset(repeat, lane), sizeof(T), sizeof(T));
            if (is_wanted(repeat, lane)) {
                const uint32_t to = dst.reach("GatherMask", "dst", number++ * sizeof(T), sizeof(T), sizeof(T));
                put<T>(to, get<T>(at)), core->mark(to, sizeof(T), core->all_written(at, sizeof(T)));
            }
        }
    }
    return number;
}
} // namespace ascendcl
namespace AscendC {

/// Patterns: 1 and 2 take each first or second one of two, 3 to 6 one of four, 7 all.
template <class T>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, uint8_t src1Pattern, bool reduceMode, uint32_t mask, const GatherMaskParams &params, uint64_t &rsvdCnt)
{
    rsvdCnt = ascendcl::gathered(dst, src0, reduceMode, mask, params, [src1Pattern](uint32_t, uint32_t lane) {
        return src1Pattern == 7 || (src1Pattern <= 2 ? lane % 2 + 1u == src1Pattern : lane % 4 + 3u == src1Pattern);
    });
}
/// A pattern of one's own: a bit for each element.
template <class T, class U>
void GatherMask(const LocalTensor<T> &dst, const LocalTensor<T> &src0, const LocalTensor<U> &src1Pattern, bool reduceMode, uint32_t mask, const GatherMaskParams &params,
                uint64_t &rsvdCnt)
{
    rsvdCnt = ascendcl::gathered(dst, src0, reduceMode, mask, params, [&](uint32_t repeat, uint32_t lane) {
        const uint32_t at = src1Pattern.reach("GatherMask", "src1Pattern", uint64_t(repeat) * params.src1RepeatStride * ascendcl::BLOCK + lane / 8, 1, 1);
        ascendcl::core->use("GatherMask", "src1Pattern", at, 1);
        return (ascendcl::core->bytes[at] >> lane % 8 & 1) != 0;
    });
}

struct BrcbRepeatParams {
    uint16_t dstBlkStride = 1, dstRepStride = 8;
    BrcbRepeatParams(uint16_t dstBlkStride = 1, uint16_t dstRepStride = 8) : dstBlkStride(dstBlkStride), dstRepStride(dstRepStride) {}
};
/// Each repeat takes eight elements and fills a data block of 32 bytes with each.
template <class T> void Brcb(const LocalTensor<T> &dst, const LocalTensor<T> &src0, uint8_t repeatTime, const BrcbRepeatParams &params)
{
    for (uint32_t i = 0; i < repeatTime * 8u; i++) {
        const uint32_t from = src0.reach("Brcb", "src0", i * sizeof(T), sizeof(T), sizeof(T));
        const uint64_t block = uint64_t(i / 8) * params.dstRepStride + uint64_t(i % 8) * params.dstBlkStride;
        const uint32_t to = dst.reach("Brcb", "dst", block * ascendcl::BLOCK, ascendcl::BLOCK);
        for (uint32_t byte = 0; byte < ascendcl::BLOCK; byte += sizeof(T)) {
            ascendcl::put<T>(to + byte, ascendcl::get<T>(from));
        }
        ascendcl::core->mark(to, ascendcl::BLOCK, ascendcl::core->all_written(from, sizeof(T)));
    }
}

/// Repeats a column (AXIS 1) or a row (AXIS 0) to the shape of dst.
template <class T, int32_t DIM, int32_t AXIS, bool REUSE = false>
void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t (&dstShape)[DIM], const uint32_t (&srcShape)[DIM])
{
    const uint32_t columns = DIM == 1 ? dstShape[0] : dstShape[DIM - 1], rows = DIM == 1 ? 1 : dstShape[0];
    const bool one_row = DIM == 1 || srcShape[0] == 1, one_column = srcShape[DIM - 1] == 1;
    for (uint32_t i = 0; i < rows * columns; i++) {
        const uint64_t element = (one_row ? 0 : i / columns) * uint64_t(one_column ? 1 : columns) + (one_column ? 0 : i % columns);
        const uint32_t from = src.reach("Broadcast", "src", element * sizeof(T), sizeof(T), sizeof(T));
        const uint32_t to = dst.reach("Broadcast", "dst", i * uint64_t(sizeof(T)), sizeof(T), sizeof(T));
        ascendcl::put<T>(to, ascendcl::get<T>(from)), ascendcl::core->mark(to, sizeof(T), ascendcl::core->all_written(from, sizeof(T)));
    }
}
template <class T, int32_t DIM, int32_t AXIS, bool REUSE = false>
void Broadcast(const LocalTensor<T> &dst, const LocalTensor<T> &src, const uint32_t (&dstShape)[DIM], const uint32_t (&srcShape)[DIM], const LocalTensor<uint8_t> &)
{
    Broadcast<T, DIM, AXIS, REUSE>(dst, src, dstShape, srcShape);
}

/// The older spelling.
template <class T, int32_t DIM, int32_t AXIS, bool REUSE = false, class... A> void BroadCast(const A &...arguments) { Broadcast<T, DIM, AXIS, REUSE>(arguments...); }

} // namespace AscendC
#pragma GCC visibility pop
#endif
