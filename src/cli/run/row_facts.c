#include "cli/run/row_facts.h"

#include "cli/terminal/amounts.h"
#include "pavane/pavane.h"

/* So many problems are listed. */
#define FAULTS_MAX 10

static const char *missing(const struct pavane_row_count *count)
{
	return count->has_match ? "its `match` fitted no page"
				: "no link or seed led to a page of this kind";
}

static void write_counts(const struct pavane_rows *rows, FILE *file)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct pavane_row_count *count = &rows->counts[i];
		fprintf(file, "  %-10s %s: ", i ? "" : "rows", count->kind);
		if (!count->pages) {
			fprintf(file, "no row: %s, or none has a row\n",
			    missing(count));
			continue;
		}
		fputs(pv_amount_of_things(count->rows, "row").text, file);
		fprintf(file, " of %s\n",
		    pv_amount_of_things(count->pages, "page").text);
	}
}

static void write_faults(const struct pavane_rows *rows, FILE *file)
{
	size_t shown =
	    rows->fault_count < FAULTS_MAX ? rows->fault_count : FAULTS_MAX;
	for (size_t i = 0; i < shown; i++) {
		const struct pavane_field_fault *fault = &rows->faults[i];
		fprintf(file, "  %-10s %s%s%s: %s: %s\n", i ? "" : "no value",
		    fault->kind, fault->field ? "." : "",
		    fault->field ? fault->field : "", fault->why,
		    pv_amount_of_things(fault->count, "time").text);
	}
	if (rows->fault_count > shown)
		fprintf(file, "  %-10s and %zu more\n", "",
		    rows->fault_count - shown);
	if (shown)
		fprintf(file,
		    "  %-10s each is a line in "
		    "fields/problems.jsonl\n",
		    "");
}

void pv_row_facts_write(const char *directory, FILE *file)
{
	struct pavane_rows *rows = pavane_rows_read(directory);
	if (!rows)
		return;
	write_counts(rows, file);
	write_faults(rows, file);
	pavane_rows_destroy(rows);
}
