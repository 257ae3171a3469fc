/*
 * Preloaded into a program (LD_PRELOAD), writes down what it does to the files of one folder and what it prints, in
 * order, and can kill it at any of these steps. Nothing is changed otherwise.
 *
 *   CRASH_ROOT   the folder, as the kernel names it
 *   CRASH_LOG    where the steps are written; see recording.py for the format
 *   CRASH_AT     the number of the step, from 1, at which the program is killed; none or 0: never
 *   CRASH_TORN   1: half of a write is done first
 *   CRASH_ERRNO  instead of killing it, that step fails with this number, and all after it unless CRASH_ONCE is set
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum step { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, MKDIR, PRINT };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static size_t root_length;
static int log_fd = -1;
static long steps, kill_at;
static int torn, fails_with, fails_once;

__attribute__((constructor)) static void begin(void)
{
    const char *folder = getenv("CRASH_ROOT"), *path = getenv("CRASH_LOG"), *at = getenv("CRASH_AT");
    if (!folder || strlen(folder) >= sizeof root)
        return;
    strcpy(root, folder);
    root_length = strlen(root);
    kill_at = at ? atol(at) : 0;
    torn = getenv("CRASH_TORN") != NULL;
    fails_with = getenv("CRASH_ERRNO") ? atoi(getenv("CRASH_ERRNO")) : 0;
    fails_once = getenv("CRASH_ONCE") != NULL;
    if (path)
        log_fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
}

static int is_ours(const char *path)
{
    return root_length && !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

/* The file's name if it lies in the folder, else an empty one. */
static void name_of(int fd, char *name)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = root_length ? syscall(SYS_readlinkat, AT_FDCWD, link, name, PATH_MAX - 1) : -1;
    name[length < 0 ? 0 : length] = 0;
    if (!is_ours(name))
        name[0] = 0;
}

static void absolute(int dir, const char *path, char *name)
{
    char folder[PATH_MAX] = "";
    if (path[0] != '/') {
        char link[64];
        if (dir == AT_FDCWD)
            strcpy(link, "/proc/self/cwd");
        else
            snprintf(link, sizeof link, "/proc/self/fd/%d", dir);
        ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, folder, PATH_MAX - 2);
        folder[length < 0 ? 0 : length] = 0;
        strcat(folder, "/");
    }
    snprintf(name, PATH_MAX, "%.2000s%.2000s", folder, path);
}

static void put(const void *data, size_t length)
{
    if (log_fd >= 0 && syscall(SYS_write, log_fd, data, length) != (ssize_t)length)
        raise(SIGABRT);
}

/* Writes a step down, and kills the program if it is the last one. `offset` is a size for TRUNCATE. */
static void step(enum step kind, uint64_t inode, uint64_t offset, const void *first, size_t first_length,
                 const void *second, size_t second_length)
{
    pthread_mutex_lock(&lock);
    uint64_t head[5] = {kind, inode, offset, first_length, second_length};
    put(head, sizeof head);
    put(first, first_length);
    put(second, second_length);
    steps++;
    pthread_mutex_unlock(&lock);
}

static int is_last(void)
{
    return kill_at && steps + 1 >= kill_at;
}

/* Ends the program, or returns -1 for the step that fails. */
static int die(void)
{
    if (!fails_with) {
        syscall(SYS_kill, getpid(), SIGKILL);
        for (;;)
            pause();
    }
    if (fails_once)
        kill_at = 0;
    errno = fails_with;
    return -1;
}

static uint64_t inode_of(int fd)
{
    struct stat about;
    return fstat(fd, &about) ? 0 : about.st_ino;
}

static int opened(int dir, const char *path, int flags, mode_t mode)
{
    char name[PATH_MAX];
    struct stat about;
    absolute(dir, path, name);
    int ours = is_ours(name) && (flags & (O_CREAT | O_TRUNC)) && !(flags & O_DIRECTORY);
    int there = ours && !lstat(name, &about);
    if (ours && is_last() && (!there || flags & O_TRUNC))
        return die();
    int fd = (int)syscall(SYS_openat, dir, path, flags, mode);
    if (ours && fd >= 0 && !there)
        step(CREATE, inode_of(fd), 0, name, strlen(name), NULL, 0);
    else if (ours && fd >= 0 && (flags & O_TRUNC) && about.st_size)
        step(TRUNCATE, inode_of(fd), 0, name, strlen(name), NULL, 0);
    return fd;
}

