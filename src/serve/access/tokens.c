#include "serve/access/tokens.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/file.h"
#include "base/reader.h"

#define FILE_MAX ((size_t)1 << 20)
#define READABLE_BY_OTHERS 077
#define CHANGEABLE_BY_OTHERS 037

static const struct {
	const char *name;
	enum pv_scope scope;
} scopes[] = {
    {"read", PV_SCOPE_READ},
    {"submit", PV_SCOPE_SUBMIT},
    {"control", PV_SCOPE_CONTROL},
};
#define SCOPES (sizeof(scopes) / sizeof(*scopes))

void pv_tokens_init(struct pv_tokens *tokens)
{
	*tokens = (struct pv_tokens){0};
}

void pv_tokens_finish(struct pv_tokens *tokens)
{
	free(tokens->items);
	pv_tokens_init(tokens);
}

const char *pv_scope_name(enum pv_scope scope)
{
	for (size_t i = 0; i < SCOPES; i++) {
		if (scopes[i].scope == scope)
			return scopes[i].name;
	}
	return "";
}

/* One line of the file, and where its problems go. */
struct line {
	struct pv_reader reader;
	struct pv_place place;
	struct pv_why *why;
};

__attribute__((format(printf, 2, 3))) static bool refuse(
    const struct line *line, const char *format, ...)
{
	struct pv_buf text;
	va_list list;
	pv_buf_init(&text, 512);
	va_start(list, format);
	pv_buf_append_format_list(&text, format, list);
	va_end(list);
	pv_why_add(line->why, line->place, (struct pv_str){0}, "%s",
	    pv_buf_text(&text));
	pv_buf_finish(&text);
	return false;
}

static bool is_no_blank(int c)
{
	return !pv_is_blank(c);
}

static struct pv_str next_word(struct line *line)
{
	pv_reader_take_while(&line->reader, pv_is_blank);
	return pv_reader_take_while(&line->reader, is_no_blank);
}

static bool is_of_name(int c)
{
	return pv_is_alnum(c) || c == '.' || c == '-' || c == '_';
}

static bool read_name(struct line *line, struct pv_token *token)
{
	struct pv_str word = next_word(line);
	struct pv_reader reader = pv_reader_of(word);
	pv_reader_take_while(&reader, is_of_name);
	if (!word.len || word.len > PV_TOKEN_NAME_MAX ||
	    !pv_reader_is_end(&reader))
		return refuse(line,
		    "a name has 1 to %d letters, digits, \".\", \"-\" and "
		    "\"_\"",
		    PV_TOKEN_NAME_MAX);
	memcpy(token->name, word.ptr, word.len);
	return true;
}

static bool read_digest(struct line *line, struct pv_token *token)
{
	struct pv_str word = next_word(line);
	struct pv_reader reader = pv_reader_of(word);
	bool is_good = word.len == (size_t)2 * PV_DIGEST_SIZE;
	for (size_t i = 0; is_good && i < PV_DIGEST_SIZE; i++) {
		int high = pv_hex_value(pv_reader_next(&reader));
		int low = pv_hex_value(pv_reader_next(&reader));
		is_good = high >= 0 && low >= 0;
		token->digest[i] = (uint8_t)(is_good ? high * 16 + low : 0);
	}
	/* What stands here may be the token itself, so it is not repeated. */
	return is_good ||
	       refuse(line, "expected the SHA-256 of a token: 64 hexadecimal "
			    "digits, as `printf %%s TOKEN | sha256sum` has");
}

static unsigned scope_of(struct pv_str name)
{
	for (size_t i = 0; i < SCOPES; i++) {
		if (pv_str_equal(pv_str_of(scopes[i].name), name))
			return scopes[i].scope;
	}
	return 0;
}

static bool read_scopes(struct line *line, struct pv_token *token)
{
	struct pv_reader reader = pv_reader_of(next_word(line));
	do {
		struct pv_str name = pv_reader_take_until(&reader, ',');
		unsigned scope = scope_of(name);
		if (!scope)
			return refuse(line,
			    "\"%.*s\" is no scope; there are read, submit and "
			    "control, with commas between them",
			    PV_STR_ARG(name));
		token->scopes |= scope;
	} while (pv_reader_accept(&reader, ','));
	struct pv_str more = next_word(line);
	return !more.len ||
	       refuse(line, "nothing is expected behind the scopes");
}

