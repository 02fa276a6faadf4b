#include "mirror/links/relative.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "url/percent.h"

/* Writing */

static bool is_plain(int byte)
{
	static const struct pv_str marks = PV_STR("/-._~=+@");
	return pv_is_alnum(byte) ||
	       pv_str_find(marks, (char)byte) != PV_NOT_FOUND;
}

static void append_path(struct pv_buf *address, struct pv_str path)
{
	struct pv_reader reader = pv_reader_of(path);
	while (!pv_reader_is_end(&reader)) {
		pv_buf_append(address, pv_reader_take_while(&reader, is_plain));
		if (!pv_reader_is_end(&reader))
			pv_percent_append_byte(
			    address, (char)pv_reader_next(&reader));
	}
}

/* How much of both is the same directories, with the slash behind them. */
static size_t shared_len(struct pv_str from, struct pv_str to)
{
	size_t shared = 0;
	for (size_t i = 0; i < from.len && i < to.len; i++) {
		if (from.ptr[i] != to.ptr[i])
			break;
		if (from.ptr[i] == '/')
			shared = i + 1;
	}
	return shared;
}

void pv_relative_write(
    struct pv_str from, struct pv_str to, struct pv_buf *address)
{
	size_t shared = shared_len(from, to);
	struct pv_str rest = pv_str_from(from, shared);
	for (size_t i = 0; i < rest.len; i++) {
		if (rest.ptr[i] == '/')
			pv_buf_append_text(address, "../");
	}
	append_path(address, pv_str_from(to, shared));
}

/* Reading */

/* Without its fragment; ptr is NULL if it is no relative path. */
static struct pv_str path_of(struct pv_str address)
{
	static const struct pv_str none = {NULL, 0};
	size_t hash = pv_str_find(address, '#');
	if (hash != PV_NOT_FOUND)
		address = pv_str_head(address, hash);
	size_t slash = pv_str_find(address, '/');
	size_t colon = pv_str_find(address, ':');
	bool has_scheme =
	    colon != PV_NOT_FOUND && (slash == PV_NOT_FOUND || colon < slash);
	if (!address.len || slash == 0 || has_scheme ||
	    pv_str_find(address, '?') != PV_NOT_FOUND ||
	    pv_str_find(address, '\\') != PV_NOT_FOUND)
		return none;
	return address;
}

/* The byte that stands there, or is written there as %XX. */
static int take_byte(struct pv_reader *reader)
{
	struct pv_reader ahead = *reader;
	if (!pv_reader_accept(&ahead, '%'))
		return pv_reader_next(reader);
	int high = pv_hex_value(pv_reader_next(&ahead));
	int low = pv_hex_value(pv_reader_next(&ahead));
	if (high < 0 || low < 0)
		return pv_reader_next(reader);
	*reader = ahead;
	return high << 4 | low;
}

static bool is_step(struct pv_str component)
{
	return pv_str_equal(component, PV_STR(".")) ||
	       pv_str_equal(component, PV_STR(".."));
}

/* Goes up one directory, at most to the one in which the trees of files are. */
static bool go_up(struct pv_buf *file, size_t start, size_t *end)
{
	struct pv_str path = {file->ptr + start, *end - start};
	size_t slash = pv_str_find_last(path, '/');
	if (!path.len)
		return false;
	*end = slash == PV_NOT_FOUND ? start : start + slash;
	pv_buf_cut(file, *end);
	return true;
}

/* One component, behind the directory that ends there. */
static bool append_component(
    struct pv_buf *file, size_t start, size_t *end, struct pv_str component)
{
	struct pv_reader reader = pv_reader_of(component);
	if (pv_str_equal(component, PV_STR("..")))
		return go_up(file, start, end);
	if (pv_str_equal(component, PV_STR(".")))
		return true;
	if (*end > start)
		pv_buf_append_char(file, '/');
	size_t name_at = file->len;
	while (!pv_reader_is_end(&reader)) {
		int byte = take_byte(&reader);
		if (byte == 0 || byte == '/')
			return false;
		pv_buf_append_char(file, (char)byte);
	}
	struct pv_str name = pv_str_from(pv_buf_str(file), name_at);
	*end = file->len;
	return !file->is_full && !is_step(name);
}

static bool append_components(
    struct pv_buf *file, size_t start, struct pv_str path)
{
	struct pv_reader reader = pv_reader_of(path);
	size_t end = file->len;
	do {
		if (!append_component(
			file, start, &end, pv_reader_take_until(&reader, '/')))
			return false;
	} while (pv_reader_accept(&reader, '/'));
	struct pv_str last = pv_str_from(path, pv_str_find_last(path, '/') + 1);
	return last.len && !is_step(last);
}

static bool is_in_tree(struct pv_str file)
{
	return pv_str_starts(file, PV_STR("site/")) ||
	       pv_str_starts(file, PV_STR("gone/"));
}

bool pv_relative_read(
    struct pv_str from, struct pv_str address, struct pv_buf *file)
{
	size_t start = file->len;
	struct pv_str path = path_of(address);
	size_t slash = pv_str_find_last(from, '/');
	if (!path.ptr || slash == PV_NOT_FOUND)
		return false;
	pv_buf_append(file, pv_str_head(from, slash));
	if (append_components(file, start, path) &&
	    is_in_tree(pv_str_from(pv_buf_str(file), start)))
		return true;
	pv_buf_cut(file, start);
	return false;
}
