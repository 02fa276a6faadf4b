#include "http/rate_limit.h"

#include "base/ascii.h"
#include "base/reader.h"
#include "http/parameter.h"

/* Integers of structured fields have at most 15 digits (RFC 9651, 3.3.1). */
#define NUMBER_MAX UINT64_C(999999999999999)

/* From here on a reset is a time since 1970: in seconds since 2001, or in
 * milliseconds since the same year. */
#define EPOCH_S INT64_C(1000000000)
#define EPOCH_MS INT64_C(1000000000000)

/* So many items of a field are looked at. */
#define ITEMS_MAX 16

#define UNKNOWN INT64_C(-1)

struct quota {
	int64_t left;
	int64_t reset_ms; /* from now */
};

static const struct quota nothing = {UNKNOWN, UNKNOWN};

static int64_t wait_of(struct quota quota)
{
	int64_t wait_ms = quota.reset_ms;
	if (quota.left < 0 || quota.reset_ms < 0)
		return 0;
	if (quota.left > 0)
		wait_ms = (quota.reset_ms + quota.left - 1) / quota.left;
	return wait_ms < PV_RATE_LIMIT_HINT_MAX_MS ? wait_ms
						   : PV_RATE_LIMIT_HINT_MAX_MS;
}

static int64_t longer(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Where something is said twice, the stricter one counts. */
static void take_left(struct quota *quota, int64_t left)
{
	if (left >= 0 && (quota->left < 0 || left < quota->left))
		quota->left = left;
}

static void take_reset(struct quota *quota, int64_t reset_ms)
{
	quota->reset_ms = longer(quota->reset_ms, reset_ms);
}

/* Numbers */

static int64_t read_count(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(pv_str_trim(text));
	uint64_t number;
	if (!pv_reader_take_number(&reader, NUMBER_MAX, &number) ||
	    !pv_reader_is_end(&reader))
		return UNKNOWN;
	return (int64_t)number;
}

/* Seconds, maybe with a fraction. */
static int64_t read_seconds(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(pv_str_trim(text));
	uint64_t number;
	int64_t ms = 0;
	if (!pv_reader_take_number(&reader, NUMBER_MAX, &number))
		return UNKNOWN;
	if (pv_reader_accept(&reader, '.')) {
		struct pv_str digits =
		    pv_reader_take_while(&reader, pv_is_digit);
		for (size_t i = 0; i < 3; i++)
			ms = 10 * ms +
			     (i < digits.len ? digits.ptr[i] - '0' : 0);
	}
	return pv_reader_is_end(&reader) ? (int64_t)number * 1000 + ms
					 : UNKNOWN;
}

static int64_t read_reset(struct pv_str text, int64_t wall_ms)
{
	int64_t reset_ms = read_seconds(text);
	if (reset_ms < EPOCH_S * 1000)
		return reset_ms;
	int64_t time_ms =
	    reset_ms < EPOCH_MS * 1000 ? reset_ms : reset_ms / 1000;
	return time_ms > wall_ms ? time_ms - wall_ms : 0;
}

/* Structured fields */

struct item {
	struct pv_str name;
	struct quota quota;  /* r and t, or what stood there before them */
	struct quota policy; /* q and w */
	bool is_of_requests; /* and not of bytes, or of what is under way */
	bool is_part;        /* of version 07, where others say the rest */
};

static bool is_between(int byte)
{
	return pv_is_blank(byte) || byte == ',';
}

static bool is_of_string(int byte)
{
	return byte != '"' && byte != '\\';
}

/* What stands up to the closing quote, with its backslashes. */
static struct pv_str take_string(struct pv_reader *reader)
{
	struct pv_str rest = pv_reader_rest(reader);
	for (;;) {
		pv_reader_take_while(reader, is_of_string);
		size_t len = rest.len - pv_reader_left(reader);
		if (pv_reader_next(reader) != '\\')
			return pv_str_head(rest, len);
		pv_reader_next(reader);
	}
}

static void take_parameter(
    struct item *item, const struct pv_parameter *parameter)
{
	struct pv_str name = parameter->name;
	if (pv_str_equal(name, PV_STR("r")) ||
	    pv_str_equal(name, PV_STR("remaining")))
		take_left(&item->quota, read_count(parameter->value));
	else if (pv_str_equal(name, PV_STR("t")) ||
		 pv_str_equal(name, PV_STR("reset")))
		take_reset(&item->quota, read_seconds(parameter->value));
	else if (pv_str_equal(name, PV_STR("q")))
		take_left(&item->policy, read_count(parameter->value));
	else if (pv_str_equal(name, PV_STR("w")))
		take_reset(&item->policy, read_seconds(parameter->value));
	else if (pv_str_equal(name, PV_STR("qu")))
		item->is_of_requests =
		    pv_str_equal_nocase(parameter->value, PV_STR("requests"));
}

/* Takes the next item of a list; false at its end. */
static bool take_item(struct pv_reader *reader, struct item *item)
{
	struct pv_parameter parameter;
	*item = (struct item){
	    .quota = nothing, .policy = nothing, .is_of_requests = true};
	pv_reader_take_while(reader, is_between);
	if (pv_reader_is_end(reader))
		return false;
	if (pv_reader_accept(reader, '"')) {
		item->name = take_string(reader);
	} else if (pv_parameter_next(reader, &parameter)) {
		item->name = parameter.name;
		take_left(&item->policy, read_count(parameter.name));
		take_parameter(item, &parameter);
		item->is_part = pv_str_equal(item->name, PV_STR("remaining")) ||
				pv_str_equal(item->name, PV_STR("reset"));
	}
	while (pv_parameter_next(reader, &parameter))
		take_parameter(item, &parameter);
	return true;
}

struct policies {
	struct item items[ITEMS_MAX];
	size_t count;
};

static void read_policies(struct policies *policies, struct pv_str value)
{
	struct pv_reader reader = pv_reader_of(value);
	while (policies->count < ITEMS_MAX &&
	       take_item(&reader, &policies->items[policies->count]))
		policies->count++;
}

static const struct item *find_policy(
    const struct policies *policies, struct pv_str name)
{
	for (size_t i = 0; i < policies->count; i++) {
		if (pv_str_equal(policies->items[i].name, name))
			return &policies->items[i];
	}
	return NULL;
}

/* What an item says alone, or with its policy. */
static int64_t wait_of_item(struct item *item, const struct policies *policies)
{
	const struct item *policy = find_policy(policies, item->name);
	bool is_of_requests =
	    item->is_of_requests && (!policy || policy->is_of_requests);
	if (policy && item->quota.left >= 0 && item->quota.reset_ms < 0)
		item->quota.reset_ms = policy->policy.reset_ms;
	return is_of_requests ? wait_of(item->quota) : 0;
}

struct limits {
	struct policies policies;
	struct quota parts; /* of version 07 */
	int64_t wait_ms;
	bool has_items; /* that say what is left */
};

static void read_items(struct limits *limits, struct pv_str value)
{
	struct pv_reader reader = pv_reader_of(value);
	struct item item;
	for (int i = 0; i < ITEMS_MAX && take_item(&reader, &item); i++) {
		limits->has_items |= item.quota.left >= 0;
		if (item.is_part) {
			take_left(&limits->parts, item.quota.left);
			take_reset(&limits->parts, item.quota.reset_ms);
			continue;
		}
		limits->wait_ms = longer(
		    limits->wait_ms, wait_of_item(&item, &limits->policies));
	}
}

static int64_t structured_hint(const struct pv_headers *headers)
{
	struct limits limits = {.parts = nothing};
	struct pv_str value;
	size_t at = 0;
	while (
	    pv_headers_next(headers, PV_STR("RateLimit-Policy"), &at, &value))
		read_policies(&limits.policies, value);
	at = 0;
	while (pv_headers_next(headers, PV_STR("RateLimit"), &at, &value))
		read_items(&limits, value);
	int64_t wait_ms = longer(limits.wait_ms, wait_of(limits.parts));
	for (size_t i = 0; !limits.has_items && i < limits.policies.count;
	     i++) {
		const struct item *item = &limits.policies.items[i];
		if (item->is_of_requests)
			wait_ms = longer(wait_ms, wait_of(item->policy));
	}
	return wait_ms;
}

/* Fields that say one number each */

enum part { PART_LEFT, PART_RESET };

static const struct field {
	const char *name;
	unsigned family;
	enum part part;
} fields[] = {
    {"RateLimit-Remaining", 0, PART_LEFT},
    {"RateLimit-Reset", 0, PART_RESET},
    {"X-RateLimit-Remaining", 1, PART_LEFT},
    {"X-RateLimit-Reset", 1, PART_RESET},
    {"X-RateLimit-Reset-After", 1, PART_RESET},
    {"X-Rate-Limit-Remaining", 2, PART_LEFT},
    {"X-Rate-Limit-Reset", 2, PART_RESET},
    {"X-Rate-Limit-Reset-After", 2, PART_RESET},
};

#define FIELDS (sizeof(fields) / sizeof(*fields))
#define FAMILIES 3

static int64_t plain_hint(const struct pv_headers *headers, int64_t wall_ms)
{
	struct quota quotas[FAMILIES] = {nothing, nothing, nothing};
	int64_t wait_ms = 0;
	for (size_t i = 0; i < FIELDS; i++) {
		struct quota *quota = &quotas[fields[i].family];
		struct pv_str name = pv_str_of(fields[i].name);
		struct pv_str value;
		size_t at = 0;
		while (pv_headers_next(headers, name, &at, &value)) {
			if (fields[i].part == PART_LEFT)
				take_left(quota, read_count(value));
			else
				take_reset(quota, read_reset(value, wall_ms));
		}
	}
	for (size_t i = 0; i < FAMILIES; i++)
		wait_ms = longer(wait_ms, wait_of(quotas[i]));
	return wait_ms;
}

/* All of these names hold it; nearly no answer has one. */
static bool has_any(const struct pv_headers *headers)
{
	for (size_t i = 0; i < headers->count; i++) {
		struct pv_str name = pv_headers_at(headers, i).name;
		if (name.len < 9)
			continue;
		if (pv_lower(name.ptr[0]) == 'x')
			name = pv_str_from(name, 2);
		if (pv_str_equal_nocase(pv_str_head(name, 4), PV_STR("rate")))
			return true;
	}
	return false;
}

int64_t pv_rate_limit_hint_ms(const struct pv_headers *headers, int64_t wall_ms)
{
	if (!has_any(headers))
		return 0;
	return longer(structured_hint(headers), plain_hint(headers, wall_ms));
}
