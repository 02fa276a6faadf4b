#include "server/floods/records.h"

#include <openssl/hmac.h>

#include "base/reader.h"

#define CIPHER "TLS_AES_128_GCM_SHA256"
#define KEY_BYTES 16
#define TAG_BYTES 16
#define HEADER_BYTES 5
#define SECRET_NAME "SERVER_TRAFFIC_SECRET_0 "

/* What OpenSSL says of keys: a name, what the client drew, the secret, all in
 * hexadecimal, with a space between. */
static void on_secret(const SSL *ssl, const char *line)
{
	struct records *records = SSL_get_app_data(ssl);
	struct pv_reader reader = pv_reader_of(pv_str_of(line));
	size_t len = 0;
	if (!pv_reader_accept_str(&reader, PV_STR(SECRET_NAME)))
		return;
	pv_reader_take_until(&reader, ' ');
	pv_reader_accept(&reader, ' ');
	records->has_secret =
	    OPENSSL_hexstr2buf_ex(records->secret, sizeof(records->secret),
		&len, reader.at, '\0') == 1 &&
	    len == sizeof(records->secret);
}

bool records_prepare(SSL_CTX *ctx)
{
	SSL_CTX_set_keylog_callback(ctx, on_secret);
	return SSL_CTX_set_min_proto_version(ctx, TLS1_3_VERSION) == 1 &&
	       SSL_CTX_set_ciphersuites(ctx, CIPHER) == 1 &&
	       SSL_CTX_set_num_tickets(ctx, 0) == 1;
}

bool records_init(struct records *records)
{
	*records = (struct records){.cipher = EVP_CIPHER_CTX_new()};
	return records->cipher != NULL;
}

void records_finish(struct records *records)
{
	EVP_CIPHER_CTX_free(records->cipher);
}

/* HKDF-Expand-Label of no context, and no longer than a hash (RFC 8446, 7.1;
 * RFC 5869, 2.3). */
static void expand(const struct records *records, const char *label,
    unsigned char *out, size_t len)
{
	unsigned char hash[EVP_MAX_MD_SIZE];
	struct pv_buf info;
	pv_buf_init(&info, 64);
	pv_buf_append_char(&info, '\0');
	pv_buf_append_char(&info, (char)len);
	pv_buf_append_char(&info, (char)(strlen("tls13 ") + strlen(label)));
	pv_buf_append_format(&info, "tls13 %s", label);
	pv_buf_append_char(&info, '\0');
	pv_buf_append_char(&info, '\x01');
	HMAC(EVP_sha256(), records->secret, sizeof(records->secret),
	    (const unsigned char *)info.ptr, info.len, hash, NULL);
	memcpy(out, hash, len);
	pv_buf_finish(&info);
}

static bool use_keys(struct records *records)
{
	unsigned char key[KEY_BYTES];
	expand(records, "key", key, sizeof(key));
	expand(records, "iv", records->iv, sizeof(records->iv));
	records->number = 0;
	return EVP_EncryptInit_ex(
		   records->cipher, EVP_aes_128_gcm(), NULL, key, NULL) == 1;
}

bool records_start(struct records *records)
{
	return records->has_secret && use_keys(records);
}

void records_update(struct records *records)
{
	unsigned char next[RECORD_SECRET_BYTES];
	expand(records, "traffic upd", next, sizeof(next));
	memcpy(records->secret, next, sizeof(next));
	use_keys(records);
}

/* RFC 8446, 5.3 */
static void set_nonce(struct records *records)
{
	unsigned char nonce[RECORD_IV_BYTES];
	memcpy(nonce, records->iv, sizeof(nonce));
	for (size_t i = 0; i < 8; i++)
		nonce[RECORD_IV_BYTES - 1 - i] ^=
		    (unsigned char)(records->number >> 8 * i);
	records->number++;
	EVP_EncryptInit_ex(records->cipher, NULL, NULL, NULL, nonce);
}

void records_seal(struct records *records, uint8_t type, struct pv_str text,
    struct pv_buf *out)
{
	size_t sealed = text.len + 1 + TAG_BYTES;
	unsigned char header[HEADER_BYTES] = {RECORD_DATA, 3, 3,
	    (unsigned char)(sealed >> 8), (unsigned char)sealed};
	int len;
	pv_buf_append(
	    out, (struct pv_str){(const char *)header, sizeof(header)});
	unsigned char *at = (unsigned char *)pv_buf_make_room(out, sealed);
	if (!at)
		return;
	set_nonce(records);
	EVP_EncryptUpdate(records->cipher, NULL, &len, header, sizeof(header));
	EVP_EncryptUpdate(records->cipher, at, &len,
	    (const unsigned char *)pv_str_bytes(text), (int)text.len);
	EVP_EncryptUpdate(records->cipher, at + text.len, &len, &type, 1);
	EVP_EncryptFinal_ex(records->cipher, at + text.len + 1, &len);
	EVP_CIPHER_CTX_ctrl(records->cipher, EVP_CTRL_AEAD_GET_TAG, TAG_BYTES,
	    at + text.len + 1);
	out->len += sealed;
}
