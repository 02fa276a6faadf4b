#include <stdlib.h>
#include <unistd.h>

#include "api/look/fate_text.h"
#include "api/look/finding.h"
#include "api/problems.h"
#include "api/sized.h"
#include "base/alloc.h"
#include "http/status.h"
#include "mirror/links/stubs.h"
#include "mirror/lookup/place_of.h"

/* Where a mirror keeps an address, and what it keeps in a file. */

/* So many redirects are followed to a file. */
#define HOPS_MAX 20

struct pavane_places {
	struct pv_kept_state *state;
	struct pv_fates fates;
};

struct pavane_places *pavane_places_open(
    const char *directory, pavane_line_fn on_line, void *ctx)
{
	struct pavane_places *places = NULL;
	struct pv_why why;
	pv_why_init(&why);
	struct pv_kept_state *state = pv_kept_state_open(directory, &why);
	if (state) {
		places = pv_alloc(sizeof(*places));
		places->state = state;
		pv_fates_init(&places->fates, state);
	}
	pv_problems_tell(&why, on_line, ctx);
	pv_why_finish(&why);
	return places;
}

void pavane_places_close(struct pavane_places *places)
{
	if (!places)
		return;
	pv_fates_finish(&places->fates);
	pv_kept_state_close(places->state);
	free(places);
}

/* An address */

/* Where it was redirected to, and where that is kept in the end. */
static void append_redirect(struct pv_finding *finding)
{
	struct pv_fates *fates = finding->fates;
	struct pv_fate *next = &finding->next;
	struct pv_buf *why = &finding->why;
	uint64_t id = pv_fates_next(fates, &finding->fate);
	if (!id) {
		pv_buf_append_text(why,
		    ", redirected to an address that the crawl had seen "
		    "before");
		return;
	}
	pv_fates_get(fates, id, next);
	pv_buf_append_text(why, ", redirected to ");
	pv_buf_append(why, pv_buf_str(&next->url));
	for (int hops = 0; next->kind == PV_FATE_MOVED && hops < HOPS_MAX &&
			   (id = pv_fates_next(fates, next));
	     hops++)
		pv_fates_get(fates, id, next);
	if (!next->file.len)
		return;
	pv_finding_write_path(
	    finding, pv_buf_str(&next->file), &finding->next_path);
	pv_buf_append_text(why, ", which is stored in ");
	pv_buf_append(why, pv_buf_str(&finding->next_path));
}

static void explain_missing(struct pv_finding *finding)
{
	struct pv_buf *why = &finding->why;
	pv_fate_text_write(&finding->fate, why);
	if (finding->fate.kind == PV_FATE_MOVED)
		append_redirect(finding);
	else if (finding->fate.kind == PV_FATE_GOOD)
		pv_buf_append_text(
		    why, finding->state->policy->output.has_mirror
			     ? ", and not stored in a file"
			     : ", but this crawl has no mirror");
}

/* The stored copy, even if the page has been deleted since. */
static enum pavane_answer tell_file(struct pv_finding *finding)
{
	const struct pv_fate *fate = &finding->fate;
	struct pv_buf *why = &finding->why;
	pv_finding_write_path(finding, pv_buf_str(&fate->file), &finding->path);
	if (access(pv_buf_text(&finding->path), F_OK) != 0) {
		pv_buf_append_text(why, "stored in ");
		pv_buf_append(why, pv_buf_str(&finding->path));
		pv_buf_append_text(why, ", but that file does not exist");
		return pv_finding_tell_missing(finding, PAVANE_NO);
	}
	if (fate->kind == PV_FATE_GONE || fate->kind == PV_FATE_LOST)
		pv_fate_text_write(fate, why);
	if (pv_http_is_redirect(fate->heard_status)) {
		pv_buf_append_text(why, "since it was fetched: ");
		explain_missing(finding);
	}
	return pv_finding_tell_found(finding, pv_buf_str(&finding->path));
}

static enum pavane_answer find_address(struct pv_finding *finding)
{
	uint64_t id = pv_fates_find(finding->fates,
	    pv_kept_state_fingerprint(finding->state, &finding->url));
	if (id)
		pv_fates_get(finding->fates, id, &finding->fate);
	if (finding->fate.file.len)
		return tell_file(finding);
	explain_missing(finding);
	return pv_finding_tell_missing(finding, PAVANE_NO);
}

