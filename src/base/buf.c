#include "base/buf.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

void pv_buf_init(struct pv_buf *buf, size_t ceiling)
{
	*buf = (struct pv_buf){.ceiling = ceiling};
}

void pv_buf_finish(struct pv_buf *buf)
{
	free(buf->ptr);
	*buf = (struct pv_buf){.ceiling = buf->ceiling};
}

char *pv_buf_reserve(struct pv_buf *buf, size_t len)
{
	if (len > buf->ceiling - buf->len) {
		buf->is_full = true;
		return NULL;
	}
	size_t needed = buf->len + len + 1;
	if (needed > buf->size) {
		size_t size = buf->size ? buf->size : 64;
		while (size < needed)
			size *= 2;
		if (size > buf->ceiling + 1)
			size = buf->ceiling + 1;
		buf->ptr = pv_realloc_array(buf->ptr, size, 1);
		buf->size = size;
	}
	return buf->ptr + buf->len;
}

bool pv_buf_append(struct pv_buf *buf, struct pv_str str)
{
	char *room = pv_buf_reserve(buf, str.len);
	if (!room)
		return false;
	if (str.len)
		memcpy(room, str.ptr, str.len);
	room[str.len] = '\0';
	buf->len += str.len;
	return true;
}

bool pv_buf_append_char(struct pv_buf *buf, char byte)
{
	return pv_buf_append(buf, (struct pv_str){&byte, 1});
}

bool pv_buf_append_text(struct pv_buf *buf, const char *text)
{
	return pv_buf_append(buf, pv_str_of(text));
}

bool pv_buf_append_format_list(
    struct pv_buf *buf, const char *format, va_list list)
{
	va_list again;
	va_copy(again, list);
	int len = vsnprintf(NULL, 0, format, list);
	char *room = len < 0 ? NULL : pv_buf_reserve(buf, (size_t)len);
	if (room) {
		vsnprintf(room, (size_t)len + 1, format, again);
		buf->len += (size_t)len;
	}
	va_end(again);
	return room != NULL;
}

bool pv_buf_append_format(struct pv_buf *buf, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	bool is_done = pv_buf_append_format_list(buf, format, list);
	va_end(list);
	return is_done;
}

void pv_buf_clear(struct pv_buf *buf)
{
	buf->len = 0;
	buf->is_full = false;
	if (buf->ptr)
		buf->ptr[0] = '\0';
}

void pv_buf_truncate(struct pv_buf *buf, size_t len)
{
	buf->len = len;
	if (buf->ptr)
		buf->ptr[len] = '\0';
}

char *pv_buf_take(struct pv_buf *buf)
{
	char *ptr = buf->ptr ? buf->ptr : pv_alloc(1);
	*buf = (struct pv_buf){.ceiling = buf->ceiling};
	return ptr;
}
