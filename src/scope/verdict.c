#include "scope/verdict.h"

#include "policy/units.h"

static const char *const names[PV_SCOPE_REASONS] = {
    [PV_SCOPE_SEED] = "seed",
    [PV_SCOPE_ALLOWED] = "allow",
    [PV_SCOPE_SITEMAP] = "sitemap",
    [PV_SCOPE_REQUISITE] = "requisite",
    [PV_SCOPE_INSIDE] = "inside",
    [PV_SCOPE_HOP] = "hop",
    [PV_SCOPE_NEVER] = "never",
    [PV_SCOPE_TOO_LONG] = "max_url",
    [PV_SCOPE_PORT] = "port",
    [PV_SCOPE_CREDENTIALS] = "credentials",
    [PV_SCOPE_CHAINED] = "chain",
    [PV_SCOPE_SEGMENTS] = "segments",
    [PV_SCOPE_REPEATS] = "repeats",
    [PV_SCOPE_TYPE] = "type",
    [PV_SCOPE_PARAMETERS] = "parameters",
    [PV_SCOPE_SAME_PARAMETER] = "same-parameter",
    [PV_SCOPE_ESCAPED] = "escaped",
    [PV_SCOPE_NESTED] = "nested",
    [PV_SCOPE_AHEAD] = "ahead",
    [PV_SCOPE_BACK] = "back",
    [PV_SCOPE_DENIED] = "deny",
    [PV_SCOPE_GAVE_UP] = "pattern",
    [PV_SCOPE_OTHER_HOST] = "hosts",
    [PV_SCOPE_NOT_BELOW] = "below",
    [PV_SCOPE_TOO_DEEP] = "depth",
    [PV_SCOPE_TOO_FAR] = "hops",
};

const char *pv_scope_reason_name(enum pv_scope_reason reason)
{
	return names[reason];
}

static void write_hosts(enum pv_scope_hosts hosts, struct pv_buf *buf)
{
	static const char *const meant[] = {
	    [PV_HOSTS_SAME] = "on the host of a seed",
	    [PV_HOSTS_SITE] = "on the site of a seed",
	    [PV_HOSTS_ANY] = "on any host",
	    [PV_HOSTS_LISTED] = "on a host that is listed",
	};
	pv_buf_append_text(buf, meant[hosts]);
}

static void write_rule(
    const struct pv_scope_verdict *verdict, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "rule %u, ", verdict->number);
	pv_rule_write(verdict->rule, buf);
}

static void write_admitted(
    const struct pv_scope_verdict *verdict, struct pv_buf *buf)
{
	switch (verdict->reason) {
	case PV_SCOPE_SEED:
		pv_buf_append_text(buf, "a seed");
		break;
	case PV_SCOPE_ALLOWED:
		write_rule(verdict, buf);
		break;
	case PV_SCOPE_SITEMAP:
		pv_buf_append_text(buf, "a sitemap of a host in scope");
		break;
	case PV_SCOPE_REQUISITE:
		pv_buf_append_text(buf, "a part of a page in scope");
		break;
	case PV_SCOPE_HOP:
		pv_buf_append_format(buf,
		    "off scope, but hop %lld of at most %lld",
		    (long long)verdict->found, (long long)verdict->limit);
		break;
	default:
		write_hosts(verdict->hosts, buf);
		break;
	}
}

/* What a rule or never.txt decided, or where the link lies. */
static void write_refused(
    const struct pv_scope_verdict *verdict, struct pv_buf *buf)
{
	switch (verdict->reason) {
	case PV_SCOPE_NEVER:
		pv_buf_append_format(buf,
		    "its owner asked us away: never.txt, line %u",
		    verdict->number);
		break;
	case PV_SCOPE_PORT:
		pv_buf_append_format(buf,
		    "port %lld is another protocol's, and neither seeds nor "
		    "domains nor fetch.resolve name it",
		    (long long)verdict->found);
		break;
	case PV_SCOPE_CREDENTIALS:
		pv_buf_append_text(
		    buf, "carries a user name or password that no seed gives");
		break;
	case PV_SCOPE_TYPE:
		pv_buf_append_format(buf,
		    "its name tells %s, which fetch.accept does not have",
		    verdict->type);
		break;
	case PV_SCOPE_DENIED:
		write_rule(verdict, buf);
		break;
	case PV_SCOPE_GAVE_UP:
		write_rule(verdict, buf);
		pv_buf_append_text(buf,
		    ": its pattern reached the limit of a match, which "
		    "denies");
		break;
	case PV_SCOPE_OTHER_HOST:
		pv_buf_append_text(buf, "not ");
		write_hosts(verdict->hosts, buf);
		break;
	default:
		pv_buf_append_text(buf, "not below the path of a seed");
		break;
	}
}

/* Where a number passed its limit: what is said around the two. */
static const struct {
	const char *before;
	const char *between;
	enum pv_unit_kind unit; /* of the limit */
} passed_limits[PV_SCOPE_REASONS] = {
    [PV_SCOPE_TOO_LONG] = {"", " bytes long, and max_url is ", PV_UNIT_NONE},
    [PV_SCOPE_CHAINED] = {"",
	" resources in a row that only resources ask for, of at most ",
	PV_UNIT_NONE},
    [PV_SCOPE_SEGMENTS] = {"", " segments in its path, and traps.segments is ",
	PV_UNIT_NONE},
    [PV_SCOPE_REPEATS] = {"",
	" times one segment in its path, and traps.repeats is ", PV_UNIT_NONE},
    [PV_SCOPE_PARAMETERS] = {"", " parameters, and traps.parameters is ",
	PV_UNIT_NONE},
    [PV_SCOPE_SAME_PARAMETER] = {"",
	" times one parameter in its query, and traps.repeats is ",
	PV_UNIT_NONE},
    [PV_SCOPE_ESCAPED] = {"escaped ", " times over, and traps.repeats is ",
	PV_UNIT_NONE},
    [PV_SCOPE_NESTED] = {"",
	" times a query within itself, and traps.repeats is ", PV_UNIT_NONE},
    [PV_SCOPE_AHEAD] = {"has a date ",
	" days ahead, and traps.calendar.ahead is ", PV_UNIT_TIME},
    [PV_SCOPE_BACK] = {"has a date ", " days back, and traps.calendar.back is ",
	PV_UNIT_TIME},
    [PV_SCOPE_TOO_DEEP] = {"at depth ", ", and depth is ", PV_UNIT_NONE},
    [PV_SCOPE_TOO_FAR] = {"", " pages off scope, and hops is ", PV_UNIT_NONE},
};

static void write_passed_limit(
    const struct pv_scope_verdict *verdict, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "%s%lld%s",
	    passed_limits[verdict->reason].before, (long long)verdict->found,
	    passed_limits[verdict->reason].between);
	pv_unit_write(passed_limits[verdict->reason].unit, verdict->limit, buf);
}

void pv_scope_verdict_write(
    const struct pv_scope_verdict *verdict, struct pv_buf *buf)
{
	if (passed_limits[verdict->reason].between)
		write_passed_limit(verdict, buf);
	else if (pv_scope_is_admitted(verdict))
		write_admitted(verdict, buf);
	else
		write_refused(verdict, buf);
}
