#include "cli/foreign/translation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pavane/pavane.h"

#define MEMORY_LEAST 64

void pv_translation_init(struct pv_translation *translation)
{
	*translation = (struct pv_translation){.items = NULL};
}

void pv_translation_finish(struct pv_translation *translation)
{
	for (size_t i = 0; i < translation->count; i++) {
		free(translation->items[i].key);
		free(translation->items[i].value);
		free(translation->items[i].option);
	}
	for (size_t i = 0; i < translation->address_count; i++)
		free(translation->addresses[i]);
	free(translation->items);
	free(translation->addresses);
	free(translation->input);
	free(translation->directory);
}

static void *grow(void *items, size_t count, size_t *size, size_t item)
{
	if (count < *size)
		return items;
	*size = *size ? 2 * *size : 8;
	items = realloc(items, *size * item);
	if (!items)
		pavane_out_of_memory(*size * item);
	return items;
}

static char *copy(const char *text)
{
	char *copied = strdup(text);
	if (!copied)
		pavane_out_of_memory(strlen(text));
	return copied;
}

void pv_translation_add_address(
    struct pv_translation *translation, const char *address)
{
	translation->addresses =
	    grow(translation->addresses, translation->address_count,
		&translation->address_size, sizeof(*translation->addresses));
	translation->addresses[translation->address_count++] = copy(address);
}

static struct pv_translated *add(
    struct pv_translation *translation, const char *written)
{
	translation->items = grow(translation->items, translation->count,
	    &translation->size, sizeof(*translation->items));
	struct pv_translated *item = &translation->items[translation->count++];
	*item = (struct pv_translated){.option = copy(written)};
	return item;
}

void pv_translation_refuse(
    struct pv_translation *translation, const char *written, const char *says)
{
	struct pv_translated *item = add(translation, written);
	item->says = says;
	item->is_refused = true;
}

/* Values */

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

#define LOWER 0x20 /* of a letter, capital or not */

/* So many, with a letter for the unit; negative if it is none. */
static double number_of(
    const char *text, const char *letters, const double *factors)
{
	char *end;
	double number = strtod(text, &end);
	if (end == text || !isfinite(number) || number < 0 || !is_digit(*text))
		return -1;
	if (!*end)
		return number;
	const char *letter = strchr(letters, *end | LOWER);
	return letter && !end[1] ? number * factors[letter - letters] : -1;
}

static void write_seconds(FILE *file, const char *text)
{
	static const double factors[] = {1000, 60000, 3600000, 86400000};
	double seconds = number_of(text, "smhd", factors);
	if (seconds >= 0 && is_digit(text[strlen(text) - 1]))
		seconds *= 1000;
	if (seconds >= 0 && seconds < 1e15)
		fprintf(file, "%.0fms", seconds);
}

static void write_bytes(FILE *file, const char *text, const char *after)
{
	static const double factors[] = {1024, 1048576, 1073741824};
	double bytes = number_of(text, "kmg", factors);
	if (bytes >= 0 && bytes < 1e15)
		fprintf(file, "%.0fB%s", bytes, after);
}

static bool is_unlimited(const char *text)
{
	return strcmp(text, "inf") == 0 || strcmp(text, "0") == 0;
}

static void write_depth(FILE *file, const char *text)
{
	fputs(is_unlimited(text) ? "none" : text, file);
}

static void write_tries(FILE *file, const char *text)
{
	long tries = strtol(text, NULL, 10);
	if (is_unlimited(text))
		fputs("100", file);
	else if (tries > 0 && tries < 1000)
		fprintf(file, "%ld", tries - 1);
}

/* In quotes in which YAML reads escapes. */
static void write_quoted(FILE *file, const char *text, size_t len)
{
	fputc('"', file);
	for (size_t i = 0; i < len; i++) {
		unsigned char byte = (unsigned char)text[i];
		if (byte == '"' || byte == '\\')
			fprintf(file, "\\%c", byte);
		else if (byte < ' ' || byte == 127)
			fprintf(file, "\\x%02x", byte);
		else
			fputc(byte, file);
	}
	fputc('"', file);
}

static void write_header(FILE *file, const char *text)
{
	size_t len = strcspn(text, ":");
	if (text[len] != ':')
		return;
	const char *value = text + len + 1;
	value += strspn(value, " \t");
	write_quoted(file, text, len);
	fputs(": ", file);
	write_quoted(file, value, strlen(value));
}

/* Each part of a list between commas, within what stands around it. */
static void write_list(
    FILE *file, const char *list, const char *before, const char *after)
{
	bool is_first = true;
	while (*list) {
		size_t len = strcspn(list, ",");
		if (len) {
			fprintf(file, "%s%s", is_first ? "" : ", ", before);
			write_quoted(file, list, len);
			fputs(after, file);
			is_first = false;
		}
		list += len + (list[len] == ',');
	}
}

/* "zip,*.iso,.gz": names of endings; what is more of a pattern has none. */
static bool are_endings(const char *list)
{
	for (; *list; list += *list == ',') {
		list += strspn(list, "*");
		list += *list == '.';
		size_t len = strcspn(list, ",");
		if (!len || strcspn(list, "*?[./") < len)
			return false;
		list += len;
	}
	return true;
}

static void write_endings(FILE *file, const char *list)
{
	char bare[1024] = "";
	if (strlen(list) >= sizeof(bare) || !are_endings(list))
		return;
	for (const char *at = list; *at; at++) {
		bool is_start = at == list || at[-1] == ',' || at[-1] == '*';
		if (*at != '*' && !(*at == '.' && is_start))
			strncat(bare, at, 1);
	}
	fputs("{deny: {ext: [", file);
	write_list(file, bare, "", "");
	fputs("]}}", file);
}

