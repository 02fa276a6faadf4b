#include "serve/fetches/fetch_keeper.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "serve/fetches/disk_limit.h"
#include "serve/fetches/fetch_course.h"
#include "serve/fetches/fetches_state.h"
#include "serve/fetches/journal_hearing.h"
#include "serve/fetches/old_journals.h"
#include "serve/fetches/standing.h"

#define SEND_AT_ONCE 50

/* What could not be told to a crawl is tried again so much later. */
#define AGAIN_MS 200
#define FAULT_MS 1000

/* Between two looks for fetches that ended too long ago. */
#define TIDY_MS (INT64_C(60) * 1000)

static struct pv_standing *find_standing(
    const struct pv_fetches *fetches, struct pv_str profile)
{
	for (size_t i = 0; i < fetches->standing_count; i++) {
		if (pv_str_equal(fetches->standing[i]->profile, profile))
			return fetches->standing[i];
	}
	return NULL;
}

/* One that ends before it has taken anything would do so again. */
static void note_taken(struct pv_fetches *fetches, struct pv_str profile,
    enum pavane_answer answer)
{
	struct pv_standing *standing = find_standing(fetches, profile);
	if (standing && answer != PAVANE_OVER)
		standing->has_taken = true;
}

/* Replies */

static bool is_same_address(struct pv_str one, struct pv_str other)
{
	return !other.len || pv_str_equal(one, other);
}

/* It is asked for, as the crawl knows it: its answer may be there already. */
static void note_asked(struct pv_fetches *fetches, const struct pv_fetch *fetch,
    struct pv_str address, bool was_known)
{
	if (is_same_address(fetch->at, address))
		return;
	pv_fetch_store_move(
	    fetches->store, fetch->number, address, fetch->hops);
	/* The line of what was in flight may have passed by already. */
	if (pv_fetch_course_follow(fetches, fetch->number) && was_known)
		pv_fetches_send_later(fetches, fetch->number);
}

static void take_reply(
    struct pv_fetches *fetches, const struct pv_fetch_reply *reply)
{
	struct pv_arena arena;
	struct pv_fetch fetch;
	struct pv_str word = pv_buf_str(&reply->word);
	bool is_known = pv_str_equal(word, PV_STR("known"));
	pv_arena_init(&arena);
	/* It may have gone on from there, as far as the journal says. */
	if (pv_fetch_store_get_number(
		fetches->store, reply->number, &arena, &fetch) &&
	    fetch.state == PV_FETCH_WAITING &&
	    pv_str_equal(fetch.at, pv_buf_str(&reply->asked))) {
		note_taken(fetches, fetch.profile, reply->answer);
		if (reply->answer == PAVANE_YES ||
		    (reply->answer == PAVANE_NO && is_known))
			note_asked(fetches, &fetch, pv_buf_str(&reply->address),
			    is_known);
		else if (reply->answer == PAVANE_NO ||
			 reply->answer == PAVANE_WRONG)
			pv_fetch_course_refuse(fetches, fetch.number,
			    PV_FETCH_REFUSED,
			    word.len ? word : PV_STR("address"),
			    pv_buf_str(&reply->sentence));
		else
			pv_fetches_send_later(fetches, fetch.number);
	}
	pv_arena_finish(&arena);
}

static void hear_replies(struct pv_fetches *fetches)
{
	struct pv_fetch_reply *replies = pv_fetch_bell_take(&fetches->bell);
	bool has_any = replies && pv_fetches_have_store(fetches);
	if (has_any)
		pv_fetch_store_begin(fetches->store);
	while (replies) {
		struct pv_fetch_reply *reply = replies;
		replies = reply->next;
		if (has_any)
			take_reply(fetches, reply);
		else
			pv_fetches_send_later(fetches, reply->number);
		pv_fetch_reply_destroy(reply);
	}
	if (has_any)
		pv_fetch_course_commit(fetches);
}

/* Crawls */

/* Where the owner has the service is not for callers. */
static struct pv_str without_directory(
    const struct pv_fetches *fetches, struct pv_str why)
{
	struct pv_str directory = pv_str_of(fetches->plan.directory);
	return pv_str_starts(why, directory) && why.len > directory.len
		   ? pv_str_from(why, directory.len + 1)
		   : why;
}

/* What waits for the crawl of a profile that cannot go on waits until it is opened
 * again; where that lasts it fails: all of it, or what the crawl was told. The
 * mutex is given back while that is logged. */
static void put_off(struct pv_fetches *fetches, struct pv_str profile,
    bool is_of_told, struct pv_str why)
{
	struct pv_buf line;
	int64_t now_ms = fetches->plan.ticks_ms(fetches->plan.ctx);
	if (!pv_reopening_put_off(&fetches->reopenings, profile, now_ms)) {
		pv_fetch_course_fail_all(fetches, profile, is_of_told,
		    without_directory(fetches, why));
		return;
	}
	pv_buf_init(&line, SIZE_MAX);
	pv_buf_append_format(&line,
	    "profile %.*s: its addresses cannot be fetched now: %.*s: this is "
	    "tried again in %lld s",
	    PV_STR_ARG(profile.len ? profile : PV_STR("default")),
	    PV_STR_ARG(why),
	    (long long)pv_reopening_wait(
		&fetches->reopenings, profile, now_ms) /
		1000);
	pthread_mutex_unlock(&fetches->mutex);
	fetches->plan.on_line(
	    fetches->plan.line_ctx, PAVANE_WARNING, pv_buf_text(&line));
	pthread_mutex_lock(&fetches->mutex);
	pv_buf_finish(&line);
}

