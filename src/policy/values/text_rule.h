#ifndef PAVANE_POLICY_VALUES_TEXT_RULE_H
#define PAVANE_POLICY_VALUES_TEXT_RULE_H

#include "base/buf.h"

/* What a text must look like: one row for each sort of text in a policy. */
struct pv_text_rule {
	const char *expected; /* behind "expected": "an e-mail address" */

	/* Appends the text as it is kept. NULL if it is right; else a sentence
	 * of its own, or "" where "expected ..." says enough. */
	const char *(*read)(struct pv_str text, struct pv_buf *kept);

	const char *schema; /* a regular expression (ECMA 262), or NULL */
};

extern const struct pv_text_rule pv_rule_name;
extern const struct pv_text_rule pv_rule_tag;
extern const struct pv_text_rule pv_rule_agent;
extern const struct pv_text_rule pv_rule_contact;
extern const struct pv_text_rule pv_rule_email;
extern const struct pv_text_rule pv_rule_hours;
extern const struct pv_text_rule pv_rule_zone;
extern const struct pv_text_rule pv_rule_glob;
extern const struct pv_text_rule pv_rule_path_glob;
extern const struct pv_text_rule pv_rule_extension;
extern const struct pv_text_rule pv_rule_host; /* a name, or *.name */
extern const struct pv_text_rule pv_rule_host_glob;
extern const struct pv_text_rule pv_rule_domain;       /* or an address range */
extern const struct pv_text_rule pv_rule_alias;        /* a name, or name.* */
extern const struct pv_text_rule pv_rule_alias_target; /* a name, or * */
extern const struct pv_text_rule pv_rule_document;
extern const struct pv_text_rule pv_rule_media;
extern const struct pv_text_rule pv_rule_header_name;
extern const struct pv_text_rule pv_rule_header_value;
extern const struct pv_text_rule pv_rule_user;
extern const struct pv_text_rule pv_rule_proxy;
extern const struct pv_text_rule pv_rule_socket; /* address and port */
extern const struct pv_text_rule pv_rule_file;

#endif
