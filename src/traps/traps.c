#include "traps/traps.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "policy/values/host_pattern.h"
#include "traps/address_pattern.h"
#include "traps/session.h"
#include "url/site.h"

/* Longer addresses are not visited. */
#define TEXT_MAX ((size_t)2 * PV_SEED_ADDRESS_MAX)

struct pv_traps {
	const struct pv_policy *policy;
	struct pv_hash_key key;
	struct pv_key_table named; /* hosts that the policy lists */

	pthread_mutex_t mutex; /* for what follows */
	struct pv_trap_counts counts;
	struct pv_trap_notices notices;

	/* so that nobody looks in vain */
	atomic_bool has_closed; /* patterns */
	atomic_bool has_notices;
};

/* What things are known by */

static uint64_t hash(const struct pv_traps *traps, struct pv_str text)
{
	return pv_hash(&traps->key, text);
}

static struct pv_str host_of(const struct pv_url *url)
{
	return pv_host_name_trim(pv_url_host(url));
}

/* Of a text that belongs to a host, or to a site. */
static uint64_t hash_below(
    const struct pv_traps *traps, uint64_t owner, struct pv_str text)
{
	const struct pv_hash_key key = {
	    {traps->key.word[0] ^ owner, traps->key.word[1]}};
	return pv_hash(&key, text);
}

static uint64_t hash_pattern(
    const struct pv_traps *traps, const struct pv_url *url)
{
	struct pv_buf pattern;
	pv_buf_init(&pattern, TEXT_MAX);
	pv_address_pattern_write(url, &pattern);
	uint64_t key = hash(traps, pv_buf_str(&pattern));
	pv_buf_finish(&pattern);
	return key;
}

/* Opening */

/* The hosts that the policy names one by one. */
static void name_hosts(struct pv_traps *traps)
{
	const struct pv_host_choice *hosts = &traps->policy->scope.hosts;
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	for (size_t i = 0; i < hosts->listed.count; i++) {
		struct pv_host_pattern pattern;
		pv_buf_clear(&text);
		if (!pv_host_pattern_read(
			pv_str_of(hosts->listed.items[i]), &pattern, &text) &&
		    pattern.kind == PV_HOST_EXACT)
			pv_key_table_add(
			    &traps->named, hash(traps, pattern.name));
	}
	pv_buf_finish(&text);
}

static bool counts_bodies(const struct pv_traps *traps)
{
	return traps->policy->scope.traps.same_body != PV_NONE;
}

/* A page may come so often before it leads no further; and what comes once is
 * the same as nothing else. */
static void init_bodies(struct pv_traps *traps)
{
	uint32_t most = counts_bodies(traps)
			    ? (uint32_t)traps->policy->scope.traps.same_body
			    : UINT32_MAX - 1;
	pv_same_body_init(&traps->counts.pages, most + 1);
	pv_same_body_init(&traps->counts.patterns, most < 2 ? 2 : most);
}

struct pv_traps *pv_traps_create(
    const struct pv_policy *policy, struct pv_hash_key key)
{
	struct pv_traps *traps = pv_alloc(sizeof(*traps));
	traps->policy = policy;
	traps->key = key;
	pthread_mutex_init(&traps->mutex, NULL);
	init_bodies(traps);
	pv_quota_init(&traps->counts.sessions, policy->scope.traps.sessions);
	pv_quota_init(&traps->counts.hosts, policy->scope.traps.subdomains);
	pv_trap_notices_init(&traps->notices, key);
	pv_key_table_init(&traps->named, SIZE_MAX, false);
	name_hosts(traps);
	return traps;
}

void pv_traps_destroy(struct pv_traps *traps)
{
	if (!traps)
		return;
	pv_same_body_finish(&traps->counts.pages);
	pv_same_body_finish(&traps->counts.patterns);
	pv_quota_finish(&traps->counts.sessions);
	pv_quota_finish(&traps->counts.hosts);
	pv_trap_notices_finish(&traps->notices);
	pv_key_table_finish(&traps->named);
	pthread_mutex_destroy(&traps->mutex);
	free(traps);
}

struct pv_trap_counts *pv_traps_lock(struct pv_traps *traps)
{
	pthread_mutex_lock(&traps->mutex);
	return &traps->counts;
}

