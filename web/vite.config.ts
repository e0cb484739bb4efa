import optimizeLocales from "@react-aria/optimize-locales-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// The server of the API during development: khatm serve, or khatm demo.
const api = process.env.KHATM_URL ?? "http://127.0.0.1:8080";

const dates = /@internationalized\/date|node_modules.*(date(picker|field|formatter|segment|input)|spinbutton)|parts\/DateInput/i;
const forms = /src\/(parts\/(Choice|EditForm|Sheet|Toggle|decimal)\.|data\/(catalogue|lists|request|suggest))|components.*(Checkbox|DragAndDrop|ListBox)\.|private\/(checkbox|list|listbox|toggle)\//;
const lists = /src\/parts\/(List|Table)\./;
const home = /src\/(parts\/(Amount|correct|days|Entry|FirstStep|money|Moment|Page|Panel|SetUpBanner|Status)\.|data\/devices)|lucide-react.*\/(circle-check|clock)\.|components.*Modal\.|useModalOverlay\.|private\/utils\/use(Slot|UpdateEffect|ViewportSize)\./;

/** Leaves out the calendars of the date library that the app does not show: all but the Gregorian. */
const gregorian: Plugin = {
  name: "gregorian",
  transform(code, id) {
    if (!id.endsWith("/createCalendar.mjs")) return null;
    return code.replaceAll(/^import .*calendars\/(?!Gregorian).*$/gm, "").replaceAll(/case '(?!gregory)[^:]*:\s*return [^;]*;/g, "");
  },
};

export default defineConfig({
  plugins: [react(), tailwindcss(), gregorian, optimizeLocales.vite({ locales: ["ar", "en"] })],
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
