// swift-multiview · SPDX-License-Identifier: Apache-2.0

// What this package uses of the C library of Apple's systems, with the types and values that Apple's headers give it.
// For type checks only: functions that C declares with any number of arguments are in Darwin.swift.

// Types, as in sys/types.h and its neighbours.
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long long uint64_t;
typedef unsigned long size_t;
typedef long ssize_t;
typedef int64_t off_t;
typedef int64_t blkcnt_t;
typedef int32_t blksize_t;
typedef int32_t dev_t;
typedef uint64_t ino_t;
typedef uint16_t mode_t;
typedef uint16_t nlink_t;
typedef uint32_t uid_t;
typedef uint32_t gid_t;
typedef int32_t pid_t;
typedef uint32_t sigset_t;
typedef unsigned int nfds_t;
typedef long time_t;
typedef int32_t suseconds_t;

struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };

#pragma clang assume_nonnull begin

// errno.h
#define EPERM 1
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define EBADF 9
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define EXDEV 18
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define ETXTBSY 26
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define ENOTSUP 45
#define ECONNRESET 54
#define ETIMEDOUT 60
#define ELOOP 62
#define ENAMETOOLONG 63
#define ENOTEMPTY 66
#define EDQUOT 69
#define ESTALE 70
#define ENOSYS 78
#define EOVERFLOW 84
#define EILSEQ 92
#define EOPNOTSUPP 102
int *__error(void);

// fcntl.h, unistd.h, stdio.h: files
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x0004
#define O_APPEND 0x0008
#define O_CREAT 0x0200
#define O_TRUNC 0x0400
#define O_EXCL 0x0800
#define O_CLOEXEC 0x01000000
#define F_GETFD 1
#define F_SETFD 2
#define F_GETFL 3
#define F_SETFL 4
#define F_FULLFSYNC 51
#define F_DUPFD_CLOEXEC 67
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
ssize_t read(int, void *_Nullable, size_t);
ssize_t write(int, const void *_Nullable, size_t);
ssize_t pread(int, void *_Nullable, size_t, off_t);
ssize_t pwrite(int, const void *_Nullable, size_t, off_t);
off_t lseek(int, off_t, int);
int close(int);
int dup(int);
int dup2(int, int);
int pipe(int *);
int fsync(int);
int ftruncate(int, off_t);
int truncate(const char *, off_t);
int isatty(int);
int link(const char *, const char *);
int symlink(const char *, const char *);
int unlink(const char *);
int rename(const char *, const char *);
int rmdir(const char *);
int chdir(const char *);
ssize_t readlink(const char *restrict, char *restrict, size_t);
char *_Nullable realpath(const char *restrict, char *_Nullable restrict);
int mkstemp(char *);
char *_Nullable mkdtemp(char *);

// sys/stat.h
struct stat {
  dev_t st_dev;
  mode_t st_mode;
  nlink_t st_nlink;
  ino_t st_ino;
  uid_t st_uid;
  gid_t st_gid;
  dev_t st_rdev;
  struct timespec st_atimespec;
  struct timespec st_mtimespec;
  struct timespec st_ctimespec;
  struct timespec st_birthtimespec;
  off_t st_size;
  blkcnt_t st_blocks;
  blksize_t st_blksize;
  uint32_t st_flags;
  uint32_t st_gen;
};
int stat(const char *, struct stat *);
int fstat(int, struct stat *);
int lstat(const char *, struct stat *);
int chmod(const char *, mode_t);
int fchmod(int, mode_t);
int mkdir(const char *, mode_t);
int mkfifo(const char *, mode_t);
mode_t umask(mode_t);
int futimens(int, const struct timespec *);
int utimensat(int, const char *, const struct timespec *, int);
#define AT_FDCWD (-2)

// dirent.h
struct dirent {
  uint64_t d_ino;
  uint64_t d_seekoff;
  uint16_t d_reclen;
  uint16_t d_namlen;
  uint8_t d_type;
  char d_name[1024];
};
typedef struct { int __dd_fd; } DIR;
DIR *_Nullable opendir(const char *);
struct dirent *_Nullable readdir(DIR *);
int closedir(DIR *);

// limits.h
#define NAME_MAX 255
#define PATH_MAX 1024

