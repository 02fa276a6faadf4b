#include "server/request_log.h"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <stdatomic.h>
#include <sys/ioctl.h>
#include <time.h>

#include "server/log_check.h"
#include "server/loop.h"
#include "server/scene.h"
#include "tap.h"

static const struct server_route hello[] = {{.answer = {.body = "hello"}}};

static void test_record(void)
{
	struct scene scene;
	struct server_accept accept;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(hello)});
	struct sockaddr_in place;
	socklen_t len = sizeof(place);
	int64_t before_us = loop_now_us();
	int fd = call(&scene, "127.0.0.1");
	getsockname(fd, (struct sockaddr *)&place, &len);
	ask_for(fd, "/busy?x=1");
	hear_until(&scene, fd, "hello");
	size_t heard = scene.heard.len;
	ask_for(fd, "/other");
	hear_until(&scene, fd, "hello");
	ok(server_wait_idle(scene.server, 2, CALLER_TIMEOUT_MS),
	    "the log tells when all is answered");
	int64_t after_us = loop_now_us();
	struct server_record first = record_of(&scene, 0);
	struct server_record second = record_of(&scene, 1);
	is_text(first.host, "a.test", "the log has a request's host");
	is_text(first.method, "GET", "its method");
	is_text(first.target, "/busy?x=1", "its target");
	is_text(server_header(first.headers, "x-mine"), "1", "its headers");
	ok(first.peer_port == ntohs(place.sin_port) && first.connection == 1 &&
		second.connection == 1,
	    "its connection");
	ok(first.status == 200 && first.sent == heard && first.is_complete,
	    "and what was answered");
	ok(before_us <= first.begin_us && first.begin_us <= first.ready_us &&
		first.ready_us <= first.end_us &&
		first.end_us <= second.begin_us && second.end_us <= after_us,
	    "its times are in their order");
	ok(server_accept_count(scene.server) == 1 &&
		server_accept_get(scene.server, 0, &accept) &&
		accept.peer_port == first.peer_port && !accept.end_us &&
		accept.at_us >= before_us,
	    "an open connection is logged");
	close(fd);
	ok(!server_wait(scene.server, 3, 10) &&
		server_wait(scene.server, 2, 10),
	    "a request that does not come is waited for in vain");
	end(&scene);
}

/* A request whose first byte comes before the rest. */
struct slow_request {
	int64_t before_us;
	int64_t rest_us;
	struct server_record record;
};

static void pause_ms(int ms)
{
	struct timespec pause = {
	    .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000L};
	nanosleep(&pause, NULL);
}

static struct slow_request ask_slowly(struct scene *scene, int ms)
{
	struct slow_request slow;
	int fd = call(scene, "127.0.0.1");
	slow.before_us = loop_now_us();
	caller_say(fd, "G");
	pause_ms(ms);
	slow.rest_us = loop_now_us();
	caller_say(fd, "ET / HTTP/1.1\r\n\r\n");
	hear_until(scene, fd, "hello");
	slow.record = record_of(scene, server_log_count(scene->server) - 1);
	close(fd);
	return slow;
}

/* The kernel makes one of what a busy server has not read before the rest comes:
 * then it is tried again, and given more time. */
#define SLOW_MS 30
#define SLOW_MAX_MS 60000

static void test_slow_request(void)
{
	struct scene scene;
	struct slow_request slow;
	int ms = SLOW_MS;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(hello)});
	do
		slow = ask_slowly(&scene, ms);
	while (slow.record.begin_us >= slow.rest_us && (ms *= 2) < SLOW_MAX_MS);
	ok(slow.record.begin_us >= slow.before_us &&
		slow.record.begin_us < slow.rest_us,
	    "a request begins with its first byte");
	ok(slow.record.ready_us >= slow.rest_us,
	    "and is there when its headers are");
	end(&scene);
}

#define HELD_MS 50

/* A thread that is kept busy, as no function of a test should. */
static bool answer_busily(void *ctx, const struct server_request *request,
    struct server_answer *answer)
{
	const atomic_bool *is_held = ctx;
	while (pv_str_equal(request->path, PV_STR("/busy")) &&
	       atomic_load(is_held))
		pause_ms(1);
	answer->body = "done";
	return true;
}

/* Until the other side's kernel has all that was sent. */
static void wait_received(int fd)
{
	int left = 1;
	while (ioctl(fd, SIOCOUTQ, &left) == 0 && left > 0)
		pause_ms(1);
}

static void test_stamps(void)
{
	struct scene scene;
	atomic_bool is_held = true;
	begin(&scene,
	    &(struct server_plan){.answer = answer_busily, .ctx = &is_held});
	int busy = call(&scene, "127.0.0.1");
	int other = call(&scene, "127.0.0.1");
	ask_for(other, "/");
	hear_until(&scene, other, "done");
	ask_for(busy, "/busy");
	server_wait(scene.server, 2, CALLER_TIMEOUT_MS);
	int64_t before_us = loop_now_us();
	ask_for(other, "/");
	wait_received(other);
	int64_t after_us = loop_now_us();
	pause_ms(HELD_MS);
	atomic_store(&is_held, false);
	hear_until(&scene, other, "done");
	struct server_record record = record_of(&scene, 2);
	ok(record.begin_us >= before_us - MS &&
		record.begin_us <= after_us + MS,
	    "a request begins when the kernel has it, however busy we are");
	close(busy);
	close(other);
	end(&scene);
}

static void ask_once(struct scene *scene)
{
	int fd = call(scene, "127.0.0.1");
	ask_for(fd, "/");
	hear_until(scene, fd, "hello");
	close(fd);
}

static void test_log_bound(void)
{
	struct scene scene;
	struct server_record record;
	begin(
	    &scene, &(struct server_plan){SERVER_ROUTES(hello), .log_max = 2});
	for (size_t i = 0; i < 5; i++)
		ask_once(&scene);
	struct log_view view = log_view_of(scene.server);
	ok(server_log_count(scene.server) == 5 && view.count == 2 &&
		!view.is_whole && !server_log_get(scene.server, 2, &record),
	    "past its bound the log counts and keeps no more");
	log_view_finish(&view);
	end(&scene);
	begin(&scene,
	    &(struct server_plan){SERVER_ROUTES(hello), .is_unlogged = true});
	ask_once(&scene);
	ok(server_log_count(scene.server) == 1 &&
		!server_log_get(scene.server, 0, &record),
	    "a server without a log counts all the same");
	end(&scene);
}

int main(void)
{
	test_record();
	test_slow_request();
	test_stamps();
	test_log_bound();
	return tap_done();
}
