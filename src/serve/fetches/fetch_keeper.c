#include "serve/fetches/fetch_keeper.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/json/json.h"
#include "serve/fetches/fetches_state.h"
#include "serve/fetches/journal_reader.h"
#include "serve/fetches/old_journals.h"
#include "serve/fetches/standing.h"

#define SEND_AT_ONCE 50

/* Redirects in a row, as of browsers. */
#define HOPS_MAX 20

/* What could not be told to a crawl is tried again so much later. */
#define AGAIN_MS 200
#define FAULT_MS 1000

/* Between two looks for fetches that ended too long ago. */
#define TIDY_MS (INT64_C(60) * 1000)

struct numbers {
	uint64_t *items;
	size_t count;
	size_t size;
};

static void add_number(void *ctx, uint64_t number)
{
	struct numbers *numbers = ctx;
	*PV_ARRAY_PUSH(numbers->items, numbers->count, numbers->size) = number;
}

static int64_t now_of(const struct pv_fetches *fetches)
{
	return fetches->plan.now_ms(fetches->plan.ctx);
}

/* What is known of a fetch. The functions that follow are parts of a
 * transaction. */

static bool is_refusal(struct pv_str line)
{
	struct pv_json *said = pv_json_read(line);
	bool is_it =
	    pv_str_equal(pv_json_get_text(said, "outcome"), PV_STR("refused"));
	pv_json_destroy(said);
	return is_it;
}

/* Follows what was answered, as far as that is not too old; whether it still waits
 * for something that is to be asked for. */
static bool follow(struct pv_fetches *fetches, const struct pv_fetch *fetch,
    struct pv_arena *arena)
{
	struct pv_fetch_answer answer;
	struct pv_str at = fetch->at;
	unsigned hops = fetch->hops;
	int64_t now = now_of(fetches), not_before_ms = fetch->not_before_ms;
	if (now < fetch->created_ms) /* the clock was set back */
		not_before_ms -= fetch->created_ms - now;
	for (;;) {
		bool is_known = pv_fetch_store_get_answer(
		    fetches->store, fetch->profile, at, arena, &answer);
		bool is_old = !is_known || answer.time_ms < not_before_ms;
		if (!is_old && answer.moved_to.len && hops < HOPS_MAX) {
			at = answer.moved_to;
			hops++;
			continue;
		}
		if (!pv_str_equal(at, fetch->at))
			pv_fetch_store_move(
			    fetches->store, fetch->number, at, hops);
		if (!is_old)
			pv_fetch_store_end(fetches->store, fetch->number,
			    is_refusal(answer.line) ? PV_FETCH_REFUSED
						    : PV_FETCH_DONE,
			    answer.line, now);
		return is_old;
	}
}

static bool resolve(struct pv_fetches *fetches, uint64_t number)
{
	struct pv_arena arena;
	struct pv_fetch fetch;
	pv_arena_init(&arena);
	bool is_left =
	    pv_fetch_store_get_number(fetches->store, number, &arena, &fetch) &&
	    fetch.state == PV_FETCH_WAITING && follow(fetches, &fetch, &arena);
	pv_arena_finish(&arena);
	return is_left;
}

static void refuse(struct pv_fetches *fetches, uint64_t number,
    enum pv_fetch_state state, struct pv_str reason, struct pv_str why)
{
	struct pv_json *said = pv_json_object();
	struct pv_buf line;
	pv_buf_init(&line, SIZE_MAX);
	if (state == PV_FETCH_REFUSED)
		pv_json_set_text(said, "outcome", "refused");
	if (reason.len)
		pv_json_set(said, "reason", pv_json_text(reason));
	pv_json_set(said, "why", pv_json_text(why));
	pv_json_write(said, false, &line);
	pv_fetch_store_end(
	    fetches->store, number, state, pv_buf_str(&line), now_of(fetches));
	pv_buf_finish(&line);
	pv_json_destroy(said);
}

static bool is_unsent(const struct pv_fetches *fetches, uint64_t number)
{
	for (size_t i = 0; i < fetches->unsent_count; i++) {
		if (fetches->unsent[i] == number)
			return true;
	}
	return false;
}

/* Of all that wait for a crawl that cannot go on, or only of those that it was
 * told. */
