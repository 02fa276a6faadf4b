#ifndef PAVANE_TESTS_SERVER_FLOODS_RECORDS_H
#define PAVANE_TESTS_SERVER_FLOODS_RECORDS_H

#include <stdbool.h>
#include <stdint.h>

#include <openssl/evp.h>
#include <openssl/ssl.h>

#include "base/buf.h"

/* A server's half of TLS 1.3 once the handshake is over: records of any type
 * and length, which OpenSSL would not write. It shakes hands, and what it then
 * says of its keys is used to seal all that is sent (RFC 8446, 5.2 and 7). */
#define RECORD_ALERT 21
#define RECORD_HANDSHAKE 22
#define RECORD_DATA 23
#define RECORD_BYTES_MAX 16384

/* The secrets of TLS_AES_128_GCM_SHA256, which is all that is spoken. */
#define RECORD_SECRET_BYTES 32
#define RECORD_IV_BYTES 12

struct records {
	unsigned char secret[RECORD_SECRET_BYTES];
	unsigned char iv[RECORD_IV_BYTES];
	uint64_t number; /* of the next record under these keys */
	EVP_CIPHER_CTX *cipher;
	bool has_secret;
};

/* Nothing but TLS 1.3 with that cipher, and no ticket of OpenSSL's own; each
 * SSL's app data is its records. False if OpenSSL cannot. */
bool records_prepare(SSL_CTX *ctx);

bool records_init(struct records *records);
void records_finish(struct records *records);

/* The handshake is over: takes its secret into use. False if there is none. */
bool records_start(struct records *records);

/* The next keys (RFC 8446, 7.2). */
void records_update(struct records *records);

/* Appends one record of at most RECORD_BYTES_MAX bytes. */
void records_seal(struct records *records, uint8_t type, struct pv_str text,
    struct pv_buf *out);

#endif
