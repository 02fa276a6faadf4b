#include "reading/body_type.h"

#include "http/first_bytes.h"
#include "http/media_type.h"
#include "parse/document.h"

/* Lists have roots by which they are known without a declaration. */
static struct pv_str tell(struct pv_str body)
{
	struct pv_str type = pv_first_bytes_type(body);
	return type.len || pv_xml_sniff(body) == PV_XML_OTHER
		   ? type
		   : PV_STR("text/xml");
}

/* What is called HTML and is none, as far as that is certain. */
static struct pv_str doubt(struct pv_str body, bool is_page)
{
	struct pv_str text = PV_STR("text/plain");
	bool is_text =
	    !is_page && pv_str_equal(pv_first_bytes_type(body), text);
	return is_text ? text : pv_first_bytes_signature(body);
}

struct pv_str pv_body_type(
    const struct pv_headers *headers, struct pv_str body, bool is_page)
{
	struct pv_media_type type;
	struct pv_str said = pv_headers_get(headers, PV_STR("Content-Type"));
	if (!pv_media_type_read(said, &type))
		return tell(body);
	if (!pv_media_type_is(&type, PV_STR("text/html")))
		return said;
	struct pv_str told = doubt(body, is_page);
	return told.len ? told : said;
}
