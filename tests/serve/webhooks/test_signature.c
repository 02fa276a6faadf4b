#include "serve/webhooks/signature.h"

#include "tap.h"

/* The secret, the message and the first signature are those that the libraries of
 * Standard Webhooks are tested with; the second one is Python's hmac's. */
#define SECRET "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
#define OTHER "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="
#define SIGNATURE "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
#define OTHERS "v1,O4Gjv1HqPqsMrjmczoggs/sWA8gZD0VyHG+fLh4+ktI="

static void sign(size_t count, int64_t time_s, struct pv_buf *signature)
{
	const char *texts[] = {SECRET, OTHER};
	const struct pv_texts secrets = {texts, count};
	pv_buf_clear(signature);
	pv_webhook_sign(&secrets, PV_STR("msg_p5jXN8AQM9LWM0D4loKWxJek"),
	    time_s, PV_STR("{\"test\": 2432232314}"), signature);
}

int main(void)
{
	struct pv_buf signature;
	pv_buf_init(&signature, 500);
	sign(1, 1614265330, &signature);
	is_text(pv_buf_str(&signature), SIGNATURE,
	    "a delivery is signed as the specification's example is");
	sign(2, 1614265330, &signature);
	is_text(pv_buf_str(&signature), SIGNATURE " " OTHERS,
	    "while there are two secrets, both sign");
	sign(1, 1614265331, &signature);
	ok(!pv_str_equal(pv_buf_str(&signature), PV_STR(SIGNATURE)),
	    "the time is signed, too");
	pv_buf_finish(&signature);
	return tap_done();
}
