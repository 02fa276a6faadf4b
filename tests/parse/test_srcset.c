#include "parse/srcset.h"

#include "tap.h"

/* What a srcset offers, between bars. */
static const struct {
	const char *claim;
	const char *value;
	const char *addresses;
} srcsets[] = {
    {"one image", "a.png", "a.png"},
    {"several", "a.png, b.png 2x,c.png 3x", "a.png|b.png|c.png"},
    {"widths", "a.png 100w,b.png 200w", "a.png|b.png"},
    {"line ends and tabs", "\n a.png\t1x ,\n\n b.png 2x\n", "a.png|b.png"},
    {"nothing", "", ""},
    {"nothing but space", " \n", ""},
    {"nothing but commas", " , ,,", ""},
    {"commas within an address", "a,b,c.png 1x, d,e", "a,b,c.png|d,e"},
    {"commas behind one", "a.png, b.png,, c.png,,,", "a.png|b.png|c.png"},
    {"an address of data", "data:,a 1x, data:image/png;base64,AA== 2x",
	"data:,a|data:image/png;base64,AA=="},
    {"no space behind the comma", "a.png 1x,b.png 2x", "a.png|b.png"},
    {"nor before it", "a.png,b.png", "a.png,b.png"},
    {"references are read", "a.png?x=1&amp;y=2 1x, b.png&#32;2x",
	"a.png?x=1&amp;y=2|b.png"},
    {"also as commas", "a.png 1x&comma;b.png 2x", "a.png|b.png"},
    {"a fraction", "a.png 1.5x, b.png .5x, c.png 1e3x, d.png 1.5E-2x",
	"a.png|b.png|c.png|d.png"},
    {"zero", "a.png 0x, b.png -0x, c.png -0.0x", "a.png|b.png|c.png"},
    {"less than zero", "a.png -1x, b.png", "b.png"},
    {"no number", "a.png x, b.png 1.x, c.png +1x, d.png 1e, e.png 1ex, f", "f"},
    {"no known unit", "a.png 1, b.png 1y, c.png 1X, d.png 5vw, e", "e"},
    {"no width of zero", "a.png 0w, b.png 00w, c.png 010w", "c.png"},
    {"no fraction of a width", "a.png 1.5w, b.png -1w, c", "c"},
    {"width and height", "a.png 10w 20h, b.png 20h 10w", "a.png|b.png"},
    {"but no height alone", "a.png 20h, b.png 0h 1w, c", "c"},
    {"density and width", "a.png 1x 10w, b.png 10w 1x, c.png 1x 5h, d", "d"},
    {"the same twice", "a 1x 1x, b 1w 1w, c 1w 1h 1h, d", "d"},
    {"space before a comma", "a.png 1x , b.png", "a.png|b.png"},
    {"parentheses keep commas together", "a.png (1x, b.png) 2x, c.png",
	"c.png"},
    {"and when they never end", "a.png (1x, b.png 2x", ""},
    {"a descriptor longer than any",
	"a.png "
	"0000000000000000000000000000000000000000000000000000000000000001x, b",
	"b"},
};

static void write_addresses(struct pv_str value, struct pv_buf *buf)
{
	struct pv_srcset srcset;
	struct pv_str address;
	pv_srcset_init(&srcset, value);
	while (pv_srcset_next(&srcset, &address)) {
		pv_buf_append_text(buf, buf->len ? "|" : "");
		pv_buf_append(buf, address);
	}
}

int main(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 4096);
	for (size_t i = 0; i < sizeof(srcsets) / sizeof(*srcsets); i++) {
		pv_buf_clear(&buf);
		write_addresses(pv_str_of(srcsets[i].value), &buf);
		is_text(pv_buf_str(&buf), srcsets[i].addresses, "%s",
		    srcsets[i].claim);
	}
	pv_buf_finish(&buf);
	return tap_done();
}
