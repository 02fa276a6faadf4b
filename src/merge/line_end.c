#include "merge/line_end.h"

#include <inttypes.h>

#include "base/reader.h"

#define FINAL PV_STR(",\"final\":true")
#define WORKER PV_STR(",\"worker\":")

static bool drop_end(struct pv_str *text, struct pv_str end)
{
	if (text->len < end.len ||
	    !pv_str_equal(pv_str_from(*text, text->len - end.len), end))
		return false;
	*text = pv_str_head(*text, text->len - end.len);
	return true;
}

/* A member that is a whole number. */
static bool drop_worker(struct pv_str *text)
{
	size_t comma = pv_str_find_last(*text, ',');
	uint64_t number;
	if (comma == PV_NOT_FOUND)
		return false;
	struct pv_reader reader = pv_reader_of(pv_str_from(*text, comma));
	if (!pv_reader_accept_str(&reader, WORKER) ||
	    !pv_reader_take_number(&reader, INT64_MAX, &number) ||
	    !pv_reader_is_end(&reader))
		return false;
	*text = pv_str_head(*text, comma);
	return true;
}

bool pv_merge_line_write(struct pv_str line,
    const struct pv_merge_line_was *was, const struct pv_merge_line_end *end,
    struct pv_buf *buf)
{
	bool was_final = false, had_worker = false;
	if (!drop_end(&line, PV_STR("}")))
		return false;
	for (bool goes_on = true; goes_on;) {
		bool is_final = !was_final && drop_end(&line, FINAL);
		bool is_worker = !had_worker && drop_worker(&line);
		was_final = was_final || is_final;
		had_worker = had_worker || is_worker;
		goes_on = is_final || is_worker;
	}
	if (was_final != was->was_final)
		return false;
	pv_buf_append(buf, line);
	/* Where it stands further in front, it says the same. */
	if (had_worker || !was->had_worker)
		pv_buf_append_format(buf, ",\"worker\":%" PRId64, end->worker);
	pv_buf_append_format(buf, "%s%s}\n",
	    end->is_final ? ",\"final\":true" : "",
	    end->is_stale ? ",\"stale\":true" : "");
	return !buf->is_full;
}
