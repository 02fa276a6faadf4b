#include "parse/css_tokenizer.h"

#include "parse/css_escape.h"
#include "parse/raw_text.h"

/* What a byte is to a sheet. */
enum {
	NAME = 1,  /* goes on with a name */
	BEGIN = 2, /* may begin one */
	DIGIT = 4,
	SPACE = 8,
	STRING_STOP = 16, /* a string does not simply go on with it */
	URL_STOP = 32,    /* nor an address */
	LETTER = NAME | BEGIN,
};

/* A NUL counts as U+FFFD, which is part of names and addresses. */
static const uint8_t classes[256] = {
    [0x00] = LETTER,
    [0x01 ... 0x08] = URL_STOP,
    ['\t'] = SPACE | URL_STOP,
    ['\n'] = SPACE | STRING_STOP | URL_STOP,
    [0x0b] = URL_STOP,
    ['\f'] = SPACE | STRING_STOP | URL_STOP,
    ['\r'] = SPACE | STRING_STOP | URL_STOP,
    [0x0e ... 0x1f] = URL_STOP,
    [' '] = SPACE | URL_STOP,
    ['"'] = STRING_STOP | URL_STOP,
    ['\''] = STRING_STOP | URL_STOP,
    ['('] = URL_STOP,
    [')'] = URL_STOP,
    ['-'] = NAME,
    ['0' ... '9'] = NAME | DIGIT,
    ['A' ... 'Z'] = LETTER,
    ['\\'] = STRING_STOP | URL_STOP,
    ['_'] = LETTER,
    ['a' ... 'z'] = LETTER,
    [0x7f] = URL_STOP,
    [0x80 ... 0xff] = LETTER,
};

static enum pv_pairs pairs_of(const struct pv_encoding *encoding)
{
	static const char *const chinese[] = {"gbk", "gb18030", "big5"};
	if (!encoding)
		return PV_PAIRS_NONE;
	for (size_t i = 0; i < sizeof(chinese) / sizeof(*chinese); i++) {
		if (strcmp(encoding->name, chinese[i]) == 0)
			return PV_PAIRS_CHINESE;
	}
	return strcmp(encoding->name, "shift_jis") == 0 ? PV_PAIRS_JAPANESE
							: PV_PAIRS_NONE;
}

void pv_css_tokenizer_init(struct pv_css_tokenizer *tokenizer,
    struct pv_str sheet, const struct pv_encoding *encoding)
{
	tokenizer->reader = pv_reader_of(sheet);
	tokenizer->pairs = pairs_of(encoding);
}

static inline bool is_at(const struct pv_reader *reader, unsigned class)
{
	return !pv_reader_is_end(reader) &&
	       (classes[(unsigned char)*reader->at] & class) != 0;
}

/* Whether the next two bytes are one character: what is no second half, a
 * quote or a parenthesis, is left to stand for itself. */
static bool is_at_pair(const struct pv_css_tokenizer *tokenizer)
{
	struct pv_reader ahead = tokenizer->reader;
	int first = pv_reader_next(&ahead);
	bool is_single = first <= 0x80 || first == 0xff ||
			 (tokenizer->pairs == PV_PAIRS_JAPANESE &&
			     first >= 0xa0 && first <= 0xdf);
	return !is_single && pv_reader_peek(&ahead) >= 0x40;
}

static void skip_character(struct pv_css_tokenizer *tokenizer)
{
	bool is_pair = tokenizer->pairs && is_at_pair(tokenizer);
	tokenizer->reader.at += is_pair ? 2 : 1;
}

/* Moves on while the bytes are of the class, or while they are not. */
static inline void skip(
    struct pv_css_tokenizer *tokenizer, unsigned class, bool is_wanted)
{
	struct pv_reader *reader = &tokenizer->reader;
	if (tokenizer->pairs) {
		while (!pv_reader_is_end(reader) &&
		       is_at(reader, class) == is_wanted)
			skip_character(tokenizer);
		return;
	}
	const char *at = reader->at;
	while (at != reader->end &&
	       !(classes[(unsigned char)*at] & class) != is_wanted)
		at++;
	reader->at = at;
}