/* While the mutex was held, the fields that are read without it may have
 * changed. */
void pv_traps_unlock(struct pv_traps *traps)
{
	bool has_closed = traps->counts.patterns.at_most > 0;
	bool has_notices = traps->notices.count > 0;
	if (atomic_load(&traps->has_closed) != has_closed)
		atomic_store(&traps->has_closed, has_closed);
	if (atomic_load(&traps->has_notices) != has_notices)
		atomic_store(&traps->has_notices, has_notices);
	pthread_mutex_unlock(&traps->mutex);
}

/* Pages */

bool pv_traps_take_page(struct pv_traps *traps, const struct pv_url *url,
    const uint8_t digest[PV_DIGEST_SIZE], bool is_repeated)
{
	const struct pv_str text = {(const char *)digest, PV_DIGEST_SIZE};
	if (!counts_bodies(traps))
		return false;
	uint64_t body = hash(traps, text);
	uint64_t host = hash(traps, host_of(url));
	uint64_t page = hash_below(traps, host, text);
	uint64_t pattern = hash_pattern(traps, url);
	struct pv_trap_counts *counts = pv_traps_lock(traps);
	if (!is_repeated) {
		pv_same_body_add(&counts->pages, page, body, host);
		pv_same_body_add(&counts->patterns, pattern, body, host);
	}
	bool is_trap =
	    pv_same_body_get(&counts->pages, page) == counts->pages.most;
	pv_traps_unlock(traps);
	return is_trap;
}

void pv_traps_note_page(struct pv_traps *traps, const struct pv_url *url)
{
	pv_traps_lock(traps);
	pv_trap_notices_add(&traps->notices, PV_TRAP_PAGE, host_of(url));
	pv_traps_unlock(traps);
}

static bool is_closed(struct pv_traps *traps, uint64_t pattern)
{
	const struct pv_same_body *patterns = &traps->counts.patterns;
	return pv_same_body_get(patterns, pattern) == patterns->most;
}

bool pv_traps_is_closed(struct pv_traps *traps, const struct pv_url *url)
{
	if (!atomic_load(&traps->has_closed))
		return false;
	uint64_t pattern = hash_pattern(traps, url);
	pv_traps_lock(traps);
	bool is_trap = is_closed(traps, pattern);
	if (is_trap)
		pv_trap_notices_add(
		    &traps->notices, PV_TRAP_PATTERN, host_of(url));
	pv_traps_unlock(traps);
	return is_trap;
}

/* Links */

/* A link, by what it is known by. */
struct trial {
	const struct pv_trap_link *link;
	uint64_t host;
	bool is_new_host; /* as it was found */
	struct pv_str site;
	uint64_t site_key;
	bool has_pattern; /* to be looked up */
	uint64_t pattern;
	bool has_session;
	uint64_t session;
};

static void find_session(const struct pv_traps *traps, struct trial *trial)
{
	struct pv_buf identifier;
	if (!pv_quota_is_on(&traps->counts.sessions))
		return;
	pv_buf_init(&identifier, TEXT_MAX);
	trial->has_session = pv_session_find(trial->link->url, &identifier);
	if (trial->has_session)
		trial->session =
		    hash_below(traps, trial->host, pv_buf_str(&identifier));
	pv_buf_finish(&identifier);
}

/* The list of public suffixes is not looked up under the lock, and only for
 * hosts that are new. */
static void find_site(struct pv_traps *traps, struct trial *trial)
{
	const struct pv_quota *hosts = &traps->counts.hosts;
	if (!pv_quota_is_on(hosts))
		return;
	pthread_mutex_lock(&traps->mutex);
	trial->is_new_host = !pv_quota_has(hosts, trial->host);
	pthread_mutex_unlock(&traps->mutex);
	if (!trial->is_new_host)
		return;
	trial->site = pv_site_of(host_of(trial->link->url));
	trial->site_key = hash(traps, trial->site);
}

static bool is_new_session(
    const struct pv_traps *traps, const struct trial *trial)
{
	const struct pv_quota *sessions = &traps->counts.sessions;
	return trial->has_session && !pv_quota_has(sessions, trial->session) &&
	       !pv_quota_has_room(sessions, trial->host);
}

