#include "parse/style.h"

void pv_style_init(struct pv_style *style, struct pv_str value,
    const struct pv_encoding *encoding, struct pv_buf *scratch)
{
	pv_plain_value_init(&style->value, value, scratch);
	pv_css_init(&style->css, style->value.text, encoding);
}

bool pv_style_next(struct pv_style *style, struct pv_str *address)
{
	struct pv_str found;
	if (!pv_css_next(&style->css, &found))
		return false;
	*address = pv_plain_value_place(&style->value, found);
	return true;
}
