#ifndef PAVANE_TESTS_SERVER_CODING_H
#define PAVANE_TESTS_SERVER_CODING_H

#include "server/body.h"
#include "server/server.h"

/* Content codings (RFC 9110, 8.4.1), the way out. A long row of the same text
 * costs little time: what is short when coded is made in a moment however much
 * it is. */

/* What Content-Encoding says; NULL for what is plain. */
const char *coding_name(enum server_coding coding);

/* Writes the body as it is coded. It has an end. */
void coding_write(
    enum server_coding coding, struct body body, struct pv_buf *buf);

#endif
