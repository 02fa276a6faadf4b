#include "serve/config/config.h"

#include <errno.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/file.h"
#include "policy/effective.h"
#include "policy/schema.h"
#include "policy/sources/assignment.h"
#include "policy/sources/excerpt.h"
#include "policy/sources/load.h"
#include "serve/config/listen_form.h"
#include "serve/config/option_table.h"

#define DEFAULT "default"

struct loader {
	struct pv_service_config *config;
	struct pv_target target;
	struct pv_why *why;
	const char *name;   /* of the file, as problems call it; or NULL */
	struct pv_buf text; /* of the file */
};

static void load_document(struct loader *loader, struct pv_reading *reading)
{
	struct pv_document document;
	struct pv_arena tree;
	pv_arena_init(&tree);
	pv_document_read(&document, reading->name, pv_buf_str(&loader->text),
	    &tree, loader->why);
	if (document.root && document.root->kind == PV_NODE_MAP)
		pv_section_read(
		    reading, loader->target, PV_STR(""), document.root);
	else if (document.root)
		pv_reading_expected(reading, document.root,
		    "a mapping of keys, such as directory: jobs");
	else if (document.is_whole)
		pv_why_add(loader->why, (struct pv_place){reading->name, 1, 1},
		    PV_STR(""), "this file is empty");
	pv_arena_finish(&tree);
}

static void load_file(struct loader *loader, const char *file)
{
	struct pv_arena *arena = &loader->config->arena;
	struct pv_reading reading;
	loader->name = strcmp(file, "-") == 0 ? "standard input" : file;
	struct pv_place place = {.file = loader->name};
	pv_reading_init(
	    &reading, arena, loader->why, loader->name, PV_LAYER_POLICY);
	reading.directory = pv_directory_of(arena, file);
	switch (pv_file_read(file, &loader->text)) {
	case PV_FILE_READ:
		load_document(loader, &reading);
		break;
	case PV_FILE_TOO_LARGE:
		pv_why_add(loader->why, place, PV_STR(""), "larger than 1 MiB");
		break;
	case PV_FILE_FAILED:
		pv_why_add(loader->why, place, PV_STR(""), "cannot be read: %s",
		    pv_file_fault(errno));
		break;
	}
	pv_reading_finish(&reading);
}

static void load_setting(struct loader *loader, const char *setting)
{
	struct pv_reading reading;
	struct pv_str key;
	struct pv_str value;
	pv_reading_init(&reading, &loader->config->arena, loader->why, "--set",
	    PV_LAYER_COMMAND);
	if (!pv_assignment_split(pv_str_of(setting), &key, &value))
		pv_why_add(loader->why, (struct pv_place){.file = reading.name},
		    PV_STR(""), "expected KEY=VALUE, found %s", setting);
	else if (pv_assignment_knows(&reading, loader->target.names, key))
		pv_assignment_read(&reading, loader->target, key, value);
	pv_reading_finish(&reading);
}

/* What two values are needed to see */

static struct pv_place place_of(const struct loader *loader, const char *path)
{
	const struct pv_names *names = loader->target.names;
	const struct pv_option *option = pv_option_get(pv_str_of(path), names);
	struct pv_place place =
	    loader->config->origins[option - names->options].place;
	if (!place.file)
		place.file = loader->name ? loader->name : "the command line";
	return place;
}

static void check(const struct loader *loader)
{
	const struct pv_service_config *config = loader->config;
	struct pv_listen_form form;
	if (pv_why_has_problems(loader->why))
		return;
	if (!config->directory)
		pv_why_add(loader->why, place_of(loader, "directory"),
		    PV_STR("directory"),
		    "there is no place for the jobs: write, for example, "
		    "directory: /var/lib/pavane");
	if (!config->tokens_file &&
	    pv_listen_form_read(pv_str_of(config->listen), &form) &&
	    pv_listen_form_is_open(&form))
		pv_why_add(loader->why, place_of(loader, "listen"),
		    PV_STR("listen"),
		    "others can reach %s: name a tokens_file, or listen on "
		    "127.0.0.1",
		    config->listen);
}

