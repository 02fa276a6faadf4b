#ifndef PAVANE_POLICY_VALUES_NEVER_H
#define PAVANE_POLICY_VALUES_NEVER_H

#include "base/why.h"
#include "policy/values/host_index.h"

/* The hosts whose owners have asked us away: never.txt in the user's
 * configuration, a name, *. name or address range a line. No policy overrides
 * it. A name there stands for all below it as well. */
struct pv_never {
	struct pv_host_index index;
	struct pv_arena arena;
	const char *path;
};

void pv_never_init(struct pv_never *never);
void pv_never_finish(struct pv_never *never);

/* Reads the file, if there is one; each wrong line is reported. */
void pv_never_read(
    struct pv_never *never, const char *path, struct pv_why *why);

/* The line that names the host; 0 if none does. */
uint32_t pv_never_find(const struct pv_never *never, struct pv_str host,
    const struct pv_address *address);

#endif
