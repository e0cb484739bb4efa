/** Returns rows as CSV in UTF-8, which spreadsheets recognise by its mark. */
export function csv(rows: string[][]): Blob {
  return csvFile(`${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`);
}

/** Returns a text as a CSV file in UTF-8. */
export function csvFile(text: string): Blob {
  return new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" });
}

/** Returns one cell. A spreadsheet would run a text that begins like a formula, so it gets an apostrophe. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (table[(value ^ byte) & 0xff] ?? 0) ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
}

export interface Entry {
  name: string;
  content: Uint8Array<ArrayBuffer>;
}

/** Returns files in one ZIP archive, without compression. PDF files are compressed already. */
export function zip(entries: Entry[]): Blob {
  const parts: BlobPart[] = [];
  const directory: BlobPart[] = [];
  let offset = 0;
  let length = 0;
  const utf8 = 0x0800;
  for (const { name, content } of entries) {
    const title = new TextEncoder().encode(name);
    const head = new DataView(new ArrayBuffer(30));
    const entry = new DataView(new ArrayBuffer(46));
    const crc = crc32(content);
    head.setUint32(0, 0x04034b50, true);
    entry.setUint32(0, 0x02014b50, true);
    entry.setUint16(4, 20, true);
    for (const [view, at] of [[head, 4], [entry, 6]] as const) {
      view.setUint16(at, 20, true);
      view.setUint16(at + 2, utf8, true);
      view.setUint16(at + 8, 0x21, true); // 1 January 1980, the earliest date of the format
      view.setUint16(at + 6, 0, true);
      view.setUint32(at + 10, crc, true);
      view.setUint32(at + 14, content.length, true);
      view.setUint32(at + 18, content.length, true);
      view.setUint16(at + 22, title.length, true);
    }
    entry.setUint32(42, offset, true);
    parts.push(head.buffer, title, content);
    directory.push(entry.buffer, title);
    offset += 30 + title.length + content.length;
    length += 46 + title.length;
  }
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, entries.length, true);
  end.setUint16(10, entries.length, true);
  end.setUint32(12, length, true);
  end.setUint32(16, offset, true);
  return new Blob([...parts, ...directory, end.buffer], { type: "application/zip" });
}
