// Runs before the first paint, without waiting for the script of the app: sets the theme
// and the direction, shows the frame of index.html, and begins the downloads and the
// requests of the page. Without it the app works as well, only later. vite.config.ts
// builds it.
import { applyTheme } from "./app/chosen";
import { isFramed } from "./app/framed";
import { begin } from "./data/early";
import { lastEnvironment, signedIn } from "./data/person";
import { monthOf, today } from "./parts/days";
import { wide } from "./parts/wide";
import { applyLanguage, chosenLanguage } from "./words/language";

/** The scripts of the build: those of the languages, and those of the pages by their addresses. */
declare const __SCRIPTS__: { files: string[]; words: Record<string, number[]>; pages: Record<string, number[]> };

/** Returns the requests of a page, besides those of the frame. Those that depend on filters are not among them. */
function requestsOf(path: string): string[] {
  const devices = "/app/api/devices/?page_size=100";
  if (path === "/") {
    const [first, last] = monthOf(today());
    const oldest = "/v1/api/invoices/?transaction_code=0200000&invoice_status=Unanswered&invoice_status=No%20response&page_size=1";
    return ["/v1/api/invoices/?page_size=5", `/app/api/summary/?date_from=${first}&date_to=${last}`, devices, "/app/api/plan/", oldest];
  }
  const clients = "/app/api/autocomplete/clients/?q=";
  if (path === "/invoices") return [...(location.search ? [] : ["/v1/api/invoices/?page_size=25"]), "/app/api/views/?list=invoices", devices, clients];
  return path === "/drafts/new" ? [devices, clients] : [];
}

const { pathname } = location;
const root = document.documentElement;
const language = chosenLanguage();
applyTheme();
applyLanguage(language);

const { files, words, pages } = __SCRIPTS__;
const framed = isFramed(pathname);
const signed = signedIn.get();
const shown = framed && !signed ? "/login" : pathname;
const page = pages[shown] ?? pages[shown.replace(/[0-9a-f-]{36}|new$/, ":id")] ?? [];
for (const file of [...(words[language] ?? []), ...page]) {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.crossOrigin = "";
  link.href = `/assets/${files[file]}`;
  document.head.append(link);
}

/** How long the frame may wait for the app before it says that something is wrong. */
const patience = 15_000;

if (signed && framed) {
  setTimeout(() => document.querySelector("[data-late]")?.removeAttribute("hidden"), patience);
  const environment = lastEnvironment.get();
  root.dataset.frame = environment && environment !== "production" ? "test" : "";
  const attention = wide.matches || pathname === "/" ? ["/app/api/attention/"] : [];
  begin([...attention, "/app/api/notices/", ...requestsOf(pathname)]);
}
