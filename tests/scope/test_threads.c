#include "scope/scope.h"

#include <pthread.h>

#include "scope/judge.h"

/* Several threads judge while another learns where seeds redirect to. */

#define JUDGES 4
#define REDIRECTS 200

struct watch {
	struct pv_scope *scope;
	unsigned news;
	unsigned steps_back; /* times that a host in scope was out again */
	unsigned known;      /* hosts in scope at the end */
};

static void write_host(struct pv_buf *text, unsigned number)
{
	pv_buf_clear(text);
	pv_buf_append_format(text,
	    "https://h%u.test/aaaaaaaaaaaaaaaaaaaaaaaa"
	    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	    number);
}

static struct pv_scope_verdict judge_host(
    const struct pv_scope *scope, struct pv_url *url, unsigned number)
{
	struct pv_buf text;
	struct pv_scope_link link = {.url = url, .depth = 1};
	pv_buf_init(&text, 256);
	write_host(&text, number);
	pv_url_parse(url, pv_buf_str(&text));
	pv_buf_finish(&text);
	return pv_scope_judge(scope, &link);
}

static void *watch_hosts(void *ctx)
{
	struct watch *watch = ctx;
	struct pv_url url;
	pv_url_init(&url, 256);
	while (watch->known < REDIRECTS) {
		struct pv_scope_verdict verdict =
		    judge_host(watch->scope, &url, watch->known);
		watch->known += pv_scope_is_admitted(&verdict);
		if (!watch->known)
			continue;
		verdict = judge_host(watch->scope, &url, watch->known - 1);
		watch->steps_back += !pv_scope_is_admitted(&verdict);
	}
	watch->news += judge_host(watch->scope, &url, REDIRECTS).is_news;
	pv_url_finish(&url);
	return NULL;
}

static void add_redirects(struct pv_scope *scope)
{
	struct pv_buf text;
	struct pv_url url;
	pv_buf_init(&text, 256);
	pv_url_init(&url, 256);
	for (unsigned i = 0; i < REDIRECTS; i++) {
		write_host(&text, i);
		pv_url_parse(&url, pv_buf_str(&text));
		pv_scope_add_redirect(scope, &url);
	}
	pv_url_finish(&url);
	pv_buf_finish(&text);
}

int main(void)
{
	struct court court;
	struct watch watches[JUDGES] = {{0}};
	pthread_t threads[JUDGES];
	unsigned steps_back = 0, news = 0;
	open_court(&court, "[https://docs.example.org/]",
	    "{rules: [{deny: {host: h200.test, url: '(?:a+)+[yz]'}}]}");
	for (int i = 0; i < JUDGES; i++) {
		watches[i].scope = court.scope;
		pthread_create(&threads[i], NULL, watch_hosts, &watches[i]);
	}
	add_redirects(court.scope);
	for (int i = 0; i < JUDGES; i++) {
		pthread_join(threads[i], NULL);
		ok(watches[i].known == REDIRECTS,
		    "a judge learns of every redirect");
		steps_back += watches[i].steps_back;
		news += watches[i].news;
	}
	ok(steps_back == 0, "and forgets none");
	ok(news == 1, "P4: a pattern at its limit is news to one of them");
	close_court(&court);
	return tap_done();
}
