#ifndef PAVANE_BASE_UNWRITTEN_H
#define PAVANE_BASE_UNWRITTEN_H

#include <stdint.h>

/* How much is on its way to this machine's disks, whoever wrote it: so much does
 * it cost to sync one of them altogether. UINT64_MAX where nobody tells. */
uint64_t pv_unwritten_bytes(void);

/* The same, as Linux tells of its memory in /proc/meminfo. */
uint64_t pv_unwritten_told(const char *status);

#endif
