#include "names/host_text.h"

#include "tap.h"

#define LABEL_63 \
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define NAME_253                  \
	LABEL_63                  \
	"." LABEL_63 "." LABEL_63 \
	".bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

#define TOO_LONG "the name is longer than 253 bytes"
#define LABEL_TOO_LONG "a part of the name is longer than 63 bytes"
#define NOTHING "the name has an empty part between two dots"
#define CHARACTER "the name has a character that is not allowed in host names"

static const struct {
	const char *host;
	const char *fault; /* NULL: it may be asked for */
} names[] = {
    {"example.org", NULL},
    {"example.org.", NULL},
    {"localhost", NULL},
    {"xn--bcher-kva.example", NULL},
    {"_a._b.example", NULL},
    {"a~b!c.example", NULL},
    {LABEL_63, NULL},
    {NAME_253, NULL},
    {NAME_253 ".", NULL},
    {NAME_253 "b", TOO_LONG},
    {"a" LABEL_63, LABEL_TOO_LONG},
    {"www.a" LABEL_63 ".example", LABEL_TOO_LONG},
    {"a..b", NOTHING},
    {".a", NOTHING},
    {"a..", NOTHING},
    {".", NOTHING},
    {"", "the name is empty"},
    {"a b", CHARACTER},
    {"a\\.b", CHARACTER},
    {"a\x7f", CHARACTER},
    {"a\nb", CHARACTER},
    {"b\xc3\xbc"
     "cher.example",
	CHARACTER},
    {"abc.onion", "names below .onion belong to Tor and are not resolved by "
		  "name servers (RFC 7686)"},
    {"abc.onion.", "names below .onion belong to Tor and are not resolved by "
		   "name servers (RFC 7686)"},
    {"a.invalid", "names below .invalid do not exist (RFC 6761)"},
    {"onion.example", NULL},
};

static const struct {
	const char *host;
	const char *address; /* NULL: it is a name */
} addresses[] = {
    {"192.0.2.1", "192.0.2.1"},
    {"[2001:db8::1]", "2001:db8::1"},
    {"[::1]", "::1"},
    {"2001:db8::1", "2001:db8::1"},
    {"[192.0.2.1]", NULL},
    {"[]", NULL},
    {"[", NULL},
    {"192.0.2", NULL},
    {"192.0.2.1.example", NULL},
    {"example.org", NULL},
    {"", NULL},
};

int main(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *fault =
		    pv_host_text_fault(pv_str_of(names[i].host));
		is_text(pv_str_of(fault ? fault : "none"),
		    names[i].fault ? names[i].fault : "none",
		    "a name of %zu bytes, row %zu", strlen(names[i].host), i);
	}
	ok(pv_host_text_fault((struct pv_str){"a\0b", 3}) != NULL,
	    "a NUL is not asked for");
	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++) {
		struct pv_address found;
		struct pv_address wanted;
		bool is_address = pv_host_text_as_address(
		    pv_str_of(addresses[i].host), &found);
		if (!addresses[i].address)
			ok(!is_address, "\"%s\" is no address",
			    addresses[i].host);
		else
			ok(is_address &&
				pv_address_read(
				    pv_str_of(addresses[i].address), &wanted) &&
				pv_address_equal(&found, &wanted),
			    "%s is an address", addresses[i].host);
	}
	return tap_done();
}
