// TPipe gives out the unified buffer; TQue passes its buffers from one step to the next; TBuf is one for intermediate results.
#ifndef ASCENDCL_QUEUE_H
#define ASCENDCL_QUEUE_H

#include "tensor.h"

#pragma GCC visibility push(hidden)
namespace AscendC {

class TPipe;

/// A queue of tensors. A card waits where this one would be empty or full; here that is a text, since nothing else runs.
template <TPosition FROM, TPosition TO, int32_t DEPTH, auto MASK = 0> class TQueBind {
    static_assert(FROM == TPosition::GM || (FROM >= TPosition::VECIN && FROM <= TPosition::VECCALC),
                  "kernel_operator.h of ascendcl has vector cores only, so queues at VECIN, VECOUT and VECCALC, and no A1, B1, CO1 and others");
    uint32_t queue = 0;

    friend class TPipe;
    using Slot = ascendcl::Slot;

    template <class F> Slot *find(F is_wanted) const
    {
        Slot *found = nullptr;
        for (uint32_t i = 0; i < ascendcl::core->slot_count && queue != 0; i++) {
            Slot &slot = ascendcl::core->slots[i];
            if (slot.queue == queue && is_wanted(slot) && (found == nullptr || slot.order < found->order)) {
                found = &slot;
            }
        }
        return found;
    }
    int32_t number(Slot::State state) const
    {
        int32_t number = 0;
        find([&number, state](Slot &slot) { return number += slot.state == state, false; });
        return number;
    }
    static uint32_t index(const Slot *slot) { return uint32_t(slot - ascendcl::core->slots); }
    void is_made(const char *call) const
    {
        if (find([](Slot &) { return true; }) == nullptr) {
            ascendcl::stop("%s of a queue without buffers: InitBuffer comes first", call);
        }
    }
    template <class T> Slot &own(const char *call, const LocalTensor<T> &tensor) const
    {
        is_made(call);
        tensor.reach(call, "the tensor", 0, 0);
        if (tensor.Slot() == ascendcl::NO_SLOT || ascendcl::core->slots[tensor.Slot()].queue != queue) {
            ascendcl::stop("%s of a tensor of another queue: use the queue that it was allocated from", call);
        }
        return ascendcl::core->slots[tensor.Slot()];
    }

public:
    template <class T> LocalTensor<T> AllocTensor()
    {
        is_made("AllocTensor");
        Slot *slot = find([](Slot &slot) { return slot.state == Slot::FREE; });
        if (slot == nullptr) {
            ascendcl::stop("AllocTensor: all %d buffers of the queue are in use, and a card would wait for ever: FreeTensor one first, or give InitBuffer more",
                           number(Slot::ALLOCATED) + number(Slot::QUEUED) + number(Slot::TAKEN));
        }
        slot->state = Slot::ALLOCATED, slot->order = ++ascendcl::core->order;
        ascendcl::core->mark(slot->at, slot->bytes, false);
        return LocalTensor<T>(index(slot), 0, slot->bytes);
    }
    template <class T> void AllocTensor(LocalTensor<T> &tensor) { tensor = AllocTensor<T>(); }
    template <class T> bool EnQue(const LocalTensor<T> &tensor)
    {
        Slot &slot = own("EnQue", tensor);
        if (slot.state == Slot::QUEUED) {
            ascendcl::stop("EnQue of a tensor that is in the queue: DeQue it first");
        }
        if (DEPTH > 0 && number(Slot::QUEUED) >= DEPTH) {
            ascendcl::stop("EnQue: the queue has depth %d and is full: DeQue first, or declare it deeper", DEPTH);
        }
        slot.state = Slot::QUEUED, slot.order = ++ascendcl::core->order;
        return true;
    }
    template <TPosition, TPosition, class T> bool EnQue(const LocalTensor<T> &tensor) { return EnQue(tensor); }
    template <class T> LocalTensor<T> DeQue()
    {
        is_made("DeQue");
        Slot *slot = find([](Slot &slot) { return slot.state == Slot::QUEUED; });
        if (slot == nullptr) {
            ascendcl::stop("DeQue of an empty queue, where a card would wait for ever: EnQue comes first");
        }
        slot->state = Slot::TAKEN;
        return LocalTensor<T>(index(slot), 0, slot->bytes);
    }
    template <TPosition, TPosition, class T> LocalTensor<T> DeQue() { return DeQue<T>(); }
    template <class T> void DeQue(LocalTensor<T> &tensor) { tensor = DeQue<T>(); }
    template <class T> void FreeTensor(const LocalTensor<T> &tensor)
    {
        Slot &slot = own("FreeTensor", tensor);
        if (slot.state == Slot::QUEUED || slot.state == Slot::FREE) {
            ascendcl::stop("FreeTensor of a tensor that is %s", slot.state == Slot::FREE ? "free" : "in the queue: DeQue it first");
        }
        slot.state = Slot::FREE, slot.generation++;
    }
    void FreeAllEvent() {}
    bool VacantInQue() const { return number(Slot::QUEUED) < std::max(DEPTH, 1); }
    bool HasTensorInQue() const { return number(Slot::QUEUED) != 0; }
    int32_t GetTensorCountInQue() const { return number(Slot::QUEUED); }
    bool HasIdleBuffer() const { return number(Slot::FREE) != 0; }
};

template <TPosition POSITION, int32_t DEPTH, auto MASK = 0> class TQue : public TQueBind<POSITION, POSITION, DEPTH, MASK> {};

/// A buffer that is always there.
template <TPosition POSITION = TPosition::LCM> class TBuf {
    uint32_t slot = ascendcl::NO_SLOT;

    friend class TPipe;

public:
    template <class T> LocalTensor<T> GetWithOffset(uint32_t elements, uint32_t from) const
    {
        if (slot == ascendcl::NO_SLOT || slot >= ascendcl::core->slot_count) {
            ascendcl::stop("Get of a TBuf without memory: InitBuffer comes first");
        }
        const uint64_t needed = from + uint64_t(elements) * sizeof(T);
        if (needed > ascendcl::core->slots[slot].bytes) {
            ascendcl::stop("Get: %u elements need %llu bytes, and InitBuffer gave %u", elements, (unsigned long long)needed, ascendcl::core->slots[slot].bytes);
        }
        return LocalTensor<T>(slot, from, uint32_t(elements * sizeof(T)));
    }
    template <class T> LocalTensor<T> Get(uint32_t elements) const { return GetWithOffset<T>(elements, 0); }
    template <class T> LocalTensor<T> Get() const
    {
        return Get<T>(slot < ascendcl::core->slot_count ? uint32_t(ascendcl::core->slots[slot].bytes / sizeof(T)) : 0);
    }
    template <class T> LocalTensor<T> AllocTensor() const { return Get<T>(); }
    template <class T> void FreeTensor(const LocalTensor<T> &) const {}
    template <class T> bool EnQue(const LocalTensor<T> &) const { return true; }
    template <class T> LocalTensor<T> DeQue() const { return Get<T>(); }
};

/// Gives out the unified buffer, from its start on.
class TPipe {
public:
    TPipe() { Init(); }
    ~TPipe()
    {
        if (ascendcl::core->pipe == this) {
            ascendcl::core->pipe = nullptr;
        }
    }
    TPipe(const TPipe &) = delete;
    TPipe &operator=(const TPipe &) = delete;

