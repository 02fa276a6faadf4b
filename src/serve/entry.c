#include "pavane/serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/array.h"
#include "base/file.h"
#include "base/system.h"
#include "serve/access/sessions.h"
#include "serve/jobs/jobs_state.h"
#include "serve/routes/route.h"
#include "serve/service.h"

struct pavane_service {
	struct pv_service inside;
	struct pv_http_plan http;
	struct pv_network *trusted; /* owned */
	size_t trusted_count;
};

bool pavane_service_is_there(void)
{
	return true;
}

/* What the parts ask for */

static int64_t wall_ms(void *ctx)
{
	(void)ctx;
	return pv_time_now().wall_ms;
}

static int64_t monotonic_ms(void *ctx)
{
	(void)ctx;
	return pv_time_now().monotonic_ms;
}

/* There is no going on without chance: ids and sessions could be guessed. */
static void give_chance(void *ctx, void *bytes, size_t size)
{
	(void)ctx;
	if (getrandom(bytes, size, 0) != (ssize_t)size)
		abort();
}

static void answer(
    void *ctx, struct pv_exchange *exchange, struct pv_reply *reply)
{
	pv_routes_answer(ctx, exchange, reply);
}

static struct pavane_policy *load_policy(
    void *ctx, const struct pv_job_record *job)
{
	return pv_service_load_policy(ctx, job);
}

static void on_state(void *ctx)
{
	struct pv_service *service = ctx;
	pv_delivery_thread_ring(service->deliveries);
}

static void on_delivery_line(
    void *ctx, enum pavane_level level, struct pv_str about, const char *line)
{
	struct pv_service *service = ctx;
	pv_jobs_log(service->jobs, level, about, line);
}

/* Opening */

static char *copy_text(const char *text)
{
	if (!text)
		return NULL;
	size_t size = strlen(text) + 1;
	char *copy = pv_alloc(size);
	memcpy(copy, text, size);
	return copy;
}

static struct pv_service_config *load_config(
    const struct pavane_serve_options *options, struct pv_why *why)
{
	const struct pv_config_sources sources = {
	    .file = options->file,
	    .config_dir = options->config_dir,
	    .settings = options->settings,
	    .setting_count = options->setting_count,
	};
	return pv_service_config_load(&sources, why);
}

static bool take_directory(struct pv_service *service, struct pv_why *why)
{
	const char *directory = service->config->directory;
	if (!pv_file_make_directory(directory, 0700)) {
		pv_why_add(why, (struct pv_place){.file = directory},
		    PV_STR(""), "cannot be made: %s", strerror(errno));
		return false;
	}
	service->is_locked = pv_lock_take(&service->lock, directory, why);
	return service->is_locked;
}

static void add_lent(struct pv_service *service)
{
	const struct pv_texts *texts = &service->config->private_hosts;
	pv_private_list_init(&service->lent);
	for (size_t i = 0; i < texts->count; i++)
		pv_private_list_add(&service->lent, pv_str_of(texts->items[i]));
}

static bool open_access(struct pv_service *service, struct pv_why *why)
{
	const struct pv_service_config *config = service->config;
	struct pv_tokens tokens;
	pv_tokens_init(&tokens);
	if (config->tokens_file &&
	    !pv_tokens_load(&tokens, config->tokens_file, why)) {
		pv_tokens_finish(&tokens);
		return false;
	}
	const struct pv_access_plan plan = {
	    .names = {.listen = config->listen,
		.others = config->hosts.items,
		.other_count = config->hosts.count},
	    .session_ms = PV_SESSION_MS,
	};
	service->access = pv_access_create(&plan, &tokens);
	return true;
}

