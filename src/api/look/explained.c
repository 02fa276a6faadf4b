#include "api/look/explained.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/visible.h"

#define TEXT_MAX ((size_t)1 << 20)
#define KEY_WIDTH 16

void pv_explained_init(struct pv_explained *explained)
{
	*explained = (struct pv_explained){.lines = NULL};
	pv_arena_init(&explained->texts);
}

void pv_explained_finish(struct pv_explained *explained)
{
	pv_arena_finish(&explained->texts);
	free(explained->lines);
}

void pv_explained_clear(struct pv_explained *explained)
{
	pv_explained_finish(explained);
	pv_explained_init(explained);
}

const char *pv_explained_text(
    struct pv_explained *explained, struct pv_str text)
{
	struct pv_buf visible;
	pv_buf_init(&visible, 4 * TEXT_MAX);
	pv_visible_append(&visible, text);
	const char *kept =
	    pv_arena_text(&explained->texts, pv_buf_str(&visible));
	pv_buf_finish(&visible);
	return kept;
}

void pv_explained_add(struct pv_explained *explained, const char *key,
    struct pv_str sentence, const struct pv_origin *origin)
{
	struct pavane_explained_line *line =
	    PV_ARRAY_PUSH(explained->lines, explained->count, explained->size);
	struct pv_buf text;
	const struct pv_place *place = origin ? &origin->place : NULL;
	bool has_file = place && place->file;
	pv_buf_init(&text, TEXT_MAX);
	if (origin && (origin->place.file || origin->said))
		pv_origin_write(origin, &text);
	*line = (struct pavane_explained_line){
	    .key = key,
	    .sentence = pv_explained_text(explained, sentence),
	    .origin = pv_arena_text(&explained->texts, pv_buf_str(&text)),
	    .file = has_file ? pv_arena_text(
				   &explained->texts, pv_str_of(place->file))
			     : "",
	    .line = has_file ? place->line : 0,
	};
	pv_buf_finish(&text);
}

static void write_line(
    const struct pavane_explained_line *line, struct pv_buf *text)
{
	pv_buf_append_format(
	    text, "  %-*s %s", KEY_WIDTH, line->key, line->sentence);
	if (line->origin[0])
		pv_buf_append_format(text, " (%s)", line->origin);
	pv_buf_append_char(text, '\n');
}

void pv_explained_write(
    const struct pavane_explanation *explanation, struct pv_buf *text)
{
	pv_buf_append_format(text, "%s\n", explanation->address);
	for (size_t i = 0; i < explanation->line_count; i++)
		write_line(&explanation->lines[i], text);
	pv_buf_append_text(text, explanation->is_fetched
				     ? "  it would be fetched"
				     : "  it would not be fetched: ");
	pv_buf_append_format(text, "%s\n",
	    explanation->is_fetched ? explanation->when : explanation->reason);
}