static void fail_profile(struct pv_fetches *fetches, struct pv_str profile,
    bool is_of_told, struct pv_str why)
{
	struct numbers waiting = {.count = 0};
	struct pv_arena arena;
	struct pv_fetch fetch;
	pv_arena_init(&arena);
	pv_fetch_store_each_waiting(fetches->store, add_number, &waiting);
	for (size_t i = 0; i < waiting.count; i++) {
		if (pv_fetch_store_get_number(
			fetches->store, waiting.items[i], &arena, &fetch) &&
		    pv_str_equal(fetch.profile, profile) &&
		    !(is_of_told && is_unsent(fetches, fetch.number)))
			refuse(fetches, fetch.number, PV_FETCH_FAILED,
			    PV_STR(""), why);
	}
	pv_arena_finish(&arena);
	free(waiting.items);
}

/* Whatever waits is told to its crawl anew. */
static void send_all(struct pv_fetches *fetches)
{
	struct numbers waiting = {.count = 0};
	pv_fetch_store_each_waiting(fetches->store, add_number, &waiting);
	fetches->unsent_count = 0;
	for (size_t i = 0; i < waiting.count; i++)
		pv_fetches_send_later(fetches, waiting.items[i]);
	free(waiting.items);
}

/* Journals */

struct hearing {
	struct pv_fetches *fetches;
	struct pv_str profile;
};

/* A request that was under way when the fetch came does not count for it: it is
 * asked for once more. */
static void hear(void *ctx, const struct pv_journal_word *word)
{
	struct hearing *hearing = ctx;
	struct pv_fetches *fetches = hearing->fetches;
	struct numbers waiting = {.count = 0};
	pv_fetch_store_set_answer(
	    fetches->store, hearing->profile, word->url, &word->answer);
	pv_fetch_store_each_at(
	    fetches->store, hearing->profile, word->url, add_number, &waiting);
	for (size_t i = 0; i < waiting.count; i++) {
		if (resolve(fetches, waiting.items[i]))
			pv_fetches_send_later(fetches, waiting.items[i]);
	}
	free(waiting.items);
}

/* Only the keeper adds and removes crawls, so that these stay as they are. */
static void let_others(struct pv_fetches *fetches)
{
	pthread_mutex_unlock(&fetches->mutex);
	sched_yield();
	pthread_mutex_lock(&fetches->mutex);
}

