#include "fetch/jar.h"

#include "base/alloc.h"

static void lock(
    CURL *easy, curl_lock_data data, curl_lock_access access, void *ctx)
{
	struct pv_jar *jar = ctx;
	(void)easy;
	(void)access;
	pthread_mutex_lock(&jar->shared[data]);
}

static void unlock(CURL *easy, curl_lock_data data, void *ctx)
{
	struct pv_jar *jar = ctx;
	(void)easy;
	pthread_mutex_unlock(&jar->shared[data]);
}

static void init_locks(struct pv_jar *jar)
{
	for (int i = 0; i < CURL_LOCK_DATA_LAST; i++)
		pthread_mutex_init(&jar->shared[i], NULL);
	pthread_mutex_init(&jar->mutex, NULL);
	curl_share_setopt(jar->share, CURLSHOPT_LOCKFUNC, lock);
	curl_share_setopt(jar->share, CURLSHOPT_UNLOCKFUNC, unlock);
	curl_share_setopt(jar->share, CURLSHOPT_USERDATA, jar);
}

void pv_jar_init(struct pv_jar *jar, bool has_cookies)
{
	*jar = (struct pv_jar){
	    .share = curl_share_init(), .has_cookies = has_cookies};
	pv_cookies_init(&jar->given);
	if (!jar->share)
		pv_alloc_fail(1, sizeof(void *));
	init_locks(jar);
	curl_share_setopt(
	    jar->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
	if (has_cookies)
		curl_share_setopt(
		    jar->share, CURLSHOPT_SHARE, CURL_LOCK_DATA_COOKIE);
}

void pv_jar_finish(struct pv_jar *jar)
{
	curl_share_cleanup(jar->share);
	pv_cookies_finish(&jar->given);
	for (int i = 0; i < CURL_LOCK_DATA_LAST; i++)
		pthread_mutex_destroy(&jar->shared[i]);
	pthread_mutex_destroy(&jar->mutex);
}

/* A file without a name has no cookies, and turns them on. */
void pv_jar_join(const struct pv_jar *jar, CURL *easy)
{
	curl_easy_setopt(easy, CURLOPT_SHARE, jar->share);
	if (jar->has_cookies)
		curl_easy_setopt(easy, CURLOPT_COOKIEFILE, "");
}

/* libcurl reads lines of such a file, and leaves out what has expired or is for
 * a public suffix. */
static void put_given(const struct pv_jar *jar, CURL *easy)
{
	struct pv_buf line;
	pv_buf_init(&line, SIZE_MAX);
	for (size_t i = 0; i < jar->given.count; i++) {
		pv_buf_clear(&line);
		pv_cookie_write(&jar->given.items[i], &line);
		curl_easy_setopt(easy, CURLOPT_COOKIELIST, pv_buf_text(&line));
	}
	pv_buf_finish(&line);
}

bool pv_jar_fill(struct pv_jar *jar, const char *path, struct pv_why *why)
{
	if (!pv_cookies_read_file(&jar->given, path, why))
		return false;
	CURL *easy = curl_easy_init();
	if (!easy)
		pv_alloc_fail(1, sizeof(void *));
	pv_jar_join(jar, easy);
	put_given(jar, easy);
	curl_easy_cleanup(easy);
	return true;
}

static size_t count_cookies(CURL *easy)
{
	struct curl_slist *list = NULL;
	size_t count = 0;
	curl_easy_getinfo(easy, CURLINFO_COOKIELIST, &list);
	for (const struct curl_slist *at = list; at; at = at->next)
		count++;
	curl_slist_free_all(list);
	return count;
}

/* Most of what comes takes the place of what is there, so it is counted what
 * there really is, but only each time that so many have come. */
static void count_set(struct pv_jar *jar, size_t count, CURL *easy)
{
	jar->set_count += count;
	if (jar->set_count <= PV_JAR_COOKIES_MAX)
		return;
	size_t kept = count_cookies(easy);
	if (kept > PV_JAR_COOKIES_MAX / 2) {
		curl_easy_setopt(easy, CURLOPT_COOKIELIST, "ALL");
		put_given(jar, easy);
		kept = 0;
	}
	jar->set_count = kept;
}

void pv_jar_count(struct pv_jar *jar, size_t count, CURL *easy)
{
	if (!jar->has_cookies || !count)
		return;
	pthread_mutex_lock(&jar->mutex);
	count_set(jar, count, easy);
	pthread_mutex_unlock(&jar->mutex);
}
