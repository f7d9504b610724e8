// Makes writes to files whose path begins with $FAULT_PATH go wrong; to be preloaded.
//
// While $FAULT_FILE exists they fail with EIO. The one numbered $KILL_AT is done to its half, and the process is killed.
// How many there were is written to $COUNT_FILE when the process ends by itself.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long writes;

static int isMeant(int descriptor) {
    const char *path = getenv("FAULT_PATH");
    if (!path) return 0;
    char link[64], name[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, name, sizeof name - 1);
    if (length < 0) return 0;
    name[length] = 0;
    return strncmp(name, path, strlen(path)) == 0;
}

static ssize_t write_at(const char *name, int descriptor, const void *bytes, size_t count, off_t offset) {
    ssize_t (*next)(int, const void *, size_t, off_t) = dlsym(RTLD_NEXT, name);
    if (!isMeant(descriptor)) return next(descriptor, bytes, count, offset);
    const char *fault = getenv("FAULT_FILE"), *last = getenv("KILL_AT");
    if (fault && access(fault, F_OK) == 0) {
        errno = EIO;
        return -1;
    }
    long number = atomic_fetch_add(&writes, 1) + 1;
    if (last && number == atol(last)) {
        next(descriptor, bytes, count / 2, offset);
        kill(getpid(), SIGKILL);
    }
    return next(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return write_at("pwrite", descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    return write_at("pwrite64", descriptor, bytes, count, offset);
}

__attribute__((destructor)) static void count(void) {
    const char *path = getenv("COUNT_FILE");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld", atomic_load(&writes));
    fclose(file);
}
