#include "mirror/links/relinking.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "failing.h"
#include "mirror/scene.h"
#include "store/tables/redirects.h"

/* What becomes of a mirror's documents while its state cannot be read: the
 * state has so many addresses that each document's are in other pages of it. */

#define DOCUMENTS 6
#define STUBS (2 * DOCUMENTS) /* half of them no document leads to */
#define ADDRESSES 3000
#define REDIRECTS 5000 /* from where nobody has been */

/* The numbers of addresses, by that of the document which leads to them. */
#define KEPT(i) ((i) % DOCUMENTS + 1)
#define LOST(i) ((i)*50 + 100)
#define MOVED(i) ((i)*50 + 101)
#define UNKNOWN(i) ((i)*50 + 102)

struct texts {
	struct pv_buf old;
	struct pv_buf linked;
	struct pv_buf found;
};

/* What came of all runs. */
static struct {
	unsigned runs;
	unsigned refused; /* not begun */
	unsigned partly;  /* linked */
	unsigned whole;
	unsigned wrong;   /* texts */
	unsigned missing; /* stubs that had been there */
	unsigned untold;
	unsigned idle; /* read documents after they had failed */
} tally;

struct run {
	struct pv_relinking result;
	bool is_run;
	bool is_told; /* that it did not do all */
};

static void write_texts(struct texts *texts, unsigned i)
{
	pv_buf_clear(&texts->old);
	pv_buf_clear(&texts->linked);
	pv_buf_append_format(&texts->old,
	    "<a href=\"http://localhost/%u\"><a href=\"%u.html#x\">"
	    "<a href=\"http://localhost/%u\"><a href=\"http://localhost/%u\">",
	    KEPT(i), LOST(i), MOVED(i), UNKNOWN(i));
	pv_buf_append_format(&texts->linked,
	    "<a href=\"%u.html\"><a href=\"http://localhost/%u#x\">"
	    "<a href=\"%u.html#part\"><a href=\"http://localhost/%u\">",
	    KEPT(i), LOST(i), KEPT(i), UNKNOWN(i));
}

static const char *document_of(unsigned i)
{
	static char name[64];
	snprintf(name, sizeof(name), "site/%u.html", i);
	return name;
}

static const char *stub_of(unsigned i)
{
	static char name[64];
	snprintf(name, sizeof(name), "site/localhost^80/%u^.html", MOVED(i));
	return name;
}

/* The state */

static void keep(struct mirror_scene *scene, unsigned number, bool is_lost)
{
	char name[32];
	snprintf(name, sizeof(name), "%u.html", number);
	mirror_keep(scene, (struct mirror_copy){.id = number,
			       .name = name,
			       .came = "",
			       .kept = is_lost ? "" : "<p>"});
}

static void move(struct mirror_scene *scene, const char *from, unsigned to)
{
	struct pv_redirects redirects;
	char target[64];
	snprintf(target, sizeof(target), "http://localhost/%u#part", to);
	pv_redirects_open(&redirects, scene->database);
	pv_redirects_keep(&redirects,
	    pv_fingerprint_of(&scene->key, pv_str_of(from)), pv_str_of(target));
	pv_redirects_close(&redirects);
}

static void move_all(struct mirror_scene *scene)
{
	char from[64];
	for (unsigned i = 1; i <= STUBS; i++) {
		snprintf(from, sizeof(from), "http://localhost/%u", MOVED(i));
		move(scene, from, KEPT(i));
	}
	for (unsigned i = 0; i < REDIRECTS; i++) {
		snprintf(from, sizeof(from), "http://localhost/from/%u", i);
		move(scene, from, 1);
	}
}

/* What is not in the file yet would be read from the log. */
static void fill(struct mirror_scene *scene)
{
	char url[64];
	pv_database_begin(scene->database);
	for (int i = 1; i <= ADDRESSES; i++) {
		snprintf(url, sizeof(url), "http://localhost/%d", i);
		mirror_add(scene, (struct mirror_address){.id = i, .url = url});
	}
	for (unsigned i = 1; i <= DOCUMENTS; i++) {
		keep(scene, i, false);
		keep(scene, LOST(i), true);
	}
	move_all(scene);
	ok(pv_database_commit(scene->database), "a mirror is made");
	pv_database_close(scene->database);
	scene->database = NULL;
}

