#ifndef PAVANE_PAVANE_H
#define PAVANE_PAVANE_H

#include <stddef.h>

/* Pavane, a polite web crawler, as a library. */

#ifdef __cplusplus
extern "C" {
#endif

#define PAVANE_API __attribute__((visibility("default")))

/* Called when the system has no memory left; must not return. The library's
 * own says so and ends the program with status 1; a host program that defines
 * a function of this name decides otherwise. */
PAVANE_API void pavane_out_of_memory(size_t size);

/* "0.1.0" */
PAVANE_API const char *pavane_version(void);

#ifdef __cplusplus
}
#endif

#endif
