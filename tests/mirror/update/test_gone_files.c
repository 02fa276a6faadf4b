#include "mirror/update/gone_files.h"

#include "failing.h"
#include "mirror/gone_scene.h"
#include "policy/policy.h"
#include "store/scratch_store.h"
#include "store/statement.h"
#include "store/wal.h"

#define TEXT "text"

struct scene {
	struct scratch scratch;
	struct pv_store *store;
	struct pv_database *database;
	struct pv_output output;
	struct pv_gone_figures figures; /* of what was done last */
	int next;                       /* address */
};

static void begin(struct scene *scene)
{
	*scene = (struct scene){.next = 1};
	scratch_make(&scene->scratch);
	scene->store = scratch_store_open(&scene->scratch);
	scene->database = scene->store->database;
	scene->output.mirror.shrink_alarm = PV_NONE;
	pv_database_run(scene->database, "PRAGMA synchronous = OFF");
	pv_database_run(scene->database,
	    "INSERT INTO rounds(number, began_wall_ms, is_listing, "
	    "last_address, before_wall_ms, takes_failed, due, gone) "
	    "VALUES(2, 0, 0, 0, 0, 0, 0, 1)");
}

static void end(struct scene *scene)
{
	pv_store_close(scene->store);
	tree_remove(&scene->scratch, ".");
	rmdir(scene->scratch.path);
}

static int64_t number(struct scene *scene, const char *sql)
{
	return pv_database_number(scene->database, sql);
}

/* So many copies with files of their own, "site/a.example/1.html" the first. */
static void add(struct scene *scene, int count, bool are_gone)
{
	pv_database_begin(scene->database);
	for (int i = 0; i < count; i++) {
		char name[64];
		char sql[256];
		snprintf(sql, sizeof(sql),
		    "INSERT INTO copies(address, round, fetched_wall_ms, "
		    "checked_wall_ms, modified_ms, is_gone, file) VALUES(%d, "
		    "1, 0, 0, 0, %d, 'site/a.example/%d.html')",
		    scene->next, are_gone, scene->next);
		pv_database_run(scene->database, sql);
		snprintf(name, sizeof(name), "site/a.example/%d.html",
		    scene->next++);
		tree_write(&scene->scratch, name, TEXT);
	}
	pv_database_commit(scene->database);
}

static bool is_at(struct scene *scene, const char *name)
{
	return tree_holds(&scene->scratch, name, TEXT);
}

/* Whether the state says of an address that its file is that; NULL: none. */
static bool is_said(struct scene *scene, int address, const char *file)
{
	struct pv_statement *statement = pv_statement_create(
	    scene->database, "SELECT file FROM copies WHERE address = ?1");
	pv_statement_bind(statement, 1, address);
	bool is_right = pv_statement_step(statement) &&
			pv_str_equal(pv_statement_text(statement, 0),
			    pv_str_of(file ? file : ""));
	pv_statement_destroy(statement);
	return is_right;
}

/* As a crawl does at its end; `steps` is after how many it is killed, with the
 * last not committed; -1: it is not. */
static void go(struct scene *scene, int steps)
{
	struct pv_gone_files *gone =
	    pv_gone_files_create(scene->scratch.path, &scene->output);
	pv_writer_begin(&scene->store->writer);
	bool has_more = pv_gone_files_decide(gone, &scene->store->writer);
	pv_writer_commit(&scene->store->writer);
	for (int i = 0; has_more && i != steps; i++) {
		pv_database_begin(scene->database);
		has_more = pv_gone_files_step(gone, scene->database);
		if (i + 1 == steps)
			pv_database_roll_back(scene->database);
		else
			pv_database_commit(scene->database);
	}
	scene->figures = *pv_gone_files_figures(gone);
	pv_gone_files_destroy(gone);
}

/* Choices */

static void test_moving(void)
{
	struct scene scene;
	begin(&scene);
	add(&scene, 2, true);
	add(&scene, 2, false);
	go(&scene, -1);
	ok(scene.figures.moved == 2 && is_at(&scene, "gone/a.example/1.html") &&
		is_at(&scene, "gone/a.example/2.html") &&
		!tree_has(&scene.scratch, "site/a.example/1.html"),
	    "files of pages that are gone are moved");
	ok(is_at(&scene, "site/a.example/3.html") &&
		is_said(&scene, 3, "site/a.example/3.html"),
	    "others are not");
	ok(is_said(&scene, 1, "gone/a.example/1.html") &&
		number(&scene, "SELECT count(*) FROM gone_files") == 2,
	    "the state says where they are");
	go(&scene, -1);
	ok(scene.figures.going == 0 && scene.figures.moved == 0 &&
		scene.figures.failed == 0,
	    "once they are moved there is nothing to do");
	end(&scene);
}

