#include "store/tables/link_notes.h"

#include "tap.h"

/* Which document links to what. */

static void are_documents(
    struct pv_link_notes *notes, const char *wanted, const char *claim)
{
	char found[64] = "";
	uint64_t document;
	while ((document = pv_link_notes_next(notes)))
		snprintf(found + strlen(found), sizeof(found) - strlen(found),
		    " %d", (int)document);
	is_text(pv_str_of(found), wanted, "%s", claim);
}

int main(void)
{
	static const uint64_t here = UINT64_MAX - 1, there = 5, way = 7;
	struct pv_link_notes notes;
	uint64_t lead = 0;
	pv_link_notes_open(&notes);
	pv_link_notes_add(&notes, 3, here);
	pv_link_notes_add(&notes, 2, here);
	pv_link_notes_add(&notes, 3, here);
	pv_link_notes_add(&notes, 3, there);
	pv_link_notes_add(&notes, 9, there);
	pv_link_notes_add(&notes, 1, way);
	pv_link_notes_lead(&notes, way, there);
	pv_link_notes_begin(&notes);
	pv_link_notes_ask(&notes, here);
	are_documents(&notes, " 2 3", "each document is named once, in order");
	pv_link_notes_begin(&notes);
	pv_link_notes_ask(&notes, there);
	are_documents(&notes, " 1 3 9", "with those that come there by others");
	pv_link_notes_ask(&notes, here);
	are_documents(&notes, " 1 2 3 9", "and those of several keys at once");
	pv_link_notes_begin(&notes);
	are_documents(&notes, "", "without keys there are none");
	ok(pv_link_notes_next_lead(&notes, &lead) && lead == way &&
		!pv_link_notes_next_lead(&notes, &lead),
	    "what leads on is known");
	ok(pv_database_status(notes.database) == PV_STORE_OK, "all is well");
	pv_link_notes_close(&notes);
	return tap_done();
}
