#include "policy/sources/load.h"

#include <errno.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/map.h"
#include "policy/checks/check.h"
#include "policy/checks/guest_check.h"
#include "policy/checks/seed_check.h"
#include "policy/domain_entry.h"
#include "policy/sources/assignment.h"
#include "policy/sources/excerpt.h"
#include "policy/sources/section.h"
#include "policy/sources/seed_input.h"

struct loader {
	struct pv_policy *policy;
	struct pv_why *why;
	const char *file; /* that is to have seeds; NULL: none is */
	const struct pv_policy *owner; /* NULL: nobody is a stranger */
	bool is_output_given;          /* somebody said what is to be kept */
	bool is_for_fleet;
	bool is_whole; /* all YAML was read to its end */
	bool is_guest; /* what is read now is a stranger's */

	/* Files that were read, for the excerpts below problems. */
	struct file {
		const char *name;
		struct pv_buf text;
	} files[3];
	size_t file_count;
};

/* How much room is to be left says nothing of what is kept. */
static bool is_only_room(const struct pv_node *output)
{
	return output->first && !output->first->next &&
	       pv_str_equal(output->first->key, PV_STR("min_free"));
}

static void note_output(struct loader *loader, const struct pv_node *root)
{
	for (const struct pv_node *child = root->first; child;
	     child = child->next) {
		if (!pv_str_equal(child->key, PV_STR("output")) ||
		    is_only_room(child))
			continue;
		/* A source with `output` replaces all of it. */
		loader->is_output_given = true;
		loader->policy->output.has_mirror = false;
	}
}

static void load_document(
    struct loader *loader, struct pv_reading *reading, struct pv_str text)
{
	struct pv_document document;
	struct pv_arena tree;
	struct pv_target target = pv_target_of_policy(loader->policy);
	pv_arena_init(&tree);
	pv_document_read(&document, reading->name, text, &tree, loader->why);
	loader->is_whole = loader->is_whole && document.is_whole;
	if (document.root && document.root->kind == PV_NODE_MAP) {
		note_output(loader, document.root);
		pv_section_read(reading, target, PV_STR(""), document.root);
	} else if (document.root) {
		pv_reading_expected(reading, document.root,
		    "a mapping of keys, such as version: 1");
	} else if (document.is_whole && reading->layer == PV_LAYER_POLICY) {
		pv_why_add(loader->why, (struct pv_place){reading->name, 1, 1},
		    PV_STR(""),
		    "this file is empty: `pavane init` writes a policy to "
		    "begin with");
	}
	pv_arena_finish(&tree);
}

/* Only an effective policy may have more than a policy's bytes. */
static enum pv_file_read read_bounded(const char *file, struct pv_buf *text)
{
	enum pv_file_read read = pv_file_read(file, text);
	bool is_large = text->len > PV_DOCUMENT_BYTES_MAX;
	bool is_effective =
	    pv_str_starts(pv_buf_str(text), PV_STR(PV_EFFECTIVE_MARK));
	if (read == PV_FILE_READ && is_large && !is_effective)
		return PV_FILE_TOO_LARGE;
	return read;
}

static void load_file(
    struct loader *loader, const char *file, enum pv_layer layer)
{
	struct pv_reading reading;
	struct file *read = &loader->files[loader->file_count++];
	bool is_optional = layer == PV_LAYER_CONFIG;
	const char *name = strcmp(file, "-") == 0 ? "standard input" : file;
	pv_reading_init(
	    &reading, &loader->policy->arena, loader->why, name, layer);
	read->name = reading.name;
	pv_buf_init(&read->text, PV_DOCUMENT_EFFECTIVE_BYTES_MAX);
	reading.directory = pv_directory_of(&loader->policy->arena, file);
	switch (read_bounded(file, &read->text)) {
	case PV_FILE_READ:
		load_document(loader, &reading, pv_buf_str(&read->text));
		break;
	case PV_FILE_TOO_LARGE:
		pv_why_add(loader->why, (struct pv_place){.file = name},
		    PV_STR(""),
		    "larger than 1 MiB: put long lists of addresses into a "
		    "file of seeds");
		break;
	case PV_FILE_FAILED:
		if (is_optional && (errno == ENOENT || errno == ENOTDIR))
			break;
		pv_why_add(loader->why, (struct pv_place){.file = name},
		    PV_STR(""), "cannot be read: %s", pv_file_fault(errno));
		break;
	}
	pv_reading_finish(&reading);
}

