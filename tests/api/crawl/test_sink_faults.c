#include "api/crawl/sink_scene.h"

#include "crawl/patience.h"
#include "tap.h"

/* Sinks of a program that cannot be had, and those that fail: the crawl ends
 * with their sentence, and nothing is committed by halves. */

#define SECONDS 60

/* Whether the crawl cannot be opened, for that reason. */
static bool is_refused(struct sink_scene *scene, const char *why)
{
	bool is_closed = sink_scene_crawl(scene, "version=1") == -1;
	bool is_told = strstr(scene->lines, why);
	if (!is_told)
		printf("# %s\n", scene->lines);
	return is_closed && is_told;
}

static void test_names(struct sink_scene *scene)
{
	static const char bad_name[] =
	    "a name has 1 to 32 of the bytes a-z, 0-9 and -";
	static const char *const bad[] = {"", "Titles", "a b", "../up",
	    "journal.jsonl", "x\n", "abcdefghijklmnopqrstuvwxyz-123456"};
	struct pavane_sink *verbs = &scene->sinks[0].verbs;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		verbs->name = bad[i];
		ok(is_refused(scene, bad_name), "no sink is called so: %zu", i);
	}
	verbs->name = NULL;
	ok(is_refused(scene, "sink without a name"), "or not at all");
	verbs->name = "abcdefghijklmnopqrstuvwxyz-12345";
	scene->count = 2;
	scene->sinks[1].verbs.name = verbs->name;
	ok(is_refused(scene, "another one has that name"), "two never so");
	scene->count = 5;
	ok(is_refused(scene, "5 sinks: a crawl has at most 4"),
	    "five are too many");
	scene->count = SIZE_MAX;
	ok(is_refused(scene, "a crawl has at most 4"), "and so are more");
	scene->count = 1;
}

static void test_incomplete(struct sink_scene *scene)
{
	struct pavane_sink *verbs = &scene->sinks[0].verbs;
	static const char lacks[] =
	    "titles: recover, append and sync have to be there";
	verbs->name = "titles";
	verbs->recover = NULL;
	ok(is_refused(scene, lacks), "a sink has to recover");
	verbs->recover = file_sink_recover;
	verbs->append = NULL;
	ok(is_refused(scene, lacks), "and to append");
	verbs->append = file_sink_append;
	verbs->sync = NULL;
	ok(is_refused(scene, lacks), "and to sync");
	verbs->sync = file_sink_sync;
	verbs->size = 0;
	ok(is_refused(scene, "begin it with PAVANE_INIT"),
	    "and to say how long it is");
	verbs->size = sizeof(*verbs);
	scene->given[0] = NULL;
	ok(is_refused(scene, "begin it with PAVANE_INIT"), "and to be there");
	scene->given[0] = verbs;
	ok(!scene->sinks[0].recovers && !scene->sinks[0].closes,
	    "of one that is refused nothing is called");
}

/* What a crawl has is not thrown away for a mistake. */
static void test_refusing_early(struct sink_scene *scene)
{
	struct pavane_sink *verbs = &scene->sinks[0].verbs;
	ok(sink_scene_crawl(scene, "version=1") == PAVANE_FINISHED,
	    "with all of it it can be had");
	uint64_t length = sink_scene_length(scene, 0);
	scene->is_fresh = true;
	verbs->name = "Titles";
	ok(is_refused(scene, "a name has"), "a fresh crawl is refused ...");
	scene->is_fresh = false;
	verbs->name = "titles";
	ok(length && sink_scene_length(scene, 0) == length,
	    "... before the old one is deleted");
}

/* One of an earlier header, which had no `close`. */
static void test_earlier_header(void)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	scene.sinks[0].verbs.size = offsetof(struct pavane_sink, close);
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FINISHED &&
		scene.sinks[0].appends && !scene.sinks[0].closes,
	    "of a shorter struct no more is read than there is");
	close(scene.sinks[0].file);
	sink_scene_close(&scene);
}

/* Fails in a verb, and then does not. */
static void fail_once(
    const char *verb, int error, const char *text, const char *wanted)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	struct file_sink *sink = &scene.sinks[0];
	sink->fails_in = verb;
	sink->error = error;
	sink->text = text;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FAILED &&
		strcmp(scene.reason, wanted) == 0,
	    "%s ends the crawl with its sentence", verb);
	if (strcmp(scene.reason, wanted) != 0)
		printf("# %s\n", scene.reason);
	ok(sink_scene_length(&scene, 0) == 0 && sink->closes == 1,
	    "P3: nothing of it is committed after %s", verb);
	sink->fails_in = NULL;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FINISHED &&
		sink_scene_count(&scene, 0, "last http") == 0 &&
		sink_scene_count(&scene, 0, "/a.html") == 1 &&
		sink_scene_count(&scene, 0, "/missing.html") == 1,
	    "P3: and it goes on to have each answer once");
	sink_scene_close(&scene);
}

