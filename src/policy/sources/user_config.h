#ifndef PAVANE_POLICY_SOURCES_USER_CONFIG_H
#define PAVANE_POLICY_SOURCES_USER_CONFIG_H

#include "base/why.h"

/* The user's own configuration: the directory in which config.yaml (keys of a
 * policy that hold for all of a user's crawls) and never.txt may be; and where
 * is kept what all of a user's crawls share. */

/* Appends the directory, from what $XDG_CONFIG_HOME and $HOME say (either may
 * be NULL); false if neither names one. */
bool pv_user_config_dir(
    const char *xdg_config_home, const char *home, struct pv_buf *buf);

/* The same for that which the crawls share, by $XDG_STATE_HOME. */
bool pv_user_state_dir(
    const char *xdg_state_home, const char *home, struct pv_buf *buf);

/* Writes the contact into config.yaml, which is made if need be and else kept
 * as it is but for the one line. False, with the problem told, if that cannot
 * be done; nothing is changed then. */
bool pv_user_config_save_contact(
    const char *dir, const char *contact, struct pv_why *why);

#endif
