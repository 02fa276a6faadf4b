#ifndef PAVANE_TESTS_MIRROR_SCENE_H
#define PAVANE_TESTS_MIRROR_SCENE_H

#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/digest.h"
#include "descriptors.h"
#include "mirror/kept/kept_state.h"
#include "scratch.h"
#include "store/statement.h"
#include "store/store.h"
#include "store/tables/note.h"
#include "tap.h"
#include "url/url.h"

/* A crawl's directory as a crawl leaves it: a state with addresses, a policy,
 * and files of a mirror, whose names are those of their numbers. */
struct mirror_scene {
	struct scratch scratch;
	struct pv_database *database;
	struct pv_kept_state *state;
	struct pv_hash_key key;
	unsigned descriptors; /* open before */
};

#define MIRROR_POLICY                                    \
	"version: 1\nseeds: [\"http://localhost/\"]\n"   \
	"scope: {aliases: {www.localhost: localhost}}\n" \
	"output: {mirror: {}}\n"

static inline void mirror_write(
    struct mirror_scene *scene, const char *name, const char *text)
{
	FILE *file = fopen(scratch_file(&scene->scratch, name), "w");
	if (!file)
		return;
	fputs(text, file);
	fclose(file);
}

static inline bool mirror_scene_open(struct mirror_scene *scene)
{
	struct pv_why why;
	*scene = (struct mirror_scene){
	    .key = {{5, 7}}, .descriptors = descriptors_count()};
	if (!scratch_make(&scene->scratch))
		return false;
	struct pv_store_options options = {
	    .directory = scene->scratch.path,
	    .cache_bytes = 1 << 20,
	    .count_ceiling = 100,
	    .bytes_ceiling = 1 << 20,
	};
	pv_why_init(&why);
	pv_store_close(pv_store_open(&options, &why));
	pv_why_finish(&why);
	mirror_write(scene, "policy.yaml", MIRROR_POLICY);
	mkdir(scratch_file(&scene->scratch, "site"), 0777);
	scene->database =
	    pv_database_open(scratch_file(&scene->scratch, "state.db"));
	pv_note_set(scene->database, PV_STR("key-0"), 5);
	pv_note_set(scene->database, PV_STR("key-1"), 7);
	return pv_database_status(scene->database) == PV_STORE_OK;
}

/* What has been added is seen by who opens it anew. */
static inline struct pv_kept_state *mirror_look(struct mirror_scene *scene)
{
	struct pv_why why;
	pv_why_init(&why);
	pv_kept_state_close(scene->state);
	scene->state = pv_kept_state_open(scene->scratch.path, &why);
	for (size_t i = 0; i < why.problems.kept_count; i++)
		printf("# %s\n", why.problems.kept[i].text);
	pv_why_finish(&why);
	return scene->state;
}

static inline void mirror_scene_close(struct mirror_scene *scene)
{
	char command[256];
	pv_kept_state_close(scene->state);
	pv_database_close(scene->database);
	snprintf(command, sizeof(command), "rm -rf '%s'", scene->scratch.path);
	if (system(command) != 0)
		printf("# %s is left behind\n", scene->scratch.path);
	descriptors_claim(scene->descriptors);
}

/* Whether the write-ahead log can be folded in now: whoever reads the state at
 * this moment holds it. */
static inline bool mirror_can_fold(struct mirror_scene *scene)
{
	pv_database_run(scene->database, "PRAGMA busy_timeout = 0");
	pv_note_set(scene->database, PV_STR("folded"), 1);
	return !pv_database_number(
	    scene->database, "PRAGMA wal_checkpoint(TRUNCATE)");
}

/* An address, of which what is not said is 0. */
struct mirror_address {
	int64_t id;
	const char *url;
	int state;
	int outcome;
	int status;
	int reason;
	int64_t via;
	int listing;
};

static inline void mirror_add(
    struct mirror_scene *scene, struct mirror_address address)
{
	const int64_t values[] = {address.id, 1, address.state, 2, 1, 0, 0, 0,
	    0, address.reason, 0, address.outcome, address.status, 0, 0,
	    address.via, address.listing};
	struct pv_statement *add = pv_statement_create(scene->database,
	    "INSERT INTO addresses(id, host, state, use, depth, depth_left, "
	    "hops, redirects, attempt, reason, line, outcome, http_status, "
	    "bytes, may_lead_further, via, listing, url) VALUES(?1, ?2, ?3, "
	    "?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, "
	    "?18)");
	struct pv_statement *see = pv_statement_create(
	    scene->database, "INSERT INTO seen VALUES(?1, ?2, ?3)");
	for (int i = 0; i < (int)(sizeof(values) / sizeof(*values)); i++)
		pv_statement_bind(add, i + 1, values[i]);
	pv_statement_bind_text(add, 18, pv_str_of(address.url));
	pv_statement_run(add);
	pv_statement_bind_fingerprint(
	    see, 1, pv_fingerprint_of(&scene->key, pv_str_of(address.url)));
	pv_statement_bind(see, 3, address.id);
	pv_statement_run(see);
	pv_statement_destroy(add);
	pv_statement_destroy(see);
}

/* A copy of an address, as it came, in a file "site/NAME"; the file has another
 * text where its links were rewritten. */
struct mirror_copy {
	int64_t id;
	const char *name;
	const char *came;
	const char *kept; /* NULL: the same; "": no file */
	bool is_gone;
	bool has_failed;
	int heard; /* the status of what came in its place */
};

static inline void mirror_keep(
    struct mirror_scene *scene, struct mirror_copy copy)
{
	uint8_t digest[PV_DIGEST_SIZE];
	char file[256];
	const char *kept = copy.kept ? copy.kept : copy.came;
	struct pv_statement *add = pv_statement_create(scene->database,
	    "INSERT INTO copies(address, round, fetched_wall_ms, "
	    "checked_wall_ms, modified_ms, is_gone, has_failed, digest, file, "
	    "heard_status) VALUES(?1, 1, 0, 0, 0, ?2, ?3, ?4, ?5, ?6)");
	snprintf(file, sizeof(file), "site/%s", copy.name);
	pv_digest(pv_str_of(copy.came), digest);
	pv_statement_bind(add, 1, copy.id);
	pv_statement_bind(add, 2, copy.is_gone);
	pv_statement_bind(add, 3, copy.has_failed);
	pv_statement_bind_bytes(
	    add, 4, (struct pv_str){(const char *)digest, sizeof(digest)});
	pv_statement_bind_text(add, 5, pv_str_of(file));
	pv_statement_bind(add, 6, copy.heard);
	pv_statement_run(add);
	pv_statement_destroy(add);
	if (*kept)
		mirror_write(scene, file, kept);
}

/* By what an address is found. */
static inline struct pv_fingerprint mirror_key(
    struct mirror_scene *scene, const char *text)
{
	struct pv_url url;
	pv_url_init(&url, 4096);
	pv_url_parse(&url, pv_str_of(text));
	struct pv_fingerprint key =
	    pv_kept_state_fingerprint(scene->state, &url);
	pv_url_finish(&url);
	return key;
}

#endif
