#ifndef PAVANE_FLEET_TABLES_SCHEMA_H
#define PAVANE_FLEET_TABLES_SCHEMA_H

#include <stdint.h>

/* The tables of all fleets that a database has, in its schema `pavane`: made by the
 * first worker that comes, and of one version. The statement gives that version,
 * as text, also where the tables were there before. */
#define PV_FLEET_SCHEMA_VERSION "9"

extern const char pv_fleet_schema[];

/* Rows of a state are only for states of the same version: this one. */
int64_t pv_fleet_state_version(void);

#endif
