#include "api/look/inspect.h"

#include <errno.h>
#include <string.h>

#include "base/file.h"
#include "base/visible.h"
#include "pavane/pavane.h"
#include "policy/values/units.h"
#include "robots/matcher.h"
#include "url/encoder.h"
#include "url/url.h"

void pv_inspect_lines_init(
    struct pv_inspect_lines *lines, const struct pv_inspect_taker *taker)
{
	*lines = (struct pv_inspect_lines){.taker = *taker};
	pv_map_init(&lines->known, (struct pv_hash_key){{0}});
	pv_arena_init(&lines->texts);
}

void pv_inspect_lines_finish(struct pv_inspect_lines *lines)
{
	pv_map_finish(&lines->known);
	pv_arena_finish(&lines->texts);
}

static void give(const struct pv_inspect_taker *taker, const char *word,
    struct pv_str text, struct pv_str line)
{
	if (taker->entry)
		taker->entry(taker->ctx, word, text.ptr);
	else
		taker->write(taker->ctx, line.ptr, line.len);
}

void pv_inspect_lines_print(
    struct pv_inspect_lines *lines, const char *word, struct pv_str text)
{
	struct pv_buf line;
	pv_buf_init(&line, PV_INSPECT_ADDRESS_MAX + 64);
	pv_buf_append_format(&line, "%s\t", word);
	pv_buf_append(&line, text);
	struct pv_str kept = pv_arena_copy(&lines->texts, pv_buf_str(&line));
	if (!pv_map_get(&lines->known, kept)) {
		pv_map_add(&lines->known, kept, 0);
		pv_buf_append_char(&line, '\n');
		give(&lines->taker, word, pv_str_from(kept, strlen(word) + 1),
		    pv_buf_str(&line));
	}
	pv_buf_finish(&line);
}

bool pv_inspect_read(const char *path, struct pv_buf *text, bool *is_cut)
{
	enum pv_file_read result = pv_file_read(path, text);
	*is_cut = result == PV_FILE_TOO_LARGE;
	return result != PV_FILE_FAILED;
}

/* How we read one thing, for those who write policies and tests. */

#define ADDRESS_MAX PV_INSPECT_ADDRESS_MAX

enum pavane_answer pavane_inspect_url(const char *base, const char *reference,
    const char *encoding, pavane_write_fn write, void *ctx)
{
	struct pv_url from;
	struct pv_url url;
	struct pv_encoder encoder;
	bool has_base = strcmp(base, "-") != 0;
	enum pavane_answer answer = PAVANE_NO;
	pv_url_init(&from, ADDRESS_MAX);
	pv_url_init(&url, ADDRESS_MAX);
	pv_encoder_init(&encoder, pv_str_of(encoding ? encoding : "utf-8"));
	if ((!has_base || pv_url_parse(&from, pv_str_of(base)) == PV_URL_OK) &&
	    pv_url_join(&url, has_base ? &from : NULL, pv_str_of(reference),
		&encoder) == PV_URL_OK) {
		pv_buf_append_char(&url.text, '\n');
		write(ctx, pv_buf_text(&url.text), url.text.len);
		answer = PAVANE_YES;
	}
	pv_encoder_finish(&encoder);
	pv_url_finish(&url);
	pv_url_finish(&from);
	return answer;
}

/* Robots */

static enum pavane_answer print_decision(
    const struct pv_robots_matcher *matcher, const char *address,
    struct pv_inspect_lines *lines)
{
	struct pv_url url;
	struct pv_buf line;
	enum pavane_answer answer = PAVANE_WRONG;
	pv_url_init(&url, ADDRESS_MAX);
	pv_buf_init(&line, ADDRESS_MAX);
	struct pv_str target = pv_str_of(address);
	if (address[0] == '/')
		answer = PAVANE_YES;
	else if (pv_url_parse(&url, target) == PV_URL_OK)
		answer = PAVANE_YES;
	if (answer == PAVANE_YES) {
		struct pv_robots_decision decision = pv_robots_decide(
		    matcher, address[0] == '/' ? target : pv_url_target(&url));
		answer = decision.is_allowed ? PAVANE_YES : PAVANE_NO;
		pv_visible_append(&line, decision.line);
		pv_inspect_lines_print(lines,
		    decision.is_allowed ? "allow" : "disallow",
		    pv_buf_str(&line));
	}
	pv_buf_finish(&line);
	pv_url_finish(&url);
	return answer;
}

static void print_facts(const struct pv_robots *robots,
    const struct pv_robots_matcher *matcher, struct pv_inspect_lines *lines)
{
	int64_t delay_ms = pv_robots_delay_ms(matcher);
	struct pv_buf seconds;
	pv_buf_init(&seconds, 64);
	pv_decimal_write((double)delay_ms / 1000, &seconds);
	if (delay_ms)
		pv_inspect_lines_print(lines, "delay", pv_buf_str(&seconds));
	for (size_t i = 0; i < robots->sitemaps.count; i++)
		pv_inspect_lines_print(
		    lines, "sitemap", robots->sitemaps.items[i]);
	pv_buf_finish(&seconds);
}

static enum pavane_answer inspect_robots(const char *file, const char *agent,
    const char *address, const struct pv_inspect_taker *taker)
{
	struct pv_robots_ceilings ceilings = PV_ROBOTS_CEILINGS;
	struct pv_inspect_lines lines;
	struct pv_buf text;
	bool is_cut;
	enum pavane_answer answer = PAVANE_UNREADABLE;
	pv_inspect_lines_init(&lines, taker);
	pv_buf_init(&text, ceilings.bytes);
	if (pv_inspect_read(file, &text, &is_cut)) {
		struct pv_robots *robots = pv_robots_create(
		    pv_buf_str(&text), is_cut, &ceilings, NULL);
		struct pv_robots_matcher *matcher =
		    pv_robots_matcher_create(robots, pv_str_of(agent));
		answer = PAVANE_YES;
		if (address)
			answer = print_decision(matcher, address, &lines);
		else
			print_facts(robots, matcher, &lines);
		pv_robots_matcher_destroy(matcher);
		pv_robots_destroy(robots);
	}
	int saved = errno;
	pv_buf_finish(&text);
	pv_inspect_lines_finish(&lines);
	errno = saved;
	return answer;
}

enum pavane_answer pavane_inspect_robots(const char *file, const char *agent,
    const char *address, pavane_write_fn write, void *ctx)
{
	const struct pv_inspect_taker taker = {.write = write, .ctx = ctx};
	return inspect_robots(file, agent, address, &taker);
}

enum pavane_answer pavane_inspect_robots_values(const char *file,
    const char *agent, const char *address, pavane_found_fn entry, void *ctx)
{
	const struct pv_inspect_taker taker = {.entry = entry, .ctx = ctx};
	return inspect_robots(file, agent, address, &taker);
}
