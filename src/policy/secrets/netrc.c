#include "policy/secrets/netrc.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/reader.h"
#include "url/host.h"

/* No word is longer: a token of eight KiB is more than servers take. */
#define WORD_MAX ((size_t)8192)

struct walk {
	struct pv_reader reader;
	struct pv_netrc *netrc;
	struct pv_place place;
	struct pv_why *why;
	struct pv_buf word;
	struct pv_netrc_login login; /* as far as it has been read */
	bool has_failed;
};

void pv_netrc_init(struct pv_netrc *netrc)
{
	*netrc = (struct pv_netrc){.count = 0};
	pv_arena_init(&netrc->arena);
}

void pv_netrc_finish(struct pv_netrc *netrc)
{
	free(netrc->items);
	pv_arena_finish(&netrc->arena);
}

static void fail(struct walk *walk, const char *sentence)
{
	if (!walk->has_failed)
		pv_why_add(
		    walk->why, walk->place, PV_STR(""), "%s", sentence);
	walk->has_failed = true;
}

/* Words */

static int take_byte(struct walk *walk)
{
	int byte = pv_reader_next(&walk->reader);
	if (byte == '\n')
		walk->place.line++;
	return byte;
}

static bool is_blank(int byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

static void pass_line(struct walk *walk)
{
	pv_reader_take_until(&walk->reader, '\n');
}

/* Up to a word; a comment goes on to the end of its line. */
static void pass_blanks(struct walk *walk)
{
	while (is_blank(pv_reader_peek(&walk->reader)) ||
	       pv_reader_peek(&walk->reader) == '#') {
		if (take_byte(walk) == '#')
			pass_line(walk);
	}
}

static void take_quoted(struct walk *walk)
{
	int byte;
	take_byte(walk);
	while ((byte = pv_reader_peek(&walk->reader)) >= 0 && byte != '\n') {
		take_byte(walk);
		if (byte == '"')
			break;
		if (byte == '\\')
			byte = take_byte(walk);
		pv_buf_append_char(&walk->word, (char)byte);
	}
	if (byte != '"')
		fail(walk, "a quotation mark is not closed in its line");
}

/* False at the end. */
static bool take_word(struct walk *walk)
{
	pv_buf_clear(&walk->word);
	pass_blanks(walk);
	if (pv_reader_is_end(&walk->reader))
		return false;
	if (pv_reader_peek(&walk->reader) == '"')
		take_quoted(walk);
	else
		while (!pv_reader_is_end(&walk->reader) &&
		       !is_blank(pv_reader_peek(&walk->reader)))
			pv_buf_append_char(
			    &walk->word, (char)take_byte(walk));
	return true;
}

static bool is_usable(struct pv_str word)
{
	for (size_t i = 0; i < word.len; i++) {
		if (pv_is_control((unsigned char)word.ptr[i]))
			return false;
	}
	return word.len < WORD_MAX;
}

/* What follows a keyword, as a copy. */
static struct pv_str take_value(struct walk *walk)
{
	if (!take_word(walk))
		fail(walk, "the file ends where a value should follow");
	else if (!is_usable(pv_buf_str(&walk->word)))
		fail(walk, "a value is too long, or has control characters");
	return pv_arena_copy(&walk->netrc->arena, pv_buf_str(&walk->word));
}

/* Logins */

static void end_login(struct walk *walk)
{
	struct pv_netrc *netrc = walk->netrc;
	const struct pv_netrc_login login = walk->login;
	walk->login = (struct pv_netrc_login){.host = {"", 0}};
	if (!login.host.len || !login.name.len || !login.password.len ||
	    pv_netrc_find(netrc, login.host))
		return;
	if (netrc->count == PV_NETRC_MAX)
		fail(walk, "more than 10,000 logins: leave only those of the "
			   "hosts to be crawled");
	else
		*PV_ARRAY_PUSH(netrc->items, netrc->count, netrc->size) = login;
}

/* As it is written in an address; another is nobody's. */
static void begin_login(struct walk *walk)
{
	struct pv_str text = take_value(walk);
	struct pv_address address;
	struct pv_buf host;
	pv_buf_init(&host, WORD_MAX);
	if (pv_host_read(text, &host, &address))
		walk->login.host =
		    pv_arena_copy(&walk->netrc->arena, pv_buf_str(&host));
	pv_buf_finish(&host);
}

/* Up to an empty line, or the end. */
static void pass_macro(struct walk *walk)
{
	struct pv_str line = {"x", 1};
	pass_line(walk);
	while (line.len && !pv_reader_is_end(&walk->reader)) {
		take_byte(walk);
		line = pv_str_trim(pv_reader_take_until(&walk->reader, '\n'));
	}
}

static bool is_word(const struct walk *walk, const char *word)
{
	return pv_str_equal(pv_buf_str(&walk->word), pv_str_of(word));
}

static void take_entry(struct walk *walk)
{
	if (is_word(walk, "machine")) {
		end_login(walk);
		begin_login(walk);
	} else if (is_word(walk, "default")) {
		end_login(walk);
	} else if (is_word(walk, "login")) {
		walk->login.name = take_value(walk);
	} else if (is_word(walk, "password")) {
		walk->login.password = take_value(walk);
	} else if (is_word(walk, "account")) {
		take_value(walk);
	} else if (is_word(walk, "macdef")) {
		pass_macro(walk);
	} else {
		fail(walk, "expected machine, default, login, password, account "
			   "or macdef");
	}
}

void pv_netrc_read(struct pv_netrc *netrc, struct pv_str text, const char *path,
    struct pv_why *why)
{
	struct walk walk = {
	    .reader = pv_reader_of(text),
	    .netrc = netrc,
	    .place = {.file = path, .line = 1},
	    .why = why,
	    .login = {.host = {"", 0}},
	};
	pv_buf_init(&walk.word, WORD_MAX);
	while (!walk.has_failed && take_word(&walk))
		take_entry(&walk);
	if (!walk.has_failed)
		end_login(&walk);
	pv_buf_finish(&walk.word);
}

const struct pv_netrc_login *pv_netrc_find(
    const struct pv_netrc *netrc, struct pv_str host)
{
	for (size_t i = 0; i < netrc->count; i++) {
		if (pv_str_equal(netrc->items[i].host, host))
			return &netrc->items[i];
	}
	return NULL;
}
