#include "server/floods/claims.h"

int main(int count, char **arguments)
{
	return claims_main(count, arguments, FLOOD_HTTP2);
}
