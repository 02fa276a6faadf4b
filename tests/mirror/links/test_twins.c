#include "mirror/links/twins.h"

#include <fcntl.h>
#include <unistd.h>

#include "mirror/scene.h"

/* Which pages come to share the file of their directory. */

static const struct {
	const char *claim;
	const char *url;  /* of the page that has the index's name */
	const char *name; /* of its file */
	const char *came; /* the directory has "<p>same" */
	const char *file; /* that it has then */
	const char *left; /* what it had; NULL: nothing is left */
	bool is_gone;     /* the page */
	bool is_read_anew;
} cases[] = {
    {"the same bytes: one file is enough", "http://a.test/index.html",
	"a/index^^.html", "<p>same", "site/a/index.html", "site/a/index^^.html",
	false, false},
    {"other bytes: it keeps its own", "http://a.test/index.html",
	"a/index^^.html", "<p>other", "site/a/index^^.html", NULL, false,
	false},
    {"it shares the file already", "http://a.test/index.html", "a/index.html",
	"<p>same", "site/a/index.html", NULL, false, false},
    {"the directory has changed since, and it is said not to have",
	"http://a.test/index.html", "a/index.html", "<p>old",
	"site/a/index.html", NULL, false, true},
    {"what is gone stays where it is", "http://a.test/index.html",
	"a/index^^.html", "<p>same", "site/a/index^^.html", NULL, true, false},
    {"an index whose directory is not known has its name",
	"http://a.test/b/index.html", "a/b/index^^.html", "<p>b",
	"site/a/b/index.html", "site/a/b/index^^.html", false, false},
    {"whatever it ends in", "http://a.test/index.xml", "a/index^^.xml",
	"<p>same", "site/a/index.xml", "site/a/index^^.xml", false, false},
    {"unless something else is there", "http://a.test/c/index.html",
	"a/c/index^^.html", "<p>c", "site/a/c/index^^.html", NULL, false,
	false},
    {"a page that is only called so stays", "http://a.test/index^^.html",
	"a/index^5E^5E.html", "<p>same", "site/a/index^5E^5E.html", NULL, false,
	false},
};

static void is_stored(struct mirror_scene *scene, const char *sql,
    const char *wanted, const char *claim)
{
	struct pv_statement *row = pv_statement_create(scene->database, sql);
	bool is_there = pv_statement_step(row);
	is_text(is_there ? pv_statement_text(row, 0) : PV_STR("nothing"),
	    wanted ? wanted : "nothing", "%s", claim);
	pv_statement_destroy(row);
}

static void add(struct mirror_scene *scene, int64_t id, const char *url,
    struct mirror_copy copy)
{
	copy.id = id;
	mirror_add(scene, (struct mirror_address){.id = id, .url = url});
	mirror_keep(scene, copy);
}

static void open_scene(struct mirror_scene *scene)
{
	if (!mirror_scene_open(scene))
		ok(false, "a mirror is made");
	mkdir(scratch_file(&scene->scratch, "site/a"), 0777);
	mkdir(scratch_file(&scene->scratch, "site/a/b"), 0777);
	mkdir(scratch_file(&scene->scratch, "site/a/c"), 0777);
	mirror_write(scene, "site/a/c/index.html", "of somebody");
	add(scene, 1, "http://a.test/",
	    (struct mirror_copy){.name = "a/index.html", .came = "<p>same"});
}

static bool join(struct mirror_scene *scene)
{
	struct pv_why why;
	pv_why_init(&why);
	int root = open(scene->scratch.path, O_PATH | O_DIRECTORY);
	bool is_done = pv_twins_join(scene->scratch.path, root, &why);
	close(root);
	pv_why_finish(&why);
	return is_done;
}

static void test_cases(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct mirror_scene scene;
		open_scene(&scene);
		add(&scene, 2, cases[i].url,
		    (struct mirror_copy){.name = cases[i].name,
			.came = cases[i].came,
			.is_gone = cases[i].is_gone});
		ok(join(&scene), "%s", cases[i].claim);
		is_stored(&scene, "SELECT file FROM copies WHERE address = 2",
		    cases[i].file, "so that is its file");
		is_stored(&scene, "SELECT file FROM left_files", cases[i].left,
		    "and what it had goes, once nothing leads there");
		ok(pv_database_number(scene.database,
		       "SELECT must_be_read FROM copies WHERE address = 2") ==
			cases[i].is_read_anew,
		    "it is %s",
		    cases[i].is_read_anew ? "asked for whole"
					  : "asked for as ever");
		mirror_scene_close(&scene);
	}
}

/* The page was fetched again, and got a file of its own: what it shared is
 * noted as left by it, and is the directory's still. */
static void test_shared_before(void)
{
	struct mirror_scene scene;
	open_scene(&scene);
	add(&scene, 2, "http://a.test/index.html",
	    (struct mirror_copy){.name = "a/index^^.html", .came = "<p>new"});
	pv_database_run(scene.database,
	    "INSERT INTO left_files VALUES('site/a/index.html', 2)");
	ok(join(&scene), "a file that another address has");
	is_stored(&scene, "SELECT file FROM left_files", NULL,
	    "P3: is not left, whoever leaves it");
	mirror_scene_close(&scene);
}

/* The directory came later and is another page: the sink has kept the index
 * under its own name. */
static void test_taken_back(void)
{
	struct mirror_scene scene;
	open_scene(&scene);
	add(&scene, 2, "http://a.test/index.html",
	    (struct mirror_copy){
		.name = "a/index.html", .came = "<p>old", .kept = "<p>same"});
	mirror_write(&scene, "site/a/index^^.html", "<p>old");
	pv_database_run(scene.database,
	    "INSERT INTO left_files VALUES('site/a/index^^.html', 2)");
	ok(join(&scene), "an index whose place was taken");
	is_stored(&scene, "SELECT file FROM copies WHERE address = 2",
	    "site/a/index^^.html", "P3: has its own file again");
	is_stored(
	    &scene, "SELECT file FROM left_files", NULL, "which does not go");
	ok(!pv_database_number(scene.database,
	       "SELECT must_be_read FROM copies WHERE address = 2"),
	    "and need not be asked for whole");
	mirror_scene_close(&scene);
}

#define MANY 2500

static void test_many(void)
{
	struct mirror_scene scene;
	char url[64], name[64];
	open_scene(&scene);
	pv_database_begin(scene.database);
	for (int i = 0; i < MANY; i++) {
		snprintf(url, sizeof(url), "http://a.test/%d/", i);
		snprintf(name, sizeof(name), "%d/index.html", i);
		add(&scene, 10 + 2 * i, url,
		    (struct mirror_copy){
			.name = name, .came = "x", .kept = ""});
		snprintf(url, sizeof(url), "http://a.test/%d/index.html", i);
		snprintf(name, sizeof(name), "%d/index^^.html", i);
		add(&scene, 11 + 2 * i, url,
		    (struct mirror_copy){
			.name = name, .came = "x", .kept = ""});
	}
	pv_database_commit(scene.database);
	ok(join(&scene) && pv_database_number(scene.database,
			       "SELECT count(*) FROM copies WHERE file GLOB "
			       "'*^^*'") == 0,
	    "more than one step of them");
	mirror_scene_close(&scene);
}

static void test_no_state(void)
{
	struct pv_why why;
	pv_why_init(&why);
	ok(!pv_twins_join("nowhere", -1, &why) && pv_why_has_problems(&why),
	    "P4: without a state there is a reason");
	pv_why_finish(&why);
}

int main(void)
{
	test_cases();
	test_shared_before();
	test_taken_back();
	test_many();
	test_no_state();
	return tap_done();
}
