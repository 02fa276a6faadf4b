#include "policy/overview/summary.h"

#include "policy/identity.h"
#include "policy/values/units.h"
#include "policy/values/value.h"

static void write_time(struct pv_buf *buf, int64_t ms)
{
	pv_unit_write(PV_UNIT_TIME, ms, buf);
}

static void write_seeds(const struct pv_policy *policy, struct pv_buf *buf)
{
	int64_t addresses = 0;
	int64_t sitemaps = 0;
	size_t files = 0;
	for (size_t i = 0; i < policy->seeds.count; i++) {
		const struct pv_seed *seed = &policy->seeds.items[i];
		if (seed->kind == PV_SEED_FILE)
			files++;
		else if (seed->kind == PV_SEED_SITEMAP)
			sitemaps += seed->address.count;
		else
			addresses += seed->address.count;
	}
	pv_buf_append_format(buf, "  begins at    %lld address%s",
	    (long long)addresses, addresses == 1 ? "" : "es");
	if (sitemaps)
		pv_buf_append_format(buf, ", %lld sitemap%s",
		    (long long)sitemaps, sitemaps == 1 ? "" : "s");
	if (files)
		pv_buf_append_format(
		    buf, ", %zu file%s", files, files == 1 ? "" : "s");
	pv_buf_append_char(buf, '\n');
}

static void write_rate(const struct pv_policy *policy, struct pv_buf *buf)
{
	const struct pv_rate *rate = &policy->rate;
	pv_buf_append_format(buf, "  at most      %lld requests each ",
	    (long long)rate->max_rate);
	write_time(buf, rate->interval_ms);
	pv_buf_append_format(
	    buf, ", %lld at a time\n", (long long)rate->concurrency);
}

static void write_manners(const struct pv_policy *policy, struct pv_buf *buf)
{
	const struct pv_manners *manners = &policy->manners;
	bool is_from_end = manners->delay_from == PV_DELAY_FROM_END;
	pv_buf_append_text(buf, "  each host    rests ");
	write_time(buf, manners->delay_ms);
	pv_buf_append_text(
	    buf, is_from_end ? " after an answer" : " between starts");
	if (manners->connections > 1)
		pv_buf_append_format(buf, ", up to %lld requests overlap",
		    (long long)manners->connections);
	if (policy->domains.count)
		pv_buf_append_format(
		    buf, "; %zu in the domain table", policy->domains.count);
	pv_buf_append_char(buf, '\n');
}

void pv_summary_write(const struct pv_policy *policy, struct pv_buf *buf)
{
	write_seeds(policy, buf);
	write_rate(policy, buf);
	write_manners(policy, buf);
	pv_buf_append_text(buf, "  says it is   ");
	pv_identity_write_agent(&policy->identity, buf);
	pv_buf_append_format(buf, "\n  keeps        %s\n",
	    !policy->output.has_mirror      ? "the journal"
	    : policy->output.mirror.rewrite ? "a mirror, links rewritten"
					    : "a mirror");
}
