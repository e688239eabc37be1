// One vector core: its unified buffer, and which bytes of it were written; the buffers of queues; masks, events and modes.
//
// A block stops, with the name of the call, the numbers and the remedy, where
//   - an operand reaches beyond its tensor, is not aligned, or belongs to a buffer that was freed;
//   - an instruction reads a tensor of which nothing was written. Where only some bytes are missing, as in the last tile of
//     many kernels, their results count as not written either, and the block stops where one of them is copied to global
//     memory, summed or otherwise made use of;
//   - a queue would wait for ever, or the unified buffer is too small;
//   - the kernel ends and has not freed its tensors.
#ifndef ASCENDCL_CORE_H
#define ASCENDCL_CORE_H

#include <memory>

#include "export.h"

#ifndef ASCENDCL_UNIFIED_BUFFER
#define ASCENDCL_UNIFIED_BUFFER (192 * 1024) // bytes; of the products 910B
#endif

/// Pipelines of a core.
enum pipe_t { PIPE_S, PIPE_V, PIPE_M, PIPE_MTE1, PIPE_MTE2, PIPE_MTE3, PIPE_FIX, PIPE_ALL };

#pragma GCC visibility push(hidden)
namespace ascendcl {

constexpr uint32_t UNIFIED_BUFFER = ASCENDCL_UNIFIED_BUFFER;
constexpr uint32_t BLOCK = 32;   // bytes of a data block
constexpr uint32_t REPEAT = 256; // bytes that an instruction takes at a time
constexpr uint32_t SLOTS = 64;   // buffers of a TPipe
constexpr uint32_t EVENTS = 8;   // ids of an event
constexpr uint32_t NO_SLOT = ~0u;

constexpr uint64_t rounded(uint64_t bytes) { return (bytes + BLOCK - 1) / BLOCK * BLOCK; }

/// A buffer of a queue or of a TBuf.
struct Slot {
    enum State { FREE, ALLOCATED, QUEUED, TAKEN } state;
    uint32_t at, bytes;
    uint32_t queue;      // which queue it is of
    uint32_t generation; // how often it was allocated: a tensor of an older one was freed
    uint64_t order;      // when it was put into the queue
};

enum class Atomic { NONE, ADD, MAX, MIN };

struct Core {
    alignas(REPEAT) unsigned char bytes[UNIFIED_BUFFER];
    uint64_t written[UNIFIED_BUFFER / 64]; // a bit for each byte

    uint32_t used;
    uint32_t slot_count, queue_count;
    uint64_t order;
    Slot slots[SLOTS];
    Slot left;  // one that was not freed
    void *pipe; // the TPipe that lives

    uint64_t mask[2];     // of SetVectorMask
    bool counts;          // the mask is a number of elements: SetMaskCount
    Atomic atomic;        // of SetAtomicAdd and others
    float scale;          // of SetDeqScale
    bool pads;            // whether SetPadValue was called
    uint64_t pad;
    uint8_t flags[PIPE_ALL][PIPE_ALL][EVENTS]; // set and not yet waited for
    uint8_t taken[PIPE_ALL][PIPE_ALL];         // ids that AllocEventID has given out, a bit each

    /// Calls `f` with each word of the bits of a range, and its mask.
    template <class F> void words(uint32_t at, uint64_t size, F f)
    {
        for (uint64_t end = at + size; at < end;) {
            const uint32_t from = at % 64, number = uint32_t(std::min<uint64_t>(64 - from, end - at));
            f(written[at / 64], (number == 64 ? ~0ull : (1ull << number) - 1) << from);
            at += number;
        }
    }
    void mark(uint32_t at, uint64_t size, bool value = true)
    {
        words(at, size, [value](uint64_t &word, uint64_t mask) { word = value ? word | mask : word & ~mask; });
    }
    bool all_written(uint32_t at, uint64_t size)
    {
        bool all = true;
        words(at, size, [&all](uint64_t word, uint64_t mask) { all &= (word & mask) == mask; });
        return all;
    }
    bool any_written(uint32_t at, uint64_t size)
    {
        bool any = size == 0;
        words(at, size, [&any](uint64_t word, uint64_t mask) { any |= (word & mask) != 0; });
        return any;
    }
    /// A range whose bytes are all used: they must have been written.
    void use(const char *call, const char *operand, uint32_t at, uint64_t size)
    {
        if (all_written(at, size)) {
            return;
        }
        uint64_t first = 0;
        while (all_written(uint32_t(at + first), 1)) {
            first++;
        }
        stop("%s: byte %llu of the %llu of %s was never written, or comes from bytes that were not: DataCopy or Duplicate the whole tensor, or use less of it",
             call, (unsigned long long)first, (unsigned long long)size, operand);
    }
    /// A range that an instruction works on element by element.
    void read(const char *call, const char *operand, uint32_t at, uint64_t size)
    {
        if (!any_written(at, size)) {
            stop("%s: nothing wrote %s, a LocalTensor: DataCopy or Duplicate it first", call, operand);
        }
    }
    Slot &take(uint64_t size, uint32_t queue)
    {
        if (used + rounded(size) > UNIFIED_BUFFER) {
            stop("InitBuffer: %llu bytes more, and %u of the %u bytes of the unified buffer are in use: take smaller tiles or fewer buffers",
                 (unsigned long long)size, used, UNIFIED_BUFFER);
        }
        if (slot_count == SLOTS) {
            stop("InitBuffer: a TPipe has %u buffers: join some", SLOTS);
        }
        Slot &slot = slots[slot_count++];
        slot = {Slot::FREE, used, uint32_t(rounded(size)), queue, 0, 0};
        memset(bytes + slot.at, 0xfd, slot.bytes);
        mark(slot.at, slot.bytes, false);
        used += slot.bytes;
        return slot;
    }
    /// Gives all buffers back. Remembers the first one that is not freed: this may be called in a destructor.
    void release()
    {
        for (uint32_t i = 0; i < slot_count && left.bytes == 0; i++) {
            left = slots[i].state == Slot::FREE ? left : slots[i];
        }
        used = slot_count = 0;
    }
};

inline thread_local Core *core = nullptr;

inline void begin()
{
    static thread_local const std::unique_ptr<Core> mine(new Core);
    core = mine.get();
    memset(static_cast<void *>(core->written), 0, sizeof(Core) - offsetof(Core, written));
    core->mask[0] = core->mask[1] = ~0ull, core->scale = 1;
}

inline void end()
{
    core->release();
    if (core->left.bytes != 0) {
        const bool is_queued = core->left.state == Slot::QUEUED;
        stop("the kernel ends or resets its TPipe, and a tensor of %u bytes is %s: %s", core->left.bytes, is_queued ? "in its queue" : "not freed",
             is_queued ? "DeQue and FreeTensor it" : "FreeTensor it after its last use");
    }
}

} // namespace ascendcl
#pragma GCC visibility pop
#endif
