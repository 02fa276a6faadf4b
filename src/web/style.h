#ifndef PAVANE_WEB_STYLE_H
#define PAVANE_WEB_STYLE_H

/* How an entry page looks: in the light, in the dark, on a small screen.
 * Colours are darkened or lightened until text stands out from its ground as
 * WCAG 2.1 asks for (AA). */
#define PV_ENTRY_STYLE                                                         \
	":root{color-scheme:light dark;--ground:#f7f6f3;--sheet:#fff;"         \
	"--ink:#23211d;--soft:#6a655c;--line:#e3dfd6;--link:#1d5f8a;"          \
	"--good:#2c6b3f;--good-ground:#e6f2e8;--warn:#8a4b08;"                 \
	"--warn-ground:#fdf1df;--bad:#a32b21}\n"                               \
	"@media(prefers-color-scheme:dark){:root{--ground:#191a1c;"            \
	"--sheet:#222427;--ink:#e8e6e1;--soft:#a39e94;--line:#36393d;"         \
	"--link:#8cc4ee;--good:#8fd3a1;--good-ground:#1f3426;--warn:#f0bd7a;"  \
	"--warn-ground:#3a2c17;--bad:#f19a90}}\n"                              \
	"*{box-sizing:border-box}\n"                                           \
	"body{margin:0;background:var(--ground);color:var(--ink);"             \
	"font:16px/1.55 system-ui,-apple-system,\"Segoe UI\",Roboto,"          \
	"\"Noto Sans\",\"Liberation Sans\",sans-serif}\n"                      \
	"header,main,footer{max-width:52rem;margin:0 auto;padding:0 1.25rem}"  \
	"\n"                                                                   \
	"header{padding-top:3rem}\n"                                           \
	"h1{font-size:1.9rem;line-height:1.2;margin:.1rem 0 .9rem;"            \
	"overflow-wrap:anywhere;letter-spacing:-.01em}\n"                      \
	"h2{font-size:1.1rem;margin:0 0 .7rem}\n"                              \
	"a{color:var(--link);text-decoration-thickness:1px;"                   \
	"text-underline-offset:.18em}\n"                                       \
	"a.away{color:inherit;text-decoration-color:var(--soft)}\n"            \
	"p{margin:.5rem 0}\n"                                                  \
	"code{font:.88em ui-monospace,\"Liberation Mono\",Menlo,monospace;"    \
	"background:var(--ground);border:1px solid var(--line);"               \
	"border-radius:.3rem;padding:.1em .4em;overflow-wrap:anywhere}\n"      \
	".kind,.note,.via,.more,footer{color:var(--soft);font-size:.9rem}\n"   \
	".kind{margin:0}\n"                                                    \
	".state{border-radius:.6rem;padding:.7rem 1rem;margin:0 0 .5rem;"      \
	"background:var(--good-ground);color:var(--good)}\n"                   \
	".state p{margin:.2rem 0}\n"                                           \
	".state code{background:none;border-color:currentcolor}\n"             \
	".state.stopped{background:var(--warn-ground);color:var(--warn)}\n"    \
	".bad{color:var(--bad)}\n"                                             \
	"dl{display:flex;flex-wrap:wrap;gap:.6rem;margin:1rem 0}\n"            \
	"dl div{flex:1 1 7rem;background:var(--sheet);"                        \
	"border:1px solid var(--line);border-radius:.6rem;"                    \
	"padding:.6rem .9rem}\n"                                               \
	"dt{color:var(--soft);font-size:.85rem}\n"                             \
	"dd{margin:0;white-space:nowrap;font-size:1.25rem;font-weight:600;"    \
	"font-variant-numeric:tabular-nums}\n"                                 \
	"section{background:var(--sheet);border:1px solid var(--line);"        \
	"border-radius:.6rem;padding:1.1rem 1.25rem;margin:1rem 0}\n"          \
	"ul{list-style:none;margin:0;padding:0}\n"                             \
	"li{padding:.35rem 0;border-top:1px solid var(--line);"                \
	"overflow-wrap:anywhere}\n"                                            \
	"li:first-child{border-top:0}\n"                                       \
	".seeds a{font-weight:600}\n"                                          \
	".seeds a.away{font-weight:400}\n"                                     \
	".via{display:block}\n"                                                \
	".search label{display:block;margin:0 0 .3rem}\n"                      \
	".search input{width:100%;font:inherit;color:var(--ink);"              \
	"background:var(--ground);border:1px solid var(--soft);"               \
	"border-radius:.4rem;padding:.45rem .7rem}\n"                          \
	".search p{min-height:1.4em}\n"                                        \
	"nav{display:flex;gap:1.2rem;margin:.8rem 0 0}\n"                      \
	"[hidden]{display:none}\n"                                             \
	".wide{overflow-x:auto}\n"                                             \
	"table{border-collapse:collapse;width:100%}\n"                         \
	"th,td{padding:.35rem .9rem .35rem 0;text-align:left;"                 \
	"vertical-align:top;overflow-wrap:anywhere}\n"                         \
	"th{color:var(--soft);font-size:.85rem;font-weight:400}\n"             \
	"th:first-child{width:100%}\n"                                         \
	"tbody tr{border-top:1px solid var(--line)}\n"                         \
	"th+th,td+td{text-align:right;white-space:nowrap;padding-right:0;"     \
	"padding-left:.9rem;font-variant-numeric:tabular-nums}\n"              \
	"details,.reason{border-top:1px solid var(--line);margin:0;"           \
	"padding:.45rem 0}\n"                                                  \
	"h2+details,.note+details,.note+.reason{border-top:0}\n"               \
	"summary{cursor:pointer}\n"                                            \
	"summary b,.reason b{font-variant-numeric:tabular-nums}\n"             \
	".reason{padding-left:1.05rem}\n"                                      \
	"details ul{margin:.4rem 0 0;padding-left:1.05rem;font-size:.93rem}\n" \
	"details .more{padding-left:1.05rem}\n"                                \
	"footer{padding-bottom:3rem}\n"                                        \
	"@media(max-width:34rem){header{padding-top:1.5rem}"                   \
	"h1{font-size:1.5rem}header,main,footer{padding-left:.8rem;"           \
	"padding-right:.8rem}section{padding:.9rem}}\n"

#endif
