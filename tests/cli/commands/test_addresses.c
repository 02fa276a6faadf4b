#include "cli/commands/addresses.h"

#include <stdlib.h>

#include "tap.h"

int main(void)
{
	static const char *const cases[][2] = {
	    {"docs.example.org", "https://docs.example.org"},
	    {"docs.example.org/guide/?a:b",
		"https://docs.example.org/guide/?a:b"},
	    {"docs.example.org:8443/x", "https://docs.example.org:8443/x"},
	    {"//docs.example.org/", "https://docs.example.org/"},
	    {"{a,b}.example.org/{1..5}", "https://{a,b}.example.org/{1..5}"},
	    {"localhost", "http://localhost"},
	    {"localhost:8080", "http://localhost:8080"},
	    {"LocalHost:8080/x", "http://LocalHost:8080/x"},
	    {"docs.localhost", "http://docs.localhost"},
	    {"localhost.example.org", "https://localhost.example.org"},
	    {"notlocalhost", "https://notlocalhost"},
	    {"127.0.0.1", "http://127.0.0.1"},
	    {"127.0.0.1:80/x?1", "http://127.0.0.1:80/x?1"},
	    {"127.0.0.1.example.org", "https://127.0.0.1.example.org"},
	    {"2024", "https://2024"},
	    {"[::1]", "http://[::1]"},
	    {"[::1]:8080/x", "http://[::1]:8080/x"},
	    {"https://docs.example.org/", "https://docs.example.org/"},
	    {"HTTP://localhost", "HTTP://localhost"},
	    {"http:localhost", "http:localhost"},
	    {"ftp://docs.example.org/", "ftp://docs.example.org/"},
	    {"mailto:me@example.org", "mailto:me@example.org"},
	    {"me:secret@example.org", "me:secret@example.org"},
	    {"me:", "me:"},
	    {"", ""},
	    {"/", "/"},
	    {"//", "//"},
	    {"./docs", "./docs"},
	    {"-", "-"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char *address = pv_web_address_of(cases[i][0]);
		is_text(pv_str_of(address), cases[i][1], "\"%s\" is read",
		    cases[i][0]);
		free(address);
	}
	return tap_done();
}
