#ifndef PAVANE_FLEET_LINE_VALUE_H
#define PAVANE_FLEET_LINE_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* What a statement is given: numbers, texts and bytes, alone or as an array, in
 * the binary form of PostgreSQL's protocol.
 *
 * No SQL is ever made of data: a statement is prepared once with its types, and
 * gets values of these types. All numbers are an int64_t here; those of the
 * smaller types must fit. Whatever a value points to is borrowed for the call
 * that takes it.
 */
enum pv_fleet_type {
	PV_FLEET_NOTHING, /* ends a list of types */
	PV_FLEET_BOOL,
	PV_FLEET_INT2,
	PV_FLEET_INT4,
	PV_FLEET_INT8,
	PV_FLEET_TEXT, /* UTF-8 without a NUL, or the server refuses it */
	PV_FLEET_BYTEA,
	PV_FLEET_BOOLS,
	PV_FLEET_INT2S,
	PV_FLEET_INT4S,
	PV_FLEET_INT8S,
	PV_FLEET_TEXTS,
	PV_FLEET_BYTEAS,
	PV_FLEET_TYPES_COUNT,
};

/* One dimension, counted from 1 by SQL. */
struct pv_fleet_items {
	union {
		const bool *flags;
		const int64_t *numbers;
		const struct pv_str *texts; /* or bytes */
	};
	size_t count;
	const bool *nulls; /* which are NULL; or NULL, if none is */
};

struct pv_fleet_value {
	enum pv_fleet_type type;
	bool is_null;
	union {
		bool flag;
		int64_t number;
		struct pv_str text; /* or bytes */
		struct pv_fleet_items items;
	};
};

/* The number that PostgreSQL gives a type (pg_type.oid). */
uint32_t pv_fleet_type_oid(enum pv_fleet_type type);

/* Appends a value that is not NULL in its binary form. False, if the ceiling of
 * the buffer is in the way. */
bool pv_fleet_value_encode(
    const struct pv_fleet_value *value, struct pv_buf *buf);

static inline struct pv_fleet_value pv_fleet_null(enum pv_fleet_type type)
{
	return (struct pv_fleet_value){.type = type, .is_null = true};
}

static inline struct pv_fleet_value pv_fleet_bool(bool flag)
{
	return (struct pv_fleet_value){.type = PV_FLEET_BOOL, .flag = flag};
}

/* Of type INT2, INT4 or INT8. */
static inline struct pv_fleet_value pv_fleet_number(
    enum pv_fleet_type type, int64_t number)
{
	return (struct pv_fleet_value){.type = type, .number = number};
}

static inline struct pv_fleet_value pv_fleet_text(struct pv_str text)
{
	return (struct pv_fleet_value){.type = PV_FLEET_TEXT, .text = text};
}

static inline struct pv_fleet_value pv_fleet_bytes(struct pv_str bytes)
{
	return (struct pv_fleet_value){.type = PV_FLEET_BYTEA, .text = bytes};
}

static inline struct pv_fleet_value pv_fleet_bools(
    const bool *flags, size_t count)
{
	return (struct pv_fleet_value){
	    .type = PV_FLEET_BOOLS, .items = {.flags = flags, .count = count}};
}

/* Of type INT2S, INT4S or INT8S. */
static inline struct pv_fleet_value pv_fleet_numbers(
    enum pv_fleet_type type, const int64_t *numbers, size_t count)
{
	return (struct pv_fleet_value){
	    .type = type, .items = {.numbers = numbers, .count = count}};
}

/* Of type TEXTS or BYTEAS. */
static inline struct pv_fleet_value pv_fleet_texts(
    enum pv_fleet_type type, const struct pv_str *texts, size_t count)
{
	return (struct pv_fleet_value){
	    .type = type, .items = {.texts = texts, .count = count}};
}

#endif
