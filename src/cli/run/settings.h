#ifndef PAVANE_CLI_RUN_SETTINGS_H
#define PAVANE_CLI_RUN_SETTINGS_H

#include "pavane/pavane.h"

/* What a command line, or a command itself, says over the policy: --set,
 * --domain, and the options that stand for a key. The texts are copies. */
struct pv_settings {
	struct pavane_setting *items;
	const char **names; /* what problems call each; NULL: as usual */
	size_t count;
};

/* For the whole crawl, or a host where that is not NULL. The name is not
 * copied. */
void pv_settings_add(struct pv_settings *settings, const char *host,
    const char *assignment, const char *name);

/* For the whole crawl, of an option of that name. */
void pv_settings_add_key(struct pv_settings *settings, const char *key,
    const char *value, const char *name);

void pv_settings_add_all(
    struct pv_settings *settings, const struct pv_settings *others);
void pv_settings_finish(struct pv_settings *settings);

#endif
