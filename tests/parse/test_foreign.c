#include "parse/foreign.h"

#include "tap.h"

#define XLINK "http://www.w3.org/1999/xlink"

static bool is_declared(const char *name, const char *value)
{
	const struct pv_attribute attribute = {
	    pv_str_of(name), pv_str_of(value)};
	return pv_xlink_is_declared(&attribute);
}

int main(void)
{
	const struct pv_attribute attribute = {
	    PV_STR("xmlns:l"), PV_STR(XLINK)};
	ok(is_declared("xmlns:l", XLINK) && !is_declared("xmlns:l", "x") &&
		!is_declared("xmlns", XLINK) && !is_declared("l", XLINK),
	    "what stands for xlink is said in one way");
	is_text(pv_xlink_prefix(&attribute), "l", "and may be anything");
	ok(pv_xlink_is_href(PV_STR("l:href"), PV_STR("l")) &&
		!pv_xlink_is_href(PV_STR("m:href"), PV_STR("l")) &&
		!pv_xlink_is_href(PV_STR("l:src"), PV_STR("l")) &&
		!pv_xlink_is_href(PV_STR("l:l:href"), PV_STR("l")),
	    "so is a link called by it");
	ok(!pv_xlink_is_href(PV_STR(":href"), PV_STR("")) &&
		!pv_xlink_is_href(PV_STR("href"), PV_STR("")),
	    "and none by nothing");
	return tap_done();
}
