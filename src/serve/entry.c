#include "pavane/serve.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "api/sized.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/system.h"
#include "serve/access/sessions.h"
#include "serve/jobs/jobs_state.h"
#include "policy/option.h"
#include "serve/config/listen_form.h"
#include "serve/config/option_table.h"
#include "serve/http/listening.h"
#include "serve/reloading.h"
#include "serve/routes/route.h"

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

static bool take_directory(struct pv_service *service, struct pv_why *why)
{
	const char *directory = service->setup->config->directory;
	if (!pv_file_make_directory(directory, 0700)) {
		pv_why_add(why, (struct pv_place){.file = directory},
		    PV_STR(""), "cannot be made: %s", strerror(errno));
		return false;
	}
	service->is_locked = pv_lock_take(&service->lock, directory, why);
	return service->is_locked;
}

static bool open_access(struct pv_service *service, struct pv_why *why)
{
	struct pv_tokens tokens;
	pv_tokens_init(&tokens);
	if (!pv_reloading_read_tokens(service, service->setup, &tokens, why)) {
		pv_tokens_finish(&tokens);
		return false;
	}
	const struct pv_access_plan plan = {
	    .names = pv_reloading_names(service, service->setup),
	    .session_ms = PV_SESSION_MS,
	};
	service->access = pv_access_create(&plan, &tokens);
	return true;
}

static bool open_jobs(struct pv_service *service, struct pv_why *why)
{
	struct pv_jobs_plan plan = {
	    .directory = service->setup->config->directory,
	    .now_ms = wall_ms,
	    .ticks_ms = monotonic_ms,
	    .random = give_chance,
	    .load = load_policy,
	    .on_state = on_state,
	    .on_line = service->on_line,
	    .line_ctx = service->ctx,
	    .ctx = service,
	};
	pv_reloading_limits(service, service->setup, &plan);
	service->jobs = pv_jobs_open(&plan, why);
	return service->jobs;
}

static struct pavane_policy *load_standing(
    void *ctx, struct pv_str profile, struct pv_str url)
{
	return pv_service_load_standing(ctx, profile, url);
}

static bool open_fetches(struct pv_service *service, struct pv_why *why)
{
	const struct pv_service_config *config = service->begun_by->config;
	const struct pv_fetches_plan plan = {
	    .directory = config->directory,
	    .limits = pv_reloading_fetch_limits(service->begun_by),
	    .runtime = pv_jobs_runtime(service->jobs),
	    .figures = pv_jobs_figures(service->jobs),
	    .now_ms = wall_ms,
	    .ticks_ms = monotonic_ms,
	    .random = give_chance,
	    .load = load_standing,
	    .on_end = on_state,
	    .on_line = service->on_line,
	    .line_ctx = service->ctx,
	    .ctx = service,
	};
	service->fetches = pv_fetches_open(&plan, why);
	return service->fetches;
}

/* There may be none yet: the configuration may be read again. */
static bool open_deliveries(struct pv_service *service, struct pv_why *why)
{
	struct pv_service_config *config = service->begun_by->config;
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
	give_chance(service, &plan.webhooks.key, sizeof(plan.webhooks.key));
	service->deliveries = pv_delivery_thread_start(&plan, why);
	return service->deliveries;
}

static void note_address(
    struct pv_service *service, const struct pavane_serve_options *options)
{
	const char *listen = service->setup->config->listen;
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
		pv_buf_append_text(&service->address, listen);
}

static bool start_server(struct pv_service *service,
    const struct pavane_serve_options *options, struct pv_why *why)
{
	const struct pv_setup *setup = service->setup;
	struct pv_http_plan plan;
	pv_http_plan_init(&plan);
	plan.listen = options->socket < 0 ? setup->config->listen : NULL;
	plan.socket = options->socket;
	plan.connections.trusted = setup->trusted;
	plan.connections.trusted_count = setup->trusted_count;
	plan.connections.now = monotonic_ms;
	plan.answer = answer;
	plan.ctx = service;
	service->server = pv_http_server_start(&plan, why);
	return service->server;
}

