import { Sheet } from "../parts/Sheet";
import { useWords } from "../words";
import type { Word } from "../words/ar";

const groups: { title: Word; keys: [string[], Word][] }[] = [
  { title: "keys_everywhere", keys: [[["Ctrl", "K"], "keys_go"], [["?"], "keys_help"]] },
  { title: "keys_list", keys: [[["J"], "keys_next"], [["K"], "keys_previous"], [["Enter"], "keys_open"], [["X"], "keys_select"], [["/"], "keys_search"]] },
  {
    title: "keys_editor",
    keys: [[["Enter"], "keys_cell"], [["Ctrl", "Enter"], "keys_line"], [["Ctrl", "D"], "keys_copy"], [["Alt", "↑ ↓"], "keys_move"], [["Ctrl", "S"], "keys_save"], [["Ctrl", "Shift", "Enter"], "keys_issue"]],
  },
];

/** Lists the keys of the app. */
export default function Keys({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useWords();
  return (
    <Sheet title={t("keys_title")} isOpen={isOpen} onClose={onClose}>
      {groups.map((group) => (
        <section key={group.title}>
          <h3 className="pb-2 text-xs text-muted">{t(group.title)}</h3>
          <dl className="grid gap-1.5">
            {group.keys.map(([keys, word]) => (
              <div key={word} className="flex items-center justify-between gap-4">
                <dt>{t(word)}</dt>
                <dd dir="ltr" className="flex shrink-0 gap-1">{keys.map((key) => <kbd key={key} className="rounded border border-line bg-sunken px-2 py-0.5 text-xs">{key}</kbd>)}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Sheet>
  );
}
