#ifndef PAVANE_TESTS_SERVER_CERTIFICATE_H
#define PAVANE_TESTS_SERVER_CERTIFICATE_H

#include <stdbool.h>

#include <openssl/x509.h>

#include "server/server.h"

/* An authority of the test's own, made when it is needed and gone with it, and
 * what it signs: a certificate for any name, good or with one thing wrong. */
struct authority {
	EVP_PKEY *key;
	X509 *certificate;
	EVP_PKEY *stranger_key; /* of an authority that nobody was told of */
	EVP_PKEY *leaf_key;     /* of all that are signed */
};

/* False if OpenSSL cannot make one. */
bool authority_init(struct authority *authority);
void authority_finish(struct authority *authority);

/* Writes what a client is to trust. */
bool authority_write(const struct authority *authority, const char *path);

/* For a name or, as text, an address; NULL if OpenSSL cannot make one. The
 * caller's. */
X509 *certificate_create(const struct authority *authority, struct pv_str name,
    enum server_tls_kind kind);

#endif
