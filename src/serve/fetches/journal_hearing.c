#include "serve/fetches/journal_hearing.h"

#include <sched.h>
#include <stdlib.h>

#include "serve/fetches/fetch_course.h"
#include "serve/fetches/journal_reader.h"
#include "serve/fetches/row_hearing.h"

struct hearing {
	struct pv_fetches *fetches;
	struct pv_standing *standing;
	bool has_rows; /* they are known as far as this piece of it */
};

/* A request that was under way when the fetch came does not count for it: it is
 * asked for once more. */
static void hear(void *ctx, const struct pv_journal_word *word)
{
	struct hearing *hearing = ctx;
	struct pv_fetches *fetches = hearing->fetches;
	struct pv_fetch_numbers waiting = {.count = 0};
	pv_fetch_store_set_answer(fetches->store, hearing->standing->profile,
	    word->url, &word->answer);
	pv_fetch_store_each_at(fetches->store, hearing->standing->profile,
	    word->url, pv_fetch_numbers_add, &waiting);
	if (waiting.count && !hearing->has_rows)
		pv_row_hearing_read(fetches, hearing->standing);
	hearing->has_rows = hearing->has_rows || waiting.count;
	for (size_t i = 0; i < waiting.count; i++) {
		if (pv_fetch_course_follow(fetches, waiting.items[i]))
			pv_fetches_send_later(fetches, waiting.items[i]);
	}
	free(waiting.items);
}

/* Whoever else asks for fetches does not wait meanwhile. Only the keeper adds and
 * removes crawls, so that these stay as they are. */
static bool has_more(
    struct pv_fetches *fetches, const struct pv_standing *standing)
{
	pthread_mutex_unlock(&fetches->mutex);
	sched_yield();
	bool has_it = pv_journal_reader_has_more(
	    pv_buf_text(&standing->directory), &standing->read);
	pthread_mutex_lock(&fetches->mutex);
	return has_it;
}

void pv_journal_hearing_read(
    struct pv_fetches *fetches, struct pv_standing *standing)
{
	struct hearing hearing = {fetches, standing, false};
	while (has_more(fetches, standing) && pv_fetches_have_store(fetches)) {
		struct pv_journal_place read = standing->read;
		hearing.has_rows = false;
		pv_fetch_store_begin(fetches->store);
		bool has_read = pv_journal_reader_read(
		    pv_buf_text(&standing->directory), &read, hear, &hearing);
		pv_fetch_store_set_read(
		    fetches->store, standing->profile, &read);
		if (!pv_fetch_course_commit(fetches) || !has_read)
			return;
		standing->read = read;
		pv_reopening_forget(&fetches->reopenings, standing->profile);
	}
}
