#include "limiter/clock_file.h"

#include <fcntl.h>

#include "base/why.h"
#include "policy/scratch.h"
#include "tap.h"

/* Which files crawls may share clocks in: each file is laid by the test, then
 * opened. What the header says stands at these places. */
#define VERSION_AT 8
#define BUCKET_COUNT_AT 12
#define BUCKET_BYTES_AT 16
#define LAST_NUMBER_AT 20

#define FILE_BYTES (4096 + 8192 * 2048)

static struct scratch scratch;
static struct pv_why why;

static void begin(void)
{
	if (!scratch_open(&scratch))
		abort();
	pv_why_init(&why);
}

static void finish(void)
{
	pv_why_finish(&why);
	scratch_remove(scratch.dir);
}

static bool open_by(struct pv_clock_file *file, const char *boot_id)
{
	pv_why_finish(&why);
	pv_why_init(&why);
	return pv_clock_file_open(file, scratch.dir, boot_id, &why);
}

static bool is_refused_as(const char *boot_id, const char *reason)
{
	struct pv_clock_file file;
	if (open_by(&file, boot_id)) {
		pv_clock_file_close(&file);
		return false;
	}
	if (why.problems.count)
		printf("# %s\n", why.problems.kept[0].text);
	return why.problems.count == 1 &&
	       strncmp(why.problems.kept[0].text, reason, strlen(reason)) == 0;
}

static bool is_noted(const char *text)
{
	return why.notes.count == 1 &&
	       strcmp(why.notes.kept[0].text, text) == 0;
}

static void set_word(off_t at, uint32_t value)
{
	int fd = open(scratch_path(&scratch, "clocks"), O_RDWR | O_CLOEXEC);
	if (pwrite(fd, &value, sizeof(value), at) != sizeof(value))
		abort();
	close(fd);
}

static off_t size_of_file(void)
{
	struct stat facts;
	return stat(scratch_path(&scratch, "clocks"), &facts) == 0
		   ? facts.st_size
		   : -1;
}

/* A file that crawls have used, and that nobody uses now. */
static void lay(void)
{
	struct pv_clock_file file;
	if (!open_by(&file, "boot"))
		abort();
	pv_clock_file_close(&file);
}

static void test_numbers(void)
{
	struct pv_clock_file one;
	struct pv_clock_file two;
	begin();
	ok(open_by(&one, "boot") && one.number == 1 && !why.notes.count &&
		size_of_file() == FILE_BYTES,
	    "a new file is made, and its first crawl is number 1");
	ok(open_by(&two, "boot") && two.number == 2,
	    "the next crawl is number 2");
	ok(pv_clock_file_has(&one, 2) && pv_clock_file_has(&two, 1) &&
		pv_clock_file_has(&one, 1),
	    "each crawl sees both");
	ok(!pv_clock_file_has(&one, 3), "and none that was never there");
	ok(one.boot == two.boot &&
		memcmp(&one.key, &two.key, sizeof(one.key)) == 0,
	    "both count by the same boot and hash by the same key");
	one.buckets[8191].names[0] = 7;
	ok(one.bucket_mask == 8191 && two.buckets[8191].names[0] == 7,
	    "what one writes the other reads, up to the last bucket");
	pv_clock_file_close(&two);
	ok(!pv_clock_file_has(&one, 2), "a crawl that is over is not there");
	ok(open_by(&two, "boot") && two.number == 3,
	    "its number is not given again");
	pv_clock_file_close(&two);
	pv_clock_file_close(&one);
	set_word(LAST_NUMBER_AT, UINT32_MAX);
	ok(open_by(&one, "boot") && one.number == 1,
	    "no crawl has the number 0, which stands for nobody");
	pv_clock_file_close(&one);
	finish();
}

static void test_boots(void)
{
	struct pv_clock_file file;
	begin();
	open_by(&file, "first");
	uint32_t boot = file.boot;
	pv_clock_file_close(&file);
	ok(open_by(&file, "first") && file.boot == boot,
	    "a boot is counted once");
	ok(is_refused_as("second", "is used by another machine"),
	    "P1: two machines share no clocks, since theirs differ");
	ok(!pv_clock_file_has(&file, file.number + 1),
	    "and who was refused holds no number");
	pv_clock_file_close(&file);
	ok(open_by(&file, "second") && file.boot == boot + 1,
	    "the next boot is counted");
	pv_clock_file_close(&file);
	ok(is_refused_as("", "cannot be used: the start time of this "
			     "machine is not known"),
	    "P1: without a boot to tell times by, nothing is shared");
	ok(open_by(&file, NULL) && file.boot == boot + 2,
	    "the machine tells its own boot");
	pv_clock_file_close(&file);
	ok(open_by(&file, NULL) && file.boot == boot + 2,
	    "and tells the same one again");
	pv_clock_file_close(&file);
	finish();
}

