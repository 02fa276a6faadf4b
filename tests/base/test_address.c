#include "base/address.h"

#include "tap.h"

static const char *written(const struct pv_address *address)
{
	static char text[64];
	struct pv_buf buf;
	pv_buf_init(&buf, sizeof(text) - 1);
	pv_address_write(address, &buf);
	memcpy(text, pv_buf_text(&buf), buf.len + 1);
	pv_buf_finish(&buf);
	return text;
}

/* The text of an address, and how it is written back. */
static const struct {
	const char *text;
	const char *written;
} readable[] = {
    {"0.0.0.0", "0.0.0.0"},
    {"192.0.2.1", "192.0.2.1"},
    {"255.255.255.255", "255.255.255.255"},
    {"::", "::"},
    {"::1", "::1"},
    {"2001:db8::1", "2001:db8::1"},
    {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
    {"2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"},
    {"1:0:0:2:0:0:0:3", "1:0:0:2::3"},
    {"::ffff:192.0.2.1", "::ffff:192.0.2.1"},
    {"::ffff:c000:201", "::ffff:192.0.2.1"},
    {"64:ff9b::192.0.2.1", "64:ff9b::c000:201"},
    {"ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255",
	"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"},
};

static void test_reading(void)
{
	for (size_t i = 0; i < sizeof(readable) / sizeof(*readable); i++) {
		struct pv_address address = {0};
		pv_address_read(pv_str_of(readable[i].text), &address);
		is_text(pv_str_of(written(&address)), readable[i].written,
		    "%s is an address", readable[i].text);
	}
}

static const struct pv_str unreadable[] = {
    PV_STR(""),
    PV_STR(" 192.0.2.1"),
    PV_STR("192.0.2.1 "),
    PV_STR("192.0.2.1\0"),
    PV_STR("192.0.2.1."),
    PV_STR("192.0.2"),
    PV_STR("192.0.2.1.1"),
    PV_STR("192.0.2.256"),
    PV_STR("192.0.2.01"),
    PV_STR("192.0.2.0x1"),
    PV_STR("3221225985"),
    PV_STR("+1.2.3.4"),
    PV_STR("1.2.3.-4"),
    PV_STR("[::1]"),
    PV_STR("fe80::1%eth0"),
    PV_STR("::1%1"),
    PV_STR(":::"),
    PV_STR("1::2::3"),
    PV_STR("1:2:3:4:5:6:7"),
    PV_STR("1:2:3:4:5:6:7:8:9"),
    PV_STR("12345::"),
    PV_STR("g::"),
    PV_STR("::192.0.2.256"),
    PV_STR("192.0.2.1/32"),
    PV_STR("localhost"),
    PV_STR("0000:0000:0000:0000:0000:0000:0000:0000:0000:0000"),
};

static void test_refusing(void)
{
	for (size_t i = 0; i < sizeof(unreadable) / sizeof(*unreadable); i++) {
		struct pv_address address = {.bits = 7};
		ok(!pv_address_read(unreadable[i], &address) &&
			address.bits == 7,
		    "\"%.*s\" is none, and nothing is changed",
		    PV_STR_ARG(unreadable[i]));
	}
	struct pv_address address;
	ok(!pv_address_read((struct pv_str){NULL, 0}, &address),
	    "no text is none");
}

static struct pv_address address_of(const char *text)
{
	struct pv_address address = {0};
	if (!pv_address_read(pv_str_of(text), &address))
		ok(false, "%s is not an address", text);
	return address;
}

static void test_comparing(void)
{
	struct pv_address four = address_of("0.0.0.1");
	struct pv_address six = address_of("::1");
	struct pv_address zero = address_of("0.0.0.0");
	struct pv_address none = address_of("::");
	struct pv_address last = address_of("::2");
	ok(pv_address_equal(&six, &six), "an address equals itself");
	ok(!pv_address_equal(&six, &last), "the last byte counts");
	ok(!pv_address_equal(&four, &zero), "in IPv4, too");
	ok(!pv_address_equal(&zero, &none),
	    "the same bytes of another family are another address");
}

/* Pairs: the first and the last address of a network, and what stands just
 * outside. */
static const struct {
	const char *text;
	enum pv_address_kind kind;
} kinds[] = {
    {"0.0.0.0", PV_ADDRESS_NOT_A_HOST},
    {"0.255.255.255", PV_ADDRESS_NOT_A_HOST},
    {"1.0.0.0", PV_ADDRESS_PUBLIC},
    {"9.255.255.255", PV_ADDRESS_PUBLIC},
    {"10.0.0.0", PV_ADDRESS_PRIVATE},
    {"10.255.255.255", PV_ADDRESS_PRIVATE},
    {"11.0.0.0", PV_ADDRESS_PUBLIC},
    {"100.63.255.255", PV_ADDRESS_PUBLIC},
    {"100.64.0.0", PV_ADDRESS_PRIVATE},
    {"100.127.255.255", PV_ADDRESS_PRIVATE},
    {"100.128.0.0", PV_ADDRESS_PUBLIC},
    {"126.255.255.255", PV_ADDRESS_PUBLIC},
    {"127.0.0.0", PV_ADDRESS_LOOPBACK},
    {"127.255.255.255", PV_ADDRESS_LOOPBACK},
    {"128.0.0.0", PV_ADDRESS_PUBLIC},
    {"169.253.255.255", PV_ADDRESS_PUBLIC},
    {"169.254.0.0", PV_ADDRESS_PRIVATE},
    {"169.254.169.254", PV_ADDRESS_PRIVATE},
    {"169.254.255.255", PV_ADDRESS_PRIVATE},
    {"169.255.0.0", PV_ADDRESS_PUBLIC},
    {"172.15.255.255", PV_ADDRESS_PUBLIC},
    {"172.16.0.0", PV_ADDRESS_PRIVATE},
    {"172.31.255.255", PV_ADDRESS_PRIVATE},
    {"172.32.0.0", PV_ADDRESS_PUBLIC},
    {"191.255.255.255", PV_ADDRESS_PUBLIC},
    {"192.0.0.0", PV_ADDRESS_PRIVATE},
    {"192.0.0.255", PV_ADDRESS_PRIVATE},
    {"192.0.1.0", PV_ADDRESS_PUBLIC},
    {"192.0.1.255", PV_ADDRESS_PUBLIC},
    {"192.0.2.0", PV_ADDRESS_PUBLIC},
    {"192.0.2.255", PV_ADDRESS_PUBLIC},
    {"192.0.3.0", PV_ADDRESS_PUBLIC},
    {"192.167.255.255", PV_ADDRESS_PUBLIC},
    {"192.168.0.0", PV_ADDRESS_PRIVATE},
    {"192.168.255.255", PV_ADDRESS_PRIVATE},
    {"192.169.0.0", PV_ADDRESS_PUBLIC},
    {"198.17.255.255", PV_ADDRESS_PUBLIC},
    {"198.18.0.0", PV_ADDRESS_PRIVATE},
    {"198.19.255.255", PV_ADDRESS_PRIVATE},
    {"198.20.0.0", PV_ADDRESS_PUBLIC},
    {"198.51.99.255", PV_ADDRESS_PUBLIC},
    {"198.51.100.0", PV_ADDRESS_PUBLIC},
    {"198.51.100.255", PV_ADDRESS_PUBLIC},
    {"198.51.101.0", PV_ADDRESS_PUBLIC},
    {"203.0.112.255", PV_ADDRESS_PUBLIC},
    {"203.0.113.0", PV_ADDRESS_PUBLIC},
    {"203.0.113.255", PV_ADDRESS_PUBLIC},
    {"203.0.114.0", PV_ADDRESS_PUBLIC},
    {"223.255.255.255", PV_ADDRESS_PUBLIC},
    {"224.0.0.0", PV_ADDRESS_NOT_A_HOST},
    {"239.255.255.255", PV_ADDRESS_NOT_A_HOST},
    {"240.0.0.0", PV_ADDRESS_NOT_A_HOST},
    {"255.255.255.255", PV_ADDRESS_NOT_A_HOST},
    {"::", PV_ADDRESS_NOT_A_HOST},
    {"::1", PV_ADDRESS_LOOPBACK},
    {"::2", PV_ADDRESS_NOT_A_HOST},
    {"::127.0.0.1", PV_ADDRESS_NOT_A_HOST},
    {"::ffff:ffff", PV_ADDRESS_NOT_A_HOST},
    {"::fffe:ffff:ffff", PV_ADDRESS_NOT_A_HOST},
    {"::1:0:0:0", PV_ADDRESS_NOT_A_HOST},
    {"64:ff9a:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_NOT_A_HOST},
    {"64:ff9b::1:0:0", PV_ADDRESS_NOT_A_HOST},
    {"64:ff9b:1::", PV_ADDRESS_PRIVATE},
    {"64:ff9b:1:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PRIVATE},
    {"64:ff9b:2::", PV_ADDRESS_NOT_A_HOST},
    {"100::1", PV_ADDRESS_NOT_A_HOST},
    {"1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_NOT_A_HOST},
    {"2000::", PV_ADDRESS_PUBLIC},
    {"2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PUBLIC},
    {"2001::", PV_ADDRESS_PRIVATE},
    {"2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PRIVATE},
    {"2001:200::", PV_ADDRESS_PUBLIC},
    {"2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PUBLIC},
    {"2001:db8::", PV_ADDRESS_PUBLIC},
    {"2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PUBLIC},
    {"2001:db9::", PV_ADDRESS_PUBLIC},
    {"2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PUBLIC},
    {"2003::", PV_ADDRESS_PUBLIC},
    {"3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PUBLIC},
    {"3fff::", PV_ADDRESS_PUBLIC},
    {"3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PUBLIC},
    {"3fff:1000::", PV_ADDRESS_PUBLIC},
    {"3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PUBLIC},
    {"4000::", PV_ADDRESS_NOT_A_HOST},
    {"5f00::", PV_ADDRESS_NOT_A_HOST},
    {"8000::", PV_ADDRESS_NOT_A_HOST},
    {"fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_NOT_A_HOST},
    {"fc00::", PV_ADDRESS_PRIVATE},
    {"fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PRIVATE},
    {"fe00::", PV_ADDRESS_NOT_A_HOST},
    {"fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_NOT_A_HOST},
    {"fe80::", PV_ADDRESS_PRIVATE},
    {"febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PRIVATE},
    {"fec0::", PV_ADDRESS_PRIVATE},
    {"feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PRIVATE},
    {"ff00::", PV_ADDRESS_NOT_A_HOST},
    {"ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_NOT_A_HOST},
    /* IPv4 within IPv6: mapped, 6to4, NAT64. */
    {"::ffff:127.0.0.1", PV_ADDRESS_LOOPBACK},
    {"::ffff:10.0.0.1", PV_ADDRESS_PRIVATE},
    {"::ffff:0.0.0.0", PV_ADDRESS_NOT_A_HOST},
    {"::ffff:255.255.255.255", PV_ADDRESS_NOT_A_HOST},
    {"::ffff:8.8.8.8", PV_ADDRESS_PUBLIC},
    {"2002:7f00:1::", PV_ADDRESS_LOOPBACK},
    {"2002:a00:1:ffff:ffff:ffff:ffff:ffff", PV_ADDRESS_PRIVATE},
    {"2002::", PV_ADDRESS_NOT_A_HOST},
    {"2002:e000:1::", PV_ADDRESS_NOT_A_HOST},
    {"2002:808:808::", PV_ADDRESS_PUBLIC},
    {"64:ff9b::127.0.0.1", PV_ADDRESS_LOOPBACK},
    {"64:ff9b::192.168.0.1", PV_ADDRESS_PRIVATE},
    {"64:ff9b::0.0.0.0", PV_ADDRESS_NOT_A_HOST},
    {"64:ff9b::8.8.8.8", PV_ADDRESS_PUBLIC},
};

static const char *const kind_names[] = {
    [PV_ADDRESS_PUBLIC] = "public",
    [PV_ADDRESS_LOOPBACK] = "this machine",
    [PV_ADDRESS_PRIVATE] = "private",
    [PV_ADDRESS_NOT_A_HOST] = "not a host",
};

static void test_kinds(void)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		struct pv_address address = address_of(kinds[i].text);
		is_text(pv_str_of(kind_names[pv_address_kind(&address)]),
		    kind_names[kinds[i].kind], "P7: %s is %s", kinds[i].text,
		    kind_names[kinds[i].kind]);
	}
}

static const struct {
	const char *text;
	const char *written;
	bool is_exact;
} networks[] = {
    {"10.0.0.0/8", "10.0.0.0/8", true},
    {"10.0.0.1/8", "10.0.0.0/8", false},
    {"10.255.255.255/9", "10.128.0.0/9", false},
    {"192.0.2.1", "192.0.2.1/32", true},
    {"192.0.2.1/32", "192.0.2.1/32", true},
    {"192.0.2.1/31", "192.0.2.0/31", false},
    {"0.0.0.0/0", "0.0.0.0/0", true},
    {"255.255.255.255/0", "0.0.0.0/0", false},
    {"255.255.255.255/17", "255.255.128.0/17", false},
    {"::/0", "::/0", true},
    {"2001:db8::/32", "2001:db8::/32", true},
    {"2001:db8::1/32", "2001:db8::/32", false},
    {"2001:db8::1", "2001:db8::1/128", true},
    {"2001:db8::1/127", "2001:db8::/127", false},
    {"ffff:ffff::/20", "ffff:f000::/20", false},
};

static void test_networks(void)
{
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++) {
		struct pv_network network;
		struct pv_buf buf;
		bool is_exact = !networks[i].is_exact;
		pv_buf_init(&buf, 100);
		if (pv_network_read(
			pv_str_of(networks[i].text), &network, &is_exact))
			pv_network_write(&network, &buf);
		is_text(pv_buf_str(&buf), networks[i].written,
		    "%s is a network", networks[i].text);
		ok(is_exact == networks[i].is_exact, "%s bits beyond it",
		    is_exact ? "without" : "with");
		pv_buf_finish(&buf);
	}
}

static const char *const no_networks[] = {"", "/", "/8", "10.0.0.0/",
    "10.0.0.0/33", "10.0.0.0/8 ", "10.0.0.0/ 8", "10.0.0.0/-1", "10.0.0.0/8/8",
    "10.0.0.0/+8", "10.0.0.0/0x8", "10.0.0.0/255.0.0.0", "10.0.0/8", "::/129",
    "::/256", "::/18446744073709551616", "[::]/0", "example.org/8"};

static void test_no_networks(void)
{
	size_t count = sizeof(no_networks) / sizeof(*no_networks);
	for (size_t i = 0; i < count; i++) {
		struct pv_network network = {.prefix = 77};
		bool is_exact = true;
		ok(!pv_network_read(
		       pv_str_of(no_networks[i]), &network, &is_exact) &&
			network.prefix == 77,
		    "\"%s\" is none, and nothing is changed", no_networks[i]);
	}
}

static const struct {
	const char *network;
	const char *inside;
	const char *outside;
} holdings[] = {
    {"10.0.0.0/8", "10.255.255.255", "11.0.0.0"},
    {"172.16.0.0/12", "172.31.255.255", "172.32.0.0"},
    {"192.0.2.7/32", "192.0.2.7", "192.0.2.6"},
    {"192.0.2.6/31", "192.0.2.7", "192.0.2.8"},
    {"0.0.0.0/0", "255.255.255.255", "::"},
    {"::/0", "ffff::", "0.0.0.0"},
    {"2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::"},
    {"2001:db8::1/128", "2001:db8::1", "2001:db8::"},
    {"::ffff:0:0/96", "::ffff:192.0.2.1", "192.0.2.1"},
};

static void test_holding(void)
{
	for (size_t i = 0; i < sizeof(holdings) / sizeof(*holdings); i++) {
		struct pv_network network;
		bool is_exact;
		struct pv_address inside = address_of(holdings[i].inside);
		struct pv_address outside = address_of(holdings[i].outside);
		ok(pv_network_read(
		       pv_str_of(holdings[i].network), &network, &is_exact) &&
			pv_network_holds(&network, &inside),
		    "%s holds %s", holdings[i].network, holdings[i].inside);
		ok(!pv_network_holds(&network, &outside), "it does not hold %s",
		    holdings[i].outside);
		struct pv_network around =
		    pv_network_of(&inside, network.prefix);
		ok(pv_address_equal(&around.address, &network.address),
		    "it is the network of that size around it");
	}
}

static void test_writing(void)
{
	struct pv_network network;
	bool is_exact;
	struct pv_buf buf;
	pv_buf_init(&buf, 13);
	pv_network_read(PV_STR("100.64.0.0/10"), &network, &is_exact);
	ok(pv_network_write(&network, &buf), "a network fits exactly");
	pv_buf_clear(&buf);
	pv_buf_append_text(&buf, "x");
	ok(!pv_network_write(&network, &buf) && buf.is_full,
	    "without room for all of it, that is told");
	pv_buf_finish(&buf);
}

int main(void)
{
	test_reading();
	test_refusing();
	test_comparing();
	test_kinds();
	test_networks();
	test_no_networks();
	test_holding();
	test_writing();
	return tap_done();
}
