#include "fetch/shared.h"

#include <sys/resource.h>

#include "fetch/fetch.h"
#include "policy/loaded.h"
#include "tap.h"

#define HEAD "version: 1\nseeds: [\"http://127.0.0.1/\"]\n"

/* What is shared by requests of that policy. */
struct scene {
	struct loaded loaded;
	struct pv_fetch_shared shared;
};

static void begin(struct scene *scene, const char *policy)
{
	*scene = (struct scene){.loaded = load_str(pv_str_of(policy))};
	const struct pv_fetch_plan plan = {.policy = scene->loaded.policy};
	pv_fetch_shared_init(&scene->shared, &plan);
}

static void end(struct scene *scene)
{
	pv_fetch_shared_finish(&scene->shared);
	loaded_finish(&scene->loaded);
}

/* Proxies */

static bool has_pin(const struct scene *scene, const char *pin)
{
	size_t count = 0;
	for (const struct curl_slist *at = scene->shared.pins; at;
	     at = at->next)
		count += strcmp(at->data, pin) == 0;
	return count == 1;
}

static void test_proxies(void)
{
	struct scene scene;
	begin(&scene,
	    HEAD "fetch: {proxy: [\"http://p.test:3128\", "
		 "\"socks5://q.test:3128\"]}\n"
		 "domains: {a.test: {proxy: \"https://r.test\"}}\n");
	ok(has_pin(&scene, "*:1:192.0.2.1"), "no name is looked up");
	ok(has_pin(&scene, "*:3128:192.0.2.1") &&
		has_pin(&scene, "*:443:192.0.2.1"),
	    "nor is that of a proxy");
	end(&scene);
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
		begin(&scene, HEAD "rate: {concurrency: 1000}\n");
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
