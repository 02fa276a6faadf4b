#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include <sqlite3.h>

#include "tap.h"
#include "torture/faulty.h"

/* The library that makes disks fail, tried on a program that does a few things
 * to a few files: this one, when it is called so. */

/* The victim */

static void tell(const char *what, long result)
{
	printf("%s %ld", what, result);
	if (result < 0)
		printf(" %s", strerrorname_np(errno));
	putchar('\n');
	fflush(stdout);
}

static void use_database(void)
{
	sqlite3 *database = NULL;
	sqlite3_stmt *statement = NULL;
	sqlite3_open("o/db", &database);
	sqlite3_prepare_v2(database, "CREATE TABLE t(a)", -1, &statement, NULL);
	int code = sqlite3_step(statement);
	printf("step %d %s\n", code,
	    code == SQLITE_DONE ? "" : sqlite3_errmsg(database));
	sqlite3_finalize(statement);
	sqlite3_close(database);
}

static int suffer(void)
{
	char bytes[4] = "abcd";
	struct iovec parts[2] = {{bytes, 2}, {bytes + 2, 2}};
	FILE *other = fopen("outside", "w");
	fputs("outside", other);
	tell("fclose", fclose(other));
	tell("mkdir", mkdir("o/made", 0700));
	int file = open("o/file", O_RDWR | O_CREAT, 0600);
	tell("open", file < 0 ? -1 : 0);
	tell("write", write(file, "0123456789", 10));
	tell("pwrite", pwrite(file, "0123456789", 10, 10));
	tell("writev", writev(file, parts, 2));
	tell("fsync", fsync(file));
	tell("ftruncate", ftruncate(file, 4));
	tell("pread", pread(file, bytes, 4, 0));
	tell("rename", rename("o/file", "o/name"));
	tell("unlink", unlink("o/link"));
	tell("close", close(file));
	file = socket(AF_INET, SOCK_STREAM, 0);
	tell("socket", file < 0 ? -1 : 0);
	close(file);
	use_database();
	return 0;
}

/* What becomes of it */

static const char plain[] =
    "fclose 0\nmkdir 0\nopen 0\nwrite 10\npwrite 10\nwritev 4\nfsync 0\nftruncate 0\n"
    "pread 4\nrename 0\nunlink 0\nclose 0\nsocket 0\nstep 101 \n";

struct suffering {
	const char *plan;
	const char *said; /* instead of the line that begins like it */
	const char *struck;
};

static const struct suffering sufferings[] = {
    {"make 1 ENOSPC", "mkdir -1 ENOSPC", "make o/made"},
    {"write 1 ENOSPC", "write -1 ENOSPC", "write /"},
    {"write 2 EDQUOT", "pwrite -1 EDQUOT", "write /"},
    {"write 3 EIO", "writev -1 EIO", "write /"},
    {"write 1 short", "write 5", "write /"},
    {"write 3 short", "writev 2", "write /"},
    {"write 3 late+EIO", "writev -1 EIO", "write /"},
    {"sync 1 EIO", "fsync -1 EIO", "sync /"},
    {"truncate 1 EIO", "ftruncate -1 EIO", "truncate /"},
    {"read 1 EIO", "pread -1 EIO", "read /"},
    {"read 1 short", "pread 2", "read /"},
    {"rename 1 ENOSPC", "rename -1 ENOSPC", "rename o/name"},
    {"remove 1 EROFS", "unlink -1 EROFS", "remove o/link"},
    {"close 1 EIO", "close -1 EIO", "close /"},
    {"socket 1 EMFILE", "socket -1 EMFILE", "socket "},
    {"step 1 FULL", "step 13 database or disk is full", "step CREATE"},
    {"step 1 late+IOERR", "step 10 disk I/O error", "step CREATE"},
};

static size_t word_len(const char *text)
{
	return strcspn(text, " ");
}

/* Appends what the victim says if this line stands in the place of the one
 * that begins with the same word; NULL for none. */
static void append_expected(const char *said, struct pv_buf *expected)
{
	const char *line = plain;
	while (*line) {
		size_t len = strcspn(line, "\n");
		bool is_it = said && word_len(said) == word_len(line) &&
			     strncmp(said, line, word_len(line)) == 0;
		if (is_it)
			pv_buf_append_text(expected, said);
		else
			pv_buf_append(expected, (struct pv_str){line, len});
		pv_buf_append_char(expected, '\n');
		line += len + 1;
	}
}

static void run(
    struct faulty *faulty, struct pv_buf *said, struct program_end *end)
{
	struct program_end ignored;
	pv_buf_clear(said);
	faulty_rest(faulty);
	setenv("PAVANE", "/bin/rm", 1);
	program_run(
	    faulty->home, (const char *[]){"-rf", "o", NULL}, NULL, &ignored);
	if (mkdir(home_file(faulty->home, "o"), 0700) != 0 ||
	    symlink("file", home_file(faulty->home, "o/link")) != 0)
		perror(faulty->home->file);
	setenv("PAVANE", "/proc/self/exe", 1);
	faulty->home->environment = faulty->environment;
	program_run(faulty->home, (const char *[]){"suffer", NULL}, said, end);
}

