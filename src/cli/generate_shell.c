/* Completion for bash, zsh and fish, out of the tables; see generate.h. */
#include <string.h>

#include "cli/format_options.h"
#include "cli/generate.h"

static bool put_key(void *out, const struct assay_option_info *o)
{
    if (!o->is_hidden) output_printf(out, "%s%s ", o->name, o->type == ASSAY_OPTION_FLAG ? "" : "=");
    return true;
}

/* Words that may follow an option, separated by blanks: the words of its list, the formats that can be read or written, the options that formats have. */
static void put_words(struct output *out, const struct option_spec *o)
{
    const char *blank = "";
    if (o->type == OPTION_PAIR) format_options_each(put_key, out);
    for (const char *const *w = o->words; w && *w; w++) {
        output_printf(out, "%s%s", blank, *w);
        blank = " ";
    }
    if (o->type != OPTION_FORMAT && o->type != OPTION_TARGET) return;
    for (size_t i = 0; i < assay_format_count(); i++) {
        const struct assay_format_info *format = assay_format_at(i);
        if (!(format->can & (o->type == OPTION_TARGET ? ASSAY_CAN_WRITE : ASSAY_CAN_READ | ASSAY_CAN_CHECK | ASSAY_CAN_DUMP))) continue;
        output_printf(out, "%s%s", blank, format->name);
        blank = " ";
    }
}

/* Takes no value of its own. */
static bool is_flag(const struct option_spec *o) { return o->type == OPTION_FLAG || o->type == OPTION_FORM || o->type == OPTION_STEP; }

static bool has_words(const struct option_spec *o)
{
    return (o->words && !is_flag(o)) || o->type == OPTION_FORMAT || o->type == OPTION_TARGET || o->type == OPTION_PAIR;
}

static void put_verbs(struct output *out)
{
    for (const struct verb *const *v = cli_verbs; *v; v++) output_printf(out, "%s%s", v == cli_verbs ? "" : " ", (*v)->name);
}

/* Calls `each` for every verb, and for the commands of families after them. */
static void each_verb(struct output *out, void (*each)(struct output *out, const struct verb *v))
{
    for (const struct verb *const *v = cli_verbs; *v; v++) {
        const struct family *family = cli_family(*v);
        each(out, *v);
        for (const struct verb *const *command = family ? family->commands : NULL; command && *command; command++) each(out, *command);
    }
}

static void put_commands(struct output *out, const struct family *family)
{
    for (const struct verb *const *v = family->commands; *v; v++) output_printf(out, "%s%s", v == family->commands ? "" : " ", cli_word(*v));
}

/* ---- bash ---- */

static void bash_values(struct output *out, const struct verb *v)
{
    for (const struct option_spec *o = v->options; o->name; o++) {
        if (o->is_hidden || is_flag(o)) continue;
        output_printf(out, "        '%s':--%s", v->name, o->name);
        if (o->letter) output_printf(out, "|'%s':-%c", v->name, o->letter);
        if (has_words(o)) {
            output_text(out, ") words='");
            put_words(out, o);
            output_text(out, "' ;;\n");
        } else
            output_text(out, o->type == OPTION_PATH ? ") mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;\n" : ") return ;;\n");
    }
}

static void bash_options(struct output *out, const struct verb *v)
{
    output_printf(out, "            '%s') words='", v->name);
    for (const struct option_spec *o = v->options; o->name; o++)
        if (!o->is_hidden) output_printf(out, "%s--%s", o == v->options ? "" : " ", o->name);
    output_text(out, "' ;;\n");
}

/* The command of a family: its words when there is none yet, else it becomes a part of the verb. */
static void bash_family(struct output *out, const struct family *family)
{
    output_printf(out, "    if [ \"$verb\" = %s ] && [ \"$COMP_CWORD\" -gt 2 ]; then\n        verb=\"%s ${COMP_WORDS[2]}\"\n", family->verb->name,
                  family->verb->name);
    output_printf(out, "    elif [ \"$verb\" = %s ] && [ \"${cur#-}\" = \"$cur\" ]; then\n        words='", family->verb->name);
    put_commands(out, family);
    output_text(out, "'\n    fi\n");
}