// pthread.h, pthread/qos.h
typedef struct { long __sig; char __opaque[56]; } pthread_mutex_t;
typedef struct { long __sig; char __opaque[8]; } pthread_mutexattr_t;
typedef struct { long __sig; char __opaque[40]; } pthread_cond_t;
typedef struct { long __sig; char __opaque[8]; } pthread_condattr_t;
typedef struct { long __sig; char __opaque[56]; } pthread_attr_t;
struct _opaque_pthread_t { long __sig; char __opaque[8176]; };
typedef struct _opaque_pthread_t *pthread_t;
#define PTHREAD_CREATE_DETACHED 2
int pthread_mutex_init(pthread_mutex_t *restrict, const pthread_mutexattr_t *_Nullable restrict);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_init(pthread_cond_t *restrict, const pthread_condattr_t *_Nullable restrict);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *restrict, pthread_mutex_t *restrict);
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_create(
    pthread_t _Nullable *_Nonnull restrict, const pthread_attr_t *_Nullable restrict,
    void *_Nullable (*)(void *), void *_Nullable restrict);
int pthread_join(pthread_t, void *_Nullable *_Nullable);
pthread_t pthread_self(void);
int pthread_sigmask(int, const sigset_t *_Nullable, sigset_t *_Nullable);
typedef enum : unsigned int { QOS_CLASS_DEFAULT = 0x15, QOS_CLASS_UNSPECIFIED = 0 } qos_class_t;
qos_class_t qos_class_self(void);
int pthread_attr_set_qos_class_np(pthread_attr_t *, qos_class_t, int);

// signal.h
#define SIG_BLOCK 1
#define SIG_UNBLOCK 2
#define SIG_SETMASK 3
#define SIGHUP 1
#define SIGINT 2
#define SIGKILL 9
#define SIGPIPE 13
#define SIGTERM 15
#define SIGXFSZ 25
typedef void (*sig_t)(int);
int sigemptyset(sigset_t *);
int sigaddset(sigset_t *, int);
void (*_Nullable signal(int, void (*_Nullable)(int)))(int);
int kill(pid_t, int);
int raise(int);

// poll.h, sys/ioctl.h
struct pollfd { int fd; short events; short revents; };
#define POLLIN 0x0001
#define POLLOUT 0x0004
int poll(struct pollfd *, nfds_t, int);
struct winsize { unsigned short ws_row, ws_col, ws_xpixel, ws_ypixel; };

// stdlib.h, string.h, stdio.h, unistd.h: the process
typedef struct { int _file; } FILE;
extern FILE *__stdoutp;
FILE *_Nullable fopen(const char *restrict, const char *restrict);
size_t fwrite(const void *restrict, size_t, size_t, FILE *restrict);
int fclose(FILE *);
int fflush(FILE *_Nullable);
char *_Nullable getenv(const char *);
int setenv(const char *, const char *, int);
char *_Nullable strdup(const char *);
char *strerror(int);
int memcmp(const void *, const void *, size_t);
void free(void *_Nullable);
void exit(int) __attribute__((noreturn));
void _exit(int) __attribute__((noreturn));
pid_t getpid(void);
int usleep(unsigned int);
uid_t getuid(void);
uid_t geteuid(void);
#define _SC_NPROCESSORS_ONLN 58
long sysconf(int);

// spawn.h, sys/wait.h, sys/resource.h
typedef void *_Nullable posix_spawn_file_actions_t;
typedef void *_Nullable posix_spawnattr_t;
int posix_spawn_file_actions_init(posix_spawn_file_actions_t _Nullable *_Nonnull);
int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t _Nullable *_Nonnull);
int posix_spawn_file_actions_addopen(
    posix_spawn_file_actions_t _Nullable *_Nonnull, int, const char *restrict, int, mode_t);
int posix_spawnp(
    pid_t *_Nullable restrict, const char *restrict, const posix_spawn_file_actions_t _Nullable *_Nullable,
    const posix_spawnattr_t _Nullable *_Nullable restrict, char *_Nullable const *_Nonnull,
    char *_Nullable const *_Nullable);
struct rusage {
  struct timeval ru_utime;
  struct timeval ru_stime;
  long ru_maxrss;
};
#define RUSAGE_SELF 0
int getrusage(int, struct rusage *);
pid_t wait4(pid_t, int *_Nullable, int, struct rusage *_Nullable);

// time.h
typedef enum {
  _CLOCK_REALTIME = 0,
  _CLOCK_MONOTONIC = 6,
  _CLOCK_PROCESS_CPUTIME_ID = 12,
  _CLOCK_THREAD_CPUTIME_ID = 16
} clockid_t;
#define CLOCK_REALTIME _CLOCK_REALTIME
#define CLOCK_MONOTONIC _CLOCK_MONOTONIC
#define CLOCK_PROCESS_CPUTIME_ID _CLOCK_PROCESS_CPUTIME_ID
#define CLOCK_THREAD_CPUTIME_ID _CLOCK_THREAD_CPUTIME_ID
int clock_gettime(clockid_t, struct timespec *);

// math.h
double sin(double);
double cos(double);
double tan(double);
double pow(double, double);
double exp(double);
double log(double);
double log2(double);
double log10(double);
double sqrt(double);
double floor(double);

#pragma clang assume_nonnull end
