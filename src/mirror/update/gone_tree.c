#include "mirror/update/gone_tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buf.h"
#include "base/reader.h"
#include "mirror/files/directories.h"
#include "mirror/files/unsynced.h"

struct pv_gone_tree {
	struct pv_buf directory;
	int root; /* negative until it is needed */
	struct pv_directories *directories;
	struct pv_unsynced unsynced;
};

/* A file as functions want it: the directory that it is in, and its name. */
struct place {
	int directory;
	struct pv_buf name;
};

struct pv_gone_tree *pv_gone_tree_create(const char *directory)
{
	struct pv_gone_tree *tree = pv_alloc(sizeof(*tree));
	pv_buf_init(&tree->directory, SIZE_MAX);
	pv_buf_append_text(&tree->directory, directory);
	tree->root = -1;
	pv_unsynced_init(&tree->unsynced);
	return tree;
}

void pv_gone_tree_destroy(struct pv_gone_tree *tree)
{
	if (!tree)
		return;
	pv_directories_destroy(tree->directories);
	pv_unsynced_finish(&tree->unsynced);
	if (tree->root >= 0)
		close(tree->root);
	pv_buf_finish(&tree->directory);
	free(tree);
}

static bool open_root(struct pv_gone_tree *tree)
{
	if (tree->root >= 0)
		return true;
	tree->root = open(
	    pv_buf_text(&tree->directory), O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (tree->root >= 0)
		tree->directories = pv_directories_create(tree->root);
	return tree->root >= 0;
}

/* Walking, where nothing is made */

static void take_name(struct pv_buf *name, struct pv_str text)
{
	pv_buf_clear(name);
	pv_buf_append(name, text);
}

/* The directory is given up for the one of that name in it; it is ELOOP for a
 * symbolic link. */
static int step(int directory, const char *name)
{
	int file = openat(
	    directory, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat facts;
	if (file < 0 && errno == ENOTDIR &&
	    fstatat(directory, name, &facts, AT_SYMLINK_NOFOLLOW) == 0)
		errno = S_ISLNK(facts.st_mode) ? ELOOP : ENOTDIR;
	int saved = errno;
	close(directory);
	errno = saved;
	return file;
}

/* False, with errno, if there is no such directory. */
static bool find_place(
    struct pv_gone_tree *tree, struct pv_str path, struct place *place)
{
	struct pv_reader reader = pv_reader_of(path);
	*place = (struct place){.directory = -1};
	if (!open_root(tree))
		return false;
	place->directory = openat(
	    tree->root, ".", O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	pv_buf_init(&place->name, path.len);
	take_name(&place->name, pv_reader_take_until(&reader, '/'));
	while (place->directory >= 0 && pv_reader_accept(&reader, '/')) {
		place->directory =
		    step(place->directory, pv_buf_text(&place->name));
		take_name(&place->name, pv_reader_take_until(&reader, '/'));
	}
	if (place->directory >= 0)
		return true;
	int saved = errno;
	pv_buf_finish(&place->name);
	errno = saved;
	return false;
}

static void leave_place(struct place *place)
{
	int saved = errno;
	close(place->directory);
	pv_buf_finish(&place->name);
	errno = saved;
}

/* 0 for a file that is no link and nothing else. */
static int look_at(const struct place *place)
{
	struct stat facts;
	if (fstatat(place->directory, pv_buf_text(&place->name), &facts,
		AT_SYMLINK_NOFOLLOW) != 0)
		return errno;
	if (S_ISREG(facts.st_mode))
		return 0;
	if (S_ISLNK(facts.st_mode))
		return ELOOP;
	return S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
}

bool pv_gone_tree_has(struct pv_gone_tree *tree, struct pv_str path)
{
	struct place place;
	if (!find_place(tree, path, &place))
		return false;
	bool is_there = look_at(&place) == 0;
	leave_place(&place);
	return is_there;
}

/* Empty directories above the path go; one that is not empty, or cannot be
 * opened, stays. */
static void tidy(struct pv_gone_tree *tree, struct pv_str path)
{
	size_t end;
	bool is_empty = true;
	while (
	    is_empty && (end = pv_str_find_last(path, '/')) != PV_NOT_FOUND) {
		struct place place;
		path = pv_str_head(path, end);
		if (!find_place(tree, path, &place))
			return;
		is_empty = unlinkat(place.directory, pv_buf_text(&place.name),
			       AT_REMOVEDIR) == 0;
		leave_place(&place);
	}
}

/* Moving */

static struct pv_str parent_of(struct pv_str path)
{
	return pv_str_head(path, pv_str_find_last(path, '/'));
}

static int rename_to(
    struct pv_gone_tree *tree, const struct place *from, struct pv_str to)
{
	struct pv_buf name;
	size_t reached;
	struct pv_directory *directory =
	    pv_directories_take(tree->directories, parent_of(to), &reached);
	if (!directory)
		return errno;
	pv_buf_init(&name, to.len);
	take_name(&name, pv_str_from(to, parent_of(to).len + 1));
	int error = renameat(from->directory, pv_buf_text(&from->name),
			directory->file, pv_buf_text(&name)) == 0
			? 0
			: errno;
	pv_buf_finish(&name);
	/* It may have been removed since it was opened. */
	if (error == ENOENT)
		pv_directories_forget(tree->directories, directory);
	pv_directories_give(tree->directories, directory);
	return error;
}

static int move_once(
    struct pv_gone_tree *tree, struct pv_str from, struct pv_str to)
{
	struct place place;
	if (!find_place(tree, from, &place))
		return errno;
	int error = look_at(&place);
	if (!error) {
		error = rename_to(tree, &place, to);
		/* That it is not there has been said of the other place. */
		if (error == ENOENT && look_at(&place) == 0)
			error = EAGAIN;
	}
	leave_place(&place);
	return error;
}

int pv_gone_tree_move(
    struct pv_gone_tree *tree, struct pv_str from, struct pv_str to)
{
	int error = move_once(tree, from, to);
	if (error == EAGAIN)
		error = move_once(tree, from, to);
	if (error == ENOENT && pv_gone_tree_has(tree, to))
		error = 0;
	if (error && error != ENOENT)
		tidy(tree, to);
	if (error)
		return error;
	pv_unsynced_add(&tree->unsynced, from);
	pv_unsynced_add(&tree->unsynced, to);
	tidy(tree, from);
	return 0;
}

int pv_gone_tree_remove(struct pv_gone_tree *tree, struct pv_str path)
{
	struct place place;
	if (!find_place(tree, path, &place))
		return errno;
	int error = look_at(&place);
	if (!error &&
	    unlinkat(place.directory, pv_buf_text(&place.name), 0) != 0)
		error = errno;
	leave_place(&place);
	if (error)
		return error;
	pv_unsynced_add(&tree->unsynced, path);
	tidy(tree, path);
	return 0;
}

int pv_gone_tree_sync(struct pv_gone_tree *tree)
{
	if (tree->root < 0 || pv_unsynced_sync(&tree->unsynced, tree->root))
		return 0;
	return errno;
}
