#include "url/host.h"

#include "tap.h"

#define CEILING 4096

/* Hosts that are written in another way than they are meant. */
static const struct {
	const char *claim;
	const char *text;
	const char *canonical; /* NULL: no host */
} names[] = {
    {"a name stays", "docs.example.org", "docs.example.org"},
    {"capitals become small", "DOCS.Example.ORG", "docs.example.org"},
    {"a name alone is one", "localhost", "localhost"},
    {"a dot at the end stays", "example.org.", "example.org."},
    {"a dot alone is a name", ".", "."},
    {"empty labels stay", "a..b", "a..b"},
    {"underscores stay", "_dmarc.example.org", "_dmarc.example.org"},
    {"hyphens may stand anywhere", "-a-.b--c.org", "-a-.b--c.org"},
    {"unusual marks stay", "!\"$&'()*+,-.;=_`{}~", "!\"$&'()*+,-.;=_`{}~"},
    {"percent signs are decoded", "%65x%61mple.org", "example.org"},
    {"what is decoded becomes small", "%45xample.org", "example.org"},
    {"a lonely percent sign is refused", "a%.org", NULL},
    {"so is one that is encoded", "a%25b", NULL},
    {"and one with one digit", "a%4", NULL},
    {"no text is no host", "", NULL},
    {"spaces are refused", "a b", NULL},
    {"encoded spaces too", "a%20b", NULL},
    {"line ends are refused", "a\nb", NULL},
    {"encoded line ends too", "a%0d%0ab", NULL},
    {"at signs are refused", "a@b", NULL},
    {"slashes are refused", "a/b", NULL},
    {"encoded slashes too", "a%2fb", NULL},
    {"colons are refused", "a:b", NULL},
    {"DEL is refused", "a\x7f", NULL},
    {"bars and carets are refused", "a|b^c", NULL},
    {"brackets within are refused", "a[b]", NULL},
    {"other scripts get an ASCII form",
	"b\xc3\xbc"
	"cher.de",
	"xn--bcher-kva.de"},
    {"also when they are encoded", "b%C3%BCcher.de", "xn--bcher-kva.de"},
    {"and when capital",
	"B\xc3\x9c"
	"CHER.DE",
	"xn--bcher-kva.de"},
    {"sharp s keeps its own name", "fa\xc3\x9f.de", "xn--fa-hia.de"},
    {"symbols are names", "\xe2\x99\xa5.net", "xn--g6h.net"},
    {"hyphens beside them too", "-\xe2\x80\xa0", "xn----xhn"},
    {"full-width letters are letters", "\xef\xbc\xa7\xef\xbd\x8f.com",
	"go.com"},
    {"an ideographic full stop is a dot", "a\xe3\x80\x82org", "a.org"},
    {"soft hyphens vanish",
	"a\xc2\xad"
	"b",
	"ab"},
    {"a soft hyphen alone is no host", "\xc2\xad", NULL},
    {"what stands for a slash is refused", "a\xe2\x84\x80.org", NULL},
    {"what stands for a percent sign too",
	"\xef\xbc\x85"
	"41.com",
	NULL},
    {"a right-to-left mark is refused",
	"a\xe2\x80\xae"
	"b",
	NULL},
    {"bytes that are not UTF-8 are refused",
	"a\xff"
	"b",
	NULL},
    {"encoded ones too", "a%80b", NULL},
    {"ASCII labels are not looked into", "xn--a", "xn--a"},
    {"beside other scripts they are", "xn--a.\xc3\x9f", NULL},
};

