#ifndef PAVANE_STORE_TABLES_LINK_NOTES_H
#define PAVANE_STORE_TABLES_LINK_NOTES_H

#include <stddef.h>

#include "store/database.h"

/* Which document links to which key, of millions of them, to be asked for by
 * key; and which keys lead to which other one. A database without a name, which
 * spills into a temporary file and ends with the connection that opened it.
 * Used by one thread at a time. */
struct pv_link_notes {
	struct pv_database *database;
	struct pv_statement *add;
	struct pv_statement *lead;
	struct pv_statement *leads;
	struct pv_statement *forget;
	struct pv_statement *ask;
	struct pv_statement *next;
};

/* Faults are the database's. */
void pv_link_notes_open(struct pv_link_notes *notes);
void pv_link_notes_close(struct pv_link_notes *notes);

void pv_link_notes_add(
    struct pv_link_notes *notes, uint64_t document, uint64_t key);

/* A link to `from` leads on to `to`. */
void pv_link_notes_lead(
    struct pv_link_notes *notes, uint64_t from, uint64_t to);

/* Gives the next key that leads on; false after the last. */
bool pv_link_notes_next_lead(struct pv_link_notes *notes, uint64_t *from);

/* Asks for the documents that link to any of some keys, or to one that leads
 * there, each of them once, in the order of their numbers: first the keys, then
 * the documents until there is none, which is 0. */
void pv_link_notes_begin(struct pv_link_notes *notes);
void pv_link_notes_ask(struct pv_link_notes *notes, uint64_t key);
uint64_t pv_link_notes_next(struct pv_link_notes *notes);

#endif
