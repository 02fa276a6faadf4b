#ifndef PAVANE_BASE_BUF_H
#define PAVANE_BASE_BUF_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/str.h"

/* Owned text that grows up to a ceiling.
 *
 * What would go past the ceiling is refused whole: the buffer keeps what it
 * had and remembers in `is_full` that something was turned away, so that a
 * caller may ask once, at the end. The bytes are always followed by a NUL
 * that does not count.
 */
struct pv_buf {
	char *ptr;
	size_t len;
	size_t size;
	size_t ceiling;
	bool is_full;
};

/* An empty buffer for at most `ceiling` bytes. */
void pv_buf_init(struct pv_buf *buf, size_t ceiling);
void pv_buf_finish(struct pv_buf *buf);

/* Makes room for `len` more bytes, which are anything, and a NUL; NULL if the
 * ceiling is in the way. For the functions here. */
char *pv_buf_make_room(struct pv_buf *buf, size_t len);

/* Each returns false if the ceiling is in the way. */
static inline bool pv_buf_append(struct pv_buf *buf, struct pv_str str)
{
	bool has_room = buf->len + str.len < buf->size &&
			str.len <= buf->ceiling - buf->len;
	char *room =
	    has_room ? buf->ptr + buf->len : pv_buf_make_room(buf, str.len);
	if (!room)
		return false;
	if (str.len)
		memcpy(room, str.ptr, str.len);
	room[str.len] = '\0';
	buf->len += str.len;
	return true;
}

static inline bool pv_buf_append_char(struct pv_buf *buf, char byte)
{
	return pv_buf_append(buf, (struct pv_str){&byte, 1});
}

bool pv_buf_append_text(struct pv_buf *buf, const char *text);
bool pv_buf_append_format(struct pv_buf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
bool pv_buf_append_format_list(struct pv_buf *buf, const char *format,
    va_list list) __attribute__((format(printf, 2, 0)));

/* Bytes in base 64 (RFC 4648, 4). */
bool pv_buf_append_base64(struct pv_buf *buf, struct pv_str bytes);

/* The bytes that a text in base 64 stands for; false, with nothing appended, if
 * it is none with its "=" at the end, or the ceiling is in the way. */
bool pv_buf_append_from_base64(struct pv_buf *buf, struct pv_str text);

/* Room for `len` more bytes, zeroed, to be filled by the caller, who then adds
 * to buf->len what was used; NULL if the ceiling is in the way. */
char *pv_buf_reserve(struct pv_buf *buf, size_t len);

/* Only the first `len` bytes; it stays known whether something was turned
 * away. */
static inline void pv_buf_cut(struct pv_buf *buf, size_t len)
{
	if (len >= buf->len)
		return;
	buf->len = len;
	buf->ptr[len] = '\0';
}

/* Empty again, the memory kept. */
static inline void pv_buf_clear(struct pv_buf *buf)
{
	pv_buf_cut(buf, 0);
	buf->is_full = false;
}

/* What is in it, until the next change. */
static inline struct pv_str pv_buf_str(const struct pv_buf *buf)
{
	return (struct pv_str){buf->ptr ? buf->ptr : "", buf->len};
}

/* The same with a terminator, for functions that want one. */
static inline const char *pv_buf_text(const struct pv_buf *buf)
{
	return buf->ptr ? buf->ptr : "";
}

/* The bytes are yours now, NUL-terminated, to be released with free; the
 * buffer is empty. */
char *pv_buf_take(struct pv_buf *buf);

#endif
