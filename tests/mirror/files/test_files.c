#include "sink/sink.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "failing.h"
#include "random.h"
#include "synced_names.h"
#include "sink/scene.h"
#include "mirror/files/nameless.h"

#define TEXT "<!doctype html><title>Page</title>"

/* 2026-03-01, and a day before. */
#define WALL_MS INT64_C(1772323200000)
#define BEFORE "Sat, 28 Feb 2026 00:00:00 GMT"
#define BEFORE_S (WALL_MS / 1000 - 86400)

static void set_page(struct scene *scene, const char *url, const char *text)
{
	scene->visit.url = pv_str_of(url);
	scene->page.text = pv_str_of(text);
	scene->page.is_kept = true;
	scene->page.wall_ms = WALL_MS;
}

static bool prepare(struct scene *scene)
{
	return scene_prepare(scene);
}

static bool keep(struct scene *scene, const char *url, const char *text)
{
	set_page(scene, url, text);
	return prepare(scene);
}

static bool holds(struct scene *scene, const char *name, const char *text)
{
	struct pv_str found = scene_read(scene, name);
	return found.ptr && pv_str_equal(found, pv_str_of(text));
}

static void begin(struct scene *scene)
{
	scene_begin(scene, &pv_sink_mirror);
	if (!scene_open(scene))
		printf("# %s\n", scene_problem(scene));
}

/* In a file system that seems to have no files without names. */
static void begin_named(struct scene *scene)
{
	fail_at("linkat", 0, EPERM);
	begin(scene);
	fail_nothing();
}

/* Keeping */

static void test_wanted(void)
{
	struct pv_policy *policy = pv_policy_create();
	struct pv_sink_plan plan = {.policy = policy};
	policy->output.has_mirror = true;
	ok(pv_sink_mirror.is_wanted(&plan), "a policy may ask for a mirror");
	policy->output.has_mirror = false;
	ok(!pv_sink_mirror.is_wanted(&plan), "or for none");
	pv_policy_destroy(policy);
}

static void test_keeping(void)
{
	struct scene scene;
	struct stat status;
	uint64_t length = 7;
	begin(&scene);
	scene.page.type = PV_STR("text/html; charset=utf-8");
	ok(keep(&scene, "https://a.example/b/c?d", TEXT) &&
		holds(&scene, "site/a.example/b/c^d.html", TEXT),
	    "a page is kept under the name of its address");
	is_text(pv_buf_str(&scene.page.file), "site/a.example/b/c^d.html",
	    "and knows it");
	mode_t mask = umask(022);
	umask(mask);
	stat(
	    scratch_file(&scene.scratch, "site/a.example/b/c^d.html"), &status);
	ok((status.st_mode & 0777) == (0666 & ~mask),
	    "others may read it if the user's files are so");
	ok(keep(&scene, "https://a.example/b/c?d", "new") &&
		holds(&scene, "site/a.example/b/c^d.html", "new"),
	    "a new version takes the place of the old one");
	ok(keep(&scene, "https://a.example/empty.htm", "") &&
		holds(&scene, "site/a.example/empty.htm", ""),
	    "an empty page is an empty file");
	ok(scene_count(&scene, "site/.pavane") == 0,
	    "nothing stays where files are begun");
	ok(scene.kind->sync(scene.sink, &length) && !scene.kind->files &&
		!scene.kind->append && !scene.kind->recover,
	    "there is no file that is appended to");
	scene_close(&scene);
	ok(scene_count(&scene, "site") == 1,
	    "at the end the mirror holds pages and nothing else");
	scene_end(&scene);
}

/* How many files are synced before what is known of them is committed. */
static unsigned count_synced(struct scene *scene)
{
	uint64_t length;
	unsigned before = failing.syncs;
	bool is_synced = scene->kind->sync(scene->sink, &length);
	return is_synced ? failing.syncs - before : 99;
}

static void test_syncing(void (*begin_scene)(struct scene *scene))
{
	struct scene scene;
	begin_scene(&scene);
	keep(&scene, "https://a.example/b", TEXT);
	ok(count_synced(&scene) == 1,
	    "P3: a page is synced before it is known to be there");
	keep(&scene, "https://a.example/b", "new");
	keep(&scene, "https://a.example/c", TEXT);
	ok(count_synced(&scene) == 2,
	    "P3: so is each of some, new ones and those that take the place of "
	    "another");
	ok(count_synced(&scene) == 0, "once");
	scene_end(&scene);
}

