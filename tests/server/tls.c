#include "server/tls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <openssl/err.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/glob.h"
#include "base/reader.h"

#define NAMES_MAX 100000
#define PIECE 16384

/* Choosing a certificate */

/* The first name of the extension (RFC 6066, 3): the length of the list, a type
 * of 0, the length of the name, and the name. */
static struct pv_str name_asked_for(SSL *ssl)
{
	const unsigned char *bytes;
	size_t size;
	if (!SSL_client_hello_get0_ext(
		ssl, TLSEXT_TYPE_server_name, &bytes, &size))
		return (struct pv_str){NULL, 0};
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)bytes, size});
	pv_reader_take(&reader, 3);
	int high = pv_reader_next(&reader);
	int low = pv_reader_next(&reader);
	if (low < 0)
		return (struct pv_str){NULL, 0};
	return pv_reader_take(&reader, (size_t)(high << 8 | low));
}

static enum server_tls_kind kind_of(
    const struct server_plan *plan, struct pv_str name)
{
	for (size_t i = 0; i < plan->tls_name_count; i++) {
		const struct server_tls_name *row = &plan->tls_names[i];
		if (pv_glob_match(pv_str_of(row->host), name))
			return row->kind;
	}
	return SERVER_TLS_GOOD;
}

/* Each is made once. Past so many names, each gets the first. */
static X509 *certificate_of(
    struct tls *tls, struct pv_str name, enum server_tls_kind kind)
{
	uint32_t *place = pv_map_get(&tls->places, name);
	if (place)
		return tls->certificates[*place];
	if (tls->count >= NAMES_MAX)
		return tls->certificates[0];
	X509 *certificate = certificate_create(&tls->authority, name, kind);
	if (!certificate)
		return NULL;
	pv_map_add(&tls->places, pv_arena_copy(&tls->names, name),
	    (uint32_t)tls->count);
	*PV_ARRAY_PUSH(tls->certificates, tls->count, tls->size) = certificate;
	return certificate;
}

static int on_hello(SSL *ssl, int *alert, void *ctx)
{
	struct tls *tls = ctx;
	struct tls_session *session = SSL_get_app_data(ssl);
	struct pv_str name = name_asked_for(ssl);
	struct pv_buf address;
	pv_buf_init(&address, 64);
	if (!name.ptr) {
		pv_address_write(&session->address, &address);
		name = pv_buf_str(&address);
	}
	session->kind = kind_of(tls->plan, name);
	int result = SSL_CLIENT_HELLO_RETRY;
	if (session->kind < SERVER_TLS_STALLS) {
		X509 *certificate = certificate_of(tls, name, session->kind);
		*alert = SSL_AD_INTERNAL_ERROR;
		result =
		    certificate && SSL_use_certificate(ssl, certificate) &&
			    SSL_use_PrivateKey(ssl, tls->authority.leaf_key)
			? SSL_CLIENT_HELLO_SUCCESS
			: SSL_CLIENT_HELLO_ERROR;
	}
	pv_buf_finish(&address);
	return result;
}

static int on_protocols(SSL *ssl, const unsigned char **chosen,
    unsigned char *chosen_len, const unsigned char *offered,
    unsigned int offered_len, void *ctx)
{
	static const unsigned char ours[] = "\x08http/1.1";
	unsigned char *found;
	(void)ssl;
	(void)ctx;
	if (SSL_select_next_proto(&found, chosen_len, ours, sizeof(ours) - 1,
		offered, offered_len) != OPENSSL_NPN_NEGOTIATED)
		return SSL_TLSEXT_ERR_NOACK;
	*chosen = found;
	return SSL_TLSEXT_ERR_OK;
}

/* Life */

/* In the directory where the test runs, but as a path that is good anywhere. Its
 * name has no capitals: scenes write ports where a policy has TLS or PORT. */
