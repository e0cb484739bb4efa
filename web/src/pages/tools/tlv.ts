// The QR code of an invoice: tags, lengths and values in base64.

export interface Field {
  tag: number;
  /** The text of tags 1 to 7, and the base64 of others, which are binary. */
  value: string;
}

/** Why a text is not that of a code. */
export class NotACode extends Error {
  constructor(
    readonly reason: "base64" | "cut" | "twice" | "text",
    readonly tag = 0,
  ) {
    super(reason);
  }
}

const lastText = 7;
const lastKnown = 9;

/** Decodes the text of a code, or throws NotACode. */
export function decode(text: string): Field[] {
  const bytes = bytesOf(text.replace(/\s+/g, ""));
  const fields: Field[] = [];
  const seen = new Set<number>();
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const length = bytes[at + 1];
    if (length === undefined || at + 2 + length > bytes.length) throw new NotACode("cut", tag);
    if (seen.has(tag)) throw new NotACode("twice", tag);
    seen.add(tag);
    const value = bytes.subarray(at + 2, at + 2 + length);
    fields.push({ tag, value: tag >= 1 && tag <= lastText ? utf8(value, tag) : base64(value) });
    at += 2 + length;
  }
  return fields;
}

export function isKnown(tag: number): boolean {
  return tag >= 1 && tag <= lastKnown;
}

function bytesOf(text: string): Uint8Array {
  if (text === "" || !/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) throw new NotACode("base64");
  try {
    return Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  } catch {
    throw new NotACode("base64");
  }
}

function utf8(bytes: Uint8Array, tag: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new NotACode("text", tag);
  }
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