static void test_not_kept(void)
{
	struct scene scene;
	begin(&scene);
	set_page(&scene, "https://a.example/", TEXT);
	scene.page.is_kept = false;
	ok(prepare(&scene) && !scene.page.file.len,
	    "what is not to be kept is not");
	scene.page.is_kept = true;
	scene.page.response = NULL;
	ok(prepare(&scene) && !scene.page.file.len,
	    "nor what was never asked for");
	ok(scene_count(&scene, "site") == 1, "and leaves nothing");
	scene_end(&scene);
}

/* An update that has brought the same bytes, of a copy that is in that file. */
static bool bring_again(
    struct scene *scene, const char *file, bool is_there, const char *url)
{
	struct pv_copy had = {.file = pv_str_of(file), .is_there = is_there};
	struct pv_buf packed;
	pv_buf_init(&packed, 1000);
	pv_copy_pack(&had, &packed);
	scene_write(scene, "site/a.example/same.html", "as it is");
	scene->visit.copy = pv_buf_str(&packed);
	scene->page.change = PV_CHANGE_SAME;
	bool is_kept = keep(scene, url, "again");
	scene->visit.copy = PV_STR("");
	pv_buf_finish(&packed);
	return is_kept;
}

static void test_same(void)
{
	static const char url[] = "https://a.example/same.html";
	static const char file[] = "site/a.example/same.html";
	struct scene scene;
	begin(&scene);
	keep(&scene, url, "once");
	ok(bring_again(&scene, file, true, url) &&
		holds(&scene, file, "as it is") &&
		pv_str_equal(pv_buf_str(&scene.page.file), pv_str_of(file)),
	    "what is there already is not written again");
	ok(bring_again(&scene, file, false, url) &&
		holds(&scene, file, "again"),
	    "unless it is lost");
	ok(bring_again(&scene, "site/a.example/other.html", true, url) &&
		holds(&scene, file, "again"),
	    "or is in another file");
	scene_end(&scene);
}

static const struct {
	const char *value;
	int64_t seconds; /* 0: when it was written */
} times[] = {
    {BEFORE, BEFORE_S},
    {"Saturday, 28-Feb-26 00:00:00 GMT", BEFORE_S},
    {"Sun, 01 Mar 2026 00:00:01 GMT", 0},
    {"Fri, 31 Dec 9999 23:59:59 GMT", 0},
    {"Tue, 01 Jan 1901 00:00:00 GMT", 0},
    {"yesterday", 0},
    {"", 0},
};

static void test_times(void)
{
	for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++) {
		struct scene scene;
		struct stat status;
		begin(&scene);
		pv_headers_add(&scene.response.headers, PV_STR("Last-Modified"),
		    pv_str_of(times[i].value));
		keep(&scene, "https://a.example/", TEXT);
		stat(scratch_file(&scene.scratch, "site/a.example/index.html"),
		    &status);
		int64_t wanted =
		    times[i].seconds ? times[i].seconds : status.st_ctim.tv_sec;
		ok(llabs(status.st_mtim.tv_sec - wanted) <= 1,
		    "Last-Modified \"%s\" %s the time of the file",
		    times[i].value, times[i].seconds ? "is" : "is not");
		scene_end(&scene);
	}
}

/* What stands in the way */

static void test_targets(void)
{
	struct scene scene;
	begin(&scene);
	keep(&scene, "https://a.example/", TEXT);
	scene_write(&scene, "precious", "mine");
	scene_link(&scene, "../../precious", "site/a.example/link.html");
	ok(keep(&scene, "https://a.example/link.html", TEXT) &&
		holds(&scene, "precious", "mine") &&
		holds(&scene, "site/a.example/link.html", TEXT),
	    "a symbolic link at a page's name is replaced, not followed");
	mkfifo(scratch_file(&scene.scratch, "site/a.example/pipe.html"), 0666);
	ok(keep(&scene, "https://a.example/pipe.html", TEXT) &&
		holds(&scene, "site/a.example/pipe.html", TEXT),
	    "so is a pipe, without waiting for its reader");
	mkdir(scratch_file(&scene.scratch, "site/a.example/d.html"), 0777);
	ok(!keep(&scene, "https://a.example/d.html", TEXT) &&
		has_part(scene.page.fault, "Is a directory") &&
		has_part(scene.page.fault, "site/a.example/d.html"),
	    "a directory is not, and that is told: %s", scene.page.fault);
	ok(!scene.page.file.len && scene_count(&scene, "site/.pavane") == 0,
	    "then there is no file, nor a piece of one");
	scene_end(&scene);
}

