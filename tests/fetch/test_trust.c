#include "fetch/trust.h"

#include <stdio.h>

#include "scratch.h"
#include "server/certificate.h"
#include "tap.h"

static void test_numbers(void)
{
	struct pv_trust trust;
	char path[] = "/a.pem";
	pv_trust_init(&trust);
	uint32_t system = pv_trust_find(&trust, NULL);
	uint32_t file = pv_trust_find(&trust, "/a.pem");
	ok(system != file && pv_trust_find(&trust, "/b.pem") != file,
	    "each file has its number");
	ok(pv_trust_find(&trust, NULL) == system &&
		pv_trust_find(&trust, path) == file,
	    "which stays the same");
	pv_trust_finish(&trust);
}

static void test_file(const struct scratch *scratch)
{
	struct pv_trust trust;
	struct authority authority;
	struct pv_buf fault;
	char path[512];
	snprintf(path, sizeof(path), "%s", scratch_file(scratch, "ca.pem"));
	pv_trust_init(&trust);
	pv_buf_init(&fault, 512);
	authority_init(&authority);
	uint32_t number = pv_trust_find(&trust, path);
	ok(!pv_trust_get(&trust, number, &fault), "a file that is missing");
	ok(strstr(pv_buf_text(&fault), path), "is named (P4)");
	fclose(fopen(path, "w"));
	ok(!pv_trust_get(&trust, number, &fault), "an empty one is no better");
	authority_write(&authority, path);
	X509_STORE *store = pv_trust_get(&trust, number, &fault);
	ok(store != NULL, "one that was mended is read");
	unlink(path);
	ok(store && pv_trust_get(&trust, number, &fault) == store,
	    "once, for all connections");
	authority_finish(&authority);
	pv_buf_finish(&fault);
	pv_trust_finish(&trust);
}

#define DEBIAN_AUTHORITIES "/etc/ssl/certs/ca-certificates.crt"

static void test_system(void)
{
	struct pv_trust trust;
	struct pv_buf fault;
	pv_trust_init(&trust);
	pv_buf_init(&fault, 512);
	uint32_t number = pv_trust_find(&trust, NULL);
	X509_STORE *store = pv_trust_get(&trust, number, &fault);
	if (store)
		ok(sk_X509_OBJECT_num(X509_STORE_get0_objects(store)) > 0 &&
			pv_trust_get(&trust, number, &fault) == store,
		    "the system's authorities are found, and read once");
	else if (access(DEBIAN_AUTHORITIES, R_OK) == 0)
		ok(false, "the system's authorities are found: %s",
		    pv_buf_text(&fault));
	else
		tap_skip(
		    "the system's authorities are found", pv_buf_text(&fault));
	pv_buf_finish(&fault);
	pv_trust_finish(&trust);
}

int main(void)
{
	struct scratch scratch;
	scratch_make(&scratch);
	test_numbers();
	test_file(&scratch);
	test_system();
	scratch_remove(&scratch);
	return tap_done();
}
