#include "url/crawl_identity.h"

#include "url/percent.h"

void pv_crawl_identity_init(struct pv_crawl_identity *identity)
{
	*identity = (struct pv_crawl_identity){.documents = NULL};
	pv_aliases_init(&identity->aliases);
	pv_arena_init(&identity->arena);
}

void pv_crawl_identity_finish(struct pv_crawl_identity *identity)
{
	pv_aliases_finish(&identity->aliases);
	pv_arena_finish(&identity->arena);
}

/* What a person wrote becomes what a canonical address holds. */
static struct pv_str *copy_all(struct pv_arena *arena, const char *const *texts,
    size_t count, enum pv_percent_set set)
{
	struct pv_str *copies =
	    pv_arena_give_array(arena, count, sizeof(*copies));
	for (size_t i = 0; i < count; i++) {
		struct pv_str text = pv_str_of(texts[i]);
		struct pv_buf canonical;
		pv_buf_init(&canonical, text.len * 3);
		pv_percent_append(&canonical, text, set);
		copies[i] = pv_arena_copy(arena, pv_buf_str(&canonical));
		pv_buf_finish(&canonical);
	}
	return copies;
}

struct pv_query_names pv_crawl_identity_names(
    struct pv_crawl_identity *identity, const char *const *globs, size_t count)
{
	return (struct pv_query_names){
	    copy_all(&identity->arena, globs, count, PV_PERCENT_QUERY), count};
}

void pv_crawl_identity_set_documents(struct pv_crawl_identity *identity,
    const char *const *documents, size_t count)
{
	identity->documents =
	    copy_all(&identity->arena, documents, count, PV_PERCENT_PATH);
	identity->document_count = count;
}

/* Puts a text that is not the address's own in the place of another; false, and
 * nothing changed, if the ceiling is in the way. */
static bool replace(
    struct pv_url *url, size_t start, size_t end, struct pv_str text)
{
	struct pv_url_parts *parts = &url->parts;
	struct pv_buf *buf = &url->text;
	size_t longer = start + text.len - end; /* it may wrap around */
	if (end < start + text.len && !pv_buf_reserve(buf, longer))
		return false;
	memmove(buf->ptr + start + text.len, buf->ptr + end, buf->len - end);
	memcpy(buf->ptr + start, pv_str_bytes(text), text.len);
	buf->len += longer;
	buf->ptr[buf->len] = '\0';
	parts->host_end += parts->host_end >= end ? longer : 0;
	parts->path += parts->path >= end ? longer : 0;
	parts->query += longer;
	parts->fragment += longer;
	return true;
}

/* The host without the dot that may end it. */
static struct pv_str trimmed_host(const struct pv_url *url)
{
	struct pv_str host = pv_url_host(url);
	if (host.len > 1 && host.ptr[host.len - 1] == '.')
		host.len--;
	return host;
}

static bool take_alias(
    const struct pv_crawl_identity *identity, struct pv_url *url)
{
	struct pv_str host = trimmed_host(url), name;
	size_t start = url->parts.host;
	if (pv_url_address(url) ||
	    !pv_aliases_find(&identity->aliases, host, &name))
		return false;
	pv_buf_clear(&url->scratch);
	return pv_buf_append(&url->scratch, name) &&
	       replace(url, start, start + host.len, pv_buf_str(&url->scratch));
}

static bool drop_document(
    const struct pv_crawl_identity *identity, struct pv_url *url)
{
	struct pv_str path = pv_url_path(url);
	struct pv_str last = pv_str_from(path, pv_str_find_last(path, '/') + 1);
	for (size_t i = 0; last.len && i < identity->document_count; i++) {
		if (pv_str_equal(identity->documents[i], last))
			return replace(url, url->parts.query - last.len,
			    url->parts.query, PV_STR(""));
	}
	return false;
}

static const struct pv_query_names *stripped_of(
    const struct pv_crawl_identity *identity, const struct pv_url *url)
{
	if (!identity->stripped_at)
		return &identity->stripped;
	return identity->stripped_at(
	    identity->stripped_ctx, trimmed_host(url), pv_url_address(url));
}

static bool strip(
    const struct pv_query_names *names, struct pv_url *url, size_t start)
{
	size_t len = url->parts.fragment - start;
	size_t kept = pv_query_strip(url->text.ptr + start, len, names);
	if (kept == len)
		return false;
	bool is_nothing = kept == PV_NOT_FOUND || kept == 0;
	url->parts.fragment = is_nothing ? url->parts.query : start + kept;
	pv_buf_cut(&url->text, url->parts.fragment);
	return true;
}

static unsigned change_query(
    const struct pv_crawl_identity *identity, struct pv_url *url)
{
	const struct pv_query_names *names = stripped_of(identity, url);
	size_t start = url->parts.query + 1;
	unsigned changes = 0;
	if (names->count && strip(names, url, start))
		changes |= PV_IDENTITY_STRIPPED;
	if (identity->is_sorted && pv_url_has_query(url) &&
	    pv_query_sort(url->text.ptr + start, url->parts.fragment - start,
		&url->scratch))
		changes |= PV_IDENTITY_SORTED;
	return changes;
}

unsigned pv_crawl_identity_apply(
    const struct pv_crawl_identity *identity, struct pv_url *url)
{
	unsigned changes = 0;
	pv_buf_cut(&url->text, url->parts.fragment);
	if (!pv_aliases_is_empty(&identity->aliases) &&
	    take_alias(identity, url))
		changes |= PV_IDENTITY_ALIAS;
	if (identity->document_count && drop_document(identity, url))
		changes |= PV_IDENTITY_DOCUMENT;
	if (pv_url_has_query(url))
		changes |= change_query(identity, url);
	return changes;
}
