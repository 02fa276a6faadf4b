#include "url/blocked_port.h"

#include "tap.h"

static const struct {
	uint16_t port;
	bool is_blocked;
} cases[] = {
    {0, true},
    {1, true},
    {2, false},
    {22, true},
    {25, true},
    {24, false},
    {80, false},
    {443, false},
    {587, true},
    {993, true},
    {4190, true},
    {6000, true},
    {6664, false},
    {6665, true},
    {6669, true},
    {6670, false},
    {6679, true},
    {8000, false},
    {8080, false},
    {8443, false},
    {10080, true},
    {10081, false},
    {65535, false},
};

int main(void)
{
	unsigned count = 0;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ok(pv_port_is_blocked(cases[i].port) == cases[i].is_blocked,
		    "port %u is %sblocked", cases[i].port,
		    cases[i].is_blocked ? "" : "not ");
	for (unsigned port = 0; port <= 65535; port++)
		count += pv_port_is_blocked((uint16_t)port);
	ok(count == 83, "the standard blocks 83 ports (%u)", count);
	return tap_done();
}
