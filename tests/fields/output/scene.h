#ifndef PAVANE_TESTS_FIELDS_OUTPUT_SCENE_H
#define PAVANE_TESTS_FIELDS_OUTPUT_SCENE_H

#include "base/file.h"
#include "fields/cells.h"
#include "fields/rows.h"
#include "policy/policy.h"
#include "sink/scene.h"
#include "store/schema.h"
#include "store/statement.h"
#include "store/scratch_store.h"
#include "store/tables/length.h"

/* The sink of rows in a crawl's directory with a real state, without a
 * writer's thread: each step is the test's. */
#define OUTPUT_FILES_MAX 400

struct output_scene {
	struct scratch scratch;
	struct pv_store *store;
	struct pv_policy *policy;
	struct pv_sink *sink;
	struct pv_why why;
	uint64_t lengths[OUTPUT_FILES_MAX];
	struct pv_buf text;
	struct pv_buf said;
	struct pv_buf url;
	unsigned descriptors;
};

/* Opens what the last run has left; false if it cannot be. */
static inline bool output_open(struct output_scene *scene)
{
	const struct pv_sink_kind *kind = &pv_sink_fields;
	scene->store = scratch_store_open(&scene->scratch);
	if (!scene->store)
		return false;
	const struct pv_sink_plan plan = {
	    .directory = scene->scratch.path,
	    .policy = scene->policy,
	    .round = 1,
	    .database = scene->store->database,
	};
	scene->sink = kind->open(&plan, &scene->why);
	if (!scene->sink)
		return false;
	const char *const *files = kind->files(scene->sink);
	for (size_t i = 0; files[i]; i++)
		scene->lengths[i] =
		    pv_length_get(scene->store->database, pv_str_of(files[i]));
	return kind->recover(scene->sink, scene->lengths, &scene->why);
}

static inline void output_begin(struct output_scene *scene,
    struct pv_page_kind *kinds, size_t count, unsigned forms)
{
	*scene = (struct output_scene){.descriptors = descriptors_count()};
	scratch_make(&scene->scratch);
	pv_why_init(&scene->why);
	pv_buf_init(&scene->text, (size_t)64 << 20);
	pv_buf_init(&scene->said, 65536);
	pv_buf_init(&scene->url, 65536);
	scene->policy = pv_policy_create();
	scene->policy->pages =
	    (struct pv_pages){.items = kinds, .count = count};
	scene->policy->output.fields.forms = forms;
}

/* As at the end, or when the program is killed: what is not committed is
 * gone. */
static inline void output_close(struct output_scene *scene)
{
	pv_sink_fields.close(scene->sink);
	scene->sink = NULL;
	pv_store_close(scene->store);
	scene->store = NULL;
}

/* Its directory stays. */
static inline void output_finish(struct output_scene *scene)
{
	output_close(scene);
	scene->policy->pages = (struct pv_pages){0};
	pv_policy_destroy(scene->policy);
	pv_why_finish(&scene->why);
	pv_buf_finish(&scene->text);
	pv_buf_finish(&scene->said);
	pv_buf_finish(&scene->url);
}

static inline void output_end(struct output_scene *scene)
{
	output_finish(scene);
	scene_remove(AT_FDCWD, scene->scratch.path);
	descriptors_claim(scene->descriptors);
}

/* What an answer is, beside its rows. */
struct output_answer {
	uint64_t id;
	enum pv_change change;
	int status; /* 0: 200 */
	bool is_not_final;
	const struct pv_rows *rows;
};

/* Prepares a page and appends it, in a transaction that is open. */
static inline bool output_append(
    struct output_scene *scene, const struct output_answer *answer)
{
	struct pv_visit visit = {.id = answer->id};
	struct pv_response response;
	struct pv_page page;
	pv_response_init(&response, scene->scratch.path, 1000);
	response.outcome = PV_OUTCOME_ANSWERED;
	response.http_status =
	    (uint16_t)(answer->status ? answer->status : 200);
	pv_page_init(&page);
	pv_buf_clear(&scene->url);
	pv_buf_append_format(&scene->url, "https://me:secret@a.example/%llu",
	    (unsigned long long)answer->id);
	visit.url = pv_buf_str(&scene->url);
	page.visit = &visit;
	page.response = &response;
	page.rows = answer->rows;
	page.wall_ms = INT64_C(1772357400250);
	page.text = answer->rows ? PV_STR("body") : PV_STR("");
	pv_sink_fields.prepare(scene->sink, &page, &page.parts[0]);
	page.change = answer->change;
	page.rows = NULL; /* nobody needs them any more */
	const struct pv_sink_entry entry = {
	    .page = &page,
	    .part = &page.parts[0],
	    .is_final = !answer->is_not_final,
	    .database = scene->store->database,
	};
	bool is_appended = pv_sink_fields.append(scene->sink, &entry);
	pv_page_finish(&page);
	pv_response_finish(&response);
	return is_appended;
}

static inline void output_transaction(struct output_scene *scene)
{
	pv_database_begin(scene->store->database);
}

static inline bool output_sync(struct output_scene *scene)
{
	const char *const *files = pv_sink_fields.files(scene->sink);
	if (!pv_sink_fields.sync(scene->sink, scene->lengths))
		return false;
	for (size_t i = 0; files[i]; i++)
		pv_length_set(scene->store->database, pv_str_of(files[i]),
		    scene->lengths[i]);
	return true;
}

static inline bool output_commit(struct output_scene *scene)
{
	return output_sync(scene) && pv_database_commit(scene->store->database);
}

/* A page alone in a transaction. */
static inline bool output_add(
    struct output_scene *scene, const struct output_answer *answer)
{
	output_transaction(scene);
	return output_append(scene, answer) && output_commit(scene);
}

/* What stands in a file; ptr is NULL if it cannot be read. */
static inline struct pv_str output_read(
    struct output_scene *scene, const char *name)
{
	pv_buf_clear(&scene->text);
	if (pv_file_read(scratch_file(&scene->scratch, name), &scene->text) !=
	    PV_FILE_READ)
		return (struct pv_str){NULL, 0};
	return pv_buf_str(&scene->text);
}

/* How often a text stands in a file. */
static inline size_t output_count(
    struct output_scene *scene, const char *name, const char *text)
{
	struct pv_str all = output_read(scene, name);
	struct pv_str wanted = pv_str_of(text);
	size_t count = 0;
	while (all.len >= wanted.len && wanted.len) {
		bool is_there = pv_str_starts(all, wanted);
		count += is_there;
		all = pv_str_from(all, is_there ? wanted.len : 1);
	}
	return count;
}

/* A number of fields.db, as another program would ask for it. */
static inline int64_t output_ask(struct output_scene *scene, const char *sql)
{
	struct pv_database *database =
	    pv_database_look(scratch_file(&scene->scratch, "fields/fields.db"));
	int64_t number = pv_database_number(database, sql);
	if (pv_database_status(database) != PV_STORE_OK)
		number = -1;
	pv_database_close(database);
	return number;
}

/* The same of the state. */
static inline int64_t output_state(struct output_scene *scene, const char *sql)
{
	return pv_database_number(scene->store->database, sql);
}

/* The first problem; empty if there is none. */
static inline const char *output_problem(struct output_scene *scene)
{
	pv_buf_clear(&scene->said);
	if (scene->why.problems.kept_count)
		pv_problem_write(&scene->why.problems.kept[0], &scene->said);
	return pv_buf_text(&scene->said);
}

#endif
