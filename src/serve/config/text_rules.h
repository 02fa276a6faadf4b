#ifndef PAVANE_SERVE_CONFIG_TEXT_RULES_H
#define PAVANE_SERVE_CONFIG_TEXT_RULES_H

#include "policy/values/text_rule.h"

/* What the texts of the service's configuration must look like. */
extern const struct pv_text_rule pv_rule_directory;
extern const struct pv_text_rule pv_rule_listen;
extern const struct pv_text_rule pv_rule_own_host;
extern const struct pv_text_rule pv_rule_trusted_proxy;
extern const struct pv_text_rule pv_rule_profile_name;
extern const struct pv_text_rule pv_rule_webhook_url;
extern const struct pv_text_rule pv_rule_webhook_secret;

#endif
