#include "crawl/rows/new_rows.h"

#include <ftw.h>
#include <sys/stat.h>

#include "base/file.h"
#include "store/scratch_store.h"
#include "tap.h"

/* Whatever ends the process, the next start finds the old rows or puts the new
 * ones in their place. */
struct scene {
	struct scratch scratch;
	struct pv_store *store;
	struct pv_why why;
};

static void write_file(struct scene *scene, const char *name, const char *text)
{
	pv_file_replace(
	    scratch_file(&scene->scratch, name), pv_str_of(text), 0666);
}

static void make(struct scene *scene, const char *name)
{
	mkdir(scratch_file(&scene->scratch, name), 0777);
}

static void begin(struct scene *scene, bool has_old)
{
	scratch_make(&scene->scratch);
	pv_why_init(&scene->why);
	scene->store = scratch_store_open(&scene->scratch);
	if (has_old) {
		make(scene, "fields");
		write_file(scene, "fields/rows", "old");
	}
	ok(pv_new_rows_make(scene->scratch.path, &scene->why),
	    "new rows are begun");
	make(scene, "fields.new/fields");
	write_file(scene, "fields.new/fields/rows", "new");
}

static int remove_one(
    const char *path, const struct stat *facts, int type, struct FTW *at)
{
	(void)facts;
	(void)type;
	(void)at;
	return remove(path);
}

static void finish(struct scene *scene)
{
	pv_store_close(scene->store);
	pv_why_finish(&scene->why);
	nftw(scene->scratch.path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static void promise(struct scene *scene, bool is_committed)
{
	pv_database_begin(scene->store->database);
	ok(pv_new_rows_promise(
	       scene->scratch.path, scene->store->database, &scene->why),
	    "and promised");
	if (is_committed)
		pv_database_commit(scene->store->database);
	else
		pv_database_roll_back(scene->store->database);
}

static void settle(struct scene *scene, const char *wanted, const char *claim)
{
	struct pv_buf text;
	pv_buf_init(&text, 100);
	for (int i = 0; i < 2; i++) {
		ok(pv_new_rows_settle(scene->scratch.path,
		       scene->store->database, &scene->why),
		    "%s", i ? "once more" : "that is settled");
		pv_buf_clear(&text);
		pv_file_read(
		    scratch_file(&scene->scratch, "fields/rows"), &text);
		is_text(pv_buf_str(&text), wanted, "%s", claim);
	}
	ok(access(scratch_file(&scene->scratch, "fields.new"), F_OK) != 0 &&
		access(scratch_file(&scene->scratch, "fields/.new"), F_OK) != 0,
	    "and nothing else is left");
	pv_buf_finish(&text);
}

static void move(struct scene *scene, const char *from, const char *to)
{
	char path[512];
	snprintf(path, sizeof(path), "%s", scratch_file(&scene->scratch, from));
	rename(path, scratch_file(&scene->scratch, to));
}

static void test_unpromised(void)
{
	struct scene scene;
	begin(&scene, true);
	settle(&scene, "old", "P3: what was not promised goes");
	finish(&scene);
	begin(&scene, true);
	promise(&scene, false);
	settle(&scene, "old", "P3: and what was not committed");
	finish(&scene);
}

static void test_promised(void)
{
	struct scene scene;
	begin(&scene, true);
	promise(&scene, true);
	settle(&scene, "new", "P3: what was promised takes the place");
	finish(&scene);
	begin(&scene, false);
	promise(&scene, true);
	settle(&scene, "new", "P3: also where there was nothing");
	finish(&scene);
}

/* Killed in between. */
static void test_half_done(void)
{
	struct scene scene;
	begin(&scene, true);
	promise(&scene, true);
	move(&scene, "fields", "fields.new/aside");
	move(&scene, "fields.new/fields", "fields");
	move(&scene, "fields.new/aside", "fields.new/fields");
	settle(&scene, "new", "P3: what took the place already stays");
	finish(&scene);
	begin(&scene, true);
	promise(&scene, true);
	move(&scene, "fields", "fields.new/old");
	settle(&scene, "new", "P3: what was about to take it does");
	finish(&scene);
}

int main(void)
{
	test_unpromised();
	test_promised();
	test_half_done();
	return tap_done();
}
