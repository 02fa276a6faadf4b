#include "serve/figures/exposition.h"

#include "crawl/progress/spread.h"
#include "tap.h"

static const struct pv_family requests = {
    "requests", PV_COUNTER, NULL, "Requests."};
static const struct pv_family bytes = {
    "received_bytes", PV_COUNTER, "bytes", "Bytes."};
static const struct pv_family hosts = {"hosts", PV_GAUGE, NULL, "Hosts."};
static const struct pv_family build = {"build", PV_INFO, NULL, "The version."};
static const struct pv_family lateness = {
    "lateness_seconds", PV_HISTOGRAM, "seconds", "Lateness."};

static const struct pv_label job = {"job", {"a1", 2}};
static const struct pv_labels of_job = {&job, 1};

static void write_all(enum pv_exposition_form form, struct pv_buf *out)
{
	static const struct pv_label odd[] = {
	    {"job", {"a\\b\"c\nd", 7}}, {"class", {"2xx", 3}}};
	struct pv_exposition exposition = {.form = form, .out = out};
	pv_exposition_begin(&exposition, &requests);
	pv_exposition_number(&exposition, of_job, 7);
	pv_exposition_number(
	    &exposition, (struct pv_labels){odd, 2}, UINT64_MAX);
	pv_exposition_begin(&exposition, &bytes);
	pv_exposition_number(&exposition, (struct pv_labels){NULL, 0}, 0);
	pv_exposition_begin(&exposition, &hosts);
	pv_exposition_number(&exposition, of_job, 3);
	pv_exposition_begin(&exposition, &build);
	pv_exposition_number(&exposition, of_job, 1);
	pv_exposition_end(&exposition);
}

static void test_forms(void)
{
	struct pv_buf out;
	pv_buf_init(&out, 1 << 16);
	write_all(PV_PROMETHEUS_TEXT, &out);
	is_text(pv_buf_str(&out),
	    "# HELP pavane_requests_total Requests.\n"
	    "# TYPE pavane_requests_total counter\n"
	    "pavane_requests_total{job=\"a1\"} 7\n"
	    "pavane_requests_total{job=\"a\\\\b\\\"c\\nd\",class=\"2xx\"} "
	    "18446744073709551615\n"
	    "# HELP pavane_received_bytes_total Bytes.\n"
	    "# TYPE pavane_received_bytes_total counter\n"
	    "pavane_received_bytes_total 0\n"
	    "# HELP pavane_hosts Hosts.\n"
	    "# TYPE pavane_hosts gauge\n"
	    "pavane_hosts{job=\"a1\"} 3\n"
	    "# HELP pavane_build_info The version.\n"
	    "# TYPE pavane_build_info gauge\n"
	    "pavane_build_info{job=\"a1\"} 1\n",
	    "figures are written as Prometheus reads them");
	pv_buf_clear(&out);
	write_all(PV_OPENMETRICS, &out);
	is_text(pv_buf_str(&out),
	    "# HELP pavane_requests Requests.\n"
	    "# TYPE pavane_requests counter\n"
	    "pavane_requests_total{job=\"a1\"} 7\n"
	    "pavane_requests_total{job=\"a\\\\b\\\"c\\nd\",class=\"2xx\"} "
	    "18446744073709551615\n"
	    "# HELP pavane_received_bytes Bytes.\n"
	    "# TYPE pavane_received_bytes counter\n"
	    "# UNIT pavane_received_bytes bytes\n"
	    "pavane_received_bytes_total 0\n"
	    "# HELP pavane_hosts Hosts.\n"
	    "# TYPE pavane_hosts gauge\n"
	    "pavane_hosts{job=\"a1\"} 3\n"
	    "# HELP pavane_build The version.\n"
	    "# TYPE pavane_build info\n"
	    "pavane_build_info{job=\"a1\"} 1\n"
	    "# EOF\n",
	    "and as OpenMetrics has them");
	pv_buf_finish(&out);
}

static void test_spread(void)
{
	static const int64_t times_us[] = {
	    -1, 0, 1000, 1001, 2400000, 59000000, 61000000};
	struct pavane_spread spread;
	struct pv_buf out;
	struct pv_exposition exposition = {.form = PV_OPENMETRICS, .out = &out};
	pv_buf_init(&out, 1 << 16);
	pv_spread_init(&spread);
	for (size_t i = 0; i < sizeof(times_us) / sizeof(*times_us); i++)
		pv_spread_add(&spread, times_us[i]);
	pv_exposition_begin(&exposition, &lateness);
	pv_exposition_spread(&exposition, of_job, &spread);
#define BUCKET "pavane_lateness_seconds_bucket{job=\"a1\",le=\""
	is_text(pv_buf_str(&out),
	    "# HELP pavane_lateness_seconds Lateness.\n"
	    "# TYPE pavane_lateness_seconds histogram\n"
	    "# UNIT pavane_lateness_seconds seconds\n" BUCKET
	    "0.001\"} 2\n" BUCKET "0.005\"} 3\n" BUCKET "0.01\"} 3\n" BUCKET
	    "0.025\"} 3\n" BUCKET "0.05\"} 3\n" BUCKET "0.1\"} 3\n" BUCKET
	    "0.25\"} 3\n" BUCKET "0.5\"} 3\n" BUCKET "1.0\"} 3\n" BUCKET
	    "2.5\"} 4\n" BUCKET "5.0\"} 4\n" BUCKET "10.0\"} 4\n" BUCKET
	    "30.0\"} 4\n" BUCKET "60.0\"} 5\n" BUCKET "+Inf\"} 6\n"
	    "pavane_lateness_seconds_sum{job=\"a1\"} 122.402001\n"
	    "pavane_lateness_seconds_count{job=\"a1\"} 6\n",
	    "a histogram has each step with those before it");
	pv_buf_clear(&out);
	pv_exposition_spread(&exposition, of_job, &(struct pavane_spread){0});
	ok(!out.len, "one that was never begun has none");
	pv_buf_finish(&out);
}

static void test_types(void)
{
	is_text(pv_str_of(pv_exposition_type(PV_PROMETHEUS_TEXT)),
	    "text/plain; version=0.0.4; charset=utf-8", "one form has a type");
	is_text(pv_str_of(pv_exposition_type(PV_OPENMETRICS)),
	    "application/openmetrics-text; version=1.0.0; charset=utf-8",
	    "and the other");
}

int main(void)
{
	test_forms();
	test_spread();
	test_types();
	return tap_done();
}
