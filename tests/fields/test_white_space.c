#include "fields/white_space.h"

#include "tap.h"

static const struct {
	struct pv_str text;
	struct pv_str collapsed;
} cases[] = {
    {PV_STR(""), PV_STR("")},
    {PV_STR(" "), PV_STR("")},
    {PV_STR("a"), PV_STR("a")},
    {PV_STR(" a  b\t\r\n\f\vc "), PV_STR("a b c")},
    {PV_STR("\xc2\xa0"
	    "12\xc2\xa0\xe2\x80\xaf"
	    "EUR\xe3\x80\x80"),
	PV_STR("12 EUR")},
    {PV_STR("a\xe2\x80\x8b"
	    "b"),
	PV_STR("a\xe2\x80\x8b"
	       "b")},
    {PV_STR("a\xc2\x85"
	    "b\xe2\x80\xa8"
	    "c"),
	PV_STR("a b c")},
    {PV_STR(" a\0b "), PV_STR("a\0b")},
    {PV_STR("\xc3\xa9 \xe2\x82\xac"), PV_STR("\xc3\xa9 \xe2\x82\xac")},
};

int main(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 100);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		pv_buf_clear(&buf);
		ok(pv_white_space_collapse(cases[i].text, &buf) &&
			pv_str_equal(pv_buf_str(&buf), cases[i].collapsed),
		    "\"%.*s\" collapses to \"%s\"", PV_STR_ARG(cases[i].text),
		    pv_buf_text(&buf));
	}
	pv_buf_finish(&buf);
	pv_buf_init(&buf, 3);
	ok(!pv_white_space_collapse(PV_STR("ab cd"), &buf),
	    "a ceiling is kept");
	pv_buf_finish(&buf);
	return tap_done();
}
