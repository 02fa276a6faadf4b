#include <stdlib.h>

#include "api/policy_object.h"
#include "api/sized.h"
#include "base/alloc.h"
#include "base/json/json.h"
#include "base/nearest.h"
#include "pavane/pavane.h"
#include "policy/effective.h"
#include "policy/option.h"
#include "policy/overview/reference.h"
#include "policy/overview/summary.h"
#include "policy/schema.h"
#include "policy/secrets/shown.h"
#include "policy/sources/user_config.h"

/* A policy of 1 MiB, each key with its default and a comment, comes to a few
 * times that. */
#define OUTPUT_MAX ((size_t)256 * 1024 * 1024)

const char *pavane_nearest_word(const char *written, const char *const *words)
{
	struct pv_nearest nearest = pv_nearest_to(pv_str_of(written));
	for (size_t i = 0; words[i]; i++)
		pv_nearest_offer(&nearest, words[i]);
	return nearest.word;
}

static void make_sentences(
    const struct pv_problems *problems, char *sentences[])
{
	for (size_t i = 0; i < problems->kept_count; i++) {
		struct pv_buf buf;
		pv_buf_init(&buf, 16384);
		pv_problem_write(&problems->kept[i], &buf);
		sentences[i] = pv_buf_take(&buf);
	}
}

/* What a program that was built with any header has given. */
static void read_sources(struct pavane_sources *sources,
    const struct pavane_sources *given, struct pv_why *why)
{
	if (!pv_sized_read(sources, sizeof(*sources), given))
		pv_why_add(why, (struct pv_place){0}, PV_STR(""),
		    "the program has not set the size of its sources: begin "
		    "them with PAVANE_INIT");
}

/* Its problems so far stay. */
static void load(struct pavane_policy *policy, const struct pv_sources *sources)
{
	policy->policy = pv_policy_load(sources, &policy->why);
	make_sentences(&policy->why.problems, policy->sentences[0]);
	make_sentences(&policy->why.notes, policy->sentences[1]);
}

struct pavane_policy *pv_policy_object_load(const struct pv_sources *sources)
{
	struct pavane_policy *policy = pv_alloc(sizeof(*policy));
	pv_why_init(&policy->why);
	load(policy, sources);
	return policy;
}

struct pavane_policy *pavane_policy_load(const struct pavane_sources *given)
{
	struct pavane_policy *policy = pv_alloc(sizeof(*policy));
	struct pavane_sources own, *sources = &own;
	pv_why_init(&policy->why);
	read_sources(sources, given, &policy->why);
	struct pv_setting *settings =
	    pv_alloc_array(sources->setting_count, sizeof(*settings));
	for (size_t i = 0; i < sources->setting_count; i++)
		settings[i] = (struct pv_setting){
		    sources->settings[i].host,
		    sources->settings[i].assignment,
		};
	struct pv_sources read = {
	    .file = sources->file,
	    .config_dir = sources->config_dir,
	    .settings = settings,
	    .setting_count = sources->setting_count,
	    .setting_names = sources->setting_names,
	    .seeds_of = sources->seeds_of,
	    .address_names = sources->address_names,
	    .addresses = sources->addresses,
	    .address_count = sources->address_count,
	    .input_of = sources->input_of,
	    .text = sources->text,
	    .is_for_fleet = sources->is_for_fleet,
	};
	load(policy, &read);
	free(settings);
	return policy;
}

void pavane_policy_destroy(struct pavane_policy *policy)
{
	if (!policy)
		return;
	for (size_t i = 0; i < PV_WHY_PROBLEMS_MAX; i++) {
		free(policy->sentences[0][i]);
		free(policy->sentences[1][i]);
	}
	pv_policy_destroy(policy->policy);
	pv_why_finish(&policy->why);
	if (policy->give_back)
		policy->give_back(policy->borrowed);
	free(policy->directory);
	free(policy);
}

size_t pavane_policy_problem_count(const struct pavane_policy *policy)
{
	return policy->why.problems.count;
}

size_t pavane_policy_note_count(const struct pavane_policy *policy)
{
	return policy->why.notes.count;
}

static bool get(const struct pv_problems *problems, char *const *sentences,
    size_t number, struct pavane_problem *problem)
{
	if (number >= problems->kept_count)
		return false;
	const struct pv_problem *kept = &problems->kept[number];
	const struct pavane_problem own = {
	    .file = kept->file,
	    .line = kept->line,
	    .column = kept->column,
	    .key = kept->key,
	    .text = kept->text,
	    .sentence = sentences[number],
	    .excerpt = kept->excerpt ? kept->excerpt : "",
	};
	return pv_sized_write(problem, &own, sizeof(own));
}

bool pavane_policy_problem(const struct pavane_policy *policy, size_t number,
    struct pavane_problem *problem)
{
	return get(
	    &policy->why.problems, policy->sentences[0], number, problem);
}

bool pavane_policy_note(const struct pavane_policy *policy, size_t number,
    struct pavane_problem *note)
{
	return get(&policy->why.notes, policy->sentences[1], number, note);
}

size_t pavane_policy_seed_count(const struct pavane_policy *policy)
{
	return policy->policy->seeds.count;
}

bool pavane_policy_lacks_contact(const struct pavane_policy *policy)
{
	const struct pv_problems *problems = &policy->why.problems;
	return problems->count == 1 &&
	       strcmp(problems->kept[0].key, "identity.contact") == 0 &&
	       !pv_policy_is_given(policy->policy, "identity.contact");
}

/* Gives away what a room has written. */
static void hand_over(struct pv_buf *buf, pavane_write_fn write, void *ctx)
{
	write(ctx, pv_buf_text(buf), buf->len);
	pv_buf_finish(buf);
}

