#include "cli/run/plain_lines.h"

#include "cli/terminal/phrases.h"

#define MOVING_MS 10000
#define RESTING_MS 60000

/* A wait under this is the usual rest of a host, and not worth a word. */
#define LONG_WAIT_MS 3000

static bool is_due(
    const struct pv_plain_lines *lines, const struct pavane_progress *progress)
{
	int64_t since = progress->elapsed_ms - lines->told_ms;
	bool has_moved = progress->requests != lines->requests ||
			 progress->done != lines->done;
	/* That it writes down what was done is worth a word where somebody
	 * waits for it to stop. */
	if (progress->phase == PAVANE_CLOSING &&
	    lines->phase <= PAVANE_CRAWLING)
		return false;
	if (progress->phase > PAVANE_CRAWLING)
		return progress->phase != lines->phase;
	if (progress->phase < PAVANE_CRAWLING)
		return false;
	if (!lines->has_told && progress->done)
		return true;
	return since >= (has_moved ? MOVING_MS : RESTING_MS);
}

bool pv_plain_lines_take(
    struct pv_plain_lines *lines, const struct pavane_progress *progress)
{
	if (progress->phase == PAVANE_ENDED || !is_due(lines, progress))
		return false;
	*lines = (struct pv_plain_lines){
	    .has_told = true,
	    .told_ms = progress->elapsed_ms,
	    .phase = progress->phase,
	    .requests = progress->requests,
	    .done = progress->done,
	};
	return true;
}

void pv_plain_line_write(const struct pavane_progress *progress, FILE *file)
{
	struct pv_phrases phrases;
	struct pv_phrase stopping =
	    pv_phrase_of_stopping(progress, "a second signal");
	if (stopping.text[0]) {
		fprintf(file, "%s\n", stopping.text);
		return;
	}
	pv_phrases_of(progress, &phrases);
	for (size_t i = 0; i < phrases.count; i++)
		fprintf(file, "%s%s", i ? ", " : "", phrases.items[i].text);
	if (progress->note[0])
		fprintf(file, ": %s", progress->note);
	else if (!progress->in_flight && progress->next_ms >= LONG_WAIT_MS)
		fprintf(file, ": %s", progress->waits_for);
	fputc('\n', file);
}
