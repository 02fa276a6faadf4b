#include "base/hash.h"

#include <inttypes.h>

#include "tap.h"

/* The hash of the bytes 0, 1, 2 and so on, `len` of them, under the key
 * 00 01 ... 0f of the paper's own vectors, from a second implementation that
 * was checked with those of SipHash-2-4. */
static const struct {
	size_t len;
	uint64_t hash;
} vectors[] = {
    {0, 0xabac0158050fc4dc},
    {1, 0xc9f49bf37d57ca93},
    {2, 0x82cb9b024dc7d44d},
    {3, 0x8bf80ab8e7ddf7fb},
    {4, 0xcf75576088d38328},
    {5, 0xdef9d52f49533b67},
    {6, 0xc50d2b50c59f22a7},
    {7, 0xd3927d989bb11140},
    {8, 0x369095118d299a8e},
    {9, 0x25a48eb36c063de4},
    {10, 0x79de85ee92ff097f},
    {11, 0x70c118c1f94dc352},
    {12, 0x78a384b157b4d9a2},
    {13, 0x306f760c1229ffa7},
    {14, 0x605aa111c0f95d34},
    {15, 0xd320d86d2a519956},
    {16, 0xcc4fdd1a7d908b66},
    {63, 0x9d199062b7bbb3a8},
    {64, 0xf17997ec4b4a6065},
    {255, 0xf76214e3153c4a15},
    {256, 0x75b3e64e167de370},
    {257, 0x5d8ffca6213c73b8},
};

static const struct pv_hash_key counting = {
    {0x0706050403020100, 0x0f0e0d0c0b0a0908}};

static void test_vectors(void)
{
	char bytes[257];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)i;
	for (size_t i = 0; i < sizeof(vectors) / sizeof(*vectors); i++) {
		struct pv_str text = {bytes, vectors[i].len};
		uint64_t found = pv_hash(&counting, text);
		ok(found == vectors[i].hash,
		    "%zu bytes hash to %016" PRIx64 ", found %016" PRIx64,
		    text.len, vectors[i].hash, found);
	}
}

static void test_keys(void)
{
	struct pv_hash_key zero = {{0, 0}};
	struct pv_hash_key ones = {{UINT64_MAX, UINT64_MAX}};
	ok(pv_hash(&zero, PV_STR("")) == 0xd1fba762150c532c,
	    "a key of zeros is a key");
	ok(pv_hash(&ones, PV_STR("https://docs.example.org/")) ==
		0x3fbc7d84782f0cb3,
	    "a key of ones is one, too");
	ok(pv_hash(&ones, PV_STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff")) ==
		0x931d6f275fbb82a9,
	    "bytes are unsigned");
	ok(pv_hash(&zero, (struct pv_str){NULL, 0}) ==
		pv_hash(&zero, PV_STR("")),
	    "no text hashes as empty text");
	ok(pv_hash(&zero, PV_STR("a\0")) != pv_hash(&zero, PV_STR("a")),
	    "a NUL at the end counts");
}

static void test_alignment(void)
{
	char bytes[40];
	bool is_same = true;
	for (size_t shift = 0; shift < 8; shift++) {
		memcpy(bytes + shift, "twenty-five bytes of text", 25);
		struct pv_str text = {bytes + shift, 25};
		is_same =
		    is_same &&
		    pv_hash(&counting, text) ==
			pv_hash(&counting, PV_STR("twenty-five bytes of text"));
	}
	ok(is_same, "where a text stands in memory does not matter");
}

int main(void)
{
	test_vectors();
	test_keys();
	test_alignment();
	return tap_done();
}
