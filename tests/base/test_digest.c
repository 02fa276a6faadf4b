#include "base/digest.h"

#include "tap.h"

/* FIPS 180-2, appendix B, and the empty text. */
static const struct known {
	struct pv_str text;
	unsigned times;
	const char *digest;
} known[] = {
    {PV_STR(""), 1,
	"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {PV_STR("abc"), 1,
	"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {PV_STR("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), 1,
	"248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {PV_STR("aaaaaaaaaa"), 100000,
	"cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
};

static void test_pieces(struct pv_digester *digester, struct pv_buf *hex)
{
	uint8_t digest[PV_DIGEST_SIZE];
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		for (unsigned k = 0; k < known[i].times; k++) {
			size_t half = known[i].text.len / 2;
			pv_digester_append(
			    digester, pv_str_head(known[i].text, half));
			pv_digester_append(
			    digester, pv_str_from(known[i].text, half));
		}
		pv_digester_end(digester, digest);
		pv_buf_clear(hex);
		pv_digest_write(digest, hex);
		is_text(pv_buf_str(hex), known[i].digest,
		    "%zu bytes in pieces have the digest that is known",
		    known[i].text.len * known[i].times);
	}
}

static void test_whole(struct pv_buf *hex)
{
	uint8_t digest[PV_DIGEST_SIZE];
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (known[i].times != 1)
			continue;
		pv_digest(known[i].text, digest);
		pv_buf_clear(hex);
		pv_digest_write(digest, hex);
		is_text(pv_buf_str(hex), known[i].digest,
		    "%zu bytes have it as well", known[i].text.len);
	}
	pv_digest((struct pv_str){NULL, 0}, digest);
	pv_buf_clear(hex);
	pv_digest_write(digest, hex);
	is_text(pv_buf_str(hex), known[0].digest, "no text is empty text");
	ok(!pv_digest_write(digest, hex) && hex->len == 64,
	    "what has no room is not written");
}

static void test_same(void)
{
	uint8_t a[PV_DIGEST_SIZE];
	uint8_t b[PV_DIGEST_SIZE];
	pv_digest(PV_STR("abc"), a);
	pv_digest(PV_STR("abc"), b);
	ok(pv_digest_is_same(a, b), "one text has one digest");
	size_t found = 0;
	for (size_t i = 0; i < PV_DIGEST_SIZE; i++) {
		b[i] ^= 0x80;
		found += !pv_digest_is_same(a, b);
		b[i] ^= 0x80;
	}
	ok(found == PV_DIGEST_SIZE, "a bit that differs is seen in any byte");
}

/* RFC 4231, 4: a key shorter than a block, as of a digest's size, longer. */
static void test_keyed(struct pv_buf *hex)
{
	char key[131];
	memset(key, 0xaa, sizeof(key));
	const struct {
		struct pv_str key;
		struct pv_str text;
		const char *digest;
	} rows[] = {
	    {PV_STR("Jefe"), PV_STR("what do ya want for nothing?"),
		"5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"},
	    {PV_STR(
		 "\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b\x0b"
		 "\x0b\x0b\x0b\x0b\x0b"),
		PV_STR("Hi There"),
		"b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"},
	    {{key, sizeof(key)},
		PV_STR(
		    "Test Using Larger Than Block-Size Key - Hash Key First"),
		"60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint8_t digest[PV_DIGEST_SIZE];
		pv_digest_keyed(rows[i].key, rows[i].text, digest);
		pv_buf_clear(hex);
		pv_digest_write(digest, hex);
		is_text(pv_buf_str(hex), rows[i].digest,
		    "under a key of %zu bytes a text has the digest that is "
		    "known",
		    rows[i].key.len);
	}
}

int main(void)
{
	struct pv_digester *digester = pv_digester_create();
	struct pv_buf hex;
	struct pv_buf keyed;
	pv_buf_init(&keyed, 64);
	pv_buf_init(&hex, 64);
	test_pieces(digester, &hex);
	test_whole(&hex);
	test_same();
	test_keyed(&keyed);
	pv_buf_finish(&keyed);
	pv_buf_finish(&hex);
	pv_digester_destroy(digester);
	pv_digester_destroy(NULL);
	return tap_done();
}
