#include "serve/fetches/fetches.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "base/system.h"
#include "policy/policy.h"
#include "serve/fetches/disk_limit.h"
#include "serve/fetches/fetch_keeper.h"
#include "serve/fetches/fetches_state.h"

/* Answers to keys are repeated for so long. */
#define KEY_MS (INT64_C(24) * 3600 * 1000)

/* Opening and closing */

static bool make_directory(const char *directory, struct pv_why *why)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/fetches", directory);
	bool is_made = pv_file_make_directory(pv_buf_text(&path), 0700);
	if (!is_made)
		pv_why_add(why, (struct pv_place){.file = directory},
		    PV_STR(""), "the fetches' directory cannot be made: %s",
		    strerror(errno));
	pv_buf_finish(&path);
	return is_made;
}

static void note_waiting(void *ctx, uint64_t number)
{
	pv_fetches_send_later(ctx, number);
}

struct pv_fetches *pv_fetches_open(
    const struct pv_fetches_plan *plan, struct pv_why *why)
{
	if (!make_directory(plan->directory, why))
		return NULL;
	struct pv_fetch_store *store =
	    pv_fetch_store_open(plan->directory, why);
	if (!store)
		return NULL;
	struct pv_fetches *fetches = pv_alloc(sizeof(*fetches));
	fetches->plan = *plan;
	fetches->store = store;
	pthread_mutex_init(&fetches->mutex, NULL);
	pv_fetch_bell_init(&fetches->bell);
	pv_job_news_init(&fetches->changes);
	plan->random(plan->ctx, &fetches->key, sizeof(fetches->key));
	pv_fetch_store_each_waiting(store, note_waiting, fetches);
	return fetches;
}

bool pv_fetches_start(struct pv_fetches *fetches, struct pv_why *why)
{
	fetches->has_keeper = pv_thread_start(
	    &fetches->keeper, "pavane-fetches", pv_fetch_keeper_run, fetches);
	if (!fetches->has_keeper)
		pv_why_add(why, (struct pv_place){0}, PV_STR(""),
		    "no further thread can be started");
	return fetches->has_keeper;
}

void pv_fetches_drain(struct pv_fetches *fetches)
{
	if (!fetches)
		return;
	pthread_mutex_lock(&fetches->mutex);
	fetches->is_draining = true;
	for (size_t i = 0; i < fetches->standing_count; i++)
		pv_job_run_stop(fetches->standing[i]->run);
	pthread_mutex_unlock(&fetches->mutex);
	pv_fetch_bell_ring(&fetches->bell);
}

void pv_fetches_renew(
    struct pv_fetches *fetches, const struct pv_fetches_limits *limits)
{
	pthread_mutex_lock(&fetches->mutex);
	fetches->plan.limits = *limits;
	pv_disk_limit_forget(fetches);
	for (size_t i = 0; i < fetches->standing_count; i++) {
		struct pv_standing *standing = fetches->standing[i];
		if (!standing->is_outdated && !fetches->is_draining)
			pv_job_run_stop(standing->run);
		standing->is_outdated = true;
	}
	pthread_mutex_unlock(&fetches->mutex);
}

void pv_fetches_end(struct pv_fetches *fetches)
{
	if (!fetches)
		return;
	pthread_mutex_lock(&fetches->mutex);
	bool is_draining = fetches->is_draining;
	fetches->is_over = true;
	pthread_mutex_unlock(&fetches->mutex);
	if (!is_draining)
		pv_fetches_drain(fetches);
	pv_fetch_bell_ring(&fetches->bell);
	if (fetches->has_keeper)
		pthread_join(fetches->keeper, NULL);
	fetches->has_keeper = false;
}

void pv_fetches_close(struct pv_fetches *fetches)
{
	if (!fetches)
		return;
	pv_fetches_end(fetches);
	pv_fetch_store_close(fetches->store);
	pv_job_news_finish(&fetches->changes);
	pv_fetch_bell_finish(&fetches->bell);
	pthread_mutex_destroy(&fetches->mutex);
	pv_reopenings_finish(&fetches->reopenings);
	pv_disk_limit_forget(fetches);
	free(fetches->full);
	free(fetches->standing);
	free(fetches->unsent);
	free(fetches);
}

/* Requests */

static struct pv_str make_id(struct pv_fetches *fetches, struct pv_arena *arena)
{
	uint64_t chance[2];
	fetches->plan.random(fetches->plan.ctx, chance, sizeof(chance));
	return pv_str_of(pv_arena_format(arena, "f%016llx%016llx",
	    (unsigned long long)chance[0], (unsigned long long)chance[1]));
}

/* Repeated by its key; false if it is not. */
static bool find_before(struct pv_fetches *fetches, struct pv_fetch *fetch,
    struct pv_arena *arena, int64_t now, enum pv_fetches_answer *answer)
{
	struct pv_fetch before;
	if (!fetch->key.len ||
	    !pv_fetch_store_find_key(fetches->store, fetch->owner, fetch->key,
		now - KEY_MS, arena, &before))
		return false;
	bool is_same =
	    memcmp(before.digest, fetch->digest, PV_DIGEST_SIZE) == 0;
	*answer = is_same ? PV_FETCHES_BEFORE : PV_FETCHES_OTHER;
	*fetch = before;
	return true;
}

