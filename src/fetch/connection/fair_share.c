#include "fetch/connection/fair_share.h"

#include <uv.h>

#include "fetch/connection/cuts.h"

/* A body that comes at less than this for the time that it takes a processor is
 * none that anybody would send so: 16 MB/s, where even a slow one reads some
 * hundreds. An answer without a body is worth as much as some bytes. */
#define NS_PER_BODY_BYTE 60
#define ANSWER_BYTES 32768

/* In a window that went mostly on other work than calls nobody is a hog. */
#define HOG_NS (PV_SHARE_WINDOW_NS / 4)

/* Of what is read from a connection at least so much is worth something. */
#define WORTHLESS_TIMES 4
#define WORTHLESS_BYTES (UINT64_C(1) << 20)

/* The thread's processor time is not asked for more often. */
#define LOOK_NS UINT64_C(50000000)

void pv_fair_share_init(struct pv_fair_share *share, struct pv_sockets *sockets,
    uint64_t (*cpu_ns)(void))
{
	*share = (struct pv_fair_share){.sockets = sockets, .cpu_ns = cpu_ns};
}

uint64_t pv_fair_share_clock(const struct pv_fair_share *share)
{
	return share->is_exact ? share->cpu_ns() : uv_hrtime();
}

void pv_fair_share_credit(struct pv_fair_share *share, int fd, size_t bytes)
{
	struct pv_spending *spending = pv_sockets_spending(share->sockets, fd);
	if (spending)
		spending->body_bytes += bytes;
}

void pv_fair_share_credit_answer(struct pv_fair_share *share, int fd)
{
	pv_fair_share_credit(share, fd, ANSWER_BYTES);
}

/* More than half of what all calls took, which is something to speak of, for
 * next to nothing. */
static bool is_hog(
    const struct pv_fair_share *share, const struct pv_spending *spending)
{
	return spending->ns > share->all_ns / 2 && spending->ns > HOG_NS &&
	       spending->body_bytes * NS_PER_BODY_BYTE < spending->ns;
}

/* Whether much was read from a connection that is worth nothing. */
static bool is_worthless(struct pv_sockets *sockets, int fd, uint64_t bytes)
{
	const struct pv_spending *spending = pv_sockets_spending(sockets, fd);
	return bytes >= WORTHLESS_BYTES &&
	       bytes / WORTHLESS_TIMES > spending->body_bytes;
}

/* Whether much more was read from it than it brought. */
static bool is_wasteful(struct pv_sockets *sockets, int fd, uint64_t bytes)
{
	return bytes / 2 > pv_sockets_spending(sockets, fd)->body_bytes;
}

/* Whom a window was for. */
struct finding {
	int hog;         /* who had more than half of it; -1 */
	bool is_guessed; /* less than that is sure */
};

static bool is_guessed(
    const struct pv_fair_share *share, const struct pv_spending *spending)
{
	return spending->ns - spending->guessed_ns <= share->all_ns / 2;
}

static struct finding find_hog(const struct pv_fair_share *share)
{
	struct pv_sockets *sockets = share->sockets;
	struct finding finding = {.hog = -1};
	for (int fd = 0; (size_t)fd < sockets->size; fd++) {
		struct pv_spending *spending = pv_sockets_spending(sockets, fd);
		if (spending && is_hog(share, spending))
			finding =
			    (struct finding){fd, is_guessed(share, spending)};
	}
	return finding;
}

static void forget_spendings(struct pv_sockets *sockets)
{
	for (int fd = 0; (size_t)fd < sockets->size; fd++) {
		struct pv_spending *spending = pv_sockets_spending(sockets, fd);
		if (spending)
			*spending = (struct pv_spending){.ns = 0};
	}
}

static void begin(
    struct pv_fair_share *share, uint64_t now_ns, uint64_t cpu_ns, bool exact)
{
	forget_spendings(share->sockets);
	share->began_ns = now_ns;
	share->began_cpu_ns = cpu_ns;
	share->all_ns = 0;
	share->nobodys_ns = 0;
	share->is_exact = exact;
	if (exact)
		pv_cuts_mark(share->sockets);
}

static bool is_nobodys(const struct pv_fair_share *share)
{
	return share->nobodys_ns > share->all_ns / 2;
}

/* Who is only guessed to be one is it if nobody wasted more. To ask what was
 * read from each connection costs system calls. */
static int blame(const struct pv_fair_share *share)
{
	struct pv_sockets *sockets = share->sockets;
	struct finding finding = find_hog(share);
	if (finding.hog < 0 && !is_nobodys(share))
		return -1;
	if (finding.hog >= 0 &&
	    (!finding.is_guessed ||
		finding.hog == pv_cuts_find_greediest(sockets, is_wasteful)))
		return finding.hog;
	return pv_cuts_find_greediest(sockets, is_worthless);
}

static int end_window(
    struct pv_fair_share *share, uint64_t now_ns, uint64_t cpu_ns)
{
	int hog = -1;
	bool is_suspicious = false;
	if (share->is_exact)
		hog = blame(share);
	else
		is_suspicious = find_hog(share).hog >= 0 || is_nobodys(share);
	begin(share, now_ns, cpu_ns, is_suspicious);
	return hog;
}

void pv_fair_share_lay(struct pv_fair_share *share, int fd, uint64_t took_ns)
{
	struct pv_spending *spending = pv_sockets_spending(share->sockets, fd);
	share->all_ns += took_ns;
	if (spending)
		spending->ns += took_ns;
	else
		share->nobodys_ns += took_ns;
}

void pv_fair_share_guess(struct pv_fair_share *share, int fd, uint64_t took_ns)
{
	struct pv_spending *spending = pv_sockets_spending(share->sockets, fd);
	pv_fair_share_lay(share, fd, took_ns);
	if (spending)
		spending->guessed_ns += took_ns;
}

int pv_fair_share_look(struct pv_fair_share *share, uint64_t now_ns)
{
	if (now_ns - share->looked_ns < LOOK_NS)
		return -1;
	uint64_t cpu_ns = share->cpu_ns();
	share->looked_ns = now_ns;
	if (cpu_ns - share->began_cpu_ns >= PV_SHARE_WINDOW_NS)
		return end_window(share, now_ns, cpu_ns);
	if (now_ns - share->began_ns >= PV_SHARE_STALE_NS)
		begin(share, now_ns, cpu_ns, false);
	return -1;
}
