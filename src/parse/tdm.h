#ifndef PAVANE_PARSE_TDM_H
#define PAVANE_PARSE_TDM_H

#include "base/buf.h"

/* What a page says of text and data mining (TDMRep, a report of a W3C
 * Community Group): whether the right to it is reserved, and where to read on
 * what terms it is granted. Headers and meta elements say it alike.
 */
struct pv_tdm {
	bool has_reservation;
	bool is_reserved;
	struct pv_buf policy; /* the beginning of it, if it is long */
};

void pv_tdm_init(struct pv_tdm *tdm);
void pv_tdm_finish(struct pv_tdm *tdm);
void pv_tdm_clear(struct pv_tdm *tdm);

/* Adds a tdm-reservation, "1" or "0"; anything else says nothing. Who says both
 * has reserved it. */
void pv_tdm_read_reservation(struct pv_tdm *tdm, struct pv_str text);

/* Adds a tdm-policy; the first counts. */
void pv_tdm_read_policy(struct pv_tdm *tdm, struct pv_str text);

#endif