static void drop(struct pv_fetches *fetches, size_t place)
{
	struct pv_standing *standing = fetches->standing[place];
	struct pv_job_end end;
	pthread_mutex_unlock(&fetches->mutex);
	pv_job_run_end(standing->run, &end);
	pthread_mutex_lock(&fetches->mutex);
	pv_journal_hearing_read(fetches, standing);
	hear_replies(fetches); /* what it has not taken is told the next */
	bool goes_on =
	    fetches->is_draining || end.has_changed || standing->is_outdated;
	if (!goes_on)
		put_off(fetches, standing->profile, standing->has_taken,
		    end.reason[0] ? pv_str_of(end.reason)
				  : PV_STR("its crawl ended"));
	fetches->standing[place] = fetches->standing[--fetches->standing_count];
	pv_standing_destroy(standing);
	pv_fetch_course_begin_again(fetches);
}

static void drop_ended(struct pv_fetches *fetches)
{
	for (size_t i = fetches->standing_count; i > 0; i--) {
		if (pv_job_run_has_ended(fetches->standing[i - 1]->run))
			drop(fetches, i - 1);
	}
}

static void add_standing(
    struct pv_fetches *fetches, struct pv_standing *standing)
{
	*PV_ARRAY_PUSH(fetches->standing, fetches->standing_count,
	    fetches->standing_size) = standing;
	fetches->look_ms = 0; /* at what it takes, before it takes more */
	if (fetches->is_draining)
		pv_job_run_stop(standing->run);
	pv_journal_hearing_read(fetches, standing);
}

static void fail_removed(struct pv_fetches *fetches, struct pv_str profile)
{
	struct pv_buf why;
	pv_buf_init(&why, 4096);
	pv_buf_append_format(&why,
	    "profile: there is none named \"%.*s\" any more",
	    PV_STR_ARG(profile));
	pv_fetch_course_fail_all(fetches, profile, false, pv_buf_str(&why));
	pv_buf_finish(&why);
}

/* An address that the policy does not allow any more says nothing of others. */
static void fail_one(
    struct pv_fetches *fetches, uint64_t number, struct pv_str why)
{
	if (!pv_fetches_have_store(fetches))
		return;
	pv_fetch_store_begin(fetches->store);
	pv_fetch_course_refuse(
	    fetches, number, PV_FETCH_FAILED, PV_STR(""), why);
	pv_fetch_course_commit(fetches);
}

/* Opens the crawl of its profile, whose policy has it as its seed; it is told all it
 * is to request, and this one, too. Without the mutex: reading a policy takes its
 * time. */
static void open_standing(struct pv_fetches *fetches,
    const struct pv_fetch *fetch, const struct pv_standing_record *record)
{
	struct pavane_problem problem = PAVANE_INIT(struct pavane_problem);
	struct pv_standing *standing = NULL;
	struct pv_buf why;
	pv_buf_init(&why, 4096);
	pthread_mutex_unlock(&fetches->mutex);
	struct pavane_policy *policy =
	    fetches->plan.load(fetches->plan.ctx, fetch->profile, fetch->url);
	bool is_wrong = policy && pavane_policy_problem(policy, 0, &problem);
	if (is_wrong)
		pv_buf_append_text(&why, problem.sentence);
	if (is_wrong)
		pavane_policy_destroy(policy);
	else if (policy)
		standing = pv_standing_open(
		    fetches, fetch->profile, record, policy, &why);
	pthread_mutex_lock(&fetches->mutex);
	if (standing)
		add_standing(fetches, standing);
	else if (!policy)
		fail_removed(fetches, fetch->profile);
	else if (is_wrong)
		fail_one(fetches, fetch->number, pv_buf_str(&why));
	else
		put_off(fetches, fetch->profile, false, pv_buf_str(&why));
	pv_buf_finish(&why);
}

static bool may_open(const struct pv_fetches *fetches, struct pv_str profile)
{
	int64_t now_ms = fetches->plan.ticks_ms(fetches->plan.ctx);
	return !find_standing(fetches, profile) &&
	       !pv_reopening_wait(&fetches->reopenings, profile, now_ms);
}

/* What the journals have is known before anything is asked for. */
static void open_wanted(struct pv_fetches *fetches)
{
	struct pv_arena arena;
	struct pv_fetch fetch;
	struct pv_standing_record record;
	pv_arena_init(&arena);
	for (size_t i = 0; i < fetches->unsent_count && i < SEND_AT_ONCE; i++) {
		if (pv_fetches_have_store(fetches) &&
		    pv_fetch_store_get_number(
			fetches->store, fetches->unsent[i], &arena, &fetch) &&
		    fetch.state == PV_FETCH_WAITING &&
		    may_open(fetches, fetch.profile) &&
		    pv_fetch_store_get_standing(
			fetches->store, fetch.profile, &record))
			open_standing(fetches, &fetch, &record);
	}
	pv_arena_finish(&arena);
}

