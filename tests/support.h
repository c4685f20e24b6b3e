/* tests/support.h: what every test program ends with. */
#ifndef PERP_SUPPORT_H
#define PERP_SUPPORT_H

#include <check.h>

/* Run the suite, report, and give main its exit status. */
static inline int support_run(Suite *s)
{
    SRunner *r = srunner_create(s);
    srunner_run_all(r, CK_NORMAL);
    int failed = srunner_ntests_failed(r);
    srunner_free(r);
    return failed != 0;
}

#endif