/* A file */

/* Nothing is kept in it, but it leads on from an address that was
 * redirected. */
static enum pavane_answer find_stub(struct pv_finding *finding)
{
	const struct pv_kept_state *state = finding->state;
	struct pv_str name = pv_buf_str(&finding->name);
	pv_finding_write_path(finding, name, &finding->path);
	uint64_t id = access(pv_buf_text(&finding->path), F_OK) == 0
			  ? pv_stubs_find(state->database, name,
				state->policy->output.mirror.portable)
			  : 0;
	if (!id) {
		pv_buf_clear(&finding->path);
		pv_buf_append_text(
		    &finding->why, "no address is stored in that file");
		return pv_finding_tell_missing(finding, PAVANE_NO);
	}
	pv_fates_get(finding->fates, id, &finding->fate);
	explain_missing(finding);
	return pv_finding_tell_found(finding, pv_buf_str(&finding->fate.url));
}

static enum pavane_answer find_file(struct pv_finding *finding)
{
	struct pv_fates *fates = finding->fates;
	const char *directory = finding->state->directory;
	struct pv_buf *why = &finding->why;
	switch (pv_place_of(directory, finding->asked, &finding->name)) {
	case PV_PLACE_NOWHERE:
		pv_buf_append_text(why, "neither a web address, which begins "
					"with http: or https:, nor a file");
		return pv_finding_tell_missing(finding, PAVANE_WRONG);
	case PV_PLACE_ELSEWHERE:
		pv_buf_append_format(why, "no file below %s", directory);
		return pv_finding_tell_missing(finding, PAVANE_WRONG);
	case PV_PLACE_DIRECTORY:
		pv_buf_append_text(
		    why, "a directory; addresses are stored in files");
		return pv_finding_tell_missing(finding, PAVANE_NO);
	default:
		break;
	}
	uint64_t id = pv_fates_find_file(fates, pv_buf_str(&finding->name));
	if (!id)
		return find_stub(finding);
	pv_fates_get(fates, id, &finding->fate);
	pv_finding_write_path(
	    finding, pv_buf_str(&finding->name), &finding->path);
	return pv_finding_tell_found(finding, pv_buf_str(&finding->fate.url));
}

static bool is_address(struct pv_str text)
{
	size_t colon = pv_str_find(text, ':');
	struct pv_str scheme = pv_str_head(text, colon);
	return colon != PV_NOT_FOUND &&
	       (pv_str_equal_nocase(scheme, PV_STR("http")) ||
		   pv_str_equal_nocase(scheme, PV_STR("https")));
}

static enum pavane_answer find(struct pv_finding *finding)
{
	if (!is_address(pv_str_of(finding->asked)))
		return find_file(finding);
	if (pv_url_parse(&finding->url, pv_str_of(finding->asked)) == PV_URL_OK)
		return find_address(finding);
	pv_buf_append_text(&finding->why, "not a web address");
	return pv_finding_tell_missing(finding, PAVANE_WRONG);
}

/* A failure to read replaces what was found. */
enum pavane_answer pavane_places_find(struct pavane_places *places,
    const char *address_or_file, const struct pavane_place_options *given)
{
	struct pavane_place_options own, *options = &own;
	if (!pv_sized_read(options, sizeof(own), given))
		return PAVANE_WRONG;
	struct pv_database *database = places->state->database;
	struct pv_finding finding = {
	    .state = places->state,
	    .fates = &places->fates,
	    .options = options,
	    .asked = address_or_file,
	};
	pv_finding_init(&finding);
	pv_database_begin_reading(database);
	enum pavane_answer answer = find(&finding);
	pv_database_commit(database);
	if (pv_database_status(database) != PV_STORE_OK) {
		pv_buf_clear(&finding.why);
		pv_buf_append_format(&finding.why, "cannot read the state: %s",
		    pv_database_fault(database));
		pv_finding_tell_line(&finding);
		answer = PAVANE_UNREADABLE;
	}
	pv_finding_finish(&finding);
	return answer;
}
