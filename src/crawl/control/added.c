#include "crawl/control/added.h"

#include "crawl/conductor.h"
#include "crawl/control/added_look.h"
#include "crawl/control/added_seeds.h"
#include "crawl/shard/sharing.h"
#include "reading/judge.h"

/* So many bytes of addresses, about, are judged at a time: a step of the loop
 * is to be short. */
#define BATCH_BYTES ((size_t)256 << 10)
#define TEXTS_MAX ((size_t)4 << 20)

void pv_added_init(struct pv_added *added, struct pv_crawl *crawl)
{
	*added = (struct pv_added){.crawl = crawl};
	pv_url_init(&added->url, PV_SEED_ADDRESS_MAX);
	pv_link_list_init(&added->report.links, TEXTS_MAX);
}

void pv_added_finish(struct pv_added *added)
{
	pv_link_list_finish(&added->report.links);
	pv_url_finish(&added->url);
}

/* Judging */

static const char *fault_of(
    struct pv_added *added, const struct pv_command *command)
{
	const char *fault =
	    pv_seed_parse(&added->url, pv_buf_str(&command->text));
	if (fault)
		return fault;
	if (pv_url_has_credentials(&added->url))
		return "an address that is added has no user name and no "
		       "password: write it among the seeds of the policy";
	if (command->depth >= PV_DEPTH_MAX)
		return "no page lies so many links away from a seed";
	return NULL;
}

/* The page that would have the link, where it does not count as a seed. */
static struct pv_visit page_before(
    const struct pv_crawl *crawl, const struct pv_command *command)
{
	int64_t most = crawl->policy->scope.depth;
	uint32_t depth = command->depth - 1;
	struct pv_visit page = {
	    .standing = {.use = PV_PAGE, .depth = depth},
	    .tag = pv_buf_str(&command->more),
	};
	if (most == PV_NONE || most - depth > PV_DEPTH_MAX)
		page.standing.depth_left = PV_DEPTH_MAX;
	else if (most > depth)
		page.standing.depth_left = (uint32_t)(most - depth);
	return page;
}

/* As far as they are known now; later they are asked again. */
static void find_rules(const struct pv_crawl *crawl, struct pv_found *found)
{
	const struct pv_authorities *authorities = &crawl->hosts.authorities;
	const struct pv_url *url = found->url;
	struct pv_str text = pv_url_between(url, 0, url->parts.path);
	const uint32_t *place = pv_map_get(&authorities->map, text);
	if (!place || !authorities->items[*place]->rules)
		return;
	found->rules = authorities->items[*place]->rules;
	found->rules_authority = authorities->items[*place]->text;
}

static bool judge(struct pv_added *added, const struct pv_command *command)
{
	struct pv_crawl *crawl = added->crawl;
	const struct pv_seed seed = {
	    .kind = PV_SEED_PAGE,
	    .depth = PV_NONE,
	    .tag = command->more.len ? pv_buf_text(&command->more) : NULL,
	};
	struct pv_visit page;
	struct pv_found found = {
	    .url = &added->url,
	    .kind = PV_LINK_PAGE,
	    .seed = &seed,
	    .wall_ms = crawl->now.wall_ms,
	};
	bool is_added;
	if (command->depth) {
		page = page_before(crawl, command);
		found.from = &page;
	}
	pv_crawl_identity_apply(&crawl->reading.sameness.identity, &added->url);
	find_rules(crawl, &found);
	pv_judge_add(&crawl->reading, &found, &added->report.links, &is_added);
	return is_added;
}

static void take_one(struct pv_added *added, struct pv_command *command)
{
	struct pv_link_list *links = &added->report.links;
	struct pv_added_item *item = &added->items[added->count++];
	*item = (struct pv_added_item){.command = command};
	pv_buf_init(&item->url, SIZE_MAX);
	const char *fault = fault_of(added, command);
	if (!fault && !judge(added, command))
		fault = "this address is longer than 65536 bytes";
	if (fault) {
		pv_command_say(command, PAVANE_WRONG, "", fault);
		return;
	}
	struct pv_link link = pv_link_list_get(links, links->count - 1);
	item->is_given = true;
	item->link = links->count - 1;
	item->fingerprint = link.fingerprint;
	item->is_seed = !command->depth && link.standing.use == PV_PAGE;
	item->asks_anew = command->asks_anew;
	pv_buf_append(&item->url, link.url);
}

/* On the writer's thread */

static struct pv_added *of_before(struct pv_job *job)
{
	return (
	    struct pv_added *)((char *)job - offsetof(struct pv_added, before));
}

static struct pv_added *of_noting(struct pv_job *job)
{
	return (
	    struct pv_added *)((char *)job - offsetof(struct pv_added, noting));
}

static struct pv_added *of_after(struct pv_job *job)
{
	return (
	    struct pv_added *)((char *)job - offsetof(struct pv_added, after));
}

static void look_before(struct pv_job *job, struct pv_database *database)
{
	pv_added_look_before(of_before(job), database);
}

static void note(struct pv_job *job, struct pv_database *database)
{
	struct pv_added *added = of_noting(job);
	for (size_t i = 0; i < added->count; i++) {
		struct pv_str url = pv_buf_str(&added->items[i].url);
		if (!added->items[i].is_seed)
			continue;
		pv_added_seed_keep(database, url);
		if (!added->items[i].was_known)
			pv_sharing_tell_seed(added->crawl, url, database);
	}
}

