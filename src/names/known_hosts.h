#ifndef PAVANE_NAMES_KNOWN_HOSTS_H
#define PAVANE_NAMES_KNOWN_HOSTS_H

#include "names/gathering.h"
#include "names/hosts_file.h"

/* What can be said of a host without asking a name server, in this order:
 * where fetch.resolve finds it; itself, if it is an address; this machine, if
 * it is localhost (RFC 6761, 6.3); that no such name can be; what the system's
 * table of hosts has. */
struct pv_known_hosts {
	struct pv_resolve_table resolve;
	struct pv_hosts_file file;
};

void pv_known_hosts_init(struct pv_known_hosts *known,
    const struct pv_policy *policy, const char *hosts_path);
void pv_known_hosts_finish(struct pv_known_hosts *known);

/* Fills the answer, but for its times; false if a name server has to be
 * asked. */
bool pv_known_hosts_answer(const struct pv_known_hosts *known,
    struct pv_gathering *gathering, struct pv_name_answer *answer);

#endif
