// The library's structures beside the headers': sizes and offsets, compared when this is compiled. `structures` writes
// the list from the library's own declarations.
#include "check.h"

#include <cstddef>

#define SIZE(name, size) static_assert(sizeof(name) == size, #name);
#define FIELD(name, field, offset) static_assert(offsetof(name, field) == offset, #name "::" #field);
#define COUNTS(present, absent) constexpr int compared = present, absent_from_headers = absent;
#include "structures.inc"

TEST(structures_are_the_headers) {
    std::printf("  %d structures compared; %d are younger than these headers\n", compared, absent_from_headers);
    // The memory system alone has more.
    CHECK(compared >= 60);
}
