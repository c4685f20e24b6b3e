/* base/watch.c: calls of libraries that cannot be ended within, predicted and measured. */
#include "watch.h"

#include "system.h"

#include <math.h>

/* Units a second before one was measured, meant to be too low. AMD's order of a grid in two
 * dimensions with 1e6 rows takes 0.5 s, some 1e7 entries a second. LAPACK's dpstrf of n = 3000 took
 * 0.46 s, 1e10 multiplications a second (one thread, Haswell kernels); its rate here is a guess for
 * slower libraries, not a measurement. */
static const float first_rates[] = {[PERP_RATE_ORDER] = 4e6F, [PERP_RATE_FACTOR] = 6e8F};

#define MEASURED 1e-3 /* seconds: a shorter call says more of its overhead than of its rate */

double perp_call_predict(const perp_watch *w, const perp_call *call)
{
    float rate = w->rates[call->rate];
    return call->units / (rate > 0 ? rate : first_rates[call->rate]);
}

bool perp_call_begin(const perp_watch *w, perp_call *call)
{
    if (!w) return true;
    if (w->stop(w->ctx)) return false;
    if (!w->left) return true;
    call->begin = perp_now();
    call->seconds = perp_call_predict(w, call);
    call->refused = call->seconds > w->left(w->ctx);
    if (!call->refused) return true;
    w->report(w->ctx, call);
    return false;
}

void perp_call_end(const perp_watch *w, perp_call *call)
{
    if (!w || !w->left) return;
    call->seconds = perp_now() - call->begin;
    if (call->seconds > MEASURED) w->rates[call->rate] = (float)(call->units / call->seconds);
    w->report(w->ctx, call);
}
