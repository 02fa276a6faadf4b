#ifndef PAVANE_MIRROR_INDEX_ENTRY_READER_H
#define PAVANE_MIRROR_INDEX_ENTRY_READER_H

#include "mirror/index/entry_facts.h"
#include "mirror/lookup/fate.h"

/* What those share who read the facts of an entry page: the state file, the
 * directory, and how an address is taken down.
 *
 * All of it is as of one moment, in one transaction: the page is written by the
 * crawl itself, when its run has ended and nobody writes the state any more, so
 * no log grows meanwhile (store/wal.h). It is closed before the log is folded
 * in. */
struct pv_entry_reader {
	const struct pv_policy *policy;
	struct pv_entry_facts *facts; /* that are to be filled */
	struct pv_database *database;
	int directory;
	bool is_open;               /* all of it */
	bool has_time;              /* to read documents */
	struct pv_kept_state state; /* the same, to look addresses up */
	struct pv_fates fates;
};

bool pv_entry_reader_open(struct pv_entry_reader *reader, const char *directory,
    struct pv_buf *fault);
void pv_entry_reader_close(struct pv_entry_reader *reader);

/* The file of an address, if there is one and it is where it is said to be. */
struct pv_str pv_entry_reader_file(
    struct pv_entry_reader *reader, uint64_t address);

/* Takes an address down, without its file. */
struct pv_entry_address pv_entry_reader_address(
    struct pv_entry_reader *reader, struct pv_str url);

/* The same with its file, by its number; 0: it is in none. */
struct pv_entry_address pv_entry_reader_kept(
    struct pv_entry_reader *reader, struct pv_str url, uint64_t id);

/* Appends an address without credentials; false if it is cut, because it is too
 * long to be a link. */
bool pv_entry_append_address(struct pv_buf *text, struct pv_str url);

/* Whether a file is a page, by its name; and appends its title, if it has
 * one. */
bool pv_entry_is_page(struct pv_str file);
bool pv_entry_append_title(
    struct pv_buf *title, int directory, const char *file);

/* How long reading documents may take, in proportion to the time in which they
 * came. */
uint64_t pv_entry_time_us(struct pv_database *database);

/* That a seed has come to that address. */
void pv_entry_seed_stands(
    struct pv_entry_seed *seed, const struct pv_state_address *row);

/* Each reads one part of them. */
void pv_entry_seeds_read(struct pv_entry_reader *reader);
void pv_entry_errors_read(struct pv_entry_reader *reader);
void pv_entry_losses_read(struct pv_entry_reader *reader);
void pv_entry_linkers_read(struct pv_entry_reader *reader);

/* When seeds and hosts are known: where seeds were moved to, where hosts begin,
 * a few addresses for each reason to refuse them; and how many pages there are,
 * if that is not known yet, and all addresses can be looked at. */
void pv_entry_walk(struct pv_entry_reader *reader);

#endif
