/*
 * Stands in for /dev/udmabuf on kernels without it: libcamera's virtual camera takes its buffers from there, and so does
 * picamera2. Preloaded, it answers UDMABUF_CREATE with the memory file itself, which can be mapped all the same; nothing
 * else ever sees such a buffer. Where the kernel has the device, the device is used.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/dma-buf.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static const char device[] = "/dev/udmabuf";

static bool is_missing_device(const char *path)
{
    return path != NULL && strcmp(path, device) == 0 && access(device, F_OK) != 0;
}

static int stand_in(void)
{
    return memfd_create("udmabuf-stand-in", MFD_CLOEXEC);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open");
    return is_missing_device(path) ? stand_in() : real(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, "open64");
    return is_missing_device(path) ? stand_in() : real(path, flags, mode);
}

int ioctl(int descriptor, unsigned long request, ...)
{
    va_list rest;
    va_start(rest, request);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    int (*real)(int, unsigned long, ...) = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    switch (request) {
    case UDMABUF_CREATE:
        if (access(device, F_OK) != 0)
            return fcntl(((struct udmabuf_create *)argument)->memfd, F_DUPFD_CLOEXEC, 0);
        break;
    case DMA_BUF_IOCTL_SYNC: /* Memory files need no syncing between processor and device. */
    case DMA_BUF_SET_NAME_A:
    case DMA_BUF_SET_NAME_B:
        if (access(device, F_OK) != 0)
            return 0;
        break;
    }
    return real(descriptor, request, argument);
}