static bool open_jobs(struct pv_service *service, struct pv_why *why)
{
	const struct pv_service_config *config = service->config;
	const struct pv_jobs_plan plan = {
	    .directory = config->directory,
	    .running = config->jobs.running,
	    .queued = config->jobs.queued,
	    .per_token = config->jobs.per_token,
	    .keep_ms = config->jobs.keep_ms,
	    .now_ms = wall_ms,
	    .random = give_chance,
	    .load = load_policy,
	    .on_state = on_state,
	    .on_line = service->on_line,
	    .line_ctx = service->ctx,
	    .ctx = service,
	};
	service->jobs = pv_jobs_open(&plan, why);
	return service->jobs;
}

static struct pavane_policy *load_standing(
    void *ctx, struct pv_str profile, struct pv_str first_url)
{
	return pv_service_load_standing(ctx, profile, first_url);
}

static bool open_fetches(struct pv_service *service, struct pv_why *why)
{
	const struct pv_service_config *config = service->config;
	const struct pv_fetches_plan plan = {
	    .directory = config->directory,
	    .queued = config->jobs.queued,
	    .keep_ms = config->jobs.keep_ms,
	    .runtime = pv_jobs_runtime(service->jobs),
	    .now_ms = wall_ms,
	    .random = give_chance,
	    .load = load_standing,
	    .on_line = service->on_line,
	    .line_ctx = service->ctx,
	    .ctx = service,
	};
	service->fetches = pv_fetches_open(&plan, why);
	return service->fetches;
}

/* Without webhooks there is no thread for them. */
static bool open_deliveries(struct pv_service *service, struct pv_why *why)
{
	struct pv_service_config *config = service->config;
	struct pv_delivery_plan plan = {
	    .webhooks =
		{
		    .directory = config->directory,
		    .table = &config->webhooks,
		    .now_ms = wall_ms,
		    .random = give_chance,
		    .log = on_delivery_line,
		    .ctx = service,
		},
	    .policy = config->profiles[0].policy, /* the built-in one */
	};
	if (!config->webhooks.count)
		return true;
	give_chance(service, &plan.webhooks.key, sizeof(plan.webhooks.key));
	service->deliveries = pv_delivery_thread_start(&plan, why);
	return service->deliveries;
}

static void read_trusted(struct pavane_service *service)
{
	const struct pv_texts *texts = &service->inside.config->trusted_proxies;
	size_t size = 0;
	for (size_t i = 0; i < texts->count; i++) {
		struct pv_network network;
		bool is_exact;
		if (pv_network_read(
			pv_str_of(texts->items[i]), &network, &is_exact))
			*PV_ARRAY_PUSH(service->trusted, service->trusted_count,
			    size) = network;
	}
}

static void note_address(
    struct pv_service *service, const struct pavane_serve_options *options)
{
	const char *listen = service->config->listen;
	const char *colon = strrchr(listen, ':');
	uint16_t port = pv_http_server_port(service->server);
	pv_buf_init(&service->address, SIZE_MAX);
	if (options->socket >= 0)
		pv_buf_append_format(&service->address,
		    "the socket that was handed on (port %u)", (unsigned)port);
	else if (port)
		pv_buf_append_format(&service->address, "http://%.*s:%u",
		    (int)(colon - listen), listen, (unsigned)port);
	else
		pv_buf_append_text(&service->address, service->config->listen);
}

static bool start_server(struct pavane_service *service,
    const struct pavane_serve_options *options, struct pv_why *why)
{
	struct pv_http_plan *plan = &service->http;
	read_trusted(service);
	pv_http_plan_init(plan);
	plan->listen =
	    options->socket < 0 ? service->inside.config->listen : NULL;
	plan->socket = options->socket;
	plan->connections.trusted = service->trusted;
	plan->connections.trusted_count = service->trusted_count;
	plan->connections.now = monotonic_ms;
	plan->answer = answer;
	plan->ctx = &service->inside;
	service->inside.server = pv_http_server_start(plan, why);
	return service->inside.server;
}

static bool begin(struct pavane_service *service,
    const struct pavane_serve_options *options, struct pv_why *why)
{
	struct pv_service *inside = &service->inside;
	if (!take_directory(inside, why) || !open_access(inside, why) ||
	    !open_jobs(inside, why) || !open_fetches(inside, why) ||
	    !open_deliveries(inside, why) ||
	    !start_server(service, options, why))
		return false;
	note_address(inside, options);
	return pv_jobs_start(inside->jobs, why) &&
	       pv_fetches_start(inside->fetches, why);
}

