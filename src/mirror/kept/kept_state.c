#include "mirror/kept/kept_state.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "policy/sources/load.h"
#include "store/state_look.h"
#include "store/tables/note.h"

#define POLICY_MAX ((size_t)256 << 20)

/* The text of the last run's policy; a run that went by the one before it has
 * none of its own. */
static bool get_policy(struct pv_kept_state *state, struct pv_buf *text)
{
	int64_t run = pv_note_get(state->database, PV_STR("runs"), 0);
	struct pv_buf name;
	bool is_there = false;
	pv_buf_init(&name, 64);
	for (; run > 0 && !is_there; run--) {
		pv_buf_clear(&name);
		pv_buf_append_format(
		    &name, PV_POLICY_NOTE "%lld", (long long)run);
		is_there =
		    pv_note_get_text(state->database, pv_buf_str(&name), text);
	}
	pv_buf_finish(&name);
	return is_there;
}

/* What an older version began has its policy only in the file. */
static bool load_policy(struct pv_kept_state *state, struct pv_why *why)
{
	struct pv_buf path, text;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_init(&text, POLICY_MAX);
	pv_buf_append_format(&path, "%s/policy.yaml", state->directory);
	if (get_policy(state, &text))
		state->loaded = pv_policy_load_text(
		    pv_buf_text(&path), pv_buf_str(&text), why);
	else
		state->loaded = pv_policy_load(
		    &(struct pv_sources){.file = pv_buf_text(&path)}, why);
	state->policy = state->loaded;
	pv_buf_finish(&path);
	pv_buf_finish(&text);
	return !pv_why_has_problems(why);
}

static bool read_state(struct pv_kept_state *state, struct pv_why *why)
{
	struct pv_database *database = state->database;
	pv_database_begin_reading(database);
	state->key = pv_note_get_key(database);
	bool is_read = load_policy(state, why);
	pv_database_commit(database);
	if (pv_database_status(database) == PV_STORE_OK)
		return is_read;
	pv_state_look_tell(database, state->directory, why);
	return false;
}

struct pv_kept_state *pv_kept_state_open(
    const char *directory, struct pv_why *why)
{
	struct pv_database *database = pv_state_look(directory, why);
	if (!database)
		return NULL;
	struct pv_kept_state *state = pv_alloc(sizeof(*state));
	state->directory = directory;
	state->database = database;
	if (!read_state(state, why)) {
		pv_policy_destroy(state->loaded);
		pv_database_close(database);
		free(state);
		return NULL;
	}
	pv_sameness_init(&state->sameness, state->policy);
	return state;
}

void pv_kept_state_close(struct pv_kept_state *state)
{
	if (!state)
		return;
	pv_sameness_finish(&state->sameness);
	pv_policy_destroy(state->loaded);
	pv_database_close(state->database);
	free(state);
}

struct pv_fingerprint pv_kept_state_fingerprint(
    const struct pv_kept_state *state, struct pv_url *url)
{
	pv_crawl_identity_apply(&state->sameness.identity, url);
	pv_url_drop_credentials(url);
	return pv_fingerprint_of(&state->key, pv_url_page(url));
}
