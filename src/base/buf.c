#include "base/buf.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <openssl/evp.h>

#include "base/alloc.h"

void pv_buf_init(struct pv_buf *buf, size_t ceiling)
{
	size_t most = SIZE_MAX - 1; /* and the NUL */
	*buf = (struct pv_buf){.ceiling = ceiling < most ? ceiling : most};
}

void pv_buf_finish(struct pv_buf *buf)
{
	free(buf->ptr);
	*buf = (struct pv_buf){.ceiling = buf->ceiling};
}

/* By doubling, but to no more than the ceiling and a NUL need. */
static void grow(struct pv_buf *buf, size_t needed)
{
	size_t most = buf->ceiling + 1;
	size_t size = buf->size ? buf->size : 64;
	while (size < needed)
		size = size < most / 2 ? size * 2 : most;
	if (size > most)
		size = most;
	buf->ptr = pv_realloc_array(buf->ptr, size, 1);
	buf->size = size;
}

char *pv_buf_make_room(struct pv_buf *buf, size_t len)
{
	if (len > buf->ceiling - buf->len) {
		buf->is_full = true;
		return NULL;
	}
	if (buf->len + len >= buf->size)
		grow(buf, buf->len + len + 1);
	return buf->ptr + buf->len;
}

char *pv_buf_reserve(struct pv_buf *buf, size_t len)
{
	char *room = pv_buf_make_room(buf, len);
	if (room)
		memset(room, 0, len + 1);
	return room;
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
	char *room = len < 0 ? NULL : pv_buf_make_room(buf, (size_t)len);
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

bool pv_buf_append_base64(struct pv_buf *buf, struct pv_str bytes)
{
	size_t len = (bytes.len + 2) / 3 * 4;
	if (bytes.len > INT_MAX / 2)
		return false;
	char *room = pv_buf_reserve(buf, len); /* and a NUL, which it writes */
	if (!room)
		return false;
	EVP_EncodeBlock((unsigned char *)room,
	    (const unsigned char *)pv_str_bytes(bytes), (int)bytes.len);
	buf->len += len;
	return true;
}

/* OpenSSL passes over blanks and takes "=" anywhere in the last group. */
static bool is_base64(struct pv_str text)
{
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t len = text.len;
	if (text.len % 4 || text.len > INT_MAX / 2)
		return false;
	for (size_t i = 0; i < 2 && len && text.ptr[len - 1] == '='; i++)
		len--;
	for (size_t i = 0; i < len; i++) {
		if (!memchr(digits, text.ptr[i], sizeof(digits) - 1))
			return false;
	}
	return true;
}

bool pv_buf_append_from_base64(struct pv_buf *buf, struct pv_str text)
{
	size_t padding = 0;
	if (!is_base64(text))
		return false;
	while (padding < text.len && text.ptr[text.len - padding - 1] == '=')
		padding++;
	char *room = pv_buf_reserve(buf, text.len / 4 * 3);
	if (!room)
		return false;
	int len = EVP_DecodeBlock((unsigned char *)room,
	    (const unsigned char *)pv_str_bytes(text), (int)text.len);
	if (len < (int)padding)
		return false;
	buf->len += (size_t)len - padding;
	buf->ptr[buf->len] = '\0';
	return true;
}

char *pv_buf_take(struct pv_buf *buf)
{
	char *ptr = buf->ptr ? buf->ptr : pv_alloc(1);
	*buf = (struct pv_buf){.ceiling = buf->ceiling};
	return ptr;
}
