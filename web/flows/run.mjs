// Runs the flows of the arguments, or all of them, against one demo.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startDemo } from "./harness.mjs";

const folder = fileURLToPath(new URL("./", import.meta.url));
const names = process.argv.length > 2 ? process.argv.slice(2) : readdirSync(folder).filter((name) => name.endsWith(".test.mjs"));
const demo = await startDemo();
const described = join(dirname(demo.folder), "demo.json");
writeFileSync(described, JSON.stringify({ url: demo.url, folder: demo.folder, credentials: demo.credentials, printed: demo.printed }));
const flows = spawn(process.execPath, ["--test", "--test-reporter=spec", ...names.map((name) => folder + name)], {
  stdio: "inherit",
  env: { ...process.env, KHATM_DEMO: described },
});
const [status] = await once(flows, "exit");
demo.stop();
process.exitCode = status ?? 1;
