/* base/system.h: all that perp's library asks of the operating system beside the C library.
 *
 * A clock, threads, whole files, and a program at the other end of a socket. posix.c and
 * posix_output.c have them for POSIX systems, and are the only files of the library that include
 * their headers (a tree test looks after that); another system needs other files in their place.
 * `make mingw` compiles the rest with the headers of Windows. Where a call fails, errno says why.
 */
#ifndef PERP_BASE_SYSTEM_H
#define PERP_BASE_SYSTEM_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PERP_PATH 4096 /* bytes of a path, its final 0 included */

/* Seconds, of a clock that nobody sets. */
double perp_now(void);

/* ---- threads ---- */

typedef union perp_thread {
    void *pointer;
    uint64_t number;
} perp_thread;

bool perp_thread_start(perp_thread *t, void *(*work)(void *), void *ctx);
void perp_thread_join(const perp_thread *t);
/* Give the processor to others for a while. */
void perp_thread_yield(void);

/* ---- text ---- */

#if defined(__GNUC__)
#define PERP_LIKE_PRINTF(f, a) __attribute__((format(printf, f, a)))
#else
#define PERP_LIKE_PRINTF(f, a)
#endif

/* vsnprintf and snprintf in the C locale, whatever the caller's is: 0.5, never 0,5. */
int perp_vprint(char *text, size_t size, const char *format, va_list arguments)
    PERP_LIKE_PRINTF(3, 0);
int perp_print(char *text, size_t size, const char *format, ...) PERP_LIKE_PRINTF(3, 4);

/* ---- files ---- */

/* A file to read; path NULL: standard input. -1: failed. */
int perp_input_open(const char *path);
/* What it is; size 0: empty, or not known before its end. */
bool perp_input_look(int file, bool *directory, uint64_t *size);
/* Read until the end or until the block is full; the number of bytes, or -1. */
ptrdiff_t perp_input_read(int file, char *block, size_t room);
/* Standard input stays open. */
void perp_input_close(int file);

/* A file that is whole or not there, whatever ends the process or the machine. It is written beside
 * its target, and gets the target's name and mode when it is kept and is on the disk. What has no
 * such name (pipes, devices, standard output) is written to as it is. */
typedef struct perp_output {
    int file;
    char target[PERP_PATH];
    char temporary[PERP_PATH]; /* "": the target itself is written to */
} perp_output;

/* path NULL: standard output. A link stays a link: what it points at is written. */
bool perp_output_open(perp_output *o, const char *path);
/* A full disk, a limit of file sizes and a reader that has gone are errors, never signals. */
bool perp_output_write(const perp_output *o, const char *bytes, size_t length);
/* False: failed; errno says why, the target is what it was, and no temporary file is left. (The one
 * exception: the file has its name, and the disk does not say that the folder is safe.) */
bool perp_output_close(perp_output *o, bool keep);
/* What can be done about that errno, as the end of a sentence: "; free some space"; "": not known.
 */
const char *perp_output_remedy(int error);

/* ---- programs ---- */

/* The variable $name; NULL as well where the process has rights that its caller may not have. */
const char *perp_environment(const char *name);

/* The file that this code is in, a library or a program. It is the kernel's word, not argv[0],
 * which dladdr repeats and which whoever starts a program can choose. */
bool perp_own_file(char path[PERP_PATH]);

typedef enum perp_program {
    PERP_PROGRAM_MISSING,
    PERP_PROGRAM_UNSAFE, /* everybody can write to it, or put another one in its place */
    PERP_PROGRAM_FOUND,
} perp_program;

/* The executable file of that name, and its path without links. */
perp_program perp_program_find(const char *named, char path[PERP_PATH]);

/* Start it with the socket for its standard input, no output and no other descriptor; signals do
 * what they do by default, and of the environment it has what finding its libraries needs. 0, or
 * the number of the error. */
int perp_program_start(const char *path, const char *name, int socket, long *process);
/* Wait for the end of a program that was asked to end; kill it where it has not. Where the caller
 * has children reaped elsewhere, there is nothing to wait for. */
void perp_program_end(long process);

/* Two connected sockets, neither of which is 0, 1 or 2. */
bool perp_socket_pair(int pair[2]);
/* All of it within so many seconds, or however long it takes where they are negative. False: the
 * other side is gone, which is no signal here, or the time is over and errno is ETIMEDOUT. */
bool perp_socket_send(int socket, const void *data, size_t bytes, double seconds);
bool perp_socket_receive(int socket, void *data, size_t bytes, double seconds);
/* Nothing more will be sent. */
void perp_socket_finish(int socket);
void perp_socket_close(int socket);

#endif
