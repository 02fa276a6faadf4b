#include "fetch/ending.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include <curl/curl.h>
#include <openssl/ssl.h>
#include <uv.h>

#include "base/ascii.h"
#include "base/visible.h"

__attribute__((format(printf, 3, 0))) static void fail(
    struct pv_response *response, enum pv_outcome outcome, const char *format,
    va_list list)
{
	struct pv_buf sentence;
	pv_buf_init(&sentence, sizeof(response->why) - 1);
	pv_visible_append_format_list(&sentence, format, list);
	pv_response_fail(response, outcome, pv_buf_text(&sentence));
	pv_buf_finish(&sentence);
}

void pv_ending_set(struct pv_response *response, enum pv_outcome outcome,
    const char *format, ...)
{
	va_list list;
	if (pv_ending_is_set(response))
		return;
	va_start(list, format);
	fail(response, outcome, format, list);
	va_end(list);
}

/* "connection refused", in words that are the same everywhere. */
static const char *error_text(int error)
{
	return uv_strerror(uv_translate_sys_error(error));
}

void pv_ending_set_own(struct pv_response *response, enum pv_outcome outcome,
    const char *what, int error)
{
	if (pv_ending_is_set(response))
		return;
	pv_response_note_own_fault(response);
	pv_ending_set(response, outcome, "%s: %s", what, error_text(error));
}

bool pv_ending_is_own_error(int error)
{
	return error == EMFILE || error == ENFILE || error == EADDRNOTAVAIL ||
	       error == ENOBUFS || error == ENOMEM;
}

/* TLS */

static const struct {
	long result;
	const char *sentence;
} certificate_faults[] = {
    {X509_V_ERR_CERT_HAS_EXPIRED, "the certificate has expired"},
    {X509_V_ERR_CERT_NOT_YET_VALID, "the certificate is not valid yet"},
    {X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT, "the certificate is self-signed"},
    {X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
	"the certificate is signed by an authority that is not trusted"},
    {X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
	"the certificate is signed by an authority that is not known"},
    {X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE,
	"the certificate is signed by an authority that is not known"},
    {X509_V_ERR_CERT_REVOKED, "the certificate was revoked"},
};

static const char *certificate_fault(long result)
{
	for (size_t i = 0;
	     i < sizeof(certificate_faults) / sizeof(*certificate_faults); i++)
		if (certificate_faults[i].result == result)
			return certificate_faults[i].sentence;
	return X509_verify_cert_error_string(result);
}

/* libcurl's words, without the capital that begins them. */
static void set_words(struct pv_response *response, enum pv_outcome outcome,
    const struct pv_curl_ending *ending)
{
	const char *text = *ending->text
			       ? ending->text
			       : curl_easy_strerror((CURLcode)ending->code);
	bool is_word = pv_is_upper(text[0]) && !pv_is_upper(text[1]);
	pv_ending_set(response, outcome, "%c%s",
	    is_word ? pv_lower(text[0]) : text[0], text + 1);
}

/* OpenSSL's words: "error:0A00010B:SSL routines::wrong version number". */
static struct pv_str without_place(struct pv_str text)
{
	size_t colon = pv_str_find_last(text, ':');
	return colon == PV_NOT_FOUND
		   ? text
		   : pv_str_trim(pv_str_from(text, colon + 1));
}

static bool is_cut_handshake(const struct pv_curl_ending *ending)
{
	return ending->error || strstr(ending->text, "SSL_ERROR_SYSCALL") ||
	       strstr(ending->text, "unexpected eof");
}

static void set_handshake(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	struct pv_str words = without_place(pv_str_of(ending->text));
	if (is_cut_handshake(ending))
		pv_ending_set(response, PV_OUTCOME_NO_CONNECTION,
		    "the connection was closed within the TLS handshake");
	else if (words.len)
		pv_ending_set(response, PV_OUTCOME_TLS,
		    "the TLS handshake failed: %.*s", PV_STR_ARG(words));
	else
		set_words(response, PV_OUTCOME_TLS, ending);
}

