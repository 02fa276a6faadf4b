#include "fetch/shared.h"

#include <sys/resource.h>

#include "fetch/fetch.h"
#include "policy/loaded.h"
#include "tap.h"

#define HEAD "version: 1\nseeds: [\"http://127.0.0.1/\"]\n"

/* What is shared by requests of that policy; `proxy` as in the plan. */
struct scene {
	struct loaded loaded;
	struct pv_fetch_shared shared;
};

static void begin(struct scene *scene, const char *policy, const char *proxy)
{
	*scene = (struct scene){.loaded = load_str(pv_str_of(policy))};
	const struct pv_fetch_plan plan = {
	    .policy = scene->loaded.policy, .proxy = proxy};
	pv_fetch_shared_init(&scene->shared, &plan);
}

static void end(struct scene *scene)
{
	pv_fetch_shared_finish(&scene->shared);
	loaded_finish(&scene->loaded);
}

/* Proxies */

static const struct {
	const char *claim;
	const char *policy;
	const char *proxy;
	const char *found;
} proxies[] = {
    {"without a proxy there is none", HEAD, NULL, ""},
    {"one of HTTP is taken as it is",
	HEAD "fetch: {proxy: \"http://127.0.0.1:3128\"}\n", NULL,
	"http://127.0.0.1:3128"},
    {"P1: one of SOCKS looks names up itself",
	HEAD "fetch: {proxy: \"socks5://127.0.0.1:1080\"}\n", NULL,
	"socks5h://127.0.0.1:1080"},
    {"one with credentials stands in for the policy's",
	HEAD "fetch: {proxy: \"socks5://127.0.0.1:1080\"}\n",
	"socks5://me:secret@127.0.0.1:1080",
	"socks5h://me:secret@127.0.0.1:1080"},
};

static void test_proxies(void)
{
	for (size_t i = 0; i < sizeof(proxies) / sizeof(*proxies); i++) {
		struct scene scene;
		begin(&scene, proxies[i].policy, proxies[i].proxy);
		is_text(pv_buf_str(&scene.shared.proxy), proxies[i].found, "%s",
		    proxies[i].claim);
		ok(pv_fetch_has_proxy(&scene.shared) ==
			(*proxies[i].found != 0),
		    "and is known for one");
		ok(!strstr(pv_buf_text(&scene.shared.proxy_name), "secret"),
		    "P7: no message names it with its credentials");
		end(&scene);
	}
}

/* Connections and descriptors */

static void limit_descriptors(rlim_t count)
{
	struct rlimit limit;
	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = count;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static void test_descriptors(void)
{
	static const rlim_t limits[] = {24, 64, 256, 1024};
	for (size_t i = 0; i < sizeof(limits) / sizeof(*limits); i++) {
		struct scene scene;
		limit_descriptors(limits[i]);
		begin(&scene, HEAD "rate: {concurrency: 1000}\n", NULL);
		int most = scene.shared.socket_max;
		ok(most > (int)limits[i] / 4 && most < (int)limits[i] - 4,
		    "of %u descriptors sockets leave some to others (%d)",
		    (unsigned)limits[i], most);
		ok(scene.shared.shard_count >= 1 &&
			scene.shared.kept_max >= 1 &&
			scene.shared.kept_max <= limits[i] / 2,
		    "and connections take half at most (%u in %u)",
		    (unsigned)scene.shared.kept_max,
		    (unsigned)scene.shared.shard_count);
		end(&scene);
	}
}

int main(void)
{
	test_proxies();
	test_descriptors();
	return tap_done();
}
