#include "policy/document/yaml_fault.h"

#include "base/reader.h"
#include "base/utf8.h"
#include "policy/document/indentation.h"

/* The text from a line and column on, to the end of that line. */
static struct pv_str text_at(struct pv_str text, size_t line, size_t column)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str found = pv_reader_take_line(&reader);
	for (size_t i = 0; i < line; i++)
		found = pv_reader_take_line(&reader);
	struct pv_reader within = pv_reader_of(found);
	for (size_t i = 0; i < column; i++)
		pv_utf8_next(&within);
	return pv_reader_rest(&within);
}

static bool is_name_byte(int byte)
{
	return byte > ' ' && byte != ':' && byte != ',' && byte != '}' &&
	       byte != ']';
}

static struct pv_place start_of(
    const struct pv_yaml_fault *fault, const char *name)
{
	return (struct pv_place){name, (uint32_t)fault->context_line + 1,
	    (uint32_t)fault->context_column + 1};
}

/* An unquoted *.example.com reads as an alias: the commonest slip of all. */
static void tell_star(
    const struct pv_yaml_fault *fault, const char *file, struct pv_why *why)
{
	struct pv_reader reader = pv_reader_of(
	    text_at(fault->text, fault->context_line, fault->context_column));
	struct pv_str name = pv_reader_take_while(&reader, is_name_byte);
	pv_why_add(why, start_of(fault, file), PV_STR(""),
	    "%.*s begins with a character that YAML reserves: quote it, "
	    "\"%.*s\"",
	    PV_STR_ARG(name), PV_STR_ARG(name));
}

static const struct sentence {
	const char *theirs; /* how libyaml's problem begins */
	const char *ours;   /* may name the line where it began */
	bool is_at_start;   /* told where it began, not where it was noticed */
} sentences[] = {
    {"mapping values are not allowed",
	"a \": \" is not possible here: quote a text that contains one", false},
    {"could not find expected ':'", "this key has no colon", true},
    {"did not find expected key",
	"a key was expected here, indented like its neighbours (the mapping "
	"begins on line %u)",
	false},
    {"did not find expected ',' or ']'",
	"the list that begins here is not closed: expected , or ]", true},
    {"did not find expected ',' or '}'",
	"the mapping that begins here is not closed: expected , or }", true},
    {"found unexpected end of stream",
	"the quote that opens here is never closed", true},
    {"found unexpected document indicator",
	"the quote that opens here is never closed", true},
    {"did not find expected '-' indicator",
	"a list item (\"- \") was expected here, indented like its neighbours",
	false},
    {"block sequence entries are not allowed", "a \"- \" is not possible here",
	false},
    {"did not find expected node content", "a value is missing here", false},
    {"found unknown escape character",
	"YAML has no such escape in double quotes: write \\\\ for a backslash",
	false},
    {"did not find expected hexdecimal number",
	"an escape in double quotes has no digits", false},
    {"did not find expected <document start>",
	"the document has ended above: remove this text", false},
    {"found undefined tag handle",
	"tags are not allowed: quote a text that begins with !", false},
};

static const struct sentence *sentence_for(const char *problem)
{
	for (size_t i = 0; i < sizeof(sentences) / sizeof(*sentences); i++) {
		size_t len = strlen(sentences[i].theirs);
		if (strncmp(problem, sentences[i].theirs, len) == 0)
			return &sentences[i];
	}
	return NULL;
}

/* Appends a sentence of the table, its %u read as the line. */
static void append_sentence(
    struct pv_buf *buf, const char *sentence, size_t line)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(sentence));
	pv_buf_append(buf, pv_reader_take_until(&reader, '%'));
	if (pv_reader_accept_str(&reader, PV_STR("%u")))
		pv_buf_append_format(buf, "%zu", line + 1);
	pv_buf_append(buf, pv_reader_rest(&reader));
}

static void tell_token(const struct pv_yaml_fault *fault, struct pv_place place,
    struct pv_why *why)
{
	struct pv_str at = text_at(fault->text, fault->line, fault->column);
	if (pv_str_starts(at, PV_STR("\t")))
		pv_why_add(
		    why, place, PV_STR(""), "a tab, where YAML needs spaces");
	else
		pv_why_add(why, place, PV_STR(""),
		    "a value cannot begin with %.*s: quote it",
		    (int)(at.len ? 1 : 0), at.ptr);
}

static size_t find(struct pv_str text, struct pv_str part)
{
	size_t at = 0;
	while (at + part.len <= text.len &&
	       !pv_str_starts(pv_str_from(text, at), part))
		at++;
	return at + part.len <= text.len ? at : PV_NOT_FOUND;
}

/* A key below "key: value", deeper than that, is read as more of the value,
 * until its colon. */
static bool is_key_in_value(
    const struct pv_yaml_fault *fault, const struct pv_indentation *indentation)
{
	struct pv_str here = text_at(fault->text, fault->line, 0);
	struct pv_str above = text_at(
	    fault->text, indentation->wanted_line, indentation->wanted_column);
	struct pv_str colon = PV_STR(": ");
	return indentation->wanted_column < indentation->column &&
	       find(above, colon) != PV_NOT_FOUND &&
	       find(pv_str_from(here, indentation->column), PV_STR(":")) ==
		   fault->column - indentation->column;
}

