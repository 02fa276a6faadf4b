#include "fetch/fair_share.h"

#include <uv.h>

/* A body that comes at less than this for the time that it takes a processor is
 * none that anybody would send so: 16 MB/s, where even a slow one reads some
 * hundreds. An answer without a body is worth as much as some bytes. */
#define NS_PER_BODY_BYTE 60
#define ANSWER_BYTES 32768

/* Of what a connection receives at least so much is worth something. */
#define WORTHLESS_TIMES 4
#define WORTHLESS_BYTES (UINT64_C(1) << 20)

/* The thread's processor time is not asked for more often. */
#define LOOK_NS UINT64_C(50000000)

void pv_fair_share_init(
    struct pv_fair_share *share, struct pv_cuts *cuts, uint64_t (*cpu_ns)(void))
{
	*share = (struct pv_fair_share){.cuts = cuts, .cpu_ns = cpu_ns};
}

uint64_t pv_fair_share_clock(const struct pv_fair_share *share)
{
	return share->is_exact ? share->cpu_ns() : uv_hrtime();
}

void pv_fair_share_credit(struct pv_fair_share *share, int fd, size_t bytes)
{
	struct pv_spending *spending =
	    pv_sockets_spending(share->cuts->sockets, fd);
	if (spending)
		spending->body_bytes += bytes;
}

void pv_fair_share_credit_answer(struct pv_fair_share *share, int fd)
{
	pv_fair_share_credit(share, fd, ANSWER_BYTES);
}

/* More than half of what all calls took, for next to nothing. */
static bool is_hog(
    const struct pv_fair_share *share, const struct pv_spending *spending)
{
	return spending->ns > share->all_ns / 2 &&
	       spending->body_bytes * NS_PER_BODY_BYTE < spending->ns;
}

/* Whether a connection has received much of what is worth nothing. */
static bool is_worthless(struct pv_cuts *cuts, int fd, uint64_t received)
{
	const struct pv_spending *spending =
	    pv_sockets_spending(cuts->sockets, fd);
	return received >= WORTHLESS_BYTES &&
	       received / WORTHLESS_TIMES > spending->body_bytes;
}

static int find_nobody(struct pv_fair_share *share)
{
	if (!share->is_exact || share->nobodys_ns <= share->all_ns / 2)
		return -1;
	return pv_cuts_find_greediest(share->cuts, is_worthless);
}

/* Who is one in this window; all begin anew. */
static int find_hog(struct pv_fair_share *share)
{
	struct pv_sockets *sockets = share->cuts->sockets;
	int hog = -1;
	for (int fd = 0; (size_t)fd < sockets->size; fd++) {
		struct pv_spending *spending = pv_sockets_spending(sockets, fd);
		if (!spending)
			continue;
		if (is_hog(share, spending))
			hog = fd;
		*spending = (struct pv_spending){0, 0};
	}
	return hog;
}

static void begin(
    struct pv_fair_share *share, uint64_t now_ns, uint64_t cpu_ns, bool exact)
{
	share->began_ns = now_ns;
	share->began_cpu_ns = cpu_ns;
	share->all_ns = 0;
	share->nobodys_ns = 0;
	share->is_exact = exact;
	if (exact)
		pv_cuts_mark(share->cuts);
}

static int end_window(
    struct pv_fair_share *share, uint64_t now_ns, uint64_t cpu_ns)
{
	bool is_nobodys = share->nobodys_ns > share->all_ns / 2;
	bool was_exact = share->is_exact;
	int nobody = find_nobody(share);
	int hog = find_hog(share);
	begin(share, now_ns, cpu_ns, !was_exact && (is_nobodys || hog >= 0));
	if (!was_exact)
		return -1;
	return hog >= 0 ? hog : nobody;
}

static int look(struct pv_fair_share *share, uint64_t now_ns)
{
	uint64_t cpu_ns = share->cpu_ns();
	share->looked_ns = now_ns;
	if (cpu_ns - share->began_cpu_ns >= PV_SHARE_WINDOW_NS)
		return end_window(share, now_ns, cpu_ns);
	if (now_ns - share->began_ns >= PV_SHARE_STALE_NS) {
		find_hog(share);
		begin(share, now_ns, cpu_ns, false);
	}
	return -1;
}

int pv_fair_share_spend(
    struct pv_fair_share *share, int fd, uint64_t took_ns, uint64_t now_ns)
{
	struct pv_spending *spending =
	    pv_sockets_spending(share->cuts->sockets, fd);
	share->all_ns += took_ns;
	if (spending)
		spending->ns += took_ns;
	else
		share->nobodys_ns += took_ns;
	return now_ns - share->looked_ns < LOOK_NS ? -1 : look(share, now_ns);
}
