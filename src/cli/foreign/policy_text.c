#include "cli/foreign/policy_text.h"

#include <stdlib.h>
#include <string.h>

/* In the order in which policies are mostly written. */
static const char *const sections[] = {
    "identity", "rate", "politeness", "scope", "limits", "fetch", "output"};

#define SECTION_COUNT (sizeof(sections) / sizeof(*sections))

/* A comment is one line, whatever the option holds. */
static void write_comment(FILE *file, const char *text)
{
	for (; *text; text++)
		fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
}

static void write_notes(const struct pv_translation *translation,
    bool are_refused, const char *head, FILE *file)
{
	bool is_first = true;
	for (size_t i = 0; i < translation->count; i++) {
		const struct pv_translated *item = &translation->items[i];
		if (!item->says || item->is_refused != are_refused)
			continue;
		fputs(is_first ? head : "", file);
		fputs("#   ", file);
		write_comment(file, item->option);
		fprintf(file, ": %s\n", item->says);
		is_first = false;
	}
}

/* In quotes in which only a quote is doubled. */
static void write_word(FILE *file, const char *text)
{
	fputc('\'', file);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', file);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
	}
	fputc('\'', file);
}

static void write_seeds(const struct pv_translation *translation, FILE *file)
{
	if (!translation->address_count && !translation->input) {
		fputs("# seeds: the command names no address\n", file);
		return;
	}
	fputs("seeds:\n", file);
	for (size_t i = 0; i < translation->address_count; i++) {
		fputs("  - ", file);
		write_word(file, translation->addresses[i]);
		fputc('\n', file);
	}
	if (translation->input) {
		fputs("  - {file: ", file);
		write_word(file, translation->input);
		fputs("}\n", file);
	}
}

/* How many parts of both paths, but for the last, are the same. */
static size_t common(const char *path, const char *before)
{
	size_t count = 0;
	for (size_t i = 0; path[i] && path[i] == before[i]; i++)
		count += path[i] == '.';
	return count;
}

/* The names above a key on lines of their own, as far as they are new. */
static void write_key(FILE *file, const char *key, const char *before)
{
	size_t known = common(key, before), depth = 0;
	const char *dot;
	while ((dot = strchr(key, '.'))) {
		if (depth >= known)
			fprintf(file, "%*s%.*s:\n", (int)depth * 2, "",
			    (int)(dot - key), key);
		key = dot + 1;
		depth++;
	}
	fprintf(file, "%*s%s: ", (int)depth * 2, "", key);
}

static void write_options(
    const struct pv_translation *translation, const char *key, FILE *file)
{
	const char *between = "  # ";
	for (size_t i = 0; i < translation->count; i++) {
		const struct pv_translated *item = &translation->items[i];
		if (!item->key || strcmp(item->key, key) != 0)
			continue;
		fputs(between, file);
		write_comment(file, item->option);
		between = ", ";
	}
	fputc('\n', file);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Keys of a section lie together, so that its name stands there once. */
static void write_section(
    const struct pv_translation *translation, const char *section, FILE *file)
{
	size_t len = strlen(section), count = 0;
	const char **keys = calloc(translation->count + 1, sizeof(*keys));
	const char *before = "";
	for (size_t i = 0; keys && i < translation->count; i++) {
		const char *key = translation->items[i].key;
		if (key && strncmp(key, section, len) == 0 && key[len] == '.')
			keys[count++] = key;
	}
	if (count)
		qsort(keys, count, sizeof(*keys), compare);
	for (size_t i = 0; i < count; i++) {
		if (i && strcmp(keys[i], keys[i - 1]) == 0)
			continue;
		write_key(file, keys[i], before);
		for (size_t j = 0; j < translation->count; j++) {
			bool is_it =
			    translation->items[j].key &&
			    strcmp(translation->items[j].key, keys[i]) == 0;
			char *value =
			    is_it ? pv_translation_value(translation, j) : NULL;
			if (value)
				fputs(value, file);
			free(value);
		}
		write_options(translation, keys[i], file);
		before = keys[i];
	}
	free(keys);
}

void pv_policy_text_write(const struct pv_translation *translation, FILE *file)
{
	fputs("version: 1\n", file);
	write_seeds(translation, file);
	for (size_t i = 0; i < SECTION_COUNT; i++)
		write_section(translation, sections[i], file);
	write_notes(translation, false, "# So anyway:\n", file);
	write_notes(translation, true, "# Not so here:\n", file);
	if (translation->directory)
		fprintf(file, "# The directory is an option: -o %s\n",
		    translation->directory);
}