/* What libyaml stumbles over where a line begins in the wrong column. */
static bool is_misaligned(
    const struct pv_yaml_fault *fault, const struct pv_indentation *indentation)
{
	static const char *const problems[] = {"did not find expected key",
	    "did not find expected '-' indicator",
	    "did not find expected <document start>"};
	if (pv_str_starts(pv_str_of(fault->problem),
		PV_STR("mapping values are not allowed")))
		return is_key_in_value(fault, indentation);
	for (size_t i = 0; i < sizeof(problems) / sizeof(*problems); i++) {
		if (strcmp(fault->problem, problems[i]) == 0)
			return fault->column == indentation->column;
	}
	return false;
}

static bool tell_indentation(
    const struct pv_yaml_fault *fault, const char *name, struct pv_why *why)
{
	struct pv_indentation indentation;
	if (!pv_indentation_find(fault->text, fault->line, &indentation) ||
	    !is_misaligned(fault, &indentation))
		return false;
	struct pv_place place = {
	    name, (uint32_t)fault->line + 1, (uint32_t)indentation.column + 1};
	pv_why_add(why, place, PV_STR(""),
	    "this line has the wrong indentation: begin it in column %zu, to "
	    "align it with line %zu",
	    indentation.wanted_column + 1, indentation.wanted_line + 1);
	return true;
}

void pv_yaml_fault_tell(
    const struct pv_yaml_fault *fault, const char *name, struct pv_why *why)
{
	struct pv_place place = {
	    name, (uint32_t)fault->line + 1, (uint32_t)fault->column + 1};
	const char *context = fault->context ? fault->context : "";
	if (strcmp(context, "while scanning an alias") == 0 ||
	    strcmp(context, "while scanning an anchor") == 0) {
		tell_star(fault, name, why);
		return;
	}
	if (strcmp(fault->problem,
		"found character that cannot start any token") == 0) {
		tell_token(fault, place, why);
		return;
	}
	if (tell_indentation(fault, name, why))
		return;
	struct pv_buf text;
	pv_buf_init(&text, 512);
	const struct sentence *sentence = sentence_for(fault->problem);
	if (sentence)
		append_sentence(&text, sentence->ours, fault->context_line);
	else
		pv_buf_append_format(
		    &text, "this is not YAML: %s", fault->problem);
	if (sentence && sentence->is_at_start)
		place = start_of(fault, name);
	pv_why_add(why, place, PV_STR(""), "%s", pv_buf_text(&text));
	pv_buf_finish(&text);
}

/* What YAML 1.1 calls printable (5.1), but for what only YAML takes for the end
 * of a line: nobody sees those, and editors count other lines. */
bool pv_yaml_is_printable(int32_t character)
{
	return character == '\t' || character == '\n' || character == '\r' ||
	       (character >= 0x20 && character < 0x7f) ||
	       (character >= 0xa0 && character <= 0xfffd &&
		   character != 0x2028 && character != 0x2029 &&
		   character != 0xfeff) ||
	       character >= 0x10000;
}

static void tell_character(struct pv_place place, int32_t character,
    unsigned char byte, struct pv_why *why)
{
	if (character == PV_UTF8_INVALID)
		pv_why_add(why, place, PV_STR(""),
		    "the byte 0x%02x is not UTF-8: save the file as UTF-8",
		    byte);
	else if (character == 0)
		pv_why_add(why, place, PV_STR(""),
		    "a NUL byte: this is not a text file");
	else
		pv_why_add(why, place, PV_STR(""),
		    "the %s U+%04X is not allowed: write it as \\u%04X in "
		    "double quotes",
		    character < 0xa0 ? "control character" : "character",
		    (unsigned)character, (unsigned)character);
}

/* libyaml compares each %TAG line with all before it, which takes half a
 * minute for a file of them; and nobody who may not write tags needs one. */
static bool is_directive(struct pv_place place, struct pv_str rest)
{
	return place.column == 1 && pv_str_starts(rest, PV_STR("%TAG"));
}

bool pv_yaml_text_is_clean(
    struct pv_str text, const char *name, struct pv_why *why)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_place place = {name, 1, 1};
	if (pv_str_starts(text, PV_STR("\xff\xfe")) ||
	    pv_str_starts(text, PV_STR("\xfe\xff"))) {
		pv_why_add(why, place, PV_STR(""),
		    "this is UTF-16: save the file as UTF-8");
		return false;
	}
	pv_reader_accept_str(&reader, PV_STR("\xef\xbb\xbf"));
	for (;;) {
		struct pv_str rest = pv_reader_rest(&reader);
		int32_t character = pv_utf8_next(&reader);
		if (character == PV_UTF8_END)
			return true;
		if (is_directive(place, rest)) {
			pv_why_add(why, place, PV_STR(""),
			    "tags are not allowed: remove this line");
			return false;
		}
		if (!pv_yaml_is_printable(character)) {
			tell_character(
			    place, character, (unsigned char)rest.ptr[0], why);
			return false;
		}
		place.column++;
		if (character == '\n' ||
		    (character == '\r' && pv_reader_peek(&reader) != '\n')) {
			place.line++;
			place.column = 1;
		}
	}
}
