// Colours of source code: comments, strings, numbers and keywords of the languages that profiles come from, a line at a time. Text stays text.
export type Token = [kind: "" | "c" | "s" | "n" | "k", text: string];

const SHARED =
    "async await break case catch class const continue default do else extends false final finally fn for function if import in interface match namespace new private protected public return static switch throw trait true try use var while yield ";
const WORDS: Record<string, string> = {
    c: "auto bool char constexpr defer delete double enum explicit export extern float func go goto impl inline int let long mut noexcept nullptr of operator override package pub register restrict select short signed sizeof struct template this type typedef typename typeof union unsigned using virtual void volatile",
    perl: "and bless cmp die each elsif eq eval foreach ge grep gt keys last le local lt map my ne next no not or our package pop print push redo ref require shift sort sub undef unless until values warn xor",
    php: "abstract and array as clone declare echo elseif empty foreach global implements include include_once instanceof isset list null or parent print readonly require require_once self unset",
    py: "and as assert def del elif except False from global is lambda None nonlocal not or pass raise self True with",
};
const LANGUAGE: Record<string, string> = { pl: "perl", pm: "perl", t: "perl", php: "php", phtml: "php", inc: "php", py: "py", sh: "py", rb: "py" };
const sets = new Map(Object.entries(WORDS).map(([k, v]) => [k, new Set((SHARED + v).split(" "))]));

export interface Highlighter {
    line: (text: string) => Token[];
}

/** One for a file: it remembers whether a comment is still open. */
export function highlighter(path: string): Highlighter {
    const language = LANGUAGE[/\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ""] ?? "c",
        words = sets.get(language)!,
        hashes = language !== "c",
        slashes = language === "c" || language === "php";
    const rule = new RegExp(
        [
            slashes ? "(\\/\\/.*|\\/\\*[^]*?(?:\\*\\/|$))" : "($^)",
            hashes ? "(#.*)" : "($^)",
            "(\"(?:[^\"\\\\]|\\\\.)*\"?|'(?:[^'\\\\]|\\\\.)*'?)",
            "(\\b\\d[\\w.]*)",
            "([A-Za-z_]\\w*)",
        ].join("|"),
        "g",
    );
    let inside = false;
    return {
        line: (text) => {
            const out: Token[] = [];
            let at = 0;
            if (inside) {
                const end = text.indexOf("*/");
                if (end < 0) return [["c", text]];
                inside = false;
                out.push(["c", text.slice(0, (at = end + 2))]);
            }
            rule.lastIndex = at;
            for (let m = rule.exec(text); m; m = rule.exec(text)) {
                // In Perl and PHP '$#' and '$x' are variables, and '#' after '$' begins no comment.
                if (m[2] !== undefined && text[m.index - 1] === "$") continue;
                const kind =
                    m[1] !== undefined || m[2] !== undefined
                        ? "c"
                        : m[3] !== undefined
                          ? "s"
                          : m[4] !== undefined
                            ? "n"
                            : words.has(m[5]!) && !/[$@%]/.test(text[m.index - 1] ?? "")
                              ? "k"
                              : "";
                if (m.index > at) out.push(["", text.slice(at, m.index)]);
                out.push([kind, m[0]]);
                at = m.index + m[0].length;
                if (m[1]?.startsWith("/*") && !m[1].endsWith("*/")) inside = true;
                if (!m[0].length) break;
            }
            if (at < text.length) out.push(["", text.slice(at)]);
            return out;
        },
    };
}
