#include "record/outcome.h"

static const char *const words[PV_OUTCOME_COUNT] = {
    [PV_OUTCOME_NONE] = "none",
    [PV_OUTCOME_ANSWERED] = "answered",
    [PV_OUTCOME_NO_NAME] = "no-name",
    [PV_OUTCOME_NO_CONNECTION] = "no-connection",
    [PV_OUTCOME_TLS] = "tls",
    [PV_OUTCOME_TIMEOUT] = "timeout",
    [PV_OUTCOME_BROKEN_OFF] = "broken-off",
    [PV_OUTCOME_NOT_HTTP] = "not-http",
    [PV_OUTCOME_TOO_LARGE] = "too-large",
    [PV_OUTCOME_NOT_ACCEPTED] = "not-accepted",
};

const char *pv_outcome_word(unsigned outcome)
{
	return outcome < PV_OUTCOME_COUNT ? words[outcome] : "unknown";
}
