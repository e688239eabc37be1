/* The beginning of each program that compares headers; it means the same in C and in C++. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
#include <type_traits>
#define CHECK(text, ...) static_assert((__VA_ARGS__), "[[" text "]]");
#define SAME(expression, ...) std::is_same<decltype(expression), __VA_ARGS__>::value
#define SAME_TYPE(name, ...) std::is_same<name, __VA_ARGS__>::value
#define IS_SIGNED(name) std::is_signed<std::underlying_type<name>::type>::value
#define ALIGN(...) alignof(__VA_ARGS__)
#else
#define CHECK(text, ...) _Static_assert((__VA_ARGS__), "[[" text "]]");
#define SAME(expression, ...) __builtin_types_compatible_p(__typeof__(expression), __VA_ARGS__)
#define SAME_TYPE(name, ...) __builtin_types_compatible_p(name, __VA_ARGS__)
#define IS_SIGNED(name) ((name)-1 < (name)0)
#define ALIGN(...) _Alignof(__VA_ARGS__)
#endif
