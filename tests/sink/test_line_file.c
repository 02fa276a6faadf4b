#include "sink/line_file.h"

#include <unistd.h>

#include "base/file.h"
#include "failing.h"
#include "scratch.h"
#include "synced_names.h"
#include "tap.h"

#define NAME "lines"

static struct scratch scratch;

static struct pv_line_file *open_at(uint64_t length, bool *is_right)
{
	struct pv_why why;
	pv_why_init(&why);
	struct pv_line_file *lines =
	    pv_line_file_open(scratch.path, NAME, &why);
	*is_right = lines && pv_line_file_recover(lines, length, &why);
	pv_why_finish(&why);
	return lines;
}

static void is_file(const char *text, const char *claim)
{
	struct pv_buf found;
	pv_buf_init(&found, 1000);
	pv_file_read(scratch_file(&scratch, NAME), &found);
	is_text(pv_buf_str(&found), text, "%s", claim);
	pv_buf_finish(&found);
}

static void test_lines(void)
{
	bool is_right;
	uint64_t length = 0;
	struct pv_line_file *lines = open_at(0, &is_right);
	ok(is_right, "a file is made where there is none");
	pv_line_file_append(lines, PV_STR("{"), PV_STR("}\n"));
	ok(pv_line_file_sync(lines, &length) && length == 3,
	    "it knows how long it is");
	pv_line_file_append(lines, PV_STR("{lost"), PV_STR("}\n"));
	pv_line_file_close(lines);
	is_file("{}\n", "what was not put on the disk is not there");
}

static bool syncs(struct pv_line_file *lines, unsigned *count)
{
	uint64_t length;
	unsigned before = failing.syncs;
	bool is_synced = pv_line_file_sync(lines, &length);
	*count = failing.syncs - before;
	return is_synced;
}

static void test_syncing(void)
{
	bool is_right;
	unsigned count;
	struct pv_line_file *lines = open_at(0, &is_right);
	ok(syncs(lines, &count) && count == 1,
	    "what somebody else has cut is put on the disk");
	ok(syncs(lines, &count) && count == 0, "once");
	pv_line_file_append(lines, PV_STR("{"), PV_STR("}\n"));
	fail_at("fdatasync", 0, EIO);
	ok(!syncs(lines, &count), "P3: where that fails");
	fail_nothing();
	ok(syncs(lines, &count) && count == 1, "it is done again");
	ok(syncs(lines, &count) && count == 0, "and nothing for nothing");
	pv_line_file_append(lines, PV_STR("{"), PV_STR("}\n"));
	ok(syncs(lines, &count) && count == 1, "P3: each new line is");
	pv_line_file_close(lines);
	unlink(scratch_file(&scratch, NAME));
}

static void test_name(void)
{
	bool is_right;
	unsigned count, before = synced_names.syncs;
	struct pv_line_file *lines = open_at(0, &is_right);
	synced_names.error = EIO;
	ok(!syncs(lines, &count),
	    "P3: where its name cannot be put on the disk");
	synced_names.error = 0;
	ok(syncs(lines, &count) && syncs(lines, &count) &&
		synced_names.syncs == before + 2,
	    "that is done again, and then no more");
	pv_line_file_close(lines);
	unlink(scratch_file(&scratch, NAME));
}

static void test_recovering(void)
{
	bool is_right;
	FILE *file = fopen(scratch_file(&scratch, NAME), "a");
	fputs("{half of a", file);
	fclose(file);
	pv_line_file_close(open_at(3, &is_right));
	is_file("{}\n", "P3: what was not committed is cut");
	pv_line_file_close(open_at(4, &is_right));
	ok(!is_right, "P3: what is shorter than was committed is refused");
	pv_line_file_close(open_at(2, &is_right));
	ok(!is_right, "and so is what ends within a line");
	is_file("{}\n", "and left as it is");
	unlink(scratch_file(&scratch, NAME));
	ok(symlink("elsewhere", scratch_file(&scratch, NAME)) == 0,
	    "where a link stands");
	struct pv_line_file *lines = open_at(0, &is_right);
	ok(!lines, "nothing is written through it");
	pv_line_file_close(lines);
}

int main(void)
{
	scratch_make(&scratch);
	test_lines();
	test_recovering();
	unlink(scratch_file(&scratch, NAME));
	test_syncing();
	test_name();
	scratch_remove(&scratch);
	return tap_done();
}
