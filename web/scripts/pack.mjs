// Compresses the files of dist, so that the server sends them as they are. Fails if
// scripts import each other in a cycle, because some of their values would be undefined.
// Adds the files of Swagger UI that the page of the API documents needs.
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { digest } from "./sources.mjs";

const dist = new URL("../dist/", import.meta.url);
await writeFile(new URL("sources.txt", dist), `${digest()}\n`);
await refuseCycles(new URL("assets/", dist));
for (const name of await readdir(dist, { recursive: true })) {
  if (!/\.(html|js|css|svg)$/.test(name)) continue;
  const text = await readFile(new URL(name, dist));
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length } };
  await writeFile(new URL(`${name}.br`, dist), brotliCompressSync(text, options));
  await writeFile(new URL(`${name}.gz`, dist), gzipSync(text, { level: 9 }));
}
const docs = new URL("docs/", dist);
await mkdir(docs, { recursive: true });
for (const name of ["swagger-ui-bundle.js", "swagger-ui.css"]) {
  const text = await readFile(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)));
  await writeFile(new URL(`${name}.gz`, docs), gzipSync(text, { level: 9 }));
}

async function refuseCycles(folder) {
  const imports = {};
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".js")) continue;
    const text = await readFile(new URL(name, folder), "utf8");
    imports[name] = [...text.matchAll(/(?:^|[;}])\s*import\s*(?:[^"'()]*?from\s*)?["']\.\/([^"']+\.js)["']/g)].map((found) => found[1]);
  }
  const done = new Set();
  const visit = (name, path) => {
    if (path.includes(name)) throw new Error(`scripts import each other: ${[...path, name].join(" -> ")}; see the groups in vite.config.ts`);
    if (done.has(name)) return;
    for (const next of imports[name] ?? []) visit(next, [...path, name]);
    done.add(name);
  };
  Object.keys(imports).forEach((name) => visit(name, []));
}