static void put_bash(struct output *out)
{
    output_text(out, "# bash completion for assay; written by 'assay help --completion bash'\n"
                     "_assay() {\n"
                     "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} words=''\n"
                     "    COMPREPLY=()\n"
                     "    [ \"$cur\" = '=' ] && cur=''\n"
                     "    [ \"$prev\" = '=' ] && prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                     "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
                     "        mapfile -t COMPREPLY < <(compgen -W '");
    put_verbs(out);
    output_text(out, " --help --version' -- \"$cur\"; compgen -f -- \"$cur\")\n        return\n    fi\n");
    for (const struct family *const *f = cli_families; *f; f++) bash_family(out, *f);
    output_text(out, "    case \"$verb:$prev\" in\n");
    each_verb(out, bash_values);
    output_text(out, "        *:*) ;;\n    esac\n    if [ -z \"$words\" ]; then\n        case \"$verb:$cur\" in\n            help:[!-]*|help:) words='");
    put_verbs(out);
    output_text(out, "' ;;\n            *:-*) ;;\n            *) mapfile -t COMPREPLY < <(compgen -f -- \"$cur\"); return ;;\n        esac\n    fi\n"
                     "    if [ -z \"$words\" ]; then\n        case \"$verb\" in\n");
    each_verb(out, bash_options);
    output_text(out, "        esac\n    fi\n    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\ncomplete -o filenames -F _assay assay\n");
}

/* ---- zsh ---- */

/* Help inside '...[...]': what the two kinds of brackets mean must be escaped. */
static void zsh_text(struct output *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '\'')
            output_text(out, "'\\''");
        else {
            if (strchr("[]:\\", *s)) output_char(out, '\\');
            output_char(out, *s);
        }
    }
}

static void zsh_option(struct output *out, const struct option_spec *o)
{
    if (o->letter)
        output_printf(out, "                {-%c%s,--%s%s}'[", o->letter, is_flag(o) ? "" : "+", o->name, is_flag(o) ? "" : "=");
    else
        output_printf(out, "                '%s--%s%s[", o->type == OPTION_LIST || o->type == OPTION_MAP || o->type == OPTION_PAIR ? "*" : "", o->name,
                      is_flag(o) ? "" : "=");
    zsh_text(out, o->help);
    output_char(out, ']');
    if (!is_flag(o)) {
        output_char(out, ':');
        zsh_text(out, o->argument);
        output_char(out, ':');
        if (o->type == OPTION_PATH) output_text(out, "_files");
        if (has_words(o)) {
            output_char(out, '(');
            put_words(out, o);
            output_char(out, ')');
        }
    }
    output_text(out, "' \\\n");
}

static void zsh_verb(struct output *out, const struct verb *v)
{
    const struct family *family = cli_family(v);
    output_printf(out, "        '%s')\n            _arguments -s \\\n", v->name);
    for (const struct option_spec *o = v->options; o->name; o++)
        if (!o->is_hidden) zsh_option(out, o);
    if (strcmp(v->name, "help") == 0) {
        output_text(out, "                '1:verb:(");
        put_verbs(out);
        output_text(out, ")' ;;\n");
    } else if (family) {
        output_text(out, "                '1:command:(");
        put_commands(out, family);
        output_text(out, ")' ;;\n");
    } else
        output_text(out, "                '*:file:_files' ;;\n");
}

static void zsh_family(struct output *out, const struct family *family)
{
    const char *name = family->verb->name;
    output_printf(out,
                  "    if [[ $verb == %s ]] && (( CURRENT > 2 )); then\n        verb=\"%s $words[2]\"\n        shift words\n        (( CURRENT-- ))\n    fi\n",
                  name, name);
}