    void Init()
    {
        if (ascendcl::core->pipe != nullptr && ascendcl::core->pipe != this) {
            ascendcl::stop("TPipe: another one lives, and both would give out the same memory: pass a pointer to the first one on");
        }
        Reset(), ascendcl::core->pipe = this;
    }
    void Reset() { ascendcl::core->release(); }
    void Destroy() { Reset(), ascendcl::core->pipe = nullptr; }

    template <TPosition FROM, TPosition TO, int32_t DEPTH, auto MASK>
    bool InitBuffer(TQueBind<FROM, TO, DEPTH, MASK> &queue, uint8_t number, uint32_t bytes)
    {
        is_some(number * bytes);
        queue.queue = ++ascendcl::core->queue_count;
        for (uint8_t i = 0; i < number; i++) {
            ascendcl::core->take(bytes, queue.queue);
        }
        return true;
    }
    template <TPosition POSITION> bool InitBuffer(TBuf<POSITION> &buffer, uint32_t bytes)
    {
        is_some(bytes);
        buffer.slot = uint32_t(&ascendcl::core->take(bytes, 0) - ascendcl::core->slots);
        return true;
    }
    template <TPosition POSITION> bool InitBuffer(TBuf<POSITION> &buffer, uint8_t, uint32_t bytes) { return InitBuffer(buffer, bytes); }

private:
    static void is_some(uint32_t bytes)
    {
        if (bytes == 0) {
            ascendcl::stop("InitBuffer of 0 bytes: is the tile empty, or an argument of the launch 0?");
        }
    }
    // Events, in control.h.
public:
    template <class Event> int8_t FetchEventID(Event event);
    template <auto EVENT> int8_t FetchEventID();
    template <auto EVENT> int8_t AllocEventID();
    template <auto EVENT, class Id> void ReleaseEventID(Id id);
};

inline TPipe *GetTPipePtr() { return static_cast<TPipe *>(ascendcl::core->pipe); }

enum class Hardware { GM, UB, L1, L0A, L0B, L0C, BIAS, FIXBUF };

/// Gives out the unified buffer without queues.
template <Hardware HARDWARE = Hardware::UB> class LocalMemAllocator {
    static_assert(HARDWARE == Hardware::UB, "kernel_operator.h of ascendcl has vector cores only: LocalMemAllocator<Hardware::UB>");
    uint32_t next = 0;

public:
    uint32_t GetCurAddr() const { return next; }
    template <class T> LocalTensor<T> Alloc(uint32_t elements)
    {
        LocalTensor<T> tensor(TPosition::VECCALC, next, elements);
        next += uint32_t(ascendcl::rounded(uint64_t(elements) * sizeof(T)));
        return tensor;
    }
    template <class T, uint32_t ELEMENTS> LocalTensor<T> Alloc() { return Alloc<T>(ELEMENTS); }
    template <TPosition, class T> LocalTensor<T> Alloc(uint32_t elements) { return Alloc<T>(elements); }
    template <TPosition, class T, uint32_t ELEMENTS> LocalTensor<T> Alloc() { return Alloc<T>(ELEMENTS); }
};

} // namespace AscendC
#pragma GCC visibility pop
#endif
