#include "serve/fetches/journal_reader.h"

#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "store/scratch_store.h"
#include "store/tables/length.h"
#include "tap.h"

/* Of the lines of journals: what they say, and in which files they stand. */

struct heard {
	unsigned count;
	struct pv_journal_word word;
	char urls[1000];
};

static void hear(void *ctx, const struct pv_journal_word *word)
{
	struct heard *heard = ctx;
	size_t len = strlen(heard->urls);
	heard->count++;
	heard->word = *word;
	snprintf(heard->urls + len, sizeof(heard->urls) - len, "%.*s ",
	    PV_STR_ARG(word->url));
}

#define TIME "\"time\":\"2026-03-01T09:30:00.250Z\""

static const struct {
	const char *what;
	const char *line;
	bool is_word;
} lines[] = {
    {"a final answer", "{" TIME ",\"url\":\"u\",\"final\":true}", true},
    {"a refusal", "{" TIME ",\"url\":\"u\",\"outcome\":\"refused\"}", true},
    {"an answer that is tried again", "{" TIME ",\"url\":\"u\"}", false},
    {"a robots.txt", "{" TIME ",\"url\":\"u\",\"robots\":true,\"final\":true}",
	false},
    {"a probe", "{" TIME ",\"url\":\"u\",\"probe\":true,\"final\":true}",
	false},
    {"a line without its time", "{\"url\":\"u\",\"final\":true}", false},
    {"a line without an address", "{" TIME ",\"final\":true}", false},
    {"what is no line", "{" TIME ",\"url\":\"u\",\"fin", false},
    {"nothing", "", false},
};

static void test_words(void)
{
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
		struct heard heard = {.count = 0};
		ok(pv_journal_word_read(pv_str_of(lines[i].line), hear,
		       &heard) == lines[i].is_word &&
			heard.count == lines[i].is_word,
		    "%s is %s on an address", lines[i].what,
		    lines[i].is_word ? "the last word" : "no last word");
	}
}

/* A file with lines of these addresses, so long in the state. */
static void write_lines(const struct scratch *scratch, struct pv_store *store,
    const char *name, unsigned first, unsigned count)
{
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	for (unsigned i = first; i < first + count; i++)
		pv_buf_append_format(
		    &text, "{" TIME ",\"url\":\"%u\",\"final\":true}\n", i);
	pv_length_set(store->database, pv_str_of(name), text.len);
	pv_buf_append_text(&text, "{" TIME ",\"url\":\"uncommitted\",\"fi");
	pv_file_replace(scratch_file(scratch, name), pv_buf_str(&text), 0600);
	pv_buf_finish(&text);
}

static const char *read_all(const struct scratch *scratch,
    struct pv_journal_place *place, struct heard *heard)
{
	*heard = (struct heard){.count = 0};
	while (pv_journal_reader_read(scratch->path, place, hear, heard))
		continue;
	return heard->urls;
}

static void test_files(void)
{
	struct scratch scratch;
	struct heard heard;
	struct pv_journal_place place = {.generation = 0};
	scratch_make(&scratch);
	ok(!pv_journal_reader_read(scratch.path, &place, hear, &heard),
	    "where there is no crawl there is nothing to read");
	struct pv_store *store = scratch_store_open(&scratch);
	write_lines(&scratch, store, "journal.jsonl", 1, 2);
	is_text(pv_str_of(read_all(&scratch, &place, &heard)), "1 2 ",
	    "what is committed is read");
	ok(!place.generation && place.offset, "so far");
	write_lines(&scratch, store, "journal.jsonl", 1, 3);
	write_lines(&scratch, store, "journal-0001.jsonl", 4, 2);
	write_lines(&scratch, store, "journal-0002.jsonl", 0, 0);
	is_text(pv_str_of(read_all(&scratch, &place, &heard)), "3 4 5 ",
	    "P3: from one file to the next no line is left out");
	ok(place.generation == 2 && !place.offset, "to the last one");
	write_lines(&scratch, store, "journal-0002.jsonl", 6, 1);
	is_text(pv_str_of(read_all(&scratch, &place, &heard)), "6 ",
	    "and what comes is read there");
	unlink(scratch_file(&scratch, "journal.jsonl"));
	place = (struct pv_journal_place){.offset = 1};
	is_text(pv_str_of(read_all(&scratch, &place, &heard)), "4 5 6 ",
	    "what somebody has removed is passed over");
	pv_store_close(store);
	scratch_remove(&scratch);
}

int main(void)
{
	test_words();
	test_files();
	return tap_done();
}