static inline void skip_while(
    struct pv_css_tokenizer *tokenizer, unsigned class)
{
	skip(tokenizer, class, true);
}

static inline void skip_until(
    struct pv_css_tokenizer *tokenizer, unsigned class)
{
	skip(tokenizer, class, false);
}

static int peek_second(const struct pv_reader *reader)
{
	return pv_reader_left(reader) > 1 ? (unsigned char)reader->at[1] : -1;
}

/* A backslash escapes whatever follows, but for the end of a line. */
static bool is_at_escape(const struct pv_reader *reader)
{
	return pv_reader_peek(reader) == '\\' &&
	       !pv_css_is_break(peek_second(reader));
}

/* From the backslash. */
static void skip_escape(struct pv_css_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	pv_reader_next(reader);
	if (pv_css_escape_number(reader) < 0 && !pv_reader_is_end(reader))
		skip_character(tokenizer);
}

/* https://drafts.csswg.org/css-syntax/#would-start-an-identifier */
static bool is_at_name(const struct pv_reader *reader)
{
	struct pv_reader ahead = *reader;
	if (!pv_reader_accept(&ahead, '-'))
		return is_at(reader, BEGIN) || is_at_escape(reader);
	return is_at(&ahead, BEGIN) || pv_reader_peek(&ahead) == '-' ||
	       is_at_escape(&ahead);
}

/* The text between two places. */
static struct pv_str between(const char *start, const char *end)
{
	return (struct pv_str){start, (size_t)(end - start)};
}

static struct pv_str take_name(struct pv_css_tokenizer *tokenizer)
{
	const char *start = tokenizer->reader.at;
	skip_while(tokenizer, NAME);
	while (is_at_escape(&tokenizer->reader)) {
		skip_escape(tokenizer);
		skip_while(tokenizer, NAME);
	}
	return between(start, tokenizer->reader.at);
}

static struct pv_css_token other(void)
{
	return (struct pv_css_token){.kind = PV_CSS_OTHER};
}

/* https://drafts.csswg.org/css-syntax/#consume-string-token, from the quote
 * on. One that the end of its line breaks off is none. */
static struct pv_css_token take_string(struct pv_css_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	int quote = pv_reader_next(reader);
	const char *start = reader->at;
	for (;;) {
		skip_until(tokenizer, STRING_STOP);
		int byte = pv_reader_peek(reader);
		if (byte == quote || byte < 0)
			break;
		if (pv_css_is_break(byte))
			return other();
		if (is_at_escape(reader))
			skip_escape(tokenizer);
		else if (pv_reader_accept_str(reader, PV_STR("\\\r\n")))
			continue;
		else /* the other quote, or an escaped end of a line */
			reader->at += byte == '\\' ? 2 : 1;
	}
	struct pv_str text = between(start, reader->at);
	pv_reader_next(reader);
	return (struct pv_css_token){PV_CSS_STRING, text};
}

/* https://drafts.csswg.org/css-syntax/#consume-remnants-of-bad-url */
static struct pv_css_token skip_bad_url(struct pv_css_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	while (!pv_reader_is_end(reader) && !pv_reader_accept(reader, ')')) {
		if (is_at_escape(reader))
			skip_escape(tokenizer);
		else
			skip_character(tokenizer);
	}
	return other();
}

/* https://drafts.csswg.org/css-syntax/#consume-url-token, from its first
 * character on. */
static struct pv_css_token take_url(struct pv_css_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	const char *start = reader->at;
	skip_until(tokenizer, URL_STOP);
	while (is_at_escape(reader)) {
		skip_escape(tokenizer);
		skip_until(tokenizer, URL_STOP);
	}
	struct pv_str text = between(start, reader->at);
	skip_while(tokenizer, SPACE);
	if (!pv_reader_is_end(reader) && !pv_reader_accept(reader, ')'))
		return skip_bad_url(tokenizer);
	return (struct pv_css_token){PV_CSS_ADDRESS, text};
}

