#include "api/crawl/runtime.h"

#include <stdio.h>
#include <stdlib.h>

#include "api/sized.h"
#include "base/alloc.h"
#include "base/system.h"
#include "policy/values/host_pattern.h"
#include "crawl/control/shared_pauses.h"

#define INTERVAL_MS 1000

struct pavane_runtime {
	struct pv_runtime *runtime;
};

struct pavane_runtime *pavane_runtime_open(
    const struct pavane_runtime_options *options)
{
	struct pavane_runtime_options own;
	if (!pv_sized_read(&own, sizeof(own), options))
		return NULL;
	struct pv_runtime *inner =
	    pv_runtime_create(own.threads, own.concurrency);
	if (!inner)
		return NULL;
	struct pavane_runtime *runtime = pv_alloc(sizeof(*runtime));
	runtime->runtime = inner;
	pv_runtime_limit_caches(inner, own.cache_bytes);
	pavane_runtime_set_rate(runtime, own.rate, own.rate_interval_ms);
	return runtime;
}

void pavane_runtime_set_rate(
    struct pavane_runtime *runtime, unsigned rate, unsigned interval_ms)
{
	if (runtime)
		pv_runtime_set_rate(runtime->runtime, rate,
		    interval_ms ? interval_ms : INTERVAL_MS);
}

bool pavane_runtime_close(struct pavane_runtime *runtime)
{
	if (!runtime)
		return true;
	if (!pv_runtime_destroy(runtime->runtime))
		return false;
	free(runtime);
	return true;
}

/* As crawls know the host. */
static bool read_name(const struct pavane_runtime *runtime, const char *written,
    struct pv_buf *name)
{
	pv_buf_init(name, SIZE_MAX);
	return runtime && written &&
	       pv_host_name_canonical(pv_str_of(written), name);
}

bool pv_runtime_pause_since(struct pavane_runtime *runtime, const char *host,
    const struct pv_pause *pause)
{
	struct pv_pause own = *pause;
	struct pv_buf name;
	bool is_paused =
	    read_name(runtime, host, &name) && name.len < sizeof(own.host);
	if (is_paused) {
		snprintf(own.host, sizeof(own.host), "%s", pv_buf_text(&name));
		is_paused = pv_shared_pauses_set(
		    pv_runtime_pauses(runtime->runtime), &own);
	}
	pv_buf_finish(&name);
	return is_paused;
}

bool pavane_runtime_pause_host(struct pavane_runtime *runtime, const char *host,
    int64_t until_ms, const char *why)
{
	struct pv_pause pause = {
	    .since_wall_ms = pv_time_now().wall_ms,
	    .until_wall_ms = until_ms ? until_ms : INT64_MAX,
	};
	snprintf(pause.why, sizeof(pause.why), "%s", why ? why : "");
	return pv_runtime_pause_since(runtime, host, &pause);
}

bool pavane_runtime_resume_host(
    struct pavane_runtime *runtime, const char *host)
{
	struct pv_buf name;
	bool was_paused =
	    read_name(runtime, host, &name) &&
	    pv_shared_pauses_lift(
		pv_runtime_pauses(runtime->runtime), pv_buf_str(&name));
	pv_buf_finish(&name);
	return was_paused;
}

struct pv_runtime *pv_runtime_of(struct pavane_runtime *runtime)
{
	return runtime ? runtime->runtime : NULL;
}
