#include "api/mirror/link_forms.h"

#include "api/look/fate_text.h"
#include "base/visible.h"

/* A field, or a path. */
#define TEXT_MAX ((size_t)8 << 20)

/* So many pages are named in a text where nobody asked for all. */
#define PAGES_MAX 10

/* As its owner would open it. */
static void append_path(const struct pv_link_telling *telling,
    struct pv_str file, struct pv_buf *buf)
{
	pv_buf_append(buf, telling->directory);
	pv_buf_append_char(buf, '/');
	pv_buf_append(buf, file);
}

/* Text */

static void begin_nothing(struct pv_link_telling *telling)
{
	(void)telling;
}

static void append_broken(struct pv_link_telling *telling)
{
	struct pv_buf *text = &telling->text;
	pv_visible_append(text, pv_buf_str(&telling->fate->url));
	pv_buf_append_text(text, "\n  ");
	pv_fate_text_write(telling->fate, text);
	pv_buf_append_char(text, '\n');
}

static void append_page(
    struct pv_link_telling *telling, struct pv_str url, struct pv_str file)
{
	struct pv_buf *text = &telling->text;
	if (telling->pages > PAGES_MAX && !telling->options->has_all)
		return;
	pv_buf_append_text(text, "  on ");
	pv_visible_append(text, url);
	if (file.len) {
		struct pv_buf path;
		pv_buf_init(&path, SIZE_MAX);
		append_path(telling, file, &path);
		pv_buf_append_text(text, ", stored in ");
		pv_visible_append(text, pv_buf_str(&path));
		pv_buf_finish(&path);
	}
	pv_buf_append_char(text, '\n');
}

static void append_end(struct pv_link_telling *telling)
{
	uint64_t more = telling->pages - PAGES_MAX;
	struct pv_buf *text = &telling->text;
	if (telling->pages > PAGES_MAX && !telling->options->has_all)
		pv_buf_append_format(text,
		    "  and on %llu more page%s (--verbose names them)\n",
		    (unsigned long long)more, more == 1 ? "" : "s");
	if (!telling->pages)
		pv_buf_append_text(text, "  a seed of the crawl\n");
}

static void append_sum(
    struct pv_link_telling *telling, const struct pv_link_check_sum *sum)
{
	struct pv_buf *text = &telling->text;
	if (!sum->broken) {
		pv_buf_append_text(text, "no link is broken\n");
		return;
	}
	pv_buf_append_format(text, "\n%llu address%s could not be fetched",
	    (unsigned long long)sum->broken, sum->broken == 1 ? "" : "es");
	pv_buf_append_format(text, "; %llu document%s read for links to %s\n",
	    (unsigned long long)sum->documents,
	    sum->documents == 1 ? " was" : "s were",
	    sum->broken == 1 ? "it" : "them");
}

/* JSON */

static void append_why_json(struct pv_link_telling *telling)
{
	struct pv_buf why;
	pv_buf_init(&why, TEXT_MAX);
	pv_fate_text_write(telling->fate, &why);
	pv_buf_append_text(&telling->text, ",\"why\":");
	pv_json_write_text(pv_buf_str(&why), &telling->text);
	pv_buf_finish(&why);
}

static void append_broken_json(struct pv_link_telling *telling)
{
	struct pv_buf *text = &telling->text;
	pv_buf_append_text(text, "{\"url\":");
	pv_json_write_text(pv_buf_str(&telling->fate->url), text);
	pv_fate_text_write_json(telling->fate, text);
	append_why_json(telling);
	if (telling->fate->via.len) {
		pv_buf_append_text(text, ",\"via\":");
		pv_json_write_text(pv_buf_str(&telling->fate->via), text);
	}
	pv_buf_append_text(text, ",\"pages\":[");
}

static void append_page_json(
    struct pv_link_telling *telling, struct pv_str url, struct pv_str file)
{
	struct pv_buf *text = &telling->text;
	if (telling->pages > 1)
		pv_buf_append_char(text, ',');
	pv_buf_append_text(text, "{\"url\":");
	pv_json_write_text(url, text);
	if (file.len) {
		struct pv_buf path;
		pv_buf_init(&path, SIZE_MAX);
		append_path(telling, file, &path);
		pv_buf_append_text(text, ",\"file\":");
		pv_json_write_text(pv_buf_str(&path), text);
		pv_buf_finish(&path);
	}
	pv_buf_append_char(text, '}');
}

