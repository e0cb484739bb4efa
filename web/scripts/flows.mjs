// Runs the flows, three files at a time. With KHATM_RETRY=1, if tests of one or two files
// fail, these files run once more, alone: a flow that passes then is reported as unstable,
// and does not fail the run.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const most = 2; // files that run again
const folder = mkdtempSync(join(tmpdir(), "khatm-run-"));
const here = fileURLToPath(new URL("..", import.meta.url));

/** Runs test files, and returns the exit status and the tests that failed, by file. */
async function run(files, concurrency) {
  const list = join(folder, "failed");
  const reporters = ["--test-reporter=spec", "--test-reporter-destination=stdout", "--test-reporter=./scripts/failed.mjs", `--test-reporter-destination=${list}`];
  const child = spawn(process.execPath, ["--test", `--test-concurrency=${concurrency}`, ...reporters, ...files], { cwd: here, stdio: "inherit" });
  const status = await new Promise((resolve) => child.on("exit", (code) => resolve(code ?? 1)));
  const failed = new Map();
  for (const line of readFileSync(list, "utf8").split("\n").filter(Boolean)) {
    const { file, name } = JSON.parse(line);
    failed.set(file, [...(failed.get(file) ?? []), name]);
  }
  return { status, failed };
}

const first = await run(process.argv.length > 2 ? process.argv.slice(2) : ["flows/"], 3);
let { status } = first;
if (process.env.KHATM_RETRY === "1" && status !== 0 && first.failed.size > 0 && first.failed.size <= most) {
  console.log(`\nFailed, and runs again alone:\n${[...first.failed.keys()].join("\n")}\n`);
  status = (await run([...first.failed.keys()], 1)).status;
  if (status === 0) for (const [file, names] of first.failed) for (const name of names) console.log(`UNSTABLE: ${name} of ${file} failed, and passed when it ran alone`);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = status;
