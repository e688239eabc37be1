// Which block this is, the order of pipelines and blocks, texts for people, and the parameters of a launch.
#ifndef ASCENDCL_CONTROL_H
#define ASCENDCL_CONTROL_H

#include <ctime>
#include <string>

#include "queue.h"

#define block_idx (::ascendcl::current->index)
#define block_num (::ascendcl::current->count)

#pragma GCC visibility push(hidden)

inline int64_t get_block_idx() { return block_idx; }
inline int64_t get_block_num() { return block_num; }
inline int64_t get_subblockid() { return 0; }
inline int64_t get_subblockdim() { return 1; }

enum event_t { EVENT_ID0, EVENT_ID1, EVENT_ID2, EVENT_ID3, EVENT_ID4, EVENT_ID5, EVENT_ID6, EVENT_ID7 };

namespace ascendcl {

template <class Id> uint8_t &flag(const char *call, pipe_t from, pipe_t to, Id id)
{
    if (int64_t(id) < 0 || int64_t(id) >= int64_t(EVENTS)) {
        stop("%s: event id %lld; there are EVENT_ID0 to EVENT_ID7", call, (long long)id);
    }
    return core->flags[from][to][size_t(id)];
}
template <class Id> void set(pipe_t from, pipe_t to, Id id) { flag("SetFlag", from, to, id)++; }
template <class Id> void wait(pipe_t from, pipe_t to, Id id)
{
    uint8_t &set = flag("WaitFlag", from, to, id);
    if (set == 0) {
        stop("WaitFlag for EVENT_ID%d, which no SetFlag of the same event has set: a card would wait for ever", int(id));
    }
    set--;
}

} // namespace ascendcl

template <class Id> void set_flag(pipe_t from, pipe_t to, Id id) { ascendcl::set(from, to, id); }
template <class Id> void wait_flag(pipe_t from, pipe_t to, Id id) { ascendcl::wait(from, to, id); }
inline void pipe_barrier(pipe_t) {}

