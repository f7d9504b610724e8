// Makes writes to files whose path begins with $FAULT_PATH fail with EIO while $FAULT_FILE exists; to be preloaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int fails(int descriptor) {
    const char *fault = getenv("FAULT_FILE"), *path = getenv("FAULT_PATH");
    if (!fault || !path || access(fault, F_OK) != 0) return 0;
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = 0;
    return strncmp(name, path, strlen(path)) == 0;
}

static ssize_t write_at(const char *name, int descriptor, const void *bytes, size_t count, off_t offset) {
    ssize_t (*next)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
    if (!fails(descriptor)) return next(descriptor, bytes, count, offset);
    errno = EIO;
    return -1;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return write_at("pwrite", descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    return write_at("pwrite64", descriptor, bytes, count, offset);
}