static void append_end_json(struct pv_link_telling *telling)
{
	pv_buf_append_text(&telling->text, "]}\n");
}

static void append_no_sum(
    struct pv_link_telling *telling, const struct pv_link_check_sum *sum)
{
	(void)telling, (void)sum;
}

/* CSV */

static void append_field(struct pv_buf *text, struct pv_str value)
{
	pv_buf_append_char(text, '"');
	for (size_t i = 0; i < value.len; i++) {
		if (value.ptr[i] == '"')
			pv_buf_append_char(text, '"');
		pv_buf_append_char(text, value.ptr[i]);
	}
	pv_buf_append_char(text, '"');
}

static void begin_csv(struct pv_link_telling *telling)
{
	pv_buf_append_text(&telling->text, "url,what,why,page,file\n");
}

static void begin_row(struct pv_link_telling *telling)
{
	struct pv_buf *text = &telling->text;
	struct pv_buf value;
	pv_buf_init(&value, TEXT_MAX);
	append_field(text, pv_buf_str(&telling->fate->url));
	pv_buf_append_char(text, ',');
	pv_fate_text_write_word(telling->fate, &value);
	append_field(text, pv_buf_str(&value));
	pv_buf_append_char(text, ',');
	pv_buf_clear(&value);
	pv_fate_text_write(telling->fate, &value);
	append_field(text, pv_buf_str(&value));
	pv_buf_finish(&value);
}

static void append_page_csv(
    struct pv_link_telling *telling, struct pv_str url, struct pv_str file)
{
	struct pv_buf *text = &telling->text;
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	if (file.len)
		append_path(telling, file, &path);
	begin_row(telling);
	pv_buf_append_char(text, ',');
	append_field(text, url);
	pv_buf_append_char(text, ',');
	append_field(text, pv_buf_str(&path));
	pv_buf_append_char(text, '\n');
	pv_buf_finish(&path);
}

static void append_nothing(struct pv_link_telling *telling)
{
	(void)telling;
}

static void append_end_csv(struct pv_link_telling *telling)
{
	if (telling->pages)
		return;
	begin_row(telling);
	pv_buf_append_text(&telling->text, ",\"\",\"\"\n");
}

/* Values */

static void give_page(
    struct pv_link_telling *telling, struct pv_str url, struct pv_str file)
{
	const struct pavane_links_options *options = telling->options;
	struct pv_buf texts[5];
	for (size_t i = 0; i < 5; i++)
		pv_buf_init(&texts[i], TEXT_MAX);
	pv_buf_append(&texts[0], pv_buf_str(&telling->fate->url));
	pv_fate_text_write_word(telling->fate, &texts[1]);
	pv_fate_text_write(telling->fate, &texts[2]);
	pv_buf_append(&texts[3], url);
	pv_buf_append(&texts[4], file);
	const struct pavane_broken_link link = {
	    .address = pv_buf_text(&texts[0]),
	    .what = pv_buf_text(&texts[1]),
	    .why = pv_buf_text(&texts[2]),
	    .page = pv_buf_text(&texts[3]),
	    .file = pv_buf_text(&texts[4]),
	    .status = telling->fate->result.http_status,
	};
	if (options->on_broken)
		options->on_broken(options->ctx, &link);
	for (size_t i = 0; i < 5; i++)
		pv_buf_finish(&texts[i]);
}

static void give_end(struct pv_link_telling *telling)
{
	if (!telling->pages)
		give_page(telling, PV_STR(""), PV_STR(""));
}

const struct pv_link_form pv_link_forms[] = {
    [PAVANE_LINKS_TEXT] = {begin_nothing, append_broken, append_page,
	append_end, append_sum},
    [PAVANE_LINKS_JSON] = {begin_nothing, append_broken_json, append_page_json,
	append_end_json, append_no_sum},
    [PAVANE_LINKS_CSV] = {begin_csv, append_nothing, append_page_csv,
	append_end_csv, append_no_sum},
    [PAVANE_LINKS_VALUES] = {begin_nothing, append_nothing, give_page, give_end,
	append_no_sum},
};
