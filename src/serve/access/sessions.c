#include "serve/access/sessions.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/alloc.h"

struct session {
	uint8_t digest[PV_DIGEST_SIZE]; /* of its name */
	uint8_t token[PV_DIGEST_SIZE];
	int64_t end;
};

struct pv_sessions {
	pthread_mutex_t lock;
	int64_t lifetime_ms;
	size_t count;
	struct session items[PV_SESSIONS_MAX]; /* the oldest first */
};

struct pv_sessions *pv_sessions_create(int64_t lifetime_ms)
{
	struct pv_sessions *sessions = pv_alloc(sizeof(*sessions));
	pthread_mutex_init(&sessions->lock, NULL);
	sessions->lifetime_ms = lifetime_ms;
	return sessions;
}

void pv_sessions_destroy(struct pv_sessions *sessions)
{
	if (!sessions)
		return;
	pthread_mutex_destroy(&sessions->lock);
	free(sessions);
}

static void remove_first(struct pv_sessions *sessions, size_t first, size_t n)
{
	struct session *items = sessions->items;
	sessions->count -= n;
	memmove(items + first, items + first + n,
	    (sessions->count - first) * sizeof(*items));
}

/* They end in the order in which they began. */
static void remove_old(struct pv_sessions *sessions, int64_t now)
{
	size_t old = 0;
	while (old < sessions->count && sessions->items[old].end <= now)
		old++;
	remove_first(sessions, 0, old);
}

static bool make_id(char id[PV_SESSION_ID_SIZE])
{
	uint8_t bytes[PV_DIGEST_SIZE];
	struct pv_buf buf;
	if (getrandom(bytes, sizeof(bytes), 0) != (ssize_t)sizeof(bytes))
		return false;
	pv_buf_init(&buf, PV_SESSION_ID_SIZE);
	pv_digest_write(bytes, &buf);
	memcpy(id, pv_buf_text(&buf), PV_SESSION_ID_SIZE);
	pv_buf_finish(&buf);
	return true;
}

bool pv_sessions_begin(struct pv_sessions *sessions,
    const uint8_t token[PV_DIGEST_SIZE], int64_t now,
    char id[PV_SESSION_ID_SIZE])
{
	struct session session = {.end = now + sessions->lifetime_ms};
	if (!make_id(id))
		return false;
	pv_digest(pv_str_of(id), session.digest);
	memcpy(session.token, token, PV_DIGEST_SIZE);
	pthread_mutex_lock(&sessions->lock);
	remove_old(sessions, now);
	if (sessions->count == PV_SESSIONS_MAX)
		remove_first(sessions, 0, 1);
	sessions->items[sessions->count++] = session;
	pthread_mutex_unlock(&sessions->lock);
	return true;
}

/* Its place; PV_NOT_FOUND. All are compared, whichever it is. */
static size_t find(const struct pv_sessions *sessions, struct pv_str id)
{
	uint8_t digest[PV_DIGEST_SIZE];
	size_t found = PV_NOT_FOUND;
	pv_digest(id, digest);
	for (size_t i = 0; i < sessions->count; i++) {
		if (pv_digest_is_same(sessions->items[i].digest, digest))
			found = i;
	}
	return found;
}

bool pv_sessions_find(struct pv_sessions *sessions, struct pv_str id,
    int64_t now, uint8_t token[PV_DIGEST_SIZE])
{
	pthread_mutex_lock(&sessions->lock);
	remove_old(sessions, now);
	size_t found = find(sessions, id);
	if (found != PV_NOT_FOUND)
		memcpy(token, sessions->items[found].token, PV_DIGEST_SIZE);
	pthread_mutex_unlock(&sessions->lock);
	return found != PV_NOT_FOUND;
}

void pv_sessions_end(struct pv_sessions *sessions, struct pv_str id)
{
	pthread_mutex_lock(&sessions->lock);
	size_t found = find(sessions, id);
	if (found != PV_NOT_FOUND)
		remove_first(sessions, found, 1);
	pthread_mutex_unlock(&sessions->lock);
}