static bool is_new(const struct pv_tokens *tokens, const struct line *line,
    const struct pv_token *token)
{
	if (tokens->count >= PV_TOKENS_MAX)
		return refuse(
		    line, "there are more than %d tokens", PV_TOKENS_MAX);
	for (size_t i = 0; i < tokens->count; i++) {
		const struct pv_token *other = &tokens->items[i];
		if (pv_str_equal(
			pv_str_of(other->name), pv_str_of(token->name)))
			return refuse(line,
			    "there is another token with the name %s",
			    token->name);
		if (pv_digest_is_same(other->digest, token->digest))
			return refuse(
			    line, "this is the token of %s", other->name);
	}
	return true;
}

static void read_line(struct pv_tokens *tokens, struct line *line)
{
	struct pv_token token = {0};
	pv_reader_take_while(&line->reader, pv_is_blank);
	int first = pv_reader_peek(&line->reader);
	if (first < 0 || first == '#')
		return;
	if (read_name(line, &token) && read_digest(line, &token) &&
	    read_scopes(line, &token) && is_new(tokens, line, &token))
		*PV_ARRAY_PUSH(tokens->items, tokens->count, tokens->size) =
		    token;
}

bool pv_tokens_read(struct pv_tokens *tokens, struct pv_str text,
    const char *file, struct pv_why *why)
{
	struct pv_reader reader = pv_reader_of(text);
	size_t before = why->problems.count;
	struct line line = {.place = {.file = file}, .why = why};
	while (!pv_reader_is_end(&reader)) {
		line.place.line++;
		line.reader = pv_reader_of(pv_reader_take_line(&reader));
		read_line(tokens, &line);
	}
	return why->problems.count == before;
}

static bool refuse_file(
    const char *path, struct pv_why *why, const char *reason)
{
	pv_why_add(why, (struct pv_place){.file = path}, (struct pv_str){0},
	    "the file of tokens cannot be read: %s", reason);
	return false;
}

static bool is_for_us(const struct stat *status, bool is_credential)
{
	bool is_given = is_credential && status->st_uid == 0;
	return !(status->st_mode &
		 (is_given ? CHANGEABLE_BY_OTHERS : READABLE_BY_OTHERS));
}

static bool is_private(
    int file, const char *path, bool is_credential, struct pv_why *why)
{
	struct stat status;
	if (fstat(file, &status) != 0)
		return refuse_file(path, why, strerror(errno));
	if (is_for_us(&status, is_credential))
		return true;
	pv_why_add(why, (struct pv_place){.file = path}, (struct pv_str){0},
	    "others may read or change the file of tokens: run chmod 600 %s",
	    path);
	return false;
}

static bool read_open(
    struct pv_tokens *tokens, int file, const char *path, struct pv_why *why)
{
	struct pv_buf text;
	bool is_read = false;
	pv_buf_init(&text, FILE_MAX);
	switch (pv_file_read_open(file, &text)) {
	case PV_FILE_READ:
		is_read = pv_tokens_read(tokens, pv_buf_str(&text), path, why);
		break;
	case PV_FILE_TOO_LARGE:
		refuse_file(path, why, "it has more than 1 MiB");
		break;
	case PV_FILE_FAILED:
		refuse_file(path, why, pv_file_fault(errno));
		break;
	}
	pv_buf_finish(&text);
	return is_read;
}

bool pv_tokens_load(struct pv_tokens *tokens, const char *path,
    bool is_credential, struct pv_why *why)
{
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file < 0)
		return refuse_file(path, why, pv_file_fault(errno));
	bool is_read = is_private(file, path, is_credential, why) &&
		       read_open(tokens, file, path, why);
	close(file);
	return is_read;
}

const struct pv_token *pv_tokens_find_digest(
    const struct pv_tokens *tokens, const uint8_t digest[PV_DIGEST_SIZE])
{
	const struct pv_token *found = NULL;
	for (size_t i = 0; i < tokens->count; i++) {
		if (pv_digest_is_same(tokens->items[i].digest, digest))
			found = &tokens->items[i];
	}
	return found;
}

const struct pv_token *pv_tokens_find(
    const struct pv_tokens *tokens, struct pv_str token)
{
	uint8_t digest[PV_DIGEST_SIZE];
	pv_digest(token, digest);
	return pv_tokens_find_digest(tokens, digest);
}
