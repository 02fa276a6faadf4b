#include "serve/http/accept.h"

#include "base/ascii.h"
#include "http/parameter.h"

#define WEIGHT_MOST 1000

/* How closely a range names an offer; the closest one says how much it is
 * wanted. */
enum closeness { NOT_NAMED, ANY, ANY_SUBTYPE, BY_TYPE, BY_VERSION };

/* One of the header's ranges: "text/plain; version=0.0.4; q=0.5". */
struct range {
	struct pv_str type;
	struct pv_parameter version;
	bool has_version;
	unsigned weight; /* in thousandths */
};

static bool is_between(int byte)
{
	return pv_is_blank(byte) || byte == ',';
}

static bool is_of_type(int byte)
{
	return !pv_is_blank(byte) && byte != ',' && byte != ';';
}

/* "0.25", with at most three digits behind the point (12.4.2). What is none is
 * taken for the whole weight, as if it were not there. */
static unsigned read_weight(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	unsigned weight = 0;
	int first = pv_reader_next(&reader);
	if ((first != '0' && first != '1') || text.len > 5)
		return WEIGHT_MOST;
	bool has_point = pv_reader_accept(&reader, '.');
	for (unsigned unit = 100; unit && !pv_reader_is_end(&reader);
	     unit /= 10) {
		int digit = pv_reader_next(&reader);
		if (!has_point || !pv_is_digit(digit))
			return WEIGHT_MOST;
		weight += unit * (unsigned)(digit - '0');
	}
	return first == '1' ? WEIGHT_MOST : weight;
}

/* False at the end. */
static bool next_range(struct pv_reader *reader, struct range *range)
{
	struct pv_parameter parameter;
	pv_reader_take_while(reader, is_between);
	if (pv_reader_is_end(reader))
		return false;
	*range = (struct range){.weight = WEIGHT_MOST};
	range->type = pv_reader_take_while(reader, is_of_type);
	while (pv_parameter_next(reader, &parameter)) {
		if (pv_str_equal_nocase(parameter.name, PV_STR("q"))) {
			range->weight = read_weight(parameter.value);
		} else if (pv_str_equal_nocase(
			       parameter.name, PV_STR("version"))) {
			range->version = parameter;
			range->has_version = true;
		}
	}
	return true;
}

static enum closeness closeness_of(
    const struct range *range, const struct pv_offer *offer)
{
	struct pv_str type = pv_str_of(offer->type);
	size_t slash = pv_str_find(type, '/');
	if (pv_str_equal(range->type, PV_STR("*/*")))
		return ANY;
	if (pv_str_ends(range->type, PV_STR("/*")))
		return pv_str_equal_nocase(
			   pv_str_head(range->type, range->type.len - 1),
			   pv_str_head(type, slash + 1))
			   ? ANY_SUBTYPE
			   : NOT_NAMED;
	if (!pv_str_equal_nocase(range->type, type))
		return NOT_NAMED;
	if (!range->has_version)
		return BY_TYPE;
	return offer->version && pv_str_equal(range->version.value,
				     pv_str_of(offer->version))
		   ? BY_VERSION
		   : NOT_NAMED;
}

static unsigned weight_of(struct pv_str accept, const struct pv_offer *offer)
{
	struct pv_reader reader = pv_reader_of(accept);
	enum closeness closest = NOT_NAMED;
	unsigned weight = 0;
	struct range range;
	while (next_range(&reader, &range)) {
		enum closeness closeness = closeness_of(&range, offer);
		if (closeness > closest) {
			closest = closeness;
			weight = range.weight;
		}
	}
	return weight;
}

size_t pv_accept_choose(
    struct pv_str accept, const struct pv_offer *offers, size_t count)
{
	size_t best = 0;
	unsigned most = 0;
	for (size_t i = 0; accept.ptr && i < count; i++) {
		unsigned weight = weight_of(accept, &offers[i]);
		if (weight > most) {
			most = weight;
			best = i;
		}
	}
	return best;
}
