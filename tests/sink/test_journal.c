#include "sink/sink.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "base/reader.h"
#include "failing.h"
#include "random.h"
#include "scene.h"

#define FILE_NAME "journal.jsonl"

static void begin(struct scene *scene)
{
	scene_begin(scene, &pv_sink_journal);
	if (!scene_open(scene))
		printf("# %s\n", scene_problem(scene));
	scene->response.outcome = PV_OUTCOME_ANSWERED;
	scene->response.http_status = 200;
}

static bool add(struct scene *scene, const char *url, bool is_final)
{
	scene->visit.url = pv_str_of(url);
	return scene_prepare(scene) && scene_append(scene, is_final);
}

static uint64_t sync_all(struct scene *scene)
{
	uint64_t length = UINT64_MAX;
	scene->kind->sync(scene->sink, &length);
	return length;
}

static bool recover(struct scene *scene, uint64_t length)
{
	return scene->kind->recover(scene->sink, &length, &scene->why);
}

static size_t count_lines(struct pv_str text)
{
	size_t count = 0;
	for (size_t i = 0; i < text.len; i++)
		count += text.ptr[i] == '\n';
	return count;
}

static void test_appending(void)
{
	struct scene scene;
	struct stat status;
	begin(&scene);
	ok(recover(&scene, 0), "a new crawl has a new journal");
	ok(sync_all(&scene) == 0, "which is empty");
	add(&scene, "https://a.example/1", false);
	add(&scene, "https://a.example/2", true);
	ok(scene_read(&scene, FILE_NAME).len == 0,
	    "lines gather before they are written");
	unsigned syncs = failing.syncs;
	uint64_t length = sync_all(&scene);
	struct pv_str text = scene_read(&scene, FILE_NAME);
	ok(length == text.len && count_lines(text) == 2 &&
		failing.syncs == syncs + 1,
	    "P3: synced, they are on the disk, and their length is told");
	ok(has_part(text.ptr, "\"url\":\"https://a.example/1\"") &&
		has_part(text.ptr, "\"url\":\"https://a.example/2\"") &&
		pv_str_ends(text, PV_STR(",\"final\":true}\n")),
	    "in their order, and the last word on an address is called so");
	stat(scratch_file(&scene.scratch, FILE_NAME), &status);
	ok((status.st_mode & 0777) == 0600, "P7: nobody else may read them");
	scene_end(&scene);
}

static void test_digest(void)
{
	struct scene scene;
	begin(&scene);
	scene.page.text = PV_STR("abc");
	add(&scene, "https://a.example/", true);
	sync_all(&scene);
	ok(scene.page.has_digest &&
		has_part(pv_buf_text(&scene.page.parts[0]),
		    "\"digest\":\"sha256:ba7816bf8f01cfea414140de5dae2223b0"
		    "0361a396177a9cb410ff61f20015ad\""),
	    "a page gets the digest of its text");
	scene.page.text = PV_STR("other");
	add(&scene, "https://a.example/", true);
	ok(has_part(pv_buf_text(&scene.page.parts[0]), "sha256:ba7816bf"),
	    "unless it has one");
	scene_end(&scene);
}

static void test_many(void)
{
	struct scene scene;
	begin(&scene);
	for (unsigned i = 0; i < 5000; i++)
		add(&scene, "https://a.example/", true);
	size_t written = scene_read(&scene, FILE_NAME).len;
	uint64_t length = sync_all(&scene);
	ok(written > 0 && length - written < (size_t)1024 * 1024,
	    "P5: lines that are not synced are not all in memory");
	struct pv_str text = scene_read(&scene, FILE_NAME);
	ok(text.len == length && count_lines(text) == 5000, "and none is lost");
	scene_end(&scene);
}

/* Recovering */

static void test_recovering(void)
{
	struct scene scene;
	begin(&scene);
	add(&scene, "https://a.example/1", true);
	uint64_t length = sync_all(&scene);
	add(&scene, "https://a.example/2", true);
	sync_all(&scene);
	scene_close(&scene);
	FILE *file = fopen(scratch_file(&scene.scratch, FILE_NAME), "ab");
	fputs("{\"time\":\"2026-", file);
	fclose(file);
	scene_open(&scene);
	ok(recover(&scene, length) &&
		scene_read(&scene, FILE_NAME).len == length,
	    "P3: what was not committed is cut, a line or a piece of one");
	add(&scene, "https://a.example/3", true);
	length = sync_all(&scene);
	struct pv_str text = scene_read(&scene, FILE_NAME);
	ok(text.len == length && count_lines(text) == 2 &&
		has_part(text.ptr, "a.example/3") &&
		!strstr(text.ptr, "a.example/2"),
	    "and the next line stands where it stood");
	scene_close(&scene);
	scene_open(&scene);
	ok(recover(&scene, 0) && scene_read(&scene, FILE_NAME).len == 0,
	    "where nothing was committed it is made anew");
	scene_end(&scene);
}

