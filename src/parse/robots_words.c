#include "parse/robots_words.h"

#include "base/ascii.h"
#include "base/reader.h"

/* Of what nobody needs to know there is no more. */
#define REST_MAX 200

/* A word that is longer is none. */
#define WORD_MAX 64

#define NONE (PV_WORD_NOINDEX | PV_WORD_NOFOLLOW)

static const struct {
	struct pv_str word;
	unsigned bits;
} known[] = {
    {PV_STR("noindex"), PV_WORD_NOINDEX},
    {PV_STR("nofollow"), PV_WORD_NOFOLLOW},
    {PV_STR("noarchive"), PV_WORD_NOARCHIVE},
    {PV_STR("nosnippet"), PV_WORD_NOSNIPPET},
    {PV_STR("noimageindex"), PV_WORD_NOIMAGEINDEX},
    {PV_STR("notranslate"), PV_WORD_NOTRANSLATE},
    {PV_STR("noai"), PV_WORD_NOAI},
    {PV_STR("noimageai"), PV_WORD_NOIMAGEAI},

    /* said in one word, or by saying nothing */
    {PV_STR("none"), NONE},
    {PV_STR("all"), 0},
    {PV_STR("index"), 0},
    {PV_STR("follow"), 0},
};

#define DATE PV_STR("unavailable_after")

void pv_robots_words_init(struct pv_robots_words *words)
{
	*words = (struct pv_robots_words){.known = 0};
	pv_buf_init(&words->rest, REST_MAX);
}

void pv_robots_words_finish(struct pv_robots_words *words)
{
	pv_buf_finish(&words->rest);
}

void pv_robots_words_clear(struct pv_robots_words *words)
{
	words->known = 0;
	words->day = (struct pv_str){NULL, 0};
	pv_buf_clear(&words->rest);
}

bool pv_robots_word_has_value(struct pv_str word)
{
	return pv_str_equal_nocase(word, DATE) ||
	       pv_str_equal_nocase(word, PV_STR("max-snippet")) ||
	       pv_str_equal_nocase(word, PV_STR("max-image-preview")) ||
	       pv_str_equal_nocase(word, PV_STR("max-video-preview"));
}

/* The rest */

static bool is_edge(struct pv_str around)
{
	return !around.len || pv_str_equal(around, PV_STR(", "));
}

static bool has_rest(const struct pv_robots_words *words, struct pv_str one)
{
	struct pv_str rest = pv_buf_str(&words->rest);
	for (size_t i = 0; i + one.len <= rest.len; i++) {
		struct pv_str behind = pv_str_from(rest, i + one.len);
		struct pv_str before = pv_str_head(rest, i);
		if (before.len > 2)
			before = pv_str_from(before, before.len - 2);
		if (behind.len > 2)
			behind = pv_str_head(behind, 2);
		if (is_edge(before) && is_edge(behind) &&
		    memcmp(rest.ptr + i, one.ptr, one.len) == 0)
			return true;
	}
	return false;
}

/* Once something had no room, nothing more is looked at: comparing so many
 * words with each other would take long. */
static void add_rest(struct pv_robots_words *words, struct pv_str one)
{
	struct pv_buf *rest = &words->rest;
	size_t before = rest->len;
	if (rest->is_full || has_rest(words, one))
		return;
	if (rest->len)
		pv_buf_append(rest, PV_STR(", "));
	if (!pv_buf_append(rest, one))
		pv_buf_cut(rest, before);
}

static void append_lower(struct pv_buf *buf, struct pv_str text)
{
	for (size_t i = 0; i < text.len; i++)
		pv_buf_append_char(buf, pv_lower(text.ptr[i]));
}

static bool is_date_byte(int byte)
{
	return pv_is_alnum(byte) || byte == ' ' || byte == ':' || byte == '-' ||
	       byte == '+' || byte == '.' || byte == '/';
}

static bool is_value_byte(int byte)
{
	return pv_is_alnum(byte) || byte == '-' || byte == '_';
}

/* As much of it as is one. */
static struct pv_str value_of(struct pv_str text, pv_byte_fn is)
{
	struct pv_reader reader = pv_reader_of(pv_str_trim(text));
	struct pv_str value = pv_reader_take_while(&reader, is);
	size_t len = value.len < WORD_MAX ? value.len : WORD_MAX;
	return pv_str_trim(pv_str_head(value, len));
}

static bool is_weekday(struct pv_str value)
{
	struct pv_reader reader = pv_reader_of(value);
	pv_reader_take_while(&reader, pv_is_alpha);
	return value.len && pv_reader_is_end(&reader);
}

/* Dates of a form that has a comma behind the day of the week (RFC 9110,
 * 5.6.7) go on in the next element, which begins with a digit then. */