/* Profiles */

static void add_profile(
    struct loader *loader, const char *name, const struct pv_sources *sources)
{
	struct pv_service_config *config = loader->config;
	config->profiles[config->profile_count++] = (struct pv_profile){
	    .name = name,
	    .file = sources->file,
	    .policy = pv_policy_load(sources, loader->why),
	};
}

/* The built-in defaults are read even where they are not asked for: what is
 * wrong with the user's own configuration is told once, and not once for each
 * profile. */
static void load_profiles(struct loader *loader, const char *config_dir)
{
	struct pv_service_config *config = loader->config;
	const struct pv_pairs *files = &config->profile_files;
	size_t problems = loader->why->problems.count;
	config->profiles = pv_arena_give_array(
	    &config->arena, files->count + 1, sizeof(*config->profiles));
	add_profile(
	    loader, DEFAULT, &(struct pv_sources){.config_dir = config_dir});
	if (loader->why->problems.count > problems)
		return;
	for (size_t i = 0; i < files->count; i++)
		add_profile(loader, files->items[i].name,
		    &(struct pv_sources){
			.file = files->items[i].text,
			.has_other_seeds = true,
			.config_dir = config_dir,
		    });
}

static void end(struct loader *loader)
{
	pv_why_sort(loader->why);
	if (loader->name)
		pv_excerpts_add(
		    loader->why, loader->name, pv_buf_str(&loader->text));
	pv_buf_finish(&loader->text);
}

struct pv_service_config *pv_service_config_load(
    const struct pv_config_sources *sources, struct pv_why *why)
{
	struct pv_service_config *config = pv_alloc(sizeof(*config));
	pv_arena_init(&config->arena);
	config->origins = pv_arena_give_array(&config->arena,
	    pv_names_of_service.count, sizeof(*config->origins));
	struct loader loader = {
	    .config = config,
	    .target =
		{
		    .names = &pv_names_of_service,
		    .fields = config,
		    .origins = config->origins,
		},
	    .why = why,
	};
	pv_buf_init(&loader.text, PV_DOCUMENT_BYTES_MAX);
	pv_section_presets(loader.target, &config->arena, why);
	if (sources->file)
		load_file(&loader, sources->file);
	for (size_t i = 0; i < sources->setting_count; i++)
		load_setting(&loader, sources->settings[i]);
	check(&loader);
	load_profiles(&loader, sources->config_dir);
	end(&loader);
	return config;
}

void pv_service_config_destroy(struct pv_service_config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->profile_count; i++)
		pv_policy_destroy(config->profiles[i].policy);
	pv_arena_finish(&config->arena);
	free(config);
}

/* That of the file stands behind the built-in one. */
const struct pv_profile *pv_service_config_profile(
    const struct pv_service_config *config, struct pv_str name)
{
	for (size_t i = config->profile_count; i > 0; i--) {
		const struct pv_profile *profile = &config->profiles[i - 1];
		if (pv_str_equal(pv_str_of(profile->name), name))
			return profile;
	}
	return NULL;
}

const struct pv_webhook *pv_service_config_webhook(
    const struct pv_service_config *config, struct pv_str name)
{
	for (size_t i = 0; i < config->webhooks.count; i++) {
		const struct pv_webhook *webhook = &config->webhooks.items[i];
		if (pv_str_equal(pv_str_of(webhook->name), name))
			return webhook;
	}
	return NULL;
}

void pv_service_config_write_effective(
    const struct pv_service_config *config, struct pv_buf *buf)
{
	pv_buf_append_text(buf, PV_EFFECTIVE_MARK
	    " configuration of the service, with every default and where each "
	    "value comes from\n");
	pv_effective_write_fields(
	    &pv_names_of_service, config, config->origins, buf);
}

struct pv_json *pv_service_config_schema(void)
{
	return pv_schema_of_names(
	    &pv_names_of_service, "The configuration of Pavane's service");
}
