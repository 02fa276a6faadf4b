#ifndef PAVANE_MIRROR_INDEX_ENTRY_WRITER_H
#define PAVANE_MIRROR_INDEX_ENTRY_WRITER_H

#include "mirror/index/entry_page.h"

/* Writing an entry page: what all its parts have in common. */
struct pv_entry_writer {
	const struct pv_entry_plan *plan;
	const struct pv_entry_facts *facts;
	struct pv_buf *page;
};

/* HTML of ours, by a format as printf has it; what is to be text in it; and the
 * command that a reader may give, behind "pavane". */
void pv_entry_put(const struct pv_entry_writer *writer, const char *html, ...)
    __attribute__((format(printf, 2, 3)));
void pv_entry_put_text(const struct pv_entry_writer *writer, const char *text);
void pv_entry_put_command(const struct pv_entry_writer *writer,
    const char *command, const char *option);

/* The name of the mirror; and a page's beginning, up to its header, as its title
 * says what it is of that mirror. */
void pv_entry_put_name(const struct pv_entry_writer *writer);
void pv_entry_put_head(const struct pv_entry_writer *writer, const char *what);

/* A search through the list of pages, which is there once a script has run:
 * where the list and the mirror's directory lie, seen from the page. */
void pv_entry_put_search(
    const struct pv_entry_writer *writer, const char *pages, const char *root);

/* As much of an address as one reads. */
void pv_entry_put_shown(const struct pv_entry_writer *writer,
    const struct pv_entry_address *address);

/* The same as a link, to the web; or to its file, if it is in one. */
void pv_entry_put_remote(const struct pv_entry_writer *writer,
    const struct pv_entry_address *address);
void pv_entry_put_address(const struct pv_entry_writer *writer,
    const struct pv_entry_address *address);

/* The beginning of a link to a file. */
void pv_entry_begin_link(
    const struct pv_entry_writer *writer, struct pv_str file);

/* "answered 404: not found" */
void pv_entry_put_answer(const struct pv_entry_writer *writer, unsigned status);

/* Behind a list, how many there are that it has not, and whether
 * `pavane links` has them. */
void pv_entry_put_more(
    const struct pv_entry_writer *writer, uint64_t count, bool are_links);

/* The parts of an entry page that are lists. Each of them ends when it has
 * filled its share of the page, and says how many more there are. */
void pv_entry_part_seeds(const struct pv_entry_writer *writer);
void pv_entry_part_pages(const struct pv_entry_writer *writer);
void pv_entry_part_hosts(const struct pv_entry_writer *writer);
void pv_entry_part_errors(const struct pv_entry_writer *writer);
void pv_entry_part_bare(const struct pv_entry_writer *writer);
void pv_entry_part_refusals(const struct pv_entry_writer *writer);

#endif