static bool is_new_host(const struct pv_traps *traps, const struct trial *trial)
{
	const struct pv_quota *hosts = &traps->counts.hosts;
	return trial->is_new_host && !pv_quota_has(hosts, trial->host) &&
	       !pv_key_table_has(&traps->named, trial->host) &&
	       !pv_quota_has_room(hosts, trial->site_key);
}

static enum pv_reason judge(struct pv_traps *traps, const struct trial *trial)
{
	struct pv_trap_notices *notices = &traps->notices;
	struct pv_str host = host_of(trial->link->url);
	if (trial->link->is_named)
		return PV_REASON_NONE;
	if (trial->has_pattern && is_closed(traps, trial->pattern)) {
		pv_trap_notices_add(notices, PV_TRAP_PATTERN, host);
		return PV_REASON_SAME_BODY;
	}
	if (is_new_session(traps, trial)) {
		pv_trap_notices_add(notices, PV_TRAP_SESSION, host);
		return PV_REASON_SESSION;
	}
	if (is_new_host(traps, trial)) {
		pv_trap_notices_add(notices, PV_TRAP_SUBDOMAINS, trial->site);
		return PV_REASON_SUBDOMAINS;
	}
	return PV_REASON_NONE;
}

static void count(struct pv_traps *traps, const struct trial *trial)
{
	struct pv_trap_counts *counts = &traps->counts;
	if (trial->has_session)
		pv_quota_add(&counts->sessions, trial->host, trial->session);
	if (trial->is_new_host)
		pv_quota_add(&counts->hosts, trial->site_key, trial->host);
	if (counts->sessions.is_full)
		pv_trap_notices_add(&traps->notices, PV_TRAP_UNCOUNTED,
		    PV_STR("session identifiers"));
	if (counts->hosts.is_full)
		pv_trap_notices_add(
		    &traps->notices, PV_TRAP_UNCOUNTED, PV_STR("hosts"));
}

enum pv_reason pv_traps_ask(
    struct pv_traps *traps, const struct pv_trap_link *link)
{
	struct trial trial = {
	    .link = link,
	    .host = hash(traps, host_of(link->url)),
	    .has_pattern = link->is_page && atomic_load(&traps->has_closed),
	};
	find_session(traps, &trial);
	find_site(traps, &trial);
	if (trial.has_pattern)
		trial.pattern = hash_pattern(traps, link->url);
	if (!trial.has_pattern && !trial.has_session && !trial.is_new_host)
		return PV_REASON_NONE;
	pv_traps_lock(traps);
	enum pv_reason reason = judge(traps, &trial);
	if (reason == PV_REASON_NONE)
		count(traps, &trial);
	pv_traps_unlock(traps);
	return reason;
}

void pv_traps_add_host(struct pv_traps *traps, struct pv_str host)
{
	host = pv_host_name_trim(host);
	pv_quota_add(&traps->counts.hosts, hash(traps, pv_site_of(host)),
	    hash(traps, host));
}

bool pv_traps_has_room(
    struct pv_traps *traps, struct pv_str host, uint64_t *site)
{
	const struct pv_quota *hosts = &traps->counts.hosts;
	if (!pv_quota_is_on(hosts))
		return false;
	*site = hash(traps, pv_site_of(pv_host_name_trim(host)));
	pthread_mutex_lock(&traps->mutex);
	bool has_room = pv_quota_has_room(hosts, *site);
	pthread_mutex_unlock(&traps->mutex);
	return has_room;
}

/* Telling */

void pv_traps_tell(struct pv_traps *traps, const struct pv_log *log)
{
	struct pv_trap_notice notices[PV_TRAP_NOTICES_WAITING];
	if (!atomic_load(&traps->has_notices))
		return;
	pv_traps_lock(traps);
	size_t count = traps->notices.count;
	memcpy(notices, traps->notices.waiting, count * sizeof(*notices));
	traps->notices.count = 0;
	pv_traps_unlock(traps);
	for (size_t i = 0; i < count; i++)
		pv_trap_notice_tell(&notices[i], &traps->policy->scope, log);
}
