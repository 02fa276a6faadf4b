#include "web/words.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/ascii.h"
#include "sink/line_parts.h"
#include "web/html_text.h"

#define UNIT 1024

struct pv_words pv_words_count(uint64_t count)
{
	struct pv_words words = {""};
	char digits[24];
	char *at = words.text;
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*at++ = ',';
		*at++ = digits[i];
	}
	return words;
}

struct pv_words pv_words_size(uint64_t bytes)
{
	static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
	struct pv_words words;
	double size = (double)bytes / UNIT;
	size_t unit = 0;
	while (size >= UNIT && unit + 1 < sizeof(units) / sizeof(*units)) {
		size /= UNIT;
		unit++;
	}
	if (bytes < UNIT)
		snprintf(words.text, sizeof(words.text), "%.32s byte%s",
		    pv_words_count(bytes).text, bytes == 1 ? "" : "s");
	else
		snprintf(words.text, sizeof(words.text), "%.1f %s", size,
		    units[unit]);
	return words;
}

struct pv_words pv_words_time(int64_t wall_ms)
{
	struct pv_words words;
	struct pv_buf time;
	pv_buf_init(&time, 64);
	pv_line_append_time(&time, wall_ms);
	struct pv_str text = pv_buf_str(&time);
	struct pv_str minute = {text.ptr + sizeof("2026-03-01"), 5};
	snprintf(words.text, sizeof(words.text),
	    "<time datetime=\"%.*s\">%.*s %.*s UTC</time>", PV_STR_ARG(text),
	    PV_STR_ARG(pv_str_head(text, sizeof("2026-03-01") - 1)),
	    PV_STR_ARG(minute));
	pv_buf_finish(&time);
	return words;
}

/* RFC 9110, 15.5 and 15.6, and what else is met. */
const char *pv_words_status(unsigned status)
{
	static const struct {
		unsigned status;
		const char *words;
	} known[] = {
	    {300, "multiple choices"},
	    {400, "bad request"},
	    {401, "login required"},
	    {402, "payment required"},
	    {403, "forbidden"},
	    {404, "not found"},
	    {405, "method not allowed"},
	    {406, "not acceptable"},
	    {408, "request timeout"},
	    {410, "gone"},
	    {414, "address too long"},
	    {421, "wrong server"},
	    {429, "too many requests"},
	    {451, "unavailable for legal reasons"},
	    {500, "server error"},
	    {501, "not implemented"},
	    {502, "bad gateway"},
	    {503, "service unavailable"},
	    {504, "gateway timeout"},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (known[i].status == status)
			return known[i].words;
	}
	return "";
}

static bool is_plain(int byte)
{
	return pv_is_alnum(byte) || byte == '/' || byte == '.' || byte == '_' ||
	       byte == '-';
}

/* What begins with a dash would be an option. */
void pv_words_directory(struct pv_buf *page, const char *directory)
{
	struct pv_buf word;
	bool is_whole = *directory != '\0';
	pv_buf_init(&word, SIZE_MAX);
	if (*directory == '-')
		pv_buf_append_text(&word, "./");
	for (const char *c = directory; *c; c++) {
		is_whole = is_whole && is_plain((unsigned char)*c);
		if (*c == '\'')
			pv_buf_append_text(&word, "'\\''");
		else
			pv_buf_append_char(&word, *c);
	}
	if (!is_whole)
		pv_buf_append_text(page, "&#39;");
	pv_html_text_append(page, pv_buf_str(&word));
	if (!is_whole)
		pv_buf_append_text(page, "&#39;");
	pv_buf_finish(&word);
}
