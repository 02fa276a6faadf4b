#ifndef PAVANE_POLICY_KIND_H
#define PAVANE_POLICY_KIND_H

#include "policy/document/reading.h"
#include "policy/values/schema_part.h"
#include "policy/values/texts.h"

struct pv_option;
struct pv_text_rule;

/* A kind of value: how it is read, written and described. One entry makes a
 * kind; the options table names one in each row. */
struct pv_kind {
	const char *name; /* as the reference page calls it */
	size_t size;      /* of the field that holds a value */

	/* Words that every option of the kind takes; ends with NULL. NULL:
	 * none. */
	const char *const *words;

	/* Reads a value; false, and the field untouched, where it has told a
	 * problem. */
	bool (*read)(struct pv_reading *, const struct pv_option *,
	    const struct pv_node *, void *field);

	/* Appends the value as YAML, behind its key on the same line. */
	void (*write)(
	    const struct pv_option *, const void *field, struct pv_buf *);

	/* Or on lines of their own, each with its origin; only where
	 * has_lines says so. */
	bool (*has_lines)(const void *field);
	void (*write_lines)(const struct pv_option *, const void *field,
	    int indent, struct pv_buf *);

	/* What may stand there, as JSON Schema. */
	struct pv_json *(*schema)(const struct pv_option *);

	/* The same in words, behind "expected". */
	void (*expect)(const struct pv_option *, struct pv_buf *);
};

extern const struct pv_kind pv_kind_bool;      /* bool */
extern const struct pv_kind pv_kind_count;     /* int64_t */
extern const struct pv_kind pv_kind_time;      /* int64_t, milliseconds */
extern const struct pv_kind pv_kind_size;      /* int64_t, bytes */
extern const struct pv_kind pv_kind_bandwidth; /* int64_t, bytes a second */
extern const struct pv_kind pv_kind_share;     /* int64_t, hundredths */
extern const struct pv_kind pv_kind_number;    /* double */
extern const struct pv_kind pv_kind_choice;    /* int */
extern const struct pv_kind pv_kind_choices;   /* unsigned: bits */
extern const struct pv_kind pv_kind_switch;    /* bool: a section, or none */
extern const struct pv_kind pv_kind_text;      /* const char * */
extern const struct pv_kind pv_kind_file;      /* const char *, absolute */
extern const struct pv_kind pv_kind_user;      /* const char * */
extern const struct pv_kind pv_kind_texts;     /* struct pv_texts */
extern const struct pv_kind pv_kind_proxies;   /* struct pv_texts */
extern const struct pv_kind pv_kind_pairs;     /* struct pv_pairs */
extern const struct pv_kind pv_kind_hosts;     /* struct pv_host_choice */
extern const struct pv_kind pv_kind_seeds;     /* struct pv_seeds */
extern const struct pv_kind pv_kind_rules;     /* struct pv_rules */
extern const struct pv_kind pv_kind_pages;     /* struct pv_pages */
extern const struct pv_kind pv_kind_domains;   /* struct pv_domains */

/* Room for a field of any kind. */
union pv_value {
	bool is_true;
	int64_t count;
	int choice;
	double number;
	void *ptr;
	char bytes[48];
};

/* Tells "expected <what the option takes>, found <what stands there>", and a
 * hint where the slip is a well-known one. Returns false. */
bool pv_kind_refuse(struct pv_reading *reading, const struct pv_option *option,
    const struct pv_node *node);

/* Appends what the option takes, in words. */
void pv_kind_expect(const struct pv_option *option, struct pv_buf *buf);

/* Reads one text by a rule; NULL where it has told a problem. */
const char *pv_text_read(struct pv_reading *reading,
    const struct pv_text_rule *rule, const struct pv_node *node);

/* Whether a text was meant as one: unquoted, no, 5 and none are not. If not, a
 * problem has been reported. */
bool pv_text_is_meant(struct pv_reading *reading, const struct pv_node *node,
    const char *expected);

/* The file that a text names, from the directory of its source: an absolute
 * path. NULL, and a problem reported, where there is none that can be read. */
const char *pv_file_name_read(
    struct pv_reading *reading, const struct pv_node *node);

/* Whether so many items are as many as the option takes; told if not. */
bool pv_items_fit(struct pv_reading *reading, const struct pv_option *option,
    const struct pv_node *node, size_t count);

/* Reads the items of a list by a rule; a text alone is a list of one. */
bool pv_texts_read(struct pv_reading *reading, const struct pv_option *option,
    const struct pv_node *node, struct pv_texts *texts);
void pv_texts_write(const struct pv_texts *texts, struct pv_buf *buf);

/* Whether YAML takes this word, unquoted, for something else than text. */
bool pv_word_is_text(struct pv_str word);

#endif
