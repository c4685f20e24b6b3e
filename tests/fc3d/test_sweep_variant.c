/* tests/fc3d/test_sweep_variant.c: a further variant of the sweep is a perp_sweep_ops.
 *
 * The one here works as two processes would that share nothing but messages. Each owns half of the
 * bodies and sweeps the contacts between its own; then the first one borrows bodies of the second
 * for the contacts between the halves, and gives them back: one Gauss-Seidel sweep, in the order
 * first half, second half, between. The state has the bodies, then the place of each when it is
 * borrowed. */
#include "sweep_support.h"

typedef struct two_halves {
    perp_sweep_touch by_place; /* first: the loop of sweep_bodies.c reads it */
    perp_bodies bodies;
    int first, second; /* places of the contacts of each half; the others are between */
} two_halves;

/* What the variant was asked for. */
static struct {
    int asked, opened, closed, sweeps, refreshed, written;
    bool refuses;
} calls;

static int half_of(const perp_bodies *b, int body)
{
    return body >= b->bodies / 2;
}

static int class_of(const perp_bodies *b, const int touch[2])
{
    int half = half_of(b, touch[0]);
    return half == half_of(b, touch[1]) ? half : 2;
}

/* The place of a body for a contact between the halves: the second half's are borrowed. */
static int slot_of(const perp_bodies *b, int class, int body)
{
    return class == 2 && half_of(b, body) ? b->bodies + body : body;
}

/* Borrow all bodies of the second half, or give them back. */
static void exchange(const perp_sweep *s, bool back)
{
    const perp_bodies *b = &((const two_halves *)s->own)->bodies;
    size_t first = PERP_BODY_STRIDE * (size_t)(b->bodies / 2),
           n = PERP_BODY_STRIDE * (size_t)b->bodies;
    double *owned = s->state + first, *borrowed = s->state + n + first;
    memcpy(back ? owned : borrowed, back ? borrowed : owned, (n - first) * sizeof *owned);
}

static void sweep_places(perp_sweep *s, int from, int to, int member)
{
    const two_halves *own = s->own;
    int between = own->first + own->second;
    ck_assert(from == 0 && to == s->contacts && member == 0);
    calls.sweeps++;
    perp_sweep_bodies.places(s, 0, own->first, member);
    perp_sweep_bodies.places(s, own->first, between, member);
    exchange(s, false);
    perp_sweep_bodies.places(s, between, s->contacts, member);
    exchange(s, true);
}

static void refresh(perp_sweep *s)
{
    const two_halves *own = s->own;
    calls.refreshed++;
    memcpy(s->state, own->bodies.free, s->state_size / 2 * sizeof *s->state);
    for (int p = 0; p < s->contacts; p++) {
        for (int side = 0; side < 2; side++) {
            const double *A = own->by_place.A + 36 * p + 6 * side, *r = s->r + 3 * p;
            int body = own->by_place.touch[2 * p + side] % own->bodies.bodies;
            for (int k = 0; k < 6; k++)
                s->state[PERP_BODY_STRIDE * body + k] +=
                    A[k] * r[0] + A[12 + k] * r[1] + A[24 + k] * r[2];
        }
    }
    exchange(s, false);
}

static void write_velocities(const perp_sweep *s, double *z)
{
    const two_halves *own = s->own;
    calls.written++;
    perp_bodies_velocities(&own->bodies, s->state, z + 3 * s->contacts);
}

static void count_closed(perp_sweep *s)
{
    ck_assert_ptr_nonnull(s->own);
    calls.closed++;
}

/* Contacts by half, those between at the end. */
static void arrange(perp_sweep *s, two_halves *own, int *order, int *touch, double *A)
{
    const perp_bodies *b = &own->bodies;
    int count[3] = {0}, p = 0;
    for (int class = 0; class < 3; class ++) {
        for (int c = 0; c < s->contacts; c++) {
            if (class_of(b, b->touch + 2 * c) != class) continue;
            for (int side = 0; side < 2; side++)
                touch[2 * p + side] = slot_of(b, class, b->touch[2 * c + side]);
            memcpy(A + 36 * p, b->A + 36 * c, 36 * sizeof *A);
            order[p++] = c;
            count[class]++;
        }
    }
    own->first = count[0];
    own->second = count[1];
    for (int class = 0; class < 3; class ++) ck_assert_int_gt(count[class], 0);
}