static void test_refusing(void)
{
	struct scene scene;
	begin(&scene);
	ok(!recover(&scene, 10) && has_part(scene_problem(&scene), FILE_NAME),
	    "a journal that is gone is not made up for");
	scene_write(&scene, FILE_NAME, "{\"a\":1}\n{\"b\":2}\n");
	ok(!recover(&scene, 17) &&
		has_part(scene_problem(&scene),
		    "its first 17 bytes are not what was written"),
	    "nor is one that is shorter than it was");
	ok(scene_read(&scene, FILE_NAME).len == 16, "and it is left as it is");
	ok(!recover(&scene, 10) &&
		has_part(scene_problem(&scene), "somebody cut, changed"),
	    "nor one in which a line lies across its end");
	ok(recover(&scene, 8), "what is as it was is taken");
	fail_at("ftruncate", 0, EIO);
	ok(!recover(&scene, 8) &&
		has_part(scene_problem(&scene), strerror(EIO)),
	    "a file that cannot be cut is told");
	fail_nothing();
	scene_end(&scene);
}

static void test_opening(void)
{
	static const char *const sentences[] = {
	    FILE_NAME ": cannot be opened: it is a symbolic link",
	    FILE_NAME ": is not a regular file",
	    FILE_NAME ": cannot be opened: Is a directory",
	    FILE_NAME ": cannot be opened: No such file or directory",
	};
	for (unsigned i = 0; i < 4; i++) {
		struct scene scene;
		scene_begin(&scene, &pv_sink_journal);
		const char *path = scratch_file(&scene.scratch, FILE_NAME);
		if (i == 0)
			scene_link(&scene, "/dev/full", FILE_NAME);
		if (i == 1)
			mkfifo(path, 0666);
		if (i == 2)
			mkdir(path, 0777);
		if (i == 3)
			rmdir(scene.scratch.path);
		ok(!scene_open(&scene), "what is no file is refused");
		ok(has_part(scene_problem(&scene), sentences[i]),
		    "with a sentence");
		scene_end(&scene);
	}
}

/* The disk in the way */

static void test_full(void)
{
	struct scene scene;
	uint64_t length = 5;
	begin(&scene);
	add(&scene, "https://a.example/1", true);
	failing.write_max = 30;
	fail_at("write", 1, ENOSPC);
	errno = 0;
	ok(!scene.kind->sync(scene.sink, &length) && errno == ENOSPC &&
		length == 5,
	    "a full disk is told");
	fail_nothing();
	ok(scene_read(&scene, FILE_NAME).len == 30,
	    "though a piece of a line is there");
	add(&scene, "https://a.example/2", true);
	length = sync_all(&scene);
	struct pv_str text = scene_read(&scene, FILE_NAME);
	ok(text.len == length && count_lines(text) == 2 &&
		pv_str_starts(text, PV_STR("{\"time\"")) &&
		has_part(text.ptr, "}\n{\"time\""),
	    "when it has space again, the line goes on where it stopped");
	add(&scene, "https://a.example/3", true);
	fail_at("fdatasync", 0, EIO);
	ok(!scene.kind->sync(scene.sink, &length) && errno == EIO,
	    "a disk that does not take it is told");
	scene_end(&scene);
}

static void test_full_while_appending(void)
{
	struct scene scene;
	unsigned taken = 0;
	begin(&scene);
	fail_always("write", ENOSPC);
	errno = 0;
	while (taken < 100000 && add(&scene, "https://a.example/", true))
		taken++;
	ok(taken < 100000 && errno == ENOSPC,
	    "P5: what cannot be written does not fill memory");
	fail_nothing();
	ok(add(&scene, "https://a.example/", true),
	    "later the same line may be added");
	sync_all(&scene);
	ok(count_lines(scene_read(&scene, FILE_NAME)) == taken + 1,
	    "and none is there twice");
	scene_end(&scene);
}

static void test_interrupted(void)
{
	struct scene scene;
	begin(&scene);
	failing.write_max = 7;
	fail_at("write", 3, EINTR);
	add(&scene, "https://a.example/1", true);
	uint64_t length = sync_all(&scene);
	fail_nothing();
	struct pv_str text = scene_read(&scene, FILE_NAME);
	ok(text.len == length && count_lines(text) == 1 &&
		pv_str_ends(text, PV_STR("}\n")),
	    "short writes and signals only take longer");
	scene_end(&scene);
}

/* Kills */

/* Adds and syncs for ever, telling each length as it would be committed. */
static _Noreturn void write_until_killed(struct scene *scene, int pipe)
{
	for (unsigned i = 0;; i++) {
		char url[64];
		snprintf(url, sizeof(url), "https://a.example/%u", i);
		add(scene, url, true);
		if (i % 3)
			continue;
		uint64_t length = sync_all(scene);
		if (write(pipe, &length, sizeof(length)) != sizeof(length))
			_exit(1);
	}
}

