// Dialogs of the whole page: keys, commands, files.
import type { JSX } from "preact";
import { useRef, useState } from "preact/hooks";
import { toast } from "../core/copy";
import { human, plural } from "../core/format";
import { pageCommands, screenCommands, type Command } from "../core/keys";
import { change, input, session } from "../core/session";
import { goInput, shortNames, theme, bound } from "../core/state";
import { Dialog, Pick } from "./parts";
import { dialog } from "./shell";

const close = (): void => {
    dialog.value = "";
};
const groups = (): { title: string; list: Command[] }[] => [...screenCommands.value, { title: "Everywhere", list: pageCommands }];

function Help(): JSX.Element {
    return (
        <Dialog title="Keys" onClose={close} wide>
            <div class="help">
                {groups().map((g) => (
                    <section key={g.title}>
                        <h3>{g.title}</h3>
                        <table>
                            <tbody>
                                {g.list
                                    .filter((c) => c.keys?.length)
                                    .map((c) => (
                                        <tr key={c.title}>
                                            <td>
                                                {c.keys!.map((k) => (
                                                    <kbd key={k}>{k}</kbd>
                                                ))}
                                            </td>
                                            <td>{c.title}</td>
                                        </tr>
                                    ))}
                            </tbody>
                        </table>
                    </section>
                ))}
            </div>
            <p class="settings">
                <Pick label="Theme" {...bound(theme)} options={["system", "light", "dark"]} />
                <Pick label="Names" {...bound(shortNames)} options={["short=template arguments shortened", "full=in full"]} />
            </p>
        </Dialog>
    );
}

function Palette(): JSX.Element {
    const [text, setText] = useState(""),
        [at, setAt] = useState(0),
        words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const list = groups()
        .flatMap((g) => g.list.filter((c) => !c.quiet))
        .filter((c, i, all) => all.findIndex((x) => x.title === c.title) === i && words.every((w) => c.title.toLowerCase().includes(w)));
    const run = (c?: Command): void => {
        close();
        if (c) setTimeout(() => c.run());
    };
    return (
        <Dialog title="Commands" onClose={close}>
            <input
                class="full"
                autofocus
                aria-label="Command"
                role="combobox"
                aria-expanded="true"
                aria-controls="commands"
                aria-activedescendant={`command-${at}`}
                placeholder="Type a command"
                value={text}
                onInput={(e) => {
                    setText(e.currentTarget.value);
                    setAt(0);
                }}
                onKeyDown={(e) => {
                    if (e.key === "Enter") {
                        e.preventDefault();
                        run(list[at]);
                    }
                    if (e.key === "ArrowDown") {
                        e.preventDefault();
                        setAt(Math.min(list.length - 1, at + 1));
                    }
                    if (e.key === "ArrowUp") {
                        e.preventDefault();
                        setAt(Math.max(0, at - 1));
                    }
                }}
            />
            <ul class="commands" role="listbox" id="commands">
                {list.slice(0, 50).map((c, i) => (
                    <li key={c.title} id={`command-${i}`} role="option" aria-selected={i === at} onClick={() => run(c)}>
                        <span>{c.title}</span>
                        {c.keys?.[0] && <kbd>{c.keys[0]}</kbd>}
                    </li>
                ))}
            </ul>
        </Dialog>
    );
}

export async function openFile(file: File): Promise<void> {
    const limit = session.value?.limits.upload ?? 0;
    if (limit && file.size > limit)
        return toast(
            `${file.name} has ${human(file.size, "bytes")}; a page can hand over ${human(limit, "bytes")} at most: give its path to the command`,
            true,
        );
    try {
        await change(`open?name=${encodeURIComponent(file.name)}`, file);
        close();
    } catch (e) {
        toast((e as Error).message, true);
    }
}

function Files(): JSX.Element {
    const s = session.value,
        file = useRef<HTMLInputElement>(null);
    const when = (m: string | number): string => {
        const d = new Date(typeof m === "number" ? m * 1000 : m);
        return Number.isNaN(d.getTime()) ? "" : d.toISOString().slice(0, 16).replace("T", " ");
    };
    return (
        <Dialog title="Files" onClose={close} wide>
            <p class="dim">{s?.folder ? `Files in ${s.folder}. ` : ""}Nothing leaves this machine: files are read by the assay that you started.</p>
            <table class="files">
                <thead>
                    <tr>
                        <th>name</th>
                        <th>format</th>
                        <th class="n">size</th>
                        <th>changed</th>
                        <th />
                    </tr>
                </thead>
                <tbody>
                    {s?.inputs.map((i) => (
                        <tr key={i.id} class={input.value?.id === i.id ? "on" : ""}>
                            <td>
                                <button
                                    class="plain"
                                    title={i.path}
                                    onClick={() => {
                                        close();
                                        goInput({ a: i.id, b: null });
                                    }}
                                >
                                    {i.name}
                                </button>
                            </td>
                            <td>
                                {i.state === "failed" ? (
                                    <span class="error">{typeof i.error === "object" ? i.error?.message : (i.error ?? "cannot be read")}</span>
                                ) : (
                                    i.format
                                )}
                            </td>
                            <td class="n">{human(i.size, "bytes")}</td>
                            <td class="dim">{when(i.modified)}</td>
                            <td>{i.changed && !s.exported && <button onClick={() => void change(`reload?a=${i.id}`)}>Reload</button>}</td>
                        </tr>
                    ))}
                </tbody>
            </table>
            {!s?.exported && (
                <p class="row">
                    <button
                        onClick={() =>
                            void change("rescan").then(
                                () => toast(plural(session.value?.inputs.length, "file")),
                                (e: Error) => toast(e.message, true),
                            )
                        }
                    >
                        Rescan
                    </button>
                    <button onClick={() => file.current?.click()}>Open a file...</button>
                    <input
                        ref={file}
                        id="file"
                        type="file"
                        class="sr"
                        tabIndex={-1}
                        aria-label="file to open"
                        onChange={(e) => {
                            const f = e.currentTarget.files?.[0];
                            if (f) void openFile(f);
                        }}
                    />
                    <span class="dim">or drop one on the page</span>
                </p>
            )}
        </Dialog>
    );
}

export function Dialogs(): JSX.Element | null {
    return dialog.value === "help" ? <Help /> : dialog.value === "palette" ? <Palette /> : dialog.value === "open" ? <Files /> : null;
}
