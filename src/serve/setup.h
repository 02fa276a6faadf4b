#ifndef PAVANE_SERVE_SETUP_H
#define PAVANE_SERVE_SETUP_H

#include <stdatomic.h>

#include "policy/values/private_list.h"
#include "serve/config/config.h"

/* What the configuration of the service says, ready for use.
 *
 * It is never changed: when the file is read again, another one takes its place,
 * and this one is destroyed when the last of its owners has given it back. So
 * whoever has one may read all of it, in any thread, while others read the next.
 */
struct pv_setup {
	struct pv_service_config *config;
	struct pv_private_list lent; /* hosts of private networks that jobs may
					reach */
	struct pv_network *trusted;  /* proxies in front of the service */
	size_t trusted_count;
	atomic_size_t owners;
};

/* The caller's. It is complete if `why` has no problems, and else good for nothing
 * but to be given back. */
struct pv_setup *pv_setup_load(
    const struct pv_config_sources *sources, struct pv_why *why);

/* One more owner has it; one owner less. In any thread. NULL is fine to give. */
struct pv_setup *pv_setup_take(struct pv_setup *setup);
void pv_setup_give(struct pv_setup *setup);

#endif
