#include "policy/sources/excerpt.h"

#include <stdio.h>

#include "base/reader.h"
#include "base/utf8.h"
#include "base/visible.h"
#include "policy/secrets/secret.h"

/* So many characters of a line are shown: with the number of the line they fit
 * into the 80 columns of a terminal. Of a longer line, so many of them stand
 * before the place. */
#define SHOWN_MAX 64
#define BEFORE_MAX 40

#define CUT "..."

/* An excerpt is short; made visible, a character has at most ten bytes. */
#define EXCERPT_MAX 4096

static struct pv_str line_of(struct pv_str text, uint32_t line)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str found = {"", 0};
	pv_reader_accept_str(&reader, PV_STR("\xef\xbb\xbf"));
	for (uint32_t i = 0; i < line && !pv_reader_is_end(&reader); i++)
		found = pv_reader_take_line(&reader);
	return found;
}

static bool has(struct pv_str text, struct pv_str part)
{
	for (size_t i = 0; i + part.len <= text.len; i++) {
		if (pv_str_starts(pv_str_from(text, i), part))
			return true;
	}
	return false;
}

/* Names of headers, the credentials of an address, and users; rather too
 * many. */
static bool is_secret(struct pv_str line)
{
	bool has_user = pv_str_find(line, '@') != PV_NOT_FOUND;
	return pv_header_is_secret(line) || has(line, PV_STR("user:")) ||
	       has(line, PV_STR("secret")) || has(line, PV_STR("whsec_")) ||
	       (has_user && has(line, PV_STR("//")));
}

/* The scripts that terminals show two columns wide, and what they show over the
 * character before it. */
static size_t width_of(int32_t character)
{
	static const struct {
		int32_t first, last;
		size_t width;
	} ranges[] = {
	    {0x0300, 0x036f, 0},
	    {0x1100, 0x115f, 2},
	    {0x2e80, 0xa4cf, 2},
	    {0xac00, 0xd7a3, 2},
	    {0xf900, 0xfaff, 2},
	    {0xfe30, 0xfe6f, 2},
	    {0xff00, 0xff60, 2},
	    {0xffe0, 0xffe6, 2},
	    {0x1f300, 0x1f64f, 2},
	    {0x1f900, 0x1f9ff, 2},
	    {0x20000, 0x3fffd, 2},
	};
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		if (character >= ranges[i].first && character <= ranges[i].last)
			return ranges[i].width;
	}
	return 1;
}

static size_t columns_of(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	size_t columns = 0;
	while (!pv_reader_is_end(&reader))
		columns += width_of(pv_utf8_next(&reader));
	return columns;
}

/* Takes so many characters, or as many as there are. */
static struct pv_str take_characters(struct pv_reader *reader, size_t count)
{
	const char *start = reader->at;
	for (; count && !pv_reader_is_end(reader); count--)
		pv_utf8_next(reader);
	return (struct pv_str){start, (size_t)(reader->at - start)};
}

static bool is_long(struct pv_str line)
{
	struct pv_reader reader = pv_reader_of(line);
	take_characters(&reader, SHOWN_MAX);
	return !pv_reader_is_end(&reader);
}

/* Appends what of the line is shown; returns how wide it is up to the place. */
static size_t append_line(
    struct pv_str line, uint32_t column, struct pv_buf *buf)
{
	struct pv_reader reader = pv_reader_of(line);
	size_t before = column ? column - 1 : 0;
	size_t start = buf->len;
	if (before > BEFORE_MAX && is_long(line)) {
		take_characters(&reader, before - BEFORE_MAX);
		pv_buf_append_text(buf, CUT);
		before = BEFORE_MAX;
	}
	pv_visible_append(buf, take_characters(&reader, before));
	size_t width = columns_of(pv_str_from(pv_buf_str(buf), start));
	size_t after = before < SHOWN_MAX ? SHOWN_MAX - before : 0;
	pv_visible_append(buf, take_characters(&reader, after));
	if (!pv_reader_is_end(&reader))
		pv_buf_append_text(buf, CUT);
	return width;
}

void pv_excerpt_write(
    struct pv_str text, uint32_t line, uint32_t column, struct pv_buf *buf)
{
	struct pv_str shown = line_of(text, line);
	if (!line || is_secret(shown))
		return;
	int gutter = snprintf(NULL, 0, "%u", line);
	pv_buf_append_format(buf, "%5u | ", line);
	size_t width = append_line(shown, column, buf);
	pv_buf_append_format(
	    buf, "\n%*s | %*s^", gutter < 5 ? 5 : gutter, "", (int)width, "");
}

static void add_all(
    struct pv_problems *problems, struct pv_str file, struct pv_str text)
{
	for (size_t i = 0; i < problems->kept_count; i++) {
		struct pv_problem *problem = &problems->kept[i];
		struct pv_buf excerpt;
		if (problem->excerpt || !problem->column ||
		    !pv_str_equal(pv_str_of(problem->file), file))
			continue;
		pv_buf_init(&excerpt, EXCERPT_MAX);
		pv_excerpt_write(
		    text, problem->line, problem->column, &excerpt);
		problem->excerpt = pv_buf_take(&excerpt);
	}
}

/* Problems have the name of their file as it is printed. */
void pv_excerpts_add(struct pv_why *why, const char *file, struct pv_str text)
{
	struct pv_buf name;
	pv_buf_init(&name, EXCERPT_MAX);
	pv_visible_append(&name, pv_str_of(file));
	add_all(&why->problems, pv_buf_str(&name), text);
	add_all(&why->notes, pv_buf_str(&name), text);
	pv_buf_finish(&name);
}
