#include "mirror/kept/dead_ends.h"

#include "base/visible.h"
#include "store/tables/page_marks.h"

#define LOCATION_MAX 500

void pv_dead_ends_keep(struct pv_database *database, uint64_t address,
    enum pv_dead_end end, struct pv_str location)
{
	struct pv_buf text;
	pv_buf_init(&text, LOCATION_MAX);
	pv_visible_append(&text, location);
	pv_page_marks_set_dead_end(database, address, end, pv_buf_str(&text));
	pv_buf_finish(&text);
}

void pv_dead_end_write(
    enum pv_dead_end end, struct pv_str location, struct pv_buf *text)
{
	static const struct {
		const char *before;
		const char *after;
	} words[PV_DEAD_END_COUNT] = {
	    [PV_DEAD_END_NOWHERE] = {"no address", NULL},
	    [PV_DEAD_END_NO_ADDRESS] = {"", ", which is not a web address"},
	    [PV_DEAD_END_ITSELF] = {"itself", NULL},
	    [PV_DEAD_END_SAME] = {"",
		", which the policy treats as the same address"},
	};
	pv_buf_append_format(text, "redirected to %s", words[end].before);
	if (!words[end].after)
		return;
	pv_buf_append(text, location);
	pv_buf_append_text(text, words[end].after);
}
