#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/run/command.h"
#include "cli/run/loading.h"
#include "cli/service/systemd.h"
#include "pavane/serve.h"

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	fprintf(stderr, "%s\n", line);
}

/* In every thread: they are waited for by this one. */
static void block(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	pthread_sigmask(SIG_BLOCK, set, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

struct ending {
	struct pavane_service *service;
	sigset_t signals;
};

/* The second signal does not let jobs end what is in flight. */
static void *hurry(void *ctx)
{
	struct ending *ending = ctx;
	int signal;
	do
		sigwait(&ending->signals, &signal);
	while (signal == SIGHUP);
	/* While jobs are asked to end, locks are held. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
	pavane_service_drain(ending->service);
	return NULL;
}

static void end(struct ending *ending)
{
	pthread_t thread;
	fprintf(stderr, "ending: jobs finish what is in flight; once more, and "
			"they do not\n");
	pv_systemd_notify("STOPPING=1");
	pavane_service_drain(ending->service);
	bool has_thread = pthread_create(&thread, NULL, hurry, ending) == 0;
	pavane_service_wait(ending->service);
	if (has_thread) {
		pthread_cancel(thread);
		pthread_join(thread, NULL);
	}
	pavane_service_close(ending->service);
}

static int serve(const struct pavane_serve_options *options, bool is_quiet)
{
	struct ending ending;
	int signal;
	block(&ending.signals);
	ending.service = pavane_service_open(options);
	if (!ending.service)
		return EXIT_FAILED;
	if (!is_quiet)
		fprintf(stderr, "listening on %s\n",
		    pavane_service_address(ending.service));
	pv_systemd_notify("READY=1");
	do
		sigwait(&ending.signals, &signal);
	while (signal == SIGHUP);
	end(&ending);
	return EXIT_FINISHED;
}

static int run_with(const struct pv_options *options,
    const struct pavane_serve_options *serving)
{
	if (options->is_schema) {
		pavane_service_write_schema(pv_write_out, stdout);
		return EXIT_FINISHED;
	}
	if (options->is_effective)
		return pavane_service_write_effective(
			   serving, pv_write_out, stdout)
			   ? EXIT_FINISHED
			   : EXIT_WRONG;
	return serve(serving, options->is_quiet);
}

static int run(const struct pv_options *options)
{
	const struct pv_settings *settings = &options->settings;
	if (!pavane_service_is_there()) {
		fprintf(stderr, "pavane: this program was built without the "
				"service (libmicrohttpd was missing)\n");
		return EXIT_FAILED;
	}
	if (options->argument_count > 1) {
		fprintf(stderr,
		    "pavane: serve takes no arguments; the configuration is "
		    "named by -c %s\n",
		    options->arguments[1]);
		return EXIT_WRONG;
	}
	const char **assignments =
	    calloc(settings->count + 1, sizeof(*assignments));
	if (!assignments)
		return EXIT_FAILED;
	for (size_t i = 0; i < settings->count; i++)
		assignments[i] = settings->items[i].assignment;
	char *config_dir = pavane_config_dir();
	const struct pavane_serve_options serving = {
	    .file = options->config,
	    .settings = assignments,
	    .setting_count = settings->count,
	    .config_dir = config_dir,
	    .socket = pv_systemd_socket(),
	    .on_line = on_line,
	};
	int status = run_with(options, &serving);
	free(config_dir);
	free(assignments);
	return status;
}

const struct pv_command pv_command_serve = {
    .name = "serve",
    .sentence = "run crawls for other programs, which ask by HTTP",
    .help =
	"Takes jobs by HTTP, each a crawl by a policy, and runs them a few at "
	"a time. A\njob that was accepted is on the disk: after any end of the "
	"service, the next one\ngoes on with it. What jobs find is given as it "
	"is saved; webhooks tell other\nprograms of it.\n\n"
	"GET /openapi.json describes all requests. Without tokens, only this "
	"machine is\nlistened to. What a job may ask for is no laxer than its "
	"profile, and reaches no\nprivate network that the configuration does "
	"not name.\n\n"
	"Ctrl+C or SIGTERM ends it: jobs finish what is in flight, and the next "
	"service\ngoes on with them.",
    .example =
	"  pavane serve --set directory=/srv/crawls\n"
	"  pavane serve -c service.yaml\n"
	"  curl -d '{\"urls\": [\"https://example.org/\"]}' \\\n"
	"    -H 'Content-Type: application/json' http://127.0.0.1:7117/v1/jobs\n",
    .options = "cesSq",
    .meanings = {{'S', PV_IS_TEXT,
	"set a key of the configuration, such as "
	"jobs.running=2"}},
    .run = run,
};
