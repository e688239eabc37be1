/* The beginning of each program that compares headers. */
#include <cstddef>
#include <cstdint>
#include <type_traits>
#define CHECK(text, ...) static_assert((__VA_ARGS__), "[[" text "]]");
#define SAME(expression, ...) std::is_same<decltype(expression), __VA_ARGS__>::value
#define SAME_TYPE(name, ...) std::is_same<name, __VA_ARGS__>::value
#define IS_SIGNED(name) std::is_signed<std::underlying_type<name>::type>::value
#define ALIGN(...) alignof(__VA_ARGS__)