static const struct {
	const char *claim;
	const char *text;
	const char *canonical; /* NULL: no host */
	uint8_t bits;
} addresses[] = {
    {"IPv4 stays", "192.0.2.1", "192.0.2.1", 32},
    {"a dot at its end goes", "192.0.2.1.", "192.0.2.1", 32},
    {"one number is an address", "2130706433", "127.0.0.1", 32},
    {"so is a hexadecimal one", "0x7F000001", "127.0.0.1", 32},
    {"and a prefix alone", "0x", "0.0.0.0", 32},
    {"parts may be octal", "0177.0.0.1", "127.0.0.1", 32},
    {"the last part fills what is left", "127.1", "127.0.0.1", 32},
    {"two bytes of it", "10.1.256", "10.1.1.0", 32},
    {"leading zeros do not count", "00000000000000000000177.0.0.1", "127.0.0.1",
	32},
    {"encoded digits are digits", "%31%32%37.1", "127.0.0.1", 32},
    {"full-width digits too", "\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.1",
	"127.0.0.1", 32},
    {"the largest address", "4294967295", "255.255.255.255", 32},
    {"one more is refused", "4294967296", NULL, 0},
    {"far more too", "99999999999999999999999999", NULL, 0},
    {"so is one more than 64 bits hold, whose low bits are those of 0.0.0.1",
	"18446744073709551617", NULL, 0},
    {"also in hexadecimal digits", "0x10000000000000001", NULL, 0},
    {"a part over 255 is refused", "256.0.0.1", NULL, 0},
    {"so is a last part", "1.2.3.256", NULL, 0},
    {"five parts are refused", "1.2.3.4.5", NULL, 0},
    {"an empty part is refused", "1..2", NULL, 0},
    {"eight is not octal", "1.2.3.08", NULL, 0},
    {"a number at the end promises an address", "example.1", NULL, 0},
    {"a number at the beginning does not", "1.example", "1.example", 0},
    {"nor do hexadecimal digits alone", "a.beef", "a.beef", 0},
    {"IPv6 is shortened", "[2001:0DB8:0:0:0:0:0:1]", "[2001:db8::1]", 128},
    {"all zeros", "[::]", "[::]", 128},
    {"zeros at the end", "[1::]", "[1::]", 128},
    {"the first of the longest runs goes", "[1:0:0:2:0:0:3:4]",
	"[1::2:0:0:3:4]", 128},
    {"a longer run wins", "[1:0:0:2:0:0:0:4]", "[1:0:0:2::4]", 128},
    {"one zero alone stays", "[1:0:2:3:4:5:6:7]", "[1:0:2:3:4:5:6:7]", 128},
    {"eight pieces stay", "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7:8]", 128},
    {"one zero may be left out", "[1:2:3:4:5:6:7::]", "[1:2:3:4:5:6:7:0]", 128},
    {"also in front", "[::2:3:4:5:6:7:8]", "[0:2:3:4:5:6:7:8]", 128},
    {"IPv4 within is not written so", "[::ffff:192.0.2.1]", "[::ffff:c000:201]",
	128},
    {"a zone is refused", "[fe80::1%25eth0]", NULL, 0},
    {"nine pieces are refused", "[1:2:3:4:5:6:7:8:9]", NULL, 0},
    {"no zero to leave out is refused", "[1:2:3:4::5:6:7:8]", NULL, 0},
    {"seven pieces are refused", "[1:2:3:4:5:6:7]", NULL, 0},
    {"two gaps are refused", "[1::2::3]", NULL, 0},
    {"five digits are refused", "[12345::]", NULL, 0},
    {"an open bracket is refused", "[::1", NULL, 0},
    {"a bracket alone is refused", "[", NULL, 0},
    {"IPv4 in brackets is refused", "[192.0.2.1]", NULL, 0},
    {"nothing in brackets is refused", "[]", NULL, 0},
    {"encoded digits in brackets are refused", "[::%31]", NULL, 0},
};

static void test_host(
    const char *claim, const char *text, const char *canonical, uint8_t bits)
{
	struct pv_buf buf;
	struct pv_address address = {.bits = 99};
	pv_buf_init(&buf, CEILING);
	pv_buf_append_text(&buf, "//");
	if (pv_host_read(pv_str_of(text), &buf, &address)) {
		struct pv_str found = pv_str_from(pv_buf_str(&buf), 2);
		is_text(found, canonical ? canonical : "(none)", "%s", claim);
		ok(address.bits == bits, "%s: has %u bits", claim, bits);
	} else {
		ok(!canonical, "%s", claim);
		is_text(pv_buf_str(&buf), "//", "%s: nothing is left", claim);
		ok(address.bits == 99, "%s: no address is given", claim);
	}
	pv_buf_finish(&buf);
}

static void test_bytes(void)
{
	struct pv_buf buf;
	struct pv_address found, wanted;
	pv_buf_init(&buf, CEILING);
	pv_host_read(PV_STR("0x7f.1"), &buf, &found);
	pv_address_read(PV_STR("127.0.0.1"), &wanted);
	ok(pv_address_equal(&found, &wanted), "the address is the one meant");
	ok(pv_address_kind(&found) == PV_ADDRESS_LOOPBACK,
	    "a disguised loopback address is seen through");
	pv_host_read(PV_STR("[2001:db8::1]"), &buf, &found);
	pv_address_read(PV_STR("2001:db8::1"), &wanted);
	ok(pv_address_equal(&found, &wanted), "also with 128 bits");
	pv_buf_finish(&buf);
}

static void test_ceiling(void)
{
	struct pv_buf buf;
	struct pv_address address;
	pv_buf_init(&buf, 8);
	ok(!pv_host_read(PV_STR("example.org"), &buf, &address),
	    "what does not fit is refused");
	ok(buf.is_full && buf.len == 0, "the buffer tells why");
	pv_buf_clear(&buf);
	ok(!pv_host_read(PV_STR("[1:2:3:4::]"), &buf, &address),
	    "an address that does not fit is refused");
	ok(buf.is_full && buf.len == 0, "and leaves nothing");
	pv_buf_finish(&buf);
}

static void test_long_names(void)
{
	struct pv_buf text, buf;
	struct pv_address address;
	pv_buf_init(&text, 65536);
	pv_buf_init(&buf, 65536);
	for (unsigned i = 0; i < 300; i++)
		pv_buf_append_text(&text, "\xc3\xbc");
	ok(pv_host_read(pv_buf_str(&text), &buf, &address),
	    "a label may be longer than the name service allows");
	for (unsigned i = 0; i < 30000; i++)
		pv_buf_append_text(&text, "\xc3\xbc");
	ok(!pv_host_read(pv_buf_str(&text), &buf, &address),
	    "but not without end");
	pv_buf_finish(&buf);
	pv_buf_finish(&text);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		test_host(names[i].claim, names[i].text, names[i].canonical, 0);
	for (size_t i = 0; i < sizeof(addresses) / sizeof(*addresses); i++)
		test_host(addresses[i].claim, addresses[i].text,
		    addresses[i].canonical, addresses[i].bits);
	test_bytes();
	test_ceiling();
	test_long_names();
	return tap_done();
}
