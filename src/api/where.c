#include <stdlib.h>
#include <unistd.h>

#include "api/fate_text.h"
#include "api/problems.h"
#include "base/alloc.h"
#include "base/visible.h"
#include "mirror/place_of.h"
#include "pavane/pavane.h"
#include "url/url.h"

/* Where a mirror keeps an address, and what it keeps in a file. */

#define ADDRESS_MAX ((size_t)1 << 20)
#define TEXT_MAX ((size_t)8 << 20)

/* So many redirects are followed to a file. */
#define HOPS_MAX 20

struct pavane_places {
	struct pv_kept_state *state;
	struct pv_fates fates;
};

/* What is asked, and what is found out. */
struct finding {
	struct pavane_places *places;
	const struct pavane_place_options *options;
	const char *asked;
	struct pv_url url;
	struct pv_buf name; /* of a file, below the directory */
	struct pv_fate fate;
	struct pv_buf path;  /* where it is kept */
	struct pv_fate next; /* of what it was redirected to in the end ... */
	struct pv_buf next_path; /* ... and where that is kept */
	struct pv_buf text;
	struct pv_buf why; /* there is none */
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

static void finding_init(struct finding *finding)
{
	pv_url_init(&finding->url, ADDRESS_MAX);
	pv_buf_init(&finding->name, ADDRESS_MAX);
	pv_fate_init(&finding->fate);
	pv_fate_init(&finding->next);
	pv_buf_init(&finding->path, SIZE_MAX);
	pv_buf_init(&finding->next_path, SIZE_MAX);
	pv_buf_init(&finding->text, TEXT_MAX);
	pv_buf_init(&finding->why, TEXT_MAX);
}

static void finding_finish(struct finding *finding)
{
	pv_url_finish(&finding->url);
	pv_buf_finish(&finding->name);
	pv_fate_finish(&finding->fate);
	pv_fate_finish(&finding->next);
	pv_buf_finish(&finding->path);
	pv_buf_finish(&finding->next_path);
	pv_buf_finish(&finding->text);
	pv_buf_finish(&finding->why);
}

/* Telling */

static void write_text(struct finding *finding)
{
	const struct pavane_place_options *options = finding->options;
	options->write(
	    options->ctx, pv_buf_text(&finding->text), finding->text.len);
}

static void append_member(
    struct pv_buf *text, const char *name, struct pv_str value)
{
	pv_buf_append_format(text, ",\"%s\":", name);
	pv_json_write_text(value, text);
}

static void tell_json(struct finding *finding, bool is_found)
{
	const struct pv_fate *fate = &finding->fate;
	struct pv_buf *text = &finding->text;
	pv_buf_append_text(text, "{\"asked\":");
	pv_json_write_text(pv_str_of(finding->asked), text);
	pv_buf_append_format(
	    text, ",\"found\":%s", is_found ? "true" : "false");
	if (fate->id)
		append_member(text, "url", pv_buf_str(&fate->url));
	else if (finding->url.text.len)
		append_member(text, "url", pv_url_page(&finding->url));
	if (finding->path.len)
		append_member(text, "file", pv_buf_str(&finding->path));
	if (fate->id || finding->url.text.len)
		pv_fate_text_write_json(fate, text);
	if (finding->next.id)
		append_member(text, "to", pv_buf_str(&finding->next.url));
	if (finding->next_path.len)
		append_member(text, "to_file", pv_buf_str(&finding->next_path));
	if (finding->why.len)
		append_member(text, "why", pv_buf_str(&finding->why));
	pv_buf_append_text(text, "}\n");
	write_text(finding);
}

/* A line beside what was found, or in its place. */
static void tell_line(struct finding *finding)
{
	const struct pavane_place_options *options = finding->options;
	struct pv_buf line;
	pv_buf_init(&line, TEXT_MAX);
	pv_visible_append(&line, pv_str_of(finding->asked));
	pv_buf_append_text(&line, ": ");
	pv_visible_append(&line, pv_buf_str(&finding->why));
	if (options->on_line)
		options->on_line(
		    options->ctx, PAVANE_ERROR, pv_buf_text(&line));
	pv_buf_finish(&line);
}

static enum pavane_answer tell_found(
    struct finding *finding, struct pv_str found)
{
	if (finding->options->is_json) {
		tell_json(finding, true);
		return PAVANE_YES;
	}
	if (finding->why.len)
		tell_line(finding);
	pv_visible_append(&finding->text, found);
	pv_buf_append_char(&finding->text, '\n');
	write_text(finding);
	return PAVANE_YES;
}

static enum pavane_answer tell_missing(
    struct finding *finding, enum pavane_answer answer)
{
	if (finding->options->is_json)
		tell_json(finding, false);
	else
		tell_line(finding);
	return answer;
}

/* An address */

/* As its owner would open it. */
static void write_path(
    const struct finding *finding, struct pv_str file, struct pv_buf *path)
{
	struct pv_str directory = pv_str_of(finding->places->state->directory);
	while (directory.len > 1 && pv_str_ends(directory, PV_STR("/")))
		directory.len--;
	pv_buf_clear(path);
	pv_buf_append(path, directory);
	pv_buf_append_char(path, '/');
	pv_buf_append(path, file);
}

/* Where it was redirected to, and where that is kept in the end. */
static void append_redirect(struct finding *finding)
{
	struct pv_fates *fates = &finding->places->fates;
	struct pv_fate *next = &finding->next;
	struct pv_buf *why = &finding->why;
	uint64_t id = pv_fates_next(fates, &finding->fate);
	if (!id) {
		pv_buf_append_text(why, ", redirected to what the crawl had "
					"met before");
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
	write_path(finding, pv_buf_str(&next->file), &finding->next_path);
	pv_buf_append_text(why, ", which is kept in ");
	pv_buf_append(why, pv_buf_str(&finding->next_path));
}

static void explain_missing(struct finding *finding)
{
	struct pv_buf *why = &finding->why;
	pv_fate_text_write(&finding->fate, why);
	if (finding->fate.kind == PV_FATE_MOVED)
		append_redirect(finding);
	else if (finding->fate.kind == PV_FATE_GOOD)
		pv_buf_append_text(
		    why, finding->places->state->policy->output.has_mirror
			     ? ", and not kept in a file"
			     : ", but this crawl keeps no mirror");
}

/* What there is, whatever became of it since. */
static enum pavane_answer tell_file(struct finding *finding)
{
	const struct pv_fate *fate = &finding->fate;
	struct pv_buf *why = &finding->why;
	write_path(finding, pv_buf_str(&fate->file), &finding->path);
	if (access(pv_buf_text(&finding->path), F_OK) != 0) {
		pv_buf_append_text(why, "kept in ");
		pv_buf_append(why, pv_buf_str(&finding->path));
		pv_buf_append_text(why, ", but that file is not there");
		return tell_missing(finding, PAVANE_NO);
	}
	if (fate->kind == PV_FATE_GONE || fate->kind == PV_FATE_LOST)
		pv_fate_text_write(fate, why);
	return tell_found(finding, pv_buf_str(&finding->path));
}

static enum pavane_answer find_address(struct finding *finding)
{
	struct pavane_places *places = finding->places;
	uint64_t key = pv_kept_state_key(places->state, &finding->url);
	uint64_t id = pv_fates_find(&places->fates, key);
	if (id)
		pv_fates_get(&places->fates, id, &finding->fate);
	if (finding->fate.file.len)
		return tell_file(finding);
	explain_missing(finding);
	return tell_missing(finding, PAVANE_NO);
}

/* A file */

static enum pavane_answer find_file(struct finding *finding)
{
	struct pv_fates *fates = &finding->places->fates;
	const char *directory = finding->places->state->directory;
	struct pv_buf *why = &finding->why;
	switch (pv_place_of(directory, finding->asked, &finding->name)) {
	case PV_PLACE_NOWHERE:
		pv_buf_append_text(why, "neither a web address, which begins "
					"with http: or https:, nor a file");
		return tell_missing(finding, PAVANE_WRONG);
	case PV_PLACE_ELSEWHERE:
		pv_buf_append_format(why, "no file below %s", directory);
		return tell_missing(finding, PAVANE_WRONG);
	case PV_PLACE_DIRECTORY:
		pv_buf_append_text(why, "a directory, and addresses are kept "
					"in files");
		return tell_missing(finding, PAVANE_NO);
	default:
		break;
	}
	uint64_t id = pv_fates_find_file(fates, pv_buf_str(&finding->name));
	if (!id) {
		pv_buf_append_text(why, "no address is kept in that file");
		return tell_missing(finding, PAVANE_NO);
	}
	pv_fates_get(fates, id, &finding->fate);
	write_path(finding, pv_buf_str(&finding->name), &finding->path);
	return tell_found(finding, pv_buf_str(&finding->fate.url));
}

static bool is_address(struct pv_str text)
{
	size_t colon = pv_str_find(text, ':');
	struct pv_str scheme = pv_str_head(text, colon);
	return colon != PV_NOT_FOUND &&
	       (pv_str_equal_nocase(scheme, PV_STR("http")) ||
		   pv_str_equal_nocase(scheme, PV_STR("https")));
}

static enum pavane_answer find(struct finding *finding)
{
	if (!is_address(pv_str_of(finding->asked)))
		return find_file(finding);
	if (pv_url_parse(&finding->url, pv_str_of(finding->asked)) == PV_URL_OK)
		return find_address(finding);
	pv_buf_append_text(&finding->why, "no web address");
	return tell_missing(finding, PAVANE_WRONG);
}

/* What cannot be read is told in the place of whatever was found out. */
enum pavane_answer pavane_places_find(struct pavane_places *places,
    const char *address_or_file, const struct pavane_place_options *options)
{
	struct pv_database *database = places->state->database;
	struct finding finding = {
	    .places = places, .options = options, .asked = address_or_file};
	finding_init(&finding);
	enum pavane_answer answer = find(&finding);
	if (pv_database_status(database) != PV_STORE_OK) {
		pv_buf_clear(&finding.why);
		pv_buf_append_format(&finding.why,
		    "the state cannot be read: %s",
		    pv_database_fault(database));
		tell_line(&finding);
		answer = PAVANE_UNREADABLE;
	}
	finding_finish(&finding);
	return answer;
}