/* What libcurl finds wrong with a name, it does not tell in numbers. */
static bool is_wrong_name(const struct pv_curl_ending *ending)
{
	return ending->verify_result == X509_V_OK ||
	       strstr(ending->text, "target host name");
}

static void set_certificate(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	if (is_wrong_name(ending))
		pv_ending_set(response, PV_OUTCOME_TLS,
		    "the certificate is for another name");
	else
		pv_ending_set(response, PV_OUTCOME_TLS, "%s",
		    certificate_fault(ending->verify_result));
}

static void set_tls(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	set_words(response, PV_OUTCOME_TLS, ending);
}

/* The connection did not come about, or it ended before it should. */
static void set_broken(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	enum pv_outcome outcome = PV_OUTCOME_BROKEN_OFF;
	if (response->stage < PV_STAGE_TLS)
		outcome = PV_OUTCOME_NO_CONNECTION;
	else if (response->stage == PV_STAGE_TLS)
		outcome = PV_OUTCOME_TLS;
	if (ending->error && pv_ending_is_own_error(ending->error))
		pv_ending_set_own(response, outcome,
		    "this machine has too few resources", ending->error);
	else if (ending->error)
		pv_ending_set(
		    response, outcome, "%s", error_text(ending->error));
	else
		set_words(response, outcome, ending);
}

static void set_no_connection(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	if (pv_ending_is_own_error(ending->error)) {
		set_broken(response, ending);
	} else {
		if (ending->error == ECONNREFUSED)
			pv_response_note_unreached(response, PV_UNREACHED_HOST);
		set_broken(response, ending);
	}
}

static void set_end(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	if (!ending->has_head) {
		pv_ending_set(response, PV_OUTCOME_BROKEN_OFF,
		    "the connection was closed within the headers");
		return;
	}
	pv_response_end(response);
}

/* libcurl calls it a lack of memory when a line does not fit into the buffer
 * that it has for one. */
static bool is_long_line(const struct pv_response *response)
{
	return response->stage == PV_STAGE_WAIT ||
	       response->stage == PV_STAGE_HEADER;
}

static void set_no_memory(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	(void)ending;
	if (is_long_line(response))
		pv_ending_set(
		    response, PV_OUTCOME_TOO_LARGE, "a header is too long");
	else
		pv_ending_set_own(response, PV_OUTCOME_NO_CONNECTION,
		    "this machine has too few resources", ENOMEM);
}

/* Before anything was sent, it is the address that libcurl cannot read. */
static void set_not_http(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	enum pv_outcome outcome = PV_OUTCOME_NOT_HTTP;
	if (response->stage < PV_STAGE_WAIT)
		outcome = PV_OUTCOME_NO_CONNECTION;
	set_words(response, outcome, ending);
}

static void set_cut(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	(void)ending;
	pv_ending_set(response, PV_OUTCOME_BROKEN_OFF,
	    "the connection was closed before the end of the body");
}

static void set_empty(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	(void)ending;
	pv_ending_set(response, PV_OUTCOME_BROKEN_OFF,
	    "the connection was closed without an answer");
}

typedef void (*set_fn)(
    struct pv_response *response, const struct pv_curl_ending *ending);

static const struct {
	int code;
	set_fn set;
} endings[] = {
    {CURLE_OK, set_end},
    {CURLE_COULDNT_CONNECT, set_no_connection},
    {CURLE_UNSUPPORTED_PROTOCOL, set_not_http},
    {CURLE_URL_MALFORMAT, set_not_http},
    {CURLE_WEIRD_SERVER_REPLY, set_not_http},
    {CURLE_BAD_CONTENT_ENCODING, set_not_http},
    {CURLE_PARTIAL_FILE, set_cut},
    {CURLE_GOT_NOTHING, set_empty},
    {CURLE_OUT_OF_MEMORY, set_no_memory},
    {CURLE_SSL_CONNECT_ERROR, set_handshake},
    {CURLE_PEER_FAILED_VERIFICATION, set_certificate},
    {CURLE_SSL_CERTPROBLEM, set_tls},
    {CURLE_SSL_CIPHER, set_tls},
    {CURLE_SSL_CACERT_BADFILE, set_tls},
    {CURLE_SSL_ISSUER_ERROR, set_tls},
#if LIBCURL_VERSION_NUM >= 0x080600
    {CURLE_TOO_LARGE, set_no_memory},
#endif
};

