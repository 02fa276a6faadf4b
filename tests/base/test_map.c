#include "base/map.h"

#include <stdio.h>
#include <stdlib.h>

#include "tap.h"

#define MANY 100000

static const struct pv_hash_key any = {{1, 2}};

static void test_few(void)
{
	struct pv_map map;
	pv_map_init(&map, any);
	ok(!pv_map_get(&map, PV_STR("a")), "nothing is in an empty map");
	ok(pv_map_add(&map, PV_STR("a"), 1), "a text is added");
	ok(pv_map_add(&map, PV_STR("a\0"), 2), "a NUL makes it another text");
	ok(pv_map_add(&map, (struct pv_str){NULL, 0}, 3),
	    "no text is a text, too");
	ok(!pv_map_add(&map, PV_STR(""), 4), "and the same as empty text");
	ok(!pv_map_add(&map, PV_STR("a"), 5) && map.count == 3,
	    "none is added twice");
	ok(*pv_map_get(&map, PV_STR("a")) == 1 &&
		*pv_map_get(&map, PV_STR("a\0")) == 2 &&
		*pv_map_get(&map, PV_STR("")) == 3,
	    "each keeps its first number");
	*pv_map_get(&map, PV_STR("a")) = UINT32_MAX;
	ok(*pv_map_get(&map, PV_STR("a")) == UINT32_MAX,
	    "a number can be changed in its place");
	ok(!pv_map_get(&map, PV_STR("A")), "case counts");
	pv_map_finish(&map);
	ok(!pv_map_get(&map, PV_STR("a")) && pv_map_add(&map, PV_STR("b"), 1),
	    "a finished map is empty and may be used again");
	pv_map_finish(&map);
	pv_map_finish(&map);
}

static void test_many(void)
{
	static char texts[MANY][12];
	struct pv_map map;
	uint32_t added = 0;
	uint32_t again = 0;
	uint32_t found = 0;
	uint32_t strange = 0;
	pv_map_init(&map, any);
	for (uint32_t i = 0; i < MANY; i++) {
		snprintf(texts[i], sizeof(texts[i]), "h%u.test", i);
		added += pv_map_add(&map, pv_str_of(texts[i]), i);
		again += pv_map_add(&map, pv_str_of(texts[i / 2]), i);
	}
	for (uint32_t i = 0; i < MANY; i++) {
		char other[16];
		const uint32_t *number = pv_map_get(&map, pv_str_of(texts[i]));
		found += number && *number == i;
		snprintf(other, sizeof(other), "h%u.tes", i);
		strange += pv_map_get(&map, pv_str_of(other)) != NULL;
	}
	ok(added == MANY && map.count == MANY, "100000 texts are added");
	ok(again == 0, "none of them again, while the map grows");
	ok(found == MANY, "each is found with its number");
	ok(strange == 0, "none is found that was not added");
	ok(map.size >= MANY && map.size <= MANY * 4,
	    "the table stays in proportion");
	pv_map_finish(&map);
}

/* Texts whose hashes all end in the same bits, found by trying, crowd into
 * one place of the table and are kept apart all the same. */
static void test_crowding(void)
{
	char texts[64][12];
	struct pv_map map;
	uint32_t count = 0;
	uint32_t found = 0;
	pv_map_init(&map, any);
	for (uint32_t i = 0; count < 64; i++) {
		snprintf(texts[count], sizeof(texts[count]), "%u", i);
		struct pv_str text = pv_str_of(texts[count]);
		if ((pv_hash(&any, text) & 127) == 127)
			pv_map_add(&map, text, count++);
	}
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t *number = pv_map_get(&map, pv_str_of(texts[i]));
		found += number && *number == i;
	}
	ok(found == 64 && map.size == 128,
	    "64 texts of one slot, the last, are all found");
	pv_map_finish(&map);
}

/* Takes out every text whose number the step divides, and says how many of
 * the others are still found with their number. */
static uint32_t left_after(
    struct pv_map *map, char (*texts)[12], uint32_t count, uint32_t step)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < count; i += step)
		pv_map_remove(map, pv_str_of(texts[i]));
	for (uint32_t i = 0; i < count; i++) {
		const uint32_t *number = pv_map_get(map, pv_str_of(texts[i]));
		found += i % step ? number && *number == i : number != NULL;
	}
	return found;
}

static void test_removing(void)
{
	static char texts[1000][12];
	struct pv_map map;
	uint32_t wrong = 0;
	pv_map_init(&map, any);
	ok(!pv_map_remove(&map, PV_STR("a")),
	    "nothing is taken out of an empty map");
	for (uint32_t step = 2; step < 50; step++) {
		for (uint32_t i = 0; i < 1000; i++) {
			snprintf(texts[i], sizeof(texts[i]), "%u", i);
			pv_map_add(&map, pv_str_of(texts[i]), i);
		}
		uint32_t gone = (1000 + step - 1) / step;
		wrong += left_after(&map, texts, 1000, step) != 1000 - gone;
		wrong += map.count != 1000 - gone;
	}
	ok(!wrong, "what is taken out is gone, and all else is still found");
	ok(map.size <= 2048, "the room of what is gone is used again");
	ok(!pv_map_remove(&map, PV_STR("0")), "none is taken out twice");
	pv_map_finish(&map);
}

int main(void)
{
	test_few();
	test_many();
	test_crowding();
	test_removing();
	return tap_done();
}
