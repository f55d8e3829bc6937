/* Plots in SVG; see plot.h. */
#include "report/plot.h"

#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "base/slice.h"
#include "report/svg_text.h"

enum { WIDTH = 960, HEIGHT = 420, LEFT = 84, RIGHT = 28, TOP = 72, BOTTOM = 58, TICKS = 5 };

static const char style[] = "svg { font: 12px system-ui, sans-serif; --bg: #ffffff; --fg: #1b1f24; --dim: #59636e; --line: #d5dae0; --data: #0550ae; --out: "
                            "#bc4c00; --third: #1a7f37; }\n"
                            ":root { background: var(--bg); }\n"
                            ".ground { fill: var(--bg); }\n"
                            "text { fill: var(--fg); }\n"
                            ".head { font-weight: 600; font-size: 15px; }\n"
                            ".said, .tick text, .level text { fill: var(--dim); }\n"
                            ".tick line, .axis { stroke: var(--line); fill: none; }\n"
                            ".line { fill: none; stroke: var(--data); stroke-width: 1.5; stroke-linejoin: round; }\n"
                            ".point, .bar { fill: var(--data); }\n"
                            ".bar { fill-opacity: .8; }\n"
                            ".k1 .line, .line.k1 { stroke: var(--third); } .point.k1 { fill: var(--third); }\n"
                            ".line.k2 { stroke: var(--dim); stroke-dasharray: 4 4; }\n"
                            ".level line { stroke: var(--dim); stroke-dasharray: 4 4; }\n"
                            ".level text, .mark text { paint-order: stroke; stroke: var(--bg); stroke-width: 3px; }\n"
                            ".mark circle { fill: var(--out); }\n"
                            ".mark text { fill: var(--out); font-weight: 600; }\n"
                            "@media (prefers-color-scheme: dark) {\n"
                            "  svg { --bg: #14181d; --fg: #e3e8ee; --dim: #9aa5b1; --line: #333b45; --data: #7ab7ff; --out: #ff9e64; --third: #7ee787; }\n"
                            "}\n";

/* ---- places ---- */

static double place_x(const struct plot *p, double x)
{
    double range = p->x_to - p->x_from;
    return LEFT + (range > 0 ? (x - p->x_from) / range : 0.5) * (WIDTH - LEFT - RIGHT);
}

static double place_y(const struct plot *p, double y) { return HEIGHT - BOTTOM - (p->y_to > 0 ? y / p->y_to : 0) * (HEIGHT - TOP - BOTTOM); }

/* A tenth of a pixel is enough. */
static void put(struct output *o, const char *name, double v) { output_printf(o, " %s=\"%.1f\"", name, v); }

static void put_text(struct plot *p, double x, double y, const char *anchor, const char *class, assay_slice text)
{
    output_text(p->o, "<text");
    put(p->o, "x", x);
    put(p->o, "y", y);
    if (anchor) output_printf(p->o, " text-anchor=\"%s\"", anchor);
    if (class) output_printf(p->o, " class=\"%s\"", class);
    output_char(p->o, '>');
    svg_text(p->o, text);
    output_text(p->o, "</text>\n");
}

static void put_line(struct plot *p, double x1, double y1, double x2, double y2)
{
    output_text(p->o, "<line");
    put(p->o, "x1", x1);
    put(p->o, "y1", y1);
    put(p->o, "x2", x2);
    put(p->o, "y2", y2);
    output_text(p->o, "/>\n");
}

/* ---- the frame ---- */

/* A round step that gives at most TICKS ticks. */
static double step_of(double to)
{
    static const double steps[] = { 1, 2, 2.5, 5, 10 };
    double power = pow(10, floor(log10(to / TICKS)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] * power * TICKS >= to) return steps[i] * power;
    return 10 * power;
}

static void put_scale(struct plot *p)
{
    char text[48];
    double step = p->y_to > 0 ? step_of(p->y_to) : 1;
    bool is_share = p->unit[0] == '%';
    for (int i = 0; i <= 2 * TICKS && i * step <= p->y_to * (1 + 1e-9); i++) {
        double y = place_y(p, i * step);
        output_text(p->o, "<g class=\"tick\">");
        put_line(p, LEFT, y, WIDTH - RIGHT, y);
        if (is_share)
            number_percent(text, i * step, 1);
        else
            value_text(text, false, ASSAY_F64, (assay_value){ .d = i * step }, p->unit);
        put_text(p, LEFT - 8, y + 4, "end", NULL, slice_of(text));
        output_text(p->o, "</g>\n");
    }
}