static void test_planted_links(void)
{
	struct scene scene;
	begin(&scene);
	mkdir(scratch_file(&scene.scratch, "elsewhere"), 0777);
	scene_link(&scene, "../elsewhere", "site/a.example");
	ok(!keep(&scene, "https://a.example/b.html", TEXT) &&
		has_part(scene.page.fault, "symbolic link"),
	    "nothing is written through a symbolic link: %s", scene.page.fault);
	scene_link(&scene, "/nowhere", "site/b.example");
	ok(!keep(&scene, "https://b.example/c/d/e.html", TEXT),
	    "wherever it leads");
	scene_write(&scene, "site/c.example", "a file");
	ok(!keep(&scene, "https://c.example/b.html", TEXT) &&
		has_part(scene.page.fault, "Not a directory"),
	    "a file in the place of a directory is told");
	ok(scene_count(&scene, "elsewhere") == 0 &&
		holds(&scene, "site/c.example", "a file"),
	    "and all that was there is as it was");
	scene_end(&scene);
}

static void test_opening(void)
{
	static const char *const sentences[] = {
	    "/site: cannot write the mirror: it is a symbolic link",
	    "/site: cannot write the mirror: Not a directory",
	    "/site/.pavane: cannot write the mirror: Not a directory",
	    ": cannot write the mirror: No such file or directory",
	};
	for (unsigned i = 0; i < 4; i++) {
		struct scene scene;
		scene_begin(&scene, &pv_sink_mirror);
		if (i == 0)
			scene_link(&scene, "..", "site");
		if (i == 1)
			scene_write(&scene, "site", "");
		if (i == 2)
			mkdir(scratch_file(&scene.scratch, "site"), 0777);
		if (i == 2)
			scene_write(&scene, "site/.pavane", "");
		if (i == 3)
			rmdir(scene.scratch.path);
		ok(!scene_open(&scene), "a place that is none is refused");
		ok(has_part(scene_problem(&scene), sentences[i]),
		    "with a sentence");
		scene_end(&scene);
	}
}

static void test_leftovers(void)
{
	struct scene scene;
	begin(&scene);
	scene_write(&scene, "site/.pavane/0", "half a pa");
	ok(keep(&scene, "https://a.example/", TEXT) &&
		holds(&scene, "site/.pavane/0", "half a pa"),
	    "P3: what could not be removed is not written into, nor in the "
	    "way");
	scene_write(&scene, "site/.pavane/17", "");
	struct pv_sink *killed = scene.sink;
	scene_open(&scene);
	ok(scene_count(&scene, "site/.pavane") == 0 &&
		keep(&scene, "https://a.example/", TEXT),
	    "P3: what a kill has left is removed at the start");
	scene.kind->close(killed);
	scene_end(&scene);
}

static void test_removed(void)
{
	struct scene scene;
	begin(&scene);
	keep(&scene, "https://a.example/b/c.html", TEXT);
	count_synced(&scene);
	unsigned before = synced_names.syncs;
	scene_remove(AT_FDCWD, scratch_file(&scene.scratch, "site/a.example"));
	ok(keep(&scene, "https://a.example/b/d.html", TEXT) &&
		holds(&scene, "site/a.example/b/d.html", TEXT),
	    "directories that somebody removed are made again");
	ok(count_synced(&scene) == 1 && synced_names.syncs == before + 4,
	    "P3: and put on the disk with all above them");
	scene_remove(AT_FDCWD, scratch_file(&scene.scratch, "site"));
	ok(keep(&scene, "https://a.example/b/d.html", TEXT) &&
		holds(&scene, "site/a.example/b/d.html", TEXT),
	    "even all of them");
	scene_end(&scene);
}

/* The disk in the way */

struct failing_call {
	const char *call;
	int error;
};