static void test_keeping(void)
{
	struct scene scene;
	begin(&scene);
	scene.output.mirror.gone = PV_GONE_KEEP;
	add(&scene, 2, true);
	go(&scene, -1);
	ok(scene.figures.going == 0 && is_at(&scene, "site/a.example/1.html") &&
		is_said(&scene, 1, "site/a.example/1.html"),
	    "they stay where a policy says so");
	scene.output.mirror.gone = PV_GONE_MOVE;
	go(&scene, -1);
	ok(scene.figures.moved == 2 && is_at(&scene, "gone/a.example/1.html"),
	    "until one says otherwise");
	end(&scene);
}

static void test_deleting(void)
{
	struct scene scene;
	begin(&scene);
	scene.output.mirror.gone = PV_GONE_DELETE;
	add(&scene, 2, true);
	add(&scene, 1, false);
	tree_write(&scene.scratch, "gone/a.example/2.html", "older");
	go(&scene, -1);
	ok(scene.figures.deleted == 2 && scene.figures.moved == 0 &&
		!tree_has(&scene.scratch, "site/a.example/1.html") &&
		!tree_has(&scene.scratch, "gone/a.example/1.html"),
	    "they are deleted where a policy says so");
	ok(is_said(&scene, 1, NULL) && is_said(&scene, 2, NULL) &&
		number(&scene, "SELECT count(*) FROM gone_files") == 2,
	    "and the state says that they are nowhere, and were somewhere");
	ok(is_at(&scene, "site/a.example/3.html") &&
		tree_holds(&scene.scratch, "gone/a.example/2.html", "older"),
	    "no other file is");
	end(&scene);
}

static void test_nothing_gone(void)
{
	struct scene scene;
	begin(&scene);
	pv_database_run(scene.database, "UPDATE rounds SET gone = 0");
	add(&scene, 1, true);
	go(&scene, -1);
	ok(scene.figures.files == 0,
	    "a crawl in which nothing was ever gone is not looked through");
	end(&scene);
}

/* The alarm */

static const struct {
	int there;
	int gone;
	int64_t alarm;
	bool is_alarm;
} shares[] = {
    {80, 20, 20, false},
    {79, 21, 20, true},
    {79, 21, 21, false},
    {79, 21, PV_NONE, false},
    {1, 4, 20, true},
    {8, 2, 20, false},
    {7, 2, 20, true},
    {1, 1, 20, false},
    {0, 4, 20, true},
    {0, 1, 20, true},
    {0, 4, 100, false},
    {0, 4, PV_NONE, false},
    {5, 5, 20, true},
    {100, 1, 0, false},
    {100, 2, 0, true},
    {3, 0, 0, false},
};

static void test_alarm(void)
{
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++) {
		struct scene scene;
		begin(&scene);
		scene.output.mirror.shrink_alarm = shares[i].alarm;
		add(&scene, shares[i].gone, true);
		add(&scene, shares[i].there, false);
		go(&scene, -1);
		const struct pv_gone_figures *figures = &scene.figures;
		bool has_moved =
		    tree_has(&scene.scratch, "gone/a.example/1.html");
		ok(figures->is_alarm == shares[i].is_alarm &&
			has_moved == (shares[i].gone && !shares[i].is_alarm) &&
			figures->going == (uint64_t)shares[i].gone &&
			figures->files ==
			    (uint64_t)(shares[i].gone + shares[i].there),
		    "of %d files and %d%%, %d raise %s alarm",
		    shares[i].gone + shares[i].there, (int)shares[i].alarm,
		    shares[i].gone, shares[i].is_alarm ? "an" : "no");
		end(&scene);
	}
}

static void test_after_alarm(void)
{
	struct scene scene;
	begin(&scene);
	scene.output.mirror.shrink_alarm = 20;
	add(&scene, 6, true);
	add(&scene, 6, false);
	go(&scene, -1);
	ok(scene.figures.is_alarm &&
		is_said(&scene, 1, "site/a.example/1.html") &&
		number(&scene, "SELECT count(*) FROM gone_files") == 0,
	    "after an alarm all is as it was");
	pv_database_run(
	    scene.database, "UPDATE copies SET is_gone = 0 WHERE address > 1");
	go(&scene, -1);
	ok(!scene.figures.is_alarm && scene.figures.moved == 1,
	    "the next time is decided anew");
	end(&scene);
}

