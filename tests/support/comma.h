/* tests/support/comma.h: a locale whose decimal point is a comma, for the whole process. */
#ifndef PERP_COMMA_H
#define PERP_COMMA_H

#include "files.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One that is installed, or else German made by localedef in a folder of the test's (files_clean
 * removes it). False: neither is to be had, and the test says that it is skipped. */
static inline bool set_comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8"};
    char command[512];
    for (int k = 0; k < 4; k++) {
        if (setlocale(LC_ALL, names[k])) return true;
    }
    setenv("LOCPATH", files_path("."), 1);
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
             files_path("."));
    if (system(command) == 0 && setlocale(LC_ALL, "de_DE.UTF-8")) return true;
    printf("skipped: no locale with a decimal comma is here, nor localedef's sources\n");
    return false;
}

#endif
