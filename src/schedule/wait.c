#include "schedule/wait.h"

static const char *const texts[] = {
    [PV_WAIT_NOT] = "for nothing",
    [PV_WAIT_DELAY] = "for its delay to pass",
    [PV_WAIT_CRAWL_DELAY] = "as long as the Crawl-delay of its robots.txt asks",
    [PV_WAIT_SLOW] = "longer, because its last answer took long",
    [PV_WAIT_HOST_RATE] = "because its own max_rate is used up",
    [PV_WAIT_RETRY_AFTER] = "as long as its Retry-After asks",
    [PV_WAIT_FAILURE] = "because it failed",
    [PV_WAIT_OVERLOAD] = "because it is overloaded (429 or 503)",
    [PV_WAIT_CONNECTING] = "for a request that is being sent",
    [PV_WAIT_CONNECTIONS] =
	"for an answer: no more connections are allowed at once",
    [PV_WAIT_ADDRESS] = "for its ip_delay to pass",
    [PV_WAIT_ADDRESS_FAILURE] = "because its IP address could not be reached",
    [PV_WAIT_HOURS] = "for the policy's allowed_hours",
    [PV_WAIT_VISIT_TIME] = "for the Visit-time of its robots.txt",
    [PV_WAIT_PARKED] = "until the crawl resumes it",
    [PV_WAIT_OTHERS] = "for another crawl on this machine",
    [PV_WAIT_NO_VISITS] = "for an address to request",
    [PV_WAIT_RATE] = "because the crawl's max_rate is used up",
    [PV_WAIT_CONCURRENCY] = "for a place among the requests in flight",
    [PV_WAIT_HELD] = "because the crawl starts no requests now",
    [PV_WAIT_SLOWED] = "longer, because it was overloaded (429 or 503)",
    [PV_WAIT_HINT] = "as its RateLimit headers suggest",
    [PV_WAIT_PROBE] = "for the request that tests whether it has recovered",
    [PV_WAIT_NAME] = "for its name, which could not be resolved",
    [PV_WAIT_ROBOTS] = "for its robots.txt, which cannot be fetched",
    [PV_WAIT_TRY_AGAIN] = "before it retries a failed request",
    [PV_WAIT_FORGOTTEN] = "because too many hosts have a clock in memory",
    [PV_WAIT_PAUSED] = "because it is paused",
    [PV_WAIT_PROXY] = "for a proxy: none can be reached",
    [PV_WAIT_ALL_CRAWLS] =
	"because the rate of all crawls of this program is used up",
    [PV_WAIT_FLEET] = "for the fleet's database",
};

static const char *const words[] = {
    [PV_WAIT_NOT] = "nothing",
    [PV_WAIT_DELAY] = "delay",
    [PV_WAIT_CRAWL_DELAY] = "crawl-delay",
    [PV_WAIT_SLOW] = "slow",
    [PV_WAIT_HOST_RATE] = "host-rate",
    [PV_WAIT_RETRY_AFTER] = "retry-after",
    [PV_WAIT_FAILURE] = "failure",
    [PV_WAIT_OVERLOAD] = "overload",
    [PV_WAIT_CONNECTING] = "connecting",
    [PV_WAIT_CONNECTIONS] = "connections",
    [PV_WAIT_ADDRESS] = "address",
    [PV_WAIT_ADDRESS_FAILURE] = "address-failure",
    [PV_WAIT_HOURS] = "hours",
    [PV_WAIT_VISIT_TIME] = "visit-time",
    [PV_WAIT_PARKED] = "parked",
    [PV_WAIT_OTHERS] = "other-crawl",
    [PV_WAIT_NO_VISITS] = "no-visits",
    [PV_WAIT_RATE] = "rate",
    [PV_WAIT_CONCURRENCY] = "concurrency",
    [PV_WAIT_HELD] = "held",
    [PV_WAIT_SLOWED] = "slowed",
    [PV_WAIT_HINT] = "hint",
    [PV_WAIT_PROBE] = "probe",
    [PV_WAIT_NAME] = "name",
    [PV_WAIT_ROBOTS] = "robots",
    [PV_WAIT_TRY_AGAIN] = "try-again",
    [PV_WAIT_FORGOTTEN] = "forgotten",
    [PV_WAIT_PAUSED] = "paused",
    [PV_WAIT_PROXY] = "proxy",
    [PV_WAIT_ALL_CRAWLS] = "all-crawls",
    [PV_WAIT_FLEET] = "fleet",
};

static const char *const names[] = {
    [PV_WAIT_NOT] = "nothing",
    [PV_WAIT_DELAY] = "delay",
    [PV_WAIT_CRAWL_DELAY] = "Crawl-delay",
    [PV_WAIT_SLOW] = "its last answer took long",
    [PV_WAIT_HOST_RATE] = "max_rate of the host",
    [PV_WAIT_RETRY_AFTER] = "Retry-After",
    [PV_WAIT_FAILURE] = "back-off after a failure",
    [PV_WAIT_OVERLOAD] = "back-off after 429 or 503",
    [PV_WAIT_CONNECTING] = "a request is being sent",
    [PV_WAIT_CONNECTIONS] = "an answer is on its way",
    [PV_WAIT_ADDRESS] = "ip_delay",
    [PV_WAIT_ADDRESS_FAILURE] = "back-off, no connection",
    [PV_WAIT_HOURS] = "allowed_hours",
    [PV_WAIT_VISIT_TIME] = "Visit-time",
    [PV_WAIT_PARKED] = "its name is looked up",
    [PV_WAIT_OTHERS] = "another crawl",
    [PV_WAIT_NO_VISITS] = "no address",
    [PV_WAIT_RATE] = "max_rate of the crawl",
    [PV_WAIT_CONCURRENCY] = "concurrency",
    [PV_WAIT_HELD] = "the crawl starts no requests",
    [PV_WAIT_SLOWED] = "slower after 429 or 503",
    [PV_WAIT_HINT] = "RateLimit",
    [PV_WAIT_PROBE] = "back-off, a probe is next",
    [PV_WAIT_NAME] = "its name cannot be resolved",
    [PV_WAIT_ROBOTS] = "robots.txt cannot be fetched",
    [PV_WAIT_TRY_AGAIN] = "retry of a failed request",
    [PV_WAIT_FORGOTTEN] = "too many hosts",
    [PV_WAIT_PAUSED] = "paused",
    [PV_WAIT_PROXY] = "no proxy can be reached",
    [PV_WAIT_ALL_CRAWLS] = "rate of all crawls",
    [PV_WAIT_FLEET] = "the fleet's database",
};

bool pv_wait_is_after_failure(enum pv_wait_reason reason)
{
	switch (reason) {
	case PV_WAIT_RETRY_AFTER:
	case PV_WAIT_FAILURE:
	case PV_WAIT_OVERLOAD:
	case PV_WAIT_ADDRESS_FAILURE:
	case PV_WAIT_SLOWED:
	case PV_WAIT_PROBE:
	case PV_WAIT_NAME:
	case PV_WAIT_ROBOTS:
	case PV_WAIT_TRY_AGAIN:
	case PV_WAIT_PROXY:
		return true;
	default:
		return false;
	}
}

const char *pv_wait_word(enum pv_wait_reason reason)
{
	return words[reason];
}

const char *pv_wait_text(enum pv_wait_reason reason)
{
	return texts[reason];
}

const char *pv_wait_name(enum pv_wait_reason reason)
{
	return names[reason];
}
