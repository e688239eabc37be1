// Tensors: a GlobalTensor is a pointer with a length, a LocalTensor a part of the unified buffer.
#ifndef ASCENDCL_TENSOR_H
#define ASCENDCL_TENSOR_H

#include "core.h"

#pragma GCC visibility push(hidden)
namespace AscendC {

enum class TPosition : uint8_t { GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, LCM = VECCALC, SPM, SHM = SPM, TSCM, C2PIPE2GM, MAX };
using QuePosition = TPosition;
enum class CacheMode { CACHE_MODE_DISABLE, CACHE_MODE_NORMAL, CACHE_MODE_LAST, CACHE_MODE_PERSISTENT };
enum class CacheRwMode { READ = 1, WRITE = 2, RW = 3 };

} // namespace AscendC

namespace ascendcl {

/// An element of a tensor: reading and writing it are `GetValue` and `SetValue`.
template <class Tensor, class T> class Element {
    Tensor tensor;
    uint64_t at;

public:
    Element(const Tensor &tensor, uint64_t at) : tensor(tensor), at(at) {}
    operator T() const { return tensor.GetValue(at); }
    const Element &operator=(T value) const { return tensor.SetValue(at, value), *this; }
    const Element &operator=(const Element &other) const { return *this = T(other); }
    Element(const Element &) = default;
    template <class N> const Element &operator+=(N other) const { return *this = T(T(*this) + other); }
    template <class N> const Element &operator-=(N other) const { return *this = T(T(*this) - other); }
    template <class N> const Element &operator*=(N other) const { return *this = T(T(*this) * other); }
    template <class N> const Element &operator/=(N other) const { return *this = T(T(*this) / other); }
};

} // namespace ascendcl

