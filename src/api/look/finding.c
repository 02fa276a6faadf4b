#include "api/look/finding.h"

#include "api/look/fate_text.h"
#include "base/visible.h"

#define ADDRESS_MAX ((size_t)1 << 20)
#define TEXT_MAX ((size_t)8 << 20)

void pv_finding_init(struct pv_finding *finding)
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

void pv_finding_finish(struct pv_finding *finding)
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

static void write_text(struct pv_finding *finding)
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

static void tell_json(struct pv_finding *finding, bool is_found)
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
void pv_finding_tell_line(struct pv_finding *finding)
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

enum pavane_answer pv_finding_tell_found(
    struct pv_finding *finding, struct pv_str found)
{
	if (finding->options->is_json) {
		tell_json(finding, true);
		return PAVANE_YES;
	}
	if (finding->why.len)
		pv_finding_tell_line(finding);
	pv_visible_append(&finding->text, found);
	pv_buf_append_char(&finding->text, '\n');
	write_text(finding);
	return PAVANE_YES;
}

enum pavane_answer pv_finding_tell_missing(
    struct pv_finding *finding, enum pavane_answer answer)
{
	if (finding->options->is_json)
		tell_json(finding, false);
	else
		pv_finding_tell_line(finding);
	return answer;
}

void pv_finding_write_path(
    const struct pv_finding *finding, struct pv_str file, struct pv_buf *path)
{
	struct pv_str directory = pv_str_of(finding->state->directory);
	while (directory.len > 1 && pv_str_ends(directory, PV_STR("/")))
		directory.len--;
	pv_buf_clear(path);
	pv_buf_append(path, directory);
	pv_buf_append_char(path, '/');
	pv_buf_append(path, file);
}
