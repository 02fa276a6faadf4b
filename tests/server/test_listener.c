#include "server/listener.h"

#include <ifaddrs.h>
#include <netinet/in.h>

#include "server/scene.h"
#include "tap.h"

static const char *const everywhere[] = {"127.0.0.0/8", NULL};

static const struct server_route hello[] = {{.answer = {.body = "hello"}}};

static void test_addresses(void)
{
	struct scene scene;
	struct pv_buf address;
	size_t right = 0;
	pv_buf_init(&address, 64);
	begin(&scene, &(struct server_plan){
			  SERVER_ROUTES(hello), .addresses = everywhere});
	for (uint8_t i = 0; i < 200; i++) {
		char text[32];
		snprintf(text, sizeof(text), "127.%u.%u.%u", i, i / 2, i + 1);
		int fd = call(&scene, text);
		ask_for(fd, "/");
		hear_until(&scene, fd, "hello");
		close(fd);
		struct server_record record = record_of(&scene, i);
		pv_buf_clear(&address);
		pv_address_write(&record.address, &address);
		right += pv_str_equal(pv_buf_str(&address), pv_str_of(text));
	}
	ok(right == 200, "one server has 200 addresses, and knows which");
	pv_buf_finish(&address);
	end(&scene);
}

static void test_both_families(void)
{
	static const char *const both[] = {"127.0.0.1", "::1", NULL};
	const char *claim = "a server may have both sorts of address at a port";
	struct scene scene;
	size_t answers = 0;
	if (!caller_has_ip6()) {
		tap_skip(claim, "this machine has no ::1");
		return;
	}
	begin(&scene,
	    &(struct server_plan){SERVER_ROUTES(hello), .addresses = both});
	for (size_t i = 0; i < 2; i++) {
		int fd = call(&scene, both[i]);
		ask_for(fd, "/");
		answers += hear_until(&scene, fd, "hello") &&
			   record_of(&scene, i).address.bits == (i ? 128 : 32);
		close(fd);
	}
	ok(answers == 2, "%s", claim);
	end(&scene);
}

/* An address of this machine that others might reach; false if it has none. */
static bool find_outside(char *text, socklen_t size)
{
	struct ifaddrs *list = NULL;
	bool is_found = false;
	if (getifaddrs(&list) != 0)
		return false;
	for (struct ifaddrs *at = list; at && !is_found; at = at->ifa_next) {
		const struct sockaddr_in *place =
		    (const struct sockaddr_in *)at->ifa_addr;
		if (!place || place->sin_family != AF_INET ||
		    ntohl(place->sin_addr.s_addr) >> 24 == 127)
			continue;
		is_found =
		    inet_ntop(AF_INET, &place->sin_addr, text, size) != NULL;
	}
	freeifaddrs(list);
	return is_found;
}

static void test_outside(void)
{
	char text[64];
	struct scene scene;
	const char *claim = "nobody is served at an address of the network";
	if (!find_outside(text, sizeof(text))) {
		tap_skip(claim, "this machine has none");
		return;
	}
	begin(&scene, &(struct server_plan){
			  SERVER_ROUTES(hello), .addresses = everywhere});
	int fd = call(&scene, text);
	if (fd >= 0) {
		ask_for(fd, "/");
		caller_hear(fd, &scene.heard, CALLER_MAX, CALLER_TIMEOUT_MS);
		close(fd);
	}
	ok(scene.heard.len == 0 && server_log_count(scene.server) == 0 &&
		server_accept_count(scene.server) == 0,
	    "%s", claim);
	end(&scene);
}

static void test_one_address(void)
{
	static const char *const two[] = {"127.0.0.2", "127.0.0.3", NULL};
	struct scene scene;
	begin(&scene,
	    &(struct server_plan){SERVER_ROUTES(hello), .addresses = two});
	int fd = call(&scene, "127.0.0.3");
	int other = call(&scene, "127.0.0.4");
	ok(fd >= 0 && other < 0, "a server has the addresses of its list only");
	close(fd);
	end(&scene);
}

static void test_doors(void)
{
	static const struct server_door doors[] = {
	    {"127.0.0.2", SERVER_DOOR_RESETS, 0},
	    {"127.0.0.3", SERVER_DOOR_CLOSES, 1},
	    {"127.0.0.4", SERVER_DOOR_NEVER_READS, 0},
	};
	struct scene scene;
	begin(&scene, &(struct server_plan){SERVER_ROUTES(hello),
			  SERVER_DOORS(doors), .addresses = everywhere});
	int fd = call(&scene, "127.0.0.2");
	ok(fd < 0 || caller_hear(fd, &scene.heard, 1, CALLER_TIMEOUT_MS) ==
			 CALLER_RESET,
	    "a door may reset");
	close(fd);
	fd = call(&scene, "127.0.0.3");
	ok(caller_hear(fd, &scene.heard, 1, CALLER_TIMEOUT_MS) == CALLER_CLOSED,
	    "or close");
	close(fd);
	fd = call(&scene, "127.0.0.3");
	ask_for(fd, "/");
	ok(hear_until(&scene, fd, " 200 "), "only so often");
	close(fd);
	fd = call(&scene, "127.0.0.4");
	ask_for(fd, "/");
	ok(caller_hear(fd, &scene.heard, CALLER_MAX, SILENCE_MS) ==
		    CALLER_TIMED_OUT &&
		server_log_count(scene.server) == 1,
	    "or never read");
	close(fd);
	end(&scene);
}

int main(void)
{
	test_addresses();
	test_both_families();
	test_outside();
	test_one_address();
	test_doors();
	return tap_done();
}
