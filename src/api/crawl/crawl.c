#include <stdlib.h>

#include "api/crawl/crawl_object.h"
#include "api/crawl/runtime.h"
#include "api/crawl/sinks.h"
#include "api/policy_object.h"
#include "api/problems.h"
#include "api/sized.h"
#include "base/alloc.h"
#include "base/json/json.h"
#include "crawl/control/commands.h"
#include "crawl/environment.h"
#include "crawl/run/crawl.h"
#include "crawl/run/running.h"
#include "pavane/pavane.h"
#include "policy/seed_walk.h"
#include "policy/sources/user_config.h"
#include "url/url.h"

#define NAME_MAX_BYTES 4096

/* The host of the first seed; nothing if there is none that can be read. */
static void append_first_host(
    const struct pv_policy *policy, struct pv_buf *buf)
{
	struct pv_seed_walk walk;
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	if (policy->seeds.count &&
	    pv_seed_walk_open(&walk, &policy->seeds.items[0])) {
		if (pv_seed_walk_next(&walk) == PV_SEED_ADDRESS &&
		    !pv_seed_parse(&url, pv_buf_str(&walk.text)))
			pv_buf_append(buf, pv_url_host_and_port(&url));
		pv_seed_walk_close(&walk);
	}
	pv_url_finish(&url);
}

/* A colon, as of a port, would be no part of a name everywhere. */
const char *pavane_policy_directory(const struct pavane_policy *policy)
{
	struct pavane_policy *kept = (struct pavane_policy *)(uintptr_t)policy;
	const struct pv_policy *loaded = policy->policy;
	struct pv_buf buf;
	if (kept->directory)
		return kept->directory;
	pv_buf_init(&buf, NAME_MAX_BYTES);
	pv_buf_append_text(&buf, "./");
	if (loaded->name)
		pv_buf_append_text(&buf, loaded->name);
	else
		append_first_host(loaded, &buf);
	if (buf.len == 2)
		pv_buf_append_text(&buf, "pavane-crawl");
	for (size_t i = 2; i < buf.len; i++) {
		if (buf.ptr[i] == ':' || buf.ptr[i] == '/')
			buf.ptr[i] = '_';
	}
	kept->directory = pv_buf_take(&buf);
	return kept->directory;
}

/* The course that it goes on with; NULL: it begins one. */
static struct pavane_crawl *open_crawl(const struct pavane_policy *policy,
    const struct pavane_crawl_options *given,
    const struct pv_crawl_course *before)
{
	struct pavane_crawl_options kept, *options = &kept;
	if (!pv_sized_read(options, sizeof(kept), given))
		return NULL;
	if (policy->why.problems.count) {
		pv_problems_tell(&policy->why, options->on_line, options->ctx);
		return NULL;
	}
	struct pavane_crawl *crawl = pv_alloc(sizeof(*crawl));
	crawl->on_line = options->on_line;
	crawl->ctx = options->ctx;
	struct pv_given_sinks sinks;
	struct pv_why why;
	struct pv_buf state_dir;
	pv_why_init(&why);
	pv_buf_init(&state_dir, NAME_MAX_BYTES);
	crawl->directory =
	    strdup(options->directory ? options->directory
				      : pavane_policy_directory(policy));
	if (!crawl->directory)
		pv_alloc_fail(1, NAME_MAX_BYTES);
	kept.directory = crawl->directory;
	pv_given_sinks_read(&sinks, &kept);
	if (!kept.state_dir) {
		pv_user_state_dir(
		    getenv("XDG_STATE_HOME"), getenv("HOME"), &state_dir);
		kept.state_dir = pv_buf_text(&state_dir);
	}
	struct pv_environment around = pv_real_environment;
	around.runtime = pv_runtime_of(options->runtime);
	around.run_before = before ? before->run : 0;
	around.wish_before = before ? before->wish : 0;
	crawl->crawl = pv_crawl_open(policy->policy, &kept, &around, &why);
	if (!crawl->crawl) {
		pv_problems_tell(&why, options->on_line, options->ctx);
		if (options->was_enough && !pv_why_has_problems(&why))
			*options->was_enough = true;
		free(crawl->directory);
		free(crawl);
		crawl = NULL;
	}
	pv_buf_finish(&state_dir);
	pv_why_finish(&why);
	return crawl;
}

struct pavane_crawl *pavane_crawl_open(const struct pavane_policy *policy,
    const struct pavane_crawl_options *options)
{
	return open_crawl(policy, options, NULL);
}

/* Calls that run it, step it or close it */

static void refuse(const struct pavane_crawl *crawl, const char *name)
{
	char line[160];
	snprintf(line, sizeof(line),
	    "%s was called in a callback of the crawl, or at another wrong time: "
	    "nothing is done",
	    name);
	if (crawl->on_line)
		crawl->on_line(crawl->ctx, PAVANE_WARNING, line);
}

/* False, with a line, if another one is at work, of which this may be a
 * callback, or on a thread of the crawl's own, which it would wait for. */
