#include "base/digest.h"

#include <openssl/evp.h>

#include "base/alloc.h"

/* An EVP_MD_CTX under a name of ours. */
static EVP_MD_CTX *theirs(struct pv_digester *digester)
{
	return (EVP_MD_CTX *)digester;
}

/* SHA-256 of what is in memory fails only for want of it. */
static void require(int is_done)
{
	if (!is_done)
		pv_alloc_fail(1, PV_DIGEST_SIZE);
}

void pv_digest(struct pv_str text, uint8_t digest[PV_DIGEST_SIZE])
{
	require(EVP_Digest(
	    pv_str_bytes(text), text.len, digest, NULL, EVP_sha256(), NULL));
}

#define BLOCK_SIZE 64

/* A key that is longer than a block of SHA-256 is replaced by its digest. */
static void fill_block(
    struct pv_str key, uint8_t mask, uint8_t block[BLOCK_SIZE])
{
	uint8_t digest[PV_DIGEST_SIZE];
	if (key.len > BLOCK_SIZE) {
		pv_digest(key, digest);
		key = (struct pv_str){(const char *)digest, PV_DIGEST_SIZE};
	}
	for (size_t i = 0; i < BLOCK_SIZE; i++)
		block[i] =
		    mask ^ (i < key.len ? (uint8_t)key.ptr[i] : (uint8_t)0);
}

static struct pv_str bytes_of(const uint8_t *bytes, size_t size)
{
	return (struct pv_str){(const char *)bytes, size};
}

/* RFC 2104, 2: the outer digest of the inner one. Written out, since OpenSSL's
 * own has another name in each of its versions. */
void pv_digest_keyed(
    struct pv_str key, struct pv_str text, uint8_t digest[PV_DIGEST_SIZE])
{
	struct pv_digester *digester = pv_digester_create();
	uint8_t block[BLOCK_SIZE];
	uint8_t inner[PV_DIGEST_SIZE];
	fill_block(key, 0x36, block);
	pv_digester_append(digester, bytes_of(block, BLOCK_SIZE));
	pv_digester_append(digester, text);
	pv_digester_end(digester, inner);
	fill_block(key, 0x5c, block);
	pv_digester_append(digester, bytes_of(block, BLOCK_SIZE));
	pv_digester_append(digester, bytes_of(inner, PV_DIGEST_SIZE));
	pv_digester_end(digester, digest);
	pv_digester_destroy(digester);
}

struct pv_digester *pv_digester_create(void)
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	require(context && EVP_DigestInit_ex(context, EVP_sha256(), NULL));
	return (struct pv_digester *)context;
}

void pv_digester_append(struct pv_digester *digester, struct pv_str piece)
{
	require(
	    EVP_DigestUpdate(theirs(digester), pv_str_bytes(piece), piece.len));
}

void pv_digester_end(
    struct pv_digester *digester, uint8_t digest[PV_DIGEST_SIZE])
{
	require(EVP_DigestFinal_ex(theirs(digester), digest, NULL) &&
		EVP_DigestInit_ex(theirs(digester), NULL, NULL));
}

void pv_digester_destroy(struct pv_digester *digester)
{
	EVP_MD_CTX_free(theirs(digester));
}

/* Volatile, lest the compiler stop at the first byte that differs. */
bool pv_digest_is_same(
    const uint8_t a[PV_DIGEST_SIZE], const uint8_t b[PV_DIGEST_SIZE])
{
	volatile uint8_t difference = 0;
	for (size_t i = 0; i < PV_DIGEST_SIZE; i++)
		difference |= a[i] ^ b[i];
	return difference == 0;
}

bool pv_digest_write(const uint8_t digest[PV_DIGEST_SIZE], struct pv_buf *buf)
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * PV_DIGEST_SIZE];
	for (size_t i = 0; i < PV_DIGEST_SIZE; i++) {
		text[2 * i] = digits[digest[i] >> 4];
		text[2 * i + 1] = digits[digest[i] & 15];
	}
	return pv_buf_append(buf, (struct pv_str){text, sizeof(text)});
}
