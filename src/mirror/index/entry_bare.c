#include "mirror/index/entry_parts.h"
#include "mirror/index/entry_reader.h"
#include "web/words.h"

/* Reading */

void pv_entry_bare_read(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	struct pv_address_filter filter = {
	    .choice = PV_ADDRESSES_BARE, .max = PV_ENTRY_BARE_MAX};
	struct pv_state_address row;
	struct pv_address_cursor *rows =
	    pv_address_cursor_open(reader->database, &filter);
	while (facts->bare_listed < PV_ENTRY_BARE_MAX &&
	       pv_address_cursor_next(rows, &row)) {
		struct pv_entry_address *address =
		    &facts->bare[facts->bare_listed++];
		*address = pv_entry_reader_address(reader, row.url);
		address->file = pv_entry_reader_file(reader, row.id);
	}
	pv_address_cursor_close(rows);
	filter.max = PV_ENTRY_COUNT_MAX;
	if (facts->bare_listed)
		facts->bare_count =
		    pv_state_addresses_count(reader->database, &filter);
}

/* Writing */

void pv_entry_part_bare(const struct pv_entry_writer *writer)
{
	const struct pv_entry_facts *facts = writer->facts;
	if (!facts->bare_listed)
		return;
	pv_entry_put(writer, "<section>\n<h2>Empty without scripts</h2>\n<p>");
	pv_entry_words_count(writer->page, facts->bare_count);
	if (facts->bare_count == PV_ENTRY_COUNT_MAX)
		pv_entry_put(writer, " or more");
	pv_entry_put(
	    writer, facts->bare_count == 1 ? " page shows" : " pages show");
	pv_entry_put(writer, " nothing until a script has run, which from the "
			     "disk may fail.</p>\n<ul>\n");
	for (size_t i = 0; i < facts->bare_listed; i++) {
		pv_entry_put(writer, "<li>");
		pv_entry_put_address(writer, &facts->bare[i]);
		pv_entry_put(writer, "</li>\n");
	}
	pv_entry_put(writer, "</ul>\n");
	if (facts->bare_count > facts->bare_listed)
		pv_entry_put_more(
		    writer, facts->bare_count - facts->bare_listed, NULL);
	pv_entry_put(writer, "</section>\n");
}
