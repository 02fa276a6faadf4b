#include "loop/bell.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static void empty(int fd)
{
	char bytes[64];
	while (read(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes))
		continue;
}

/* Whoever rings after this writes again; what they rang for before it, the
 * callback sees. */
static void on_poll(uv_poll_t *poll, int status, int events)
{
	struct pv_bell *bell = poll->data;
	(void)status;
	(void)events;
	empty(bell->ends[0]);
	atomic_store(&bell->is_rung, false);
	bell->on_ring(bell->ctx);
}

bool pv_bell_open(
    struct pv_bell *bell, uv_loop_t *loop, pv_bell_fn on_ring, void *ctx)
{
	*bell =
	    (struct pv_bell){.ends = {-1, -1}, .on_ring = on_ring, .ctx = ctx};
	if (pipe2(bell->ends, O_NONBLOCK | O_CLOEXEC) != 0)
		return false;
	uv_poll_init(loop, &bell->poll, bell->ends[0]);
	bell->poll.data = bell;
	uv_poll_start(&bell->poll, UV_READABLE, on_poll);
	return true;
}

void pv_bell_deafen(struct pv_bell *bell)
{
	if (bell->ends[0] < 0 || bell->is_deaf)
		return;
	bell->is_deaf = true;
	uv_close((uv_handle_t *)&bell->poll, NULL);
}

void pv_bell_close(struct pv_bell *bell)
{
	if (bell->ends[0] < 0)
		return;
	pv_bell_deafen(bell);
	close(bell->ends[0]);
	close(bell->ends[1]);
}

void pv_bell_ring(struct pv_bell *bell)
{
	int saved = errno;
	if (!atomic_exchange(&bell->is_rung, true))
		(void)!write(bell->ends[1], "", 1);
	errno = saved;
}
