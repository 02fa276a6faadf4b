#ifndef PAVANE_FIELDS_FINDS_H
#define PAVANE_FIELDS_FINDS_H

#include "fields/row_page.h"

/* What a source of a policy finds on a page: elements, texts or JSON, in the
 * order of the page. */
enum pv_find_kind {
	PV_FIND_ELEMENT,
	PV_FIND_TEXT,
	PV_FIND_JSON,
};

struct pv_find {
	enum pv_find_kind kind;
	const struct pv_tree_node *element; /* whose attribute a text is; NULL:
					       that of none */
	struct pv_str text;
	const struct pv_json *json;
};

struct pv_finds {
	struct pv_find *items;
	size_t count;
	size_t size;
	size_t ceiling;
	bool is_full; /* there were more */
	bool has_given_up;
};

void pv_finds_init(struct pv_finds *finds, size_t ceiling);
void pv_finds_finish(struct pv_finds *finds);

/* Finds it within the context, an element or JSON, or in all of the page where
 * that is NULL. Texts live in the arena, or as long as the page. */
void pv_finds_read(struct pv_finds *finds, struct pv_row_page *page,
    const struct pv_source *source, const struct pv_find *context,
    struct pv_arena *arena);

/* The text of what was found, as it stands, or the HTML of an element; false if
 * the budget is spent. */
bool pv_find_text(const struct pv_find *find, struct pv_row_page *page,
    bool is_html, struct pv_arena *arena, struct pv_str *text);

#endif
