#include "merge/csv_records.h"

#include "server/run_program.h"
#include "tap.h"

static bool append(void *ctx, const struct pv_csv_record *record)
{
	struct pv_buf *told = ctx;
	pv_buf_append_format(
	    told, "<%.*s %zu>", PV_STR_ARG(record->first), record->bytes.len);
	return true;
}

static const struct {
	const char *claim;
	const char *text;
	const char *told;
	const char *problem; /* NULL: it is read */
	int more;            /* bytes are promised than are there */
} files[] = {
    {"no record", "", "", NULL, 0},
    {"records", "_url,a\nb,1\n", "<_url 7><b 4>", NULL, 0},
    {"with the line ends of the standard", "b,1\r\n", "<b 5>", NULL, 0},
    {"of one field", "b\n", "<b 2>", NULL, 0},
    {"a line end in quotes", "b,\"1\n2\"\nc\n", "<b 8><c 2>", NULL, 0},
    {"quotes in quotes", "\"b\"\",\"\"\",1\n", "<b\",\" 11>", NULL, 0},
    {"a record without its end", "b,1", "", "is incomplete", 0},
    {"quotes without their end", "b,\"1\n", "", "is incomplete", 0},
    {"a file that was cut", "b,1\n", "<b 4>", "is shorter", 1},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct home home;
		struct pv_why why;
		struct pv_buf told;
		pv_why_init(&why);
		pv_buf_init(&told, 4096);
		home_make(&home);
		struct pv_str text = pv_str_of(files[i].text);
		const char *path = home_write(&home, "a.csv", text);
		bool is_read = pv_csv_records_read(path,
		    text.len + (uint64_t)files[i].more, append, &told, &why);
		is_text(pv_buf_str(&told), files[i].told, "%s: in their order",
		    files[i].claim);
		ok(files[i].problem
			? !is_read && strstr(why.problems.kept[0].text,
					  files[i].problem)
			: is_read && !pv_why_has_problems(&why),
		    "%s: %s", files[i].claim,
		    files[i].problem ? files[i].problem : "is read");
		pv_buf_finish(&told);
		pv_why_finish(&why);
		home_remove(&home);
	}
	return tap_done();
}
