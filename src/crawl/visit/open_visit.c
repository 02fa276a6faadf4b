#include "crawl/visit/open_visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Longer addresses are refused before they are visited, but those of seeds. */
#define URL_MAX PV_SEED_ADDRESS_MAX

/* RFC 9309, 2.5, and a byte more to see that it was cut. */
#define ROBOTS_BYTES ((uint64_t)500 * 1024 + 1)

/* Those of so many bytes are kept to be used again, of so many in all. */
#define SPARE_BYTES ((size_t)64 << 10)
#define SPARE_ALL_BYTES ((size_t)8 << 20)

#define LINKS_BYTES ((size_t)64 << 20)

static uint64_t body_ceiling(
    const struct pv_crawl *crawl, const struct pv_task *task)
{
	int64_t most = crawl->policy->fetch.max_size;
	if (task->authority)
		return ROBOTS_BYTES;
	return most == PV_NONE ? UINT64_MAX : (uint64_t)most;
}

static void list(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	open->next = crawl->flights.first;
	open->link = &crawl->flights.first;
	if (open->next)
		open->next->link = &open->next;
	crawl->flights.first = open;
	crawl->flights.count++;
	open->host->open++;
}

static void unlist(struct pv_open *open)
{
	*open->link = open->next;
	if (open->next)
		open->next->link = open->link;
	open->crawl->flights.count--;
	open->host->open--;
}

static struct pv_open *make(struct pv_crawl *crawl, uint64_t ceiling)
{
	struct pv_open *open = pv_alloc(sizeof(*open));
	pv_url_init(&open->url, URL_MAX);
	pv_url_init(&open->location, URL_MAX);
	pv_buf_init(&open->moved_to, URL_MAX);
	pv_buf_init(&open->seed_redirect, URL_MAX);
	pv_buf_init(&open->robots_text, ROBOTS_BYTES);
	pv_buf_init(
	    &open->part_texts, 2 * PV_PART_VALIDATOR_MAX + PV_PART_HEADERS_MAX);
	pv_response_init(&open->response, crawl->flights.spill, ceiling);
	pv_body_init(&open->decoded, crawl->flights.spill, ceiling);
	pv_page_init(&open->page);
	pv_link_list_init(&open->report.links, LINKS_BYTES);
	return open;
}

/* One that was used before, with its memory. */
static struct pv_open *take_spare(struct pv_crawl *crawl, uint64_t ceiling)
{
	struct pv_open *open = crawl->flights.spare;
	struct pv_open kept = *open;
	crawl->flights.spare = open->next;
	crawl->flights.spare_bytes -= kept.held_bytes;
	*open = (struct pv_open){
	    .url = kept.url,
	    .location = kept.location,
	    .moved_to = kept.moved_to,
	    .seed_redirect = kept.seed_redirect,
	    .robots_text = kept.robots_text,
	    .part_texts = kept.part_texts,
	    .response = kept.response,
	    .decoded = kept.decoded,
	    .page = kept.page,
	    .report.links = kept.report.links,
	};
	pv_buf_clear(&open->moved_to);
	pv_buf_clear(&open->seed_redirect);
	pv_buf_clear(&open->robots_text);
	pv_buf_clear(&open->part_texts);
	pv_response_clear(&open->response, ceiling);
	pv_body_clear(&open->decoded);
	open->decoded.ceiling = ceiling;
	pv_page_clear(&open->page);
	pv_link_list_clear(&open->report.links);
	return open;
}

struct pv_open *pv_open_create(struct pv_crawl *crawl, struct pv_task *task)
{
	uint64_t ceiling = body_ceiling(crawl, task);
	struct pv_open *open = crawl->flights.spare ? take_spare(crawl, ceiling)
						    : make(crawl, ceiling);
	open->crawl = crawl;
	open->task = task;
	open->host = task->host;
	open->released_at = pv_crawl_now(crawl);
	open->is_in_update = crawl->update.round.number > 1;
	pv_url_parse(&open->url, task->visit.url);
	open->authority_text =
	    pv_url_between(&open->url, 0, open->url.parts.path);
	list(open);
	return open;
}

static void finish(struct pv_open *open)
{
	pv_url_finish(&open->url);
	pv_url_finish(&open->location);
	pv_buf_finish(&open->moved_to);
	pv_buf_finish(&open->seed_redirect);
	pv_buf_finish(&open->robots_text);
	pv_buf_finish(&open->part_texts);
	pv_response_finish(&open->response);
	pv_body_finish(&open->decoded);
	pv_page_finish(&open->page);
	pv_link_list_finish(&open->report.links);
	free(open);
}

size_t pv_open_bytes(const struct pv_open *open)
{
	return sizeof(*open) + open->response.body.memory.size +
	       open->response.headers.text.size + open->decoded.memory.size +
	       open->page.line.size + open->url.text.size +
	       open->location.text.size + open->robots_text.size +
	       pv_link_list_bytes(&open->report.links);
}

void pv_open_destroy(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	unlist(open);
	pv_task_destroy(open->task);
	pv_robots_rules_release(open->rules);
	pv_robots_rules_release(open->read_rules);
	open->held_bytes = pv_open_bytes(open);
	if (open->held_bytes > SPARE_BYTES ||
	    open->held_bytes > SPARE_ALL_BYTES - crawl->flights.spare_bytes) {
		finish(open);
		return;
	}
	open->next = crawl->flights.spare;
	crawl->flights.spare = open;
	crawl->flights.spare_bytes += open->held_bytes;
}

void pv_open_remark(struct pv_open *open, const char *what)
{
	char *why = open->response.why;
	if (!why[0])
		snprintf(why, sizeof(open->response.why), "%s", what);
}

void pv_open_add_remark(struct pv_open *open, const char *what)
{
	char *why = open->response.why;
	size_t most = sizeof(open->response.why) - 1;
	size_t room = most - (strlen(what) < most ? strlen(what) : most);
	size_t len = strnlen(why, room > 2 ? room - 2 : 0);
	snprintf(why + len, sizeof(open->response.why) - len, "%s%s",
	    len ? "; " : "", what);
}

void pv_open_take_body(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	struct pv_buf *memory = &open->response.body.memory;
	if (!crawl->flights.spare_body_count || memory->ptr)
		return;
	size_t ceiling = memory->ceiling;
	*memory =
	    crawl->flights.spare_bodies[--crawl->flights.spare_body_count];
	memory->ceiling = ceiling;
}

void pv_open_give_body(struct pv_open *open)
{
	struct pv_crawl *crawl = open->crawl;
	struct pv_buf *memory = &open->response.body.memory;
	pv_body_clear(&open->response.body);
	if (!memory->ptr)
		return;
	if (crawl->flights.spare_body_count == PV_SPARE_BODIES ||
	    memory->size > SPARE_BYTES) {
		pv_buf_finish(memory);
		return;
	}
	crawl->flights.spare_bodies[crawl->flights.spare_body_count++] =
	    *memory;
	pv_buf_init(memory, memory->ceiling);
}

void pv_open_drop_spare(struct pv_crawl *crawl)
{
	while (crawl->flights.spare_body_count)
		pv_buf_finish(
		    &crawl->flights
			 .spare_bodies[--crawl->flights.spare_body_count]);
	while (crawl->flights.spare) {
		struct pv_open *open = crawl->flights.spare;
		crawl->flights.spare = open->next;
		finish(open);
	}
}
