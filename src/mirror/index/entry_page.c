#include "mirror/index/entry_page.h"

#include "mirror/index/entry_writer.h"
#include "web/words.h"

/* How far it is */

static uint64_t left_of(const struct pv_entry_facts *facts)
{
	return facts->states[PV_STATE_PENDING] +
	       facts->states[PV_STATE_IN_FLIGHT];
}

/* Addresses of hosts that gave no answer at all, or none for their
 * robots.txt. */
static uint64_t unreachable_of(const struct pv_entry_facts *facts)
{
	return facts->outcomes[PV_OUTCOME_NO_NAME] +
	       facts->outcomes[PV_OUTCOME_NO_CONNECTION] +
	       facts->outcomes[PV_OUTCOME_TLS] +
	       facts->reasons[PV_REASON_ROBOTS_UNREACHABLE];
}

/* It has come to its end; complete is what then lacks no host. */
static void put_finished(const struct pv_entry_writer *writer)
{
	uint64_t unreachable = unreachable_of(writer->facts);
	bool lacks_seed = writer->plan->lacks_seed;
	bool is_complete = !lacks_seed && !unreachable;
	pv_entry_put(writer, "<div class=\"state%s\">\n<p>%s %s",
	    is_complete ? "" : " stopped",
	    is_complete ? "Complete since" : "Finished",
	    pv_words_time(writer->facts->finished_wall_ms).text);
	if (lacks_seed)
		pv_entry_put(writer, ", but a seed could not be fetched");
	else if (unreachable)
		pv_entry_put(writer, ", but %s %s that could not be reached",
		    pv_words_count(unreachable).text,
		    unreachable == 1 ? "address is on a host"
				     : "addresses are on hosts");
	pv_entry_put(writer, "</p>\n</div>\n");
}

static void put_stopped(const struct pv_entry_writer *writer)
{
	const char *reason = writer->plan->stopped_by;
	uint64_t left = left_of(writer->facts);
	pv_entry_put(writer,
	    "<div class=\"state stopped\">\n<p>Not complete: stopped %s%s",
	    pv_words_time(writer->plan->now_wall_ms).text, *reason ? ": " : "");
	pv_entry_put_text(writer, reason);
	pv_entry_put(writer, ".</p>\n<p>%s %s left. Go on with ",
	    pv_words_count(left).text,
	    left == 1 ? "address is" : "addresses are");
	pv_entry_put_command(writer, "continue", "");
	pv_entry_put(writer, "</p>\n</div>\n");
}

static void put_update(const struct pv_entry_writer *writer)
{
	const struct pv_entry_update *update = &writer->facts->update;
	if (update->number < 2)
		return;
	pv_entry_put(writer,
	    "<p class=\"note\">Last update, started %s: %s new, %s changed, %s "
	    "gone, %s unchanged",
	    pv_words_time(update->began_wall_ms).text,
	    pv_words_count(update->added).text,
	    pv_words_count(update->changed).text,
	    pv_words_count(update->gone).text,
	    pv_words_count(update->same).text);
	if (update->failed)
		pv_entry_put(writer,
		    ", %s could not be fetched again (their copies are kept)",
		    pv_words_count(update->failed).text);
	pv_entry_put(writer, ".</p>\n");
}

/* Figures */

static void put_figure(const struct pv_entry_writer *writer, const char *name,
    struct pv_words figure, const char *more)
{
	pv_entry_put(writer, "<div><dt>%s</dt><dd>%s%s</dd></div>\n", name,
	    figure.text, more);
}

static void put_count(
    const struct pv_entry_writer *writer, const char *name, uint64_t count)
{
	put_figure(writer, name, pv_words_count(count), "");
}

static void put_figures(const struct pv_entry_writer *writer)
{
	const struct pv_entry_facts *facts = writer->facts;
	uint64_t hosts = facts->host_total;
	bool is_first = facts->update.number == 1;
	pv_entry_put(writer, "<dl>\n");
	if (is_first || facts->has_pages)
		put_count(writer, "Pages",
		    is_first ? writer->plan->pages : facts->pages);
	put_figure(writer, "Received", pv_words_size(facts->bytes), "");
	put_figure(writer, hosts == 1 ? "Host" : "Hosts", pv_words_count(hosts),
	    hosts < PV_ENTRY_HOSTS_SEEN ? "" : " or more");
	put_count(writer, "Missing", pv_entry_facts_errors(facts));
	put_count(writer, "Left out", facts->states[PV_STATE_REFUSED]);
	if (left_of(facts))
		put_count(writer, "Pending", left_of(facts));
	pv_entry_put(writer, "</dl>\n");
}

static void put_foot(const struct pv_entry_writer *writer)
{
	pv_entry_put(writer, "<footer>\n<p>Made by Pavane ");
	pv_entry_put_text(writer, writer->plan->version);
	pv_entry_put(writer,
	    ", %s. Each request and its result is in <a "
	    "href=\"journal.jsonl\">journal.jsonl</a>; the policy is in <a "
	    "href=\"policy.yaml\">policy.yaml</a>.</p>\n</footer>\n</body>\n</html>\n",
	    pv_words_time(writer->plan->now_wall_ms).text);
}

void pv_entry_page_write(const struct pv_entry_plan *plan,
    const struct pv_entry_facts *facts, struct pv_buf *page)
{
	struct pv_entry_writer writer = {plan, facts, page};
	pv_entry_put_head(&writer, "mirror");
	pv_entry_put(&writer, "<p class=\"kind\">Mirror</p>\n<h1>");
	pv_entry_put_name(&writer);
	pv_entry_put(&writer, "</h1>\n");
	if (facts->finished_wall_ms)
		put_finished(&writer);
	else
		put_stopped(&writer);
	put_update(&writer);
	pv_entry_put(&writer, "</header>\n<main>\n");
	put_figures(&writer);
	pv_entry_part_seeds(&writer);
	pv_entry_part_pages(&writer);
	pv_entry_part_errors(&writer);
	pv_entry_part_hosts(&writer);
	pv_entry_part_bare(&writer);
	pv_entry_part_refusals(&writer);
	pv_entry_put(&writer, "</main>\n");
	put_foot(&writer);
}
