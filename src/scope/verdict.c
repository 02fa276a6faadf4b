#include "scope/verdict.h"

#include "policy/values/units.h"

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
	switch (verdict->step) {
	case PV_STEP_SEED:
		pv_buf_append_text(buf, "a seed");
		break;
	case PV_STEP_RULES:
		write_rule(verdict, buf);
		break;
	case PV_STEP_SITEMAP:
		pv_buf_append_text(buf, "a sitemap of a host in scope");
		break;
	case PV_STEP_REQUISITES:
		pv_buf_append_text(buf, "a resource of a page in scope");
		break;
	case PV_STEP_HOPS:
		pv_buf_append_format(buf,
		    "out of scope, but hop %lld of at most %lld",
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
	switch (verdict->step) {
	case PV_STEP_NEVER:
		pv_buf_append_format(buf,
		    "its host is listed in never.txt, line %u",
		    verdict->number);
		break;
	case PV_STEP_PORT:
		pv_buf_append_format(buf,
		    "port %lld belongs to another protocol, and neither seeds "
		    "nor domains nor fetch.resolve name it",
		    (long long)verdict->found);
		break;
	case PV_STEP_CREDENTIALS:
		pv_buf_append_text(
		    buf, "has a user name or password that no seed has");
		break;
	case PV_STEP_TYPE:
		pv_buf_append_format(buf,
		    "its file extension means %s, which fetch.accept does not "
		    "list",
		    verdict->type);
		break;
	case PV_STEP_RULES:
		write_rule(verdict, buf);
		if (verdict->reason == PV_REASON_RULE_GAVE_UP)
			pv_buf_append_text(buf,
			    ": its pattern took too long to match, so the "
			    "address is denied");
		break;
	case PV_STEP_HOSTS:
		pv_buf_append_text(buf, "not ");
		write_hosts(verdict->hosts, buf);
		break;
	default:
		pv_buf_append_text(buf, verdict->reason == PV_REASON_OTHER_PORT
					    ? "at another port of a seed's host"
					    : "not below the path of a seed");
		break;
	}
}

/* Where a number passed its limit: what is said around the two. */
static const struct {
	const char *before;
	const char *between;
	enum pv_unit_kind unit; /* of the limit */
} passed_limits[PV_STEPS] = {
    [PV_STEP_MAX_URL] = {"", " bytes long, and max_url is ", PV_UNIT_NONE},
    [PV_STEP_CHAIN] = {"",
	" resources in a row that only resources ask for, of at most ",
	PV_UNIT_NONE},
    [PV_STEP_SEGMENTS] = {"", " segments in its path, and traps.segments is ",
	PV_UNIT_NONE},
    [PV_STEP_REPEATS] = {"",
	" times one segment in its path, and traps.repeats is ", PV_UNIT_NONE},
    [PV_STEP_PARAMETERS] = {"", " parameters, and traps.parameters is ",
	PV_UNIT_NONE},
    [PV_STEP_SAME_PARAMETER] = {"",
	" times one parameter in its query, and traps.repeats is ",
	PV_UNIT_NONE},
    [PV_STEP_ESCAPED] = {"escaped ", " times over, and traps.repeats is ",
	PV_UNIT_NONE},
    [PV_STEP_NESTED] = {"",
	" times a query within itself, and traps.repeats is ", PV_UNIT_NONE},
    [PV_STEP_AHEAD] = {"has a date ",
	" days ahead, and traps.calendar.ahead is ", PV_UNIT_TIME},
    [PV_STEP_BACK] = {"has a date ", " days back, and traps.calendar.back is ",
	PV_UNIT_TIME},
    [PV_STEP_DEPTH] = {"at depth ", ", and depth is ", PV_UNIT_NONE},
    [PV_STEP_HOPS] = {"", " pages off scope, and hops is ", PV_UNIT_NONE},
};

static void write_passed_limit(
    const struct pv_scope_verdict *verdict, struct pv_buf *buf)
{
	pv_buf_append_format(buf, "%s%lld%s",
	    passed_limits[verdict->step].before, (long long)verdict->found,
	    passed_limits[verdict->step].between);
	pv_unit_write(passed_limits[verdict->step].unit, verdict->limit, buf);
}

void pv_scope_verdict_write(
    const struct pv_scope_verdict *verdict, struct pv_buf *buf)
{
	if (pv_scope_is_admitted(verdict))
		write_admitted(verdict, buf);
	else if (passed_limits[verdict->step].between)
		write_passed_limit(verdict, buf);
	else
		write_refused(verdict, buf);
}
