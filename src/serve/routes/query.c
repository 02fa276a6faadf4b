#include "serve/routes/query.h"

#include <string.h>

#include "base/reader.h"
#include "serve/http/problem.h"

#define SHORT_TEXT_MAX 40
#define WORDS_MAX 1000

bool pv_query_text(const struct pv_exchange *exchange, const char *name,
    struct pv_buf *text, struct pv_reply *reply)
{
	size_t before = text->len;
	if (!pv_exchange_has_argument(exchange, name))
		return true;
	bool is_right = pv_exchange_argument(exchange, name, text) &&
			strlen(pv_buf_text(text)) == text->len;
	if (is_right)
		return true;
	pv_buf_cut(text, before);
	pv_problem_reply(reply, 400,
	    "%s: expected at most %zu bytes without NUL, each \"%%\" of which is "
	    "followed by two hexadecimal digits",
	    name, text->ceiling);
	return false;
}

static bool read_number(
    struct pv_str text, struct pv_query_range range, uint64_t *number)
{
	struct pv_reader reader = pv_reader_of(text);
	uint64_t read;
	if (!pv_reader_take_number(&reader, range.most, &read) ||
	    !pv_reader_is_end(&reader) || read < range.least)
		return false;
	*number = read;
	return true;
}

bool pv_query_number(const struct pv_exchange *exchange, const char *name,
    struct pv_query_range range, uint64_t *number, struct pv_reply *reply)
{
	struct pv_buf text;
	pv_buf_init(&text, SHORT_TEXT_MAX);
	bool is_given = pv_exchange_has_argument(exchange, name);
	bool is_right =
	    !is_given || (pv_exchange_argument(exchange, name, &text) &&
			     read_number(pv_buf_str(&text), range, number));
	pv_buf_finish(&text);
	if (!is_right)
		pv_problem_reply(reply, 400,
		    "%s: expected a number from %llu to %llu", name,
		    (unsigned long long)range.least,
		    (unsigned long long)range.most);
	return is_right;
}

static bool find_word(
    struct pv_str text, const char *const *words, size_t *place)
{
	for (size_t i = 0; words[i]; i++) {
		if (!pv_str_equal(text, pv_str_of(words[i])))
			continue;
		*place = i;
		return true;
	}
	return false;
}

static void refuse_word(
    const char *name, const char *const *words, struct pv_reply *reply)
{
	struct pv_buf list;
	pv_buf_init(&list, WORDS_MAX);
	for (size_t i = 0; words[i]; i++) {
		const char *between = words[i + 1] ? ", " : " or ";
		pv_buf_append_format(
		    &list, "%s\"%s\"", i ? between : "", words[i]);
	}
	pv_problem_reply(reply, 400, "%s: expected %s, or to be left out", name,
	    pv_buf_text(&list));
	pv_buf_finish(&list);
}

bool pv_query_word(const struct pv_exchange *exchange, const char *name,
    const char *const *words, size_t *place, struct pv_reply *reply)
{
	struct pv_buf text;
	pv_buf_init(&text, SHORT_TEXT_MAX);
	bool is_given = pv_exchange_has_argument(exchange, name);
	bool is_right =
	    !is_given || (pv_exchange_argument(exchange, name, &text) &&
			     find_word(pv_buf_str(&text), words, place));
	pv_buf_finish(&text);
	if (!is_right)
		refuse_word(name, words, reply);
	return is_right;
}
