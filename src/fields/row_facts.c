#include "fields/row_facts.h"

#include "record/page.h"

const char *pv_row_change_word(enum pv_row_change change)
{
	static const char *const words[] = {
	    [PV_ROW_NEW] = "new",
	    [PV_ROW_CHANGED] = "changed",
	    [PV_ROW_GONE] = "gone",
	};
	return words[change];
}

struct pv_row_facts pv_row_facts_of(
    const struct pv_page *page, struct pv_str url, uint32_t item)
{
	return (struct pv_row_facts){
	    .url = url,
	    .item = item,
	    .wall_ms = page->wall_ms,
	    .digest = page->has_digest ? page->digest : NULL,
	};
}

void pv_row_facts_write_digest(
    const struct pv_row_facts *facts, struct pv_buf *buf)
{
	if (!facts->digest)
		return;
	pv_buf_append(buf, PV_STR("sha256:"));
	pv_digest_write(facts->digest, buf);
}

/* printf takes longer for one number than all else for a line. */
void pv_row_facts_write_number(uint32_t number, struct pv_buf *buf)
{
	char digits[10];
	size_t at = sizeof(digits);
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	pv_buf_append(buf, (struct pv_str){digits + at, sizeof(digits) - at});
}
