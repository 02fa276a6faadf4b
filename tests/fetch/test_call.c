#include "fetch/call.h"

#include "fetch/connected.h"
#include "fetch/lane.h"
#include "tap.h"

/* What the thread has used; it has no context. */
static uint64_t used_ns;

static uint64_t cpu_ns(void)
{
	return used_ns;
}

/* A lane whose thread is this one. */
static void lane_begin(struct pv_lane *lane, uv_loop_t *loop)
{
	*lane = (struct pv_lane){.is_running = false};
	uv_loop_init(loop);
	pv_sockets_init(&lane->sockets, loop, NULL);
	pv_fair_share_init(&lane->share, &lane->sockets, cpu_ns);
	lane->share.began_ns = lane->share.looked_ns = uv_hrtime();
	lane->share.is_exact = true;
	lane->call.share = &lane->share;
}

static bool has_spent(struct pv_lane *lane, const struct connection *one,
    uint64_t ns, uint64_t guessed_ns)
{
	const struct pv_spending *spending =
	    pv_sockets_spending(&lane->sockets, one->ours);
	return spending->ns == ns && spending->guessed_ns == guessed_ns;
}

/* In a call of these sockets one after another, each after so much. */
static void call(struct pv_lane *lane, int made_for, const int fds[3])
{
	pv_call_begin(&lane->call, made_for);
	for (int i = 0; i < 3; i++) {
		used_ns += 100;
		pv_call_is_for(&lane->call, fds[i]);
	}
	used_ns += 100;
	pv_call_end(&lane->call);
}

static void test_call(void)
{
	struct pv_lane lane;
	uv_loop_t loop;
	lane_begin(&lane, &loop);
	struct connection one = connection_keep(&lane.sockets);
	struct connection other = connection_keep(&lane.sockets);
	pv_call_begin(&lane.call, one.ours);
	ok(atomic_load(&lane.call.serial) % 2 == 1 &&
		atomic_load(&lane.call.socket) == one.ours,
	    "a call is seen, and what it was made for");
	pv_call_end(&lane.call);
	call(&lane, one.ours, (const int[]){one.ours, -1, one.ours});
	ok(has_spent(&lane, &one, 400, 0),
	    "what libcurl does for one socket is laid to that");
	call(&lane, -1, (const int[]){-1, -1, -1});
	ok(lane.share.nobodys_ns == 400, "what it does for none, to nobody");
	call(&lane, -1, (const int[]){one.ours, other.ours, other.ours});
	ok(has_spent(&lane, &one, 600, 200) &&
		has_spent(&lane, &other, 200, 100),
	    "of what it chooses itself only what is between two callbacks is "
	    "sure");
	call(&lane, one.ours, (const int[]){one.ours, other.ours, other.ours});
	ok(has_spent(&lane, &one, 800, 400) &&
		has_spent(&lane, &other, 400, 200),
	    "and so it is once it has gone on with another");
	connection_close(&lane.sockets, &one);
	connection_close(&lane.sockets, &other);
	uv_run(&loop, UV_RUN_DEFAULT);
	pv_sockets_finish(&lane.sockets);
	ok(uv_loop_close(&loop) == 0, "and nothing stays");
}

int main(void)
{
	test_call();
	return tap_done();
}
