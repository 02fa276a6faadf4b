#ifndef PAVANE_BASE_JSON_JSON_PAGE_H
#define PAVANE_BASE_JSON_JSON_PAGE_H

#include "base/buf.h"

/* JSON from pages (jansson): as strangers write it, read without loss, within
 * bounds that they cannot raise.
 *
 * Numbers keep the digits with which they stand, be they 20 or 200, and 1.50
 * stays 1.50. To that end a number is kept as a text with a mark, so that what
 * is read here may be looked at and written with the functions here only, and
 * with pv_json_destroy; all that is borrowed lives as long as it.
 */
struct pv_json;

#define PV_JSON_PAGE_MAX ((size_t)4 << 20)

/* Reads a text that is one value and nothing else but white space and a mark of
 * byte order. Where an object names a member twice, the last one counts, at the
 * place of the first, as in JavaScript. Control characters may stand in texts;
 * bytes that are not UTF-8 become U+FFFD. A text may hold NULs, a name may not.
 *
 * NULL if it is no JSON; or more than 4 MiB, more than 512 deep, or more than
 * about 64 MiB of values. */
struct pv_json *pv_json_read_page(struct pv_str text);

enum pv_json_kind {
	PV_JSON_NULL,
	PV_JSON_BOOL,
	PV_JSON_NUMBER,
	PV_JSON_TEXT,
	PV_JSON_ARRAY,
	PV_JSON_OBJECT,
};

enum pv_json_kind pv_json_page_kind(const struct pv_json *value);

/* A text's own text; a number as it stands; true or false. Empty for others. */
struct pv_str pv_json_page_text(const struct pv_json *value);

/* How many items or members it has; 0 where it is neither array nor object. */
size_t pv_json_page_count(const struct pv_json *value);

/* A member of an object, or NULL. Items are pv_json_at of base/json/json.h. */
const struct pv_json *pv_json_page_member(
    const struct pv_json *value, struct pv_str name);

/* The items of an array or the members of an object, in their order. */
struct pv_json_walk {
	const struct pv_json *value;
	size_t index;
	void *place; /* jansson's, in an object */
};

struct pv_json_walk pv_json_walk_of(const struct pv_json *value);

/* The next one; NULL at the end. `name` is C text, NULL for items. */
const struct pv_json *pv_json_walk_next(
    struct pv_json_walk *walk, const char **name);

/* Appends the value on one line; false if the ceiling is in the way, and then a
 * part of it may stand. */
bool pv_json_page_write(const struct pv_json *value, struct pv_buf *buf);

/* Values that something has led to, in their order; they stay their owner's. */
#define PV_JSON_LIST_MAX ((size_t)10000)

struct pv_json_list {
	const struct pv_json **items;
	size_t count;
	size_t size;
	bool is_full; /* there were more than PV_JSON_LIST_MAX */
};

void pv_json_list_init(struct pv_json_list *list);
void pv_json_list_finish(struct pv_json_list *list);

/* False if the list is full. */
bool pv_json_list_add(struct pv_json_list *list, const struct pv_json *value);

#endif