static void load_text(struct loader *loader, const char *text)
{
	struct pv_reading reading;
	struct file *read = &loader->files[loader->file_count++];
	pv_reading_init(&reading, &loader->policy->arena, loader->why,
	    "the policy", PV_LAYER_POLICY);
	reading.directory = "";
	read->name = reading.name;
	pv_buf_init(&read->text, PV_DOCUMENT_EFFECTIVE_BYTES_MAX);
	if (!pv_buf_append_text(&read->text, text))
		pv_why_add(loader->why, (struct pv_place){.file = reading.name},
		    PV_STR(""), "too large");
	else
		load_document(loader, &reading, pv_buf_str(&read->text));
	pv_reading_finish(&reading);
}

/* A policy that is handed in has no directory: it names no files. */
static void load_handed_in(
    struct loader *loader, const struct pv_sources *sources)
{
	struct pv_reading reading;
	struct file *read = &loader->files[loader->file_count++];
	loader->is_guest = true;
	if (sources->address_count)
		loader->policy->seeds.count = 0;
	pv_reading_init(&reading, &loader->policy->arena, loader->why, "policy",
	    PV_LAYER_POLICY);
	reading.is_guest = true;
	reading.directory = "";
	read->name = reading.name;
	pv_buf_init(&read->text, PV_DOCUMENT_BYTES_MAX);
	if (!pv_buf_append(&read->text, sources->handed_in))
		pv_why_add(loader->why, (struct pv_place){.file = "policy"},
		    PV_STR(""), "larger than 1 MiB");
	else if (sources->handed_in.len)
		load_document(loader, &reading, pv_buf_str(&read->text));
	pv_reading_finish(&reading);
}

/* The command line */

/* A setting of `output` replaces all of it, as in a file. */
static void note_output_setting(struct loader *loader, struct pv_str key)
{
	bool is_all = pv_str_equal(key, PV_STR("output"));
	if (is_all)
		loader->policy->output.has_mirror = false;
	if (is_all || pv_str_equal(key, PV_STR("output.mirror")))
		loader->is_output_given = true;
}

static void load_domain_setting(struct loader *loader,
    struct pv_reading *reading, const char *host, struct pv_str key,
    struct pv_str value)
{
	struct pv_node node = {.kind = PV_NODE_TEXT};
	bool is_new;
	struct pv_domain_entry *entry = pv_domains_entry(
	    &loader->policy->domains, reading, &node, pv_str_of(host), &is_new);
	if (entry)
		pv_assignment_read(reading,
		    pv_target_of_entry(loader->policy, entry), key, value);
}

static void load_known(struct loader *loader, struct pv_reading *reading,
    const char *host, struct pv_str key, struct pv_str value)
{
	struct pv_target target = pv_target_of_policy(loader->policy);
	if (host) {
		load_domain_setting(loader, reading, host, key, value);
		return;
	}
	note_output_setting(loader, key);
	pv_assignment_read(reading, target, key, value);
}

static const char *name_of_setting(
    const struct pv_sources *sources, size_t number)
{
	if (sources->setting_names && sources->setting_names[number])
		return sources->setting_names[number];
	return sources->settings[number].host ? "--domain" : "--set";
}

static void load_setting(
    struct loader *loader, const struct pv_setting *setting, const char *name)
{
	struct pv_reading reading;
	struct pv_str key;
	struct pv_str value;
	const struct pv_names *names =
	    setting->host ? &pv_names_of_domain : &pv_names_of_policy;
	pv_reading_init(&reading, &loader->policy->arena, loader->why, name,
	    PV_LAYER_COMMAND);
	reading.is_guest = loader->is_guest;
	if (!pv_assignment_split(
		pv_str_of(setting->assignment), &key, &value)) {
		pv_why_add(loader->why, (struct pv_place){.file = reading.name},
		    PV_STR(""), "expected KEY=VALUE, found %s",
		    setting->assignment);
	} else if (pv_assignment_knows(&reading, names, key)) {
		load_known(loader, &reading, setting->host, key, value);
	}
	pv_reading_finish(&reading);
}

