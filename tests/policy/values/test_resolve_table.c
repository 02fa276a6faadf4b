#include "policy/values/resolve_table.h"

#include "tap.h"

static const struct {
	const char *host;
	const char *address; /* of a host that is one */
	const char *wanted;  /* NULL: nothing is said */
	uint16_t port;
} cases[] = {
    {"docs.test", NULL, "127.0.0.1", 8080},
    {"docs.test.", NULL, "127.0.0.1", 8080},
    {"b.test", NULL, "127.0.0.2", 0},
    {"b.docs.test", NULL, "127.0.0.2", 0},
    {"b.a.test", NULL, "::1", 81},
    {"a.test", NULL, "127.0.0.2", 0},
    {"192.0.2.7", "192.0.2.7", "127.0.0.3", 82},
    {"192.0.2.8", "192.0.2.8", NULL, 0},
    {"test", NULL, NULL, 0},
    {"nottest", NULL, NULL, 0},
    {"example.org", NULL, NULL, 0},
    {"", NULL, NULL, 0},
};

static const struct pv_socket *get(
    const struct pv_resolve_table *table, size_t number)
{
	struct pv_address address;
	bool is_address =
	    cases[number].address &&
	    pv_address_read(pv_str_of(cases[number].address), &address);
	return pv_resolve_table_get(
	    table, pv_str_of(cases[number].host), is_address ? &address : NULL);
}

static const struct {
	const char *text;
	const char *address; /* NULL if it is none */
	uint16_t port;
} sockets[] = {
    {"127.0.0.1", "127.0.0.1", 0},
    {"127.0.0.1:8080", "127.0.0.1", 8080},
    {"127.0.0.1:1", "127.0.0.1", 1},
    {"127.0.0.1:65535", "127.0.0.1", 65535},
    {"127.0.0.1:65536", NULL, 0},
    {"127.0.0.1:0", NULL, 0},
    {"127.0.0.1:", NULL, 0},
    {"127.0.0.1:80x", NULL, 0},
    {"127.0.0.1:80:80", NULL, 0},
    {"[127.0.0.1]:80", NULL, 0},
    {"127.1:80", NULL, 0},
    {"localhost:80", NULL, 0},
    {"::1", "::1", 0},
    {"2001:db8::1:80", "2001:db8::1:80", 0},
    {"[::1]", "::1", 0},
    {"[::1]:53", "::1", 53},
    {"[::1]:99999", NULL, 0},
    {"[::1", NULL, 0},
    {"::1]", NULL, 0},
    {"[]", NULL, 0},
    {"[]:80", NULL, 0},
    {"[::1]53", NULL, 0},
    {":80", NULL, 0},
    {"", NULL, 0},
};

static void test_socket(void)
{
	for (size_t i = 0; i < sizeof(sockets) / sizeof(*sockets); i++) {
		struct pv_socket socket = {.port = 7};
		struct pv_address wanted;
		bool is_read =
		    pv_socket_read(pv_str_of(sockets[i].text), &socket);
		if (!sockets[i].address)
			ok(!is_read && socket.port == 7 && !socket.address.bits,
			    "\"%s\" is none, and nothing is changed",
			    sockets[i].text);
		else
			ok(is_read &&
				pv_address_read(
				    pv_str_of(sockets[i].address), &wanted) &&
				pv_address_equal(&socket.address, &wanted) &&
				socket.port == sockets[i].port,
			    "%s is %s with port %u", sockets[i].text,
			    sockets[i].address, sockets[i].port);
	}
}

int main(void)
{
	struct pv_resolve_table table;
	struct pv_pair pairs[] = {
	    {"docs.test", "127.0.0.1:8080"},
	    {"*.test", "127.0.0.2"},
	    {"*.a.test", "[::1]:81"},
	    {"192.0.2.7", "127.0.0.3:82"},
	};
	struct pv_pairs resolve = {
	    .items = pairs,
	    .count = sizeof(pairs) / sizeof(*pairs),
	};
	pv_resolve_table_init(&table, &resolve);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_address wanted;
		const struct pv_socket *socket = get(&table, i);
		if (!cases[i].wanted)
			ok(!socket, "nothing is said of \"%s\"", cases[i].host);
		else
			ok(socket &&
				pv_address_read(
				    pv_str_of(cases[i].wanted), &wanted) &&
				pv_address_equal(&socket->address, &wanted) &&
				socket->port == cases[i].port,
			    "%s is at %s, port %u", cases[i].host,
			    cases[i].wanted, cases[i].port);
	}
	pv_resolve_table_finish(&table);
	pv_resolve_table_init(&table, &(struct pv_pairs){0});
	ok(!pv_resolve_table_get(&table, PV_STR("a.test"), NULL),
	    "an empty table says nothing");
	pv_resolve_table_finish(&table);
	test_socket();
	return tap_done();
}
