#ifndef PAVANE_BASE_JSON_JSON_POINTER_H
#define PAVANE_BASE_JSON_JSON_POINTER_H

#include "base/json/json_page.h"
#include "base/pattern/pattern.h"

/* JSON Pointers (RFC 6901), in which a step that is only * means each item of an
 * array or each member's value of an object: "/offers/0/price", "/items/ * /id"
 * (without the spaces). In a name ~1 is "/" and ~0 is "~"; a member whose name
 * is * cannot be named.
 *
 * A pointer is compiled when a policy is loaded and read by many threads.
 */
struct pv_json_pointer;

/* NULL if it is none: the fault says what to write, and where it is wrong. */
struct pv_json_pointer *pv_json_pointer_create(
    struct pv_str text, struct pv_pattern_fault *fault);
void pv_json_pointer_destroy(struct pv_json_pointer *pointer);

/* Adds all that the pointer leads to, in the order of the page, until the list
 * is full: in time that grows with the value and with nothing else. */
void pv_json_pointer_find(const struct pv_json_pointer *pointer,
    const struct pv_json *value, struct pv_json_list *list);

/* Appends, for a person, why the pointer leads nowhere: the longest part of it
 * that leads somewhere, what is there, and which names of members are near; or
 * what it leads to. Nothing in it is obeyed by terminals.
 *
 *   "/item" has no "stok"; is it "stock"?
 */
void pv_json_pointer_nearest(const struct pv_json_pointer *pointer,
    const struct pv_json *value, struct pv_buf *buf);

#endif
