// Reductions: of all elements, of each repeat, of each data block, of each pair. Sums are made of pairs, then of pairs of
// pairs, and so on, as on a card.
#ifndef ASCENDCL_REDUCE_H
#define ASCENDCL_REDUCE_H

#include "vector.h"

#pragma GCC visibility push(hidden)
namespace AscendC {
enum class ReduceOrder { ORDER_VALUE_INDEX, ORDER_INDEX_VALUE, ORDER_ONLY_VALUE, ORDER_ONLY_INDEX };
} // namespace AscendC

namespace ascendcl {

/// The sum of some numbers, whose place is used for partial sums.
template <class T> T sum(T *values, uint64_t number)
{
    for (; number > 1; number = (number + 1) / 2) {
        for (uint64_t i = 0; i < number; i += 2) {
            values[i / 2] = i + 1 < number ? T(plus<Wide<T>>(values[i], values[i + 1])) : values[i];
        }
    }
    return number == 0 ? T(0) : values[0];
}

/// A value and where it is.
template <class T> struct Found {
    T value;
    uint64_t at;
    bool any = false;

    template <class Better> void offer(T other, uint64_t n, Better is_better)
    {
        if (!any || is_better(Wide<T>(other), Wide<T>(value))) {
            *this = {other, n, true};
        }
    }
};
struct Larger {
    template <class T> bool operator()(T a, T b) const { return a > b; }
};
struct Smaller {
    template <class T> bool operator()(T a, T b) const { return a < b; }
};

/// Writes an index with the bits of an unsigned number, as large as a T.
template <class T> void put_index(uint32_t at, uint64_t index) { memcpy(core->bytes + at, &index, sizeof(T)); }

/// Calls `f` with each repeat, its values and their lanes. All of them must have been written.
template <class T, class F> void repeats(const char *call, const Walk &walk, const AscendC::LocalTensor<T> &src, Stride stride, F f)
{
    Operand<T> from = operand(src, "src", stride.block, stride.repeat);
    from.place(call, walk);
    core->read(call, "src", from.start, from.span);
    T values[REPEAT];
    uint32_t lanes[REPEAT];
    const uint64_t number = walk.repeat_number();
    for (uint64_t repeat = 0; repeat < number; repeat++) {
        uint32_t size = 0;
        for (uint32_t lane = 0; lane < walk.lanes && repeat * walk.lanes + lane < walk.total; lane++) {
            if (walk.has(lane)) {
                const uint32_t at = uint32_t(from.start + from.offset(repeat, lane));
                core->use(call, "src", at, sizeof(T));
                values[size] = get<T>(at), lanes[size++] = lane;
            }
        }
        f(repeat, values, lanes, size);
    }
}

/// Writes results of a repeat from an element on.
template <class T> uint32_t result(const char *call, const AscendC::LocalTensor<T> &dst, uint64_t element, uint32_t elements)
{
    const uint32_t at = dst.reach(call, "dst", element * sizeof(T), elements * sizeof(T), sizeof(T));
    core->mark(at, elements * sizeof(T));
    return at;
}

template <class T> T sum_of_all(const char *call, const AscendC::LocalTensor<T> &src, const Walk &walk, uint32_t stride)
{
    T partial[UNIFIED_BUFFER / REPEAT];
    uint64_t number = 0;
    repeats(call, walk, src, {1, stride}, [&](uint64_t, T *values, const uint32_t *, uint32_t size) {
        if (number < std::size(partial)) {
            partial[number++] = sum(values, size);
        }
    });
    return sum(partial, number);
}
template <class T, class Better> Found<T> best_of_all(const char *call, const AscendC::LocalTensor<T> &src, const Walk &walk, uint32_t stride, Better better)
{
    Found<T> found = {};
    repeats(call, walk, src, {1, stride}, [&](uint64_t repeat, T *values, const uint32_t *lanes, uint32_t size) {
        for (uint32_t i = 0; i < size; i++) {
            found.offer(values[i], repeat * walk.lanes + lanes[i], better);
        }
    });
    return found;
}
template <class T> void write_found(const char *call, const AscendC::LocalTensor<T> &dst, const Found<T> &found, bool with_index)
{
    const uint32_t at = result(call, dst, 0, with_index ? 2 : 1);
    put<T>(at, found.value);
    if (with_index) {
        put_index<T>(uint32_t(at + sizeof(T)), found.at);
    }
}
/// The first elements, as repeats: a count is no mask here.
template <class T> Walk counted(const char *call, int64_t count)
{
    Walk walk = Walk::first(call, count);
    walk.lanes = walk.limit = uint32_t(REPEAT / sizeof(T)), walk.dense = false;
    return walk;
}

} // namespace ascendcl

