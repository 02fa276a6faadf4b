#include "http/content_range.h"

#include "base/reader.h"

/* A file's length is an off_t. */
#define PLACE_MAX ((uint64_t)INT64_MAX)

/* Content-Range     = range-unit SP ( range-resp / unsatisfied-range )
 * range-resp        = incl-range "/" ( complete-length / "*" )
 * incl-range        = first-pos "-" last-pos
 * unsatisfied-range = "*" "/" complete-length
 *
 * Names of units are the same whatever their case (14.1). A last-pos before
 * the first-pos, or a complete-length that is no greater than it, makes it
 * invalid: such a one is not to be combined with anything. */
static bool accept_unit(struct pv_reader *reader)
{
	const struct pv_str unit = PV_STR("bytes ");
	return pv_str_equal_nocase(pv_reader_take(reader, unit.len), unit);
}

static bool take_complete(struct pv_reader *reader, uint64_t *complete)
{
	*complete = PV_CONTENT_RANGE_UNKNOWN;
	return pv_reader_accept(reader, '*') ||
	       pv_reader_take_number(reader, PLACE_MAX, complete);
}

bool pv_content_range_read(struct pv_str text, struct pv_content_range *range)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_content_range read = {.first = 0};
	bool is_range =
	    accept_unit(&reader) &&
	    pv_reader_take_number(&reader, PLACE_MAX, &read.first) &&
	    pv_reader_accept(&reader, '-') &&
	    pv_reader_take_number(&reader, PLACE_MAX, &read.last) &&
	    pv_reader_accept(&reader, '/') &&
	    take_complete(&reader, &read.complete) && pv_reader_is_end(&reader);
	if (!is_range || read.last < read.first || read.complete <= read.last)
		return false;
	*range = read;
	return true;
}