/* One of the calls that keeping a page makes fails, each time a later one. */
static void test_call(const struct failing_call *call, bool is_named)
{
	struct scene scene;
	unsigned failed = 0, told = 0, clean = 0;
	if (is_named)
		begin_named(&scene);
	else
		begin(&scene);
	failing.write_max = 10;
	for (unsigned after = 0; after < 100; after++) {
		char url[64];
		snprintf(url, sizeof(url), "https://h%u.example/b/c", after);
		fail_at(call->call, after, call->error);
		bool is_kept = keep(&scene, url, TEXT);
		bool was_reached = !failing.call;
		failing.call = NULL;
		if (!was_reached)
			break;
		if (is_kept)
			continue;
		failed += !scene.page.file.len;
		told += has_part(scene.page.fault, strerror(call->error));
		clean += scene_count(&scene, "site/.pavane") == 0 &&
			 keep(&scene, url, TEXT);
	}
	fail_nothing();
	ok(failed > 0 && told == failed && clean == failed,
	    "%s: %s, wherever it strikes (%u places) files with%s names, is "
	    "told, leaves nothing, and passes",
	    call->call, strerror(call->error), failed, is_named ? "" : "out");
	scene_end(&scene);
}

static void test_calls(const struct failing_call *calls, bool is_named)
{
	static const struct failing_call common[] = {{"write", ENOSPC},
	    {"write", EDQUOT}, {"write", EIO}, {"openat", EACCES},
	    {"openat", ENOSPC}, {"mkdirat", EACCES}, {"mkdirat", ENOSPC},
	    {"mkdirat", EMLINK}};
	for (size_t i = 0; i < sizeof(common) / sizeof(*common); i++)
		test_call(&common[i], is_named);
	for (; calls->call; calls++)
		test_call(calls, is_named);
}

/* Where the file system has none without a name, and where it does; then a file
 * that cannot be had without one is tried with one. */
static void test_each_call(void)
{
	static const struct failing_call renaming[] = {{"renameat", ENOSPC},
	    {"renameat", EROFS}, {"openat", EIO}, {NULL, 0}};
	static const struct failing_call naming[] = {
	    {"linkat", ENOSPC}, {"linkat", EROFS}, {NULL, 0}};
	test_calls(renaming, true);
	if (pv_nameless_can_be(AT_FDCWD))
		test_calls(naming, false);
}

/* Some file systems write a file, and tell what went wrong, only then. */
static void test_closing(bool is_named)
{
	struct scene scene;
	if (is_named)
		begin_named(&scene);
	else
		begin(&scene);
	keep(&scene, "https://a.example/b/c.html", TEXT);
	fail_at("close", 0, EIO);
	ok(!keep(&scene, "https://a.example/b/d.html", TEXT) && !failing.call &&
		has_part(scene.page.fault, strerror(EIO)),
	    "a file that cannot be closed is not kept");
	fail_nothing();
	ok(scene_count(&scene, "site/a.example/b") == 1,
	    "and nothing has its name");
	scene_end(&scene);
}

/* Where descriptors are few, those of directories are given up for others. */
static void test_few_descriptors(void)
{
	struct scene scene;
	begin(&scene);
	keep(&scene, "https://a.example/b/c", TEXT);
	fail_at("openat", 0, EMFILE);
	ok(keep(&scene, "https://b.example/b/c", TEXT) && !failing.call,
	    "a directory that cannot be opened is tried again without those "
	    "that were kept open");
	fail_nothing();
	scene_end(&scene);
}

/* At whichever call there is none left: what is fetched is not lost for it. */
static void test_no_descriptor(void)
{
	struct scene scene;
	unsigned kept = 0, tried = 0;
	char url[64];
	begin(&scene);
	for (bool is_reached = true; is_reached && tried < 100; tried++) {
		snprintf(url, sizeof(url), "https://a.example/%u/b", tried);
		fail_at("openat", tried, EMFILE);
		kept += keep(&scene, url, TEXT);
		is_reached = !failing.call;
		fail_nothing();
	}
	ok(tried > 3 && kept == tried,
	    "P3: whatever cannot be opened for want of a descriptor is tried "
	    "again");
	fail_always("openat", EMFILE);
	ok(!keep(&scene, "https://a.example/c", TEXT) &&
		scene.page.error == EMFILE,
	    "where there is none even so, it is told");
	fail_nothing();
	ok(keep(&scene, "https://a.example/c", TEXT), "and passes");
	scene_end(&scene);
}

static void test_interrupted(void)
{
	struct scene scene;
	begin(&scene);
	failing.write_max = 3;
	fail_at("write", 4, EINTR);
	ok(keep(&scene, "https://a.example/", TEXT) &&
		holds(&scene, "site/a.example/index.html", TEXT),
	    "short writes and signals only take longer");
	fail_nothing();
	scene_end(&scene);
}

