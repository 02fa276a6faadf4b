#include "parse/meta.h"

#include "parse/decoder.h"

/* Whether a meta tag of that name speaks to us. */
static bool is_addressed(struct pv_str name, struct pv_str product)
{
	return pv_str_equal_nocase(name, PV_STR("robots")) ||
	       pv_str_equal_nocase(name, PV_STR("pavane")) ||
	       (name.len && pv_str_equal_nocase(name, product));
}

/* The encoding, if a page tells it only behind its first 1024 bytes: all that
 * was found is the same, unless the encoding is one that changes markup, and
 * then it comes too late. */
static void read_late_charset(struct pv_links *links, const struct pv_tag *tag)
{
	struct pv_str label =
	    pv_tag_words(tag, PV_ATTRIBUTE_CHARSET, &links->scratch);
	if (!pv_tag_has(tag, PV_ATTRIBUTE_CHARSET) &&
	    pv_tag_says(
		tag, PV_ATTRIBUTE_HTTP_EQUIV, "content-type", &links->scratch))
		label = pv_charset_label(
		    pv_tag_words(tag, PV_ATTRIBUTE_CONTENT, &links->scratch));
	const struct pv_encoding *encoding = pv_charset_of_meta(label);
	if (encoding && !pv_decoder_must_come_first(encoding))
		links->charset = (struct pv_charset){encoding, PV_CHARSET_META};
}

/* What the page says of what may be done with it. Its name is gone when the
 * content is read. */
static void read_statement(
    struct pv_links *links, const struct pv_tag *tag, struct pv_str product)
{
	struct pv_str name =
	    pv_tag_words(tag, PV_ATTRIBUTE_NAME, &links->scratch);
	bool is_robots = is_addressed(name, product);
	bool is_reservation =
	    pv_str_equal_nocase(name, PV_STR("tdm-reservation"));
	bool is_policy = pv_str_equal_nocase(name, PV_STR("tdm-policy"));
	if (!is_robots && !is_reservation && !is_policy)
		return;
	struct pv_str content =
	    pv_tag_words(tag, PV_ATTRIBUTE_CONTENT, &links->scratch);
	if (is_robots)
		pv_robots_words_read(&links->robots, content);
	else if (is_reservation)
		pv_tdm_read_reservation(&links->tdm, content);
	else
		pv_tdm_read_policy(&links->tdm, content);
}

void pv_meta_read_policy(struct pv_links *links, const struct pv_tag *tag)
{
	enum pv_attribute_name name = pv_tag_has(tag, PV_ATTRIBUTE_HTTP_EQUIV)
					  ? PV_ATTRIBUTE_HTTP_EQUIV
					  : PV_ATTRIBUTE_OFF_HTTP_EQUIV;
	if (tag->http_equiv.len &&
	    links->policy_count < PV_LINKS_POLICIES_MAX &&
	    pv_tag_says(tag, name, "content-security-policy", &links->scratch))
		links->policies[links->policy_count++] = tag->http_equiv;
}

void pv_meta_read(
    struct pv_links *links, const struct pv_tag *tag, struct pv_str product)
{
	if (!links->charset.encoding)
		read_late_charset(links, tag);
	if (pv_tag_has(tag, PV_ATTRIBUTE_NAME))
		read_statement(links, tag, product);
	pv_meta_read_policy(links, tag);
}