static void try_suffering(
    struct faulty *faulty, const struct suffering *suffering)
{
	struct pv_buf said, expected;
	struct program_end end;
	pv_buf_init(&said, 1 << 16);
	pv_buf_init(&expected, 1 << 16);
	faulty_plan(faulty, "%s", suffering->plan);
	run(faulty, &said, &end);
	append_expected(suffering->said, &expected);
	is_text(pv_buf_str(&said), pv_buf_text(&expected), "%s: %s",
	    suffering->plan, suffering->said);
	ok(faulty->tally->strikes == 1 &&
		strncmp(faulty->tally->struck, suffering->struck,
		    strlen(suffering->struck)) == 0,
	    "and once: %s", faulty->tally->struck);
	pv_buf_finish(&said);
	pv_buf_finish(&expected);
}

static void test_counts(struct faulty *faulty)
{
	struct pv_buf said;
	struct program_end end;
	pv_buf_init(&said, 1 << 16);
	faulty_plan(faulty, NULL);
	run(faulty, &said, &end);
	is_text(
	    pv_buf_str(&said), plain, "a disk that does well changes nothing");
	ok(faulty_calls(faulty, FAULT_MAKE) == 1 &&
		faulty_calls(faulty, FAULT_RENAME) == 1 &&
		faulty_calls(faulty, FAULT_SOCKET) == 1 &&
		faulty_calls(faulty, FAULT_STEP) == 1,
	    "calls are counted by sort");
	ok(faulty_calls(faulty, FAULT_WRITE) > 3 &&
		faulty_calls(faulty, FAULT_SYNC) > 1 &&
		faulty_calls(faulty, FAULT_OPEN) > 2,
	    "those that SQLite makes too (%d writes, %d syncs)",
	    (int)faulty_calls(faulty, FAULT_WRITE),
	    (int)faulty_calls(faulty, FAULT_SYNC));
	ok(faulty->tally->changes > 10 && faulty->tally->strikes == 0,
	    "and all that change something together");
	pv_buf_finish(&said);
}

/* A call that fails from then on, and one that fails behind a short write. */
static void test_lasting(struct faulty *faulty)
{
	struct pv_buf said;
	struct program_end end;
	pv_buf_init(&said, 1 << 16);
	faulty_plan(faulty, "write 2 EIO on");
	run(faulty, &said, &end);
	ok(strstr(pv_buf_text(&said),
	       "write 10\npwrite -1 EIO\nwritev -1 EIO\n") &&
		faulty->tally->strikes > 2,
	    "what lasts fails from then on");
	faulty_plan(faulty, "write 1 short+ENOSPC");
	run(faulty, &said, &end);
	ok(strstr(
	       pv_buf_text(&said), "write 5\npwrite -1 ENOSPC\nwritev 4\n") &&
		faulty->tally->strikes == 2,
	    "behind a short write the next one fails");
	pv_buf_finish(&said);
}

static off_t size_of(struct faulty *faulty)
{
	struct stat facts;
	if (lstat(home_file(faulty->home, "o/file"), &facts) != 0)
		return -1;
	return facts.st_size;
}

static void test_kills(struct faulty *faulty)
{
	static const struct {
		const char *plan;
		off_t size;
	} kills[] = {
	    {"write 2 kill", 10},
	    {"write 2 kill-half", 15},
	    {"write 2 kill-after", 20},
	    {"change 2 kill", -1},
	    {"change 2 kill-after", 0},
	    {"change 3 kill-half", 5},
	};
	for (size_t i = 0; i < sizeof(kills) / sizeof(*kills); i++) {
		struct pv_buf said;
		struct program_end end = {.status = 0};
		pv_buf_init(&said, 1 << 16);
		faulty_plan(faulty, "%s", kills[i].plan);
		run(faulty, &said, &end);
		ok(end.is_killed && end.status == SIGKILL &&
			size_of(faulty) == kills[i].size &&
			faulty->tally->strikes == 1,
		    "%s: it ends there, with a file of %d bytes", kills[i].plan,
		    (int)size_of(faulty));
		pv_buf_finish(&said);
	}
}

int main(int count, char **arguments)
{
	struct home home;
	struct faulty faulty;
	struct pv_buf said;
	struct program_end end;
	if (count > 1 && strcmp(arguments[1], "suffer") == 0)
		return suffer();
	if (!home_make(&home))
		return 1;
	pv_buf_init(&said, 1 << 16);
	bool is_there = faulty_open(&faulty, &home, "o");
	if (is_there)
		run(&faulty, &said, &end);
	bool can_fail = is_there && faulty_calls(&faulty, FAULT_OPEN);
	if (can_fail) {
		test_counts(&faulty);
		for (size_t i = 0; i < sizeof(sufferings) / sizeof(*sufferings);
		     i++)
			try_suffering(&faulty, &sufferings[i]);
		test_lasting(&faulty);
		test_kills(&faulty);
	}
	pv_buf_finish(&said);
	faulty_close(&faulty);
	home_remove(&home);
	return can_fail ? tap_done()
			: tap_skip_all("no library can be preloaded here");
}
