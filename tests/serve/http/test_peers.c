#include "serve/http/peers.h"

#include "tap.h"

static struct pv_address address_of(const char *text)
{
	struct pv_address address;
	if (!pv_address_read(pv_str_of(text), &address))
		abort();
	return address;
}

int main(void)
{
	struct pv_peers peers = {{0}};
	const struct pv_address one = address_of("192.0.2.1");
	const struct pv_address six = address_of("2001:db8::1");
	ok(!pv_peers_count(&peers, &one), "who never came has no connection");
	struct pv_peer *first = pv_peers_take(&peers, &one);
	struct pv_peer *other = pv_peers_take(&peers, &six);
	ok(pv_peers_take(&peers, &one) == first,
	    "connections of one address belong together");
	ok(pv_peers_count(&peers, &one) == 2 && first->count == 2 &&
		pv_peers_count(&peers, &six) == 1,
	    "and are counted");
	pv_peers_give(&peers, first);
	ok(pv_peers_count(&peers, &one) == 1, "those that end are not");
	pv_peers_give(&peers, first);
	ok(!pv_peers_count(&peers, &one) && pv_peers_count(&peers, &six) == 1,
	    "who has none any more is forgotten");
	pv_peers_give(&peers, other);
	pv_peers_give(&peers, NULL);
	ok(!peers.line.first, "as are all in the end");
	return tap_done();
}