// Caches: this machine keeps its own in order.
enum class cache_line_t { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class dcci_dst_t { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
constexpr auto SINGLE_CACHE_LINE = cache_line_t::SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE = cache_line_t::ENTIRE_DATA_CACHE;
constexpr auto CACHELINE_OUT = dcci_dst_t::CACHELINE_OUT;
template <class... Any> void dcci(Any...) {}
template <class... Any> void dsb(Any...) {}

[[noreturn]] inline void trap() { ascendcl::stop("trap: the kernel ended itself"); }

namespace AscendC {

constexpr int AIC = 1, AIV = 2, MIX = 3;
constexpr int g_coreType = AIV;

inline int64_t GetBlockIdx() { return block_idx; }
inline int64_t GetBlockNum() { return block_num; }
inline int64_t GetSubBlockIdx() { return 0; }
inline int64_t GetSubBlockNum() { return 1; }
inline int64_t GetTaskRation() { return 1; }
inline uint32_t GetUBSizeInBytes() { return ascendcl::UNIFIED_BUFFER; }
constexpr uint32_t GetDataBlockSizeInBytes() { return ascendcl::BLOCK; }
constexpr uint32_t GetVecLen() { return ascendcl::REPEAT; }
inline void InitSocState() {}
/// Nanoseconds, where a card counts cycles.
inline int64_t GetSystemCycle()
{
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
}
inline void Trap() { trap(); }

// ---- Events between pipelines ----

using TEventID = int8_t;
#define ASCENDCL_EVENTS(E) \
    E(MTE2, V) E(V, MTE2) E(MTE3, V) E(V, MTE3) E(V, V) E(MTE2, MTE3) E(MTE3, MTE2) E(MTE2, S) E(S, MTE2) E(MTE3, S) E(S, MTE3) E(V, S) E(S, V) \
    E(MTE2, MTE1) E(MTE1, MTE2) E(MTE1, M) E(M, MTE1) E(M, V) E(V, M) E(M, S) E(S, M) E(MTE1, V) E(V, MTE1) E(MTE3, MTE1) E(MTE1, MTE3) \
    E(M, FIX) E(FIX, M) E(MTE1, FIX) E(FIX, MTE1) E(FIX, MTE3) E(FIX, MTE2) E(FIX, S) E(M, MTE2) E(MTE2, M) E(MTE2, FIX)
enum class HardEvent : uint8_t {
#define ASCENDCL_NAME(from, to) from##_##to,
    ASCENDCL_EVENTS(ASCENDCL_NAME)
#undef ASCENDCL_NAME
};

} // namespace AscendC

namespace ascendcl {
struct Pair {
    pipe_t from, to;
};
constexpr Pair PAIRS[] = {
#define ASCENDCL_PAIR(from, to) {PIPE_##from, PIPE_##to},
    ASCENDCL_EVENTS(ASCENDCL_PAIR)
#undef ASCENDCL_PAIR
};
constexpr Pair pair(AscendC::HardEvent event) { return PAIRS[size_t(event)]; }

/// The lowest event id that AllocEventID has not given out.
inline int8_t free_event(AscendC::HardEvent event, bool takes)
{
    uint8_t &taken = core->taken[pair(event).from][pair(event).to];
    for (uint32_t id = 0; id < EVENTS; id++) {
        if ((taken >> id & 1) == 0) {
            taken = uint8_t(taken | int(takes) << id);
            return int8_t(id);
        }
    }
    stop("AllocEventID: all %u ids of the event are given out: ReleaseEventID one", EVENTS);
}
} // namespace ascendcl

namespace AscendC {

template <HardEvent EVENT, class Id> void SetFlag(Id id) { ascendcl::set(ascendcl::pair(EVENT).from, ascendcl::pair(EVENT).to, id); }
template <HardEvent EVENT, class Id> void WaitFlag(Id id) { ascendcl::wait(ascendcl::pair(EVENT).from, ascendcl::pair(EVENT).to, id); }
template <pipe_t PIPE> void PipeBarrier() {}
template <auto... ANY> void DataSyncBarrier() {}
template <class Event> int8_t TPipe::FetchEventID(Event event) { return ascendcl::free_event(event, false); }
template <auto EVENT> int8_t TPipe::FetchEventID() { return ascendcl::free_event(EVENT, false); }
template <auto EVENT> int8_t TPipe::AllocEventID() { return ascendcl::free_event(EVENT, true); }
template <auto EVENT, class Id> void TPipe::ReleaseEventID(Id id)
{
    uint8_t &taken = ascendcl::core->taken[ascendcl::pair(EVENT).from][ascendcl::pair(EVENT).to];
    taken = uint8_t(taken & ~(1u << id));
}

enum class CacheLine { SINGLE_CACHE_LINE, ENTIRE_DATA_CACHE };
enum class DcciDst { CACHELINE_ALL, CACHELINE_UB, CACHELINE_OUT, CACHELINE_ATOMIC };
template <class T, CacheLine LINE, DcciDst DST = DcciDst::CACHELINE_ALL> void DataCacheCleanAndInvalid(const GlobalTensor<T> &) {}
template <class T, CacheLine LINE, DcciDst DST = DcciDst::CACHELINE_ALL> void DataCacheCleanAndInvalid(const LocalTensor<T> &) {}
template <class T> void DataCachePreload(const GlobalTensor<uint64_t> &, T) {}

/// Waits for all blocks. A launch has to promise that all run at once: schedule mode batch.
template <bool ONLY_VECTOR = true> void SyncAll()
{
    if (ascendcl::current->sync(ascendcl::current->block) != 0) {
        throw ascendcl::Stop{""};
    }
}
/// The same, which on a card counts in memory.
template <bool ONLY_VECTOR = true> void SyncAll(const GlobalTensor<int32_t> &, const LocalTensor<int32_t> &, int32_t = 0) { SyncAll<>(); }

} // namespace AscendC

// ---- Texts ----

namespace ascendcl {

/// A value as `printf` takes it.
template <class T> auto printed(const T &value)
{
    if constexpr (is_narrow<T>) {
        return double(float(value));
    } else {
        return value;
    }
}
template <class Tensor, class T> auto printed(const Element<Tensor, T> &value) { return printed(T(value)); }

inline void print_text(const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    std::string text(size_t(std::max(vsnprintf(nullptr, 0, format, list), 0)) + 1, '\0');
    vsnprintf(text.data(), text.size(), format, again);
    va_end(again);
    va_end(list);
    current->print(current->block, text.c_str());
}

} // namespace ascendcl

namespace AscendC {
// A macro, since a plain `printf` behind `using namespace AscendC` would go past the emulator.
#define printf(...) ascendcl_printf(__VA_ARGS__)
#define PRINTF(...) ascendcl_printf(__VA_ARGS__)
template <class... A> int ascendcl_printf(const char *format, const A &...values) { return ascendcl::print_text(format, ascendcl::printed(values)...), 0; }

template <class Tensor> void DumpTensor(const Tensor &tensor, uint32_t description, uint32_t elements)
{
    std::string text = "DumpTensor: desc=" + std::to_string(description) + ", block " + std::to_string(block_idx) + ", " + std::to_string(elements) + " elements: [";
    for (uint32_t i = 0; i < elements; i++) {
        text += (i == 0 ? "" : ", ") + std::to_string(ascendcl::printed(tensor.GetValue(i)));
    }
    ascendcl::print_text("%s]\n", text.c_str());
}
} // namespace AscendC
using AscendC::ascendcl_printf;

#undef assert
#define assert(condition, ...) ((condition) ? (void)0 : ::ascendcl::stop("%s:%d: assert(%s) does not hold", __FILE__, __LINE__, #condition))
#define ascendc_assert(condition, ...) assert(condition)
#define ASSERT(condition) assert(condition)
#define ASSERT_MSG(condition, ...) assert(condition)
#define ASCENDC_ASSERT(condition, behaviour) assert(condition)
#define KERNEL_LOG(level, ...) static_assert(true)

// ---- Parameters of operators ----
//
// The toolchain writes a structure from the host's description of an operator. Here the source says which one it is, by
// REGISTER_TILING_DEFAULT(Structure) or GET_TILING_DATA_WITH_STRUCT, or else the command line: -DASCENDCL_TILING=Structure;
// register/tilingdata_base.h makes structures of the host's description.

#ifdef ASCENDCL_TILING
using ascendcl_tiling_of_REGISTER_TILING_DEFAULT = ASCENDCL_TILING;
#else
struct ascendcl_tiling_of_REGISTER_TILING_DEFAULT {};
#endif

namespace ascendcl {
template <class T> T tiling(const void *from)
{
    static_assert(!std::is_empty_v<T>, "GET_TILING_DATA of ascendcl does not know the structure: write REGISTER_TILING_DEFAULT(Structure) in front, "
                                       "or give the compiler -include <its header> -DASCENDCL_TILING=Structure");
    touch(from, sizeof(T), READS);
    return load<T>(static_cast<const unsigned char *>(from));
}
} // namespace ascendcl

#define REGISTER_TILING_DEFAULT(Structure) using ascendcl_tiling_of_REGISTER_TILING_DEFAULT [[maybe_unused]] = Structure
#define REGISTER_TILING_FOR_TILINGKEY(...) static_assert(true)
#define GET_TILING_DATA(name, pointer) GET_TILING_DATA_WITH_STRUCT(ascendcl_tiling_of_REGISTER_TILING_DEFAULT, name, pointer)
#define GET_TILING_DATA_WITH_STRUCT(Structure, name, pointer) const Structure name = ::ascendcl::tiling<Structure>(pointer)
#define GET_TILING_DATA_MEMBER(Structure, member, name, pointer) const auto name = ::ascendcl::tiling<Structure>(pointer).member
/// The kind of the launch, which the host chooses: -DASCENDCL_TILING_KEY=<number>.
#ifndef ASCENDCL_TILING_KEY
#define ASCENDCL_TILING_KEY 0
#endif
#define TILING_KEY_IS(key) ((key) == ASCENDCL_TILING_KEY)

namespace AscendC {
template <class Pointer> Pointer GetUserWorkspace(Pointer workspace) { return workspace; }
template <class Pointer> void SetSysWorkspace(Pointer) {}
template <class Pointer> Pointer GetSysWorkSpacePtr() { return nullptr; }
} // namespace AscendC

#pragma GCC visibility pop
#endif
