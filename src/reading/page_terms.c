#include "reading/page_terms.h"

#include "reading/x_robots.h"

/* Of many, as much as a term may have, and of what is made visible the
 * beginning. */
#define VALUES_MAX ((size_t)2 * PV_TERM_BYTES)

enum field {
	FIELD_ROBOTS,
	FIELD_USAGE,
	FIELD_SIGNAL,
	FIELD_RESERVATION,
	FIELD_POLICY,
};

static const struct pv_str names[] = {
    [FIELD_ROBOTS] = PV_STR("x-robots-tag"),
    [FIELD_USAGE] = PV_STR("content-usage"),
    [FIELD_SIGNAL] = PV_STR("content-signal"),
    [FIELD_RESERVATION] = PV_STR("tdm-reservation"),
    [FIELD_POLICY] = PV_STR("tdm-policy"),
};

#define FIELDS (sizeof(names) / sizeof(*names))

void pv_page_terms_init(struct pv_page_terms *terms)
{
	terms->fields = 0;
	pv_robots_words_init(&terms->robots);
	pv_tdm_init(&terms->tdm);
}

void pv_page_terms_finish(struct pv_page_terms *terms)
{
	pv_robots_words_finish(&terms->robots);
	pv_tdm_finish(&terms->tdm);
}

static bool has(const struct pv_page_terms *terms, enum field field)
{
	return (terms->fields & 1u << field) != 0;
}

/* Headers */

static unsigned find_fields(const struct pv_headers *headers)
{
	unsigned fields = 0;
	for (size_t i = 0; i < headers->count; i++) {
		struct pv_str name = pv_headers_at(headers, i).name;
		for (size_t j = 0; j < FIELDS; j++) {
			if (name.len == names[j].len &&
			    pv_str_equal_nocase(name, names[j]))
				fields |= 1u << j;
		}
	}
	return fields;
}

static void read_tdm(struct pv_tdm *tdm, const struct pv_headers *headers)
{
	struct pv_str value;
	size_t at = 0;
	while (pv_headers_next(headers, names[FIELD_RESERVATION], &at, &value))
		pv_tdm_read_reservation(tdm, value);
	value = pv_headers_get(headers, names[FIELD_POLICY]);
	if (value.ptr)
		pv_tdm_read_policy(tdm, value);
}

void pv_page_terms_read(struct pv_page_terms *terms,
    const struct pv_headers *headers, struct pv_str product)
{
	pv_robots_words_clear(&terms->robots);
	pv_tdm_clear(&terms->tdm);
	terms->fields = find_fields(headers);
	if (has(terms, FIELD_ROBOTS))
		pv_x_robots_read(headers, product, &terms->robots);
	if (has(terms, FIELD_RESERVATION) || has(terms, FIELD_POLICY))
		read_tdm(&terms->tdm, headers);
}

/* Recording */

/* A field that came several times is one list (RFC 9110, 5.3). */
static void record_field(struct pv_terms *said, enum pv_term term,
    const struct pv_headers *headers, enum field field)
{
	struct pv_buf values;
	struct pv_str value;
	size_t at = 0;
	pv_buf_init(&values, VALUES_MAX);
	while (pv_headers_next(headers, names[field], &at, &value)) {
		size_t room = VALUES_MAX - values.len;
		if (values.len && room > 2) {
			pv_buf_append(&values, PV_STR(", "));
			room -= 2;
		}
		pv_buf_append(&values,
		    pv_str_head(value, value.len < room ? value.len : room));
	}
	pv_terms_add(said, term, pv_buf_str(&values));
	pv_buf_finish(&values);
}

static void record_robots(
    struct pv_terms *said, const struct pv_robots_words *words)
{
	struct pv_buf text;
	if (!words->known && !words->rest.len)
		return;
	pv_buf_init(&text, PV_TERM_BYTES);
	pv_robots_words_write(words, &text);
	pv_terms_add(said, PV_TERM_ROBOTS_TAG, pv_buf_str(&text));
	pv_buf_finish(&text);
}

static void record_preference(struct pv_terms *said, enum pv_term term,
    const struct pv_page_terms_sources *sources, enum pv_robots_kind kind)
{
	struct pv_buf text;
	pv_buf_init(&text, VALUES_MAX);
	pv_robots_preference_write(
	    sources->matcher, kind, sources->target, &text);
	pv_terms_add(said, term, pv_buf_str(&text));
	pv_buf_finish(&text);
}

/* Each of the two by itself: who says only one in the page leaves the other
 * as the header has it. */
static void record_tdm(struct pv_terms *said, const struct pv_tdm *header,
    const struct pv_tdm *page)
{
	const struct pv_tdm *one =
	    page && page->has_reservation ? page : header;
	if (one->has_reservation)
		pv_terms_add(said, PV_TERM_TDM_RESERVATION,
		    one->is_reserved ? PV_STR("1") : PV_STR("0"));
	one = page && page->policy.len ? page : header;
	pv_terms_add(said, PV_TERM_TDM_POLICY, pv_buf_str(&one->policy));
}

void pv_page_terms_record(struct pv_page_terms *terms,
    const struct pv_page_terms_sources *sources, struct pv_terms *said)
{
	const struct pv_links *links = sources->links;
	if (links)
		pv_robots_words_join(&terms->robots, &links->robots);
	record_robots(said, &terms->robots);
	if (has(terms, FIELD_USAGE))
		record_field(
		    said, PV_TERM_CONTENT_USAGE, sources->headers, FIELD_USAGE);
	if (has(terms, FIELD_SIGNAL))
		record_field(said, PV_TERM_CONTENT_SIGNAL, sources->headers,
		    FIELD_SIGNAL);
	if (sources->matcher && pv_robots_preference_count(sources->matcher)) {
		record_preference(said, PV_TERM_ROBOTS_CONTENT_USAGE, sources,
		    PV_ROBOTS_CONTENT_USAGE);
		record_preference(said, PV_TERM_ROBOTS_CONTENT_SIGNAL, sources,
		    PV_ROBOTS_CONTENT_SIGNAL);
	}
	record_tdm(said, &terms->tdm, links ? &links->tdm : NULL);
}
