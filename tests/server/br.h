#ifndef PAVANE_TESTS_SERVER_BR_H
#define PAVANE_TESTS_SERVER_BR_H

#include "server/body.h"

/* Brotli (RFC 7932) without its library, which Pavane needs only for reading:
 * text is stored as it is, and zeros are one copy of 16 MiB after the other, 13
 * bytes each. */
void br_write(struct body body, struct pv_buf *buf);

#endif
