#include "fetch/trust.h"

#include <stdlib.h>

#include <curl/curl.h>

#include "base/array.h"

struct pv_trust_file {
	const char *path;  /* NULL: the system's */
	X509_STORE *store; /* NULL: it was not needed yet */
};

void pv_trust_init(struct pv_trust *trust)
{
	*trust = (struct pv_trust){.files = NULL};
	pthread_mutex_init(&trust->mutex, NULL);
}

void pv_trust_finish(struct pv_trust *trust)
{
	for (size_t i = 0; i < trust->count; i++)
		X509_STORE_free(trust->files[i].store);
	free(trust->files);
	pthread_mutex_destroy(&trust->mutex);
}

static bool is_same(const char *a, const char *b)
{
	if (!a || !b)
		return a == b;
	return a == b || strcmp(a, b) == 0;
}

static uint32_t find(struct pv_trust *trust, const char *file)
{
	for (size_t i = 0; i < trust->count; i++)
		if (is_same(trust->files[i].path, file))
			return (uint32_t)i;
	*PV_ARRAY_PUSH(trust->files, trust->count, trust->size) =
	    (struct pv_trust_file){.path = file};
	return (uint32_t)trust->count - 1;
}

uint32_t pv_trust_find(struct pv_trust *trust, const char *file)
{
	pthread_mutex_lock(&trust->mutex);
	uint32_t number = find(trust, file);
	pthread_mutex_unlock(&trust->mutex);
	return number;
}

/* Where they are by the build options of libcurl. */
static const char *system_file(void)
{
	return curl_version_info(CURLVERSION_NOW)->cainfo;
}

static bool load(X509_STORE *store, const char *path)
{
	if (!path)
		path = system_file();
	return path ? X509_STORE_load_locations(store, path, NULL)
		    : X509_STORE_set_default_paths(store);
}

/* Any certificate of the file is an authority, the host's own too; and a chain
 * that leads to one may have others in it that are not known. */
static X509_STORE *make_store(const char *path)
{
	X509_STORE *store = X509_STORE_new();
	if (!store)
		pv_alloc_fail(1, sizeof(void *));
	X509_STORE_set_flags(
	    store, X509_V_FLAG_TRUSTED_FIRST | X509_V_FLAG_PARTIAL_CHAIN);
	if (load(store, path))
		return store;
	X509_STORE_free(store);
	return NULL;
}

static void tell_fault(struct pv_buf *fault, const char *path)
{
	if (path)
		pv_buf_append_format(
		    fault, "no certificates can be read from %s", path);
	else
		pv_buf_append_format(fault,
		    "the system's certificates cannot be read%s%s",
		    system_file() ? " from " : "",
		    system_file() ? system_file() : "");
}

static X509_STORE *get(struct pv_trust_file *file, struct pv_buf *fault)
{
	if (!file->store)
		file->store = make_store(file->path);
	if (!file->store && fault)
		tell_fault(fault, file->path);
	return file->store;
}

X509_STORE *pv_trust_get(
    struct pv_trust *trust, uint32_t number, struct pv_buf *fault)
{
	pthread_mutex_lock(&trust->mutex);
	X509_STORE *store = get(&trust->files[number], fault);
	pthread_mutex_unlock(&trust->mutex);
	return store;
}