/* Links come into the tables when their group ends, so not before. */
static void look_after(struct pv_job *job, struct pv_database *database)
{
	pv_added_look_after(of_after(job), database);
}

/* The way back */

static void answer_all(struct pv_added *added)
{
	struct pv_mailbox *mailbox = &added->crawl->commands.mailbox;
	size_t count = added->count;
	added->count = 0;
	for (size_t i = 0; i < count; i++) {
		struct pv_added_item *item = &added->items[i];
		if (item->url.len)
			item->command->reply.address = pv_buf_text(&item->url);
		pv_mailbox_answer(mailbox, item->command);
		pv_buf_finish(&item->url);
	}
	added->is_under_way = false;
}

static void end(struct pv_added *added, enum pv_store_status status)
{
	for (size_t i = 0; status != PV_STORE_OK && i < added->count; i++)
		pv_command_say(added->items[i].command, PAVANE_UNREADABLE, "",
		    added->crawl->halt.reason);
	pv_link_list_clear(&added->report.links);
	answer_all(added);
}

static void on_answer(struct pv_job *job, enum pv_store_status status)
{
	struct pv_added *added = of_after(job);
	pv_outbox_came_back(&added->crawl->outbox);
	pv_halt_note_status(added->crawl, status);
	end(added, status);
}

/* The last of the chain. */
static void on_noted(struct pv_job *job, enum pv_store_status status)
{
	struct pv_added *added = of_noting(job);
	struct pv_crawl *crawl = added->crawl;
	if (status != PV_STORE_OK) {
		end(added, status);
		return;
	}
	added->after = (struct pv_job){
	    .run = look_after, .done = on_answer, .is_answered_at_once = true};
	pv_outbox_give(
	    &crawl->outbox, PV_PAPER_JOBS, &added->after, pv_crawl_now(crawl));
}

static void on_reported(struct pv_report *report, enum pv_store_status status)
{
	struct pv_added *added = report->ctx;
	pv_outbox_came_back(&added->crawl->outbox);
	pv_halt_note_status(added->crawl, status);
}

static bool is_wanted(void *ctx, const struct pv_link *link)
{
	const struct pv_added *added = ctx;
	for (size_t i = 0; i < added->count; i++) {
		if (added->items[i].is_given &&
		    !pv_fingerprint_compare(
			&added->items[i].fingerprint, &link->fingerprint))
			return true;
	}
	return false;
}

static void widen(struct pv_added *added)
{
	for (size_t i = 0; i < added->count; i++) {
		struct pv_str text = pv_buf_str(&added->items[i].url);
		if (added->items[i].is_seed &&
		    pv_url_parse(&added->url, text) == PV_URL_OK)
			pv_added_seed_widen(added->crawl, &added->url);
	}
}

/* What was in flight until a moment ago has been asked for since. */
static void ask_anew(struct pv_added *added)
{
	for (size_t i = 0; i < added->count; i++) {
		const struct pv_added_item *item = &added->items[i];
		if (item->asks_anew && (item->was_done || item->was_refused))
			pv_link_list_ask_anew(&added->report.links, item->link);
	}
}

static void on_looked(struct pv_job *job, enum pv_store_status status)
{
	struct pv_added *added = of_before(job);
	struct pv_crawl *crawl = added->crawl;
	pv_outbox_came_back(&crawl->outbox);
	pv_halt_note_status(crawl, status);
	ask_anew(added);
	if (added->has_left)
		pv_link_list_keep(&added->report.links, is_wanted, added);
	if (status != PV_STORE_OK || !added->report.links.count) {
		end(added, status);
		return;
	}
	widen(added);
	crawl->flights.is_urgent = true;
	pv_outbox_give(&crawl->outbox, PV_PAPER_REPORT, &added->report,
	    pv_crawl_now(crawl));
}

void pv_added_give_up(struct pv_added *added, const char *why)
{
	for (size_t i = 0; i < added->count; i++)
		pv_command_say(added->items[i].command, PAVANE_OVER, "", why);
	answer_all(added);
}

/* Whether there is anything to be written. */
static bool gather(struct pv_added *added, struct pv_mailbox *mailbox)
{
	const struct pv_command *next = pv_mailbox_get(mailbox);
	size_t bytes = 0;
	while (next && next->kind == PV_COMMAND_ADD &&
	       added->count < PV_ADDED_BATCH && bytes < BATCH_BYTES) {
		bytes += next->text.len;
		take_one(added, pv_mailbox_take(mailbox));
		next = pv_mailbox_get(mailbox);
	}
	return added->report.links.count > 0;
}

void pv_added_step(struct pv_added *added, struct pv_mailbox *mailbox)
{
	struct pv_crawl *crawl = added->crawl;
	added->is_under_way = true;
	added->has_left = false;
	if (!gather(added, mailbox)) {
		answer_all(added);
		return;
	}
	added->before = (struct pv_job){
	    .run = look_before, .done = on_looked, .is_answered_at_once = true};
	added->noting = (struct pv_job){
	    .run = note, .done = on_noted, .rows = added->count};
	added->report.kind = PV_REPORT_LINKS;
	added->report.with = &added->noting;
	added->report.done = on_reported;
	added->report.ctx = added;
	pv_outbox_give(
	    &crawl->outbox, PV_PAPER_JOBS, &added->before, pv_crawl_now(crawl));
}
