#include "policy/values/socket.h"

#include "tap.h"

static const struct {
	const char *text;
	const char *address; /* NULL if it is none */
	uint16_t port;
} cases[] = {
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

int main(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct pv_socket socket = {.port = 7};
		struct pv_address wanted;
		bool is_read =
		    pv_socket_read(pv_str_of(cases[i].text), &socket);
		if (!cases[i].address)
			ok(!is_read && socket.port == 7 && !socket.address.bits,
			    "\"%s\" is none, and nothing is changed",
			    cases[i].text);
		else
			ok(is_read &&
				pv_address_read(
				    pv_str_of(cases[i].address), &wanted) &&
				pv_address_equal(&socket.address, &wanted) &&
				socket.port == cases[i].port,
			    "%s is %s with port %u", cases[i].text,
			    cases[i].address, cases[i].port);
	}
	return tap_done();
}