/* https://drafts.csswg.org/css-syntax/#consume-ident-like-token */
static struct pv_css_token take_word(struct pv_css_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	struct pv_str name = take_name(tokenizer);
	if (pv_reader_peek(reader) != '(')
		return other();
	pv_reader_next(reader);
	struct pv_css_token function = {PV_CSS_FUNCTION, name};
	if (!pv_css_name_is(name, PV_STR("url")))
		return function;
	skip_while(tokenizer, SPACE);
	int next = pv_reader_peek(reader);
	if (next == '"' || next == '\'')
		return function;
	return take_url(tokenizer);
}

static struct pv_css_token take_at_word(struct pv_css_tokenizer *tokenizer)
{
	pv_reader_next(&tokenizer->reader);
	if (!is_at_name(&tokenizer->reader))
		return other();
	return (struct pv_css_token){PV_CSS_AT, take_name(tokenizer)};
}

/* From a "<", a dash or a backslash on. */
static struct pv_css_token take_mark(struct pv_css_tokenizer *tokenizer)
{
	struct pv_reader *reader = &tokenizer->reader;
	if (pv_reader_accept_str(reader, PV_STR("<!--")) ||
	    pv_reader_accept_str(reader, PV_STR("-->")))
		return other();
	if (is_at_name(reader))
		return take_word(tokenizer);
	pv_reader_next(reader);
	return other();
}

/* From a digit or a hash on: what they begin is no function, though its end
 * looks like the name of one. */
static struct pv_css_token take_number(struct pv_css_tokenizer *tokenizer)
{
	pv_reader_next(&tokenizer->reader);
	take_name(tokenizer);
	return other();
}

static struct pv_css_token take_single(
    struct pv_css_tokenizer *tokenizer, enum pv_css_kind kind)
{
	pv_reader_next(&tokenizer->reader);
	return (struct pv_css_token){.kind = kind};
}

static struct pv_css_token take_token(struct pv_css_tokenizer *tokenizer)
{
	const struct pv_reader *reader = &tokenizer->reader;
	if (is_at(reader, BEGIN))
		return take_word(tokenizer);
	if (is_at(reader, DIGIT))
		return take_number(tokenizer);
	switch (pv_reader_peek(reader)) {
	case -1:
		return (struct pv_css_token){.kind = PV_CSS_END};
	case '"':
	case '\'':
		return take_string(tokenizer);
	case '(':
		return take_single(tokenizer, PV_CSS_OPEN);
	case ')':
		return take_single(tokenizer, PV_CSS_CLOSE);
	case ';':
	case '{':
	case '}':
		return take_single(tokenizer, PV_CSS_BREAK);
	case '#':
		return take_number(tokenizer);
	case '@':
		return take_at_word(tokenizer);
	case '<':
	case '-':
	case '\\':
		return take_mark(tokenizer);
	default:
		return take_single(tokenizer, PV_CSS_OTHER);
	}
}

/* Takes a comment; one that never ends takes all that is left. */
static bool accept_comment(struct pv_reader *reader)
{
	if (pv_reader_peek(reader) != '/' ||
	    !pv_reader_accept_str(reader, PV_STR("/*")))
		return false;
	const char *start = reader->at;
	while (pv_raw_text_skip_to(reader, '/')) {
		pv_reader_next(reader);
		if (pv_str_ends(between(start, reader->at), PV_STR("*/")))
			break;
	}
	return true;
}

struct pv_css_token pv_css_tokenizer_next(struct pv_css_tokenizer *tokenizer)
{
	do
		skip_while(tokenizer, SPACE);
	while (accept_comment(&tokenizer->reader));
	return take_token(tokenizer);
}
