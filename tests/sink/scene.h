#ifndef PAVANE_TESTS_SINK_SCENE_H
#define PAVANE_TESTS_SINK_SCENE_H

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "descriptors.h"
#include "policy/policy.h"
#include "scratch.h"
#include "sink/sink.h"
#include "tap.h"

/* A directory with a sink in it, and a page on its way there. Texts that are
 * given out live until the next one is asked for. */
struct scene {
	struct scratch scratch;
	struct pv_policy *policy;
	struct pv_why why;
	struct pv_sink *sink;
	const struct pv_sink_kind *kind;
	struct pv_visit visit;
	struct pv_response response;
	struct pv_page page;
	struct pv_buf text;
	struct pv_buf said;
	unsigned descriptors; /* open before */
};

__attribute__((unused)) static void scene_begin(
    struct scene *scene, const struct pv_sink_kind *kind)
{
	*scene =
	    (struct scene){.kind = kind, .descriptors = descriptors_count()};
	scratch_make(&scene->scratch);
	scene->policy = pv_policy_create();
	pv_why_init(&scene->why);
	pv_response_init(&scene->response, scene->scratch.path, 1 << 20);
	pv_page_init(&scene->page);
	pv_buf_init(&scene->text, (size_t)16 << 20);
	pv_buf_init(&scene->said, 65536);
	scene->page.visit = &scene->visit;
	scene->page.response = &scene->response;
}

__attribute__((unused)) static bool scene_open(struct scene *scene)
{
	struct pv_sink_plan plan = {.directory = scene->scratch.path,
	    .policy = scene->policy,
	    .round = 2};
	scene->sink = scene->kind->open(&plan, &scene->why);
	return scene->sink != NULL;
}

__attribute__((unused)) static void scene_close(struct scene *scene)
{
	scene->kind->close(scene->sink);
	scene->sink = NULL;
}

/* The page on its way through the sink, whose part is the first. */
__attribute__((unused)) static bool scene_prepare(struct scene *scene)
{
	return scene->kind->prepare(
	    scene->sink, &scene->page, &scene->page.parts[0]);
}

__attribute__((unused)) static bool scene_append(
    struct scene *scene, bool is_final)
{
	const struct pv_sink_entry entry = {
	    .page = &scene->page,
	    .part = &scene->page.parts[0],
	    .is_final = is_final,
	};
	return scene->kind->append(scene->sink, &entry);
}

/* Everything below a directory, and itself. */
static void scene_remove(int parent, const char *name)
{
	int file = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	DIR *directory = file < 0 ? NULL : fdopendir(file);
	const struct dirent *entry;
	while (directory && (entry = readdir(directory))) {
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0 &&
		    unlinkat(dirfd(directory), entry->d_name, 0) != 0)
			scene_remove(dirfd(directory), entry->d_name);
	}
	if (directory)
		closedir(directory);
	unlinkat(parent, name, AT_REMOVEDIR);
}

__attribute__((unused)) static void scene_end(struct scene *scene)
{
	scene->kind->close(scene->sink);
	pv_policy_destroy(scene->policy);
	pv_why_finish(&scene->why);
	pv_response_finish(&scene->response);
	pv_page_finish(&scene->page);
	pv_buf_finish(&scene->text);
	pv_buf_finish(&scene->said);
	scene_remove(AT_FDCWD, scene->scratch.path);
	descriptors_claim(scene->descriptors);
}

/* The first problem as it is told; empty if there is none. */
__attribute__((unused)) static const char *scene_problem(struct scene *scene)
{
	pv_buf_clear(&scene->said);
	if (scene->why.problems.kept_count)
		pv_problem_write(&scene->why.problems.kept[0], &scene->said);
	pv_why_finish(&scene->why);
	pv_why_init(&scene->why);
	return pv_buf_text(&scene->said);
}

/* What stands in a file below; ptr is NULL if it cannot be read. */
__attribute__((unused)) static struct pv_str scene_read(
    struct scene *scene, const char *name)
{
	pv_buf_clear(&scene->text);
	if (pv_file_read(scratch_file(&scene->scratch, name), &scene->text) !=
	    PV_FILE_READ)
		return (struct pv_str){NULL, 0};
	return pv_buf_str(&scene->text);
}

__attribute__((unused)) static bool scene_write(
    struct scene *scene, const char *name, const char *text)
{
	FILE *file = fopen(scratch_file(&scene->scratch, name), "wb");
	if (!file)
		return false;
	bool is_written = fputs(text, file) >= 0;
	return fclose(file) == 0 && is_written;
}

/* A symbolic link of that name. */
__attribute__((unused)) static bool scene_link(
    struct scene *scene, const char *target, const char *name)
{
	return symlink(target, scratch_file(&scene->scratch, name)) == 0;
}

/* How many names are in a directory below; -1 if it is none. */
__attribute__((unused)) static int scene_count(
    struct scene *scene, const char *name)
{
	int count = 0;
	const struct dirent *entry;
	DIR *directory = opendir(scratch_file(&scene->scratch, name));
	if (!directory)
		return -1;
	while ((entry = readdir(directory)))
		count += strcmp(entry->d_name, ".") != 0 &&
			 strcmp(entry->d_name, "..") != 0;
	closedir(directory);
	return count;
}

__attribute__((unused)) static bool has_part(const char *text, const char *part)
{
	bool has = strstr(text, part) != NULL;
	if (!has)
		printf("# \"%s\" is not in: %s\n", part, text);
	return has;
}

#endif
