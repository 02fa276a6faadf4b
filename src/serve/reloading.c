#include "serve/reloading.h"

#include <string.h>

#include "base/system.h"
#include "serve/jobs/job_places.h"

struct pv_config_sources pv_reloading_sources(
    const struct pavane_serve_options *options)
{
	return (struct pv_config_sources){
	    .file = options->file,
	    .config_dir = options->config_dir,
	    .credentials_dir = options->credentials_dir,
	    .settings = options->settings,
	    .setting_count = options->setting_count,
	};
}

void pv_reloading_tell(
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

bool pv_reloading_read_tokens(const struct pv_service *service,
    const struct pv_setup *setup, struct pv_tokens *tokens, struct pv_why *why)
{
	const struct pv_tokens_file *file = &setup->config->tokens_file;
	struct pv_place place = {.file = file->path};
	if (file->path &&
	    !pv_tokens_load(tokens, file->path, file->is_credential, why))
		return false;
	if (file->path && !tokens->count)
		pv_why_add(why, place, PV_STR(""),
		    "there is no token in this file, so that nobody could ask: "
		    "write a line for each, or leave out tokens_file");
	else if (!file->path && service->is_open_to_others)
		pv_why_add(why, place, PV_STR("listen"),
		    "others can reach the address on which the service "
		    "listens: name a tokens_file, or start it on 127.0.0.1");
	return !pv_why_has_problems(why);
}

/* Of a socket that was handed on nobody has said the address. */
struct pv_host_names pv_reloading_names(
    const struct pv_service *service, const struct pv_setup *setup)
{
	const struct pv_service_config *begun = service->begun_by->config;
	return (struct pv_host_names){
	    .listen = service->has_socket ? NULL : begun->listen,
	    .others = setup->config->hosts.items,
	    .other_count = setup->config->hosts.count,
	};
}

static void tell_fewer_places(
    const struct pv_service *service, int64_t running, int64_t places)
{
	struct pv_buf line;
	pv_buf_init(&line, SIZE_MAX);
	pv_buf_append_format(&line,
	    "jobs.running: at most %lld jobs run at once, not %lld: this process "
	    "may have %llu files open, and each job needs about %d: raise the "
	    "limit (ulimit -n, or LimitNOFILE of systemd)",
	    (long long)places, (long long)running,
	    (unsigned long long)pv_descriptors_limit(), PV_JOB_DESCRIPTORS);
	service->on_line(service->ctx, PAVANE_WARNING, pv_buf_text(&line));
	pv_buf_finish(&line);
}

void pv_reloading_limits(const struct pv_service *service,
    const struct pv_setup *setup, struct pv_jobs_plan *plan)
{
	const struct pv_service_config *config = setup->config;
	plan->running =
	    pv_job_places(config->jobs.running, pv_descriptors_limit());
	if (plan->running < config->jobs.running)
		tell_fewer_places(service, config->jobs.running, plan->running);
	plan->queued = config->jobs.queued;
	plan->per_token = config->jobs.per_token;
	plan->keep_ms = config->jobs.keep_ms;
	plan->disk = config->jobs.disk;
	plan->max_rate = config->rate.max_rate;
	plan->interval_ms = config->rate.interval_ms;
}

struct pv_fetches_limits pv_reloading_fetch_limits(const struct pv_setup *setup)
{
	const struct pv_service_config *config = setup->config;
	return (struct pv_fetches_limits){
	    .queued = config->jobs.queued,
	    .keep_ms = config->jobs.keep_ms,
	    .disk = config->jobs.disk,
	};
}

/* Taking over */

static void tell_if_other(const struct pavane_serve_options *options,
    const char *key, const char *value, const char *begun)
{
	struct pv_buf line;
	if (strcmp(value, begun) == 0)
		return;
	pv_buf_init(&line, SIZE_MAX);
	pv_buf_append_format(&line,
	    "%s: it stays %s until the service is started anew; the file now "
	    "says %s",
	    key, begun, value);
	options->on_line(options->ctx, PAVANE_WARNING, pv_buf_text(&line));
	pv_buf_finish(&line);
}

static void tell_what_stays(const struct pavane_serve_options *options,
    const struct pv_setup *setup, const struct pv_setup *begun)
{
	tell_if_other(options, "directory", setup->config->directory,
	    begun->config->directory);
	tell_if_other(
	    options, "listen", setup->config->listen, begun->config->listen);
}

static void give_back(void *setup)
{
	pv_setup_give(setup);
}

static void change_webhooks(struct pv_service *service, struct pv_setup *setup)
{
	const struct pv_delivery_change change = {
	    .table = &setup->config->webhooks,
	    .give_back = give_back,
	    .owner = pv_setup_take(setup),
	};
	pv_delivery_thread_change(service->deliveries, &change);
}

/* Whoever reads the setup that was there has a part in it; what was only borrowed
 * from it is replaced first. */
static void take_over(struct pv_service *service, struct pv_setup *setup,
    struct pv_tokens *tokens)
{
	const struct pv_host_names names = pv_reloading_names(service, setup);
	struct pv_jobs_plan limits = {.directory = NULL};
	pv_reloading_limits(service, setup, &limits);
	change_webhooks(service, setup);
	pthread_mutex_lock(&service->mutex);
	struct pv_setup *before = service->setup;
	service->setup = setup;
	pthread_mutex_unlock(&service->mutex);
	pv_access_change(service->access, &names, tokens);
	pv_http_server_trust(
	    service->server, setup->trusted, setup->trusted_count);
	pv_jobs_change(service->jobs, &limits);
	const struct pv_fetches_limits fetch_limits =
	    pv_reloading_fetch_limits(setup);
	pv_fetches_renew(service->fetches, &fetch_limits);
	pv_setup_give(before);
}

/* What is piped in is gone once it was read. */
static struct pv_setup *load(
    const struct pavane_serve_options *options, struct pv_why *why)
{
	const struct pv_config_sources sources = pv_reloading_sources(options);
	if (options->file && strcmp(options->file, "-") == 0) {
		pv_why_add(why, (struct pv_place){.file = "standard input"},
		    PV_STR(""), "it cannot be read again: name a file with -c");
		return NULL;
	}
	return pv_setup_load(&sources, why);
}

bool pavane_service_reload(
    struct pavane_service *service, const struct pavane_serve_options *options)
{
	struct pv_service *inside = &service->inside;
	struct pv_tokens tokens;
	struct pv_why why;
	pv_why_init(&why);
	pv_tokens_init(&tokens);
	struct pv_setup *setup = load(options, &why);
	bool is_right = !pv_why_has_problems(&why) &&
			pv_reloading_read_tokens(inside, setup, &tokens, &why);
	pv_reloading_tell(options, &why);
	if (is_right) {
		tell_what_stays(options, setup, inside->begun_by);
		take_over(inside, setup, &tokens);
	} else {
		pv_setup_give(setup);
	}
	options->on_line(options->ctx, is_right ? PAVANE_INFO : PAVANE_ERROR,
	    is_right ? "the configuration was read again"
		     : "the configuration stays as it was");
	pv_tokens_finish(&tokens);
	pv_why_finish(&why);
	return is_right;
}