static struct pv_seed copy_seed(
    struct pv_arena *arena, const struct pv_seed *seed)
{
	struct pv_seed copy = {.kind = seed->kind};
	if (seed->kind == PV_SEED_FILE)
		copy.text = pv_arena_text(arena, pv_str_of(seed->text));
	else
		pv_seed_read_address(pv_str_of(seed->text), arena, &copy);
	copy.depth = seed->depth;
	if (seed->tag)
		copy.tag = pv_arena_text(arena, pv_str_of(seed->tag));
	if (seed->as)
		copy.as = pv_arena_text(arena, pv_str_of(seed->as));
	copy.origin.place.file =
	    pv_arena_text(arena, PV_STR("the crawl that is there"));
	return copy;
}

/* What is wrong with the rest of that policy is none of its seeds' fault. */
static void load_seeds_of(struct loader *loader, const char *file)
{
	struct pv_arena *arena = &loader->policy->arena;
	struct pv_seeds *seeds = &loader->policy->seeds;
	struct pv_why why;
	pv_why_init(&why);
	struct pv_policy *other =
	    pv_policy_load(&(struct pv_sources){.file = file}, &why);
	struct pv_seeds all = {
	    .items = pv_arena_give_array(
		arena, seeds->count + other->seeds.count, sizeof(*all.items)),
	    .count = seeds->count,
	};
	if (seeds->count)
		memcpy(
		    all.items, seeds->items, seeds->count * sizeof(*all.items));
	for (size_t i = 0; i < other->seeds.count; i++)
		all.items[all.count++] =
		    copy_seed(arena, &other->seeds.items[i]);
	*seeds = all;
	pv_policy_destroy(other);
	pv_why_finish(&why);
}

static void load_address(struct loader *loader, const char *text,
    const char *name, struct pv_seeds *seeds)
{
	struct pv_arena *arena = &loader->policy->arena;
	struct pv_str address = pv_str_of(text);
	struct pv_seed *seed = &seeds->items[seeds->count];
	struct pv_place place = {
	    .file = pv_arena_text(
		arena, pv_str_of(name ? name : "the command line"))};
	const char *fault = pv_seed_read_address(address, arena, seed);
	seed->origin.place = place;
	if (fault)
		pv_why_add(loader->why, place, address, "%s", fault);
	else
		seeds->count++;
}

/* Adds the further addresses to the seeds, but for those that are there. */
static void load_addresses(
    struct loader *loader, const struct pv_sources *sources)
{
	static const struct pv_hash_key key = {{0x70617661, 0x73656564}};
	struct pv_arena *arena = &loader->policy->arena;
	struct pv_seeds *seeds = &loader->policy->seeds;
	struct pv_map known;
	struct pv_seeds all = {
	    .items = pv_arena_give_array(arena,
		seeds->count + sources->address_count, sizeof(*all.items)),
	    .count = seeds->count,
	};
	pv_map_init(&known, key);
	if (seeds->count)
		memcpy(
		    all.items, seeds->items, seeds->count * sizeof(*all.items));
	for (size_t i = 0; i < seeds->count; i++)
		pv_map_add(&known, pv_str_of(seeds->items[i].text), 0);
	for (size_t i = 0; i < sources->address_count; i++) {
		if (!pv_map_get(&known, pv_str_of(sources->addresses[i])))
			load_address(loader, sources->addresses[i],
			    sources->address_names ? sources->address_names[i]
						   : NULL,
			    &all);
	}
	pv_map_finish(&known);
	*seeds = all;
}

/* An effective policy writes out what follows from max_rate and says that it is
 * the default. As long as that is true of it, nobody has given the value, and
 * it still follows. */
