#include "fetch/own_head.h"

#include "fetch/fetch.h"
#include "tap.h"

static char empty[] = "X-Empty;";
static char other[] = "Authorization: Basic other";
static char language[] = "Accept-Language: en";
static struct curl_slist last = {empty, NULL};
static struct curl_slist middle = {other, &last};
static struct curl_slist first = {language, &middle};

/* The lines, with a bar between them. */
static void is_lines(const struct pv_request *request, const char *wanted,
    const char *claim)
{
	struct pv_own_head head;
	struct pv_buf text;
	pv_own_head_init(&head);
	pv_buf_init(&text, SIZE_MAX);
	for (int i = 0; i < 2; i++) {
		pv_buf_clear(&text);
		for (const struct curl_slist *line =
			 pv_own_head_over(&head, request, &first);
		     line; line = line->next)
			pv_buf_append_format(&text, "%s%s", line->data,
			    line->next ? "|" : "");
		is_text(pv_buf_str(&text), wanted, "%s%s", claim,
		    i ? ", and again" : "");
	}
	pv_buf_finish(&text);
	pv_own_head_finish(&head);
}

int main(void)
{
	struct pv_pair pairs[] = {{"accept-language", "fr"}, {"X-Key", "k"},
	    {"X-Empty", ""}};
	struct pv_pair login[] = {{"authorization", "Basic mine"}};
	struct pv_pair beginning[] = {{"Accept", "text/html"}};
	is_lines(&(struct pv_request){.is_any_type = true},
	    "Accept-Language: en|Authorization: Basic other|X-Empty;",
	    "a request without lines of its own has those of all");
	is_lines(&(struct pv_request){.headers = {pairs, 3}},
	    "Authorization: Basic other|accept-language: fr|X-Key: k|X-Empty;",
	    "its own are in the place of those of the same name");
	is_lines(&(struct pv_request){.authorization = "Bearer t"},
	    "Accept-Language: en|X-Empty;|Authorization: Bearer t",
	    "as whom it comes is said once");
	is_lines(&(struct pv_request){.headers = {login, 1},
		     .authorization = "Bearer t"},
	    "Accept-Language: en|X-Empty;|Authorization: Bearer t",
	    "and a user counts before a header");
	is_lines(&(struct pv_request){.headers = {beginning, 1}},
	    "Accept-Language: en|Authorization: Basic other|X-Empty;|"
	    "Accept: text/html",
	    "the beginning of a name is another name");
	return tap_done();
}