static void write_places(FILE *file, const char *list)
{
	bool is_first = true;
	while (*list) {
		size_t len = strcspn(list, ",");
		size_t bare = len;
		while (bare && list[bare - 1] == '/')
			bare--;
		if (bare) {
			fprintf(file, "%s{deny: {path: \"%s%.*s/*\"}}",
			    is_first ? "" : ", ", *list == '/' ? "" : "/",
			    (int)bare, list);
			is_first = false;
		}
		list += len + (list[len] == ',');
	}
}

static void write_value(
    FILE *file, const struct pv_foreign_option *option, const char *argument)
{
	switch (option->value) {
	case PV_VALUE_NONE:
		fputs(option->says, file);
		break;
	case PV_VALUE_SECRET:
		break; /* no key has one */
	case PV_VALUE_AS_IS:
		fputs(argument, file);
		break;
	case PV_VALUE_QUOTED:
		write_quoted(file, argument, strlen(argument));
		break;
	case PV_VALUE_SECONDS:
		write_seconds(file, argument);
		break;
	case PV_VALUE_RATE:
		write_bytes(file, argument, "/s");
		break;
	case PV_VALUE_SIZE:
		write_bytes(file, argument, "");
		break;
	case PV_VALUE_DEPTH:
		write_depth(file, argument);
		break;
	case PV_VALUE_TRIES:
		write_tries(file, argument);
		break;
	case PV_VALUE_HEADER:
		write_header(file, argument);
		break;
	case PV_VALUE_HOSTS:
		fputc('[', file);
		write_list(file, argument, "", "");
		fputc(']', file);
		break;
	case PV_VALUE_ENDINGS:
		write_endings(file, argument);
		break;
	case PV_VALUE_PLACES:
		write_places(file, argument);
		break;
	case PV_VALUE_DENIED:
		write_list(file, argument, "{deny: {host: ", "}}");
		break;
	}
}

/* Empty where the argument makes no sense. */
static char *value_of(
    const struct pv_foreign_option *option, const char *argument)
{
	char *text;
	size_t len;
	FILE *file = open_memstream(&text, &len);
	if (!file)
		pavane_out_of_memory(MEMORY_LEAST);
	write_value(file, option, argument);
	if (fclose(file) != 0)
		pavane_out_of_memory(MEMORY_LEAST);
	return text;
}

/* Taking */

static bool set(struct pv_translation *translation,
    const struct pv_foreign_option *option, const char *written,
    const char *argument)
{
	char *value = value_of(option, argument);
	if (!*value) {
		free(value);
		pv_translation_refuse(translation, written,
		    "its argument is none that has a meaning here");
		return false;
	}
	struct pv_translated *item = add(translation, written);
	item->key = copy(option->key);
	item->value = value;
	return true;
}

/* "--user anna:secret", "--user=anna:secret" and "-uanna:secret" are told as
 * options alone. */
static void answer(struct pv_translation *translation,
    const struct pv_foreign_option *option, const char *written)
{
	char bare[64];
	size_t len = written[1] == '-' ? strcspn(written, " =") : 2;
	if (option->value == PV_VALUE_SECRET) {
		snprintf(bare, sizeof(bare), "%.*s", (int)len, written);
		written = bare;
	}
	pv_translation_refuse(translation, written, option->says);
}

bool pv_translation_take(struct pv_translation *translation,
    const struct pv_foreign_option *option, const char *written,
    const char *argument)
{
	switch (option->effect) {
	case PV_FOREIGN_SETS:
		return set(translation, option, written, argument);
	case PV_FOREIGN_LISTS:
		free(translation->input);
		translation->input = copy(argument);
		return true;
	case PV_FOREIGN_STORES:
		free(translation->directory);
		translation->directory = copy(argument);
		return true;
	case PV_FOREIGN_IS_SO:
		add(translation, written)->says = option->says;
		return true;
	case PV_FOREIGN_ANSWER:
		answer(translation, option, written);
		return true;
	}
	return false;
}

/* Giving */

/* Lists and mappings of which each option adds a part. */
static const struct {
	const char *key;
	const char *begin;
	const char *end;
} parts[] = {{"scope.rules", "[", "]"}, {"fetch.headers", "{", "}"}};

#define PARTS_COUNT (sizeof(parts) / sizeof(*parts))

static size_t part_of(const char *key)
{
	size_t i = 0;
	while (i < PARTS_COUNT && strcmp(parts[i].key, key) != 0)
		i++;
	return i;
}

static bool has_key(const struct pv_translated *item, const char *key)
{
	return item->key && strcmp(item->key, key) == 0;
}

static bool is_last(const struct pv_translation *translation, size_t number)
{
	const char *key = translation->items[number].key;
	for (size_t i = number + 1; i < translation->count; i++) {
		if (has_key(&translation->items[i], key))
			return false;
	}
	return true;
}

static char *join(
    const struct pv_translation *translation, const char *key, size_t part)
{
	char *text;
	size_t len;
	FILE *file = open_memstream(&text, &len);
	const char *between = parts[part].begin;
	if (!file)
		pavane_out_of_memory(MEMORY_LEAST);
	for (size_t i = 0; i < translation->count; i++) {
		if (!has_key(&translation->items[i], key))
			continue;
		fprintf(file, "%s%s", between, translation->items[i].value);
		between = ", ";
	}
	fputs(parts[part].end, file);
	if (fclose(file) != 0)
		pavane_out_of_memory(MEMORY_LEAST);
	return text;
}

char *pv_translation_value(
    const struct pv_translation *translation, size_t number)
{
	const struct pv_translated *item = &translation->items[number];
	if (!item->key || !is_last(translation, number))
		return NULL;
	size_t part = part_of(item->key);
	return part < PARTS_COUNT ? join(translation, item->key, part)
				  : copy(item->value);
}