static void test_file_limit(void)
{
	struct scene scene;
	struct rlimit before, limit;
	begin(&scene);
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	limit = before;
	limit.rlim_cur = 10;
	setrlimit(RLIMIT_FSIZE, &limit);
	bool is_kept = keep(&scene, "https://a.example/", TEXT);
	setrlimit(RLIMIT_FSIZE, &before);
	ok(!is_kept && has_part(scene.page.fault, strerror(EFBIG)) &&
		scene_count(&scene, "site/a.example") == 0,
	    "P5: a limit on files is met without a piece of a page");
	scene_end(&scene);
}

static void test_read_only(void)
{
	struct scene scene;
	begin(&scene);
	bool is_root = geteuid() == 0;
	keep(&scene, "https://a.example/", TEXT);
	chmod(scratch_file(&scene.scratch, "site/a.example"), 0555);
	chmod(scene.scratch.path, 0755);
	chmod(scratch_file(&scene.scratch, "site/.pavane"), 0777);
	if (is_root && seteuid(65534) != 0)
		is_root = false;
	bool has_file = keep(&scene, "https://a.example/b.html", TEXT);
	bool has_directory = keep(&scene, "https://a.example/b/c.html", TEXT);
	if (is_root && seteuid(0) != 0)
		abort();
	ok(!has_file && !has_directory &&
		has_part(scene.page.fault, strerror(EACCES)),
	    "a directory that may not be written to is told");
	chmod(scratch_file(&scene.scratch, "site/a.example"), 0755);
	scene_end(&scene);
}

/* A disk of 64 KiB, where the system lets us have one. */
static void test_full_disk(void)
{
	struct scene scene;
	static const char claim[] = "a disk that is full is told, and when it "
				    "has space again, all goes on";
	static char large[128 * 1024 + 1];
	memset(large, 'x', sizeof(large) - 1);
	scene_begin(&scene, &pv_sink_mirror);
	if (mount("tmpfs", scene.scratch.path, "tmpfs", 0, "size=64k") != 0) {
		tap_skip(claim, "no disk of one's own may be mounted");
		scene_end(&scene);
		return;
	}
	scene_open(&scene);
	bool is_full = !keep(&scene, "https://a.example/b", large) &&
		       has_part(scene.page.fault, strerror(ENOSPC)) &&
		       scene_count(&scene, "site/.pavane") == 0;
	bool goes_on = keep(&scene, "https://a.example/b", TEXT) &&
		       holds(&scene, "site/a.example/b^.html", TEXT);
	ok(is_full && goes_on, "%s", claim);
	scene_close(&scene);
	umount2(scene.scratch.path, MNT_DETACH);
	scene_end(&scene);
}

static void test_fault_text(void)
{
	struct scene scene;
	char url[1000] = "https://a.example/";
	begin(&scene);
	memset(url + strlen(url), 'a', sizeof(url) - strlen(url) - 1);
	fail_always("write", EIO);
	ok(!keep(&scene, url, TEXT) &&
		has_part(scene.page.fault, strerror(EIO)) &&
		strlen(scene.page.fault) == sizeof(scene.page.fault) - 1,
	    "P5: a fault has room for its reason, whatever it is about");
	fail_nothing();
	scene_end(&scene);
}

/* Threads and kills */

struct worker {
	struct scene *scene;
	unsigned number;
	unsigned kept;
};

static void *work(void *ctx)
{
	struct worker *worker = ctx;
	struct pv_visit visit = {0};
	struct pv_page page;
	char url[64];
	pv_page_init(&page);
	page.visit = &visit;
	page.response = &worker->scene->response;
	page.is_kept = true;
	for (unsigned i = 0; i < 300; i++) {
		snprintf(url, sizeof(url), "https://a.example/%u/%u-%u.html",
		    i % 50, worker->number, i);
		visit.url = pv_str_of(url);
		page.text = pv_str_of(url);
		worker->kept +=
		    pv_sink_mirror.prepare(worker->scene->sink, &page, NULL);
	}
	pv_page_finish(&page);
	return NULL;
}

static unsigned keep_by_threads(struct scene *scene)
{
	struct worker workers[4];
	pthread_t threads[4];
	unsigned kept = 0;
	for (unsigned i = 0; i < 4; i++) {
		workers[i] = (struct worker){scene, i, 0};
		pthread_create(&threads[i], NULL, work, &workers[i]);
	}
	for (unsigned i = 0; i < 4; i++) {
		pthread_join(threads[i], NULL);
		kept += workers[i].kept;
	}
	return kept;
}

