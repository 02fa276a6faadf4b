#ifndef PAVANE_BASE_JSON_JSON_H
#define PAVANE_BASE_JSON_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

/* JSON values (jansson) as we build and write them.
 *
 * What is put into an object or an array is given to it. Text that is not
 * UTF-8 is made visible first, so that a value always comes of it; names are
 * ours and UTF-8.
 */
struct pv_json;

struct pv_json *pv_json_object(void);
struct pv_json *pv_json_array(void);
struct pv_json *pv_json_text(struct pv_str text);
struct pv_json *pv_json_integer(int64_t number);
struct pv_json *pv_json_number(double number); /* null if not finite */
struct pv_json *pv_json_bool(bool value);
void pv_json_destroy(struct pv_json *value);

/* Puts a member at the end of an object, or in the place of its namesake;
 * an item at the end of an array. */
void pv_json_set(
    struct pv_json *object, const char *name, struct pv_json *value);
void pv_json_add(struct pv_json *array, struct pv_json *value);

/* The same for a member or item that is C text. */
void pv_json_set_text(
    struct pv_json *object, const char *name, const char *text);
void pv_json_add_text(struct pv_json *array, const char *text);

/* Reads a text that is one value and nothing else, of which no object names a
 * member twice; NULL if it is none. */
struct pv_json *pv_json_read(struct pv_str text);

/* A member of an object, which owns it; NULL if there is none, or it is no
 * object. */
const struct pv_json *pv_json_get(
    const struct pv_json *object, const char *name);

/* The text of a member, which the object owns, or nothing; its number if it is
 * whole, or else `missing`; whether it is true. */
struct pv_str pv_json_get_text(const struct pv_json *object, const char *name);
int64_t pv_json_get_integer(
    const struct pv_json *object, const char *name, int64_t missing);
bool pv_json_get_bool(const struct pv_json *object, const char *name);

/* The text of a value, which owns it; ptr is NULL if it is none. */
struct pv_str pv_json_text_of(const struct pv_json *value);

/* Whether it is an object; NULL is none. */
bool pv_json_is_object(const struct pv_json *value);

/* How many items an array has, 0 if it is none, and one of them, which it
 * owns. */
size_t pv_json_count(const struct pv_json *array);
const struct pv_json *pv_json_at(const struct pv_json *array, size_t index);

/* Appends the value on one line, or indented for readers; false, with nothing
 * appended, if the ceiling is in the way. */
bool pv_json_write(
    const struct pv_json *value, bool is_indented, struct pv_buf *buf);

/* Appends a text as pv_json_text would have it, with quotes, without making a
 * value first: for lines of which there are millions. All controls are escaped.
 * False if the ceiling is in the way; then a part of it may stand. */
bool pv_json_write_text(struct pv_str text, struct pv_buf *buf);

#endif
