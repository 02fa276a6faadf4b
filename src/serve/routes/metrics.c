#include "serve/figures/exposition.h"
#include "serve/figures/figures.h"
#include "serve/http/accept.h"
#include "serve/routes/answer.h"

/* Figures for Prometheus and its like. A family is a row of the table below. Labels
 * are a job, of which there are not many, and words of ours; names of hosts, of
 * which there is no end, are none. */

#define LABELS_MAX 2

/* A family that is being written. */
struct metrics {
	struct pv_exposition exposition;
	const struct row *row;
	struct pv_figures *figures;
	const struct pv_str *owner;
	struct pv_delivery_thread *deliveries; /* NULL */
	uint64_t jobs[PV_JOB_STATE_COUNT];
};

struct row {
	struct pv_family family;

	/* Writes its values, or those of one job. */
	void (*write)(struct metrics *metrics);
	void (*write_job)(
	    struct metrics *metrics, const struct pv_job_figures *job);

	size_t field;      /* of a number, in struct pv_job_figures, or
			      pv_webhook_figures; ... */
	const char *label; /* ... or of tallies, with the word's label */
};

static struct pv_labels labels_of(const struct pv_label *labels, size_t count)
{
	return (struct pv_labels){labels, count};
}

/* The service */

static void write_jobs(struct metrics *metrics)
{
	for (unsigned i = 0; i < PV_JOB_STATE_COUNT; i++) {
		const struct pv_label label = {"state",
		    pv_str_of(pv_job_state_word((enum pv_job_state)i))};
		pv_exposition_number(&metrics->exposition, labels_of(&label, 1),
		    metrics->jobs[i]);
	}
}

static void write_build(struct metrics *metrics)
{
	const struct pv_label label = {"version", pv_str_of(pavane_version())};
	pv_exposition_number(&metrics->exposition, labels_of(&label, 1), 1);
}

/* Webhooks */

static void write_webhook(void *ctx, const struct pv_webhook_figures *figures)
{
	struct metrics *metrics = ctx;
	const struct pv_label label = {"webhook", pv_str_of(figures->name)};
	const uint64_t *number =
	    (const uint64_t *)(const void *)((const char *)figures +
					     metrics->row->field);
	pv_exposition_number(
	    &metrics->exposition, labels_of(&label, 1), *number);
}

static void write_webhooks(struct metrics *metrics)
{
	if (metrics->deliveries)
		pv_webhooks_each_figures(
		    pv_delivery_thread_webhooks(metrics->deliveries),
		    write_webhook, metrics);
}

/* One job */

static const void *field_of(
    const struct metrics *metrics, const struct pv_job_figures *job)
{
	return (const char *)job + metrics->row->field;
}

static void write_number(
    struct metrics *metrics, const struct pv_job_figures *job)
{
	const struct pv_label label = {"job", job->job};
	const uint64_t *number = field_of(metrics, job);
	pv_exposition_number(
	    &metrics->exposition, labels_of(&label, 1), *number);
}

static void write_spread(
    struct metrics *metrics, const struct pv_job_figures *job)
{
	const struct pv_label label = {"job", job->job};
	pv_exposition_spread(
	    &metrics->exposition, labels_of(&label, 1), field_of(metrics, job));
}

static void write_of_job(struct metrics *metrics,
    const struct pv_job_figures *job, const char *word, uint64_t value)
{
	const struct pv_label labels[LABELS_MAX] = {
	    {"job", job->job}, {metrics->row->label, pv_str_of(word)}};
	pv_exposition_number(
	    &metrics->exposition, labels_of(labels, LABELS_MAX), value);
}

static void write_classes(
    struct metrics *metrics, const struct pv_job_figures *job)
{
	static const char *const words[PV_FIGURES_CLASSES] = {
	    "other", "1xx", "2xx", "3xx", "4xx", "5xx"};
	for (size_t i = 0; i < PV_FIGURES_CLASSES; i++)
		write_of_job(metrics, job, words[i], job->counted.classes[i]);
}

static void write_addresses(
    struct metrics *metrics, const struct pv_job_figures *job)
{
	write_of_job(metrics, job, "pending", job->now.pending);
	write_of_job(metrics, job, "done", job->now.done);
	write_of_job(metrics, job, "left_out", job->now.refused);
}

static void write_tallies(
    struct metrics *metrics, const struct pv_job_figures *job)
{
	const struct pavane_tallies *tallies = field_of(metrics, job);
	for (size_t i = 0; i < tallies->count; i++)
		write_of_job(metrics, job, tallies->items[i].word,
		    tallies->items[i].count);
}

#define FIELD(field) offsetof(struct pv_job_figures, field)
#define OF_WEBHOOK(member) offsetof(struct pv_webhook_figures, member)
#define COUNTER(name, unit, help)            \
	{                                    \
		name, PV_COUNTER, unit, help \
	}