void plot_begin(struct plot *p, assay_slice title, const char *said, const char *x_name, const char *y_name)
{
    output_printf(p->o, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n<title>", WIDTH, HEIGHT,
                  WIDTH, HEIGHT);
    svg_text(p->o, title);
    output_text(p->o, "</title>\n<style><![CDATA[\n");
    output_text(p->o, style);
    output_text(p->o, "]]></style>\n<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n<text class=\"head\" x=\"24\" y=\"28\">");
    svg_label(p->o, title, WIDTH - 48, 8.2);
    output_text(p->o, "</text>\n");
    put_text(p, 24, 48, NULL, "said", slice_of(said));
    put_scale(p);
    output_printf(p->o, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, HEIGHT - BOTTOM, WIDTH - RIGHT);
    put_text(p, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 14, "middle", "said", slice_of(x_name));
    output_printf(p->o, "<g transform=\"rotate(-90)\">");
    put_text(p, -(HEIGHT + TOP - BOTTOM) / 2.0, 16, "middle", "said", slice_of(y_name));
    output_text(p->o, "</g>\n");
}

void plot_end(struct plot *p) { output_text(p->o, "</svg>\n"); }

void plot_tick(struct plot *p, double x, assay_slice name)
{
    output_text(p->o, "<g class=\"tick\">");
    put_line(p, place_x(p, x), HEIGHT - BOTTOM, place_x(p, x), HEIGHT - BOTTOM + 5);
    put_text(p, place_x(p, x), HEIGHT - BOTTOM + 20, "middle", NULL, name);
    output_text(p->o, "</g>\n");
}

/* ---- data ---- */

static void put_vertex(struct plot *p, bool *is_first, double x, double y)
{
    output_printf(p->o, "%c%.1f %.1f", *is_first ? 'M' : 'L', place_x(p, x), place_y(p, y));
    *is_first = false;
}

void plot_line(struct plot *p, uint32_t count, plot_fn *x, plot_fn *y, const void *arg, unsigned kind)
{
    enum { COLUMNS = WIDTH - LEFT - RIGHT };
    uint32_t each = count / COLUMNS + 1; /* points of one column of pixels: the least and the most of them */
    bool is_first = true;
    output_printf(p->o, "<path class=\"line k%u\" d=\"", kind);
    for (uint32_t i = 0; i < count; i += each) {
        uint32_t least = i, most = i;
        for (uint32_t k = i; k < count && k < i + each; k++) {
            if (y(arg, k) < y(arg, least)) least = k;
            if (y(arg, k) > y(arg, most)) most = k;
        }
        uint32_t first = least < most ? least : most, last = least < most ? most : least;
        put_vertex(p, &is_first, x(arg, first), y(arg, first));
        if (last != first) put_vertex(p, &is_first, x(arg, last), y(arg, last));
    }
    output_text(p->o, "\"/>\n");
}

void plot_bar(struct plot *p, double x, double width, double y, assay_slice tip)
{
    double from = place_x(p, x), to = place_x(p, x + width), top = place_y(p, y);
    output_text(p->o, "<rect class=\"bar\"");
    put(p->o, "x", from + 0.5);
    put(p->o, "y", top);
    put(p->o, "width", to - from > 2 ? to - from - 1 : 1);
    put(p->o, "height", HEIGHT - BOTTOM - top);
    output_text(p->o, "><title>");
    svg_text(p->o, tip);
    output_text(p->o, "</title></rect>\n");
}

void plot_level(struct plot *p, double y, assay_slice name)
{
    output_text(p->o, "<g class=\"level\">");
    put_line(p, LEFT, place_y(p, y), WIDTH - RIGHT, place_y(p, y));
    put_text(p, WIDTH - RIGHT, place_y(p, y) - 5, "end", NULL, name);
    output_text(p->o, "</g>\n");
}

void plot_point(struct plot *p, double x, double y, assay_slice tip, unsigned kind)
{
    output_printf(p->o, "<circle class=\"point k%u\"", kind);
    put(p->o, "cx", place_x(p, x));
    put(p->o, "cy", place_y(p, y));
    output_text(p->o, " r=\"2.5\"><title>");
    svg_text(p->o, tip);
    output_text(p->o, "</title></circle>\n");
}

void plot_mark(struct plot *p, double x, double y, assay_slice name)
{
    bool is_right = place_x(p, x) > WIDTH - RIGHT - 140;
    output_text(p->o, "<g class=\"mark\"><circle");
    put(p->o, "cx", place_x(p, x));
    put(p->o, "cy", place_y(p, y));
    output_text(p->o, " r=\"4\"/>");
    put_text(p, place_x(p, x) + (is_right ? -8 : 8), place_y(p, y) + 4, is_right ? "end" : NULL, NULL, name);
    output_text(p->o, "</g>\n");
}