/* What is cut short never turns into an alarm, nor into a loss. */
static void test_cut_short(void)
{
	struct scene scene;
	begin(&scene);
	scene.output.mirror.shrink_alarm = 20;
	add(&scene, 20, true);
	add(&scene, 80, false);
	go(&scene, 0);
	ok(is_at(&scene, "site/a.example/1.html") &&
		is_said(&scene, 1, "site/a.example/1.html"),
	    "P3: killed once it is decided, all is where it was");
	/* The first step is for what is back. */
	go(&scene, 2);
	ok(is_at(&scene, "gone/a.example/1.html") &&
		is_said(&scene, 1, "site/a.example/1.html"),
	    "P3: killed in the midst of moving, nothing of it is said");
	go(&scene, -1);
	ok(!scene.figures.is_alarm && scene.figures.failed == 0 &&
		is_at(&scene, "gone/a.example/1.html") &&
		is_at(&scene, "gone/a.example/20.html") &&
		is_said(&scene, 1, "gone/a.example/1.html"),
	    "P3: the next time finds what was moved");
	end(&scene);
}

/* What was heard of them last is no sure word that they are gone. */
static void test_unsure(void)
{
	struct scene scene;
	begin(&scene);
	add(&scene, 3, true);
	add(&scene, 1, false);
	pv_database_run(scene.database,
	    "UPDATE copies SET has_failed = 1 WHERE address = 1");
	go(&scene, -1);
	ok(scene.figures.going == 2 && scene.figures.moved == 2 &&
		is_at(&scene, "site/a.example/1.html") &&
		is_said(&scene, 1, "site/a.example/1.html"),
	    "a page that may be gone or not keeps its file");
	pv_database_run(
	    scene.database, "UPDATE copies SET has_failed = 0, is_gone = 1");
	scene.output.mirror.shrink_alarm = 20;
	go(&scene, 0);
	ok(scene.figures.is_alarm, "all that is left is not to go at once");
	scene.output.mirror.shrink_alarm = PV_NONE;
	go(&scene, 2);
	ok(is_at(&scene, "gone/a.example/4.html") &&
		is_said(&scene, 4, "site/a.example/4.html"),
	    "where it goes and nobody lives to tell");
	scene.output.mirror.gone = PV_GONE_KEEP;
	go(&scene, -1);
	ok(scene.figures.moved == 0 &&
		is_said(&scene, 4, "gone/a.example/4.html") &&
		is_said(&scene, 1, "gone/a.example/1.html"),
	    "P3: it is found, though nothing is to go by then");
	end(&scene);
}

static void test_many(void)
{
	struct scene scene;
	begin(&scene);
	add(&scene, 1234, true);
	add(&scene, 1, false);
	go(&scene, 3);
	go(&scene, -1);
	ok(number(&scene, "SELECT count(*) FROM copies WHERE file LIKE "
			  "'gone/%'") == 1234 &&
		is_at(&scene, "gone/a.example/1234.html") &&
		is_at(&scene, "site/a.example/1235.html"),
	    "as many as there are, some at a time");
	end(&scene);
}

/* Pages that are back */

static void test_back(void)
{
	struct scene scene;
	begin(&scene);
	add(&scene, 2, true);
	add(&scene, 1, false);
	go(&scene, -1);
	pv_database_run(scene.database,
	    "UPDATE copies SET is_gone = 0, file = 'site/a.example/1.html' "
	    "WHERE address = 1");
	go(&scene, -1);
	ok(is_at(&scene, "gone/a.example/1.html"),
	    "P3: a page that is said to be back and is not has its file");
	tree_write(&scene.scratch, "site/a.example/1.html", "new");
	go(&scene, -1);
	ok(tree_holds(&scene.scratch, "site/a.example/1.html", "new") &&
		!tree_has(&scene.scratch, "gone/a.example/1.html"),
	    "what was kept of a page that is back goes");
	ok(is_at(&scene, "gone/a.example/2.html") &&
		is_said(&scene, 1, "site/a.example/1.html") &&
		number(&scene, "SELECT count(*) FROM gone_files") == 1,
	    "and nothing else");
	pv_database_run(
	    scene.database, "UPDATE copies SET is_gone = 1 WHERE address = 1");
	go(&scene, -1);
	ok(tree_holds(&scene.scratch, "gone/a.example/1.html", "new") &&
		is_said(&scene, 1, "gone/a.example/1.html"),
	    "it may be gone again");
	pv_database_run(scene.database,
	    "UPDATE copies SET is_gone = 0, file = NULL WHERE address = 1");
	go(&scene, -1);
	ok(tree_holds(&scene.scratch, "gone/a.example/1.html", "new"),
	    "of a page that is back and in no file it stays");
	end(&scene);
}

