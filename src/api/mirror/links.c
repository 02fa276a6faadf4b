#include <stdio.h>

#include "api/mirror/link_forms.h"
#include "api/problems.h"
#include "api/sized.h"

/* A link check, written as text, JSON or CSV. */

/* Of one address, or of one page. */
#define TEXT_MAX ((size_t)8 << 20)

static void flush(struct pv_link_telling *telling)
{
	const struct pavane_links_options *options = telling->options;
	if (telling->text.len && options->write)
		options->write(options->ctx, pv_buf_text(&telling->text),
		    telling->text.len);
	pv_buf_clear(&telling->text);
}

static void tell_line(const struct pv_link_telling *telling,
    enum pavane_level level, const char *line)
{
	const struct pavane_links_options *options = telling->options;
	if (options->on_line)
		options->on_line(options->ctx, level, line);
}

/* Hearing */

static const struct pv_link_form *form_of(const struct pv_link_telling *telling)
{
	return &pv_link_forms[telling->options->form];
}

static void hear_broken(void *ctx, const struct pv_fate *fate)
{
	struct pv_link_telling *telling = ctx;
	telling->fate = fate;
	telling->pages = 0;
	form_of(telling)->on_broken(telling);
}

static void hear_page(void *ctx, struct pv_str url, struct pv_str file)
{
	struct pv_link_telling *telling = ctx;
	telling->pages++;
	form_of(telling)->on_page(telling, url, file);
	flush(telling);
}

/* Where no document links to it, at least what led there first is known. */
static void hear_end(void *ctx, const struct pv_fate *fate)
{
	struct pv_link_telling *telling = ctx;
	if (!telling->pages && fate->via.len)
		hear_page(telling, pv_buf_str(&fate->via), PV_STR(""));
	form_of(telling)->on_end(telling);
	flush(telling);
}

/* What there is to know of how much it says. */
static void tell_remarks(
    const struct pv_link_telling *telling, const struct pv_link_check_sum *sum)
{
	char line[160];
	if (sum->pending) {
		snprintf(line, sizeof(line),
		    "the crawl is not finished: %llu address%s not requested "
		    "yet",
		    (unsigned long long)sum->pending,
		    sum->pending == 1 ? " was" : "es were");
		tell_line(telling, PAVANE_WARNING, line);
	}
	if (sum->unread) {
		snprintf(line, sizeof(line),
		    "%llu document%s of the mirror could not be read "
		    "completely: some links are not known",
		    (unsigned long long)sum->unread,
		    sum->unread == 1 ? "" : "s");
		tell_line(telling, PAVANE_WARNING, line);
	}
	if (sum->has_too_many)
		tell_line(telling, PAVANE_WARNING,
		    "too many broken addresses to search all documents: for "
		    "some, only the first page that links to them is named");
}

static bool tell_all(struct pv_link_telling *telling,
    struct pv_link_check *check, struct pv_why *why)
{
	const struct pv_link_check_hearer hearer = {
	    .on_broken = hear_broken,
	    .on_page = hear_page,
	    .on_end = hear_end,
	    .ctx = telling,
	};
	form_of(telling)->begin(telling);
	if (!pv_link_check_tell(check, &hearer, why))
		return false;
	struct pv_link_check_sum sum = pv_link_check_sum(check);
	form_of(telling)->end(telling, &sum);
	flush(telling);
	tell_remarks(telling, &sum);
	return true;
}

static enum pavane_links check_links(struct pv_link_telling *telling,
    const struct pv_kept_state *state, struct pv_why *why)
{
	const struct pavane_links_options *options = telling->options;
	const struct pv_link_check_plan plan = {
	    .has_refused = options->has_refused,
	    .on_progress = options->on_progress,
	    .ctx = options->ctx,
	};
	enum pavane_links links = PAVANE_LINKS_UNKNOWN;
	struct pv_link_check *check = pv_link_check_create(state, &plan, why);
	if (check && tell_all(telling, check, why))
		links = pv_link_check_sum(check).broken ? PAVANE_LINKS_BROKEN
							: PAVANE_LINKS_WHOLE;
	pv_link_check_destroy(check);
	return links;
}

static struct pv_str directory_of(const struct pavane_links_options *options)
{
	struct pv_str directory = pv_str_of(options->directory);
	while (directory.len > 1 && pv_str_ends(directory, PV_STR("/")))
		directory.len--;
	return directory;
}

enum pavane_links pavane_links_check(const struct pavane_links_options *given)
{
	struct pavane_links_options own, *options = &own;
	enum pavane_links links = PAVANE_LINKS_UNKNOWN;
	if (!pv_sized_read(options, sizeof(own), given) ||
	    options->form > PAVANE_LINKS_VALUES)
		return links;
	struct pv_link_telling telling = {
	    .options = options, .directory = directory_of(options)};
	struct pv_why why;
	pv_why_init(&why);
	pv_buf_init(&telling.text, TEXT_MAX);
	struct pv_kept_state *state =
	    pv_kept_state_open(options->directory, &why);
	if (state)
		links = check_links(&telling, state, &why);
	pv_kept_state_close(state);
	pv_problems_tell(&why, options->on_line, options->ctx);
	pv_buf_finish(&telling.text);
	pv_why_finish(&why);
	return links;
}
