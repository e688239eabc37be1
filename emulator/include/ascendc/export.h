// What the emulator and the shared object share, and how a kernel is called: with its arguments taken from their packed
// form, and such that no exception and no fault gets out.
#ifndef ASCENDCL_EXPORT_H
#define ASCENDCL_EXPORT_H

#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <dlfcn.h>
#include <exception>
#include <new>
#include <utility>

#include "words.h"

// Names of this header are the object's own: two objects that were built with two versions of it do not meet.
#pragma GCC visibility push(hidden)

extern "C" {
/// Given to `run`: which block runs, and what it may ask of the emulator.
struct ascendcl_block {
    uint32_t index, count;
    const void *block; // for the functions below
    /// Called before each access of the API to global memory. `write`: 0 reads, 1 writes, 2 adds (or takes the maximum or
    /// minimum) atomically, which reads and writes, and is no race with another one. Not 0: stop, the emulator has the text.
    int (*touch)(const void *block, const void *address, size_t bytes, int write);
    void (*print)(const void *block, const char *text);
    /// Waits for all blocks. Not 0: stop, the emulator has the text.
    int (*sync)(const void *block);
};
struct ascendcl_parameter {
    uint32_t offset, size, kind; // kind: 0 value, 1 pointer to const, 2 pointer
};
struct ascendcl_kernel {
    uint32_t version, count;
    const ascendcl_parameter *parameters;
    /// 0, or 1 with a text in `why`; the text is empty where the emulator has it.
    int (*run)(const ascendcl_block *, const void *arguments, char *why, size_t room);
};
}

