#include "cli/terminal/screen.h"

#include <stdio.h>

#include "cli/terminal.h"
#include "tap.h"

struct scene {
	struct terminal terminal;
	struct pv_screen screen;
	bool is_full; /* nothing can be written */
};

static bool write_out(void *ctx, const char *text, size_t len)
{
	struct scene *scene = ctx;
	if (!scene->is_full)
		terminal_write(&scene->terminal, text, len);
	return !scene->is_full;
}

static void begin(struct scene *scene, size_t columns, size_t rows)
{
	*scene = (struct scene){0};
	terminal_init(&scene->terminal, columns, rows);
	pv_screen_init(&scene->screen, write_out, scene);
}

static struct pv_terminal_size size_of(const struct scene *scene)
{
	return (struct pv_terminal_size){
	    scene->terminal.columns, scene->terminal.rows};
}

static void draw(struct scene *scene, const char *const *texts)
{
	struct pv_lines lines;
	pv_lines_init(&lines, size_of(scene));
	for (; *texts; texts++)
		pv_lines_add(&lines, *texts);
	pv_screen_draw(&scene->screen, &lines);
}

#define DRAW(scene, ...) draw(scene, (const char *const[]){__VA_ARGS__, NULL})

static void is_row(const struct scene *scene, size_t row, const char *text)
{
	char found[TERMINAL_COLUMNS_MAX + 1];
	snprintf(found, sizeof(found), "%s", scene->terminal.cells[row]);
	is_text(pv_str_of(found), text, "row %zu", row);
}

static void is_tidy(const struct scene *scene, size_t row)
{
	const struct terminal *terminal = &scene->terminal;
	ok(terminal->row == row && terminal->column == 0,
	    "the cursor stands at the beginning of row %zu (%zu, %zu)", row,
	    terminal->row, terminal->column);
	ok(!terminal->strange && !terminal->wraps && !terminal->kept,
	    "nothing strange was written, nothing wrapped, and nothing is "
	    "kept that was erased");
}

static void test_in_place(void)
{
	struct scene scene;
	begin(&scene, 40, 10);
	terminal_write(&scene.terminal, "$ pavane\n", 9);
	DRAW(&scene, "one of two", "host a waits", "a note");
	is_row(&scene, 3, "a note");
	is_tidy(&scene, 1);
	DRAW(&scene, "two", "b");
	is_row(&scene, 0, "$ pavane");
	is_row(&scene, 1, "two");
	is_row(&scene, 2, "b");
	is_row(&scene, 3, "");
	is_tidy(&scene, 1);
	pv_screen_clear(&scene.screen);
	is_row(&scene, 1, "");
	is_tidy(&scene, 1);
	pv_screen_clear(&scene.screen);
	is_tidy(&scene, 1);
}

static void test_lines_above(void)
{
	struct scene scene;
	begin(&scene, 40, 6);
	pv_screen_print(&scene.screen, "first\n");
	DRAW(&scene, "one", "two");
	for (int i = 0; i < 5; i++)
		pv_screen_print(&scene.screen, "a line\n");
	is_row(&scene, 3, "a line");
	is_row(&scene, 4, "one");
	is_row(&scene, 5, "two");
	is_tidy(&scene, 4);
	DRAW(&scene, "three", "four");
	ok(terminal_count(&scene.terminal, "a line") == 4 &&
		!terminal_has(&scene.terminal, "one"),
	    "lines scroll by above what is redrawn");
	is_tidy(&scene, 4);
}

static void test_long_line_above(void)
{
	struct scene scene;
	begin(&scene, 20, 8);
	DRAW(&scene, "one", "two");
	pv_screen_print(
	    &scene.screen, "a line that is longer than the terminal is wide\n");
	DRAW(&scene, "three", "four");
	is_row(&scene, 0, "a line that is longe");
	is_row(&scene, 2, "is wide");
	is_row(&scene, 3, "three");
	is_row(&scene, 4, "four");
}