static void test_threads(void)
{
	struct scene scene;
	unsigned found = 0;
	begin(&scene);
	unsigned kept = keep_by_threads(&scene);
	for (unsigned i = 0; i < 4 * 300; i++) {
		char url[64], name[64];
		snprintf(url, sizeof(url), "https://a.example/%u/%u-%u.html",
		    i / 4 % 50, i % 4, i / 4);
		snprintf(name, sizeof(name), "site/a.example/%u/%u-%u.html",
		    i / 4 % 50, i % 4, i / 4);
		found += holds(&scene, name, url);
	}
	ok(kept == 1200 && found == 1200,
	    "threads keep pages at the same time, each whole");
	scene_end(&scene);
}

/* Each of them needs three. */
static void test_threads_with_few(void)
{
	struct scene scene;
	struct rlimit before, limit;
	int taken[64];
	size_t count = 0;
	begin(&scene);
	getrlimit(RLIMIT_NOFILE, &before);
	limit = (struct rlimit){64, before.rlim_max};
	setrlimit(RLIMIT_NOFILE, &limit);
	while (count < 64 && (taken[count] = dup(STDERR_FILENO)) >= 0)
		count++;
	for (size_t i = 0; i < 3; i++)
		close(taken[--count]);
	unsigned kept = keep_by_threads(&scene);
	setrlimit(RLIMIT_NOFILE, &before);
	while (count)
		close(taken[--count]);
	ok(kept == 1200,
	    "P3: where descriptors are too few for all of them, they take "
	    "turns and keep every page (%u of 1200)",
	    kept);
	scene_end(&scene);
}

/* Pages of a certain size and letter for ever, telling of each. */
static _Noreturn void write_until_killed(struct scene *scene, int pipe)
{
	static char text[20001];
	for (unsigned i = 0;; i++) {
		char url[64];
		memset(text, 'a' + (int)(i % 26), sizeof(text) - 1);
		snprintf(url, sizeof(url), "https://a.example/%u.html", i);
		if (!keep(scene, url, text) || write(pipe, ".", 1) != 1)
			_exit(1);
	}
}

/* Of the first so many pages, how many are there and whole; of the next one,
 * whether it is so or not there at all. */
static bool are_whole(struct scene *scene, unsigned count)
{
	bool is_good = true;
	for (unsigned i = 0; i <= count && is_good; i++) {
		char name[64];
		snprintf(name, sizeof(name), "site/a.example/%u.html", i);
		struct pv_str text = scene_read(scene, name);
		if (i == count && !text.ptr)
			return true;
		is_good = text.ptr && text.len == 20000;
		for (size_t k = 0; is_good && k < text.len; k++)
			is_good = text.ptr[k] == (char)('a' + i % 26);
	}
	return is_good;
}

static void test_kills(void)
{
	struct random random = random_of(1);
	unsigned good = 0;
	for (unsigned i = 0; i < 20; i++) {
		struct scene scene;
		int ends[2];
		unsigned count = 0;
		char byte;
		size_t enough = random_below(&random, 40);
		begin(&scene);
		if (pipe(ends) != 0)
			break;
		pid_t child = fork();
		if (child == 0)
			write_until_killed(&scene, ends[1]);
		close(ends[1]);
		while (count <= enough && read(ends[0], &byte, 1) == 1)
			count++;
		kill(child, SIGKILL);
		while (read(ends[0], &byte, 1) == 1)
			count++;
		waitpid(child, NULL, 0);
		close(ends[0]);
		bool is_whole = are_whole(&scene, count);
		scene_close(&scene);
		good += is_whole && scene_open(&scene) &&
			scene_count(&scene, "site/.pavane") == 0;
		scene_end(&scene);
	}
	ok(good == 20, "P3: a kill leaves whole pages and no pieces");
}

int main(void)
{
	test_wanted();
	test_keeping();
	test_syncing(begin);
	test_syncing(begin_named);
	test_not_kept();
	test_same();
	test_times();
	test_targets();
	test_planted_links();
	test_opening();
	test_leftovers();
	test_removed();
	test_each_call();
	test_closing(true);
	test_closing(false);
	test_few_descriptors();
	test_no_descriptor();
	test_interrupted();
	test_file_limit();
	test_read_only();
	test_full_disk();
	test_fault_text();
	test_threads();
	test_threads_with_few();
	test_kills();
	return tap_done();
}
