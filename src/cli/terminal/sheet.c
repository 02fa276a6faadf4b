#include "cli/terminal/sheet.h"

#include <stdlib.h>

#include "pavane/pavane.h"

void pv_sheet_open(struct pv_sheet *sheet)
{
	*sheet = (struct pv_sheet){0};
	sheet->file = open_memstream(&sheet->text, &sheet->len);
	if (!sheet->file)
		pavane_out_of_memory(sizeof(*sheet));
}

void pv_sheet_close(struct pv_sheet *sheet)
{
	if (fclose(sheet->file) != 0 || !sheet->text)
		pavane_out_of_memory(sheet->len);
	sheet->file = NULL;
}

void pv_sheet_finish(struct pv_sheet *sheet)
{
	free(sheet->text);
	*sheet = (struct pv_sheet){0};
}