/* A terminal is made narrower, and wide again, while lines are drawn that it has
 * no room for then: only what was drawn may go. */
static void make_narrow(bool is_wrapping_anew, const char *kind)
{
	struct scene scene;
	begin(&scene, 40, 12);
	terminal_write(&scene.terminal, "$ pavane\n", 9);
	DRAW(&scene, "a line of thirty-one characters", "short",
	    "sixteen chars ..");
	terminal_resize(&scene.terminal, 16, is_wrapping_anew);
	DRAW(&scene, "new", "lines");
	is_row(&scene, 0, "$ pavane");
	is_row(&scene, 1, "new");
	is_row(&scene, 2, "lines");
	is_row(&scene, 3, "");
	is_tidy(&scene, 1);
	terminal_resize(&scene.terminal, 9, is_wrapping_anew);
	pv_screen_print(&scene.screen, "x\n");
	is_row(&scene, 1, "x");
	is_row(&scene, 2, "new");
	is_tidy(&scene, 2);
	DRAW(&scene, "a");
	terminal_resize(&scene.terminal, 40, is_wrapping_anew);
	DRAW(&scene, "one", "two");
	is_row(&scene, 0, "$ pavane");
	is_row(&scene, 1, "x");
	is_row(&scene, 2, "one");
	is_row(&scene, 3, "two");
	ok(scene.terminal.row == 2, "%s: nothing is left over", kind);
}

static void test_narrower(void)
{
	make_narrow(true, "a terminal that wraps anew what it shows");
	make_narrow(false, "a terminal that cuts it");
}

/* The terminal is narrower already, and has not told. */
static void test_untold_width(void)
{
	struct scene scene;
	begin(&scene, 40, 12);
	terminal_write(&scene.terminal, "$ pavane\n", 9);
	DRAW(&scene, "a line of thirty-one characters", "short");
	terminal_resize(&scene.terminal, 16, true);
	scene.terminal.columns = 40; /* as we are told */
	struct pv_lines lines;
	pv_lines_init(&lines, size_of(&scene));
	scene.terminal.columns = 16; /* as it is */
	pv_lines_add(&lines, "a line of thirty-one characters");
	pv_lines_add(&lines, "short");
	pv_screen_draw(&scene.screen, &lines);
	is_row(&scene, 1, "a line of thirty");
	is_row(&scene, 2, "short");
	is_row(&scene, 3, "");
	DRAW(&scene, "told", "by now");
	is_row(&scene, 0, "$ pavane");
	is_row(&scene, 1, "told");
	is_row(&scene, 2, "by now");
	is_row(&scene, 3, "");
}

static void test_full(void)
{
	struct scene scene;
	begin(&scene, 40, 10);
	DRAW(&scene, "one", "two");
	scene.is_full = true;
	DRAW(&scene, "lost", "lost", "lost");
	pv_screen_clear(&scene.screen);
	scene.is_full = false;
	DRAW(&scene, "three");
	is_row(&scene, 0, "three");
	is_row(&scene, 1, "");
	is_tidy(&scene, 0);
}

static void test_return(void)
{
	struct scene scene;
	begin(&scene, 40, 10);
	DRAW(&scene, "one", "two");
	terminal_write(&scene.terminal, PV_SCREEN_ERASE "$ fg\n",
	    strlen(PV_SCREEN_ERASE "$ fg\n"));
	pv_screen_leave(&scene.screen);
	pv_screen_print(&scene.screen, "a line\n");
	DRAW(&scene, "three");
	is_row(&scene, 0, "$ fg");
	is_row(&scene, 1, "a line");
	is_row(&scene, 2, "three");
	is_row(&scene, 3, "");
}

int main(void)
{
	test_in_place();
	test_lines_above();
	test_long_line_above();
	test_narrower();
	test_untold_width();
	test_full();
	test_return();
	ok(!pv_screen_is_possible(-1, "xterm"), "what is no terminal is none");
	return tap_done();
}
