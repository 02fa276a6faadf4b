#ifndef PAVANE_NAMES_GATHERING_H
#define PAVANE_NAMES_GATHERING_H

#include "names/names.h"
#include "names/vetting.h"

/* A host's addresses as they come in, each vetted by itself, and the answer
 * that is made of them.
 *
 * Clocks go by address, so a host keeps the one that it had as long as it is
 * among them; else they stand in one order, however a name server turns them:
 * IPv4 first, which works everywhere, and by number. Of many the first are
 * kept.
 */
struct pv_gathering {
	const struct pv_vetting *vetting; /* outlives it */
	struct pv_str host;               /* borrowed for as long */
	struct pv_address before; /* the first of last time; bits 0: none */
	struct pv_address best[PV_NAME_ADDRESSES_MAX];
	uint32_t count;
	struct pv_address refused; /* the first such, before all others one that
				      never.txt names; bits 0: none */
	bool is_asked_away;        /* never.txt names that */
	uint16_t port;             /* for the answer */
	int64_t ttl_s;             /* the least that was heard */
};

/* `before` is the address that the host had; NULL if that is not known. */
void pv_gathering_init(struct pv_gathering *gathering,
    const struct pv_vetting *vetting, struct pv_str host,
    const struct pv_address *before);

void pv_gathering_add(
    struct pv_gathering *gathering, const struct pv_address *address);

/* For how long what is added may be kept. */
void pv_gathering_add_ttl(struct pv_gathering *gathering, int64_t ttl_s);

/* Whether any address came in, be it one that may not be reached. */
bool pv_gathering_is_empty(const struct pv_gathering *gathering);

/* Fills the answer but for its times: what came in, or that nothing did, with
 * that result and why. */
void pv_gathering_answer(const struct pv_gathering *gathering,
    enum pv_name_result otherwise, const char *why,
    struct pv_name_answer *answer);

#endif
