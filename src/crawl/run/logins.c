#include "crawl/run/logins.h"

#include <stdlib.h>

#include "base/array.h"

#define AUTHORITY_MAX 65536

struct pv_login {
	struct pv_str authority; /* "https://example.org:8080" */
	struct pv_str directory; /* "/private/" */
	struct pv_str words;     /* "user:password" */
	bool is_of_before;
	size_t next; /* of the same authority; 0 for none */
};

void pv_logins_init(struct pv_logins *logins)
{
	*logins = (struct pv_logins){.count = 0};
	pv_map_init(&logins->first, (struct pv_hash_key){{0}});
	pv_arena_init(&logins->texts);
}

void pv_logins_finish(struct pv_logins *logins)
{
	free(logins->items);
	pv_map_finish(&logins->first);
	pv_arena_finish(&logins->texts);
}

static struct pv_str directory_of(const struct pv_url *url)
{
	struct pv_str path = pv_url_path(url);
	return pv_str_head(path, pv_str_find_last(path, '/') + 1);
}

static struct pv_str words_of(const struct pv_url *url)
{
	size_t start = pv_url_scheme(url).len + strlen("://");
	size_t end = url->parts.host;
	return pv_url_has_credentials(url)
		   ? pv_str_head(
			 pv_str_from(pv_url_text(url), start), end - start - 1)
		   : PV_STR("");
}

/* The first login of the url's authority; NULL if there is none. */
static struct pv_login *first_of(
    const struct pv_logins *logins, const struct pv_url *url)
{
	struct pv_buf authority;
	if (!logins->count)
		return NULL;
	pv_buf_init(&authority, AUTHORITY_MAX);
	pv_url_write_authority(url, &authority);
	const uint32_t *number =
	    pv_map_get(&logins->first, pv_buf_str(&authority));
	pv_buf_finish(&authority);
	return number ? &logins->items[*number] : NULL;
}

static struct pv_login *next_of(
    const struct pv_logins *logins, const struct pv_login *login)
{
	return login->next ? &logins->items[login->next] : NULL;
}

/* Takes one out of the row of its authority. */
static void unlink_login(struct pv_logins *logins, size_t place)
{
	struct pv_login *login = &logins->items[place];
	uint32_t *first = pv_map_get(&logins->first, login->authority);
	size_t before = *first;
	if (before == place && login->next) {
		*first = (uint32_t)login->next;
	} else if (before == place) {
		pv_map_remove(&logins->first, login->authority);
	} else {
		while (logins->items[before].next != place)
			before = logins->items[before].next;
		logins->items[before].next = login->next;
	}
}

/* A place for another login; PV_LOGINS_MAX if there is none. The first is never
 * given away: 0 stands for the end of a row. */
static size_t find_place(struct pv_logins *logins, bool is_of_before)
{
	if (logins->count < PV_LOGINS_MAX)
		return logins->count;
	if (is_of_before)
		return PV_LOGINS_MAX;
	while (++logins->reused < PV_LOGINS_MAX) {
		if (!logins->items[logins->reused].is_of_before)
			continue;
		unlink_login(logins, logins->reused);
		return logins->reused;
	}
	logins->reused = PV_LOGINS_MAX - 1;
	return PV_LOGINS_MAX;
}

/* Behind the others of its authority. */
static void put(struct pv_logins *logins, size_t place,
    const struct pv_login *login, const struct pv_url *url)
{
	struct pv_login *last = first_of(logins, url);
	while (last && last->next)
		last = &logins->items[last->next];
	struct pv_buf authority;
	struct pv_login added = *login;
	pv_buf_init(&authority, AUTHORITY_MAX);
	pv_url_write_authority(url, &authority);
	added.authority = pv_arena_copy(&logins->texts, pv_buf_str(&authority));
	pv_buf_finish(&authority);
	if (last)
		last->next = place;
	else
		pv_map_add(&logins->first, added.authority, (uint32_t)place);
	if (place < logins->count)
		logins->items[place] = added;
	else
		*PV_ARRAY_PUSH(logins->items, logins->count, logins->size) =
		    added;
}

enum pv_login_step pv_logins_add(
    struct pv_logins *logins, const struct pv_url *url, bool is_of_before)
{
	struct pv_str words = words_of(url), directory = directory_of(url);
	struct pv_login *login = first_of(logins, url);
	while (login && !pv_str_equal(login->directory, directory))
		login = next_of(logins, login);
	if (!words.len || (login && (!login->is_of_before || is_of_before)))
		return PV_LOGIN_KNOWN;
	if (login) {
		bool is_news = !pv_str_equal(login->words, words);
		login->is_of_before = false;
		if (is_news)
			login->words = pv_arena_copy(&logins->texts, words);
		return is_news ? PV_LOGIN_NEW : PV_LOGIN_KNOWN;
	}
	size_t place = find_place(logins, is_of_before);
	if (place >= PV_LOGINS_MAX)
		return PV_LOGIN_LEFT_OUT;
	struct pv_login added = {
	    .directory = pv_arena_copy(&logins->texts, directory),
	    .words = pv_arena_copy(&logins->texts, words),
	    .is_of_before = is_of_before,
	};
	put(logins, place, &added, url);
	return PV_LOGIN_NEW;
}

struct pv_str pv_logins_find(
    const struct pv_logins *logins, const struct pv_url *url)
{
	const struct pv_login *login = first_of(logins, url);
	const struct pv_login *nearest = login;
	size_t near = 0;
	for (; login; login = next_of(logins, login)) {
		if (login->directory.len > near &&
		    pv_str_starts(pv_url_path(url), login->directory)) {
			near = login->directory.len;
			nearest = login;
		}
	}
	return nearest ? nearest->words : PV_STR("");
}

void pv_logins_each(const struct pv_logins *logins,
    void (*each)(void *ctx, struct pv_str address), void *ctx)
{
	for (size_t i = 0; i < logins->count; i++) {
		const struct pv_login *login = &logins->items[i];
		size_t slashes = pv_str_find(login->authority, '/') + 2;
		struct pv_buf address;
		pv_buf_init(&address, SIZE_MAX);
		pv_buf_append(&address, pv_str_head(login->authority, slashes));
		pv_buf_append(&address, login->words);
		pv_buf_append_char(&address, '@');
		pv_buf_append(&address, pv_str_from(login->authority, slashes));
		pv_buf_append(&address, login->directory);
		each(ctx, pv_buf_str(&address));
		pv_buf_finish(&address);
	}
}
