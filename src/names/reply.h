#ifndef PAVANE_NAMES_REPLY_H
#define PAVANE_NAMES_REPLY_H

#include "base/address.h"

/* What name servers say to one question, as c-ares brings it. */

/* Of more addresses in one reply nobody wants to know; nor are more records
 * than that looked at. */
#define PV_REPLY_ADDRESSES_MAX 512

/* The error for a server that does not answer. */
#define PV_REPLY_TOO_LATE "no name server answered in time"

enum pv_reply_kind {
	PV_REPLY_ADDRESSES,
	PV_REPLY_NO_DATA, /* the name is there, without such addresses */
	PV_REPLY_NO_NAME,
	PV_REPLY_FAILED,
	PV_REPLY_DROPPED, /* nobody is asked any more */
};

struct pv_reply {
	enum pv_reply_kind kind;
	const char *why; /* of a failure; lives for ever */
	int64_t ttl_s;   /* the least of what led to the addresses */
	size_t count;
	struct pv_address addresses[PV_REPLY_ADDRESSES_MAX];
};

/* Reads what c-ares gives for a question for addresses of 32 or of 128 bits: a
 * status of its own, and where that is success, the message. */
void pv_reply_read(int status, int bits, const unsigned char *message,
    size_t len, struct pv_reply *reply);

#endif
