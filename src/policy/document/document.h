#ifndef PAVANE_POLICY_DOCUMENT_DOCUMENT_H
#define PAVANE_POLICY_DOCUMENT_DOCUMENT_H

#include <stdint.h>

#include "base/arena.h"
#include "base/why.h"

/* YAML text as a tree of what was written and where.
 *
 * Of YAML only what a policy needs is taken: one document of mappings, lists
 * and texts, without aliases, anchors and tags, nested at most
 * PV_DOCUMENT_DEPTH_MAX deep. Anything else is reported in words of our own;
 * what could be read before a fault is still in the tree. An effective policy,
 * which writes out what a policy of that size left to the defaults, may have
 * more bytes.
 */
#define PV_DOCUMENT_BYTES_MAX ((size_t)1024 * 1024)
#define PV_DOCUMENT_EFFECTIVE_BYTES_MAX ((size_t)16 * 1024 * 1024)
#define PV_DOCUMENT_DEPTH_MAX 32
#define PV_DOCUMENT_NODES_MAX 200000

enum pv_node_kind {
	PV_NODE_TEXT,
	PV_NODE_LIST,
	PV_NODE_MAP,
	PV_NODE_REFUSED, /* a problem with it has been reported */
};

struct pv_node {
	uint8_t kind;   /* enum pv_node_kind */
	bool is_quoted; /* a text in quotes, or a block of text */
	uint32_t line;
	uint32_t column;
	uint32_t key_line;
	uint32_t key_column;
	struct pv_str key;  /* of a member of a mapping */
	struct pv_str text; /* of a text */
	const char *origin; /* in an effective policy: what the comment says */
	struct pv_node *first;
	struct pv_node *next;
};

struct pv_document {
	const char *name;     /* as problems call it; borrowed */
	struct pv_node *root; /* NULL for an empty document */
	bool is_whole;        /* read to its end without a fault in the YAML */
};

/* How the first line of an effective policy begins, by which a document's
 * comments are known to tell where values come from. */
#define PV_EFFECTIVE_MARK "# pavane: effective"

/* Reads text; the tree lives in the arena, and its texts are copies. */
void pv_document_read(struct pv_document *document, const char *name,
    struct pv_str text, struct pv_arena *arena, struct pv_why *why);

/* How many items or members it has. */
size_t pv_node_count(const struct pv_node *node);

/* Whether a text was written without quotes and is this word. */
bool pv_node_is_word(const struct pv_node *node, const char *word);

#endif