static void read_journal(
    struct pv_fetches *fetches, struct pv_standing *standing)
{
	struct hearing hearing = {fetches, standing->profile};
	bool has_more = true;
	while (has_more && pv_fetches_have_store(fetches)) {
		struct pv_journal_place read = standing->read;
		pv_fetch_store_begin(fetches->store);
		has_more = pv_journal_reader_read(
		    pv_buf_text(&standing->directory), &read, hear, &hearing);
		if (has_more)
			pv_fetch_store_set_read(
			    fetches->store, standing->profile, &read);
		if (!pv_fetch_store_commit(fetches->store))
			return;
		standing->read = read;
		if (has_more)
			pv_job_news_tell(&fetches->changes);
		let_others(fetches);
	}
}

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
	if (resolve(fetches, fetch->number) && was_known)
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
	if (pv_fetch_store_get_number(
		fetches->store, reply->number, &arena, &fetch) &&
	    fetch.state == PV_FETCH_WAITING) {
		note_taken(fetches, fetch.profile, reply->answer);
		if (reply->answer == PAVANE_YES ||
		    (reply->answer == PAVANE_NO && is_known))
			note_asked(fetches, &fetch, pv_buf_str(&reply->address),
			    is_known);
		else if (reply->answer == PAVANE_NO ||
			 reply->answer == PAVANE_WRONG)
			refuse(fetches, fetch.number, PV_FETCH_REFUSED,
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
	if (has_any && pv_fetch_store_commit(fetches->store))
		pv_job_news_tell(&fetches->changes);
}

/* Crawls */

static void drop(struct pv_fetches *fetches, size_t place)
{
	struct pv_standing *standing = fetches->standing[place];
	struct pv_job_end end;
	pthread_mutex_unlock(&fetches->mutex);
	pv_job_run_end(standing->run, &end);
	pthread_mutex_lock(&fetches->mutex);
	read_journal(fetches, standing);
	hear_replies(fetches); /* what it has not taken is told the next */
	bool goes_on =
	    fetches->is_draining || end.has_changed || standing->is_outdated;
	if (!goes_on && pv_fetches_have_store(fetches)) {
		pv_fetch_store_begin(fetches->store);
		fail_profile(fetches, standing->profile, standing->has_taken,
		    end.reason[0] ? pv_str_of(end.reason)
				  : PV_STR("the crawl of its profile ended"));
		pv_fetch_store_commit(fetches->store);
		pv_job_news_tell(&fetches->changes);
	}
	fetches->standing[place] = fetches->standing[--fetches->standing_count];
	pv_standing_destroy(standing);
	if (goes_on)
		send_all(fetches);
}

static void drop_ended(struct pv_fetches *fetches)
{
	for (size_t i = fetches->standing_count; i > 0; i--) {
		if (pv_job_run_has_ended(fetches->standing[i - 1]->run))
			drop(fetches, i - 1);
	}
}

/* Without the mutex: reading a policy takes its time. */
static void open_standing(struct pv_fetches *fetches, struct pv_str profile)
{
	struct pv_arena arena;
	struct pv_buf why;
	struct pv_standing_record record;
	pv_arena_init(&arena);
	pv_buf_init(&why, 4096);
	if (pv_fetch_store_get_standing(
		fetches->store, profile, &arena, &record)) {
		pthread_mutex_unlock(&fetches->mutex);
		struct pv_standing *standing =
		    pv_standing_open(fetches, profile, &record, &why);
		pthread_mutex_lock(&fetches->mutex);
		if (standing)
			*PV_ARRAY_PUSH(fetches->standing,
			    fetches->standing_count, fetches->standing_size) =
			    standing;
		if (standing && fetches->is_draining)
			pv_job_run_stop(standing->run);
	}
	if (why.len && pv_fetches_have_store(fetches)) {
		pv_fetch_store_begin(fetches->store);
		fail_profile(fetches, profile, false, pv_buf_str(&why));
		pv_fetch_store_commit(fetches->store);
		pv_job_news_tell(&fetches->changes);
	}
	pv_buf_finish(&why);
	pv_arena_finish(&arena);
}

/* What the journals have is known before anything is asked for. */
static void open_wanted(struct pv_fetches *fetches)
{
	struct pv_arena arena;
	struct pv_fetch fetch;
	pv_arena_init(&arena);
	for (size_t i = 0; i < fetches->unsent_count && i < SEND_AT_ONCE; i++) {
		if (!pv_fetches_have_store(fetches) ||
		    !pv_fetch_store_get_number(
			fetches->store, fetches->unsent[i], &arena, &fetch) ||
		    fetch.state != PV_FETCH_WAITING ||
		    find_standing(fetches, fetch.profile))
			continue;
		open_standing(fetches, fetch.profile);
		struct pv_standing *standing =
		    find_standing(fetches, fetch.profile);
		if (standing)
			read_journal(fetches, standing);
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
	if (!resolve(fetches, number))
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
	struct numbers late = {.count = 0};
	if (!count || !pv_fetches_have_store(fetches))
		return false;
	pv_fetch_store_begin(fetches->store);
	for (size_t i = 0; i < sent; i++) {
		if (!send(fetches, fetches->unsent[i]))
			add_number(&late, fetches->unsent[i]);
	}
	if (pv_fetch_store_commit(fetches->store))
		pv_job_news_tell(&fetches->changes);
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
	int64_t now = now_of(fetches);
	if (fetches->plan.keep_ms < 0 || now - fetches->tidied_ms < TIDY_MS ||
	    !pv_fetches_have_store(fetches))
		return;
	fetches->tidied_ms = now;
	pv_fetch_store_begin(fetches->store);
	pv_fetch_store_tidy(fetches->store, now - fetches->plan.keep_ms);
	pv_fetch_store_commit(fetches->store);
	for (size_t i = 0; i < fetches->standing_count; i++)
		pv_old_journals_remove(
		    pv_buf_text(&fetches->standing[i]->directory),
		    fetches->standing[i]->read.generation,
		    now - fetches->plan.keep_ms);
}

/* The thread */

/* After a fault the file says how far the journals were read, and what waits. */
static void begin_anew(struct pv_fetches *fetches)
{
	struct pv_arena arena;
	struct pv_standing_record record;
	pv_arena_init(&arena);
	for (size_t i = 0; i < fetches->standing_count; i++) {
		if (pv_fetch_store_get_standing(fetches->store,
			fetches->standing[i]->profile, &arena, &record))
			fetches->standing[i]->read = record.read;
	}
	pv_arena_finish(&arena);
	send_all(fetches);
	fetches->is_renewed = false;
}

/* Whether there is more to be done at once. */
static bool step(struct pv_fetches *fetches)
{
	if (pv_fetches_have_store(fetches) && fetches->is_renewed)
		begin_anew(fetches);
	hear_replies(fetches);
	for (size_t i = 0; i < fetches->standing_count; i++)
		read_journal(fetches, fetches->standing[i]);
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
