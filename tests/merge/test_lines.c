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
	int64_t reader;   /* if another one is */
} scenes[] = {
    {"lines come by time",
	{{.source = 1, .offset = 10, .at_ms = 30},
	    {.source = 2, .offset = 20, .at_ms = 10},
	    {.source = 1, .offset = 30, .at_ms = 20}},
	"20 30 10 ", 0, 0},
    {"those of one time as they were added",
	{{.source = 1, .offset = 10, .at_ms = 5},
	    {.source = 2, .offset = 20, .at_ms = 5}},
	"10 20 ", 0, 0},
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
	"~10 20 ", 2, 0},
    {"what is as it was in a later round was read before",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 30,
	     .is_final = true,
	     .fingerprint = {1, 1},
	     .round = 1,
	     .is_fetched = true},
	    {.source = 2,
		.offset = 20,
		.at_ms = 40,
		.is_final = true,
		.fingerprint = {1, 1},
		.round = 2,
		.is_fetched = true,
		.content = PV_MERGE_NOTHING}},
	"10 20 ", 2, 1},
    {"and there is nothing to read where it is gone",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 30,
	     .is_final = true,
	     .fingerprint = {1, 1},
	     .round = 1,
	     .is_fetched = true},
	    {.source = 2,
		.offset = 20,
		.at_ms = 40,
		.is_final = true,
		.fingerprint = {1, 1},
		.round = 2,
		.is_fetched = true,
		.content = PV_MERGE_NOTHING},
	    {.source = 3,
		.offset = 30,
		.at_ms = 50,
		.is_final = true,
		.fingerprint = {1, 1},
		.round = 3,
		.is_fetched = true}},
	"10 20 30 ", 3, 0},
    {"who has read it, and left its rows to another one, is not asked for them",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 30,
	     .is_final = true,
	     .fingerprint = {1, 1},
	     .round = 1,
	     .is_fetched = true},
	    {.source = 2,
		.offset = 20,
		.at_ms = 40,
		.is_final = true,
		.fingerprint = {1, 1},
		.round = 2,
		.is_fetched = true,
		.content = PV_MERGE_ELSEWHERE}},
	"10 20 ", 2, 1},
    {"unless that one is not here",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 30,
	     .is_final = true,
	     .fingerprint = {1, 1},
	     .round = 1,
	     .is_fetched = true,
	     .content = PV_MERGE_NOTHING},
	    {.source = 2,
		.offset = 20,
		.at_ms = 40,
		.is_final = true,
		.fingerprint = {1, 1},
		.round = 2,
		.is_fetched = true,
		.content = PV_MERGE_ELSEWHERE}},
	"10 20 ", 2, 0},
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
	"10 ~20 ", 1, 0},
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
	"10 20 30 ", 0, 0},
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
	"10 20 ", 1, 0},
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
	"20 10 ", 1, 0},
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
	"10 20 ", 0, 0},
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
	"~10 20 ", 0, 0},
};

/* What becomes final when nothing is left: the sources whose state has refused the
 * addresses 1 and 2, and 0 for what was fetched. */
