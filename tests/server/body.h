#ifndef PAVANE_TESTS_SERVER_BODY_H
#define PAVANE_TESTS_SERVER_BODY_H

#include "server/server.h"

/* A body as a text that is repeated until so many bytes are there. */
struct body {
	struct pv_str unit;
	uint64_t len; /* SERVER_ENDLESS for no end */
};

/* What the answer says, before it is coded. What has to be made for it is
 * written to the buffer. */
struct body body_of(const struct server_answer *answer, struct pv_buf *buf);

#endif
