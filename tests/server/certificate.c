#include "server/certificate.h"

#include <stdio.h>

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#define AUTHORITY "an authority of a test"
#define HOST "a host of a test"

#define HOUR 3600L
#define DAY (24 * HOUR)

/* What is not after and not before now, in seconds from now. */
struct span {
	long from;
	long to;
};

bool authority_write(const struct authority *authority, const char *path)
{
	FILE *file = fopen(path, "w");
	if (!file)
		return false;
	bool is_written = PEM_write_X509(file, authority->certificate);
	return fclose(file) == 0 && is_written;
}

static void set_number(X509 *certificate)
{
	uint64_t number = 0;
	RAND_bytes((unsigned char *)&number, sizeof(number));
	ASN1_INTEGER_set_uint64(
	    X509_get_serialNumber(certificate), number >> 1);
}

static void set_name(X509_NAME *name, const char *text)
{
	X509_NAME_add_entry_by_txt(
	    name, "CN", MBSTRING_ASC, (const unsigned char *)text, -1, -1, 0);
}

static X509 *blank(const char *subject, EVP_PKEY *key, struct span span)
{
	X509 *certificate = X509_new();
	X509_set_version(certificate, X509_VERSION_3);
	set_number(certificate);
	X509_gmtime_adj(X509_getm_notBefore(certificate), span.from);
	X509_gmtime_adj(X509_getm_notAfter(certificate), span.to);
	set_name(X509_get_subject_name(certificate), subject);
	X509_set_pubkey(certificate, key);
	return certificate;
}

static void add(X509 *certificate, int nid, const char *value)
{
	X509V3_CTX ctx;
	X509V3_set_ctx(&ctx, certificate, certificate, NULL, NULL, 0);
	X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &ctx, nid, value);
	X509_add_ext(certificate, extension, -1);
	X509_EXTENSION_free(extension);
}

/* By its bytes, since a name may hold what means something to OpenSSL's
 * configuration. */
static void add_name(X509 *certificate, struct pv_str name)
{
	struct pv_address address;
	GENERAL_NAMES *names = GENERAL_NAMES_new();
	GENERAL_NAME *entry = GENERAL_NAME_new();
	bool is_address = pv_address_read(name, &address);
	ASN1_STRING *value = ASN1_STRING_type_new(
	    is_address ? V_ASN1_OCTET_STRING : V_ASN1_IA5STRING);
	if (is_address)
		ASN1_STRING_set(value, address.bytes, address.bits / 8);
	else
		ASN1_STRING_set(value, name.ptr, (int)name.len);
	GENERAL_NAME_set0_value(entry, is_address ? GEN_IPADD : GEN_DNS, value);
	sk_GENERAL_NAME_push(names, entry);
	X509_add1_ext_i2d(certificate, NID_subject_alt_name, names, 0, 0);
	GENERAL_NAMES_free(names);
}

static struct span span_of(enum server_tls_kind kind)
{
	if (kind == SERVER_TLS_EXPIRED)
		return (struct span){-2 * DAY, -HOUR};
	if (kind == SERVER_TLS_NOT_YET_VALID)
		return (struct span){HOUR, 2 * DAY};
	return (struct span){-DAY, DAY};
}

static EVP_PKEY *signer_of(
    const struct authority *authority, enum server_tls_kind kind)
{
	if (kind == SERVER_TLS_SELF_SIGNED)
		return authority->leaf_key;
	if (kind == SERVER_TLS_UNKNOWN_AUTHORITY)
		return authority->stranger_key;
	return authority->key;
}

static const char *issuer_of(enum server_tls_kind kind)
{
	if (kind == SERVER_TLS_SELF_SIGNED)
		return HOST;
	if (kind == SERVER_TLS_UNKNOWN_AUTHORITY)
		return "an authority of nobody's";
	return AUTHORITY;
}

X509 *certificate_create(const struct authority *authority, struct pv_str name,
    enum server_tls_kind kind)
{
	X509 *certificate = blank(HOST, authority->leaf_key, span_of(kind));
	set_name(X509_get_issuer_name(certificate), issuer_of(kind));
	add_name(certificate,
	    kind == SERVER_TLS_WRONG_NAME ? PV_STR("elsewhere.test") : name);
	if (X509_sign(certificate, signer_of(authority, kind), EVP_sha256()))
		return certificate;
	X509_free(certificate);
	return NULL;
}

bool authority_init(struct authority *authority)
{
	*authority = (struct authority){
	    .key = EVP_EC_gen("P-256"),
	    .stranger_key = EVP_EC_gen("P-256"),
	    .leaf_key = EVP_EC_gen("P-256"),
	};
	if (!authority->key || !authority->stranger_key || !authority->leaf_key)
		return false;
	X509 *certificate =
	    blank(AUTHORITY, authority->key, (struct span){-DAY, DAY});
	set_name(X509_get_issuer_name(certificate), AUTHORITY);
	add(certificate, NID_basic_constraints, "critical,CA:TRUE");
	add(certificate, NID_key_usage, "critical,keyCertSign,cRLSign");
	authority->certificate = certificate;
	return X509_sign(certificate, authority->key, EVP_sha256()) != 0;
}

void authority_finish(struct authority *authority)
{
	X509_free(authority->certificate);
	EVP_PKEY_free(authority->key);
	EVP_PKEY_free(authority->stranger_key);
	EVP_PKEY_free(authority->leaf_key);
}