/* Addresses that differ in their credentials alone have one file. */
static void test_shared(void)
{
	struct scene scene;
	begin(&scene);
	add(&scene, 1, true);
	add(&scene, 2, false);
	pv_database_run(scene.database,
	    "UPDATE copies SET file = 'site/a.example/1.html' WHERE address = "
	    "2");
	go(&scene, -1);
	ok(scene.figures.moved == 0 && is_at(&scene, "site/a.example/1.html"),
	    "a file stays that is another page's, too");
	pv_database_run(
	    scene.database, "UPDATE copies SET is_gone = 1 WHERE address = 2");
	go(&scene, -1);
	ok(is_at(&scene, "gone/a.example/1.html") &&
		is_said(&scene, 1, "gone/a.example/1.html") &&
		is_said(&scene, 2, "gone/a.example/1.html"),
	    "until that is gone as well");
	tree_write(&scene.scratch, "site/a.example/1.html", "new");
	pv_database_run(scene.database,
	    "UPDATE copies SET is_gone = 0, file = 'site/a.example/1.html' "
	    "WHERE address = 2");
	go(&scene, -1);
	ok(is_at(&scene, "gone/a.example/1.html"),
	    "what is kept of one is not removed for the other");
	end(&scene);
}

static void test_nowhere(void)
{
	struct scene scene;
	begin(&scene);
	add(&scene, 1, true);
	add(&scene, 1, false);
	unlink(scratch_file(&scene.scratch, "site/a.example/1.html"));
	go(&scene, -1);
	ok(scene.figures.failed == 0 && scene.figures.moved == 0 &&
		is_said(&scene, 1, NULL),
	    "what somebody has removed is said to be nowhere");
	end(&scene);
}

/* The disk in the way */

static void test_faults(void)
{
	static const struct {
		const char *call;
		int error;
	} calls[] = {{"renameat", EXDEV}, {"renameat", ENOSPC},
	    {"mkdirat", ENOSPC}, {"openat", EMFILE}, {"fdatasync", EIO}};
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		struct scene scene;
		begin(&scene);
		add(&scene, 2, true);
		add(&scene, 1, false);
		fail_always(calls[i].call, calls[i].error);
		go(&scene, -1);
		fail_nothing();
		ok(scene.figures.failed &&
			strstr(scene.figures.fault, strerror(calls[i].error)) &&
			strstr(scene.figures.fault, "a.example/1.html") &&
			is_said(&scene, 1, "site/a.example/1.html"),
		    "%s: %s is told, and what is not sure is not said",
		    calls[i].call, strerror(calls[i].error));
		go(&scene, -1);
		ok(scene.figures.failed == 0 &&
			is_at(&scene, "gone/a.example/1.html") &&
			is_at(&scene, "gone/a.example/2.html") &&
			is_said(&scene, 2, "gone/a.example/2.html"),
		    "and is done the next time");
		end(&scene);
	}
}

static void test_one_fault(void)
{
	struct scene scene;
	begin(&scene);
	add(&scene, 3, true);
	add(&scene, 1, false);
	unlink(scratch_file(&scene.scratch, "site/a.example/2.html"));
	tree_link(&scene.scratch, "4.html", "site/a.example/2.html");
	go(&scene, -1);
	ok(scene.figures.moved == 2 && scene.figures.failed == 1 &&
		strstr(scene.figures.fault, "symbolic link") &&
		tree_has(&scene.scratch, "site/a.example/2.html") &&
		is_said(&scene, 2, "site/a.example/2.html") &&
		is_at(&scene, "gone/a.example/3.html"),
	    "what cannot be moved keeps nothing else: %s", scene.figures.fault);
	end(&scene);
}

/* Very many, under long names: 79 MiB at once. Rows have cost next to nothing
 * lately. */
#define MANY 60000
#define LOG_MAX ((off_t)64 << 20)