/* The documents as they are before; each other stub is there. */
static void lay_out(struct mirror_scene *scene, struct texts *texts)
{
	for (unsigned i = 1; i <= DOCUMENTS; i++) {
		write_texts(texts, i);
		mirror_write(scene, document_of(i), pv_buf_text(&texts->old));
	}
	for (unsigned i = 1; i <= STUBS; i += 2)
		unlink(scratch_file(&scene->scratch, stub_of(i)));
}

/* A run */

int failing_fstatat(int directory, const char *path, struct stat *status,
    int flags) FAILING_NAMED("fstatat");
int failing_fstatat(
    int directory, const char *path, struct stat *status, int flags)
{
	if (fails("fstatat"))
		return -1;
	return (int)syscall(SYS_newfstatat, directory, path, status, flags);
}

/* What was looked up and could not be written is no reason to end. */
static bool tells(const struct pv_relinking *result)
{
	bool is_state = strstr(result->fault, "state cannot be read") != NULL;
	return result->failed && result->fault[0] &&
	       (!is_state || result->is_cut);
}

static struct run relink(struct mirror_scene *scene)
{
	struct pv_crawl_identity identity = {.document_count = 0};
	struct run run;
	struct pv_why why;
	const struct pv_relinking_plan plan = {
	    .directory = scene->scratch.path,
	    .identity = &identity,
	    .threads = 1,
	    .link_max = 4096,
	};
	pv_why_init(&why);
	run.is_run = pv_relinking_run(&plan, &run.result, &why);
	run.is_told =
	    run.is_run ? tells(&run.result) : pv_why_has_problems(&why);
	pv_why_finish(&why);
	return run;
}

static bool reads(struct mirror_scene *scene, const char *name,
    struct pv_buf *text, const struct pv_buf *wanted)
{
	pv_buf_clear(text);
	return pv_file_read(scratch_file(&scene->scratch, name), text) ==
		   PV_FILE_READ &&
	       pv_str_equal(pv_buf_str(text), pv_buf_str(wanted));
}

/* How many documents are linked. */
static unsigned judge_documents(struct mirror_scene *scene, struct texts *texts)
{
	unsigned linked = 0;
	for (unsigned i = 1; i <= DOCUMENTS; i++) {
		const char *name = document_of(i);
		write_texts(texts, i);
		bool is_linked =
		    reads(scene, name, &texts->found, &texts->linked);
		linked += is_linked;
		if (is_linked || reads(scene, name, &texts->found, &texts->old))
			continue;
		tally.wrong++;
		printf("# %s: %s\n", name, pv_buf_text(&texts->found));
	}
	return linked;
}

static unsigned judge_stubs(struct mirror_scene *scene)
{
	unsigned count = 0;
	for (unsigned i = 1; i <= STUBS; i++) {
		bool is_there =
		    access(scratch_file(&scene->scratch, stub_of(i)), F_OK) ==
		    0;
		count += is_there;
		tally.missing += i % 2 == 0 && !is_there;
	}
	return count;
}

static void judge(
    struct mirror_scene *scene, struct texts *texts, const struct run *run)
{
	unsigned linked = judge_documents(scene, texts);
	bool is_whole = judge_stubs(scene) == STUBS && linked == DOCUMENTS;
	tally.runs++;
	tally.refused += !run->is_run;
	tally.idle +=
	    run->result.failed == 1 && run->result.documents > linked + 1;
	tally.partly += linked > 0 && !is_whole;
	tally.whole += is_whole;
	if (is_whole || run->is_told)
		return;
	tally.untold++;
	printf("# run %u tells nothing\n", tally.runs);
}

/* What is looked at fails one look later each time, until none is left; whether
 * for once or for good. While a run is refused, since all of the state is read
 * before it begins, some looks are passed over. */
#define REFUSED_STEP 6

static void fail_each(struct mirror_scene *scene, struct texts *texts,
    const char *call, bool is_lasting)
{
	bool has_failed = true;
	for (unsigned after = 0; has_failed;) {
		lay_out(scene, texts);
		fail_at(call, after, EIO);
		failing.is_lasting = is_lasting;
		struct run run = relink(scene);
		has_failed = is_lasting ? failing.after == 0 : !failing.call;
		fail_nothing();
		judge(scene, texts, &run);
		after += run.is_run ? 1 : REFUSED_STEP;
	}
}

