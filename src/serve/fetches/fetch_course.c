#include "serve/fetches/fetch_course.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/json/json.h"

/* Redirects in a row, as of browsers. */
#define HOPS_MAX 20

/* Rows that are given with an answer take no more bytes. */
#define ROWS_MOST ((size_t)256 << 10)

void pv_fetch_numbers_add(void *ctx, uint64_t number)
{
	struct pv_fetch_numbers *numbers = ctx;
	*PV_ARRAY_PUSH(numbers->items, numbers->count, numbers->size) = number;
}

static bool is_refusal(struct pv_str line)
{
	struct pv_json *said = pv_json_read(line);
	bool is_it =
	    pv_str_equal(pv_json_get_text(said, "outcome"), PV_STR("refused"));
	pv_json_destroy(said);
	return is_it;
}

/* A page gives rows where it was answered as a whole, or is still as it was. */
static bool gives_rows(struct pv_str line)
{
	struct pv_json *said = pv_json_read(line);
	int64_t status = pv_json_get_integer(said, "status", 0);
	pv_json_destroy(said);
	return (status >= 200 && status < 300) || status == 304;
}

static void end(struct pv_fetches *fetches, uint64_t number,
    enum pv_fetch_state state, struct pv_str answer, struct pv_str rows)
{
	const struct pv_fetch_end end = {
	    .state = state,
	    .answer = answer,
	    .rows = rows,
	    .now_ms = pv_fetches_now(fetches),
	};
	pv_fetch_store_end(fetches->store, number, &end);
	fetches->has_ended = true;
}

/* By what was answered where it waits. */
static void end_at(struct pv_fetches *fetches, const struct pv_fetch *fetch,
    struct pv_str at, struct pv_str line)
{
	struct pv_buf rows;
	pv_buf_init(&rows, ROWS_MOST + 100);
	if (gives_rows(line))
		pv_fetch_rows_write(pv_fetch_store_rows(fetches->store),
		    fetch->profile, at, ROWS_MOST, &rows);
	end(fetches, fetch->number,
	    is_refusal(line) ? PV_FETCH_REFUSED : PV_FETCH_DONE, line,
	    pv_buf_str(&rows));
	pv_buf_finish(&rows);
}

/* Follows what was answered, as far as that is not too old; whether it still waits
 * for something that is to be asked for. */
static bool follow(struct pv_fetches *fetches, const struct pv_fetch *fetch,
    struct pv_arena *arena)
{
	struct pv_fetch_answer answer;
	struct pv_str at = fetch->at;
	unsigned hops = fetch->hops;
	int64_t now = pv_fetches_now(fetches),
		not_before_ms = fetch->not_before_ms;
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
			end_at(fetches, fetch, at, answer.line);
		return is_old;
	}
}

bool pv_fetch_course_follow(struct pv_fetches *fetches, uint64_t number)
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

void pv_fetch_course_refuse(struct pv_fetches *fetches, uint64_t number,
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
	end(fetches, number, state, pv_buf_str(&line), PV_STR(""));
	pv_buf_finish(&line);
	pv_json_destroy(said);
}

static void tell(struct pv_fetches *fetches)
{
	pv_job_news_tell(&fetches->changes);
	if (fetches->plan.on_end)
		fetches->plan.on_end(fetches->plan.ctx);
}

bool pv_fetch_course_commit(struct pv_fetches *fetches)
{
	bool is_written = pv_fetch_store_commit(fetches->store);
	if (is_written && fetches->has_ended)
		tell(fetches);
	fetches->has_ended = false;
	return is_written;
}

static int compare_numbers(const void *one, const void *other)
{
	uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
	return (a > b) - (a < b);
}

/* Those that are not told to their crawl yet, in their order. */
static void note_unsent(
    const struct pv_fetches *fetches, struct pv_fetch_numbers *unsent)
{
	for (size_t i = 0; i < fetches->unsent_count; i++)
		pv_fetch_numbers_add(unsent, fetches->unsent[i]);
	if (unsent->count)
		qsort(unsent->items, unsent->count, sizeof(*unsent->items),
		    compare_numbers);
}

static bool has_number(const struct pv_fetch_numbers *sorted, uint64_t number)
{
	return sorted->count && bsearch(&number, sorted->items, sorted->count,
				    sizeof(*sorted->items), compare_numbers);
}

void pv_fetch_course_fail_all(struct pv_fetches *fetches, struct pv_str profile,
    bool is_of_told, struct pv_str why)
{
	struct pv_fetch_numbers waiting = {.count = 0}, unsent = {.count = 0};
	if (!pv_fetches_have_store(fetches))
		return;
	if (is_of_told)
		note_unsent(fetches, &unsent);
	pv_fetch_store_begin(fetches->store);
	pv_fetch_store_each_of(
	    fetches->store, profile, pv_fetch_numbers_add, &waiting);
	for (size_t i = 0; i < waiting.count; i++) {
		if (!has_number(&unsent, waiting.items[i]))
			pv_fetch_course_refuse(fetches, waiting.items[i],
			    PV_FETCH_FAILED, PV_STR(""), why);
	}
	pv_fetch_course_commit(fetches);
	free(waiting.items);
	free(unsent.items);
}

void pv_fetch_course_begin_again(struct pv_fetches *fetches)
{
	struct pv_fetch_numbers waiting = {.count = 0};
	/* After a fault that is done once the file is open again. */
	if (!pv_fetches_have_store(fetches))
		return;
	pv_fetch_store_each_waiting(
	    fetches->store, pv_fetch_numbers_add, &waiting);
	fetches->unsent_count = 0;
	for (size_t i = 0; i < waiting.count; i++)
		pv_fetches_send_later(fetches, waiting.items[i]);
	free(waiting.items);
}
