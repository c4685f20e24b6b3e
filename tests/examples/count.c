/* tests/examples/count.c: linked around an example with --wrap: who asks for memory, from the
 * example or from libperp.a, makes it fail. */
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static void *refuse(void)
{
    static const char text[] = "the example allocates memory\n";
    if (write(2, text, sizeof text - 1) < 0) _exit(4);
    _exit(3);
}

void *__wrap_malloc(size_t size)
{
    (void)size;
    return refuse();
}

void *__wrap_calloc(size_t count, size_t size)
{
    (void)count, (void)size;
    return refuse();
}

void *__wrap_realloc(void *old, size_t size)
{
    (void)old, (void)size;
    return refuse();
}
