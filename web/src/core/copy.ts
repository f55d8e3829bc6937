// Copying to the clipboard, saving as a file, and the short messages that say so.
import { shared } from "./live";

export const toasts = shared<{ id: number; text: string; bad: boolean }[]>([]);
let last = 0;
export function toast(text: string, bad = false): void {
    const id = ++last;
    toasts.value = [...toasts.value.slice(-2), { id, text, bad }];
    setTimeout(
        () => {
            toasts.value = toasts.value.filter((t) => t.id !== id);
        },
        bad ? 8000 : 3000,
    );
}

export async function copy(text: string, what = "copied"): Promise<void> {
    try {
        await navigator.clipboard.writeText(text);
        toast(`${what}: ${text.length > 80 ? `${text.slice(0, 77)}...` : text}`);
    } catch {
        // Without the permission, a selected text and the browser's own command.
        const area = document.createElement("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        const ok = document.execCommand("copy");
        area.remove();
        toast(ok ? what : "the browser did not allow copying", !ok);
    }
}

export function save(blob: Blob, name: string): void {
    const a = document.createElement("a"),
        url = URL.createObjectURL(blob);
    a.href = url;
    a.download = name;
    a.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
}
