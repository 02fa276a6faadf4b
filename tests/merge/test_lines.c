#include "merge/lines.h"

#include "base/buf.h"
#include "tap.h"

/* Several lines, and which of them count: each is named by its offset. */

#define LINES_MAX 6

static const struct {
	const char *claim;
	struct pv_merge_line lines[LINES_MAX];
	const char *told; /* in their order; stale ones with a ~ */
	int64_t owner;    /* of the address 1 */
} scenes[] = {
    {"lines come by time",
	{{.source = 1, .offset = 10, .at_ms = 30},
	    {.source = 2, .offset = 20, .at_ms = 10},
	    {.source = 1, .offset = 30, .at_ms = 20}},
	"20 30 10 ", 0},
    {"those of one time as they were added",
	{{.source = 1, .offset = 10, .at_ms = 5},
	    {.source = 2, .offset = 20, .at_ms = 5}},
	"10 20 ", 0},
    {"of two final lines the last one counts",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 30,
	     .is_final = true,
	     .fingerprint = {1, 1},
	     .is_fetched = true},
	    {.source = 2,
		.offset = 20,
		.at_ms = 40,
		.is_final = true,
		.fingerprint = {1, 1},
		.is_fetched = true}},
	"~10 20 ", 2},
    {"but what was fetched before what was refused",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 30,
	     .is_final = true,
	     .fingerprint = {1, 1},
	     .is_fetched = true},
	    {.source = 2,
		.offset = 20,
		.at_ms = 40,
		.is_final = true,
		.fingerprint = {1, 1}}},
	"10 ~20 ", 1},
    {"other addresses are others",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 30,
	     .is_final = true,
	     .fingerprint = {2, 1}},
	    {.source = 2,
		.offset = 20,
		.at_ms = 40,
		.is_final = true,
		.fingerprint = {1, 1}},
	    {.source = 2,
		.offset = 30,
		.at_ms = 50,
		.is_final = true,
		.fingerprint = {1, 2}}},
	"10 20 30 ", 0},
    {"in another round there is another final line, and the last round's "
     "source has the address",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 30,
	     .is_final = true,
	     .fingerprint = {1, 1},
	     .round = 2},
	    {.source = 2,
		.offset = 20,
		.at_ms = 40,
		.is_final = true,
		.fingerprint = {1, 1},
		.round = 1}},
	"10 20 ", 1},
    {"so there is in another round of its own",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 30,
	     .is_final = true,
	     .fingerprint = {1, 1},
	     .round = 1,
	     .own_round = 2},
	    {.source = 2,
		.offset = 20,
		.at_ms = 20,
		.is_final = true,
		.fingerprint = {1, 1},
		.round = 1}},
	"20 10 ", 1},
    {"lines that were never final do not count",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 30,
	     .is_final = true,
	     .fingerprint = {1, 1},
	     .is_fetched = true},
	    {.source = 2,
		.offset = 20,
		.at_ms = 40,
		.fingerprint = {1, 1},
		.is_fetched = true}},
	"10 20 ", 0},
    {"within one source, too, there is one final line",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 30,
	     .is_final = true,
	     .fingerprint = {1, 1}},
	    {.source = 1,
		.offset = 20,
		.at_ms = 40,
		.is_final = true,
		.fingerprint = {1, 1},
		.is_fetched = true}},
	"~10 20 ", 0},
};

static bool append(void *ctx, const struct pv_merge_line *line)
{
	pv_buf_append_format(ctx, "%s%llu ", line->is_stale ? "~" : "",
	    (unsigned long long)line->offset);
	return true;
}

int main(void)
{
	for (size_t i = 0; i < sizeof(scenes) / sizeof(*scenes); i++) {
		struct pv_merge_lines lines;
		struct pv_buf told;
		pv_buf_init(&told, 4096);
		pv_merge_lines_open(&lines);
		for (size_t j = 0; j < LINES_MAX; j++) {
			if (scenes[i].lines[j].source)
				pv_merge_lines_add(&lines, &scenes[i].lines[j]);
		}
		pv_merge_lines_settle(&lines);
		pv_merge_lines_each(&lines, append, &told);
		is_text(
		    pv_buf_str(&told), scenes[i].told, "%s", scenes[i].claim);
		ok(pv_merge_lines_owner(&lines,
		       (struct pv_fingerprint){1, 1}) == scenes[i].owner,
		    "%s: and who has the last word is known", scenes[i].claim);
		pv_merge_lines_close(&lines);
		pv_buf_finish(&told);
	}
	return tap_done();
}
