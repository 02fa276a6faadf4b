#include "fleet/scene/engine.h"

/* In the place of engine.c where this program was built without PostgreSQL. */

const char *fleet_engine_absence(void)
{
	return "it was built without PostgreSQL";
}

struct pv_frontier *fleet_engine_open(struct scene *scene, struct pv_why *why)
{
	(void)scene;
	(void)why;
	return NULL;
}

struct pv_frontier *fleet_engine_open_other(
    struct scene *scene, struct pv_why *why)
{
	return fleet_engine_open(scene, why);
}

void fleet_engine_wish(const struct fleet_engine_wish *wish)
{
	(void)wish;
}

void fleet_engine_turn(struct scene *scene)
{
	(void)scene;
}

const char *fleet_engine_ask(const char *sql)
{
	(void)sql;
	return NULL;
}

bool fleet_engine_hold(const char *sql)
{
	(void)sql;
	return false;
}

void fleet_engine_finish(void)
{
}
