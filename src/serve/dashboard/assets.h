#ifndef PAVANE_SERVE_DASHBOARD_ASSETS_H
#define PAVANE_SERVE_DASHBOARD_ASSETS_H

#include <stddef.h>

/* The files of the dashboard, built into the program. */
struct pv_asset {
	const char *name; /* "dashboard.css" */
	const char *first;
	const char *text;
};

extern const struct pv_asset pv_assets[];
extern const size_t pv_asset_count;

#endif
