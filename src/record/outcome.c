#include "record/outcome.h"

static const struct {
	const char *word;
	const char *sentence;
} rows[PV_OUTCOME_COUNT] = {
    [PV_OUTCOME_NONE] = {"none", ""},
    [PV_OUTCOME_ANSWERED] = {"answered", "answered"},
    [PV_OUTCOME_NO_NAME] = {"no-name", "on hosts whose name does not exist"},
    [PV_OUTCOME_NO_CONNECTION] = {"no-connection",
	"on hosts that cannot be reached"},
    [PV_OUTCOME_TLS] = {"tls", "on hosts whose TLS certificate is not valid"},
    [PV_OUTCOME_TIMEOUT] = {"timeout", "too slow"},
    [PV_OUTCOME_BROKEN_OFF] = {"broken-off", "broken off"},
    [PV_OUTCOME_NOT_HTTP] = {"not-http", "not answered in HTTP"},
    [PV_OUTCOME_TOO_LARGE] = {"too-large", "too large"},
    [PV_OUTCOME_NOT_ACCEPTED] = {"not-accepted",
	"of a type that fetch.accept does not list"},
};

const char *pv_outcome_word(unsigned outcome)
{
	return outcome < PV_OUTCOME_COUNT ? rows[outcome].word : "unknown";
}

const char *pv_outcome_sentence(unsigned outcome)
{
	return outcome < PV_OUTCOME_COUNT ? rows[outcome].sentence : "";
}
