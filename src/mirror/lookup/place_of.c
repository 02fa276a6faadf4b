#include "mirror/lookup/place_of.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "url/percent.h"

#define PATH_CEILING ((size_t)1 << 16)

/* Takes the beginning away if it is there. */
static bool take_head(struct pv_str *text, struct pv_str head)
{
	bool is_there = text->len >= head.len &&
			pv_str_equal_nocase(pv_str_head(*text, head.len), head);
	if (is_there)
		*text = pv_str_from(*text, head.len);
	return is_there;
}

/* A path as it was written, or that of "file:///path#part" or
 * "file://localhost/path" (RFC 8089). */
static void append_path(struct pv_buf *path, const char *written)
{
	struct pv_str text = pv_str_of(written);
	if (!take_head(&text, PV_STR("file:"))) {
		pv_buf_append(path, text);
		return;
	}
	if (take_head(&text, PV_STR("//")))
		take_head(&text, PV_STR("localhost"));
	size_t end = strcspn(text.ptr, "?#");
	pv_percent_decode(path, pv_str_head(text, end));
}

static enum pv_place_kind place_below(
    const char *directory, const char *found, struct pv_buf *file)
{
	struct stat facts;
	char *root = realpath(directory, NULL);
	size_t len = root ? strlen(root) : 0;
	bool is_below =
	    root && strncmp(found, root, len) == 0 && found[len] == '/';
	enum pv_place_kind place = PV_PLACE_ELSEWHERE;
	if (is_below && stat(found, &facts) == 0) {
		place =
		    S_ISDIR(facts.st_mode) ? PV_PLACE_DIRECTORY : PV_PLACE_FILE;
		pv_buf_append_text(file, found + len + 1);
	}
	free(root);
	return place;
}

static enum pv_place_kind place_at(
    const char *directory, const char *path, struct pv_buf *file)
{
	char *found = realpath(path, NULL);
	enum pv_place_kind place =
	    found ? place_below(directory, found, file) : PV_PLACE_NOWHERE;
	free(found);
	return place;
}

/* A name that is found here and elsewhere is found below the directory. */
enum pv_place_kind pv_place_of(
    const char *directory, const char *written, struct pv_buf *file)
{
	static const char *const beginnings[] = {"", "/", "/site/"};
	enum pv_place_kind place = PV_PLACE_NOWHERE;
	struct pv_buf path;
	bool is_from_root = false;
	pv_buf_init(&path, PATH_CEILING);
	for (size_t i = 0; i < 3 && !is_from_root && place > PV_PLACE_DIRECTORY;
	     i++) {
		pv_buf_clear(&path);
		if (i)
			pv_buf_append_format(
			    &path, "%s%s", directory, beginnings[i]);
		append_path(&path, written);
		is_from_root = !i && pv_buf_text(&path)[0] == '/';
		enum pv_place_kind here =
		    place_at(directory, pv_buf_text(&path), file);
		if (here != PV_PLACE_NOWHERE)
			place = here;
	}
	pv_buf_finish(&path);
	return place;
}
