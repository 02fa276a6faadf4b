#include "policy/document/origin.h"

#include "base/visible.h"

bool pv_origin_is_default(const struct pv_origin *origin)
{
	return !origin->place.file ||
	       (origin->said && strcmp(origin->said, "default") == 0);
}

void pv_origin_write(const struct pv_origin *origin, struct pv_buf *buf)
{
	if (origin->said) {
		pv_visible_append(buf, pv_str_of(origin->said));
	} else if (!origin->place.file) {
		pv_buf_append_text(buf, "default");
	} else {
		pv_visible_append(buf, pv_str_of(origin->place.file));
		if (origin->place.line)
			pv_buf_append_format(buf, ":%u", origin->place.line);
	}
}

void pv_origin_write_comment(const struct pv_origin *origin, struct pv_buf *buf)
{
	pv_buf_append_text(buf, "  # ");
	pv_origin_write(origin, buf);
	pv_buf_append_char(buf, '\n');
}
