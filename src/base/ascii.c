#include "base/ascii.h"

const bool pv_token_bytes[256] = {
    ['!'] = true,
    ['#'] = true,
    ['$'] = true,
    ['%'] = true,
    ['&'] = true,
    ['\''] = true,
    ['*'] = true,
    ['+'] = true,
    ['-'] = true,
    ['.'] = true,
    ['0' ... '9'] = true,
    ['A' ... 'Z'] = true,
    ['^'] = true,
    ['_'] = true,
    ['`'] = true,
    ['a' ... 'z'] = true,
    ['|'] = true,
    ['~'] = true,
};