static char *make_path(void)
{
	char path[PATH_MAX];
	struct pv_buf buf;
	int fd = -1;
	pv_buf_init(&buf, PATH_MAX);
	if (!getcwd(path, sizeof(path)))
		return NULL;
	for (unsigned i = 0; fd < 0 && (i == 0 || errno == EEXIST); i++) {
		pv_buf_clear(&buf);
		pv_buf_append_format(
		    &buf, "%s/authority.%ld.%u", path, (long)getpid(), i);
		fd = open(pv_buf_text(&buf), O_CREAT | O_EXCL | O_RDWR, 0600);
	}
	if (fd < 0) {
		pv_buf_finish(&buf);
		return NULL;
	}
	close(fd);
	return pv_buf_take(&buf);
}

bool tls_init(struct tls *tls, const struct server_plan *plan)
{
	*tls =
	    (struct tls){.plan = plan, .ctx = SSL_CTX_new(TLS_server_method())};
	pv_map_init(&tls->places, (struct pv_hash_key){{3, 4}});
	pv_arena_init(&tls->names);
	if (!tls->ctx || !authority_init(&tls->authority)) {
		ERR_print_errors_fp(stderr);
		return false;
	}
	SSL_CTX_set_mode(tls->ctx, SSL_MODE_RELEASE_BUFFERS);
	SSL_CTX_set_client_hello_cb(tls->ctx, on_hello, tls);
	SSL_CTX_set_alpn_select_cb(tls->ctx, on_protocols, NULL);
	tls->authority_path = make_path();
	return tls->authority_path &&
	       authority_write(&tls->authority, tls->authority_path);
}

void tls_finish(struct tls *tls)
{
	if (tls->authority_path)
		unlink(tls->authority_path);
	free(tls->authority_path);
	for (size_t i = 0; i < tls->count; i++)
		X509_free(tls->certificates[i]);
	free(tls->certificates);
	pv_map_finish(&tls->places);
	pv_arena_finish(&tls->names);
	SSL_CTX_free(tls->ctx);
	authority_finish(&tls->authority);
}

struct tls_session *tls_session_create(
    struct tls *tls, struct pv_address address)
{
	struct tls_session *session = pv_alloc(sizeof(*session));
	*session = (struct tls_session){
	    .tls = tls,
	    .ssl = SSL_new(tls->ctx),
	    .address = address,
	};
	SSL_set_app_data(session->ssl, session);
	SSL_set_bio(session->ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
	SSL_set_accept_state(session->ssl);
	return session;
}

void tls_session_destroy(struct tls_session *session)
{
	if (!session)
		return;
	SSL_free(session->ssl);
	free(session);
}

/* Sessions */

static void move_out(struct tls_session *session, struct pv_buf *out)
{
	char *bytes;
	BIO *bio = SSL_get_wbio(session->ssl);
	long len = BIO_get_mem_data(bio, &bytes);
	if (len > 0)
		pv_buf_append(out, (struct pv_str){bytes, (size_t)len});
	(void)BIO_reset(bio);
}

static enum tls_result result_of(struct tls_session *session, int status)
{
	int error = SSL_get_error(session->ssl, status);
	ERR_clear_error();
	if (error == SSL_ERROR_WANT_CLIENT_HELLO_CB)
		return TLS_MISBEHAVES;
	return error == SSL_ERROR_WANT_READ ? TLS_GOES_ON : TLS_FAILED;
}

enum tls_result tls_open(struct tls_session *session, struct pv_str received,
    struct pv_buf *plain, struct pv_buf *out)
{
	char bytes[PIECE];
	int len;
	BIO_write(SSL_get_rbio(session->ssl), received.ptr, (int)received.len);
	while ((len = SSL_read(session->ssl, bytes, sizeof(bytes))) > 0)
		pv_buf_append(plain, (struct pv_str){bytes, (size_t)len});
	enum tls_result result = result_of(session, len);
	move_out(session, out);
	return result;
}

void tls_seal(
    struct tls_session *session, struct pv_str plain, struct pv_buf *out)
{
	if (plain.len)
		SSL_write(session->ssl, plain.ptr, (int)plain.len);
	ERR_clear_error();
	move_out(session, out);
}

void tls_seal_end(struct tls_session *session, struct pv_buf *out)
{
	SSL_shutdown(session->ssl);
	ERR_clear_error();
	move_out(session, out);
}
