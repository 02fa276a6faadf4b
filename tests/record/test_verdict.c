#include "record/verdict.h"

#include <stdlib.h>

#include "base/file.h"
#include "policy/option.h"
#include "tap.h"

/* What stands in state files and journals. Rows that are newer than this list
 * may come behind it. */
static const char *const stored[] = {"admitted", "host", "below", "depth",
    "hops", "rule", "requisites", "too-long", "trap-repeats", "trap-segments",
    "trap-same-body", "redirects", "robots", "robots-unreachable", "nofollow",
    "never", "private", "blocked", "crawl-delay", "retry-after", "limit",
    "credentials", "chained", "rule-gave-up", "contact", "meta-robots",
    "x-robots-tag", "sitemap-elsewhere", "type", "trap-session",
    "trap-subdomains", "trap-query", "trap-calendar", "port", "other-port"};

static void test_stored(void)
{
	size_t count = sizeof(stored) / sizeof(*stored);
	ok(PV_REASON_COUNT >= count, "no reason is taken away");
	for (unsigned i = 0; i < count; i++)
		is_text(pv_str_of(pv_reason_word(i)), stored[i],
		    "reason %u keeps its word", i);
}

/* So that it needs no quotes in a table, in JSON or in a shell. */
static bool is_word(const char *text)
{
	return text && text[0] &&
	       text[strspn(text, "abcdefghijklmnopqrstuvwxyz-")] == '\0';
}

static bool is_unique(unsigned reason)
{
	const struct pv_reason_row *row = pv_reason_get(reason);
	for (unsigned i = 0; i < reason; i++) {
		const struct pv_reason_row *other = pv_reason_get(i);
		if (strcmp(row->word, other->word) == 0 ||
		    strcmp(row->sentence, other->sentence) == 0)
			return false;
	}
	return true;
}

static void test_rows(void)
{
	for (unsigned i = 0; i < PV_REASON_COUNT; i++) {
		const struct pv_reason_row *row = pv_reason_get(i);
		if (ok(is_word(row->word) && row->sentence &&
			    !row->sentence[0] == (i == PV_REASON_NONE),
			"P4: reason %u has a word and a sentence", i))
			ok(is_unique(i), "P4: nothing else is called %s",
			    row->word);
	}
}

static bool is_key(const char *key)
{
	struct pv_str name = pv_str_of(key);
	return pv_option_get(name, &pv_names_of_policy) ||
	       pv_option_is_section(name, &pv_names_of_policy);
}

static void test_keys(void)
{
	for (unsigned i = 0; i < PV_REASON_COUNT; i++) {
		const struct pv_reason_row *row = pv_reason_get(i);
		size_t known = 0;
		while (known < PV_REASON_KEYS_MAX && row->keys[known] &&
		       is_key(row->keys[known]))
			known++;
		ok(!row->keys[known],
		    "%s is decided by keys that a policy may have, not by %s",
		    row->word, row->keys[known]);
	}
}

static void test_refusals(void)
{
	for (unsigned i = 0; i < PV_REASON_COUNT; i++) {
		const struct pv_reason_row *row = pv_reason_get(i);
		ok(pv_str_starts(pv_str_of(row->word), PV_STR("trap-")) ==
			(row->kind == PV_KIND_TRAP),
		    "%s says whether it is a trap", row->word);
	}
}

static void test_unknown(void)
{
	is_text(pv_str_of(pv_reason_word(PV_REASON_COUNT)), "unknown",
	    "a number that is not ours has no word");
	ok(!pv_reason_sentence(PV_REASON_COUNT)[0], "and no sentence");
}

/* The manual page */

/* With the hyphens of roff. */
static void write_roff(const char *text, struct pv_buf *page)
{
	for (; *text; text++) {
		if (*text == '-')
			pv_buf_append_char(page, '\\');
		pv_buf_append_char(page, *text);
	}
}

static void write_entry(const struct pv_reason_row *row, struct pv_buf *page)
{
	pv_buf_append_text(page, ".TP\n.B ");
	write_roff(row->word, page);
	pv_buf_append_char(page, '\n');
	write_roff(row->sentence, page);
	for (size_t i = 0; row->keys[i]; i++)
		pv_buf_append_format(
		    page, "%s%s", i ? ", " : "\n(", row->keys[i]);
	pv_buf_append_text(page, row->keys[0] ? ")\n" : "\n");
}

/* The list between a heading and the next one. */
static struct pv_str list_of(const struct pv_buf *page)
{
	const char *section = strstr(pv_buf_text(page), ".SH REASONS\n");
	const char *list = section ? strstr(section, ".TP\n") : NULL;
	const char *end = list ? strstr(list, ".SH ") : NULL;
	return end ? (struct pv_str){list, (size_t)(end - list)} : PV_STR("");
}

static void test_manual(void)
{
	const char *source = getenv("srcdir");
	struct pv_buf path, page, list;
	pv_buf_init(&path, 4096);
	pv_buf_init(&page, 1 << 20);
	pv_buf_init(&list, 1 << 20);
	pv_buf_append_format(
	    &path, "%s/doc/pavane.1.in", source ? source : ".");
	ok(pv_file_read(pv_buf_text(&path), &page) == PV_FILE_READ,
	    "there is a manual page");
	for (unsigned i = 1; i < PV_REASON_COUNT; i++) {
		if (pv_reason_get(i)->kind != PV_KIND_PAST)
			write_entry(pv_reason_get(i), &list);
	}
	is_text(list_of(&page), pv_buf_text(&list),
	    "P4: doc/pavane.1.in lists each reason, with its keys");
	pv_buf_finish(&path);
	pv_buf_finish(&page);
	pv_buf_finish(&list);
}

int main(void)
{
	test_stored();
	test_rows();
	test_keys();
	test_refusals();
	test_unknown();
	test_manual();
	return tap_done();
}
