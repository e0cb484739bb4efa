// A QR encoder for texts in byte mode at error correction level M, as in ISO/IEC 18004.

/** A QR symbol without its quiet zone: rows of modules, 1 for black. */
export type Symbol = Uint8Array[];

// By version, from 1: error correction codewords of a block, and number of blocks, at level M.
const eccLength = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28];
const blockCount = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49];

const at = (list: ArrayLike<number>, index: number): number => list[index] ?? 0;

/** Returns the smallest symbol that holds a text, or null if the text is too long. */
export function encode(text: string): Symbol | null {
  const bytes = new TextEncoder().encode(text);
  for (let version = 1; version <= 40; version++) {
    const head = 4 + (version < 10 ? 8 : 16);
    if (head + 8 * bytes.length <= 8 * dataLength(version)) return draw(version, withCorrection(version, codewords(version, bytes)));
  }
  return null;
}

/** Returns the number of codewords of a symbol, those of error correction included. */
function totalLength(version: number): number {
  let modules = (16 * version + 128) * version + 64;
  if (version >= 2) {
    const n = Math.floor(version / 7) + 2;
    modules -= (25 * n - 10) * n - 55;
    if (version >= 7) modules -= 36;
  }
  return Math.floor(modules / 8);
}

function dataLength(version: number): number {
  return totalLength(version) - at(eccLength, version - 1) * at(blockCount, version - 1);
}

/** Returns the data codewords: mode, length, bytes and padding. */
function codewords(version: number, bytes: Uint8Array): Uint8Array {
  const bits: number[] = [];
  const push = (value: number, length: number) => {
    for (let i = length - 1; i >= 0; i--) bits.push((value >>> i) & 1);
  };
  push(4, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => push(byte, 8));
  const capacity = 8 * dataLength(version);
  push(0, Math.min(4, capacity - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < capacity; pad ^= 0xec ^ 0x11) push(pad, 8);
  const result = new Uint8Array(capacity / 8);
  bits.forEach((bit, i) => {
    const byte = i >> 3;
    result[byte] = at(result, byte) | (bit << (7 - (i & 7)));
  });
  return result;
}

/** Multiplies in the field of 256 elements with the polynomial 0x11d. */
function times(a: number, b: number): number {
  let product = 0;
  for (let i = 7; i >= 0; i--) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    if ((b >>> i) & 1) product ^= a;
  }
  return product;
}

function divisor(degree: number): Uint8Array {
  const result = new Uint8Array(degree);
  result[degree - 1] = 1;
  let root = 1;
  for (let i = 0; i < degree; i++) {
    for (let j = 0; j < degree; j++) result[j] = times(at(result, j), root) ^ at(result, j + 1);
    root = times(root, 2);
  }
  return result;
}

function remainder(data: Uint8Array, by: Uint8Array): Uint8Array {
  const result = new Uint8Array(by.length);
  for (const byte of data) {
    const factor = byte ^ at(result, 0);
    result.copyWithin(0, 1);
    result[by.length - 1] = 0;
    for (let i = 0; i < by.length; i++) result[i] = at(result, i) ^ times(at(by, i), factor);
  }
  return result;
}

/** Splits the data into blocks, and returns them interleaved with their error correction. */
function withCorrection(version: number, data: Uint8Array): Uint8Array {
  const blocks = at(blockCount, version - 1);
  const ecc = at(eccLength, version - 1);
  const total = totalLength(version);
  const short = blocks - (total % blocks); // number of blocks with one byte less
  const length = Math.floor(total / blocks) - ecc;
  const by = divisor(ecc);
  const parts: { data: Uint8Array; ecc: Uint8Array }[] = [];
  for (let i = 0, from = 0; i < blocks; i++) {
    const part = data.subarray(from, from + length + (i < short ? 0 : 1));
    from += part.length;
    parts.push({ data: part, ecc: remainder(part, by) });
  }
  const result: number[] = [];
  for (let i = 0; i <= length; i++) for (const part of parts) if (i < part.data.length) result.push(at(part.data, i));
  for (let i = 0; i < ecc; i++) for (const part of parts) result.push(at(part.ecc, i));
  return Uint8Array.from(result);
}

