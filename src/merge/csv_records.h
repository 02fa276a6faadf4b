#ifndef PAVANE_MERGE_CSV_RECORDS_H
#define PAVANE_MERGE_CSV_RECORDS_H

#include "base/why.h"

/* Reads the records of a file of CSV (RFC 4180), one after the other. A text in
 * quotes may have line ends in it. No record is longer than 8 MB. */
struct pv_csv_record {
	struct pv_str bytes; /* all of it, with its end */
	struct pv_str first; /* the first field, without its quotes */
};

/* Calls it with each, until it says no: what it is given is valid for the call.
 * False, with the reason, if the file has no such length of whole records; or if
 * it said no. */
typedef bool (*pv_csv_record_fn)(void *ctx, const struct pv_csv_record *record);
bool pv_csv_records_read(const char *path, uint64_t length,
    pv_csv_record_fn on_record, void *ctx, struct pv_why *why);

#endif
