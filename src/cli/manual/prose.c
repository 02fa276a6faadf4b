#include "cli/manual/prose.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pv_prose_part *find_part(struct pv_prose *prose, const char *name)
{
	for (size_t i = 0; i < prose->count; i++) {
		if (strcmp(prose->parts[i].name, name) == 0)
			return &prose->parts[i];
	}
	return NULL;
}

static const char *add_part(struct pv_prose *prose, const char *name)
{
	if (prose->count == PV_PROSE_PARTS_MAX)
		return "one part too many";
	if (find_part(prose, name))
		return "a second part of this name";
	prose->parts[prose->count++] = (struct pv_prose_part){.name = name};
	return NULL;
}

/* Cuts the text at the lines that begin a part. NULL, or what is wrong with the
 * last part. */
static const char *cut(struct pv_prose *prose)
{
	const char *fault = add_part(prose, "");
	char *line = prose->text;
	prose->parts[0].text = line;
	while (!fault && *line) {
		char *end = line + strcspn(line, "\n");
		char *next = *end ? end + 1 : end;
		if (*line == '@') {
			*line = '\0';
			*end = '\0';
			fault = add_part(prose, line + 1);
			prose->parts[prose->count - 1].text = next;
		}
		line = next;
	}
	return fault;
}

bool pv_prose_read(struct pv_prose *prose, const char *path)
{
	size_t size = 0;
	*prose = (struct pv_prose){0};
	errno = 0;
	FILE *file = fopen(path, "r");
	/* There is no NUL in it: that is all of the file. */
	bool is_read = file && getdelim(&prose->text, &size, '\0', file) >= 0;
	if (!is_read)
		fprintf(stderr, "%s: cannot be read: %s\n", path,
		    file && !errno ? "it is empty" : strerror(errno));
	if (file)
		fclose(file);
	if (!is_read)
		return false;
	const char *fault = cut(prose);
	if (fault)
		fprintf(stderr, "%s: @%s: %s\n", path,
		    prose->parts[prose->count - 1].name, fault);
	return !fault;
}

void pv_prose_finish(struct pv_prose *prose)
{
	free(prose->text);
}

const char *pv_prose_take(struct pv_prose *prose, const char *name)
{
	struct pv_prose_part *part = find_part(prose, name);
	if (!part)
		return "";
	part->is_taken = true;
	return part->text;
}

const char *pv_prose_left(const struct pv_prose *prose)
{
	for (size_t i = 0; i < prose->count; i++) {
		if (!prose->parts[i].is_taken)
			return prose->parts[i].name;
	}
	return NULL;
}