namespace AscendC {

/// dst[0] = the sum. Memory for intermediate results is not used here.
template <class T, bool isSetMask = true> void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &, int32_t count)
{
    const T sum = ascendcl::sum_of_all("ReduceSum", src, ascendcl::counted<T>("ReduceSum", count), 8);
    ascendcl::put<T>(ascendcl::result("ReduceSum", dst, 0, 1), sum);
}
template <class T, bool isSetMask = true>
void ReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &, const ascendcl::Mask &mask, int32_t repeatTime, int32_t srcRepStride)
{
    const T sum = ascendcl::sum_of_all("ReduceSum", src, ascendcl::Walk::repeats("ReduceSum", mask, isSetMask, uint64_t(repeatTime), sizeof(T)), uint32_t(srcRepStride));
    ascendcl::put<T>(ascendcl::result("ReduceSum", dst, 0, 1), sum);
}

// ReduceMax: dst[0] = the value, dst[1] = where it is first, if asked for: the bits of an unsigned number.
// WholeReduceMax: the same for each repeat. BlockReduceMax: the value for each data block of 32 bytes.
#define ASCENDCL_BEST(Name, Better)                                                                                              \
    template <class T> void Reduce##Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &, int32_t count, bool calIndex = false) \
    {                                                                                                                            \
        const char *call = "Reduce" #Name;                                                                                       \
        ascendcl::write_found(call, dst, ascendcl::best_of_all(call, src, ascendcl::counted<T>(call, count), 8, Better{}), calIndex); \
    }                                                                                                                            \
    template <class T>                                                                                                           \
    void Reduce##Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<T> &, const ascendcl::Mask &mask,  \
                      int32_t repeatTime, int32_t srcRepStride, bool calIndex = false)                                           \
    {                                                                                                                            \
        const char *call = "Reduce" #Name;                                                                                       \
        const auto walk = ascendcl::Walk::repeats(call, mask, true, uint64_t(repeatTime), sizeof(T));                            \
        ascendcl::write_found(call, dst, ascendcl::best_of_all(call, src, walk, uint32_t(srcRepStride), Better{}), calIndex);    \
    }                                                                                                                            \
    template <class T, bool isSetMask = true>                                                                                    \
    void WholeReduce##Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, const ascendcl::Mask &mask, int32_t repeatTime, \
                           int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride, ReduceOrder order = ReduceOrder::ORDER_VALUE_INDEX) \
    {                                                                                                                            \
        const auto walk = ascendcl::Walk::repeats("WholeReduce" #Name, mask, isSetMask, uint64_t(repeatTime), sizeof(T));        \
        ascendcl::whole_best("WholeReduce" #Name, dst, src, walk, dstRepStride, {uint32_t(srcBlkStride), uint32_t(srcRepStride)}, order, Better{}); \
    }                                                                                                                            \
    template <class T, bool isSetMask = true>                                                                                    \
    void BlockReduce##Name(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeatTime, const ascendcl::Mask &mask, \
                           int32_t dstRepStride, int32_t srcBlkStride, int32_t srcRepStride)                                     \
    {                                                                                                                            \
        const auto walk = ascendcl::Walk::repeats("BlockReduce" #Name, mask, isSetMask, uint64_t(repeatTime), sizeof(T));        \
        ascendcl::groups("BlockReduce" #Name, dst, src, walk, uint32_t(ascendcl::BLOCK / sizeof(T)), dstRepStride,               \
                         {uint32_t(srcBlkStride), uint32_t(srcRepStride)}, [](const T *values, uint32_t size) {                  \
                             ascendcl::Found<T> found = {};                                                                      \
                             for (uint32_t i = 0; i < size; i++) {                                                               \
                                 found.offer(values[i], i, Better{});                                                            \
                             }                                                                                                   \
                             return found.value;                                                                                 \
                         });                                                                                                     \
    }

} // namespace AscendC
namespace ascendcl {

template <class T, class Better>
void whole_best(const char *call, const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, const Walk &walk, int32_t step, Stride stride,
                AscendC::ReduceOrder order, Better better)
{
    using Order = AscendC::ReduceOrder;
    const bool both = order == Order::ORDER_VALUE_INDEX || order == Order::ORDER_INDEX_VALUE;
    repeats(call, walk, src, stride, [&](uint64_t repeat, T *values, const uint32_t *lanes, uint32_t size) {
        Found<T> found = {};
        for (uint32_t i = 0; i < size; i++) {
            found.offer(values[i], lanes[i], better);
        }
        const uint32_t at = result(call, dst, repeat * uint64_t(step) * (both ? 2 : 1), both ? 2 : 1), next = uint32_t(at + sizeof(T));
        if (order != Order::ORDER_ONLY_INDEX) {
            put<T>(order == Order::ORDER_INDEX_VALUE ? next : at, found.value);
        }
        if (order != Order::ORDER_ONLY_VALUE) {
            put_index<T>(order == Order::ORDER_VALUE_INDEX ? next : at, found.at);
        }
    });
}

/// A result for each group of lanes of each repeat. `step` counts the results of a repeat.
template <class T, class F>
void groups(const char *call, const AscendC::LocalTensor<T> &dst, const AscendC::LocalTensor<T> &src, const Walk &walk, uint32_t group, int32_t step, Stride stride, F f)
{
    const uint32_t results = walk.lanes / group;
    repeats(call, walk, src, stride, [&](uint64_t repeat, T *values, const uint32_t *lanes, uint32_t size) {
        for (uint32_t from = 0, to = 0; from < size; from = to) {
            while (to < size && lanes[to] / group == lanes[from] / group) {
                to++;
            }
            put<T>(result(call, dst, repeat * uint64_t(step) * results + lanes[from] / group, 1), f(values + from, to - from));
        }
    });
}

} // namespace ascendcl
namespace AscendC {

ASCENDCL_BEST(Max, ascendcl::Larger)
ASCENDCL_BEST(Min, ascendcl::Smaller)
#undef ASCENDCL_BEST

/// The sum of each repeat; `dstRepStride` counts elements.
template <class T, bool isSetMask = true>
void WholeReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const ascendcl::Mask &mask, int32_t repeatTime, int32_t dstRepStride, int32_t srcBlkStride,
                    int32_t srcRepStride)
{
    const auto walk = ascendcl::Walk::repeats("WholeReduceSum", mask, isSetMask, uint64_t(repeatTime), sizeof(T));
    ascendcl::groups("WholeReduceSum", dst, src, walk, walk.lanes, dstRepStride, {uint32_t(srcBlkStride), uint32_t(srcRepStride)}, ascendcl::sum<T>);
}
template <class T, bool isSetMask = true>
void RepeatReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeatTime, const ascendcl::Mask &mask, int32_t, int32_t srcBlkStride,
                     int32_t dstRepStride, int32_t srcRepStride)
{
    WholeReduceSum<T, isSetMask>(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride);
}
template <class T, bool isSetMask = true>
void BlockReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeatTime, const ascendcl::Mask &mask, int32_t dstRepStride, int32_t srcBlkStride,
                    int32_t srcRepStride)
{
    const auto walk = ascendcl::Walk::repeats("BlockReduceSum", mask, isSetMask, uint64_t(repeatTime), sizeof(T));
    ascendcl::groups("BlockReduceSum", dst, src, walk, uint32_t(ascendcl::BLOCK / sizeof(T)), dstRepStride, {uint32_t(srcBlkStride), uint32_t(srcRepStride)}, ascendcl::sum<T>);
}
template <class T, bool isSetMask = true>
void PairReduceSum(const LocalTensor<T> &dst, const LocalTensor<T> &src, int32_t repeatTime, const ascendcl::Mask &mask, int32_t dstRepStride, int32_t srcBlkStride,
                   int32_t srcRepStride)
{
    const auto walk = ascendcl::Walk::repeats("PairReduceSum", mask, isSetMask, uint64_t(repeatTime), sizeof(T));
    ascendcl::groups("PairReduceSum", dst, src, walk, 2, dstRepStride, {uint32_t(srcBlkStride), uint32_t(srcRepStride)}, ascendcl::sum<T>);
}

/// Rows of `inner` elements, of which `n` count.
struct SumParams {
    uint32_t outter = 1, inner = 0, n = 0;
};
/// dst[i] = the sum of row i.
template <class T, auto... Options> void Sum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const SumParams &params)
{
    for (uint32_t row = 0; row < params.outter; row++) {
        const T sum = ascendcl::sum_of_all("Sum", src[row * params.inner], ascendcl::counted<T>("Sum", params.n), 8);
        ascendcl::put<T>(ascendcl::result("Sum", dst, row, 1), sum);
    }
}
template <class T, auto... Options> void Sum(const LocalTensor<T> &dst, const LocalTensor<T> &src, const LocalTensor<uint8_t> &, const SumParams &params) { Sum(dst, src, params); }

} // namespace AscendC
#pragma GCC visibility pop
#endif