static void test_failing(void)
{
	fail_once("prepare", 0, "a title is too odd",
	    "titles: a title is too odd; what was done is saved");
	fail_once("append", EIO, "the table is gone",
	    "titles: the table is gone; what was done is saved");
	fail_once("sync", EIO, NULL,
	    "titles: Input/output error; what was done is saved");
	fail_once("append", 0, NULL,
	    "titles: append failed without saying why; what was done is saved");
	fail_once("append", 0, "two\nlines\033[2J",
	    "titles: two\\nlines\\x1b[2J; what was done is saved");
	fail_once("prepare", ENOSPC, NULL,
	    "titles: No space left on device; what was done is saved: free "
	    "disk space, then run it again");
	fail_once("append", EDQUOT, "no room",
	    "the disk is full (titles: no room); what was done is saved: "
	    "free disk space, then run it again");
	fail_once("sync", EFBIG, "no room",
	    "the disk is full (titles: no room); what was done is saved: "
	    "free disk space, then run it again");
}

/* As long as there is room for, and without an end. */
static void test_long_sentence(void)
{
	struct sink_scene scene;
	char text[200], wanted[200];
	sink_scene_open(&scene);
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	snprintf(wanted, sizeof(wanted), "titles: %.160s;", text);
	scene.sinks[0].fails_in = "append";
	scene.sinks[0].text = text;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FAILED &&
		strncmp(scene.reason, wanted, strlen(wanted)) == 0,
	    "a sentence without a NUL ends where its room does");
	sink_scene_close(&scene);
}

/* For want of a descriptor, as our own files may be. */
static void test_asking_once_more(void)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	struct file_sink *sink = &scene.sinks[0];
	sink->fails_in = "prepare";
	sink->fails_until = 1;
	sink->error = EMFILE;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FINISHED &&
		atomic_load(&sink->prepares) == 8 && sink->appends == 7,
	    "without a descriptor an answer is asked for once more (%u)",
	    sink->appends);
	sink_scene_close(&scene);
}

static void test_recovering_not(void)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	struct file_sink *sink = &scene.sinks[1];
	scene.count = 3;
	sink->fails_in = "recover";
	sink->text = "the file is damaged";
	ok(is_refused(&scene, "words-2: the file is damaged\n"),
	    "one that cannot recover is told of");
	ok(scene.sinks[0].closes == 1 && sink->closes == 1 &&
		!scene.sinks[2].recovers && !scene.sinks[2].closes,
	    "and what was recovered is closed");
	sink->fails_in = NULL;
	sink_scene_crawl(&scene, "version=1");
	unlink(sink->path);
	ok(is_refused(&scene, "words-2: the file is not as it was\n"),
	    "a file that has become shorter as well");
	sink_scene_close(&scene);
}

static void test_lying(void)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	struct file_sink *sink = &scene.sinks[0];
	sink_scene_crawl(&scene, "limits.pages=2");
	uint64_t length = sink_scene_length(&scene, 0);
	sink->claims = 1;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FAILED &&
		strstr(scene.reason,
		    "titles: sync says that it is 1 bytes long, after "),
	    "one that says that it is shorter than before ends the crawl");
	ok(length > 1 && sink_scene_length(&scene, 0) == length,
	    "P3: with what was committed as it was");
	sink->claims = UINT64_MAX;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FAILED &&
		sink_scene_length(&scene, 0) == length,
	    "and so does one that is longer than any file");
	sink_scene_close(&scene);
}

static void test_parts(void)
{
	struct sink_scene scene;
	sink_scene_open(&scene);
	scene.count = 3;
	scene.sinks[0].prepares_nothing = true;
	scene.sinks[1].verbs.prepare = NULL;
	scene.sinks[1].prepares_nothing = true;
	scene.sinks[2].large = (size_t)8 << 20;
	ok(sink_scene_crawl(&scene, "version=1") == PAVANE_FINISHED &&
		scene.sinks[0].appends == 7 && !scene.sinks[0].odd &&
		scene.sinks[1].appends == 7 && !scene.sinks[1].odd,
	    "what prepares nothing has each answer all the same");
	ok(scene.sinks[2].appends == 7 && scene.sinks[2].large_taken == 7 &&
		scene.sinks[2].large_refused == 7,
	    "a part has 8 MiB and not a byte more (%u, %u)",
	    scene.sinks[2].large_taken, scene.sinks[2].large_refused);
	sink_scene_close(&scene);
}

int main(void)
{
	struct sink_scene scene;
	end_after(SECONDS);
	sink_scene_open(&scene);
	test_names(&scene);
	test_incomplete(&scene);
	test_refusing_early(&scene);
	sink_scene_close(&scene);
	test_earlier_header();
	test_failing();
	test_long_sentence();
	test_asking_once_more();
	test_recovering_not();
	test_lying();
	test_parts();
	end_after(0);
	return tap_done();
}