static void add_date(
    struct pv_robots_words *words, struct pv_str day, struct pv_str value)
{
	struct pv_buf one;
	pv_buf_init(&one, 4 * WORD_MAX);
	pv_buf_append(&one, DATE);
	pv_buf_append_char(&one, ':');
	pv_buf_append(&one, day);
	if (day.len && value.len)
		pv_buf_append(&one, PV_STR(", "));
	pv_buf_append(&one, value);
	if (day.len || value.len)
		add_rest(words, pv_buf_str(&one));
	pv_buf_finish(&one);
}

static void begin_date(struct pv_robots_words *words, struct pv_str text)
{
	struct pv_str value = value_of(text, is_date_byte);
	if (is_weekday(value))
		words->day = value;
	else
		add_date(words, PV_STR(""), value);
}

/* Whether the element was the rest of a date. */
static bool end_date(struct pv_robots_words *words, struct pv_str element)
{
	struct pv_str text = pv_str_trim(element);
	struct pv_str value = PV_STR("");
	if (!words->day.len)
		return false;
	if (text.len && pv_is_digit((unsigned char)text.ptr[0]))
		value = value_of(text, is_date_byte);
	add_date(words, words->day, value);
	words->day = (struct pv_str){NULL, 0};
	return value.len > 0;
}

static void add_valued(
    struct pv_robots_words *words, struct pv_str name, struct pv_str text)
{
	struct pv_buf one;
	struct pv_str value = value_of(text, is_value_byte);
	pv_buf_init(&one, 2 * WORD_MAX);
	append_lower(&one, name);
	pv_buf_append_char(&one, ':');
	append_lower(&one, value);
	if (value.len)
		add_rest(words, pv_buf_str(&one));
	pv_buf_finish(&one);
}

/* Words */

static bool is_gap(int byte)
{
	return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static bool is_within_word(int byte)
{
	return byte >= 0 && byte != ':' && !is_gap(byte);
}

/* What nobody knows is kept if it looks like a word at all. */
static void add_unknown(struct pv_robots_words *words, struct pv_str word)
{
	struct pv_buf one;
	struct pv_reader reader = pv_reader_of(word);
	pv_reader_take_while(&reader, is_value_byte);
	if (words->rest.is_full || !pv_reader_is_end(&reader) ||
	    !pv_is_alpha((unsigned char)word.ptr[0]) || word.len > WORD_MAX)
		return;
	pv_buf_init(&one, WORD_MAX);
	append_lower(&one, word);
	add_rest(words, pv_buf_str(&one));
	pv_buf_finish(&one);
}

static void add_word(struct pv_robots_words *words, struct pv_str word)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (pv_str_equal_nocase(word, known[i].word)) {
			words->known |= known[i].bits;
			return;
		}
	}
	add_unknown(words, word);
}

/* The value of a date is all that follows, that of others one word. */
static void read_value(
    struct pv_robots_words *words, struct pv_str name, struct pv_reader *reader)
{
	if (pv_str_equal_nocase(name, DATE)) {
		begin_date(words, pv_reader_take(reader, SIZE_MAX));
		return;
	}
	pv_reader_take_while(reader, is_gap);
	add_valued(words, name, pv_reader_take_while(reader, is_within_word));
}

void pv_robots_words_read_element(
    struct pv_robots_words *words, struct pv_str element)
{
	struct pv_reader reader = pv_reader_of(element);
	if (end_date(words, element))
		return;
	while (!pv_reader_is_end(&reader)) {
		pv_reader_take_while(&reader, is_gap);
		struct pv_str word =
		    pv_reader_take_while(&reader, is_within_word);
		pv_reader_take_while(&reader, is_gap);
		bool has_colon = pv_reader_accept(&reader, ':');
		if (has_colon && pv_robots_word_has_value(word))
			read_value(words, word, &reader);
		else if (word.len)
			add_word(words, word);
	}
}

void pv_robots_words_end_list(struct pv_robots_words *words)
{
	end_date(words, PV_STR(""));
}

void pv_robots_words_read(struct pv_robots_words *words, struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	while (!pv_reader_is_end(&reader)) {
		struct pv_str element = pv_reader_take_until(&reader, ',');
		pv_reader_next(&reader);
		pv_robots_words_read_element(words, element);
	}
	pv_robots_words_end_list(words);
}

void pv_robots_words_join(
    struct pv_robots_words *words, const struct pv_robots_words *others)
{
	words->known |= others->known;
	pv_robots_words_read(words, pv_buf_str(&others->rest));
}

void pv_robots_words_write(
    const struct pv_robots_words *words, struct pv_buf *buf)
{
	const char *gap = "";
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		unsigned bits = known[i].bits;
		if (bits == NONE || !(words->known & bits))
			continue;
		pv_buf_append_text(buf, gap);
		pv_buf_append(buf, known[i].word);
		gap = ", ";
	}
	if (!words->rest.len)
		return;
	pv_buf_append_text(buf, gap);
	pv_buf_append(buf, pv_buf_str(&words->rest));
}
