#ifndef PAVANE_CLI_RUN_CONTACT_H
#define PAVANE_CLI_RUN_CONTACT_H

#include <stdbool.h>

/* Asks the person at the terminal for a contact, once for all of their crawls,
 * and keeps it in their configuration. False if they would rather not. */
bool pv_contact_ask(const char *config_dir);

#endif
