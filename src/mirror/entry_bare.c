#include "mirror/entry_parts.h"
#include "mirror/entry_reader.h"
#include "mirror/entry_words.h"

/* Reading */

static const char count_sql[] =
    "SELECT count(*) FROM (SELECT 1 FROM bare_pages LIMIT ?1)";

static const char list_sql[] =
    "SELECT bare_pages.address, url FROM bare_pages JOIN addresses ON "
    "addresses.id = bare_pages.address ORDER BY bare_pages.address LIMIT ?1";

static size_t count(struct pv_entry_reader *reader)
{
	struct pv_statement *row =
	    pv_statement_create(reader->database, count_sql);
	pv_statement_bind(row, 1, PV_ENTRY_COUNT_MAX);
	size_t number =
	    pv_statement_step(row) ? (size_t)pv_statement_number(row, 0) : 0;
	pv_statement_destroy(row);
	return number;
}

void pv_entry_bare_read(struct pv_entry_reader *reader)
{
	struct pv_entry_facts *facts = reader->facts;
	struct pv_statement *row =
	    pv_statement_create(reader->database, list_sql);
	pv_statement_bind(row, 1, PV_ENTRY_BARE_MAX);
	while (
	    facts->bare_listed < PV_ENTRY_BARE_MAX && pv_statement_step(row)) {
		struct pv_entry_address *address =
		    &facts->bare[facts->bare_listed++];
		*address =
		    pv_entry_reader_address(reader, pv_statement_text(row, 1));
		address->file = pv_entry_reader_file(
		    reader, (uint64_t)pv_statement_number(row, 0));
	}
	pv_statement_destroy(row);
	if (facts->bare_listed)
		facts->bare_count = count(reader);
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
