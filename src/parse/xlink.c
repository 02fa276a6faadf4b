#include "parse/xlink.h"

#define DECLARATION PV_STR("xmlns:")
#define HREF PV_STR(":href")

bool pv_xlink_is_declared(const struct pv_attribute *attribute)
{
	return pv_str_starts(attribute->name, DECLARATION) &&
	       pv_str_equal(
		   attribute->value, PV_STR("http://www.w3.org/1999/xlink"));
}

struct pv_str pv_xlink_prefix(const struct pv_attribute *attribute)
{
	const struct pv_str declaration = DECLARATION;
	return pv_str_from(attribute->name, declaration.len);
}

bool pv_xlink_is_href(struct pv_str name, struct pv_str prefix)
{
	const struct pv_str href = HREF;
	return prefix.len && name.len == prefix.len + href.len &&
	       pv_str_starts(name, prefix) && pv_str_ends(name, href);
}
