#include "fetch/fair_share.h"

/* A body that comes at less than this for the time that it takes a processor is
 * none that anybody would send so: 16 MB/s, where even a slow one reads some
 * hundreds. */
#define NS_PER_BODY_BYTE 60

void pv_fair_share_init(struct pv_fair_share *share, struct pv_sockets *sockets)
{
	*share = (struct pv_fair_share){.sockets = sockets};
}

void pv_fair_share_credit(struct pv_fair_share *share, int fd, size_t bytes)
{
	struct pv_spending *spending = pv_sockets_spending(share->sockets, fd);
	if (spending)
		spending->body_bytes += bytes;
}

/* Of what the connection took, that much at least was processor time. */
static uint64_t surely_used(
    const struct pv_spending *spending, uint64_t window_ns, uint64_t cpu_ns)
{
	uint64_t without_ns = window_ns > cpu_ns ? window_ns - cpu_ns : 0;
	return spending->ns > without_ns ? spending->ns - without_ns : 0;
}

static bool is_hog(
    const struct pv_spending *spending, uint64_t window_ns, uint64_t cpu_ns)
{
	uint64_t used_ns = surely_used(spending, window_ns, cpu_ns);
	return used_ns >= window_ns / 2 &&
	       spending->body_bytes * NS_PER_BODY_BYTE < used_ns;
}

/* Begins the next window; who was a hog in the one that is over. */
static int find_hog(
    struct pv_sockets *sockets, uint64_t window_ns, uint64_t cpu_ns)
{
	int hog = -1;
	for (int fd = 0; (size_t)fd < sockets->size; fd++) {
		struct pv_spending *spending = pv_sockets_spending(sockets, fd);
		if (!spending)
			continue;
		if (is_hog(spending, window_ns, cpu_ns))
			hog = fd;
		*spending = (struct pv_spending){0, 0};
	}
	return hog;
}

int pv_fair_share_spend(struct pv_fair_share *share, int fd, uint64_t took_ns,
    uint64_t now_ns, uint64_t (*cpu_ns)(void))
{
	struct pv_spending *spending = pv_sockets_spending(share->sockets, fd);
	if (spending)
		spending->ns += took_ns;
	uint64_t window_ns = now_ns - share->began_ns;
	if (window_ns < PV_SHARE_WINDOW_NS)
		return -1;
	uint64_t cpu = cpu_ns();
	int hog =
	    find_hog(share->sockets, window_ns, cpu - share->began_cpu_ns);
	share->began_ns = now_ns;
	share->began_cpu_ns = cpu;
	return hog;
}
