#ifndef PAVANE_TESTS_SERVER_TLS_H
#define PAVANE_TESTS_SERVER_TLS_H

#include <openssl/ssl.h>

#include "base/arena.h"
#include "base/map.h"
#include "server/certificate.h"
#include "server/server.h"

/* The server's side of TLS, without sockets: bytes in, bytes out. Which
 * certificate a connection gets, or what goes wrong, is decided by the name
 * that the client asks for, or by the address if it names none. */
struct tls {
	struct authority authority;
	SSL_CTX *ctx;
	char *authority_path; /* a file that goes with it */
	const struct server_plan *plan;
	struct pv_map places; /* of the certificates that were made */
	struct pv_arena names;
	X509 **certificates;
	size_t count;
	size_t size;
};

struct tls_session {
	struct tls *tls;
	SSL *ssl;
	struct pv_address address;
	enum server_tls_kind kind; /* when the client has said whom it wants */
};

enum tls_result {
	TLS_GOES_ON,
	TLS_FAILED,     /* what is to be said of it is in `out` */
	TLS_MISBEHAVES, /* as the session's kind says */
};

/* False, with a line for whoever runs the test, if that cannot be had. The plan
 * lives longer. */
bool tls_init(struct tls *tls, const struct server_plan *plan);
void tls_finish(struct tls *tls);

struct tls_session *tls_session_create(
    struct tls *tls, struct pv_address address);
void tls_session_destroy(struct tls_session *session);

/* Takes what was received: appends what it says to `plain`, and what has to be
 * answered for TLS's sake to `out`. */
enum tls_result tls_open(struct tls_session *session, struct pv_str received,
    struct pv_buf *plain, struct pv_buf *out);

/* Appends to `out` what has to be sent for the text. */
void tls_seal(
    struct tls_session *session, struct pv_str plain, struct pv_buf *out);

/* That no more will come. */
void tls_seal_end(struct tls_session *session, struct pv_buf *out);

#endif
