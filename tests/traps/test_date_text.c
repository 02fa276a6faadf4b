#include "traps/date_text.h"

#include "base/buf.h"
#include "base/day.h"
#include "http/date.h"
#include "tap.h"

static void write_day(int64_t day, struct pv_buf *text)
{
	struct pv_buf date;
	pv_buf_init(&date, 64);
	pv_date_write(day * PV_DAY_MS, &date);
	pv_buf_append(text, (struct pv_str){pv_buf_text(&date) + 5, 11});
	pv_buf_finish(&date);
}

/* "01 May 2031 - 31 May 2031", or "none". */
static void is_span(const char *text, const char *kind, bool is_found,
    const struct pv_date_span *span, const char *wanted)
{
	struct pv_buf found;
	pv_buf_init(&found, 256);
	if (!is_found) {
		pv_buf_append_text(&found, "none");
	} else {
		write_day(span->first, &found);
		if (span->last != span->first) {
			pv_buf_append_text(&found, " - ");
			write_day(span->last, &found);
		}
	}
	is_text(pv_buf_str(&found), wanted, "%s: %s", kind, text);
	pv_buf_finish(&found);
}

static const struct {
	const char *text;
	const char *date;
} dashed[] = {
    {"2031-05", "01 May 2031 - 31 May 2031"},
    {"2031-05-17", "17 May 2031"},
    {"2032-02", "01 Feb 2032 - 29 Feb 2032"},
    {"2100-02", "01 Feb 2100 - 28 Feb 2100"},
    {"month-2031-05.html", "01 May 2031 - 31 May 2031"},
    {"2031-05-17-my-post", "17 May 2031"},
    {"events_2031-05-17_all", "17 May 2031"},
    {"log.2031-05-17.txt", "17 May 2031"},
    {"2031-05-17T10:30", "17 May 2031"},
    {"2031-05-17%20x", "17 May 2031"},
    {"2031-W01", "01 Jan 2031 - 07 Jan 2031"},
    {"2031-W54", "none"},
    {"2031-13", "none"},
    {"2031-00", "none"},
    {"2031-05-32", "none"},
    {"2031-02-29", "none"},
    {"2032-02-29", "29 Feb 2032"},
    {"2031-5", "none"},
    {"2031-05x", "none"},
    {"x2031-05", "none"},
    {"12031-05", "none"},
    {"2031-051", "none"},
    {"978-1-2031-05-7", "none"},
    {"12-2031-05", "none"},
    {"2031-05-7", "none"},
    {"2031-05.7", "none"},
    {"0999-05", "none"},
    {"1000-01", "01 Jan 1000 - 31 Jan 1000"},
    {"550e8400-e29b-1200-1116-446655440000", "none"},
    {"a-2031-99-b-2031-06", "01 Jun 2031 - 30 Jun 2031"},
    {"2031_05", "none"},
    {"2031", "none"},
    {"-", "none"},
    {"", "none"},
};

static const struct {
	const char *text;
	const char *strict;
	const char *loose;
} paths[] = {
    {"2031/05", "01 May 2031 - 31 May 2031", "01 May 2031 - 31 May 2031"},
    {"2031/05/", "01 May 2031 - 31 May 2031", "01 May 2031 - 31 May 2031"},
    {"2031/05/17", "17 May 2031", "17 May 2031"},
    {"2031/05/17/my-post", "17 May 2031", "17 May 2031"},
    {"2031/05/my-post", "01 May 2031 - 31 May 2031",
	"01 May 2031 - 31 May 2031"},
    {"2031/05/4711", "01 May 2031 - 31 May 2031", "01 May 2031 - 31 May 2031"},
    {"2031/05.html", "01 May 2031 - 31 May 2031", "01 May 2031 - 31 May 2031"},
    {"2031/05/17.html", "17 May 2031", "17 May 2031"},
    {"2031/5/7", "none", "07 May 2031"},
    {"2031/5", "none", "01 May 2031 - 31 May 2031"},
    {"2031/99", "none", "none"},
    {"2031/0/", "none", "none"},
    {"2031/11.1016/x", "none", "none"},
    {"2031/page", "none", "none"},
    {"2031//05", "none", "none"},
    {"20310/05", "none", "none"},
    {"2031", "none", "none"},
};

static const struct {
	const char *text;
	const char *date;
} values[] = {
    {"2031-05", "01 May 2031 - 31 May 2031"},
    {"2031-5", "01 May 2031 - 31 May 2031"},
    {"2031-5-7", "07 May 2031"},
    {"2031/05/17", "17 May 2031"},
    {"2031%2F05%2f17", "17 May 2031"},
    {"2031-05-17T10%3A30", "17 May 2031"},
    {"2031-05-17+10:30", "17 May 2031"},
    {"1100-2000", "none"},
    {"2031-5-99", "none"},
    {"2031-", "none"},
    {"2031", "none"},
};

static const struct {
	const char *text;
	const char *date;
} compacts[] = {
    {"20310517", "17 May 2031"},
    {"20311399", "none"},
    {"20310017", "none"},
    {"20310500", "none"},
    {"20310230", "none"},
    {"09990101", "none"},
    {"2031051", "none"},
    {"203105170", "none"},
    {"20310517a", "none"},
};

int main(void)
{
	struct pv_date_span span;
	for (size_t i = 0; i < sizeof(dashed) / sizeof(*dashed); i++) {
		struct pv_reader rest = pv_reader_of(pv_str_of(dashed[i].text));
		bool is_found = pv_date_take_dashed(&rest, &span);
		is_span(dashed[i].text, "among words", is_found, &span,
		    dashed[i].date);
	}
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		struct pv_str text = pv_str_of(paths[i].text);
		bool is_found = pv_date_read_path(text, false, &span);
		is_span(
		    paths[i].text, "a path", is_found, &span, paths[i].strict);
		is_found = pv_date_read_path(text, true, &span);
		is_span(paths[i].text, "a path of a calendar", is_found, &span,
		    paths[i].loose);
	}
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		struct pv_str text = pv_str_of(values[i].text);
		bool is_found = pv_date_read_value(text, &span);
		is_span(
		    values[i].text, "a value", is_found, &span, values[i].date);
	}
	for (size_t i = 0; i < sizeof(compacts) / sizeof(*compacts); i++) {
		struct pv_str text = pv_str_of(compacts[i].text);
		bool is_found = pv_date_read_compact(text, &span);
		is_span(compacts[i].text, "eight digits", is_found, &span,
		    compacts[i].date);
	}
	struct pv_reader rest = pv_reader_of(PV_STR("2031-05_2032-06-07.x"));
	ok(pv_date_take_dashed(&rest, &span) &&
		pv_date_take_dashed(&rest, &span) &&
		span.first == pv_day_of_date(2032, 6, 7) &&
		!pv_date_take_dashed(&rest, &span),
	    "one date after the other is taken");
	return tap_done();
}
