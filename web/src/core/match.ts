// What the search box takes: a part of a name in any case, or /a regular expression/.
export type Fits = (name: string) => boolean;

export const escapeRegex = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** Why this is not a valid search, or "". */
export function wrong(text: string): string {
    const m = /^\/(.*?)\/?$/.exec(text);
    if (!m || !text.startsWith("/")) return "";
    try {
        new RegExp(m[1]!);
        return "";
    } catch (e) {
        return (e as Error).message.replace(/^Invalid regular expression: /, "").replace(/^\/.*\/\w*: /, "");
    }
}

export function matcher(text: string): Fits {
    if (!text) return () => false;
    if (text.startsWith("/")) {
        const source = text.replace(/^\/|\/$/g, "");
        try {
            const re = new RegExp(source);
            return (name) => re.test(name);
        } catch {
            return () => false;
        }
    }
    const low = text.toLowerCase();
    return (name) => name.toLowerCase().includes(low);
}
