#ifndef PAVANE_POLICY_VALUES_HOST_PATTERN_H
#define PAVANE_POLICY_VALUES_HOST_PATTERN_H

#include "base/address.h"

/* Which hosts are meant: one by its name, all below a name ("*.example.com",
 * which is not example.com itself), or a range of addresses. */
enum pv_host_pattern_kind {
	PV_HOST_EXACT,
	PV_HOST_BELOW,
	PV_HOST_NETWORK,
};

struct pv_host_pattern {
	enum pv_host_pattern_kind kind;
	struct pv_str name; /* canonical, without the star; in the buffer */
	struct pv_network network;
};

/* Reads a pattern as a person wrote it, and appends its canonical text, which
 * the pattern's name lies in, to the buffer. NULL if it is right, else what is
 * wrong ("" if it is just none). */
const char *pv_host_pattern_read(struct pv_str text,
    struct pv_host_pattern *pattern, struct pv_buf *canonical);

/* The form in which host names are compared: without the dot that may end
 * them. */
struct pv_str pv_host_name_trim(struct pv_str host);

/* Appends the name by which crawls know a host, of one as a person wrote it, maybe
 * with a port; false if that can be none. */
bool pv_host_name_canonical(struct pv_str written, struct pv_buf *name);

/* Whether the name always means this machine: localhost and all below it (RFC
 * 6761, 6.3). */
bool pv_host_name_is_local(struct pv_str host);

#endif
