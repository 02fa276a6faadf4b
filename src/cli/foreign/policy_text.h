#ifndef PAVANE_CLI_FOREIGN_POLICY_TEXT_H
#define PAVANE_CLI_FOREIGN_POLICY_TEXT_H

#include "cli/foreign/translation.h"

/* Writes a translation as a policy: where to begin, each key with the option
 * that it stands for, and of the other options why they have none. */
void pv_policy_text_write(const struct pv_translation *translation, FILE *file);

#endif
