#include "pavane/serve.h"

/* In the place of the service, where libmicrohttpd is missing or not wanted. */

bool pavane_service_is_there(void)
{
	return false;
}

struct pavane_service *pavane_service_open(
    const struct pavane_serve_options *options)
{
	(void)options;
	return NULL;
}

const char *pavane_service_address(const struct pavane_service *service)
{
	(void)service;
	return "";
}

bool pavane_service_reload(
    struct pavane_service *service, const struct pavane_serve_options *options)
{
	(void)service;
	(void)options;
	return false;
}

int64_t pavane_service_now_ms(void)
{
	return 0;
}

bool pavane_service_is_alive(struct pavane_service *service)
{
	(void)service;
	return false;
}

void pavane_service_drain(struct pavane_service *service)
{
	(void)service;
}

void pavane_service_wait(struct pavane_service *service)
{
	(void)service;
}

void pavane_service_close(struct pavane_service *service)
{
	(void)service;
}

bool pavane_service_write_effective(const struct pavane_serve_options *options,
    pavane_write_fn write, void *ctx)
{
	(void)options;
	(void)write;
	(void)ctx;
	return false;
}

bool pavane_service_key_get(size_t index, struct pavane_key *key)
{
	(void)index;
	(void)key;
	return false;
}

void pavane_service_write_reference(pavane_write_fn write, void *ctx)
{
	(void)write;
	(void)ctx;
}

void pavane_service_write_schema(pavane_write_fn write, void *ctx)
{
	(void)write;
	(void)ctx;
}
