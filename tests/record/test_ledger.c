#include "record/ledger.h"

#include "tap.h"

int main(void)
{
	return tap_done();
}
