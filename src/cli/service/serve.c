#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "cli/run/command.h"
#include "cli/run/descriptors.h"
#include "cli/run/loading.h"
#include "cli/service/systemd.h"
#include "pavane/serve.h"

/* A thousand jobs, and all that is told of them. */
#define DESCRIPTORS_WANTED 65536

static void on_line(void *ctx, enum pavane_level level, const char *line)
{
	(void)ctx;
	(void)level;
	fprintf(stderr, "%s\n", line);
}

/* A service that runs, and what this thread waits for. */
struct running {
	const struct pavane_serve_options *options;
	struct pavane_service *service;
	sigset_t signals;
	pthread_t ending; /* that waits until all jobs have ended */
	atomic_bool has_ended;
};

/* In every thread: they are waited for by this one. SIGUSR1 is the ending's. */
static void block(sigset_t *set)
{
	sigemptyset(set);
	sigaddset(set, SIGINT);
	sigaddset(set, SIGTERM);
	sigaddset(set, SIGHUP);
	sigaddset(set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, set, NULL);
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
}

/* The next signal; meanwhile systemd is told that the service is alive, as long as
 * it is. */
static int wait_for_signal(struct running *running)
{
	int64_t watchdog_ms = pv_systemd_watchdog_ms();
	const struct timespec limit = {.tv_sec = watchdog_ms / 1000,
	    .tv_nsec = watchdog_ms % 1000 * 1000000};
	for (;;) {
		int signal = sigtimedwait(
		    &running->signals, NULL, watchdog_ms ? &limit : NULL);
		if (signal >= 0)
			return signal;
		if (errno == EAGAIN &&
		    pavane_service_is_alive(running->service))
			pv_systemd_notify("WATCHDOG=1");
	}
}

static void reload(struct running *running)
{
	pv_systemd_notify_reloading(pavane_service_now_ms());
	pavane_service_reload(running->service, running->options);
	pv_systemd_notify("READY=1");
}

static void run_until_asked(struct running *running)
{
	for (;;) {
		switch (wait_for_signal(running)) {
		case SIGHUP:
			reload(running);
			break;
		case SIGINT:
		case SIGTERM:
			return;
		default:
			break;
		}
	}
}

/* Wakes the thread that waits for signals. */
static void *wait_for_jobs(void *ctx)
{
	struct running *running = ctx;
	pavane_service_wait(running->service);
	atomic_store(&running->has_ended, true);
	kill(getpid(), SIGUSR1);
	return NULL;
}

/* The second signal does not let jobs end what is in flight. */
static void end(struct running *running)
{
	fprintf(stderr, "ending: jobs finish what is in flight; once more, and "
			"they do not\n");
	pv_systemd_notify("STOPPING=1");
	pavane_service_drain(running->service);
	bool has_thread =
	    pthread_create(&running->ending, NULL, wait_for_jobs, running) == 0;
	while (has_thread && !atomic_load(&running->has_ended)) {
		int signal = wait_for_signal(running);
		if (signal == SIGINT || signal == SIGTERM)
			pavane_service_drain(running->service);
	}
	if (has_thread)
		pthread_join(running->ending, NULL);
	pavane_service_close(running->service);
}

static int serve(const struct pavane_serve_options *options, bool is_quiet)
{
	struct running running = {.options = options};
	block(&running.signals);
	pv_descriptors_raise(DESCRIPTORS_WANTED);
	running.service = pavane_service_open(options);
	if (!running.service)
		return *options->is_wrong ? EXIT_WRONG : EXIT_FAILED;
	if (!is_quiet)
		fprintf(stderr, "listening on %s\n",
		    pavane_service_address(running.service));
	pv_systemd_notify("READY=1");
	run_until_asked(&running);
	end(&running);
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
	bool is_wrong = false;
	const struct pavane_serve_options serving = {
	    .file = options->config,
	    .settings = assignments,
	    .setting_count = settings->count,
	    .config_dir = config_dir,
	    .credentials_dir = pv_systemd_credentials(),
	    .socket = pv_systemd_socket(),
	    .on_line = on_line,
	    .is_wrong = &is_wrong,
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
	"service\ngoes on with them. SIGHUP has it read its configuration "
	"again.",
    .example =
	"  pavane serve --set directory=/srv/crawls\n"
	"  pavane serve -c service.yaml\n"
	"  curl -d '{\"urls\": [\"https://example.org/\"]}' \\\n"
	"    -H 'Content-Type: application/json' http://127.0.0.1:7117/v1/jobs\n",
    .options = "cesSq",
    .meanings =
	{
	    {'S', PV_IS_SERVICE_KEY,
		"set a key of the configuration, such as jobs.running=2"},
	    {'e', PV_IS_TEXT,
		"print the configuration with all defaults and the source of "
		"each value"},
	    {'s', PV_IS_TEXT, "print the JSON Schema of configurations"},
	},
    .run = run,
};