static const struct {
	const char *claim;
	struct pv_merge_line lines[LINES_MAX];
	int64_t refused_by[2];
	const char *told; /* in their order; final ones with a ! */
} completions[] = {
    {"a refusal without a final line gets one: the last",
	{{.source = 1, .offset = 10, .at_ms = 10, .fingerprint = {1, 1}},
	    {.source = 1, .offset = 20, .at_ms = 20, .fingerprint = {1, 1}}},
	{1, 0}, "10 20! "},
    {"what has a final line has it, in whichever round",
	{{.source = 1,
	     .offset = 10,
	     .at_ms = 10,
	     .round = 1,
	     .is_final = true,
	     .fingerprint = {1, 1}},
	    {.source = 2,
		.offset = 20,
		.at_ms = 20,
		.round = 2,
		.fingerprint = {1, 1}}},
	{2, 0}, "10! 20 "},
    {"what is not refused gets none",
	{{.source = 1, .offset = 10, .at_ms = 10, .fingerprint = {1, 1}}},
	{0, 0}, "10 "},
    {"of several sources the one whose state counts has it",
	{{.source = 1, .offset = 10, .at_ms = 10, .fingerprint = {1, 1}},
	    {.source = 2, .offset = 20, .at_ms = 20, .fingerprint = {1, 1}}},
	{1, 0}, "10! 20 "},
    {"or the last line, where that source has none",
	{{.source = 1, .offset = 10, .at_ms = 10, .fingerprint = {1, 1}},
	    {.source = 2, .offset = 20, .at_ms = 20, .fingerprint = {1, 1}}},
	{3, 0}, "10 20! "},
    {"a request is no refusal",
	{{.source = 1, .offset = 10, .at_ms = 10, .fingerprint = {1, 1}},
	    {.source = 1,
		.offset = 20,
		.at_ms = 20,
		.fingerprint = {1, 1},
		.is_fetched = true}},
	{1, 0}, "10! 20 "},
    {"nor gets it a final line where no line says that it was refused",
	{{.source = 1,
	    .offset = 10,
	    .at_ms = 10,
	    .fingerprint = {1, 1},
	    .is_fetched = true}},
	{1, 0}, "10 "},
    {"each address by itself",
	{{.source = 1, .offset = 10, .at_ms = 10, .fingerprint = {1, 1}},
	    {.source = 1, .offset = 20, .at_ms = 20, .fingerprint = {2, 1}},
	    {.source = 2, .offset = 30, .at_ms = 30, .fingerprint = {1, 2}}},
	{1, 1}, "10! 20! 30 "},
};

static int64_t refused_by(void *ctx, struct pv_fingerprint fingerprint)
{
	const int64_t *sources = ctx;
	return fingerprint.origin == 1 ? sources[fingerprint.address - 1] : 0;
}

static bool append_final(void *ctx, const struct pv_merge_line *line)
{
	pv_buf_append_format(ctx, "%llu%s ", (unsigned long long)line->offset,
	    line->is_final || line->becomes_final ? "!" : "");
	return true;
}

static void test_completions(void)
{
	for (size_t i = 0; i < sizeof(completions) / sizeof(*completions);
	     i++) {
		int64_t sources[2] = {
		    completions[i].refused_by[0], completions[i].refused_by[1]};
		struct pv_merge_lines lines;
		struct pv_buf told;
		pv_buf_init(&told, 4096);
		pv_merge_lines_open(&lines);
		for (size_t j = 0; j < LINES_MAX; j++) {
			if (completions[i].lines[j].source)
				pv_merge_lines_add(
				    &lines, &completions[i].lines[j]);
		}
		pv_merge_lines_settle(&lines);
		pv_merge_lines_complete(&lines, refused_by, sources);
		pv_merge_lines_each(&lines, append_final, &told);
		is_text(pv_buf_str(&told), completions[i].told, "P3: %s",
		    completions[i].claim);
		pv_merge_lines_close(&lines);
		pv_buf_finish(&told);
	}
}

static bool append(void *ctx, const struct pv_merge_line *line)
{
	pv_buf_append_format(ctx, "%s%llu ", line->is_stale ? "~" : "",
	    (unsigned long long)line->offset);
	return true;
}

/* What was asked for by one worker of a fleet may be known to another by now. */
static void test_fleet(void)
{
	struct pv_merge_lines lines;
	pv_merge_lines_open(&lines);
	lines.is_of_fleet = true;
	pv_merge_lines_add(&lines, &(struct pv_merge_line){.source = 2,
				       .offset = 10,
				       .is_final = true,
				       .fingerprint = {1, 1},
				       .is_fetched = true});
	pv_merge_lines_settle(&lines);
	ok(pv_merge_lines_owner(&lines, (struct pv_fingerprint){1, 1}) == 2 &&
		pv_merge_lines_reader(&lines, (struct pv_fingerprint){1, 1}) ==
		    2,
	    "of a fleet it is known of each address who has asked for it");
	ok(pv_merge_lines_owner(&lines, (struct pv_fingerprint){1, 2}) == 0,
	    "unless nobody has");
	pv_merge_lines_close(&lines);
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
		int64_t reader =
		    scenes[i].reader ? scenes[i].reader : scenes[i].owner;
		ok(pv_merge_lines_reader(
		       &lines, (struct pv_fingerprint){1, 1}) == reader,
		    "%s: and who has read it last", scenes[i].claim);
		pv_merge_lines_close(&lines);
		pv_buf_finish(&told);
	}
	test_completions();
	test_fleet();
	return tap_done();
}