/* Whether the lines are those from the first on. */
static bool are_in_order(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	for (unsigned i = 0; !pv_reader_is_end(&reader); i++) {
		char part[64];
		struct pv_str line = pv_reader_take_until(&reader, '\n');
		snprintf(part, sizeof(part), "\"https://a.example/%u\"", i);
		if (!pv_reader_accept(&reader, '\n') ||
		    !pv_str_ends(line, PV_STR(",\"final\":true}")) ||
		    !memmem(line.ptr, line.len, part, strlen(part)))
			return false;
	}
	return true;
}

static void test_kills(void)
{
	struct random random = random_of(2);
	unsigned good = 0;
	for (unsigned i = 0; i < 20; i++) {
		struct scene scene;
		int ends[2];
		uint64_t length = 0;
		begin(&scene);
		if (pipe(ends) != 0)
			break;
		pid_t child = fork();
		if (child == 0)
			write_until_killed(&scene, ends[1]);
		close(ends[1]);
		for (size_t k = random_below(&random, 30) + 1; k; k--)
			(void)!read(ends[0], &length, sizeof(length));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		close(ends[0]);
		good += recover(&scene, length) &&
			scene_read(&scene, FILE_NAME).len == length &&
			are_in_order(pv_buf_str(&scene.text));
		scene_end(&scene);
	}
	ok(good == 20, "P3: after a kill all that was committed is there, and "
		       "nothing else");
}

#define HOUR_MS INT64_C(3600000)
#define NEXT_NAME "journal-0001.jsonl"

static void open_turning(struct scene *scene, uint64_t generation)
{
	const struct pv_sink_plan plan = {
	    .directory = scene->scratch.path,
	    .journal_generation = generation,
	    .journal_turn_ms = HOUR_MS,
	};
	scene_close(scene);
	scene->sink = scene->kind->open(&plan, &scene->why);
}

static bool add_at(struct scene *scene, int64_t wall_ms)
{
	scene->page.wall_ms = wall_ms;
	return add(scene, "https://a.example/", true);
}

static bool turns(struct scene *scene)
{
	return scene->kind->turn(scene->sink);
}

static bool is_called(struct scene *scene, const char *name)
{
	return strcmp(scene->kind->files(scene->sink)[0], name) == 0 &&
	       !scene->kind->files(scene->sink)[1];
}

static void test_turning(void)
{
	struct scene scene;
	begin(&scene);
	recover(&scene, 0);
	add_at(&scene, 0);
	add_at(&scene, HOUR_MS * 1000);
	sync_all(&scene);
	ok(!turns(&scene), "most journals have one file");
	open_turning(&scene, 0);
	recover(&scene, 0);
	ok(!turns(&scene), "one that is to have several begins with one");
	add_at(&scene, HOUR_MS);
	add_at(&scene, 2 * HOUR_MS - 1);
	uint64_t length = sync_all(&scene);
	ok(!turns(&scene) && is_called(&scene, FILE_NAME),
	    "for as long as that is to last");
	open_turning(&scene, 0);
	recover(&scene, length);
	scene_write(&scene, NEXT_NAME, "what was never committed");
	add_at(&scene, 2 * HOUR_MS);
	length = sync_all(&scene);
	ok(turns(&scene) && is_called(&scene, NEXT_NAME),
	    "which the next run knows, too");
	ok(scene_read(&scene, FILE_NAME).len == length &&
		count_lines(pv_buf_str(&scene.text)) == 3,
	    "P3: what was in it is there");
	ok(scene_read(&scene, NEXT_NAME).ptr && !scene.text.len,
	    "P3: and the next begins with nothing");
	ok(!turns(&scene), "not before it has lines is that followed by one");
	add_at(&scene, 2 * HOUR_MS);
	ok(sync_all(&scene) == scene_read(&scene, NEXT_NAME).len &&
		count_lines(pv_buf_str(&scene.text)) == 1 &&
		scene_read(&scene, FILE_NAME).len == length,
	    "lines go there from then on");
	scene_end(&scene);
}

static void test_turning_in_vain(void)
{
	struct scene scene;
	begin(&scene);
	open_turning(&scene, 0);
	recover(&scene, 0);
	scene_link(&scene, FILE_NAME, NEXT_NAME);
	add_at(&scene, HOUR_MS);
	add_at(&scene, 2 * HOUR_MS);
	sync_all(&scene);
	ok(!turns(&scene) && is_called(&scene, FILE_NAME) &&
		add_at(&scene, 2 * HOUR_MS) &&
		sync_all(&scene) == scene_read(&scene, FILE_NAME).len,
	    "P3: where there can be no next one, the last goes on");
	unlink(scratch_file(&scene.scratch, NEXT_NAME));
	ok(turns(&scene), "until there can");
	scene_end(&scene);
}

int main(void)
{
	test_appending();
	test_digest();
	test_many();
	test_recovering();
	test_refusing();
	test_opening();
	test_full();
	test_full_while_appending();
	test_interrupted();
	test_kills();
	test_turning();
	test_turning_in_vain();
	return tap_done();
}