static perp_status open_halves(perp_run *run, const perp_sweep_options *o, perp_sweep *s)
{
    (void)o;
    calls.asked++;
    if (calls.refuses) return perp_fail(run, PERP_E_FORMAT, "no messages today");
    two_halves *own = s->own = PERP_ALLOC(run, two_halves, 1);
    ck_assert_int_eq(perp_bodies_open(run, &own->bodies), PERP_SOLVED);
    int *order = PERP_ALLOC(run, int, s->contacts), *touch = PERP_ALLOC(run, int, 2 * s->contacts);
    double *A = PERP_ALLOC(run, double, 36 * s->contacts);
    s->state_size = 2 * PERP_BODY_STRIDE * (size_t)own->bodies.bodies;
    s->state = PERP_ALLOC(run, double, s->state_size);
    ck_assert(!run->arena->failed);
    arrange(s, own, order, touch, A);
    s->order = order;
    own->by_place = (perp_sweep_touch){touch, A, perp_sweep_by_place(run->arena, s, s->problem->w)};
    calls.opened++;
    return PERP_SOLVED;
}

static void read_block(const perp_sweep *s, int place, double W[9])
{
    perp_sweep_bodies.block(s, place, W);
}

static const perp_sweep_ops halves = {
    .open = open_halves,
    .block = read_block,
    .places = sweep_places,
    .refresh = refresh,
    .write = write_velocities,
    .close = count_closed,
};

static sweep_test with_halves(void)
{
    sweep_test t = {plain_options, &halves, 5};
    t.o.variant = &halves;
    t.o.threads = 3; /* no parts: one member does it all */
    memset(&calls, 0, sizeof calls);
    return t;
}

START_TEST(like_the_textbook)
{
    for (int seed = 1; seed < 4; seed++) {
        perp_arena a = {0};
        generated_problem g = fc3d_generate("packing", "fc3d_body", 20, (uint64_t)seed, &a);
        sweep_problem(&g.p, with_halves());
        ck_assert_int_eq(calls.sweeps, 5);
        ck_assert_int_eq(calls.written, 5);
        ck_assert_int_eq(calls.refreshed, 2);
        ck_assert(calls.opened == 1 && calls.closed == 1);
        perp_arena_free(&a);
    }
}
END_TEST

/* Sweeps until their own measure is small, more than one run has iterations. */
static perp_status solve_by(perp_run *run, double *z, void *ctx)
{
    double scale = perp_scale(run), estimate = INFINITY;
    perp_sweep s;
    ck_assert_int_eq(perp_sweep_open(run, ctx, z, &s), PERP_SOLVED);
    perp_sweep_refresh(&s);
    for (int k = 0; k < 5000 && !(estimate < 1e-9); k++)
        estimate = perp_sweep_run(&s, true) / scale;
    perp_status status = perp_sweep_end(run, &s, z);
    perp_sweep_close(&s);
    return status;
}

/* The certificate of the whole problem, velocities included, agrees. */
START_TEST(certified)
{
    perp_arena a = {0};
    perp_result r;
    generated_problem g = fc3d_generate("packing", "fc3d_body", 20, 1, &a);
    sweep_test t = with_halves();
    fc3d_inside(&g.p, solve_by, &t.o, &r);
    ck_assert_double_le(r.residual.value, 1e-8);
    perp_arena_free(&a);
}
END_TEST

static perp_status open_only(perp_run *run, double *z, void *ctx)
{
    perp_sweep s;
    return perp_sweep_open(run, ctx, z, &s);
}

/* Closed where a block is bad, not where it did not open; it is asked once, and nobody else. */
START_TEST(refusals)
{
    perp_arena a = {0};
    perp_result r;
    generated_problem g = fc3d_generate("packing", "fc3d_body", 20, 1, &a);
    sweep_test t = with_halves();
    calls.refuses = true;
    ck_assert_int_eq(fc3d_inside(&g.p, open_only, &t.o, &r), PERP_E_FORMAT);
    ck_assert_str_eq(r.detail, "no messages today");
    ck_assert(calls.asked == 1 && calls.opened == 0 && calls.closed == 0);
    calls.refuses = false;
    struct perp_csc_view *H = &g.p.as.fc3d.H.as.csc;
    double *x = perp_alloc(&a, (size_t)H->p[g.p.as.fc3d.H.n], sizeof *x);
    memcpy(x, H->x, (size_t)H->p[g.p.as.fc3d.H.n] * sizeof *x);
    for (int k = H->p[3 * 4]; k < H->p[3 * 4 + 3]; k++) x[k] *= 1e200; /* contact 4 */
    H->x = x;
    ck_assert_int_eq(fc3d_inside(&g.p, open_only, &t.o, &r), PERP_E_NUMBER);
    ck_assert_msg(strstr(r.detail, "contact 4"), "%s", r.detail);
    ck_assert(calls.opened == 1 && calls.closed == 1);
    perp_arena_free(&a);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("fc3d_sweep_variant");
    TCase *t = tcase_create("fc3d_sweep_variant");
    tcase_add_test(t, like_the_textbook);
    tcase_add_test(t, certified);
    tcase_add_test(t, refusals);
    suite_add_tcase(s, t);
    return support_run(s);
}
