#include "bench/bare_loop.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <curl/curl.h>

#include "base/alloc.h"
#include "bench/stopwatch.h"

#define URL_MAX 512
#define EVENTS 256

struct place {
	CURL *easy;
	unsigned number;
	struct pv_buf url;
};

struct bare {
	const struct bare_plan *plan;
	CURLM *multi;
	struct curl_slist *resolve;
	int epoll;
	long timer_ms;
	unsigned active;
	struct bare_end end;
};

static size_t drop(char *bytes, size_t one, size_t len, void *ctx)
{
	(void)bytes;
	(void)ctx;
	return one * len;
}

static int watch(CURL *easy, curl_socket_t fd, int what, void *ctx, void *known)
{
	struct bare *bare = ctx;
	struct epoll_event event = {.data = {.fd = fd}};
	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		epoll_ctl(bare->epoll, EPOLL_CTL_DEL, fd, &event);
		curl_multi_assign(bare->multi, fd, NULL);
		return 0;
	}
	event.events = (what & CURL_POLL_IN ? EPOLLIN : 0) |
		       (what & CURL_POLL_OUT ? EPOLLOUT : 0);
	epoll_ctl(
	    bare->epoll, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
	if (!known)
		curl_multi_assign(bare->multi, fd, bare);
	return 0;
}

static int set_timer(CURLM *multi, long timeout_ms, void *ctx)
{
	struct bare *bare = ctx;
	(void)multi;
	bare->timer_ms = timeout_ms;
	return 0;
}

static void start(struct bare *bare, struct place *place)
{
	pv_buf_clear(&place->url);
	if (!bare->plan->next(bare->plan->ctx, place->number, &place->url))
		return;
	curl_easy_setopt(place->easy, CURLOPT_URL, pv_buf_text(&place->url));
	curl_multi_add_handle(bare->multi, place->easy);
	bare->active++;
}

static void collect(struct bare *bare)
{
	CURLMsg *message;
	int left;
	while ((message = curl_multi_info_read(bare->multi, &left))) {
		char *place = NULL;
		CURL *easy = message->easy_handle;
		bare->end.answers++;
		bare->end.failures += message->data.result != CURLE_OK;
		curl_easy_getinfo(easy, CURLINFO_PRIVATE, &place);
		curl_multi_remove_handle(bare->multi, easy);
		bare->active--;
		start(bare, (void *)place);
	}
}

static void turn(struct bare *bare)
{
	struct epoll_event events[EVENTS];
	int running;
	long wait_ms = bare->timer_ms;
	int count = epoll_wait(
	    bare->epoll, events, EVENTS, wait_ms < 0 ? -1 : (int)wait_ms);
	if (count == 0 || wait_ms == 0)
		curl_multi_socket_action(
		    bare->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	for (int i = 0; i < count; i++)
		curl_multi_socket_action(bare->multi, events[i].data.fd,
		    (events[i].events & EPOLLIN ? CURL_CSELECT_IN : 0) |
			(events[i].events & EPOLLOUT ? CURL_CSELECT_OUT : 0),
		    &running);
	collect(bare);
}

static CURL *make_easy(const struct bare *bare, struct place *place)
{
	CURL *easy = curl_easy_init();
	curl_easy_setopt(easy, CURLOPT_PRIVATE, place);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_RESOLVE, bare->resolve);
	curl_easy_setopt(
	    easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
	if (bare->plan->authority) {
		curl_easy_setopt(easy, CURLOPT_CAINFO, bare->plan->authority);
		curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
	}
	return easy;
}

static void open_multi(struct bare *bare)
{
	bare->multi = curl_multi_init();
	bare->epoll = epoll_create1(EPOLL_CLOEXEC);
	bare->timer_ms = -1;
	if (bare->plan->resolve)
		bare->resolve = curl_slist_append(NULL, bare->plan->resolve);
	curl_multi_setopt(bare->multi, CURLMOPT_SOCKETFUNCTION, watch);
	curl_multi_setopt(bare->multi, CURLMOPT_SOCKETDATA, bare);
	curl_multi_setopt(bare->multi, CURLMOPT_TIMERFUNCTION, set_timer);
	curl_multi_setopt(bare->multi, CURLMOPT_TIMERDATA, bare);
	curl_multi_setopt(
	    bare->multi, CURLMOPT_MAXCONNECTS, (long)bare->plan->at_once);
}

static void close_multi(struct bare *bare, struct place *places)
{
	for (unsigned i = 0; i < bare->plan->at_once; i++) {
		curl_easy_cleanup(places[i].easy);
		pv_buf_finish(&places[i].url);
	}
	curl_multi_cleanup(bare->multi);
	curl_slist_free_all(bare->resolve);
	close(bare->epoll);
}

struct bare_end bare_run(const struct bare_plan *plan)
{
	struct bare bare = {.plan = plan};
	struct place *places = pv_alloc_array(plan->at_once, sizeof(*places));
	struct stopwatch start_time = stopwatch_start();
	open_multi(&bare);
	for (unsigned i = 0; i < plan->at_once; i++) {
		places[i].number = i;
		pv_buf_init(&places[i].url, URL_MAX);
		places[i].easy = make_easy(&bare, &places[i]);
		start(&bare, &places[i]);
	}
	while (bare.active)
		turn(&bare);
	struct stopwatch took = stopwatch_read(start_time);
	close_multi(&bare, places);
	free(places);
	bare.end.busy_s = took.busy_s;
	bare.end.took_s = took.took_s;
	return bare.end;
}
