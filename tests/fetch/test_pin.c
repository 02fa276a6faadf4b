#include "fetch/pin.h"

#include <netinet/in.h>

#include "tap.h"

static struct pv_pin pin_of(const char *address, struct pv_pin_key key)
{
	struct pv_pin pin;
	struct pv_address read = {.bits = 0};
	pv_address_read(pv_str_of(address), &read);
	pv_pin_set(&pin, &read, 8080, key);
	return pin;
}

/* Two that may share a connection have the same text. */
static void test_texts(void)
{
	static const struct {
		const char *claim;
		const char *address;
		struct pv_pin_key key;
		bool is_same;
	} others[] = {
	    {"one host at one address", "192.0.2.7", {1, 0}, true},
	    {"another address", "192.0.2.8", {1, 0}, false},
	    {"an address of the other sort", "::ffff:192.0.2.7", {1, 0}, false},
	    {"another host", "192.0.2.7", {2, 0}, false},
	    {"other certificates", "192.0.2.7", {1, 1}, false},
	};
	struct pv_pin pin = pin_of("192.0.2.7", (struct pv_pin_key){1, 0});
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct pv_pin other = pin_of(others[i].address, others[i].key);
		ok((strcmp(pin.text, other.text) == 0) == others[i].is_same,
		    "%s: %s connection", others[i].claim,
		    others[i].is_same ? "the same" : "another");
	}
	is_text(pv_str_of(pin.text),
	    "::c0000207-1f90-00000000-0000000000000001.invalid:1",
	    "the name is one that nobody can have");
}

static void test_longest(void)
{
	struct pv_pin pin = pin_of("2001:db8:1111:2222:3333:4444:5555:6666",
	    (struct pv_pin_key){UINT64_MAX, UINT32_MAX});
	ok(pv_str_ends(pv_str_of(pin.text), PV_STR(".invalid:1")),
	    "the longest has its room");
}

static void test_write(void)
{
	struct {
		struct curl_sockaddr socket;
		char room[sizeof(struct sockaddr_in6)];
	} place = {.room = {0}};
	struct pv_pin pin = pin_of("192.0.2.7", (struct pv_pin_key){1, 0});
	struct sockaddr_in v4;
	pv_pin_write(&pin, &place.socket);
	memcpy(&v4, &place.socket.addr, sizeof(v4));
	ok(place.socket.family == AF_INET && v4.sin_port == htons(8080) &&
		v4.sin_addr.s_addr == htonl(0xc0000207),
	    "an IPv4 address takes the placeholder's place");
	struct sockaddr_in6 v6;
	pin = pin_of("2001:db8::7", (struct pv_pin_key){1, 0});
	pv_pin_write(&pin, &place.socket);
	memcpy(&v6,
	    (char *)&place.socket + offsetof(struct curl_sockaddr, addr),
	    sizeof(v6));
	ok(place.socket.family == AF_INET6 && v6.sin6_port == htons(8080) &&
		place.socket.addrlen == sizeof(v6) &&
		v6.sin6_addr.s6_addr[15] == 7,
	    "and so does an IPv6 address");
}

int main(void)
{
	test_texts();
	test_longest();
	test_write();
	return tap_done();
}