static void test_failures(
    struct mirror_scene *scene, const char *call, bool is_lasting)
{
	struct texts texts;
	memset(&tally, 0, sizeof(tally));
	pv_buf_init(&texts.old, 4096);
	pv_buf_init(&texts.linked, 4096);
	pv_buf_init(&texts.found, 4096);
	fail_each(scene, &texts, call, is_lasting);
	ok(tally.partly > 20 && tally.whole > 0,
	    "%s fails %s: of %u runs %u are not begun, %u end in the midst, %u "
	    "do all",
	    call, is_lasting ? "for good" : "once", tally.runs, tally.refused,
	    tally.partly, tally.whole);
	ok(tally.wrong == 0,
	    "P3: no document is other than before or than it is to be (%u)",
	    tally.wrong);
	ok(tally.missing == 0, "and who leads on is not taken away (%u)",
	    tally.missing);
	ok(tally.untold == 0, "what is not done is told (%u)", tally.untold);
	ok(tally.idle == 0, "and no document is read for nothing (%u)",
	    tally.idle);
	pv_buf_finish(&texts.old);
	pv_buf_finish(&texts.linked);
	pv_buf_finish(&texts.found);
}

static void test_whole(struct mirror_scene *scene)
{
	struct texts texts;
	pv_buf_init(&texts.old, 4096);
	pv_buf_init(&texts.linked, 4096);
	pv_buf_init(&texts.found, 4096);
	lay_out(scene, &texts);
	struct run run = relink(scene);
	ok(run.is_run && !run.result.failed && !run.result.is_cut &&
		run.result.documents == DOCUMENTS,
	    "all documents are linked (%llu)",
	    (unsigned long long)run.result.documents);
	ok(judge_documents(scene, &texts) == DOCUMENTS &&
		judge_stubs(scene) == STUBS,
	    "to what is kept, to where what is not is, and on");
	pv_buf_finish(&texts.old);
	pv_buf_finish(&texts.linked);
	pv_buf_finish(&texts.found);
}

/* A symbolic link of the same name, which somebody else has made. */
static void test_not_ours(struct mirror_scene *scene)
{
	char other[512];
	char led[64] = "";
	struct texts texts;
	pv_buf_init(&texts.old, 4096);
	pv_buf_init(&texts.linked, 4096);
	lay_out(scene, &texts);
	snprintf(other, sizeof(other), "%s",
	    scratch_file(&scene->scratch, stub_of(1)));
	ok(symlink("elsewhere", other) == 0, "what has the name of a stub");
	struct run run = relink(scene);
	ok(readlink(other, led, sizeof(led)) == (ssize_t)strlen("elsewhere"),
	    "stays if it is not ours");
	ok(run.is_run && !run.result.failed && !run.result.is_cut,
	    "and is no failure");
	unlink(other);
	pv_buf_finish(&texts.old);
	pv_buf_finish(&texts.linked);
}

static void is_file(struct mirror_scene *scene, const char *name,
    const char *wanted, const char *claim)
{
	struct pv_buf text;
	pv_buf_init(&text, 4096);
	pv_file_read(scratch_file(&scene->scratch, name), &text);
	is_text(pv_buf_str(&text), wanted, "%s", claim);
	pv_buf_finish(&text);
}

/* An address whose file has got another name, and one that was gone and is back:
 * what is left of them is on its way out, and may lead to what is as well. */
