#ifndef PAVANE_FIELDS_ROW_PAGE_H
#define PAVANE_FIELDS_ROW_PAGE_H

#include "base/json/json_page.h"
#include "fields/readers.h"
#include "fields/rows.h"
#include "http/headers.h"
#include "policy/pages.h"
#include "tree/expression.h"
#include "tree/tree.h"
#include "url/url.h"

/* A page whose fields are read: what they need of it is made when the first of
 * them asks for it, and once.
 *
 * It belongs to one thread. All that is evaluated on it draws on one budget, so
 * that no page takes long, whatever stands in the policy.
 */
struct pv_field_ceilings {
	size_t page_bytes;  /* of which a tree, or JSON, is made */
	size_t value_bytes; /* of one value */
	size_t rows;        /* of a page, records of a row, values of a field */
};

struct pv_policy;

struct pv_field_ceilings pv_field_ceilings_of(const struct pv_policy *policy);

struct pv_row_page {
	const struct pv_page_kind *kind;
	const struct pv_field_readers *readers;
	const struct pv_url *url;
	const struct pv_headers *headers; /* NULL: they are not kept */
	struct pv_str text;               /* in UTF-8 */
	struct pv_encoder *encoder;       /* of its addresses; NULL: in UTF-8 */
	struct pv_str carry;              /* that its link brought */
	struct pv_field_ceilings ceilings;
	bool is_cut; /* there is more of it than its text; set here as well if
			that is longer than its ceiling, or the tree is not
			whole */

	/* its own */
	struct pv_tree *tree;
	struct pv_tree_budget budget;
	int64_t regex_budget;
	struct pv_json *body;
	struct pv_json **blocks; /* of JSON-LD */
	size_t block_count;
	size_t block_size;
	struct pv_script_value {
		const char *after;
		struct pv_json *value; /* NULL: there is none */
	} * values;                    /* in scripts, as they were asked for */
	size_t value_count;
	size_t value_size;
	struct pv_json_list nodes; /* of JSON-LD, of the last type asked for */
	struct pv_matches scripts;
	struct pv_url base;
	bool is_body_read;
	bool are_blocks_read;
	bool is_base_known;
};

/* The caller has set what is above. */
void pv_row_page_begin(struct pv_row_page *page);
void pv_row_page_end(struct pv_row_page *page);

const struct pv_tree *pv_row_page_tree(struct pv_row_page *page);

/* The page as JSON; NULL if it is none. */
const struct pv_json *pv_row_page_json(struct pv_row_page *page);

/* The nodes of JSON-LD of that type, or of any; valid until the next call. */
const struct pv_json_list *pv_row_page_ld(
    struct pv_row_page *page, const char *type);

/* The value behind that text in one of its scripts; NULL if there is none. */
const struct pv_json *pv_row_page_script(
    struct pv_row_page *page, const char *after);

/* What addresses on it are joined to. */
const struct pv_url *pv_row_page_base(struct pv_row_page *page);

#endif
