#include "audit/journal.h"

#include <sys/stat.h>

#include "scratch.h"
#include "tap.h"

#define PIECE 262144    /* what is read at once */
#define LONGEST 2097152 /* no line of ours is longer */

/* What was read of a journal: of each line its number, its length and its
 * first byte. */
struct heard {
	struct pv_buf text;
	int64_t last; /* after this line no more is wanted; 0: all are */
};

static bool on_line(
    void *ctx, int64_t number, struct pv_str line, struct pv_why *why)
{
	struct heard *heard = ctx;
	(void)why;
	pv_buf_append_format(&heard->text, "%lld:%zu%.1s ", (long long)number,
	    line.len, line.len ? line.ptr : "");
	return number != heard->last;
}

/* Reads so much of the file; what was heard, and what went wrong, is appended
 * to the buffer. */
static bool read_file(
    const char *path, uint64_t length, int64_t last, struct pv_buf *found)
{
	struct pv_why why;
	struct heard heard = {.last = last};
	pv_why_init(&why);
	pv_buf_init(&heard.text, 1 << 20);
	bool is_read =
	    pv_audit_journal_read(path, length, on_line, &heard, &why);
	pv_buf_clear(found);
	pv_buf_append(found, pv_buf_str(&heard.text));
	if (why.problems.kept_count)
		pv_buf_append_format(found, "line %u: %s",
		    (unsigned)why.problems.kept[0].line,
		    why.problems.kept[0].text);
	pv_buf_finish(&heard.text);
	pv_why_finish(&why);
	return is_read;
}

static void write_file(const char *path, struct pv_str text)
{
	FILE *file = fopen(path, "w");
	fwrite(text.ptr, 1, text.len, file);
	fclose(file);
}

/* Lines */

static const struct {
	const char *claim;
	const char *text;
	uint64_t length;
	int64_t last;
	bool is_read;
	const char *found;
} cases[] = {
    {"an empty journal has no lines", "", 0, 0, true, ""},
    {"lines come in order, without their ends", "a\nbc\n\nd\n", 8, 0, true,
	"1:1a 2:2b 3:0 4:1d "},
    {"what is not committed is not read", "a\nb\nc", 4, 0, true, "1:1a 2:1b "},
    {"nor is anything where nothing is", "a\n", 0, 0, true, ""},
    {"no more lines come than are wanted", "a\nb\nc\n", 6, 2, false,
	"1:1a 2:1b "},
    {"what was committed ends with a line", "a\nb", 3, 0, false,
	"1:1a line 2: its last line is incomplete"},
    {"and is not cut in the midst of one", "a\nbc\n", 4, 0, false,
	"1:1a line 2: its last line is incomplete"},
    {"a journal that is too short was changed", "a\nb\n", 5, 0, false,
	"1:1a 2:1b line 3: it is shorter than what was committed: it was cut "
	"or changed"},
};

static void test_lines(const char *path)
{
	struct pv_buf found;
	pv_buf_init(&found, 1 << 20);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		write_file(path, pv_str_of(cases[i].text));
		bool is_read =
		    read_file(path, cases[i].length, cases[i].last, &found);
		is_text(
		    pv_buf_str(&found), cases[i].found, "%s", cases[i].claim);
		ok(is_read == cases[i].is_read, "which is %s",
		    cases[i].is_read ? "well" : "told");
	}
	pv_buf_finish(&found);
}

/* Lengths */

static void append_line(struct pv_buf *text, char letter, size_t len)
{
	memset(pv_buf_reserve(text, len), letter, len);
	text->len += len;
	pv_buf_append_char(text, '\n');
}

static void test_lengths(const char *path)
{
	static const char wanted[] =
	    "1:262143a 2:262144b 3:262145c 4:1d 5:2097152e ";
	struct pv_buf text;
	struct pv_buf found;
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_init(&found, 1 << 20);
	append_line(&text, 'e', LONGEST);
	write_file(path, pv_buf_str(&text));
	ok(read_file(path, text.len, 0, &found),
	    "the longest line is read, though its end comes in another piece");
	pv_buf_clear(&text);
	append_line(&text, 'a', PIECE - 1);
	append_line(&text, 'b', PIECE);
	append_line(&text, 'c', PIECE + 1);
	append_line(&text, 'd', 1);
	append_line(&text, 'e', LONGEST);
	write_file(path, pv_buf_str(&text));
	ok(read_file(path, text.len, 0, &found),
	    "a line may be longer than what is read at once");
	is_text(pv_buf_str(&found), wanted, "and comes whole");
	append_line(&text, 'f', LONGEST + 2 * PIECE);
	append_line(&text, 'g', 1);
	write_file(path, pv_buf_str(&text));
	ok(!read_file(path, text.len, 0, &found) &&
		strstr(pv_buf_text(&found),
		    "line 6: this line is longer than any line of a journal"),
	    "P5: no line is read that is longer than we write them");
	pv_buf_finish(&found);
	pv_buf_finish(&text);
}

/* What is no file of ours */

static void test_strange(const struct scratch *scratch, const char *path)
{
	struct pv_buf found;
	pv_buf_init(&found, 1 << 20);
	remove(path);
	ok(!read_file(path, 0, 0, &found) &&
		strstr(pv_buf_text(&found), "cannot be opened: No such"),
	    "a journal that is not there is told");
	ok(!read_file(scratch->path, 1, 0, &found) &&
		strstr(pv_buf_text(&found), "Is a directory"),
	    "so is a directory in its place");
	mkfifo(path, 0600);
	ok(!read_file(path, 1, 0, &found) &&
		strstr(pv_buf_text(&found), "it is shorter than"),
	    "and nobody waits for a pipe");
	pv_buf_finish(&found);
}

int main(void)
{
	struct scratch scratch;
	char path[512];
	if (!scratch_make(&scratch))
		return 1;
	snprintf(path, sizeof(path), "%s", scratch_file(&scratch, "journal"));
	test_lines(path);
	test_lengths(path);
	test_strange(&scratch, path);
	scratch_remove(&scratch);
	return tap_done();
}