function draw(version: number, data: Uint8Array): Symbol {
  const size = 17 + 4 * version;
  const rows = (): Symbol => Array.from({ length: size }, () => new Uint8Array(size));
  const symbol = rows();
  const fixed = rows(); // the modules that hold no data
  const set = (x: number, y: number, black: boolean | number) => {
    const row = symbol[y];
    const mark = fixed[y];
    if (!row || !mark || x < 0 || x >= size) return;
    row[x] = black ? 1 : 0;
    mark[x] = 1;
  };

  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0);
    set(i, 6, i % 2 === 0);
  }
  for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]] as const) {
    for (let dy = -4; dy <= 4; dy++) {
      for (let dx = -4; dx <= 4; dx++) {
        const distance = Math.max(Math.abs(dx), Math.abs(dy));
        set(cx + dx, cy + dy, distance !== 2 && distance !== 4);
      }
    }
  }
  const places = alignment(version, size);
  const last = places.length - 1;
  places.forEach((x, i) =>
    places.forEach((y, j) => {
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) return;
      for (let dy = -2; dy <= 2; dy++) for (let dx = -2; dx <= 2; dx++) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
    }),
  );
  format(0, size, set); // reserves the modules
  if (version >= 7) {
    let rest = version;
    for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let i = 0; i < 18; i++) {
      const bit = (bits >>> i) & 1;
      const a = size - 11 + (i % 3);
      const b = Math.floor(i / 3);
      set(a, b, bit);
      set(b, a, bit);
    }
  }

  let i = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5;
    const upward = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step++) {
      const y = upward ? size - 1 - step : step;
      for (const x of [right, right - 1]) {
        const row = symbol[y];
        if (!row || fixed[y]?.[x] || i >= 8 * data.length) continue;
        row[x] = (at(data, i >> 3) >>> (7 - (i & 7))) & 1;
        i++;
      }
    }
  }

  let best: Symbol = symbol;
  let least = Infinity;
  for (let mask = 0; mask < 8; mask++) {
    const masked = symbol.map((row, y) => row.map((module, x) => (fixed[y]?.[x] ? module : module ^ (flips(mask, x, y) ? 1 : 0))));
    format(mask, size, (x, y, bit) => {
      const row = masked[y];
      if (row) row[x] = bit ? 1 : 0;
    });
    const found = penalty(masked);
    if (found < least) [best, least] = [masked, found];
  }
  return best;
}

function alignment(version: number, size: number): number[] {
  if (version === 1) return [];
  const n = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + n * 3 + 5) / (n * 4 - 4)) * 2;
  return [6, ...Array.from({ length: n - 1 }, (_, i) => size - 7 - step * (n - 2 - i))];
}

/** Draws both copies of the error correction level and the mask. */
function format(mask: number, size: number, set: (x: number, y: number, black: boolean | number) => void) {
  let rest = mask; // the bits of level M are 00
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (i: number) => (bits >>> i) & 1;
  for (let i = 0; i <= 5; i++) set(8, i, bit(i));
  set(8, 7, bit(6));
  set(8, 8, bit(7));
  set(7, 8, bit(8));
  for (let i = 9; i < 15; i++) set(14 - i, 8, bit(i));
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, bit(i));
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, bit(i));
  set(8, size - 8, 1);
}

function flips(mask: number, x: number, y: number): boolean {
  switch (mask) {
    case 0:
      return (x + y) % 2 === 0;
    case 1:
      return y % 2 === 0;
    case 2:
      return x % 3 === 0;
    case 3:
      return (x + y) % 3 === 0;
    case 4:
      return (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0;
    case 5:
      return ((x * y) % 2) + ((x * y) % 3) === 0;
    case 6:
      return (((x * y) % 2) + ((x * y) % 3)) % 2 === 0;
    default:
      return (((x + y) % 2) + ((x * y) % 3)) % 2 === 0;
  }
}

/** Returns how hard a symbol is to read, by the four rules of the standard. */
function penalty(symbol: Symbol): number {
  const size = symbol.length;
  let result = 0;
  let black = 0;
  const module = (x: number, y: number) => symbol[y]?.[x] ?? 0;
  for (const get of [module, (x: number, y: number) => module(y, x)]) {
    for (let y = 0; y < size; y++) {
      let run = 0;
      let colour = -1;
      let window = 0; // the last eleven modules of the row
      for (let x = 0; x < size; x++) {
        const now = get(x, y);
        run = now === colour ? run + 1 : 1;
        colour = now;
        if (run === 5) result += 3;
        else if (run > 5) result++;
        window = ((window << 1) | now) & 0x7ff;
        if (x >= 10 && (window === 0b10111010000 || window === 0b00001011101)) result += 40;
      }
    }
  }
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const now = module(x, y);
      black += now;
      if (x + 1 < size && y + 1 < size && now === module(x + 1, y) && now === module(x, y + 1) && now === module(x + 1, y + 1)) result += 3;
    }
  }
  return result + 10 * Math.floor(Math.abs((black * 20) / (size * size) - 10));
}

/** Returns the black modules of a symbol as the path of an SVG, one unit a module. */
export function pathOf(symbol: Symbol): string {
  let path = "";
  symbol.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const from = x;
      while (row[x + 1]) x++;
      path += `M${from} ${y}h${x - from + 1}v1h${from - x - 1}z`;
    }
  });
  return path;
}