namespace ascendcl {

/// A block that stops, with its reason.
struct Stop {
    char text[400];
};
/// The reason again, for a stop in a destructor, which ends in `abort`.
inline thread_local Stop stopped;

[[noreturn]] __attribute__((format(printf, 1, 2))) inline void stop(const char *format, ...)
{
    Stop one;
    va_list list;
    va_start(list, format);
    vsnprintf(one.text, sizeof one.text, format, list);
    va_end(list);
    stopped = one;
    throw one;
}

/// The block that this thread runs.
inline thread_local const ascendcl_block *current = nullptr;

enum Access { READS, WRITES, ADDS };

inline void touch(const void *address, size_t bytes, Access access)
{
    if (bytes != 0 && current->touch(current->block, address, bytes, access) != 0) {
        throw Stop{""};
    }
}

// ---- Faults ----
//
// A signal that the kernel causes on its own thread ends the block. The handlers stay installed; signals of other threads
// go to those that were there before. What a fault leaves behind: objects of the kernel's own whose destructors would have
// run (memory of a `std::vector`, a lock). The tensors and queues of this header own nothing.

struct Fault {
    sigjmp_buf back;
    int signal, code;
    void *address;
};
inline thread_local Fault *fault = nullptr;

constexpr int SIGNALS[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
inline struct sigaction before[std::size(SIGNALS)];

inline void on_signal(int signal, siginfo_t *info, void *context)
{
    if (fault != nullptr && (info->si_code > 0 || signal == SIGABRT)) { // of this thread's own doing
        fault->signal = signal, fault->code = info->si_code, fault->address = info->si_addr;
        siglongjmp(fault->back, 1);
    }
    struct sigaction next = {};
    for (size_t i = 0; i < std::size(SIGNALS); i++) {
        next = SIGNALS[i] == signal ? before[i] : next;
    }
    if ((next.sa_flags & SA_SIGINFO) != 0) {
        next.sa_sigaction(signal, info, context);
    } else if (next.sa_handler != SIG_DFL && next.sa_handler != SIG_IGN) {
        next.sa_handler(signal);
    } else {
        sigaction(signal, &next, nullptr); // the instruction runs again, and ends the process as it would have
    }
}

inline bool install()
{
    // The handlers must outlive the object: it is never unloaded once a kernel of it has run.
    Dl_info self;
    if (dladdr(reinterpret_cast<const void *>(&on_signal), &self) != 0) {
        dlopen(self.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    }
    struct sigaction action = {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK; // a Rust thread has a second stack, so a full one is reported too
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < std::size(SIGNALS); i++) {
        sigaction(SIGNALS[i], &action, &before[i]);
    }
    return true;
}

inline void describe(const Fault &fault, char *why, size_t room)
{
    const char *name = "SIGSEGV", *hint = "a plain __gm__ pointer beyond its buffer, an address of the host, or a full stack";
    if (fault.signal == SIGFPE) {
        name = "SIGFPE", hint = fault.code == FPE_INTDIV ? "division of an integer by 0" : "arithmetic of integers";
    } else if (fault.signal == SIGILL) {
        name = "SIGILL", hint = "an instruction that this machine lacks, or the end of a function that returns nothing";
    } else if (fault.signal == SIGABRT) {
        name = "SIGABRT", hint = stopped.text[0] != '\0' ? stopped.text : "abort, a failed assert of the C library, or an exception in a destructor";
    } else if (reinterpret_cast<uintptr_t>(fault.address) < 4096) {
        hint = "a null pointer; is an argument of the launch null, or SetGlobalBuffer missing?";
    } else if (fault.signal == SIGBUS) {
        name = "SIGBUS";
    }
    if (fault.signal == SIGSEGV || fault.signal == SIGBUS) {
        snprintf(why, room, "%s at address %#llx: %s", name, (unsigned long long)reinterpret_cast<uintptr_t>(fault.address), hint);
    } else {
        snprintf(why, room, "%s: %s", name, hint);
    }
}

// ---- The call ----

void begin(); // of core.h: empties the core before a block,
void end();   // and looks at what the block has left

/// Calls the kernel. False: it faulted.
__attribute__((noinline)) inline bool attempt(Fault &one, void (*call)(const unsigned char *), const unsigned char *arguments)
{
    if (sigsetjmp(one.back, 1) != 0) {
        return false;
    }
    fault = &one;
    call(arguments);
    return true;
}

inline int run(const ascendcl_block *block, void (*call)(const unsigned char *), const void *arguments, char *why, size_t room)
{
    static const bool installed = install();
    (void)installed;
    Fault one = {};
    int outcome = 1;
    current = block, stopped.text[0] = '\0';
    try {
        begin();
        if (attempt(one, call, static_cast<const unsigned char *>(arguments))) {
            fault = nullptr;
            end();
            outcome = 0;
        } else {
            describe(one, why, room);
        }
    } catch (const Stop &reason) {
        snprintf(why, room, "%s", reason.text);
    } catch (const std::exception &thrown) {
        snprintf(why, room, "the kernel threw an exception: %s", thrown.what());
    } catch (...) {
        snprintf(why, room, "the kernel threw an exception");
    }
    fault = nullptr, current = nullptr;
    return outcome;
}

/// Where the parameters lie: as in a C structure, each at 4 bytes at least.
template <class... A> struct List {
    ascendcl_parameter parameters[sizeof...(A) + 1] = {};

    constexpr List()
    {
        uint32_t end = 0, at = 0;
        ((end = (end + align<A>() - 1) / align<A>() * align<A>(),
          parameters[at++] = {end, uint32_t(sizeof(A)), kind<A>()}, end += sizeof(A)), ...);
        (void)at;
    }
    template <class T> static constexpr uint32_t align() { return alignof(T) < 4 ? 4 : alignof(T); }
    template <class T> static constexpr uint32_t kind()
    {
        return !std::is_pointer_v<T> ? 0 : std::is_const_v<std::remove_pointer_t<T>> ? 1 : 2;
    }
};

template <class T> T load(const unsigned char *from)
{
    static_assert(std::is_trivially_copyable_v<T>, "a parameter of a kernel is copied byte by byte: a number, a pointer, or a structure of them");
    alignas(T) unsigned char room[sizeof(T)];
    memcpy(room, from, sizeof(T));
    return *std::launder(reinterpret_cast<T *>(room));
}

template <auto F> struct Export {
    static_assert(F == nullptr, "ASCENDCL_EXPORT takes a kernel: a function that returns void");
};
template <class... A, void (*F)(A...)> struct Export<F> {
    static constexpr List<A...> list{};

    template <size_t... I> static void spread([[maybe_unused]] const unsigned char *arguments, std::index_sequence<I...>)
    {
        F(load<A>(arguments + list.parameters[I].offset)...);
    }
    static void call(const unsigned char *arguments) { spread(arguments, std::index_sequence_for<A...>{}); }
    static int run(const ascendcl_block *block, const void *arguments, char *why, size_t room)
    {
        return ascendcl::run(block, call, arguments, why, room);
    }
    static constexpr ascendcl_kernel kernel{1, sizeof...(A), list.parameters, run};
};

} // namespace ascendcl
#pragma GCC visibility pop

/// Exports a kernel under its name; in the namespace of the kernel, or with a `using` for it.
#define ASCENDCL_EXPORT(name) \
    extern "C" __attribute__((visibility("default"))) const ascendcl_kernel name##__ascendcl = ::ascendcl::Export<&name>::kernel;

#endif