static bool begin(struct pv_service *service,
    const struct pavane_serve_options *options, struct pv_why *why)
{
	if (!open_jobs(service, why) || !open_fetches(service, why) ||
	    !open_deliveries(service, why) ||
	    !start_server(service, options, why))
		return false;
	note_address(service, options);
	return pv_jobs_start(service->jobs, why) &&
	       pv_fetches_start(service->fetches, why);
}

static bool is_open_to_others(const struct pavane_serve_options *options,
    const struct pv_service_config *config)
{
	struct pv_listen_form form;
	if (options->socket >= 0)
		return pv_socket_is_open_to_others(options->socket);
	return pv_listen_form_read(pv_str_of(config->listen), &form) &&
	       pv_listen_form_is_open(&form);
}

static void init(struct pv_service *service,
    const struct pavane_serve_options *options, struct pv_why *why)
{
	const struct pv_config_sources sources = pv_reloading_sources(options);
	pthread_mutex_init(&service->mutex, NULL);
	service->setup = pv_setup_load(&sources, why);
	service->begun_by = pv_setup_take(service->setup);
	service->has_socket = options->socket >= 0;
	service->config_dir = copy_text(options->config_dir);
	service->on_line = options->on_line;
	service->ctx = options->ctx;
	if (!pv_why_has_problems(why))
		service->is_open_to_others =
		    is_open_to_others(options, service->setup->config);
}

struct pavane_service *pavane_service_open(
    const struct pavane_serve_options *options)
{
	struct pavane_service *service = pv_alloc(sizeof(*service));
	struct pv_why why;
	pv_why_init(&why);
	init(&service->inside, options, &why);
	bool is_right = !pv_why_has_problems(&why);
	bool is_open = is_right && take_directory(&service->inside, &why);
	if (is_open)
		is_right = is_open = open_access(&service->inside, &why);
	is_open = is_open && begin(&service->inside, options, &why);
	if (options->is_wrong)
		*options->is_wrong = !is_right;
	pv_reloading_tell(options, &why);
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

int64_t pavane_service_now_ms(void)
{
	return pv_time_now().monotonic_ms;
}

bool pavane_service_is_alive(struct pavane_service *service)
{
	int64_t now_ms = pavane_service_now_ms();
	bool are_alive = pv_jobs_are_alive(service->inside.jobs, now_ms);
	return pv_fetches_are_alive(service->inside.fetches, now_ms) &&
	       are_alive;
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
	pv_setup_give(inside->setup);
	pv_setup_give(inside->begun_by);
	pthread_mutex_destroy(&inside->mutex);
	pv_buf_finish(&inside->address);
	free(inside->config_dir);
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
	const struct pv_config_sources sources = pv_reloading_sources(options);
	struct pv_service_config *config =
	    pv_service_config_load(&sources, &why);
	bool is_right = !pv_why_has_problems(&why);
	if (is_right) {
		pv_service_config_write_effective(config, &buf);
		give(&buf, write, ctx);
	}
	pv_reloading_tell(options, &why);
	pv_service_config_destroy(config);
	pv_buf_finish(&buf);
	pv_why_finish(&why);
	return is_right;
}

bool pavane_service_key_get(size_t index, struct pavane_key *key)
{
	const struct pv_names *names = &pv_names_of_service;
	if (index >= names->count)
		return false;
	const struct pv_option *option = &names->options[index];
	struct pavane_key own = {
	    .name = option->path, .sentence = option->sentence};
	pv_option_words(option, own.words);
	return pv_sized_write(key, &own, sizeof(own));
}

void pavane_service_write_reference(pavane_write_fn write, void *ctx)
{
	struct pv_buf buf;
	pv_buf_init(&buf, SIZE_MAX);
	pv_service_config_write_reference(&buf);
	give(&buf, write, ctx);
	pv_buf_finish(&buf);
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