static void tell(
    const struct pavane_serve_options *options, const struct pv_why *why)
{
	struct pv_buf line;
	for (size_t i = 0; i < why->problems.kept_count; i++) {
		pv_buf_init(&line, SIZE_MAX);
		pv_problem_write(&why->problems.kept[i], &line);
		options->on_line(
		    options->ctx, PAVANE_ERROR, pv_buf_text(&line));
		pv_buf_finish(&line);
	}
}

struct pavane_service *pavane_service_open(
    const struct pavane_serve_options *options)
{
	struct pavane_service *service = pv_alloc(sizeof(*service));
	struct pv_service *inside = &service->inside;
	struct pv_why why;
	pv_why_init(&why);
	inside->config = load_config(options, &why);
	inside->config_dir = copy_text(options->config_dir);
	inside->on_line = options->on_line;
	inside->ctx = options->ctx;
	add_lent(inside);
	bool is_open =
	    !pv_why_has_problems(&why) && begin(service, options, &why);
	tell(options, &why);
	pv_why_finish(&why);
	if (is_open)
		return service;
	pavane_service_close(service);
	return NULL;
}

const char *pavane_service_address(const struct pavane_service *service)
{
	return pv_buf_text(&service->inside.address);
}

/* Ending */

void pavane_service_drain(struct pavane_service *service)
{
	atomic_store(&service->inside.is_draining, true);
	pv_jobs_drain(service->inside.jobs);
	pv_fetches_drain(service->inside.fetches);
}

void pavane_service_wait(struct pavane_service *service)
{
	pv_jobs_end(service->inside.jobs);
	pv_fetches_end(service->inside.fetches);
}

/* Requests are answered until the last job has ended. */
void pavane_service_close(struct pavane_service *service)
{
	if (!service)
		return;
	struct pv_service *inside = &service->inside;
	atomic_store(&inside->is_draining, true);
	pv_jobs_end(inside->jobs);
	pv_fetches_end(inside->fetches);
	pv_http_server_stop(inside->server);
	pv_fetches_close(inside->fetches);
	pv_delivery_thread_stop(inside->deliveries);
	pv_jobs_close(inside->jobs);
	pv_access_destroy(inside->access);
	if (inside->is_locked)
		pv_lock_give(&inside->lock);
	pv_private_list_finish(&inside->lent);
	pv_service_config_destroy(inside->config);
	pv_buf_finish(&inside->address);
	free(inside->config_dir);
	free(service->trusted);
	free(service);
}

/* Looking at configurations */

static void give(const struct pv_buf *buf, pavane_write_fn write, void *ctx)
{
	write(ctx, pv_buf_text(buf), buf->len);
}

bool pavane_service_write_effective(const struct pavane_serve_options *options,
    pavane_write_fn write, void *ctx)
{
	struct pv_why why;
	struct pv_buf buf;
	pv_why_init(&why);
	pv_buf_init(&buf, SIZE_MAX);
	struct pv_service_config *config = load_config(options, &why);
	bool is_right = !pv_why_has_problems(&why);
	if (is_right) {
		pv_service_config_write_effective(config, &buf);
		give(&buf, write, ctx);
	}
	tell(options, &why);
	pv_service_config_destroy(config);
	pv_buf_finish(&buf);
	pv_why_finish(&why);
	return is_right;
}

void pavane_service_write_schema(pavane_write_fn write, void *ctx)
{
	struct pv_json *schema = pv_service_config_schema();
	struct pv_buf buf;
	pv_buf_init(&buf, SIZE_MAX);
	pv_json_write(schema, true, &buf);
	pv_buf_append_char(&buf, '\n');
	give(&buf, write, ctx);
	pv_buf_finish(&buf);
	pv_json_destroy(schema);
}
