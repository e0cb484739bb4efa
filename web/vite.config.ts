import optimizeLocales from "@react-aria/optimize-locales-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, defineConfig, type Plugin } from "vite";

// The server of the API during development: khatm serve, or khatm demo.
const api = process.env.KHATM_URL ?? "http://127.0.0.1:8080";

const dates = /@internationalized\/date|node_modules.*(date(picker|field|formatter|segment|input)|spinbutton)|parts\/DateInput/i;
const forms = /src\/(parts\/(Choice|EditForm|Sheet|Toggle|decimal)\.|data\/(catalogue|lists|request|suggest))|components.*(Checkbox|DragAndDrop|ListBox)\.|private\/(checkbox|list|listbox|toggle)\//;
// What opens above a page. The first page is shown without it.
const overlays = /src\/(app\/(Hint|NoticeList)|parts\/popover)\.|react-(aria|stately)\/dist\/private\/(focus\/FocusScope|overlays|selection|menu|tooltip|dialog|tree)|private\/collections\/(?!Hidden)|components.*\/(Collection|Dialog|Header|Heading|Keyboard|Menu|Modal|OverlayArrow|Popover|SelectionIndicator|Separator|SharedElementTransition|Tooltip)\.|utils\/(animation|runAfterKeyboard|scrollIntoView|useViewportSize)\./;
const lists = /src\/parts\/(List|Table)\./;
const home = /src\/(pages\/home\/|parts\/(Amount|correct|days|Entry|FirstStep|money|Moment|Page|Panel|InvoiceTable|SetUpBanner|Status|Whole)\.|data\/(devices|figures)\.)|lucide-react.*\/(circle-check|circle-x|clock|info|triangle-exclamation-point)\.|private\/utils\/use(Slot|UpdateEffect)\./;

/** Leaves out the calendars of the date library that the app does not show: all but the Gregorian. */
const gregorian: Plugin = {
  name: "gregorian",
  transform(code, id) {
    if (!id.endsWith("/createCalendar.mjs")) return null;
    return code.replaceAll(/^import .*calendars\/(?!Gregorian).*$/gm, "").replaceAll(/case '(?!gregory)[^:]*:\s*return [^;]*;/g, "");
  },
};

/** Adds early.ts to index.html, with the names of the scripts that each page needs besides those that index.html names. */
const early: Plugin = {
  name: "early",
  apply: "build",
  generateBundle: {
    order: "post",
    async handler(_, bundle) {
      const index = bundle["index.html"];
      if (index?.type !== "asset") this.error("there is no index.html");
      const html = String(index.source);
      const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
      const files: string[] = [];
      // A script needs those that it imports. The entry, and what it imports, are in index.html.
      const scriptsOf = (source: string) => {
        const needed = new Set<string>();
        const add = (name: string) => {
          const chunk = chunks.find((one) => one.fileName === name);
          if (!chunk || needed.has(name) || html.includes(name)) return;
          needed.add(name);
          chunk.imports.forEach(add);
        };
        const found = chunks.find((one) => one.facadeModuleId?.endsWith(source)) ?? chunks.find((one) => one.moduleIds.some((id) => id.endsWith(source)));
        if (!found) this.error(`no script has ${source}`);
        add(found.fileName);
        return [...needed].map((name) => {
          const short = name.replace("assets/", "");
          if (!files.includes(short)) files.push(short);
          return files.indexOf(short);
        });
      };
      const app = readFileSync(new URL("src/app/App.tsx", import.meta.url), "utf8");
      const pages: Record<string, number[]> = {};
      const lazy = new Map([...app.matchAll(/const (\w+) = lazy\(\(\) => import\("\.(\.?\/.+?)"/g)].map(([, name, path = ""]) => [name, path.startsWith(".") ? path.slice(1) : `/app${path}`]));
      for (const [, address = "", parts = ""] of app.matchAll(/<Route path="([^"]+)">(.*)<\/Route>/g)) {
        const sources = [...parts.matchAll(/<(\w+)/g)].map(([, name]) => lazy.get(name)).filter((path) => path !== undefined);
        pages[address] = [...new Set(sources.flatMap((path) => scriptsOf(`/src${path}.tsx`)))];
      }
      for (const address of ["/", "/login", "/tools"]) if (!pages[address]?.length) this.error(`App.tsx has no route ${address} with a page that is loaded later`);
      const words = { ar: scriptsOf("/src/words/ar/index.ts"), en: scriptsOf("/src/words/en/index.ts") };
      const built = await build({
        configFile: false,
        publicDir: false,
        logLevel: "error",
        define: { __SCRIPTS__: JSON.stringify({ files, words, pages }) },
        build: { target: "es2022", write: false, lib: { entry: fileURLToPath(new URL("src/early.ts", import.meta.url)), formats: ["iife"], name: "early" } },
      });
      const [script] = [built].flat().flatMap((one) => ("output" in one ? one.output : []));
      if (script?.type !== "chunk") this.error("early.ts gives no script");
      const fileName = `assets/early-${createHash("sha256").update(script.code).digest("base64url").slice(0, 8)}.js`;
      this.emitFile({ type: "asset", fileName, source: script.code });
      index.source = html.replace("<title>", `<script src="/${fileName}"></script>\n    <title>`);
    },
  },
};

export default defineConfig({
  plugins: [react(), tailwindcss(), gregorian, early, optimizeLocales.vite({ locales: ["ar", "en"] })],
  build: {
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or fonts
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            // What Home needs besides the frame, and what nearly all pages share, are two
            // files, so that the first page needs few requests. Files must not
            // import each other in a cycle, which scripts/pack.mjs checks.
            { name: "ar", test: /src\/words\/ar\//, priority: 5 },
            { name: "overlays", test: overlays, priority: 6 },
            { name: "home", test: home, priority: 4 },
            { name: "common", minShareCount: 25, priority: 3 },
            // Not all forms have dates.
            { name: "dates", test: dates, priority: 2 },
            { name: "lists", test: lists, minShareCount: 4, priority: 1 },
            { name: "forms", test: forms, minShareCount: 4, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/app": api, "/v1": api, "/public": api } },
});
