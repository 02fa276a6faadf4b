#include "loop/wakeup.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static void empty(int fd)
{
	char bytes[64];
	while (read(fd, bytes, sizeof(bytes)) == (ssize_t)sizeof(bytes))
		continue;
}

/* Who sends after this writes again; what was sent for before it, the callback
 * sees. */
static void on_poll(uv_poll_t *poll, int status, int events)
{
	struct pv_wakeup *wakeup = poll->data;
	(void)status;
	(void)events;
	empty(wakeup->ends[0]);
	atomic_store(&wakeup->is_sent, false);
	wakeup->on_wake(wakeup->ctx);
}

bool pv_wakeup_open(
    struct pv_wakeup *wakeup, uv_loop_t *loop, pv_wakeup_fn on_wake, void *ctx)
{
	*wakeup = (struct pv_wakeup){
	    .ends = {-1, -1}, .on_wake = on_wake, .ctx = ctx};
	if (pipe2(wakeup->ends, O_NONBLOCK | O_CLOEXEC) != 0)
		return false;
	uv_poll_init(loop, &wakeup->poll, wakeup->ends[0]);
	wakeup->poll.data = wakeup;
	uv_poll_start(&wakeup->poll, UV_READABLE, on_poll);
	return true;
}

void pv_wakeup_deafen(struct pv_wakeup *wakeup)
{
	if (wakeup->ends[0] < 0 || wakeup->is_deaf)
		return;
	wakeup->is_deaf = true;
	uv_close((uv_handle_t *)&wakeup->poll, NULL);
}

void pv_wakeup_close(struct pv_wakeup *wakeup)
{
	if (wakeup->ends[0] < 0)
		return;
	pv_wakeup_deafen(wakeup);
	close(wakeup->ends[0]);
	close(wakeup->ends[1]);
}

void pv_wakeup_send(struct pv_wakeup *wakeup)
{
	int saved = errno;
	if (!atomic_exchange(&wakeup->is_sent, true))
		(void)!write(wakeup->ends[1], "", 1);
	errno = saved;
}
