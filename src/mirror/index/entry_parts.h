#ifndef PAVANE_MIRROR_INDEX_ENTRY_PARTS_H
#define PAVANE_MIRROR_INDEX_ENTRY_PARTS_H

#include "mirror/index/entry_writer.h"

/* The parts of an entry page that are lists. Each of them ends when it has
 * filled its share of the page, and says how many more there are. */
void pv_entry_part_seeds(const struct pv_entry_writer *writer);
void pv_entry_part_hosts(const struct pv_entry_writer *writer);
void pv_entry_part_errors(const struct pv_entry_writer *writer);
void pv_entry_part_bare(const struct pv_entry_writer *writer);
void pv_entry_part_refusals(const struct pv_entry_writer *writer);

#endif
