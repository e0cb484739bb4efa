// Computes a digest of the files that the app is built from. web_test.go computes the
// same digest, to detect a build that is older than its sources.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = new URL("../", import.meta.url);
const single = ["index.html", "package-lock.json", "package.json", "tsconfig.json", "vite.config.ts"];
const below = (folder) =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, withFileTypes: true })
    .filter((e) => e.isFile() && !e.name.endsWith(".d.ts"))
    .map((e) => relative(fileURLToPath(root), join(e.parentPath, e.name)).replaceAll("\\", "/"));

/** Returns the digest. */
export function digest() {
  const hash = createHash("sha256");
  for (const name of [...single, ...below("public"), ...below("src")].sort()) {
    hash.update(`${name}\0`).update(readFileSync(new URL(name, root))).update("\0");
  }
  return hash.digest("hex");
}