static mode_t mode_in(int flags, va_list rest)
{
    return flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

#define OPENS(function)                                                                                               \
    int function(const char *path, int flags, ...)                                                                    \
    {                                                                                                                 \
        va_list rest;                                                                                                 \
        va_start(rest, flags);                                                                                        \
        mode_t mode = mode_in(flags, rest);                                                                           \
        va_end(rest);                                                                                                 \
        return opened(AT_FDCWD, path, flags, mode);                                                                   \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(function)                                                                                            \
    int function(int dir, const char *path, int flags, ...)                                                           \
    {                                                                                                                 \
        va_list rest;                                                                                                 \
        va_start(rest, flags);                                                                                        \
        mode_t mode = mode_in(flags, rest);                                                                           \
        va_end(rest);                                                                                                 \
        return opened(dir, path, flags, mode);                                                                        \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

static ssize_t written(int fd, const void *data, size_t length, off_t offset)
{
    char name[PATH_MAX] = "";
    int is_print = fd == 1 && root_length;
    if (!is_print && root_length && fd > 2)
        name_of(fd, name);
    int ours = is_print || name[0];
    if (ours && is_last() && !(is_print && fails_with)) {
        if (torn && offset < 0)
            syscall(SYS_write, fd, data, length / 2);
        else if (torn)
            syscall(SYS_pwrite64, fd, data, length / 2, offset);
        return die();
    }
    /* What is written at the place where the file stands, or at its end. */
    off_t at = offset;
    if (ours && !is_print && offset < 0)
        at = syscall(SYS_fcntl, fd, F_GETFL) & O_APPEND ? lseek(fd, 0, SEEK_END) : lseek(fd, 0, SEEK_CUR);
    ssize_t done = offset < 0 ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, offset);
    if (ours && done > 0) {
        if (is_print)
            step(PRINT, 0, 0, data, (size_t)done, NULL, 0);
        else
            step(WRITE, inode_of(fd), (uint64_t)at, name, strlen(name), data, (size_t)done);
    }
    return done;
}

ssize_t write(int fd, const void *data, size_t length) { return written(fd, data, length, -1); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return written(fd, data, length, offset); }
ssize_t pwrite64(int fd, const void *data, size_t length, off64_t offset) { return written(fd, data, length, offset); }

/* Python copies by it; told that it does not work here, it reads and writes. */
ssize_t sendfile(int out, int in, off_t *offset, size_t count)
{
    (void)out, (void)in, (void)offset, (void)count;
    errno = ENOTSOCK;
    return -1;
}
ssize_t sendfile64(int out, int in, off64_t *offset, size_t count) { return sendfile(out, in, offset, count); }

static int truncated(int fd, off_t size)
{
    char name[PATH_MAX];
    name_of(fd, name);
    if (name[0] && is_last())
        return die();
    int failed = (int)syscall(SYS_ftruncate, fd, size);
    if (name[0] && !failed)
        step(TRUNCATE, inode_of(fd), (uint64_t)size, name, strlen(name), NULL, 0);
    return failed;
}
int ftruncate(int fd, off_t size) { return truncated(fd, size); }
int ftruncate64(int fd, off64_t size) { return truncated(fd, size); }

static int synced(int fd, long call)
{
    char name[PATH_MAX];
    name_of(fd, name);
    if (name[0] && is_last())
        return die();
    int failed = (int)syscall(call, fd);
    if (name[0] && !failed)
        step(SYNC, inode_of(fd), 0, name, strlen(name), NULL, 0);
    return failed;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

void sync(void)
{
    if (root_length && is_last() && !fails_with)
        die();
    syscall(SYS_sync);
    if (root_length)
        step(SYNC, 0, 0, NULL, 0, NULL, 0);
}

/* Two names that change places are written down like a rename: what a cut leaves of them is not modelled. */
static int renamed(int from_dir, const char *from, int to_dir, const char *to, unsigned int flags)
{
    char old[PATH_MAX], new[PATH_MAX];
    absolute(from_dir, from, old);
    absolute(to_dir, to, new);
    int ours = is_ours(old) || is_ours(new);
    if (ours && is_last())
        return die();
    int failed = (int)syscall(SYS_renameat2, from_dir, from, to_dir, to, flags);
    if (ours && !failed)
        step(RENAME, 0, 0, old, strlen(old), new, strlen(new));
    return failed;
}
int rename(const char *from, const char *to) { return renamed(AT_FDCWD, from, AT_FDCWD, to, 0); }
int renameat(int from_dir, const char *from, int to_dir, const char *to)
{
    return renamed(from_dir, from, to_dir, to, 0);
}
int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned int flags)
{
    return renamed(from_dir, from, to_dir, to, flags);
}

static int unlinked(int dir, const char *path, int flags)
{
    char name[PATH_MAX];
    absolute(dir, path, name);
    if (is_ours(name) && is_last())
        return die();
    int failed = (int)syscall(SYS_unlinkat, dir, path, flags);
    if (is_ours(name) && !failed)
        step(UNLINK, 0, 0, name, strlen(name), NULL, 0);
    return failed;
}
int unlink(const char *path) { return unlinked(AT_FDCWD, path, 0); }
int unlinkat(int dir, const char *path, int flags) { return unlinked(dir, path, flags); }

int mkdir(const char *path, mode_t mode)
{
    char name[PATH_MAX];
    absolute(AT_FDCWD, path, name);
    if (is_ours(name) && is_last())
        return die();
    int failed = (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
    if (is_ours(name) && !failed)
        step(MKDIR, 0, 0, name, strlen(name), NULL, 0);
    return failed;
}