static bool begin_call(struct pavane_crawl *crawl, const char *name)
{
	if (!pv_crawl_is_own_thread(crawl->crawl) &&
	    !atomic_exchange(&crawl->is_busy, true))
		return true;
	refuse(crawl, name);
	return false;
}

static void end_call(struct pavane_crawl *crawl)
{
	atomic_store(&crawl->is_busy, false);
}

enum pavane_end pavane_crawl_run(struct pavane_crawl *crawl)
{
	if (!begin_call(crawl, "pavane_crawl_run"))
		return PAVANE_FAILED;
	enum pavane_end end = pv_crawl_run(crawl->crawl);
	end_call(crawl);
	return end;
}

bool pavane_crawl_start(struct pavane_crawl *crawl)
{
	if (!begin_call(crawl, "pavane_crawl_start"))
		return false;
	bool is_started = pv_crawl_start(crawl->crawl);
	end_call(crawl);
	return is_started;
}

bool pavane_crawl_step(struct pavane_crawl *crawl)
{
	if (!begin_call(crawl, "pavane_crawl_step"))
		return false;
	bool goes_on = pv_crawl_step(crawl->crawl);
	end_call(crawl);
	return goes_on;
}

int pavane_crawl_fd(const struct pavane_crawl *crawl)
{
	return pv_crawl_fd(crawl->crawl);
}

int pavane_crawl_timeout_ms(const struct pavane_crawl *crawl)
{
	return pv_crawl_timeout_ms(crawl->crawl);
}

static void *run_spawned(void *ctx)
{
	struct pavane_crawl *crawl = ctx;
	crawl->end = pv_crawl_run(crawl->crawl);
	end_call(crawl);
	return NULL;
}

bool pavane_crawl_spawn(struct pavane_crawl *crawl)
{
	if (!begin_call(crawl, "pavane_crawl_spawn"))
		return false;
	pv_commands_hand_over(crawl->crawl);
	crawl->is_spawned =
	    pthread_create(&crawl->thread, NULL, run_spawned, crawl) == 0;
	if (!crawl->is_spawned)
		end_call(crawl);
	return crawl->is_spawned;
}

/* No thread waits for itself, nor for one that waits for it. */
enum pavane_end pavane_crawl_join(struct pavane_crawl *crawl)
{
	if (!crawl->is_spawned || pv_crawl_is_own_thread(crawl->crawl) ||
	    pthread_equal(crawl->thread, pthread_self())) {
		refuse(crawl, "pavane_crawl_join");
		return PAVANE_FAILED;
	}
	pthread_join(crawl->thread, NULL);
	crawl->is_spawned = false;
	return crawl->end;
}

bool pavane_crawl_has_changed(const struct pavane_crawl *crawl)
{
	return pv_crawl_has_changed(crawl->crawl);
}

/* It is busy until it is gone. */
static void close_crawl(struct pavane_crawl *crawl)
{
	pv_crawl_close(crawl->crawl);
	free(crawl->directory);
	free(crawl);
}

struct pavane_crawl *pavane_crawl_reopen(struct pavane_crawl *crawl,
    const struct pavane_policy *policy,
    const struct pavane_crawl_options *options)
{
	if (!begin_call(crawl, "pavane_crawl_reopen"))
		return NULL;
	struct pv_crawl_course course = pv_crawl_course_of(crawl->crawl);
	close_crawl(crawl);
	crawl = open_crawl(policy, options, &course);
	if (crawl)
		pv_crawl_go_on(crawl->crawl, &course);
	return crawl;
}

void pavane_crawl_stop(struct pavane_crawl *crawl)
{
	pv_crawl_stop(crawl->crawl);
}

void pavane_crawl_interrupt(struct pavane_crawl *crawl)
{
	pv_crawl_interrupt(crawl->crawl);
}

const struct pavane_progress *pavane_crawl_progress(struct pavane_crawl *crawl)
{
	return pv_crawl_is_own_thread(crawl->crawl)
		   ? NULL
		   : pv_crawl_progress(crawl->crawl);
}

const char *pavane_crawl_directory(const struct pavane_crawl *crawl)
{
	return crawl->directory;
}

void pavane_crawl_close(struct pavane_crawl *crawl)
{
	if (crawl && begin_call(crawl, "pavane_crawl_close"))
		close_crawl(crawl);
}

#if defined(__SANITIZE_ADDRESS__)
#define WANTS_ALL_BACK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WANTS_ALL_BACK 1
#endif
#endif
#ifndef WANTS_ALL_BACK
#define WANTS_ALL_BACK 0
#endif

/* Who looks for memory that was lost is not to find what was left. */
void pavane_crawl_leave(struct pavane_crawl *crawl)
{
	if (!begin_call(crawl, "pavane_crawl_leave"))
		return;
	if (WANTS_ALL_BACK)
		close_crawl(crawl);
	else
		pv_crawl_leave(crawl->crawl);
}
