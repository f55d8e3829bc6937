// Colours of source code: comments, strings, numbers and keywords of the languages that profiles come from, a line at a time. Text stays text.
export type Token = [kind: "" | "c" | "s" | "n" | "k", text: string];

const WORDS: Record<string, string> = {
    c: "auto bool break case catch char class const constexpr continue default delete do double else enum explicit export extern false final float for goto if inline int long namespace new noexcept nullptr operator override private protected public register restrict return short signed sizeof static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while func let var fn impl trait pub mut match use async await import package interface extends function of in typeof yield defer go type select",
    perl: "my our local use no package sub return if elsif else unless while until for foreach last next redo do eval and or not xor eq ne lt gt le ge cmp require bless ref undef print push shift pop keys values each sort map grep die warn",
    php: "abstract and array as break case catch class clone const continue declare default do echo else elseif empty extends final finally fn for foreach function global if implements include include_once instanceof interface isset list match namespace new null or print private protected public readonly require require_once return static switch throw trait true false try unset use var while yield self parent",
    py: "and as assert async await break class continue def del elif else except finally for from global if import in is lambda None nonlocal not or pass raise return True False try while with yield self",
};
const LANGUAGE: Record<string, string> = { pl: "perl", pm: "perl", t: "perl", php: "php", phtml: "php", inc: "php", py: "py", sh: "py", rb: "py" };
const sets = new Map(Object.entries(WORDS).map(([k, v]) => [k, new Set(v.split(" "))]));

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
