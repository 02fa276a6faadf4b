#include "crawl/shard/inbound_files.h"

#include <sys/stat.h>

#include "descriptors.h"
#include "scratch.h"
#include "sink/outbound_line.h"
#include "tap.h"

/* Files of strangers, of which each whole line is read, and nothing else. */

struct bench {
	struct scratch scratch;
	struct pv_inbound_files files;
	struct pv_log log;
	struct pv_buf said;
	struct pv_why why;
};

static void hear(void *ctx, enum pv_log_level level, struct pv_str line)
{
	struct bench *bench = ctx;
	(void)level;
	pv_buf_append(&bench->said, line);
	pv_buf_append_char(&bench->said, '\n');
}

static void open_bench(struct bench *bench)
{
	*bench = (struct bench){.log = {.level = PV_LOG_INFO, .write = hear}};
	bench->log.ctx = bench;
	scratch_make(&bench->scratch);
	pv_inbound_files_init(&bench->files);
	bench->files.log = &bench->log;
	pv_buf_init(&bench->said, 1 << 20);
	pv_why_init(&bench->why);
}

static void close_bench(struct bench *bench)
{
	pv_inbound_files_finish(&bench->files);
	pv_buf_finish(&bench->said);
	pv_why_finish(&bench->why);
	scratch_remove(&bench->scratch);
}

static void write_file(struct bench *bench, const char *name, const char *text)
{
	FILE *file = fopen(scratch_file(&bench->scratch, name), "wb");
	fputs(text, file);
	fclose(file);
}

static bool add(struct bench *bench, const char *name)
{
	return pv_inbound_files_add(
	    &bench->files, scratch_file(&bench->scratch, name), 3, &bench->why);
}

/* Claims which lines are read, with a space behind each. */
static void are_read(struct bench *bench, const char *wanted, const char *claim)
{
	enum pv_inbound_step step;
	struct pv_buf found;
	pv_buf_init(&found, 1 << 20);
	while (
	    (step = pv_inbound_files_next(&bench->files)) != PV_INBOUND_END) {
		if (step != PV_INBOUND_LINE)
			continue;
		pv_buf_append(&found, pv_buf_str(&bench->files.text));
		pv_buf_append_char(&found, ' ');
	}
	is_text(pv_buf_str(&found), wanted, "%s", claim);
	pv_buf_finish(&found);
}

static bool says(struct bench *bench, const char *text)
{
	bool says = strstr(pv_buf_text(&bench->said), text);
	if (!says)
		printf("# it said: %s\n", pv_buf_text(&bench->said));
	return says;
}

static void test_lines(void)
{
	struct bench bench;
	open_bench(&bench);
	write_file(&bench, "a", "one\n\ntwo\nhal");
	write_file(&bench, "b", "three\n");
	write_file(&bench, "c", "");
	ok(add(&bench, "a") && add(&bench, "b") && add(&bench, "c"),
	    "files are taken");
	are_read(&bench, "one two three ",
	    "each whole line is read, and no half of one");
	ok(says(&bench, "/a:4: the last line is left out: it has no end"),
	    "P4: of which it is told");
	are_read(&bench, "", "at the end there is nothing more");
	pv_inbound_files_rewind(&bench.files);
	are_read(&bench, "one two three ", "they may be read again");
	pv_inbound_files_rewind(&bench.files);
	pv_inbound_files_next(&bench.files);
	pv_inbound_files_rewind(&bench.files);
	unlink(scratch_file(&bench.scratch, "a"));
	are_read(&bench, "three ", "also where one has gone meanwhile");
	ok(says(&bench, "its addresses are left out"), "P4: which is told");
	close_bench(&bench);
}

static void test_long_line(void)
{
	struct bench bench;
	char *text = malloc(PV_OUTBOUND_LINE_MAX + 100);
	open_bench(&bench);
	memset(text, 'x', PV_OUTBOUND_LINE_MAX + 90);
	memcpy(text + PV_OUTBOUND_LINE_MAX + 90, "\nnext\n", 7);
	write_file(&bench, "a", text);
	add(&bench, "a");
	are_read(&bench, "next ", "P5: a line of any length is passed over");
	ok(says(&bench, "/a:1: this line is left out: it is longer than any"),
	    "P4: and named");
	close_bench(&bench);
	free(text);
}

static void test_refusals(void)
{
	struct bench bench;
	open_bench(&bench);
	struct pv_buf text;
	pv_buf_init(&text, 1 << 20);
	for (unsigned i = 0; i < 100; i++)
		pv_buf_append_text(&text, "wrong\n");
	write_file(&bench, "a", pv_buf_text(&text));
	pv_buf_finish(&text);
	add(&bench, "a");
	while (pv_inbound_files_next(&bench.files) == PV_INBOUND_LINE)
		pv_inbound_files_refuse(&bench.files, "it is wrong");
	ok(says(&bench, "/a:20: this line is left out: it is wrong") &&
		!strstr(pv_buf_text(&bench.said), "/a:21:"),
	    "P4: some lines that are none are named");
	ok(says(&bench, "/a: 80 more lines are left out"),
	    "P5: and the others counted");
	close_bench(&bench);
}

static void test_names(void)
{
	struct bench bench;
	open_bench(&bench);
	mkdir(scratch_file(&bench.scratch, "crawl"), 0700);
	ok(add(&bench, "crawl") && !bench.files.count,
	    "a crawl that has found nothing for us has no file");
	mkdir(scratch_file(&bench.scratch, "crawl/outbound"), 0700);
	write_file(&bench, "crawl/outbound/3.jsonl", "ours\n");
	write_file(&bench, "crawl/outbound/2.jsonl", "another's\n");
	ok(add(&bench, "crawl") && bench.files.count == 1,
	    "else it has one for our shard");
	are_read(&bench, "ours ", "which is read");
	ok(!add(&bench, "nowhere") && pv_why_has_problems(&bench.why),
	    "P4: what is not there is told");
	mkfifo(scratch_file(&bench.scratch, "pipe"), 0600);
	ok(!add(&bench, "pipe"), "nobody waits for a pipe");
	unlink(scratch_file(&bench.scratch, "crawl/outbound/3.jsonl"));
	unlink(scratch_file(&bench.scratch, "crawl/outbound/2.jsonl"));
	rmdir(scratch_file(&bench.scratch, "crawl/outbound"));
	rmdir(scratch_file(&bench.scratch, "crawl"));
	close_bench(&bench);
}

int main(void)
{
	unsigned before = descriptors_count();
	test_lines();
	test_long_line();
	test_refusals();
	test_names();
	descriptors_claim(before);
	return tap_done();
}
