#ifndef PAVANE_BASE_STR_H
#define PAVANE_BASE_STR_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Borrowed text: a pointer and a length, passed by value.
 *
 * The bytes belong to another owner and may be any, NUL included; there need
 * not be a terminator. No text (NULL, 0) is empty text. Letters compare as
 * ASCII, in any locale.
 */
struct pv_str {
	const char *ptr;
	size_t len;
};

#define PV_STR(literal) ((struct pv_str){(literal), sizeof(literal) - 1})

/* For printf: "%.*s". */
#define PV_STR_ARG(str) pv_str_printed(str), (str).ptr

#define PV_NOT_FOUND ((size_t)-1)

/* The pointer, or one to nothing where there is none. */
static inline const char *pv_str_bytes(struct pv_str str)
{
	return str.ptr ? str.ptr : "";
}

/* How many bytes printf is to show: its lengths are ints, and one that wraps
 * around means that there is no bound. */
static inline int pv_str_printed(struct pv_str str)
{
	return str.len < INT_MAX ? (int)str.len : INT_MAX;
}

static inline struct pv_str pv_str_of(const char *text)
{
	return (struct pv_str){text, strlen(text)};
}

/* From `start` (at most len) to the end. */
static inline struct pv_str pv_str_from(struct pv_str str, size_t start)
{
	return (struct pv_str){pv_str_bytes(str) + start, str.len - start};
}

/* The first `len` (at most str.len) bytes. */
static inline struct pv_str pv_str_head(struct pv_str str, size_t len)
{
	return (struct pv_str){str.ptr, len};
}

static inline bool pv_str_equal(struct pv_str a, struct pv_str b)
{
	return a.len == b.len && (!a.len || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool pv_str_starts(struct pv_str str, struct pv_str prefix)
{
	return str.len >= prefix.len &&
	       pv_str_equal(pv_str_head(str, prefix.len), prefix);
}

static inline bool pv_str_ends(struct pv_str str, struct pv_str suffix)
{
	return str.len >= suffix.len &&
	       (!suffix.len || memcmp(str.ptr + (str.len - suffix.len),
				   suffix.ptr, suffix.len) == 0);
}

bool pv_str_equal_nocase(struct pv_str a, struct pv_str b);

/* Less than, equal to or greater than 0, by bytes, then by length. */
int pv_str_compare(struct pv_str a, struct pv_str b);

/* Where the byte stands first or last; PV_NOT_FOUND if nowhere. */
static inline size_t pv_str_find(struct pv_str str, char byte)
{
	const char *at = str.len ? memchr(str.ptr, byte, str.len) : NULL;
	return at ? (size_t)(at - str.ptr) : PV_NOT_FOUND;
}

size_t pv_str_find_last(struct pv_str str, char byte);

/* Without the spaces and tabs at either end. */
struct pv_str pv_str_trim(struct pv_str str);

#endif
