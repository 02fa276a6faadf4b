#include "serve/jobs/job_cause.h"

#include <stdio.h>
#include <string.h>

static void ignore(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	(void)line;
}

/* Empty where several things may have been in the way. */
static const char *cause_of(const struct pavane_progress *progress)
{
	const struct pavane_tallies *refusals = &progress->refusals;
	const struct pavane_tallies *outcomes = &progress->outcomes;
	if (progress->known && progress->refused == progress->known &&
	    refusals->count == 1)
		return refusals->items[0].sentence;
	if (progress->known != 1 || outcomes->count != 1)
		return "";
	return progress->statuses.count == 1 &&
		       strcmp(outcomes->items[0].word, "answered") == 0
		   ? progress->statuses.items[0].word
		   : outcomes->items[0].sentence;
}

void pv_job_cause_add(const char *directory, struct pv_job_end *end)
{
	size_t len = strlen(end->reason);
	struct pavane_status *status =
	    pavane_status_read(directory, ignore, NULL);
	const char *cause = status ? cause_of(status->progress) : "";
	if (*cause)
		snprintf(end->reason + len, sizeof(end->reason) - len, "%s%s",
		    len ? ": " : "", cause);
	pavane_status_destroy(status);
}
