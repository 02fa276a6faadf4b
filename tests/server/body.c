#include "server/body.h"

#include <inttypes.h>

/* The pattern repeats after 64 bytes, and a long row of it is at hand, so that
 * large bodies are copied in large pieces. */
#define PATTERN_16 "0123456789abcdef"
#define PATTERN_64                    \
	PATTERN_16 "ghijklmnopqrstuv" \
		   "wxyzABCDEFGHIJKL" \
		   "MNOPQRSTUVWXYZ.\n"
#define PATTERN_256 PATTERN_64 PATTERN_64 PATTERN_64 PATTERN_64
#define PATTERN_1K PATTERN_256 PATTERN_256 PATTERN_256 PATTERN_256
#define PATTERN_4K PATTERN_1K PATTERN_1K PATTERN_1K PATTERN_1K

static const char pattern[] = PATTERN_4K PATTERN_4K PATTERN_4K PATTERN_4K;
static const char zeros[sizeof(pattern)];

char server_pattern_at(uint64_t place)
{
	return pattern[place % 64];
}

static struct body text_of(struct pv_str text)
{
	return (struct body){text, text.len};
}

static struct body links(uint64_t count, struct pv_buf *buf)
{
	pv_buf_append_text(buf, "<!doctype html><title>links</title>\n");
	for (uint64_t i = 0; i < count; i++)
		pv_buf_append_format(
		    buf, "<a href=\"%" PRIu64 "\">%" PRIu64 "</a>\n", i, i);
	return text_of(pv_buf_str(buf));
}

/* It repeats, wherever it begins. */
static struct body pattern_of(const struct server_answer *answer)
{
	size_t start = answer->from % 64;
	size_t len = sizeof(pattern) - 1 - (start ? 64 : 0);
	return (struct body){{pattern + start, len}, answer->size};
}

struct body body_of(const struct server_answer *answer, struct pv_buf *buf)
{
	switch (answer->kind) {
	case SERVER_PATTERN:
		return pattern_of(answer);
	case SERVER_ZEROS:
		return (struct body){{zeros, sizeof(zeros)}, answer->size};
	case SERVER_LINKS:
		return links(answer->size, buf);
	case SERVER_TEXT:
		break;
	}
	if (answer->own_body && answer->own_body->len)
		return text_of(pv_buf_str(answer->own_body));
	return text_of(pv_str_of(answer->body ? answer->body : ""));
}
