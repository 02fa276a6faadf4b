#include "merge/completion.h"

#include "pavane/core.h"
#include "store/tables/note.h"
#include "store/tables/state_figures.h"

#define STATUS_END PV_STR("status.end")

/* Whoever stops gives away what it has left. */
static uint64_t count_left(const struct pv_merging *merging)
{
	struct pv_counts counts;
	pv_state_figures_counts(merging->database, &counts);
	return counts.states[PV_STATE_PENDING] +
	       counts.states[PV_STATE_IN_FLIGHT] +
	       counts.states[PV_STATE_ELSEWHERE];
}

static bool has_come_to_its_end(const struct pv_merging *merging)
{
	for (size_t i = 0; i < merging->count; i++) {
		if (pv_merge_source_has_finished(
			&merging->sources[i], merging->last_round))
			return true;
	}
	return false;
}

static void tell_left(const struct pv_merging *merging, uint64_t left)
{
	struct pv_buf what;
	pv_buf_init(&what, 256);
	if (left)
		pv_buf_append_format(&what,
		    "%llu address%s for a worker, or went to one that is not "
		    "merged here",
		    (unsigned long long)left, left == 1 ? " waits" : "es wait");
	else
		pv_buf_append_text(&what,
		    "nothing waits, but each worker was stopped before the "
		    "end");
	pv_why_note(merging->why,
	    (struct pv_place){.file = merging->options->output}, PV_STR(""),
	    "the fleet's crawl is not finished as far as these directories "
	    "tell: %s",
	    pv_buf_text(&what));
	pv_buf_finish(&what);
}

/* Each source's addresses are numbered behind those of the sources before it. */
static int64_t refuser(void *ctx, struct pv_fingerprint fingerprint)
{
	struct pv_merging *merging = ctx;
	int64_t address = pv_merged_state_refused(&merging->state, fingerprint);
	size_t place = merging->count;
	if (!address)
		return 0;
	while (place > 1 && merging->sources[place - 1].state.offset >= address)
		place--;
	return (int64_t)place;
}

/* The note is the largest of all workers': of a crawl that is finished one may have been
 * stopped before, and of one that is not one may have found it finished. */
static void set_end(struct pv_merging *merging, bool is_finished)
{
	int64_t end =
	    pv_note_get(merging->database, STATUS_END, PAVANE_STOPPED);
	if (is_finished && end != PAVANE_NOT_BEGUN)
		end = PAVANE_FINISHED;
	if (!is_finished && (end == PAVANE_FINISHED || end == PAVANE_NOT_BEGUN))
		end = PAVANE_STOPPED;
	pv_note_set(merging->database, STATUS_END, end);
}

void pv_merge_completion_judge(struct pv_merging *merging)
{
	if (!merging->state.is_of_fleet)
		return;
	uint64_t left = count_left(merging);
	bool is_finished = !left && has_come_to_its_end(merging);
	if (is_finished)
		pv_merge_lines_complete(&merging->lines, refuser, merging);
	else
		tell_left(merging, left);
	set_end(merging, is_finished);
}