static void test_left(void)
{
	struct mirror_scene scene;
	if (!mirror_scene_open(&scene))
		return;
	mkdir(scratch_file(&scene.scratch, "gone"), 0777);
	for (int i = 1; i <= 3; i++) {
		char url[64];
		snprintf(url, sizeof(url), "http://localhost/%d", i);
		mirror_add(
		    &scene, (struct mirror_address){.id = i, .url = url});
	}
	mirror_keep(&scene,
	    (struct mirror_copy){.id = 1, .name = "1.pdf", .came = "%PDF"});
	mirror_keep(&scene, (struct mirror_copy){.id = 2,
				.name = "2.html",
				.came = "<p>",
				.kept = "<a href=3.html>"});
	mirror_keep(&scene,
	    (struct mirror_copy){.id = 3, .name = "3.html", .came = "<p>"});
	mirror_write(&scene, "site/1.html", "<a href=3.html#x>");
	mirror_write(&scene, "gone/2.html", "<a href=../site/3.html>");
	pv_database_run(scene.database,
	    "INSERT INTO left_files(file, address) VALUES('site/1.html', 1)");
	pv_database_run(scene.database,
	    "INSERT INTO gone_files(file, address) VALUES('gone/2.html', 2)");
	pv_database_close(scene.database);
	scene.database = NULL;
	struct run run = relink(&scene);
	ok(run.is_run && run.result.documents == 4 && run.result.changed == 2,
	    "what is left of documents is linked as well");
	is_file(&scene, "site/1.html", "<a href=http://localhost/3#x>",
	    "to whole addresses, where its name is another");
	is_file(&scene, "gone/2.html", "<a href=http://localhost/3>",
	    "and where it is back in its place");
	is_file(&scene, "site/2.html", "<a href=3.html>",
	    "what is in that place leads to files");
	mirror_scene_close(&scene);
}

/* Addresses that differ in credentials alone share a file, which is nobody's to
 * leave as long as one of them has it. */
static void test_left_by_one(void)
{
	struct mirror_scene scene;
	if (!mirror_scene_open(&scene))
		return;
	mkdir(scratch_file(&scene.scratch, "gone"), 0777);
	const char *urls[] = {"http://a:b@localhost/1",
	    "http://c:d@localhost/1", "http://a:b@localhost/2",
	    "http://c:d@localhost/2", "http://localhost/3"};
	for (int i = 0; i < 5; i++)
		mirror_add(&scene,
		    (struct mirror_address){.id = i + 1, .url = urls[i]});
	mirror_keep(&scene,
	    (struct mirror_copy){.id = 1, .name = "1.pdf", .came = "%PDF"});
	mirror_keep(&scene, (struct mirror_copy){.id = 2,
				.name = "1.html",
				.came = "<p>",
				.kept = "<a href=3.html>"});
	mirror_keep(&scene,
	    (struct mirror_copy){.id = 3, .name = "2.html", .came = "<p>"});
	mirror_keep(&scene,
	    (struct mirror_copy){
		.id = 4, .name = "2.html", .came = "<p>", .is_gone = true});
	mirror_keep(&scene,
	    (struct mirror_copy){.id = 5, .name = "3.html", .came = "<p>"});
	mirror_write(&scene, "gone/2.html", "<a href=../site/3.html>");
	pv_database_run(scene.database,
	    "INSERT INTO left_files(file, address) VALUES('site/1.html', 1)");
	pv_database_run(scene.database,
	    "UPDATE copies SET file = 'gone/2.html' WHERE address = 4");
	pv_database_run(scene.database,
	    "INSERT INTO gone_files(file, address) VALUES('gone/2.html', 3), "
	    "('gone/2.html', 4)");
	pv_database_close(scene.database);
	scene.database = NULL;
	struct run run = relink(&scene);
	ok(run.is_run && run.result.documents == 4 && run.result.changed == 0,
	    "a file that two addresses share is linked as that of the one "
	    "that has it (%d, %d)",
	    (int)run.result.documents, (int)run.result.changed);
	is_file(&scene, "site/1.html", "<a href=3.html>", "in site/");
	is_file(&scene, "gone/2.html", "<a href=../site/3.html>", "in gone/");
	mirror_scene_close(&scene);
}

int main(void)
{
	struct mirror_scene scene;
	test_left();
	test_left_by_one();
	if (!mirror_scene_open(&scene))
		return 99;
	fill(&scene);
	test_whole(&scene);
	test_not_ours(&scene);
	test_failures(&scene, "pread", false);
	test_failures(&scene, "pread", true);
	test_failures(&scene, "fstatat", false);
	test_failures(&scene, "fstatat", true);
	test_failures(&scene, "openat", false);
	mirror_scene_close(&scene);
	return tap_done();
}
