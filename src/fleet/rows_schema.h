#ifndef PAVANE_FLEET_ROWS_SCHEMA_H
#define PAVANE_FLEET_ROWS_SCHEMA_H

/* The tables of a fleet that hold what its crawls know: addresses, hosts,
 * robots.txt, and links on their way to the owners of their hosts. */
extern const char pv_fleet_rows_schema[];

#endif
