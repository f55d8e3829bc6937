/* assay help VERB, on the library alone: what the tables of the library say of a verb that reports. */
#include <assay/assay.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    struct assay_option_info o = { .size = sizeof o };
    if (argc < 2) {
        for (size_t i = 0; i < assay_verb_count(); i++) printf("%-10s %s\n", assay_verb_at(i)->name, assay_verb_at(i)->summary);
        return 0;
    }
    const struct assay_verb *verb = assay_verb_find(argv[1]);
    if (!verb) return 2;
    printf("usage: assay %s [options] %s\n", verb->name, verb->arguments);
    for (const char *const *text = verb->text; *text; text++) printf("\n%s\n", *text);
    printf("\noptions:\n");
    for (size_t i = 0; assay_verb_option_at(verb, i, &o); i++) {
        if (o.is_hidden) continue;
        bool is_form = o.type == ASSAY_OPTION_FORM && o.argument;
        printf("  --%s%s%s%s\n      %s\n", o.name, is_form ? "[=" : o.argument ? " " : "", o.argument ? o.argument : "", is_form ? "]" : "", o.help);
    }
    return 0;
}