/* Telling crawls */

/* False if it is to be tried again. */
static bool send(struct pv_fetches *fetches, uint64_t number)
{
	struct pv_arena arena;
	struct pv_fetch fetch;
	bool is_sent = true;
	if (!pv_fetch_course_follow(fetches, number))
		return true;
	pv_arena_init(&arena);
	if (pv_fetch_store_get_number(fetches->store, number, &arena, &fetch)) {
		struct pv_standing *standing =
		    find_standing(fetches, fetch.profile);
		is_sent = standing && pv_standing_ask(standing, fetches, number,
					  pv_arena_text(&arena, fetch.at));
	}
	pv_arena_finish(&arena);
	return is_sent;
}

/* Some of them, since nobody else gets at the store meanwhile: those whose crawl
 * takes none now go to the end. Whether some are left that may be sent at once. */
static bool send_some(struct pv_fetches *fetches)
{
	size_t count = fetches->unsent_count;
	size_t sent = count < SEND_AT_ONCE ? count : SEND_AT_ONCE;
	struct pv_fetch_numbers late = {.count = 0};
	if (!count || !pv_fetches_have_store(fetches))
		return false;
	pv_fetch_store_begin(fetches->store);
	for (size_t i = 0; i < sent; i++) {
		if (!send(fetches, fetches->unsent[i]))
			pv_fetch_numbers_add(&late, fetches->unsent[i]);
	}
	pv_fetch_course_commit(fetches);
	memmove(fetches->unsent, fetches->unsent + sent,
	    (fetches->unsent_count - sent) * sizeof(*fetches->unsent));
	fetches->unsent_count -= sent;
	for (size_t i = 0; i < late.count; i++)
		pv_fetches_send_later(fetches, late.items[i]);
	bool has_more = late.count < sent && count > sent;
	free(late.items);
	return has_more;
}

static void tidy(struct pv_fetches *fetches)
{
	int64_t now = pv_fetches_now(fetches);
	if (fetches->plan.limits.keep_ms < 0 ||
	    now - fetches->tidied_ms < TIDY_MS ||
	    !pv_fetches_have_store(fetches))
		return;
	fetches->tidied_ms = now;
	pv_fetch_store_begin(fetches->store);
	pv_fetch_store_tidy(fetches->store, now - fetches->plan.limits.keep_ms);
	pv_fetch_store_commit(fetches->store);
	for (size_t i = 0; i < fetches->standing_count; i++)
		pv_old_journals_remove(
		    pv_buf_text(&fetches->standing[i]->directory),
		    fetches->standing[i]->read.generation,
		    now - fetches->plan.limits.keep_ms);
}

/* The thread */

/* After a fault the file says how far the journals were read, and what waits. */
static void begin_anew(struct pv_fetches *fetches)
{
	struct pv_standing_record record;
	for (size_t i = 0; i < fetches->standing_count; i++) {
		if (pv_fetch_store_get_standing(
			fetches->store, fetches->standing[i]->profile, &record))
			fetches->standing[i]->read = record.read;
	}
	pv_fetch_course_begin_again(fetches);
	fetches->is_renewed = false;
}

/* Whether there is more to be done at once. */
static bool step(struct pv_fetches *fetches)
{
	if (pv_fetches_have_store(fetches) && fetches->is_renewed)
		begin_anew(fetches);
	hear_replies(fetches);
	for (size_t i = 0; i < fetches->standing_count; i++)
		pv_journal_hearing_read(fetches, fetches->standing[i]);
	pv_disk_limit_look(fetches);
	drop_ended(fetches);
	if (fetches->is_draining)
		return false;
	open_wanted(fetches);
	tidy(fetches);
	return send_some(fetches);
}

static int64_t patience_of(const struct pv_fetches *fetches, bool has_more)
{
	if (has_more)
		return 0;
	/* After a fault of the store all begins anew, once it works again. */
	if (!fetches->store || fetches->is_renewed ||
	    pv_fetch_store_status(fetches->store) != PV_STORE_OK)
		return FAULT_MS;
	return fetches->unsent_count && !fetches->is_draining
		   ? AGAIN_MS
		   : PV_FETCH_BELL_FOR_EVER;
}

void *pv_fetch_keeper_run(void *ctx)
{
	struct pv_fetches *fetches = ctx;
	pthread_mutex_lock(&fetches->mutex);
	while (!fetches->is_over || fetches->standing_count) {
		fetches->rounds++;
		bool has_more = step(fetches);
		int64_t patience_ms = patience_of(fetches, has_more);
		bool is_over = fetches->is_over && !fetches->standing_count;
		pthread_mutex_unlock(&fetches->mutex);
		if (!is_over)
			pv_fetch_bell_wait(&fetches->bell, patience_ms);
		pthread_mutex_lock(&fetches->mutex);
	}
	hear_replies(fetches);
	pthread_mutex_unlock(&fetches->mutex);
	return NULL;
}
