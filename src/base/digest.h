#ifndef PAVANE_BASE_DIGEST_H
#define PAVANE_BASE_DIGEST_H

#include <stdint.h>

#include "base/buf.h"

/* SHA-256 (OpenSSL): what a text is known by when it is met again. */
#define PV_DIGEST_SIZE 32

void pv_digest(struct pv_str text, uint8_t digest[PV_DIGEST_SIZE]);

/* The digest of a text under a key of any bytes, which nobody makes who has not
 * the key (HMAC-SHA256, RFC 2104). */
void pv_digest_keyed(
    struct pv_str key, struct pv_str text, uint8_t digest[PV_DIGEST_SIZE]);

/* The same as pv_digest for a text that comes in pieces. */
struct pv_digester;

struct pv_digester *pv_digester_create(void);
void pv_digester_append(struct pv_digester *digester, struct pv_str piece);

/* The digest of all pieces since the last end; it may then begin anew. */
void pv_digester_end(
    struct pv_digester *digester, uint8_t digest[PV_DIGEST_SIZE]);
void pv_digester_destroy(struct pv_digester *digester);

/* Whether two are the same. It takes as long whichever bytes differ, so that who
 * measures that learns nothing of a secret's. */
bool pv_digest_is_same(
    const uint8_t a[PV_DIGEST_SIZE], const uint8_t b[PV_DIGEST_SIZE]);

/* Appends 64 hexadecimal digits; false if the ceiling is in the way. */
bool pv_digest_write(const uint8_t digest[PV_DIGEST_SIZE], struct pv_buf *buf);

#endif
