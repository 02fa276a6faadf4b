#include "store/tables/pause_notes.h"

#include "store/tables/note.h"

#define NOTE_RUN PV_STR("shared-pauses.run")
#define NOTE_TEXT PV_STR("shared-pauses")

/* As many pauses as there may be, each with the longest name and reason. */
#define TEXT_MAX ((size_t)1 << 20)

void pv_pause_notes_set(
    struct pv_database *database, int64_t run, struct pv_str pauses)
{
	pv_note_set(database, NOTE_RUN, run);
	pv_note_set_text(database, NOTE_TEXT, pauses);
}

void pv_pause_notes_get(struct pv_database *database, struct pv_orders *pauses)
{
	struct pv_buf text;
	int64_t run = pv_note_get(database, PV_STR("runs"), 0);
	if (pv_note_get(database, NOTE_RUN, -1) != run)
		return;
	pv_buf_init(&text, TEXT_MAX);
	if (pv_note_get_text(database, NOTE_TEXT, &text))
		pv_orders_read(pauses, pv_buf_str(&text));
	pv_buf_finish(&text);
}
