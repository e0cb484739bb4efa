// Compresses the files of dist, so that the server sends them as they are.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { digest } from "./sources.mjs";

const dist = new URL("../dist/", import.meta.url);
await writeFile(new URL("sources.txt", dist), `${digest()}\n`);
for (const name of await readdir(dist, { recursive: true })) {
  if (!/\.(html|js|css|svg)$/.test(name)) continue;
  const text = await readFile(new URL(name, dist));
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } };
  await writeFile(new URL(`${name}.br`, dist), brotliCompressSync(text, options));
  await writeFile(new URL(`${name}.gz`, dist), gzipSync(text, { level: 9 }));
}
