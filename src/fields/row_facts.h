#ifndef PAVANE_FIELDS_ROW_FACTS_H
#define PAVANE_FIELDS_ROW_FACTS_H

#include <stdint.h>

#include "base/buf.h"
#include "fields/rows.h"
#include "policy/pages.h"

/* What a row says of itself, beside its fields: the columns that come first,
 * whatever it is written as. Texts are borrowed.
 *
 *   _url     of its page, without credentials
 *   _item    its place in the page, from 1
 *   _time    when the page was asked for: "2026-03-01T09:30:00.250Z"
 *   _digest  "sha256:" and 64 digits, of the page's body
 *   _change  "new", "changed" or "gone"; a row of "gone" has nothing else
 */
struct pv_row_facts {
	struct pv_str url;
	uint32_t item;
	int64_t wall_ms;
	const uint8_t *digest; /* NULL: the page has none */
};

enum pv_row_change { PV_ROW_NEW, PV_ROW_CHANGED, PV_ROW_GONE };

/* Those of a page's row. */
struct pv_page;
struct pv_row_facts pv_row_facts_of(
    const struct pv_page *page, struct pv_str url, uint32_t item);

const char *pv_row_change_word(enum pv_row_change change);

/* Append what stands in these columns; nothing for a digest that is not
 * there. */
void pv_row_facts_write_digest(
    const struct pv_row_facts *facts, struct pv_buf *buf);
void pv_row_facts_write_number(uint32_t number, struct pv_buf *buf);

/* Whether a field is records within, and so has fields of its own. */
static inline bool pv_field_is_records(const struct pv_field *field)
{
	return field->field_count > 0;
}

#endif
