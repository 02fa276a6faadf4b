#include "sink/line_parts.h"

#include "base/json/json.h"
#include "base/reader.h"

#define DAY_MS INT64_C(86400000)

void pv_line_add_text(
    struct pv_buf *line, struct pv_str key, struct pv_str text)
{
	if (!text.len)
		return;
	pv_buf_append(line, key);
	pv_json_write_text(text, line);
}

/* printf takes longer for one number than all else for the line. */
static void append_number(struct pv_buf *line, uint64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);
	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	pv_buf_append(line, (struct pv_str){digits + at, sizeof(digits) - at});
}

void pv_line_add_number(struct pv_buf *line, struct pv_str key, uint64_t number)
{
	pv_buf_append(line, key);
	append_number(line, number);
}

/* Negative: it did not come to that. */
void pv_line_add_ms(struct pv_buf *line, struct pv_str key, int64_t ms)
{
	if (ms >= 0)
		pv_line_add_number(line, key, (uint64_t)ms);
}

/* Time */

/* With zeros before it. */
static void append_digits(struct pv_buf *line, unsigned number, size_t count)
{
	char digits[4];
	for (size_t i = count; i > 0; i--) {
		digits[i - 1] = (char)('0' + number % 10);
		number /= 10;
	}
	pv_buf_append(line, (struct pv_str){digits, count});
}

/* Years are counted from March, so that the day that some have more is their
 * last; 400 of them always have the same number of days (H. Hinnant,
 * "chrono-compatible low-level date algorithms"). */
static void append_date(struct pv_buf *line, unsigned day)
{
	day += 719468; /* from 1 March of the year 0 to 1 January 1970 */
	unsigned era = day / 146097;
	unsigned of_era = day % 146097;
	unsigned year =
	    (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
	unsigned of_year = of_era - (365 * year + year / 4 - year / 100);
	unsigned march = (5 * of_year + 2) / 153;
	unsigned month = march < 10 ? march + 3 : march - 9;
	append_digits(line, year + era * 400 + (month <= 2), 4);
	pv_buf_append_char(line, '-');
	append_digits(line, month, 2);
	pv_buf_append_char(line, '-');
	append_digits(line, of_year - (153 * march + 2) / 5 + 1, 2);
}

/* A clock before 1970, or beyond the year 9999, tells nothing. */
void pv_line_append_time(struct pv_buf *line, int64_t wall_ms)
{
	bool is_known = wall_ms >= 0 && wall_ms / DAY_MS < 2932897;
	int64_t time_ms = is_known ? wall_ms : 0;
	unsigned of_day = (unsigned)(time_ms % DAY_MS);
	append_date(line, (unsigned)(time_ms / DAY_MS));
	pv_buf_append_char(line, 'T');
	append_digits(line, of_day / 3600000, 2);
	pv_buf_append_char(line, ':');
	append_digits(line, of_day / 60000 % 60, 2);
	pv_buf_append_char(line, ':');
	append_digits(line, of_day / 1000 % 60, 2);
	pv_buf_append_char(line, '.');
	append_digits(line, of_day % 1000, 3);
	pv_buf_append_char(line, 'Z');
}

/* Addresses */

/* Where the authority ends, and where its credentials do, if it has any. */
void pv_line_append_url(struct pv_buf *line, struct pv_str url)
{
	struct pv_reader reader = pv_reader_of(url);
	pv_reader_take_until(&reader, '/');
	struct pv_str slashes = pv_reader_take(&reader, 2);
	size_t start = url.len - pv_reader_left(&reader);
	struct pv_str authority = pv_reader_take_until(&reader, '/');
	size_t at = pv_str_find_last(authority, '@');
	bool is_clean =
	    at == PV_NOT_FOUND || !pv_str_equal(slashes, PV_STR("//"));
	size_t end = is_clean ? start : start + at + 1;
	pv_buf_append(line, pv_str_head(url, start));
	pv_buf_append(line, pv_str_from(url, end));
}

/* Most have no credentials, and need no copy. */
void pv_line_add_url(struct pv_buf *line, struct pv_str key, struct pv_str url)
{
	struct pv_buf clean;
	if (pv_str_find(url, '@') == PV_NOT_FOUND) {
		pv_line_add_text(line, key, url);
		return;
	}
	pv_buf_init(&clean, url.len);
	pv_line_append_url(&clean, url);
	pv_line_add_text(line, key, pv_buf_str(&clean));
	pv_buf_finish(&clean);
}