/* Damage that the header shows. */
static const struct {
	const char *claim;
	off_t at;
	uint32_t value;
} damages[] = {
    {"of version 0", VERSION_AT, 0},
    {"with fewer buckets", BUCKET_COUNT_AT, 8191},
    {"with more buckets", BUCKET_COUNT_AT, 8193},
    {"with larger buckets", BUCKET_BYTES_AT, 4096},
};

static void test_damages(void)
{
	for (size_t i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		struct pv_clock_file file;
		begin();
		lay();
		set_word(LAST_NUMBER_AT, 41);
		set_word(damages[i].at, damages[i].value);
		ok(open_by(&file, "boot") && file.number == 1 &&
			is_noted("was damaged and is created again"),
		    "P3: a file %s is made anew, and said to be",
		    damages[i].claim);
		pv_clock_file_close(&file);
		ok(open_by(&file, "boot") && file.number == 2 &&
			!why.notes.count,
		    "and is right from then on");
		pv_clock_file_close(&file);
		finish();
	}
}

static void test_lengths(void)
{
	struct pv_clock_file file;
	begin();
	lay();
	ok(truncate(scratch_path(&scratch, "clocks"), FILE_BYTES - 1) == 0 &&
		open_by(&file, "boot") &&
		is_noted("was damaged and is created again") &&
		size_of_file() == FILE_BYTES,
	    "P3: a file that lacks its last byte is made anew, in full");
	ok(truncate(scratch_path(&scratch, "clocks"), FILE_BYTES + 1) == 0 &&
		is_refused_as("boot", "is damaged and used by another crawl") &&
		size_of_file() == FILE_BYTES + 1,
	    "P1: while a crawl uses it, a damaged file is left as it is");
	pv_clock_file_close(&file);
	ok(open_by(&file, "boot") && size_of_file() == FILE_BYTES,
	    "and is made anew when that crawl is over");
	pv_clock_file_close(&file);
	finish();
}

static void test_versions(void)
{
	struct pv_clock_file file;
	begin();
	lay();
	set_word(VERSION_AT, 5);
	ok(is_refused_as("boot", "was written by a newer version of pavane"),
	    "P3: a file of a newer version is left alone");
	set_word(VERSION_AT, 3);
	ok(open_by(&file, "boot") && file.number == 2 && !why.notes.count,
	    "one of an older version is brought up and keeps its numbers");
	struct pv_clock_file other;
	ok(open_by(&other, "boot") && other.number == 3,
	    "and is of this version for whoever comes then");
	pv_clock_file_close(&other);
	set_word(VERSION_AT, 3);
	ok(is_refused_as("boot", "was written by an older version of "
				 "pavane and is used by another crawl"),
	    "P1: unless a crawl of that version uses it");
	pv_clock_file_close(&file);
	set_word(0, 0x73647561);
	ok(is_refused_as("boot", "is not a file of shared clocks"),
	    "P3: a file that begins otherwise is somebody else's");
	finish();
}

/* Whoever made it did not get to the end, which is the first word. */
static void test_unfinished(void)
{
	struct pv_clock_file file;
	begin();
	lay();
	set_word(0, 0);
	set_word(4, 0);
	set_word(LAST_NUMBER_AT, 41);
	ok(open_by(&file, "boot") && file.number == 1 && !why.notes.count,
	    "a file that nobody finished is made, without a word");
	set_word(0, 0);
	set_word(4, 0);
	ok(is_refused_as("boot", "is not a file of shared clocks"),
	    "P1: unless a crawl uses it");
	pv_clock_file_close(&file);
	finish();
}

static void test_no_files(void)
{
	begin();
	ok(mkfifo(scratch_path(&scratch, "clocks"), 0600) == 0 &&
		is_refused_as("boot", "does not belong to you"),
	    "a pipe is refused, and nobody waits for its other end");
	unlink(scratch_path(&scratch, "clocks"));
	lay();
	if (geteuid() != 0)
		tap_skip("P7: another user's file is refused", "not root");
	else
		ok(chown(scratch_path(&scratch, "clocks"), 1, 1) == 0 &&
			is_refused_as("boot", "does not belong to you"),
		    "P7: another user's file is refused");
	finish();
}

int main(void)
{
	test_numbers();
	test_boots();
	test_damages();
	test_lengths();
	test_versions();
	test_unfinished();
	test_no_files();
	return tap_done();
}