static void forget_derived(
    struct loader *loader, const char *path, int64_t *value, int64_t derived)
{
	const struct pv_option *option =
	    pv_option_get(pv_str_of(path), &pv_names_of_policy);
	const char *said =
	    loader->policy->origins[option - pv_names_of_policy.options].said;
	if (said && strcmp(said, "default") == 0 && *value == derived)
		*value = 0;
}

static void forget_all_derived(struct loader *loader)
{
	struct pv_rate *rate = &loader->policy->rate;
	struct pv_rate derived = {.max_rate = rate->max_rate};
	pv_rate_derive(&derived);
	forget_derived(loader, "rate.burst", &rate->burst, derived.burst);
	forget_derived(loader, "rate.concurrency", &rate->concurrency,
	    derived.concurrency);
}

/* What follows from other values where nobody has said it. */
static void derive(struct loader *loader)
{
	pv_rate_derive(&loader->policy->rate);
	if (!loader->is_output_given)
		loader->policy->output.has_mirror =
		    !loader->policy->pages.count && !loader->is_for_fleet;
	/* Rows need no images and styles. */
	if (!pv_policy_is_given(loader->policy, "scope.requisites"))
		loader->policy->scope.requisites =
		    !loader->policy->pages.count ||
		    loader->policy->output.has_mirror;
}

static void end(struct loader *loader)
{
	derive(loader);
	if (loader->owner)
		pv_guest_check(loader->policy, loader->owner, loader->why);
	if (loader->is_whole)
		pv_policy_check(loader->policy, loader->why);
	if (loader->file)
		pv_seeds_expect(loader->policy, loader->file, loader->why);
	pv_why_sort(loader->why);
	for (size_t i = 0; i < loader->file_count; i++) {
		struct file *read = &loader->files[i];
		pv_excerpts_add(
		    loader->why, read->name, pv_buf_str(&read->text));
		pv_buf_finish(&read->text);
	}
}

static struct loader begin(struct pv_why *why)
{
	struct loader loader = {
	    .policy = pv_policy_create(),
	    .why = why,
	    .is_whole = true,
	};
	pv_section_presets(
	    pv_target_of_policy(loader.policy), &loader.policy->arena, why);
	return loader;
}

struct pv_policy *pv_policy_load(
    const struct pv_sources *sources, struct pv_why *why)
{
	struct loader loader = begin(why);
	struct pv_policy *policy = loader.policy;
	loader.is_for_fleet = sources->is_for_fleet;
	if (sources->config_dir) {
		const char *dir = sources->config_dir;
		load_file(&loader,
		    pv_arena_format(&policy->arena, "%s/config.yaml", dir),
		    PV_LAYER_CONFIG);
		pv_never_read(&policy->never,
		    pv_arena_format(&policy->arena, "%s/never.txt", dir), why);
	}
	loader.file = sources->has_other_seeds ? NULL : sources->file;
	if (sources->text)
		load_text(&loader, sources->text);
	else if (sources->file)
		load_file(&loader, sources->file, PV_LAYER_POLICY);
	forget_all_derived(&loader);
	if (sources->owner)
		load_handed_in(&loader, sources);
	for (size_t i = 0; i < sources->setting_count; i++)
		load_setting(&loader, &sources->settings[i],
		    name_of_setting(sources, i));
	if (sources->seeds_of)
		load_seeds_of(&loader, sources->seeds_of);
	if (sources->address_count)
		load_addresses(&loader, sources);
	pv_seed_input_read(policy, sources, why);
	loader.owner = policy->owner = sources->owner;
	if (sources->owner)
		loader.file = "policy";
	policy->lent = sources->lent;
	end(&loader);
	return policy;
}

struct pv_policy *pv_policy_load_text(
    const char *name, struct pv_str text, struct pv_why *why)
{
	struct loader loader = begin(why);
	struct pv_reading reading;
	pv_reading_init(
	    &reading, &loader.policy->arena, why, name, PV_LAYER_POLICY);
	if (strchr(name, '/'))
		reading.directory =
		    pv_directory_of(&loader.policy->arena, name);
	load_document(&loader, &reading, text);
	pv_reading_finish(&reading);
	end(&loader);
	pv_excerpts_add(why, name, text);
	return loader.policy;
}
