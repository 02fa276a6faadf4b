#include "store/rows_database.h"

#include "descriptors.h"
#include "scratch.h"
#include "tap.h"

static const struct pv_rows_column columns[] = {
    {"_url", PV_ROWS_TEXT},
    {"or\"der", PV_ROWS_ANY},
    {"price", PV_ROWS_REAL},
};
static const struct pv_rows_table tables[] = {
    {"a", NULL, columns, 3},
    {"a", "part", columns, 1},
    {"b", NULL, columns, 1},
};

struct scene {
	struct scratch scratch;
	struct pv_rows_database *rows;
	struct pv_why why;
	struct pv_buf said;
};

static void begin(struct scene *scene)
{
	*scene = (struct scene){.rows = NULL};
	scratch_make(&scene->scratch);
	pv_why_init(&scene->why);
	pv_buf_init(&scene->said, 10000);
}

static const char *path_of(struct scene *scene)
{
	return scratch_file(&scene->scratch, "rows.db");
}

static bool open_at(struct scene *scene, int64_t number)
{
	scene->rows =
	    pv_rows_database_open(path_of(scene), tables, 3, &scene->why);
	return scene->rows &&
	       pv_rows_database_recover(scene->rows, number, &scene->why);
}

static void close_rows(struct scene *scene)
{
	pv_rows_database_close(scene->rows);
	scene->rows = NULL;
}

static void end(struct scene *scene)
{
	close_rows(scene);
	pv_why_finish(&scene->why);
	pv_buf_finish(&scene->said);
	scratch_remove(&scene->scratch);
}

static const char *problem(struct scene *scene)
{
	pv_buf_clear(&scene->said);
	if (scene->why.problems.kept_count)
		pv_problem_write(&scene->why.problems.kept[0], &scene->said);
	return pv_buf_text(&scene->said);
}

static int64_t ask(struct scene *scene, const char *sql)
{
	struct pv_database *database = pv_database_look(path_of(scene));
	int64_t number = pv_database_number(database, sql);
	if (pv_database_status(database) != PV_STORE_OK)
		number = -1;
	pv_database_close(database);
	return number;
}

static void add(struct scene *scene, uint64_t page, const char *url)
{
	pv_rows_database_begin_row(scene->rows, 0, page);
	pv_rows_database_bind_text(scene->rows, pv_str_of(url));
	pv_rows_database_bind_number(scene->rows, 5);
	pv_rows_database_bind_null(scene->rows);
	pv_rows_database_add_row(scene->rows);
}

static void test_rows(void)
{
	struct scene scene;
	begin(&scene);
	ok(open_at(&scene, 0) && pv_rows_database_commit(scene.rows) == 0,
	    "a new file has no commit");
	add(&scene, 1, "one");
	add(&scene, 1, "two");
	ok(ask(&scene, "SELECT count(*) FROM a") == 0,
	    "rows are there when they are committed");
	ok(pv_rows_database_commit(scene.rows) == 1 &&
		ask(&scene, "SELECT count(*) FROM a WHERE \"or\"\"der\" = 5 "
			    "AND price IS NULL") == 2,
	    "by a commit, which has a number");
	ok(pv_rows_database_commit(scene.rows) == 1,
	    "where there is nothing to commit it stays");
	pv_rows_database_begin_row(scene.rows, 1, 1);
	pv_rows_database_bind_text(scene.rows, PV_STR("within"));
	pv_rows_database_add_row(scene.rows);
	pv_rows_database_end_page(scene.rows, 0, 1);
	add(&scene, 2, "three");
	ok(pv_rows_database_commit(scene.rows) == 2 &&
		ask(&scene, "SELECT count(*) FROM a WHERE _url = 'three'") ==
		    1 &&
		ask(&scene, "SELECT count(*) FROM a") == 1 &&
		ask(&scene, "SELECT count(*) FROM a_part") == 1,
	    "rows of a page end, others begin");
	ok(ask(&scene, "SELECT count(*) FROM \"rows.a\"") == 3,
	    "those that have ended are hidden");
	end(&scene);
}

/* Each state that a kill may leave, from the number that the state has. */
static void test_recover(void)
{
	static const struct {
		int64_t number;
		int64_t rows; /* of now */
		int64_t all;
		const char *what;
	} cases[] = {
	    {2, 1, 1, "P3: the last commit stays as it is"},
	    {1, 2, 2, "P3: what lies beyond is taken back"},
	    {0, 0, 0, "P3: all of it, if need be"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scene scene;
		begin(&scene);
		open_at(&scene, 0);
		add(&scene, 1, "one");
		add(&scene, 1, "two");
		pv_rows_database_commit(scene.rows);
		pv_rows_database_end_page(scene.rows, 0, 1);
		add(&scene, 2, "three");
		pv_rows_database_commit(scene.rows);
		add(&scene, 3, "never committed");
		close_rows(&scene);
		ok(open_at(&scene, cases[i].number) &&
			ask(&scene, "SELECT count(*) FROM a") ==
			    cases[i].rows &&
			ask(&scene, "SELECT count(*) FROM \"rows.a\"") ==
			    cases[i].all,
		    "%s", cases[i].what);
		add(&scene, 4, "four");
		ok(pv_rows_database_commit(scene.rows) == cases[i].number + 1,
		    "and the next commit follows it");
		close_rows(&scene);
		ok(open_at(&scene, cases[i].number + 1) &&
			ask(&scene, "SELECT count(*) FROM a") ==
			    cases[i].rows + 1,
		    "as the state will know it");
		end(&scene);
	}
}

static void run(struct scene *scene, const char *sql)
{
	struct pv_database *database = pv_database_open(path_of(scene));
	pv_database_run(database, sql);
	pv_database_close(database);
}

static void test_refused(void)
{
	static const struct {
		const char *sql;
		int64_t number;
		const char *says;
	} cases[] = {
	    {"CREATE TABLE x(y)", 0, "is the database of another program"},
	    {"PRAGMA application_id=1", 0, "of another program"},
	    {"PRAGMA application_id=1349931631; PRAGMA user_version=99", 0,
		"by another version of pavane"},
	    {"SELECT 1", 3, "does not have all rows that were written"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct scene scene;
		begin(&scene);
		run(&scene, cases[i].sql);
		ok(!open_at(&scene, cases[i].number) &&
			strstr(problem(&scene), cases[i].says),
		    "P4: it says that it %s", cases[i].says);
		end(&scene);
	}
	struct scene scene;
	begin(&scene);
	ok(symlink("/dev/null", path_of(&scene)) == 0 && !open_at(&scene, 0) &&
		strstr(problem(&scene), "symbolic link"),
	    "P2: a symbolic link is not followed");
	end(&scene);
}

int main(void)
{
	unsigned descriptors = descriptors_count();
	test_rows();
	test_recover();
	test_refused();
	descriptors_claim(descriptors);
	return tap_done();
}
