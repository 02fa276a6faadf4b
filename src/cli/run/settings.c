#include "cli/run/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Grows an array to where one more item fits. */
static void *grown(void *items, size_t count, size_t item_size)
{
	void *moved = reallocarray(items, count + 1, item_size);
	if (!moved)
		pavane_out_of_memory(item_size);
	return moved;
}

static char *copy_of(const char *text)
{
	char *copy = text ? strdup(text) : NULL;
	if (text && !copy)
		pavane_out_of_memory(strlen(text));
	return copy;
}

/* Takes the texts. */
static void give(struct pv_settings *settings, char *host, char *assignment,
    const char *name)
{
	settings->items =
	    grown(settings->items, settings->count, sizeof(*settings->items));
	settings->names =
	    grown(settings->names, settings->count, sizeof(*settings->names));
	settings->items[settings->count] =
	    (struct pavane_setting){host, assignment};
	settings->names[settings->count++] = name;
}

void pv_settings_add(struct pv_settings *settings, const char *host,
    const char *assignment, const char *name)
{
	give(settings, copy_of(host), copy_of(assignment), name);
}

void pv_settings_add_key(struct pv_settings *settings, const char *key,
    const char *value, const char *name)
{
	char *assignment;
	if (asprintf(&assignment, "%s=%s", key, value) < 0)
		pavane_out_of_memory(strlen(value));
	give(settings, NULL, assignment, name);
}

void pv_settings_add_all(
    struct pv_settings *settings, const struct pv_settings *others)
{
	for (size_t i = 0; i < others->count; i++)
		pv_settings_add(settings, others->items[i].host,
		    others->items[i].assignment, others->names[i]);
}

/* The texts are owned here; readers may not change them. */
void pv_settings_finish(struct pv_settings *settings)
{
	for (size_t i = 0; i < settings->count; i++) {
		free((void *)(uintptr_t)settings->items[i].host);
		free((void *)(uintptr_t)settings->items[i].assignment);
	}
	free(settings->items);
	free(settings->names);
	*settings = (struct pv_settings){0};
}
