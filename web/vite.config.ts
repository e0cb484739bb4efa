import optimizeLocales from "@react-aria/optimize-locales-plugin";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The server of the API during development: khatm serve, or khatm demo.
const api = process.env.KHATM_URL ?? "http://127.0.0.1:8080";

const dates = /@internationalized\/date|node_modules.*(calendar|date(picker|field|segment|input))|parts\/DateInput/i;

export default defineConfig({
  plugins: [react(), tailwindcss(), optimizeLocales.vite({ locales: ["ar", "en"] })],
  build: {
    target: "es2022",
    assetsInlineLimit: 0, // the content security policy allows no data: scripts or fonts
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 700,
    // What many pages use is one file, so that the first page needs few requests. The
    // calendar is large, and only forms need it.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "small", test: (id) => /lucide-react|src\/parts\/(days|exact|halalas|Status|plain)|src\/data\/invoices|pages\/attention\/Entry/.test(id), minShareCount: 2, priority: 3 },
            { name: "shared", test: (id) => /node_modules|src\/(parts|data)\//.test(id) && !dates.test(id), minShareCount: 11, priority: 2 },
            { name: "dates", test: dates, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: { "/app": api, "/v1": api, "/public": api } },
});
