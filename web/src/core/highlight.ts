// Colours of source code: comments, strings, numbers and keywords of the languages that profiles come from, a line at a time. Text stays text.
export type Token = [kind: "" | "c" | "s" | "n" | "k", text: string];

/** Languages with braces and types, and scripts: what is a word of one is rarely a name in another. */
const SHARED =
        "break case catch class const continue default do else extends false final finally for function if import in new private protected public return static switch throw true try use var while yield ",
    C = new Set(
        (
            SHARED +
            "bool char double enum float func go inline int let long nullptr short sizeof struct template this type typedef union unsigned using virtual void"
        ).split(" "),
    ),
    SCRIPT = new Set(
        (
            SHARED +
            "and array as assert def die echo elif elseif elsif except False from global is lambda last my next None not null or our package pass print raise require self sub True undef unless until with"
        ).split(" "),
    );

export interface Highlighter {
    line: (text: string) => Token[];
}

/** One for a file: it remembers whether a comment is still open. */
export function highlighter(path: string): Highlighter {
    const isPhp = /\.(php|phtml|inc)$/i.test(path),
        hashes = isPhp || /\.(p[lmy]|t|sh|rb)$/i.test(path),
        words = hashes ? SCRIPT : C,
        slashes = isPhp || !hashes;
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
