#ifndef PAVANE_TESTS_TORTURE_JUDGE_H
#define PAVANE_TESTS_TORTURE_JUDGE_H

#include "torture/portrait.h"

/* Was anything lost, or done twice? A finished crawl of the maze, or an update
 * of one, that was cut short time and again is held against one that nobody
 * disturbed.
 *
 *	struct trial trial;
 *	struct portrait wanted;
 *	trial_open(&trial);
 *	trial_run(&trial, trial_crawl, NULL);
 *	portrait_take(&wanted, &trial);
 *	trial_close(&trial, false);
 *
 *	struct judgement judgement;
 *	trial_open(&trial);
 *	... program_start(&trial.home, trial_crawl), and an end to it, then ...
 *	trial_note_end(&trial, end.waited_us);
 *	... time and again, until one is let go on to its end ...
 *	judge(&judgement, &trial, &wanted);
 *	ok(judgement.fault_count == 0, "%zu repeats", judgement.repeats);
 *	... what is wrong stands in judgement.faults ...
 *	judgement_finish(&judgement);
 *	trial_close(&trial, false);
 *
 * What is claimed:
 *
 * - state.db knows the same addresses, each once, at the same place of the
 *   site, with the same state, outcome and reason; its counts are right, and it
 *   is sound.
 * - journal.jsonl and changes.jsonl are lines of JSON; there is one last line
 *   for each address (in each round of updates), and changes.jsonl tells the
 *   same; but for an address that came nearer to the seeds after it had been
 *   asked for, and so may have been asked for again.
 * - No address was asked for more often, but for those in flight when a run was
 *   cut short, once more for each such end. In flight is what had not been
 *   committed: what was under way, or over since JUDGE_COMMIT_MS at most, beside
 *   what its threads waited for a processor.
 * - No host was asked sooner than it may be, over all runs; nor sooner than it
 *   wanted to be, unless a run was cut short before that can have been
 *   committed.
 * - Each file below site/ and gone/ is where the state says, and has the bytes that
 *   were served; none is missing, and nothing else is there.
 * - `pavane audit` finds every promise kept.
 */
#define JUDGE_COMMIT_MS 300

struct judgement {
	size_t fault_count;
	struct pv_buf faults; /* a line each, the first of each kind */
	size_t repeats;       /* requests that were made again */
	size_t in_flight;     /* how many might have been */
};

/* To be finished. */
void judge(struct judgement *judgement, struct trial *trial,
    const struct portrait *wanted);
void judgement_finish(struct judgement *judgement);

#endif
