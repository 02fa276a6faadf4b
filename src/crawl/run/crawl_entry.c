#include "config.h"
#include "crawl/run/crawl_entry.h"

#include "crawl/conductor.h"
#include "mirror/index/entry_file.h"
#include "mirror/index/entry_page.h"
#include "mirror/index/page_list.h"
#include "policy/policy.h"

#define FAULT_MAX 4096

static struct pv_entry_plan plan_of(const struct pv_crawl *crawl)
{
	return (struct pv_entry_plan){
	    .directory = crawl->directory,
	    .policy = crawl->policy,
	    .version = PACKAGE_VERSION,
	    .stopped_by = crawl->halt.reason,
	    .lacks_seed = crawl->halt.end == PAVANE_NOT_BEGUN,
	    .pages = crawl->counters.all_pages,
	    .now_wall_ms = crawl->now.wall_ms,
	};
}

/* Without it the entry page is still of use. */
static void write_list(const struct pv_crawl *crawl,
    const struct pv_entry_plan *plan, struct pv_entry_facts *facts)
{
	struct pv_buf fault;
	pv_buf_init(&fault, FAULT_MAX);
	if (!pv_page_list_write(plan, facts, &fault))
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s/%s: cannot write the list of pages", crawl->directory,
		    pv_buf_text(&fault));
	pv_buf_finish(&fault);
}

static bool write_page(const struct pv_crawl *crawl, struct pv_buf *fault)
{
	struct pv_entry_plan plan = plan_of(crawl);
	struct pv_entry_facts facts;
	struct pv_buf page;
	pv_buf_init(&page, PV_ENTRY_PAGE_MAX);
	bool is_awaited = atomic_load(&crawl->halt.stop_asked) > 0;
	bool is_written = pv_entry_facts_read(
	    &facts, crawl->directory, crawl->policy, !is_awaited, fault);
	if (is_written) {
		write_list(crawl, &plan, &facts);
		pv_entry_page_write(&plan, &facts, &page);
		is_written = pv_entry_file_write(
		    crawl->directory, pv_buf_str(&page), fault);
	}
	pv_entry_facts_finish(&facts);
	pv_buf_finish(&page);
	return is_written;
}

bool pv_crawl_entry_write(struct pv_crawl *crawl)
{
	struct pv_buf fault;
	if (!crawl->policy->output.has_mirror ||
	    crawl->halt.end == PAVANE_FAILED)
		return false;
	pv_crawl_look_at_clock(crawl);
	pv_buf_init(&fault, FAULT_MAX);
	bool is_written = write_page(crawl, &fault);
	if (!is_written)
		pv_log(&crawl->log, PV_LOG_WARNING,
		    "%s/" PV_ENTRY_FILE ": cannot write the start page: %s",
		    crawl->directory, pv_buf_text(&fault));
	pv_buf_finish(&fault);
	return is_written;
}