static void put_zsh(struct output *out)
{
    output_text(out, "#compdef assay\n# written by 'assay help --completion zsh'\n_assay() {\n    local -a verbs\n    verbs=(\n");
    for (const struct verb *const *v = cli_verbs; *v; v++) {
        output_printf(out, "        '%s:", (*v)->name);
        zsh_text(out, (*v)->summary);
        output_text(out, "'\n");
    }
    output_text(
        out,
        "    )\n    if (( CURRENT == 2 )); then\n        _describe verb verbs\n        _arguments '--help[list the verbs]' '--version[print the version]'\n"
        "        _files\n        return\n    fi\n    local verb=$words[2]\n    shift words\n    (( CURRENT-- ))\n");
    for (const struct family *const *f = cli_families; *f; f++) zsh_family(out, *f);
    output_text(out, "    case $verb in\n");
    each_verb(out, zsh_verb);
    output_text(out, "    esac\n}\n_assay \"$@\"\n");
}

/* ---- fish ---- */

static void fish_text(struct output *out, const char *s)
{
    output_char(out, '\'');
    for (; *s; s++) {
        if (*s == '\'' || *s == '\\') output_char(out, '\\');
        output_char(out, *s);
    }
    output_char(out, '\'');
}

static void fish_option(struct output *out, const struct verb *v, const struct option_spec *o)
{
    const char *blank = v ? strchr(v->name, ' ') : NULL;
    if (blank)
        output_printf(out, "complete -c assay -n '__fish_seen_subcommand_from %.*s; and __fish_seen_subcommand_from %s' -l %s", (int)(blank - v->name), v->name,
                      blank + 1, o->name);
    else if (v)
        output_printf(out, "complete -c assay -n '__fish_seen_subcommand_from %s' -l %s", v->name, o->name);
    else
        output_printf(out, "complete -c assay -n __fish_use_subcommand -l %s", o->name);
    if (o->letter) output_printf(out, " -s %c", o->letter);
    if (o->type == OPTION_PATH)
        output_text(out, " -r");
    else if (!is_flag(o))
        output_text(out, " -x");
    if (has_words(o)) {
        output_text(out, " -a '");
        put_words(out, o);
        output_char(out, '\'');
    }
    output_text(out, " -d ");
    fish_text(out, o->help);
    output_char(out, '\n');
}

static void fish_commands(struct output *out, const struct family *family)
{
    for (const struct verb *const *v = family->commands; *v; v++) {
        output_printf(out, "complete -c assay -f -n '__fish_seen_subcommand_from %s' -a %s -d ", family->verb->name, cli_word(*v));
        fish_text(out, (*v)->summary);
        output_char(out, '\n');
        for (const struct option_spec *o = (*v)->options; o->name; o++)
            if (!o->is_hidden) fish_option(out, *v, o);
    }
}

static void put_fish(struct output *out)
{
    output_text(out, "# fish completion for assay; written by 'assay help --completion fish'\n");
    for (const struct option_spec *o = cli_options; o->name; o++) fish_option(out, NULL, o);
    for (const struct verb *const *v = cli_verbs; *v; v++) {
        output_printf(out, "complete -c assay -f -n __fish_use_subcommand -a %s -d ", (*v)->name);
        fish_text(out, (*v)->summary);
        output_char(out, '\n');
        for (const struct option_spec *o = (*v)->options; o->name; o++)
            if (!o->is_hidden) fish_option(out, *v, o);
        if (cli_family(*v)) fish_commands(out, cli_family(*v));
    }
    output_text(out, "complete -c assay -f -n '__fish_seen_subcommand_from help' -a '");
    put_verbs(out);
    output_text(out, "'\n");
}

void generate_completion(struct output *out, enum generate_shell shell)
{
    switch (shell) {
    case GENERATE_BASH: put_bash(out); break;
    case GENERATE_ZSH: put_zsh(out); break;
    case GENERATE_FISH: put_fish(out); break;
    }
}
