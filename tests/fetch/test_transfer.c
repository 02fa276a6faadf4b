#include "fetch/transfer.h"

#include "record/response.h"
#include "tap.h"
#include "url/url.h"

#define CEILING 1000

/* What a caller has, and the transfer that carries it. */
struct scene {
	struct pv_url url;
	struct pv_response response;
	struct pv_request request;
	struct pv_transfer *transfer;
};

static void begin(struct scene *scene, const char *url)
{
	*scene = (struct scene){.transfer = pv_transfer_create()};
	pv_url_init(&scene->url, 8192);
	pv_url_parse(&scene->url, pv_str_of(url));
	pv_response_init(&scene->response, ".", CEILING);
	scene->request = (struct pv_request){
	    .url = &scene->url, .response = &scene->response, .ctx = scene};
}

static void end(struct scene *scene)
{
	pv_transfer_destroy(scene->transfer);
	pv_response_finish(&scene->response);
	pv_url_finish(&scene->url);
}

static void test_request(void)
{
	struct scene scene;
	char tag[] = "\"tag\"";
	begin(&scene, "https://a.test/page");
	scene.request.entity_tag = pv_str_of(tag);
	pv_transfer_load(scene.transfer, &scene.request);
	pv_url_parse(&scene.url, PV_STR("http://b.test/"));
	memset(tag, 'x', sizeof(tag) - 1);
	ok(scene.transfer->is_tls && !scene.transfer->request.url,
	    "a transfer knows whether it goes over TLS");
	is_text(pv_buf_str(&scene.transfer->url), "https://a.test/page",
	    "it has its URL for itself");
	is_text(scene.transfer->request.entity_tag, "\"tag\"",
	    "and the entity-tag");
	pv_transfer_unload(scene.transfer);
	end(&scene);
}

static void test_part(void)
{
	struct scene scene;
	char validator[] = "\"v\"";
	char headers[] = "ETag: x\r\n";
	struct pv_part part = {.size = 7, .complete = 9, .digest = {1, 2}};
	begin(&scene, "http://a.test/");
	part.validator = pv_str_of(validator);
	part.headers = pv_str_of(headers);
	scene.request.part = &part;
	pv_transfer_load(scene.transfer, &scene.request);
	memset(validator, 'x', sizeof(validator) - 1);
	memset(headers, 'x', sizeof(headers) - 1);
	part = (struct pv_part){.size = 0};
	const struct pv_part *kept = scene.transfer->request.part;
	ok(kept != &part && kept->size == 7 && kept->complete == 9 &&
		kept->digest[1] == 2,
	    "the part is copied");
	is_text(kept->validator, "\"v\"", "with its validator");
	is_text(kept->headers, "ETag: x\r\n", "and its headers");
	pv_transfer_unload(scene.transfer);
	scene.request.part = NULL;
	pv_transfer_load(scene.transfer, &scene.request);
	ok(!scene.transfer->request.part, "the next request has none of it");
	pv_transfer_unload(scene.transfer);
	end(&scene);
}

static void test_response(void)
{
	struct scene scene;
	begin(&scene, "http://a.test/");
	pv_body_append(&scene.response.body, PV_STR("memory"));
	pv_response_clear(&scene.response, CEILING);
	pv_transfer_load(scene.transfer, &scene.request);
	struct pv_response *taken = &scene.transfer->response;
	ok(scene.transfer->request.response == taken &&
		taken->body.ceiling == CEILING,
	    "the lane writes to a response of the transfer's");
	pv_body_append(&taken->body, PV_STR("a body"));
	const char *bytes = pv_body_text(&taken->body).ptr;
	taken->http_status = 200;
	ok(scene.response.body.size == 0 && !scene.response.http_status &&
		scene.response.body.ceiling == CEILING,
	    "and the caller's is empty meanwhile");
	pv_transfer_unload(scene.transfer);
	is_text(pv_body_text(&scene.response.body), "a body",
	    "until it is given back");
	ok(scene.response.http_status == 200 &&
		pv_body_text(&scene.response.body).ptr == bytes,
	    "with its memory");
	end(&scene);
}

/* A leak is seen with the address sanitizer. */
static void test_dropped(void)
{
	struct scene scene;
	begin(&scene, "http://a.test/");
	pv_transfer_load(scene.transfer, &scene.request);
	pv_body_append(&scene.transfer->response.body, PV_STR("a body"));
	atomic_store(&scene.transfer->is_dropped, true);
	pv_transfer_unload(scene.transfer);
	ok(scene.response.body.size == 0,
	    "the response of a dropped one does not come back");
	pv_transfer_load(scene.transfer, &scene.request);
	ok(!atomic_load(&scene.transfer->is_dropped) &&
		scene.transfer->response.body.size == 0,
	    "and the next begins with none");
	pv_body_append(&scene.transfer->response.body, PV_STR("next"));
	pv_transfer_unload(scene.transfer);
	is_text(
	    pv_body_text(&scene.response.body), "next", "and ends with its");
	end(&scene);
}

static void test_anew(void)
{
	struct scene scene;
	begin(&scene, "http://a.test/");
	scene.transfer->is_cut = true;
	scene.transfer->came = 5;
	pv_transfer_load(scene.transfer, &scene.request);
	ok(!scene.transfer->is_cut && !scene.transfer->came &&
		!scene.transfer->exchange && !scene.transfer->is_tls,
	    "one that is used again knows nothing of the request before");
	ok(pv_transfer_of(&scene.transfer->course) == scene.transfer,
	    "and is found by its course");
	pv_transfer_unload(scene.transfer);
	end(&scene);
}

int main(void)
{
	test_request();
	test_part();
	test_response();
	test_dropped();
	test_anew();
	return tap_done();
}
