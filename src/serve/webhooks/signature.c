#include "serve/webhooks/signature.h"

#include "base/digest.h"
#include "serve/config/webhook_secrets.h"

static void sign(
    const char *secret, struct pv_str signed_text, struct pv_buf *signature)
{
	uint8_t digest[PV_DIGEST_SIZE];
	struct pv_buf key;
	pv_buf_init(&key, SIZE_MAX);
	pv_webhook_secret_read(pv_str_of(secret), &key);
	pv_digest_keyed(pv_buf_str(&key), signed_text, digest);
	pv_buf_append_text(signature, signature->len ? " v1," : "v1,");
	pv_buf_append_base64(
	    signature, (struct pv_str){(const char *)digest, PV_DIGEST_SIZE});
	pv_buf_finish(&key);
}

void pv_webhook_sign(const struct pv_texts *secrets, struct pv_str id,
    int64_t time_s, struct pv_str body, struct pv_buf *signature)
{
	struct pv_buf text;
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_append_format(
	    &text, "%.*s.%lld.", PV_STR_ARG(id), (long long)time_s);
	pv_buf_append(&text, body);
	for (size_t i = 0; i < secrets->count; i++)
		sign(secrets->items[i], pv_buf_str(&text), signature);
	pv_buf_finish(&text);
}
