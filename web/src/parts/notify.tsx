import { Check, X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { Button } from "react-aria-components";
import { useWords } from "../words";

interface Note {
  id: number;
  text: string;
  undo?: { label: string; run: () => void };
}

let notes: Note[] = [];
let last = 0;
const listeners = new Set<() => void>();

function set(next: Note[]) {
  notes = next;
  listeners.forEach((listener) => listener());
}

function remove(id: number) {
  set(notes.filter((note) => note.id !== id));
}

/** Says for a few seconds that something was done, and how to undo it. */
export function notify(text: string, undo?: Note["undo"]) {
  const id = ++last;
  set([...notes.slice(-2), { id, text, ...(undo && { undo }) }]);
  setTimeout(() => remove(id), undo ? 10_000 : 5_000);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows what notify was given. */
export function Notes() {
  const { t } = useWords();
  const shown = useSyncExternalStore(subscribe, () => notes);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-50 grid justify-items-center gap-2 px-4">
      {shown.map((note) => (
        <div key={note.id} className="pointer-events-auto flex max-w-md items-center gap-3 rounded-lg bg-ink px-4 py-2.5 text-surface shadow-lg">
          <Check size={16} aria-hidden className="shrink-0" />
          <span>{note.text}</span>
          {note.undo && (
            <Button
              onPress={() => {
                remove(note.id);
                note.undo?.run();
              }}
              className="rounded-sm font-bold underline underline-offset-4"
            >
              {note.undo.label}
            </Button>
          )}
          <Button aria-label={t("close")} onPress={() => remove(note.id)} className="rounded-sm"><X size={16} aria-hidden /></Button>
        </div>
      ))}
    </div>
  );
}