#define GAUGE(name, help)                  \
	{                                  \
		name, PV_GAUGE, NULL, help \
	}
#define SECONDS(name, help)                         \
	{                                           \
		name, PV_HISTOGRAM, "seconds", help \
	}

/* clang-format off */
static const struct row rows[] = {
{{"build", PV_INFO, NULL, "The version of the program."},
 .write = write_build},
{GAUGE("jobs", "Jobs in each state."),
 .write = write_jobs},
{COUNTER("requests", NULL, "Requests, robots.txt and retries included."),
 .write_job = write_number, FIELD(counted.requests)},
{COUNTER("pages", NULL, "Pages fetched."),
 .write_job = write_number, FIELD(counted.pages)},
{COUNTER("received_bytes", "bytes",
     "Bytes of bodies received, as transferred."),
 .write_job = write_number, FIELD(counted.bytes)},
{COUNTER("answers", NULL, "Answers, by the class of their status."),
 .write_job = write_classes, .label = "class"},
{SECONDS("lateness_seconds",
     "From when a request might start until it was released."),
 .write_job = write_spread, FIELD(counted.lateness)},
{SECONDS("commit_seconds",
     "From when an answer was understood until it was saved."),
 .write_job = write_spread, FIELD(counted.commit)},
{GAUGE("addresses", "Known addresses of jobs that run."),
 .write_job = write_addresses, .label = "state"},
{GAUGE("failed_addresses", "Addresses of these that could not be fetched."),
 .write_job = write_number, FIELD(now.failed)},
{GAUGE("left_out", "Addresses of these that were left out, by the reason."),
 .write_job = write_tallies, FIELD(now.refusals), "reason"},
{GAUGE("requests_in_flight", "Requests in flight."),
 .write_job = write_number, FIELD(now.in_flight)},
{GAUGE("open_visits", "Requests that were released and are not saved."),
 .write_job = write_number, FIELD(now.open)},
{GAUGE("hosts", "Hosts that are held and have something left."),
 .write_job = write_number, FIELD(now.hosts)},
{GAUGE("hosts_waiting", "Hosts of these that wait."),
 .write_job = write_number, FIELD(now.hosts_waiting)},
{GAUGE("waiting", "Hosts that wait, by what for."),
 .write_job = write_tallies, FIELD(now.waiting), "reason"},
{GAUGE("webhook_backlog", "Parts of jobs with something to be delivered."),
 .write = write_webhooks, .field = OF_WEBHOOK(waiting)},
{COUNTER("webhook_deliveries", NULL, "Deliveries that arrived."),
 .write = write_webhooks, .field = OF_WEBHOOK(delivered)},
{COUNTER("webhook_failures", NULL, "Tries of deliveries that failed."),
 .write = write_webhooks, .field = OF_WEBHOOK(failed)},
{COUNTER("webhook_abandoned", NULL,
     "Parts of jobs of which nothing more is delivered."),
 .write = write_webhooks, .field = OF_WEBHOOK(ended)},
};
/* clang-format on */

static bool give_job(void *ctx, const struct pv_job_figures *job)
{
	struct metrics *metrics = ctx;
	metrics->row->write_job(metrics, job);
	return true;
}

static void write_row(struct metrics *metrics, const struct row *row)
{
	metrics->row = row;
	pv_exposition_begin(&metrics->exposition, &row->family);
	if (row->write)
		row->write(metrics);
	else
		pv_figures_each(
		    metrics->figures, metrics->owner, give_job, metrics);
}

static enum pv_exposition_form form_for(const struct pv_exchange *exchange)
{
	static const struct pv_offer offers[] = {
	    [PV_PROMETHEUS_TEXT] = {"text/plain", "0.0.4"},
	    [PV_OPENMETRICS] = {"application/openmetrics-text", "1.0.0"},
	};
	return (enum pv_exposition_form)pv_accept_choose(
	    pv_exchange_header(exchange, "Accept"), offers,
	    sizeof(offers) / sizeof(*offers));
}

void pv_route_metrics(struct pv_request *request, struct pv_reply *reply)
{
	struct pv_jobs *jobs = request->service->jobs;
	struct metrics metrics = {
	    .exposition = {.form = form_for(request->exchange),
		.out = &reply->body},
	    .figures = pv_jobs_figures(jobs),
	    .owner = request->owner,
	    .deliveries = request->service->deliveries,
	};
	if (!pv_route_is_done(
		request, pv_jobs_count(jobs, metrics.jobs), reply))
		return;
	reply->type = pv_exposition_type(metrics.exposition.form);
	pv_reply_header(reply, "Vary", "Accept");
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		write_row(&metrics, &rows[i]);
	pv_exposition_end(&metrics.exposition);
}
