#ifndef PAVANE_SERVE_CONFIG_OPTION_TABLE_H
#define PAVANE_SERVE_CONFIG_OPTION_TABLE_H

struct pv_names;

/* The table of the service's configuration: every key of its file, once. A key
 * is added by a row here and a field in config.h. */
extern const struct pv_names pv_names_of_service;

#endif
