#include "parse/tag.h"

#include "tap.h"

/* Reads the first tag of a page that is anything to us. */
static bool read(struct pv_tag *tag, const char *page)
{
	struct pv_tokenizer tokenizer;
	pv_tokenizer_init(&tokenizer, pv_str_of(page));
	return pv_tokenizer_next(&tokenizer) && pv_tag_read(tag, &tokenizer);
}

static void test_attributes(void)
{
	struct pv_tag tag;
	ok(read(&tag, "<p>a<a id=1 REL=2 x=3 href='4' rel=5>") &&
		tag.element == PV_ELEMENT_A && tag.count == 2 &&
		tag.order[0] == PV_ATTRIBUTE_REL &&
		tag.order[1] == PV_ATTRIBUTE_HREF,
	    "attributes that are anything to us, in their order");
	is_text(
	    tag.values[PV_ATTRIBUTE_REL], "2", "the first of a name counts");
	ok(pv_tag_has(&tag, PV_ATTRIBUTE_HREF) &&
		!pv_tag_has(&tag, PV_ATTRIBUTE_SRC),
	    "what is not there is nothing");
	ok(!read(&tag, "<a href='4"), "of a tag that is cut there is none");
}

static void test_names(void)
{
	struct pv_tag tag;
	read(&tag, "<script Integrity=x data-pavane-crossorigin src=y>");
	ok(tag.guard_count == 2, "guards are known, off or not");
	is_text(tag.guards[0], "Integrity", "by their names");
	is_text(tag.guards[1], "data-pavane-crossorigin", "as they stand");
	read(&tag, "<meta data-pavane-http-equiv=x>");
	is_text(tag.http_equiv, "data-pavane-http-equiv",
	    "so is what a page states, when that is off");
	read(&tag, "<meta data-pavane-http-equiv=x Http-Equiv=y>");
	is_text(tag.http_equiv, "Http-Equiv",
	    "which means less than one that "
	    "is not");
	read(&tag, "<meta Http-Equiv=y data-pavane-http-equiv=x>");
	is_text(tag.http_equiv, "Http-Equiv", "wherever they stand");
}

int main(void)
{
	test_attributes();
	test_names();
	return tap_done();
}
