#ifndef PAVANE_FIELDS_OUTPUT_TURNING_H
#define PAVANE_FIELDS_OUTPUT_TURNING_H

#include "fields/output/line_files.h"
#include "sink/sink.h"
#include "store/rows_database.h"
#include "store/tables/page_rows.h"

/* From the rows that a page gave before to those that it gives now.
 *
 * The first rows of a page are new. Where it gives the same again nothing is
 * added; where it does not, all its rows are added as changed, those that were
 * not there before as new, and those that are lost as gone. Read as another
 * kind of page its rows are gone there and new here. They are gone as well when
 * its server says that it is gone (record/change.h), or when it was read whole
 * and is of no kind any more. Errors, a 304 and half a page change nothing.
 *
 * What the page gave to another worker of a fleet, later than here, counts as what it
 * gave before. Where it gives the same, that one's rows stand for it; else all of its
 * rows and problems are written here.
 *
 * The writer's thread's. */
struct pv_turning {
	const struct pv_fields_layout *layout;
	struct pv_line_files *lines;
	struct pv_rows_database *rows; /* NULL for none */
	struct pv_database *database;  /* the state's */
	struct pv_page_rows_table table;
	struct pv_buf texts;     /* of what the state has of a page ... */
	struct pv_buf own_texts; /* ... as it was read here */
	bool has_given;      /* which was noted */
	struct pv_buf line;
};

void pv_turning_init(struct pv_turning *turning,
    const struct pv_fields_layout *layout, struct pv_database *database);
void pv_turning_finish(struct pv_turning *turning);

/* False if a file cannot be written: errno says why. What goes wrong with the
 * databases these know. */
bool pv_turning_append(
    struct pv_turning *turning, const struct pv_sink_entry *entry);

#endif
