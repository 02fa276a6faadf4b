#ifndef PAVANE_TESTS_SERVER_RECEIVE_H
#define PAVANE_TESTS_SERVER_RECEIVE_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Receives as recv does, and tells when the last of it reached this machine, in
 * microseconds of the monotonic clock: by the kernel's own stamp, so that it
 * does not matter how long it waited for us. */
ssize_t receive_stamped(int fd, void *ptr, size_t size, int64_t *at_us);

/* The kernel makes stamps only some milliseconds after somebody asked for them:
 * waits for that, for a moment at most. */
void receive_warm_up(void);

/* The same time as the wall clock has it, in milliseconds since 1970. */
int64_t receive_wall_ms(int64_t at_us);

#endif
