#include "mirror/links/edits.h"

#include <stdint.h>

#include "tap.h"

int main(void)
{
	struct pv_edits edits;
	struct pv_buf text;
	pv_edits_init(&edits);
	pv_buf_init(&text, SIZE_MAX);
	pv_edits_apply(&edits, PV_STR("as it was"), &text);
	is_text(pv_buf_str(&text), "as it was", "nothing noted, nothing done");
	pv_buf_clear(&text);
	pv_edits_add(&edits, 6, 9, PV_STR("is now"));
	pv_edits_add(&edits, 0, 2, PV_STR("so"));
	pv_edits_add(&edits, 3, 3, PV_STR("<"));
	pv_edits_add(&edits, 3, 3, PV_STR("-"));
	pv_edits_add(&edits, 9, 9, PV_STR("."));
	pv_edits_apply(&edits, PV_STR("as it was"), &text);
	is_text(pv_buf_str(&text), "so <-it is now.",
	    "in whatever order they are noted, each is made in its place");
	pv_buf_clear(&text);
	pv_edits_clear(&edits);
	pv_edits_add(&edits, 0, 9, PV_STR(""));
	pv_edits_apply(&edits, PV_STR("as it was"), &text);
	is_text(pv_buf_str(&text), "", "what becomes nothing is gone");
	pv_edits_finish(&edits);
	pv_buf_finish(&text);
	return tap_done();
}