static set_fn find_ending(int code)
{
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (endings[i].code == code)
			return endings[i].set;
	return set_broken;
}

/* By a proxy */

void pv_ending_set_proxy(struct pv_response *response, const char *format, ...)
{
	va_list list;
	if (pv_ending_is_set(response))
		return;
	pv_response_note_own_fault(response);
	pv_response_note_unreached(response, PV_UNREACHED_PROXY);
	va_start(list, format);
	fail(response, PV_OUTCOME_NO_CONNECTION, format, list);
	va_end(list);
}

/* What a SOCKS proxy says of the host (RFC 1928, 6). */
static const char *host_fault(long proxy_error)
{
	switch (proxy_error) {
	case CURLPX_REPLY_CONNECTION_REFUSED:
		return "connection refused";
	case CURLPX_REPLY_HOST_UNREACHABLE:
	case CURLPX_RESOLVE_HOST:
		return "host is unreachable";
	case CURLPX_REPLY_NETWORK_UNREACHABLE:
		return "network is unreachable";
	case CURLPX_REPLY_TTL_EXPIRED:
		return "the connection timed out";
	case CURLPX_REPLY_NOT_ALLOWED:
		return "its rules forbid it";
	case CURLPX_REPLY_GENERAL_SERVER_FAILURE:
		return "it does not say why";
	default:
		return NULL;
	}
}

#define NO_LOGIN 407

static bool is_proxy_lost(const struct pv_curl_ending *ending)
{
	return ending->code == CURLE_COULDNT_RESOLVE_PROXY ||
	       (ending->code == CURLE_COULDNT_CONNECT &&
		   !ending->is_connected);
}

/* Whether the proxy is why it ended so; a lack of this machine's is not. */
static bool set_by_proxy(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	const char *fault = ending->code == CURLE_PROXY
				? host_fault(ending->proxy_error)
				: NULL;
	if (pv_ending_is_own_error(ending->error))
		return false;
	if (is_proxy_lost(ending))
		pv_ending_set_proxy(response,
		    "cannot connect to the proxy %s (%s)", ending->proxy,
		    ending->error ? error_text(ending->error)
				  : curl_easy_strerror((CURLcode)ending->code));
	else if (ending->connect_status == NO_LOGIN)
		pv_ending_set_proxy(response,
		    "the proxy %s asks for a name and a password (407)",
		    ending->proxy);
	else if (ending->is_proxy_tls)
		pv_ending_set_proxy(response,
		    "cannot connect to the proxy %s (%s)", ending->proxy,
		    *ending->text ? ending->text
				  : curl_easy_strerror((CURLcode)ending->code));
	else if (fault)
		pv_ending_set(response, PV_OUTCOME_NO_CONNECTION,
		    "the proxy %s cannot reach the host (%s)", ending->proxy,
		    fault);
	else if (ending->code == CURLE_PROXY)
		pv_ending_set_proxy(response,
		    "the proxy %s does not let us in (%s)", ending->proxy,
		    ending->text);
	else if (ending->connect_status >= 300)
		pv_ending_set(response, PV_OUTCOME_NO_CONNECTION,
		    "the proxy %s cannot reach the host (it answers %ld)",
		    ending->proxy, ending->connect_status);
	return pv_ending_is_set(response);
}

void pv_ending_set_curl(
    struct pv_response *response, const struct pv_curl_ending *ending)
{
	if (pv_ending_is_set(response))
		return;
	if (!ending->proxy || !set_by_proxy(response, ending))
		find_ending(ending->code)(response, ending);
}