static enum pv_fetches_answer accept(
    struct pv_fetches *fetches, struct pv_fetch *fetch, struct pv_arena *arena)
{
	struct pv_standing_record standing;
	enum pv_fetches_answer answer;
	int64_t now = fetches->plan.now_ms(fetches->plan.ctx);
	if (fetches->is_draining)
		return PV_FETCHES_ENDING;
	if (!pv_fetches_have_store(fetches))
		return PV_FETCHES_FAULT;
	if (find_before(fetches, fetch, arena, now, &answer))
		return answer;
	if (pv_fetch_store_count_waiting(fetches->store) >=
	    (uint64_t)fetches->plan.limits.queued)
		return PV_FETCHES_FULL;
	if (!pv_disk_limit_admits(fetches, fetch->profile))
		return PV_FETCHES_DISK;
	fetch->id = make_id(fetches, arena);
	fetch->at = fetch->url;
	fetch->created_ms = now;
	fetch->not_before_ms = now - fetch->not_before_ms;
	pv_fetch_store_begin(fetches->store);
	if (!pv_fetch_store_get_standing(
		fetches->store, fetch->profile, &standing))
		pv_fetch_store_add_standing(fetches->store, fetch->profile);
	pv_fetch_store_add(fetches->store, fetch);
	if (!pv_fetch_store_commit(fetches->store))
		return PV_FETCHES_FAULT;
	pv_fetches_send_later(fetches, fetch->number);
	return PV_FETCHES_DONE;
}

enum pv_fetches_answer pv_fetches_add(
    struct pv_fetches *fetches, struct pv_fetch *fetch, struct pv_arena *arena)
{
	pthread_mutex_lock(&fetches->mutex);
	enum pv_fetches_answer answer = accept(fetches, fetch, arena);
	pthread_mutex_unlock(&fetches->mutex);
	pv_fetch_bell_ring(&fetches->bell);
	return answer;
}

enum pv_fetches_answer pv_fetches_get(struct pv_fetches *fetches,
    const struct pv_str *owner, struct pv_str id, struct pv_arena *arena,
    struct pv_fetch *fetch)
{
	pthread_mutex_lock(&fetches->mutex);
	enum pv_fetches_answer answer = PV_FETCHES_FAULT;
	if (pv_fetches_have_store(fetches))
		answer = pv_fetch_store_get(fetches->store, id, arena, fetch) &&
				 (!owner || pv_str_equal(fetch->owner, *owner))
			     ? PV_FETCHES_DONE
			     : PV_FETCHES_NONE;
	if (answer == PV_FETCHES_NONE &&
	    pv_fetch_store_status(fetches->store) != PV_STORE_OK)
		answer = PV_FETCHES_FAULT;
	pthread_mutex_unlock(&fetches->mutex);
	return answer;
}

enum pv_fetches_answer pv_fetches_each_back(struct pv_fetches *fetches,
    const struct pv_fetch_list *list, pv_fetch_fn fn, void *ctx)
{
	enum pv_fetches_answer answer = PV_FETCHES_FAULT;
	pthread_mutex_lock(&fetches->mutex);
	if (pv_fetches_have_store(fetches)) {
		pv_fetch_store_each_back(fetches->store, list, fn, ctx);
		if (pv_fetch_store_status(fetches->store) == PV_STORE_OK)
			answer = PV_FETCHES_DONE;
	}
	pthread_mutex_unlock(&fetches->mutex);
	return answer;
}

uint64_t pv_fetches_wait(
    struct pv_fetches *fetches, uint64_t seen, int64_t most_ms)
{
	return pv_job_news_wait(&fetches->changes, seen, most_ms);
}

bool pv_fetches_write_directory(
    struct pv_fetches *fetches, struct pv_str profile, struct pv_buf *path)
{
	struct pv_standing_record standing;
	pthread_mutex_lock(&fetches->mutex);
	bool is_there =
	    pv_fetches_have_store(fetches) &&
	    pv_fetch_store_get_standing(fetches->store, profile, &standing);
	pthread_mutex_unlock(&fetches->mutex);
	if (is_there)
		pv_buf_append_format(path, "%s/fetches/%llu",
		    fetches->plan.directory,
		    (unsigned long long)standing.number);
	return is_there;
}

void pv_fetches_write_rows(struct pv_fetches *fetches,
    const struct pv_fetch *fetch, struct pv_buf *lines)
{
	pthread_mutex_lock(&fetches->mutex);
	if (pv_fetches_have_store(fetches))
		pv_fetch_rows_write_lines(pv_fetch_store_rows(fetches->store),
		    fetch->profile, fetch->at, lines);
	pthread_mutex_unlock(&fetches->mutex);
}

void pv_fetches_write_fault(struct pv_fetches *fetches, struct pv_buf *text)
{
	pthread_mutex_lock(&fetches->mutex);
	pv_buf_append_text(text, fetches->store
				     ? pv_fetch_store_fault(fetches->store)
				     : "fetches.db cannot be opened");
	pthread_mutex_unlock(&fetches->mutex);
}
