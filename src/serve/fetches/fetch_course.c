#include "serve/fetches/fetch_course.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/json/json.h"

/* Redirects in a row, as of browsers. */
#define HOPS_MAX 20

void pv_fetch_numbers_add(void *ctx, uint64_t number)
{
	struct pv_fetch_numbers *numbers = ctx;
	*PV_ARRAY_PUSH(numbers->items, numbers->count, numbers->size) = number;
}

int64_t pv_fetches_now(const struct pv_fetches *fetches)
{
	return fetches->plan.now_ms(fetches->plan.ctx);
}

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
			pv_fetch_store_end(fetches->store, fetch->number,
			    is_refusal(answer.line) ? PV_FETCH_REFUSED
						    : PV_FETCH_DONE,
			    answer.line, now);
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
	pv_fetch_store_end(fetches->store, number, state, pv_buf_str(&line),
	    pv_fetches_now(fetches));
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

void pv_fetch_course_fail(struct pv_fetches *fetches, struct pv_str profile,
    bool is_of_told, struct pv_str why)
{
	struct pv_fetch_numbers waiting = {.count = 0};
	struct pv_arena arena;
	struct pv_fetch fetch;
	pv_arena_init(&arena);
	pv_fetch_store_each_waiting(
	    fetches->store, pv_fetch_numbers_add, &waiting);
	for (size_t i = 0; i < waiting.count; i++) {
		if (pv_fetch_store_get_number(
			fetches->store, waiting.items[i], &arena, &fetch) &&
		    pv_str_equal(fetch.profile, profile) &&
		    !(is_of_told && is_unsent(fetches, fetch.number)))
			pv_fetch_course_refuse(fetches, fetch.number,
			    PV_FETCH_FAILED, PV_STR(""), why);
	}
	pv_arena_finish(&arena);
	free(waiting.items);
}

void pv_fetch_course_begin_again(struct pv_fetches *fetches)
{
	struct pv_fetch_numbers waiting = {.count = 0};
	pv_fetch_store_each_waiting(
	    fetches->store, pv_fetch_numbers_add, &waiting);
	fetches->unsent_count = 0;
	for (size_t i = 0; i < waiting.count; i++)
		pv_fetches_send_later(fetches, waiting.items[i]);
	free(waiting.items);
}