void pavane_policy_write_effective(
    const struct pavane_policy *policy, pavane_write_fn write, void *ctx)
{
	struct pv_arena arena;
	struct pv_buf buf;
	pv_arena_init(&arena);
	struct pv_policy shown = pv_policy_shown(policy->policy, &arena);
	pv_buf_init(&buf, OUTPUT_MAX);
	pv_effective_write(&shown, &buf);
	pv_arena_finish(&arena);
	hand_over(&buf, write, ctx);
}

void pavane_policy_write_limits(
    const struct pavane_policy *policy, pavane_write_fn write, void *ctx)
{
	struct pv_buf buf;
	pv_buf_init(&buf, OUTPUT_MAX);
	pv_limits_write(policy->policy, &buf);
	hand_over(&buf, write, ctx);
}

void pavane_policy_write_summary(
    const struct pavane_policy *policy, pavane_write_fn write, void *ctx)
{
	struct pv_buf buf;
	pv_buf_init(&buf, OUTPUT_MAX);
	pv_summary_write(policy->policy, &buf);
	hand_over(&buf, write, ctx);
}

void pavane_policy_write_outlook(
    const struct pavane_policy *policy, pavane_write_fn write, void *ctx)
{
	struct pv_buf buf;
	pv_buf_init(&buf, OUTPUT_MAX);
	pv_outlook_write(policy->policy, &buf);
	hand_over(&buf, write, ctx);
}

void pavane_reference_write(pavane_write_fn write, void *ctx)
{
	struct pv_buf buf;
	pv_buf_init(&buf, OUTPUT_MAX);
	pv_reference_write(&buf);
	hand_over(&buf, write, ctx);
}

/* The name of the option among those keys; NULL if it is none of them. */
static const char *key_name(
    const struct pv_option *option, enum pavane_keys keys)
{
	switch (keys) {
	case PAVANE_KEYS_OF_POLICY:
		return pv_option_name(option, &pv_names_of_policy);
	case PAVANE_KEYS_OF_HOST:
		return pv_option_name(option, &pv_names_of_domain);
	case PAVANE_KEYS_OF_RUNNING:
		return option->flags & PV_MAY_BE_SET ? option->path : NULL;
	}
	return NULL;
}

_Static_assert(sizeof(((struct pavane_key *)NULL)->words) ==
		   (PV_OPTION_WORDS_MAX + 1) * sizeof(const char *),
    "a key has room for the words of an option");

bool pavane_key_get(enum pavane_keys keys, size_t index, struct pavane_key *key)
{
	for (size_t i = 0; i < pv_names_of_policy.count; i++) {
		const char *name =
		    key_name(&pv_names_of_policy.options[i], keys);
		if (!name || index--)
			continue;
		struct pavane_key own = {.name = name,
		    .sentence = pv_names_of_policy.options[i].sentence};
		pv_option_words(&pv_names_of_policy.options[i], own.words);
		return pv_sized_write(key, &own, sizeof(own));
	}
	return false;
}

static void write_json(
    struct pv_json *value, bool is_indented, pavane_write_fn write, void *ctx)
{
	struct pv_buf buf;
	pv_buf_init(&buf, OUTPUT_MAX);
	pv_json_write(value, is_indented, &buf);
	pv_buf_append_char(&buf, '\n');
	pv_json_destroy(value);
	hand_over(&buf, write, ctx);
}

void pavane_schema_write(pavane_write_fn write, void *ctx)
{
	write_json(pv_schema(), true, write, ctx);
}

static struct pv_json *json_of(const struct pv_problems *problems)
{
	struct pv_json *array = pv_json_array();
	for (size_t i = 0; i < problems->kept_count; i++) {
		const struct pv_problem *problem = &problems->kept[i];
		struct pv_json *object = pv_json_object();
		pv_json_set_text(object, "file", problem->file);
		pv_json_set(object, "line", pv_json_integer(problem->line));
		pv_json_set(object, "column", pv_json_integer(problem->column));
		pv_json_set_text(object, "key", problem->key);
		pv_json_set_text(object, "text", problem->text);
		pv_json_add(array, object);
	}
	return array;
}

void pavane_policy_write_json(
    const struct pavane_policy *policy, pavane_write_fn write, void *ctx)
{
	struct pv_json *object = pv_json_object();
	const struct pv_problems *problems = &policy->why.problems;
	pv_json_set(object, "right", pv_json_bool(!problems->count));
	pv_json_set(
	    object, "problem_count", pv_json_integer((int64_t)problems->count));
	pv_json_set(object, "problems", json_of(problems));
	pv_json_set(object, "notes", json_of(&policy->why.notes));
	write_json(object, false, write, ctx);
}

char *pavane_config_dir(void)
{
	struct pv_buf dir;
	pv_buf_init(&dir, 4096);
	if (pv_user_config_dir(getenv("XDG_CONFIG_HOME"), getenv("HOME"), &dir))
		return pv_buf_take(&dir);
	pv_buf_finish(&dir);
	return NULL;
}

char *pavane_config_save_contact(const char *config_dir, const char *contact)
{
	struct pv_why why;
	struct pv_buf sentence;
	pv_why_init(&why);
	pv_buf_init(&sentence, 16384);
	bool is_saved = pv_user_config_save_contact(config_dir, contact, &why);
	if (!is_saved)
		pv_problem_write(&why.problems.kept[0], &sentence);
	pv_why_finish(&why);
	if (!is_saved)
		return pv_buf_take(&sentence);
	pv_buf_finish(&sentence);
	return NULL;
}
