import { draftPrefix } from "../../data/client";
import { blank, type Content, newKey } from "./model";

// Content that is not saved yet, by its draft or the place of a new document. A closed tab,
// a failed request or a session that ends loses nothing.

const key = (id: string) => draftPrefix + id;

export function put(id: string, version: number, content: Content) {
  try {
    localStorage.setItem(key(id), JSON.stringify({ version, content }));
  } catch {
    // The storage of this browser is full or forbidden; the draft is saved without it.
  }
}

/** Returns what was kept, and the version of the draft that it changes. */
export function take(id: string): { version: number; content: Content } | null {
  try {
    const found = JSON.parse(localStorage.getItem(key(id)) ?? "null") as { version: number; content: Content } | null;
    if (!found) return null;
    const content = { ...blank("", ""), ...found.content };
    // Keys are unique only in the page that made them.
    const anew = <T extends { key: string }>(one: T): T => ({ ...one, key: newKey() });
    return { version: found.version, content: { ...content, lines: content.lines.map(anew), allowances: content.allowances.map(anew) } };
  } catch {
    return null;
  }
}

export function remove(id: string) {
  localStorage.removeItem(key(id));
}
