#include "store/tables/kind_names.h"

#include "base/reader.h"
#include "store/tables/note.h"

#define NOTE PV_STR("page-kinds")

void pv_kind_names_get(struct pv_database *database, struct pv_buf *names)
{
	pv_note_get_text(database, NOTE, names);
}

void pv_kind_names_set(struct pv_database *database, struct pv_str names)
{
	pv_note_set_text(database, NOTE, names);
}

bool pv_kind_names_have(struct pv_database *database, struct pv_str name)
{
	struct pv_buf names;
	bool is_there = false;
	pv_buf_init(&names, SIZE_MAX);
	pv_kind_names_get(database, &names);
	struct pv_reader reader = pv_reader_of(pv_buf_str(&names));
	while (!is_there && !pv_reader_is_end(&reader)) {
		is_there =
		    pv_str_equal(pv_reader_take_until(&reader, '\n'), name);
		pv_reader_accept(&reader, '\n');
	}
	pv_buf_finish(&names);
	return is_there;
}
