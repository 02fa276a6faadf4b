#include "url/path.h"

#include "base/reader.h"
#include "url/percent.h"

/* Whether a segment that begins so may be one of dots. */
static bool may_be_dots(char byte)
{
	return byte == '.' || byte == '%';
}

static bool is_plain(char byte)
{
	return !pv_percent_has(PV_PERCENT_PATH, byte) &&
	       !pv_path_is_slash(byte);
}

bool pv_path_is_plain(struct pv_str path)
{
	bool is_start = true;
	for (size_t i = 0; i < path.len; i++) {
		char byte = path.ptr[i];
		if (!is_plain(byte) && byte != '/')
			return false;
		if (is_start && may_be_dots(byte))
			return false;
		is_start = byte == '/';
	}
	return true;
}

/* Takes what is copied as it stands: plain bytes, and whole segments, but
 * none that may be of dots together with its slash. */
static struct pv_str take_plain(struct pv_reader *reader)
{
	struct pv_str rest = pv_reader_rest(reader);
	size_t segment = 0, len = 0;
	for (;;) {
		while (len < rest.len && is_plain(rest.ptr[len]))
			len++;
		if (len == rest.len || rest.ptr[len] != '/' ||
		    may_be_dots(rest.ptr[segment]))
			return pv_reader_take(reader, len);
		segment = ++len;
		if (segment == rest.len || may_be_dots(rest.ptr[segment]))
			return pv_reader_take(reader, len - 1);
	}
}

/* 1 for ".", 2 for "..", however they are written; 0 for all else. */
static unsigned count_dots(struct pv_str segment)
{
	struct pv_reader reader = pv_reader_of(segment);
	unsigned dots = 0;
	while (dots < 2 && (pv_reader_accept(&reader, '.') ||
			       pv_reader_accept_str(&reader, PV_STR("%2e")) ||
			       pv_reader_accept_str(&reader, PV_STR("%2E"))))
		dots++;
	return pv_reader_is_end(&reader) ? dots : 0;
}

/* Removes the last segment, if there is one. */
static void remove_segment(struct pv_buf *buf, size_t root)
{
	if (buf->len < root + 2)
		return;
	struct pv_str all = pv_buf_str(buf);
	struct pv_str parents = {all.ptr + root, buf->len - 1 - root};
	size_t slash = pv_str_find_last(parents, '/');
	if (slash != PV_NOT_FOUND)
		pv_buf_cut(buf, root + slash + 1);
}

/* If the segment that ends the path is one of dots, does what it says. */
static bool resolve_dots(struct pv_buf *buf, size_t root, size_t segment)
{
	unsigned dots = count_dots(pv_str_from(pv_buf_str(buf), segment));
	if (dots)
		pv_buf_cut(buf, segment);
	if (dots == 2)
		remove_segment(buf, root);
	return dots > 0;
}

void pv_path_append(struct pv_buf *buf, size_t root, struct pv_str path)
{
	struct pv_reader reader = pv_reader_of(path);
	/* Where the last segment begins, or one before it that was copied in
	 * one go with it; then the last is not of dots. */
	size_t segment = buf->len;
	while (!pv_reader_is_end(&reader) && !buf->is_full) {
		pv_buf_append(buf, take_plain(&reader));
		bool is_last = pv_reader_is_end(&reader);
		char byte = (char)pv_reader_next(&reader);
		if (!is_last && !pv_path_is_slash(byte)) {
			pv_percent_append_byte(buf, byte);
			continue;
		}
		if (!resolve_dots(buf, root, segment) && !is_last)
			pv_buf_append_char(buf, '/');
		segment = buf->len;
	}
}
