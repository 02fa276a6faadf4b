#include "cli/terminal/phrases.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cli/terminal/amounts.h"

/* Of those that hosts wait for, so many are named. */
#define WAITS_NAMED 3

static void __attribute__((format(printf, 2, 3)))
say(struct pv_phrases *phrases, const char *format, ...)
{
	struct pv_phrase *phrase = &phrases->items[phrases->count++];
	va_list list;
	va_start(list, format);
	vsnprintf(phrase->text, sizeof(phrase->text), format, list);
	va_end(list);
}

void pv_phrases_of(
    const struct pavane_progress *progress, struct pv_phrases *phrases)
{
	phrases->count = 0;
	if (progress->phase == PAVANE_STARTING)
		say(phrases, "starting");
	say(phrases, "%s of %s done", pv_amount_of_count(progress->done).text,
	    pv_amount_of_count(progress->done + progress->pending).text);
	say(phrases, "%s",
	    pv_amount_of_rate(progress->requests_per_second, "requests").text);
	say(phrases, "%s", pv_amount_of_size(progress->bytes).text);
	if (progress->in_flight_max > 1)
		say(phrases, "%zu of %zu in flight", progress->in_flight,
		    progress->concurrency);
	if (progress->left_ms >= 0)
		say(phrases, "about %s left",
		    pv_amount_of_time(progress->left_ms).text);
	if (progress->failed)
		say(phrases, "%s",
		    pv_amount_of_things(progress->failed, "error").text);
	if (progress->refused)
		say(phrases, "%s left out",
		    pv_amount_of_count(progress->refused).text);
	say(phrases, "%s so far", pv_amount_of_time(progress->elapsed_ms).text);
}

struct pv_phrase pv_phrase_of_share(
    const struct pavane_progress *progress, size_t width)
{
	struct pv_phrase phrase = {""};
	double share = progress->done_share < 1 ? progress->done_share : 1;
	char bar[PV_BAR_MAX + 1];
	size_t full;
	if (!(share >= 0))
		return phrase;
	width = width < PV_BAR_MAX ? width : PV_BAR_MAX;
	full = (size_t)(share * (double)width);
	memset(bar, ' ', width);
	memset(bar, '=', full);
	if (full < width)
		bar[full] = '>';
	bar[width] = '\0';
	snprintf(phrase.text, sizeof(phrase.text), "[%s] %u%%", bar,
	    (unsigned)(share * 100));
	return phrase;
}

const char *pv_tally_name(const struct pavane_tally *tally)
{
	bool has_sentence = tally->sentence && *tally->sentence;
	return has_sentence ? tally->sentence : tally->word;
}

/* Appends what fits. */
static void __attribute__((format(printf, 2, 3)))
append(struct pv_phrase *phrase, const char *format, ...)
{
	size_t len = strlen(phrase->text);
	va_list list;
	va_start(list, format);
	vsnprintf(phrase->text + len, sizeof(phrase->text) - len, format, list);
	va_end(list);
}

struct pv_phrase pv_phrase_of_waiting(const struct pavane_progress *progress)
{
	const struct pavane_tallies *waiting = &progress->waiting;
	struct pv_phrase phrase = {""};
	if (!progress->hosts_waiting)
		return phrase;
	append(&phrase, "%s wait%s",
	    pv_amount_of_things(progress->hosts_waiting, "host").text,
	    progress->hosts_waiting == 1 ? "s" : "");
	for (size_t i = 0; i < waiting->count && i < WAITS_NAMED; i++)
		append(&phrase, "%s %s %s", i ? "," : ":",
		    pv_amount_of_count(waiting->items[i].count).text,
		    pv_tally_name(&waiting->items[i]));
	if (waiting->count > WAITS_NAMED)
		append(&phrase, ", ...");
	return phrase;
}

static struct pv_phrase draining(
    const struct pavane_progress *progress, const char *again)
{
	struct pv_phrase phrase = {"stopping: "};
	if (!progress->in_flight) {
		append(&phrase, "saving the state");
		return phrase;
	}
	append(&phrase, "%s in flight end%s",
	    pv_amount_of_things(progress->in_flight, "request").text,
	    progress->in_flight == 1 ? "s" : "");
	if (progress->drain_left_ms >= 0)
		append(&phrase, ", at most %s more",
		    pv_amount_of_time(progress->drain_left_ms).text);
	append(&phrase, "; %s drops %s", again,
	    progress->in_flight == 1 ? "it" : "them");
	return phrase;
}

struct pv_phrase pv_phrase_of_stopping(
    const struct pavane_progress *progress, const char *again)
{
	struct pv_phrase nothing = {""};
	struct pv_phrase dropping = {
	    "stopping: requests in flight are dropped and the state is saved"};
	struct pv_phrase closing = {"saving the state"};
	switch (progress->phase) {
	case PAVANE_DRAINING:
		return draining(progress, again);
	case PAVANE_DROPPING:
		return dropping;
	case PAVANE_CLOSING:
		return closing;
	default:
		return nothing;
	}
}