namespace AscendC {

/// Global memory. Its length is what the kernel says it is, and serves `GetSize`; the emulator knows the true one.
template <class T> class GlobalTensor {
    T *first = nullptr;
    uint64_t size = 0;
    bool sized = false;

    template <class> friend class GlobalTensor;

public:
    using PrimType = T;

    void SetGlobalBuffer(T *pointer) { first = pointer, size = 0, sized = false; }
    void SetGlobalBuffer(T *pointer, uint64_t elements) { first = pointer, size = elements, sized = true; }
    T *GetPhyAddr() const { return first; }
    T *GetPhyAddr(uint64_t offset) const { return first + offset; }
    uint64_t GetSize() const { return size; }
    void SetL2CacheHint(CacheMode, CacheRwMode = CacheRwMode::RW) {}

    GlobalTensor operator[](uint64_t offset) const
    {
        GlobalTensor part = *this;
        part.first += offset, part.size = size < offset ? 0 : size - offset;
        return part;
    }
    ascendcl::Element<GlobalTensor, T> operator()(uint64_t at) const { return {*this, at}; }
    T GetValue(uint64_t at) const
    {
        (*this)[at].touch("GetValue", 0, sizeof(T), ascendcl::READS);
        return first[at];
    }
    void SetValue(uint64_t at, T value) const
    {
        (*this)[at].touch("SetValue", 0, sizeof(T), ascendcl::WRITES);
        first[at] = value;
    }
    template <class U> GlobalTensor<U> ReinterpretCast() const
    {
        GlobalTensor<U> other;
        other.first = reinterpret_cast<U *>(first), other.size = size * sizeof(T) / sizeof(U), other.sized = sized;
        return other;
    }

    /// Tells the emulator of an access: `size` bytes from byte `from` on.
    unsigned char *touch(const char *call, uint64_t from, uint64_t bytes, ascendcl::Access access) const
    {
        if (first == nullptr && bytes != 0) {
            ascendcl::stop("%s: a GlobalTensor without memory: SetGlobalBuffer comes first, and its pointer must not be null", call);
        }
        // A kernel may read some elements more than it has told, to fill a block, but not begin there.
        if (sized && bytes != 0 && from >= size * sizeof(T)) {
            ascendcl::stop("%s: begins beyond the elements that SetGlobalBuffer was told, of which %llu are left: count them in elements, from the pointer on",
                           call, (unsigned long long)size);
        }
        unsigned char *start = reinterpret_cast<unsigned char *>(first) + from;
        ascendcl::touch(start, bytes, access);
        return start;
    }
};

/// A part of the unified buffer.
template <class T> class LocalTensor {
    uint32_t at = 0, bytes = 0, slot = ascendcl::NO_SLOT, generation = 0, tag = 0;

    template <class> friend class LocalTensor;

public:
    using PrimType = T;

    LocalTensor() = default;
    /// A tensor at an address of one's own, without a TPipe.
    LocalTensor(TPosition, uint32_t address, uint32_t elements) : at(address), bytes(uint32_t(elements * sizeof(T)))
    {
        if (address + uint64_t(elements) * sizeof(T) > ascendcl::UNIFIED_BUFFER) {
            ascendcl::stop("LocalTensor: %u elements at %u are beyond the %u bytes of the unified buffer", elements, address, ascendcl::UNIFIED_BUFFER);
        }
    }
    LocalTensor(uint32_t slot, uint32_t from, uint32_t bytes)
        : at(ascendcl::core->slots[slot].at + from), bytes(bytes), slot(slot), generation(ascendcl::core->slots[slot].generation)
    {
    }

    uint32_t GetSize() const { return bytes / sizeof(T); }
    void SetSize(uint32_t elements) { bytes = uint32_t(elements * sizeof(T)); }
    uint32_t GetLength() const { return bytes; }
    void SetUserTag(uint32_t value) { tag = value; }
    uint32_t GetUserTag() const { return tag; }
    TPosition GetPosition() const { return TPosition::VECCALC; }
    uint32_t Slot() const { return slot; }

    LocalTensor operator[](uint32_t offset) const
    {
        LocalTensor part = *this;
        const uint64_t skipped = uint64_t(offset) * sizeof(T);
        part.at = uint32_t(std::min<uint64_t>(at + skipped, ascendcl::UNIFIED_BUFFER)), part.bytes = uint32_t(bytes - std::min<uint64_t>(bytes, skipped));
        return part;
    }
    ascendcl::Element<LocalTensor, T> operator()(uint32_t offset) const { return {*this, offset}; }
    T GetValue(uint32_t offset) const
    {
        T value;
        const uint32_t from = reach("GetValue", "the tensor", uint64_t(offset) * sizeof(T), sizeof(T), sizeof(T));
        ascendcl::core->use("GetValue", "the element", from, sizeof(T));
        memcpy(&value, ascendcl::core->bytes + from, sizeof(T));
        return value;
    }
    void SetValue(uint32_t offset, T value) const
    {
        const uint32_t from = reach("SetValue", "the tensor", uint64_t(offset) * sizeof(T), sizeof(T), sizeof(T));
        memcpy(ascendcl::core->bytes + from, &value, sizeof(T));
        ascendcl::core->mark(from, sizeof(T));
    }
    template <class U> LocalTensor<U> ReinterpretCast() const
    {
        LocalTensor<U> other;
        other.at = at, other.bytes = bytes, other.slot = slot, other.generation = generation, other.tag = tag;
        return other;
    }
    /// A plain pointer: what it reads and writes is not seen, so all of the tensor counts as written.
    __ubuf__ T *GetPhyAddr() const { return GetPhyAddr(0); }
    __ubuf__ T *GetPhyAddr(uint32_t offset) const
    {
        const uint32_t from = reach("GetPhyAddr", "the tensor", uint64_t(offset) * sizeof(T), 0, 1);
        ascendcl::core->mark(at, bytes);
        return reinterpret_cast<T *>(ascendcl::core->bytes + from);
    }

    /// Checks that an operand lies within the tensor, `from` bytes behind its start. Returns its place in the unified buffer.
    uint32_t reach(const char *call, const char *operand, uint64_t from, uint64_t size, uint32_t alignment = ascendcl::BLOCK) const
    {
        using ascendcl::stop;
        if (bytes == 0 && slot == ascendcl::NO_SLOT) {
            stop("%s: %s is an empty LocalTensor: take it from AllocTensor, DeQue or Get", call, operand);
        }
        if (slot != ascendcl::NO_SLOT && (slot >= ascendcl::core->slot_count || generation != ascendcl::core->slots[slot].generation)) {
            stop("%s: %s was freed: FreeTensor comes behind the last use", call, operand);
        }
        if (from + size > bytes || at + from + size > ascendcl::UNIFIED_BUFFER) {
            stop("%s: %s needs %llu bytes, and its tensor has %u: a larger InitBuffer, or a smaller count",
                 call, operand, (unsigned long long)(from + size), bytes);
        }
        if ((at + from) % alignment != 0 && size != 0) {
            stop("%s: %s begins at byte %llu of the unified buffer, and must at a multiple of %u: begin %s at a multiple of %zu elements",
                 call, operand, (unsigned long long)(at + from), alignment, operand, alignment / sizeof(T) == 0 ? size_t(1) : alignment / sizeof(T));
        }
        return uint32_t(at + from);
    }
};

} // namespace AscendC
#pragma GCC visibility pop
#endif
