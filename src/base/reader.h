#ifndef PAVANE_BASE_READER_H
#define PAVANE_BASE_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* A bounded reader: the one way to walk through bytes from strangers.
 *
 * It never looks past its end, where a byte reads as -1. What it takes is
 * borrowed from the text that it was given.
 */
struct pv_reader {
	const char *at;
	const char *end;
};

typedef bool (*pv_byte_fn)(int byte);

static inline struct pv_reader pv_reader_of(struct pv_str str)
{
	const char *bytes = pv_str_bytes(str);
	return (struct pv_reader){bytes, bytes + str.len};
}

static inline size_t pv_reader_left(const struct pv_reader *reader)
{
	return (size_t)(reader->end - reader->at);
}

static inline bool pv_reader_is_end(const struct pv_reader *reader)
{
	return reader->at == reader->end;
}

/* All that is left, without taking it. */
static inline struct pv_str pv_reader_rest(const struct pv_reader *reader)
{
	return (struct pv_str){reader->at, pv_reader_left(reader)};
}

/* The next byte, without taking it; -1 at the end. */
static inline int pv_reader_peek(const struct pv_reader *reader)
{
	return pv_reader_is_end(reader) ? -1 : (unsigned char)*reader->at;
}

/* Takes the next byte; -1 at the end. */
static inline int pv_reader_next(struct pv_reader *reader)
{
	return pv_reader_is_end(reader) ? -1 : (unsigned char)*reader->at++;
}

/* Takes the byte, or the text, if it is next. */
static inline bool pv_reader_accept(struct pv_reader *reader, char byte)
{
	if (pv_reader_is_end(reader) || *reader->at != byte)
		return false;
	reader->at++;
	return true;
}

bool pv_reader_accept_str(struct pv_reader *reader, struct pv_str str);

/* Takes `len` bytes, or all that are left if they are fewer. */
static inline struct pv_str pv_reader_take(struct pv_reader *reader, size_t len)
{
	size_t left = pv_reader_left(reader);
	struct pv_str taken = {reader->at, len < left ? len : left};
	reader->at += taken.len;
	return taken;
}

/* Takes the bytes that the function says yes to, maybe none. */
static inline struct pv_str pv_reader_take_while(
    struct pv_reader *reader, pv_byte_fn is)
{
	struct pv_str taken = {reader->at, 0};
	while (!pv_reader_is_end(reader) && is(pv_reader_peek(reader)))
		reader->at++;
	taken.len = (size_t)(reader->at - taken.ptr);
	return taken;
}

/* Takes what stands before the byte, or all if it is nowhere; the byte itself
 * stays. */
static inline struct pv_str pv_reader_take_until(
    struct pv_reader *reader, char byte)
{
	return pv_reader_take(
	    reader, pv_str_find(pv_reader_rest(reader), byte));
}

/* Takes a line without its end (LF, CR or CRLF), and the end. */
struct pv_str pv_reader_take_line(struct pv_reader *reader);

/* Takes decimal digits as a number of at most `max`. False, with nothing
 * taken, if there is no digit or the number is larger. */
bool pv_reader_take_number(
    struct pv_reader *reader, uint64_t max, uint64_t *number);

#endif
