#ifndef PAVANE_POLICY_PAGES_H
#define PAVANE_POLICY_PAGES_H

#include "policy/rules.h"
#include "policy/values/value_form.h"

/* Kinds of pages, as a policy describes them: which pages are of a kind, the
 * fields of its rows, and where it leads.
 *
 * Everything is compiled when the policy is loaded, and read by many threads.
 */
struct pv_expression;   /* tree/expression.h */
struct pv_json_pointer; /* base/json/json_pointer.h */
struct pv_node;         /* policy/document/document.h */
struct pv_regex;        /* base/pattern/regex.h */

enum pv_source_kind {
	PV_SOURCE_CSS,
	PV_SOURCE_XPATH,
	PV_SOURCE_JSON,   /* text is a JSON Pointer, in which * is each */
	PV_SOURCE_REGEX,  /* alone, on the page's text */
	PV_SOURCE_META,   /* text is a name or property */
	PV_SOURCE_HEADER, /* text is a name */
	PV_SOURCE_URL,    /* the page's address, or a part of it */
};

/* Where JSON stands. */
enum pv_json_place {
	PV_JSON_BODY,   /* the page is JSON */
	PV_JSON_LD,     /* each block of JSON-LD; `of` is its @type */
	PV_JSON_SCRIPT, /* behind `after` in a script */
};

enum pv_url_part {
	PV_URL_WHOLE,
	PV_URL_HOST,
	PV_URL_PATH,
	PV_URL_QUERY,     /* without ? */
	PV_URL_PARAMETER, /* of the query, by its name */
};

struct pv_source {
	enum pv_source_kind kind;
	const char *text;                 /* as it is written */
	struct pv_expression *expression; /* of css and xpath */
	struct pv_json_pointer *pointer;  /* of json */
	enum pv_url_part url_part;        /* of url */
	enum pv_json_place place;
	const char *of;    /* NULL: of any type */
	const char *after; /* of PV_JSON_SCRIPT */
	const char *regex_text;
	struct pv_regex *regex; /* NULL for none; on what the source gives */
};

struct pv_field {
	const char *name;
	struct pv_source source;
	struct pv_value_form form;
	bool is_many;
	bool is_required;
	const char *join;   /* of many, in CSV; "\n" */
	const char *preset; /* the default, as JSON; NULL for none */

	size_t number; /* of all fields of the policy, from 0 */

	/* Records within: `each` is the source then. */
	struct pv_field *fields;
	size_t field_count;
	struct pv_origin origin;
};

struct pv_follow {
	struct pv_source source;
	const char *as;
	size_t kind;           /* number of that kind, from 0 */
	struct pv_texts carry; /* names of fields */
	int64_t limit;         /* PV_NONE: all */
	struct pv_origin origin;
};

struct pv_page_kind {
	const char *name;
	struct pv_rules match; /* any of them; none: only what is named */
	bool has_each;
	struct pv_source each; /* one row for each node; else one a page */
	struct pv_field *fields;
	size_t field_count;
	bool has_follow; /* then no other link leads to a page */
	struct pv_follow *follow;
	size_t follow_count;
	struct pv_texts carried;    /* names that links to it carry: columns */
	const struct pv_node *node; /* as it is written */
	struct pv_origin origin;
};

/* In which files rows are written: bits. */
enum pv_fields_form {
	PV_FIELDS_JSONL = 1,
	PV_FIELDS_CSV = 2,
	PV_FIELDS_SQLITE = 4,
};

#define PV_PAGES_MAX 64
#define PV_FIELDS_MAX 200
#define PV_MATCH_RULES_MAX 1000 /* rules of one kind */

struct pv_pages {
	struct pv_page_kind *items;
	size_t count;
	size_t field_total; /* of all kinds, with those within */
};

/* The number of the kind of that name; `count` if there is none. */
size_t pv_pages_find(const struct pv_pages *pages, struct pv_str name);

/* The name of a kind that was probably meant; NULL if none is near. */
const char *pv_pages_nearest(const struct pv_pages *pages, struct pv_str name);

/* Releases what was compiled. */
void pv_pages_finish(struct pv_pages *pages);

#endif
