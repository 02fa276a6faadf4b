#include "base/pieces.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "scratch.h"
#include "tap.h"

#define SIZE (3 * PV_PIECE_MAX + 12345)

static char byte_at(size_t place)
{
	return (char)(place * 31 >> 5);
}

/* How many pages of the map are in memory: as our own, not the system's. */
static size_t resident_bytes(void)
{
	long pages = 0, all = 0;
	FILE *file = fopen("/proc/self/statm", "re");
	if (!file || fscanf(file, "%ld %ld", &all, &pages) != 2)
		pages = 0;
	if (file)
		fclose(file);
	return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Whether the pieces, one behind the other, are the text; and how much memory
 * that took at most. */
static bool walk(struct pv_str text, bool is_mapped, size_t *most)
{
	struct pv_pieces pieces = pv_pieces_of(text, is_mapped);
	struct pv_str piece;
	size_t before = resident_bytes();
	size_t place = 0, wrong = 0;
	*most = 0;
	while (pv_pieces_next(&pieces, &piece)) {
		for (size_t i = 0; i < piece.len; i++)
			wrong += piece.ptr[i] != byte_at(place++);
		size_t now = resident_bytes();
		if (now > before && now - before > *most)
			*most = now - before;
	}
	return place == text.len && !wrong;
}

static void test_memory(void)
{
	size_t most;
	char *bytes = malloc(SIZE);
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = byte_at(i);
	ok(walk((struct pv_str){bytes, SIZE}, false, &most),
	    "a text in memory is given in pieces");
	ok(walk((struct pv_str){bytes, SIZE}, false, &most),
	    "and stays as it is");
	ok(walk((struct pv_str){bytes, 0}, false, &most), "or in none");
	free(bytes);
}

static void test_map(const char *path)
{
	size_t most = SIZE;
	char piece[4096];
	int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	for (size_t at = 0; at < SIZE; at += sizeof(piece)) {
		size_t len =
		    SIZE - at < sizeof(piece) ? SIZE - at : sizeof(piece);
		for (size_t i = 0; i < len; i++)
			piece[i] = byte_at(at + i);
		pv_file_write(file, (struct pv_str){piece, len});
	}
	char *map = mmap(NULL, SIZE, PROT_READ, MAP_PRIVATE, file, 0);
	ok(map != MAP_FAILED && walk((struct pv_str){map, SIZE}, true, &most),
	    "so is a file");
	ok(most < 2 * PV_PIECE_MAX,
	    "P5: of which one piece at a time is in memory (%zu KiB)",
	    most >> 10);
	ok(walk((struct pv_str){map, SIZE}, true, &most),
	    "and which can be read again");
	munmap(map, SIZE);
	close(file);
}

int main(void)
{
	struct scratch scratch;
	if (!scratch_make(&scratch))
		return 1;
	test_memory();
	test_map(scratch_file(&scratch, "file"));
	scratch_remove(&scratch);
	return tap_done();
}
