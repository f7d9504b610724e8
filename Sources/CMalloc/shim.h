#ifdef __linux__
#include <malloc.h>

/// Bytes that were asked for and not freed; 0 where this glibc cannot say.
static inline size_t malloc_used_bytes(void) {
#if defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
    struct mallinfo2 figures = mallinfo2();
    return figures.uordblks + figures.hblkhd;
#endif
#endif
    return 0;
}
#endif
