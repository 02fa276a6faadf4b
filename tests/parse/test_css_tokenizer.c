#include "parse/css_tokenizer.h"

#include "base/buf.h"
#include "tap.h"

/* Sheets and their tokens: a letter for each kind, with its text between
 * angles; "." is what no link depends on. */
static const struct {
	const char *claim;
	struct pv_str sheet;
	const char *tokens;
} sheets[] = {
    {"nothing", PV_STR(""), ""},
    {"space and comments are no tokens", PV_STR(" \t\r\n\f/* a */ /**/ "), ""},
    {"a rule", PV_STR("a > b { c: d, e }"), "...;.....;"},
    {"strings", PV_STR("\"a\" 'b\"' '' 'c"), "s<a>s<b\">s<>s<c>"},
    {"a string that breaks off", PV_STR("'a\n'b'"), ".s<b>"},
    {"with escapes", PV_STR("'a\\'\\\nb' \"\\\""), "s<a\\'\\\nb>s<\\\">"},
    {"names", PV_STR("a -b --c _d \\e f\\ g -\\h \xe9 i\\"), "........"},
    {"functions", PV_STR("a() -b( c\\64(d)"), "f<a>)f<-b>f<c\\64>.)"},
    {"what is none", PV_STR("a () #b( @c( 1d( %("), ".().(@<c>(.(.("},
    {"at-keywords", PV_STR("@a @-b @--c @\\64 @ e @1 @-2 @"),
	"@<a>@<-b>@<--c>@<\\64 >........"},
    {"hashes", PV_STR("#a #1 #-b #\\63 # d #"), "......."},
    {"numbers, of which some are several", PV_STR("1 7e8 9% 10px +2 -3 .4 5.6"),
	".............."},
    {"an address", PV_STR("url(a) URL( b ) \\75rl(c)"), "u<a>u<b>u<c>"},
    {"an empty one", PV_STR("url() url( )"), "u<>u<>"},
    {"one that the sheet cuts", PV_STR("url(a "), "u<a>"},
    {"a spoilt one", PV_STR("url(a b) url(c\"d') url(\\\n) e"), "...."},
    {"one in quotes is a function", PV_STR("url(\"a\") url( 'b'c)"),
	"f<url>s<a>)f<url>s<b>.)"},
    {"marks of old sheets", PV_STR("<!-- --> <! -- > ->"), "........"},
    {"brackets and the like", PV_STR("[]{}();:,~|"), "..;;();...."},
    {"all bytes beyond ASCII are of names", PV_STR("\x80\xff(\xc3\xa9-1)"),
	"f<\x80\xff>.)"},
    {"so are NULs", PV_STR("a\0b(\0)"), "f<a0b>.)"},
    {"slashes and stars", PV_STR("/ * /a*/ //"), "........"},
};

static char letter_of(enum pv_css_kind kind)
{
	static const char letters[] = {
	    [PV_CSS_END] = '!',
	    [PV_CSS_STRING] = 's',
	    [PV_CSS_ADDRESS] = 'u',
	    [PV_CSS_FUNCTION] = 'f',
	    [PV_CSS_AT] = '@',
	    [PV_CSS_OPEN] = '(',
	    [PV_CSS_CLOSE] = ')',
	    [PV_CSS_BREAK] = ';',
	    [PV_CSS_OTHER] = '.',
	};
	return letters[kind];
}

static void write_tokens(struct pv_buf *buf, struct pv_str sheet)
{
	struct pv_css_tokenizer tokenizer;
	struct pv_css_token token;
	pv_css_tokenizer_init(&tokenizer, sheet, NULL);
	while ((token = pv_css_tokenizer_next(&tokenizer)).kind != PV_CSS_END) {
		pv_buf_append_char(buf, letter_of(token.kind));
		if (!token.text.ptr)
			continue;
		pv_buf_append_char(buf, '<');
		for (size_t i = 0; i < token.text.len; i++) {
			char byte = token.text.ptr[i];
			pv_buf_append_char(buf, byte ? byte : '0');
		}
		pv_buf_append_char(buf, '>');
	}
}

int main(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 1000);
	for (size_t i = 0; i < sizeof(sheets) / sizeof(*sheets); i++) {
		pv_buf_clear(&buf);
		write_tokens(&buf, sheets[i].sheet);
		is_text(
		    pv_buf_str(&buf), sheets[i].tokens, "%s", sheets[i].claim);
	}
	pv_buf_finish(&buf);
	return tap_done();
}
