#ifndef PAVANE_RECORD_RESULT_H
#define PAVANE_RECORD_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "record/outcome.h"

/* What came of a visit, as it is kept. */
struct pv_result {
	enum pv_outcome outcome;
	uint16_t http_status; /* 0 where none came */
	uint64_t bytes;
	/* Whether more could follow from it if its address stood better: it is
	 * a page whose links were judged by their depth, or by its being a mere
	 * resource. An image cannot, also if other pages link to it. */
	bool may_lead_further;
	uint8_t kind; /* of page, as which it was read; 0: none (standing.h) */
};

#endif
