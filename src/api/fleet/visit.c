#include "api/fleet/visit.h"

#include "api/problems.h"

bool pv_visit_open(
    struct pv_fleet_visit *visit, const char *fleet, const char *name)
{
	visit->kind = &pv_postgresql_visitor;
	visit->visitor = NULL;
	visit->crawl = (struct pv_visited_crawl){.policy = "", .wish = ""};
	pv_arena_init(&visit->crawl.arena);
	pv_why_init(&visit->why);
	if (!visit->kind->open) {
		pv_why_add(&visit->why, (struct pv_place){0}, PV_STR(""),
		    "this pavane was built without PostgreSQL, which a fleet "
		    "needs: install libpq-dev and build it again");
		return false;
	}
	visit->visitor = visit->kind->open(fleet, &visit->why);
	return visit->visitor && pv_visit_again(visit, name);
}

bool pv_visit_again(struct pv_fleet_visit *visit, const char *name)
{
	pv_visited_crawl_finish(&visit->crawl);
	return visit->kind->look(
	    visit->visitor, name, &visit->crawl, &visit->why);
}

void pv_visit_close(struct pv_fleet_visit *visit)
{
	pv_visited_crawl_finish(&visit->crawl);
	if (visit->visitor)
		visit->kind->close(visit->visitor);
	pv_problems_tell(&visit->why, visit->on_line, visit->ctx);
	pv_why_finish(&visit->why);
}
