#ifndef PAVANE_POLICY_DOCUMENT_READING_H
#define PAVANE_POLICY_DOCUMENT_READING_H

#include "base/arena.h"
#include "base/why.h"
#include "policy/document/document.h"
#include "policy/document/origin.h"

/* One source of a policy being read: where its values go to, what its
 * problems are called, and the path of the key at hand. */

enum pv_layer {
	PV_LAYER_DEFAULT, /* the options table */
	PV_LAYER_CONFIG,  /* the user's own configuration */
	PV_LAYER_POLICY,
	PV_LAYER_COMMAND, /* --set, --domain, addresses as arguments */
};

struct pv_reading {
	struct pv_arena *arena; /* of the policy */
	struct pv_why *why;
	const char *name;      /* of the source; lives in the arena */
	const char *directory; /* what its relative paths start from */
	enum pv_layer layer;
	bool
	    is_guest; /* a stranger hands it in: it may neither give what is the
			  owner's nor name files */
	struct pv_buf path; /* "rate.max_rate" */
};

void pv_reading_init(struct pv_reading *reading, struct pv_arena *arena,
    struct pv_why *why, const char *name, enum pv_layer layer);
void pv_reading_finish(struct pv_reading *reading);

/* The directory of a file, so that what it names is found from anywhere; "" if
 * there is none. */
const char *pv_directory_of(struct pv_arena *arena, const char *file);

/* Adds a key to the path, and returns what pv_reading_leave wants. */
size_t pv_reading_enter(struct pv_reading *reading, struct pv_str key);
void pv_reading_leave(struct pv_reading *reading, size_t mark);

struct pv_place pv_reading_place(
    const struct pv_reading *reading, const struct pv_node *node);
struct pv_origin pv_reading_origin(
    const struct pv_reading *reading, const struct pv_node *node);

/* Of a member of a mapping: where its key stands. */
struct pv_origin pv_reading_origin_of_key(
    const struct pv_reading *reading, const struct pv_node *node);

/* Adds a problem with the value at hand. Returns false, so that a reader can
 * end with it. */
bool pv_reading_fail(struct pv_reading *reading, const struct pv_node *node,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds a problem with a key; its path is the key's own. */
void pv_reading_fail_key(struct pv_reading *reading, const struct pv_node *node,
    const char *format, ...) __attribute__((format(printf, 3, 4)));

/* "expected <words>, found <what stands there>". A refused value has been
 * reported already. Returns false. */
bool pv_reading_expected(
    struct pv_reading *reading, const struct pv_node *node, const char *words);

/* Appends what stands there: a short text in quotes, "a list", "nothing". */
void pv_node_describe(const struct pv_node *node, struct pv_buf *buf);

#endif