static off_t log_length(const struct scene *scene)
{
	struct stat facts = {.st_size = 0};
	stat(scratch_file(&scene->scratch, "state.db-wal"), &facts);
	return facts.st_size;
}

static void fill(struct scene *scene, const char *insert)
{
	pv_database_run(scene->database, insert);
	pv_wal_fold_all(scene->database, -1);
	pv_database_run(scene->database, "UPDATE rounds SET gone = 2");
	for (int i = 0; i < 1000; i++)
		pv_wal_note_rows(scene->database, 100000);
}

#define NUMBERS                                                           \
	"WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < " \
	"60000) "

static void test_very_many(void)
{
	struct scene scene;
	begin(&scene);
	fill(&scene, NUMBERS "INSERT INTO copies(address, round, "
			     "fetched_wall_ms, checked_wall_ms, modified_ms, "
			     "is_gone, file) SELECT i, 1, 0, 0, 0, 1, 'site/' "
			     "|| i || printf('%.*c', 1200, 'x') FROM n");
	struct pv_gone_files *gone =
	    pv_gone_files_create(scene.scratch.path, &scene.output);
	pv_writer_begin(&scene.store->writer);
	pv_gone_files_decide(gone, &scene.store->writer);
	pv_writer_commit(&scene.store->writer);
	ok(log_length(&scene) > 0 && log_length(&scene) < LOG_MAX,
	    "P5: planning that very many go keeps the log short (%lld MiB)",
	    (long long)log_length(&scene) >> 20);
	ok(number(&scene, "SELECT count(*) FROM gone_files") == MANY,
	    "and all of them are planned");
	pv_gone_files_destroy(gone);
	end(&scene);
}

static void test_left(void)
{
	struct scene scene;
	begin(&scene);
	struct scratch *scratch = &scene.scratch;
	mkdir(scratch_file(scratch, "site"), 0700);
	mkdir(scratch_file(scratch, "site/a"), 0700);
	mkdir(scratch_file(scratch, "site/a/kept"), 0700);
	close(open(
	    scratch_file(scratch, "site/a/old"), O_CREAT | O_WRONLY, 0600));
	close(open(
	    scratch_file(scratch, "site/a/shared"), O_CREAT | O_WRONLY, 0600));
	pv_database_run(scene.database,
	    "INSERT INTO left_files VALUES('site/a/old', 1), "
	    "('site/a/removed', 2), ('site/a/kept', 3), ('site/a/shared', 4)");
	pv_database_run(scene.database,
	    "INSERT INTO copies(address, round, fetched_wall_ms, "
	    "checked_wall_ms, modified_ms, file) VALUES(5, 1, 0, 0, 0, "
	    "'site/a/shared')");
	pv_left_files_remove(scene.database, scratch->path);
	ok(access(scratch_file(scratch, "site/a/shared"), F_OK) == 0,
	    "P3: what another address still has stays");
	ok(access(scratch_file(scratch, "site/a/old"), F_OK) != 0,
	    "what has another name now is removed under its old one");
	ok(access(scratch_file(scratch, "site/a/kept"), F_OK) == 0,
	    "what is no file of ours stays");
	ok(number(&scene,
	       "SELECT count(*) FROM left_files WHERE file = 'site/a/kept'") ==
		    1 &&
		number(&scene, "SELECT count(*) FROM left_files") == 1,
	    "what is gone is not tried again, whoever has removed it");
	end(&scene);
}

static void test_very_many_left(void)
{
	struct scene scene;
	begin(&scene);
	fill(&scene, NUMBERS "INSERT INTO left_files SELECT 'site/' || i || "
			     "printf('%.*c', 1200, 'x'), i FROM n");
	pv_left_files_remove(scene.database, scene.scratch.path);
	ok(log_length(&scene) > 0 && log_length(&scene) < LOG_MAX,
	    "P5: so does forgetting very many that were left (%lld MiB)",
	    (long long)log_length(&scene) >> 20);
	ok(!number(&scene, "SELECT count(*) FROM left_files"),
	    "and none of them is left");
	end(&scene);
}

int main(void)
{
	test_moving();
	test_keeping();
	test_deleting();
	test_nothing_gone();
	test_alarm();
	test_after_alarm();
	test_cut_short();
	test_unsure();
	test_many();
	test_back();
	test_shared();
	test_nowhere();
	test_faults();
	test_one_fault();
	test_very_many();
	test_left();
	test_very_many_left();
	return tap_done();
}
