import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Archive, Banknote, Bell, Building2, ChevronDown, CircleUser, CreditCard, FileText, FileUp, History, House, KeyRound, Languages, ListChecks, LogOut, type LucideIcon, Mail, Menu, MonitorSmartphone, Moon, Package, PenLine, Plus, Search, Sun, Users, WifiOff, X } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import { Button } from "react-aria-components";
import { Link, useLocation } from "wouter";
import { activeOrganisation, app, environment, reach, signedIn } from "../data/client";
import { attentionQuery, type Session } from "../data/queries";
import { ActionLink } from "../parts/Action";
import { typing } from "../parts/keys";
import { Notes } from "../parts/notify";
import { OtherLanguage } from "../parts/OtherLanguage";
import { type Role, SessionContext, useSession } from "../parts/session";
import { useWide } from "../parts/useWide";
import { useWords } from "../words";
import type { Word } from "../words/ar";
import { useHeading } from "./heading";
import { Notices } from "./Notices";
import { useTheme } from "./theme";
import { ProductIcon } from "../parts/ProductIcon";

// Without its script a button has no tooltip, but still its label.
const Hint = lazy(() => import("./Hint").catch(() => ({ default: (() => null) as typeof import("./Hint").default })));
const Palette = lazy(() => import("./Palette"));
const Keys = lazy(() => import("./Keys"));

export interface Entry {
  path: string;
  word: Word;
  icon: LucideIcon;
  role?: Role; // the lowest one that sees it
}

const work: Entry[] = [
  { path: "/", word: "nav_home", icon: House },
  { path: "/attention", word: "nav_attention", icon: Bell },
  { path: "/invoices", word: "nav_invoices", icon: FileText },
  { path: "/drafts", word: "nav_drafts", icon: PenLine },
  { path: "/clients", word: "nav_clients", icon: Users },
  { path: "/items", word: "nav_items", icon: Package },
  { path: "/payments", word: "nav_payments", icon: Banknote },
  { path: "/imports", word: "nav_imports", icon: FileUp, role: "Accountant" },
  { path: "/earlier", word: "nav_earlier", icon: Archive },
];

const settings: Entry[] = [
  { path: "/devices", word: "nav_devices", icon: MonitorSmartphone },
  { path: "/company", word: "nav_company", icon: Building2 },
  { path: "/team", word: "nav_team", icon: Users, role: "Admin" },
  { path: "/keys", word: "nav_keys", icon: KeyRound, role: "Admin" },
  { path: "/reasons", word: "nav_reasons", icon: ListChecks },
  { path: "/letters", word: "nav_letters", icon: Mail, role: "Admin" },
  { path: "/trail", word: "nav_trail", icon: History, role: "Admin" },
  { path: "/plan", word: "nav_plan", icon: CreditCard },
  { path: "/account", word: "nav_account", icon: CircleUser },
];

/** Loads what opens above a page once the first page is there, so that it opens without delay. */
function loadLater() {
  const timer = setTimeout(() => void import("./NoticeList").catch(() => undefined), 3_000); // loaded again when it is needed
  return () => clearTimeout(timer);
}

/** The frame around all pages of a signed-in person. */
export function Frame({ session, children }: { session: Session; children: ReactNode }) {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const [path] = useLocation();
  useEffect(() => setOpen(false), [path]);
  useHeading();
  const wide = useWide();
  useEffect(loadLater, []);
  return (
    <SessionContext value={session}>
      <div className="min-h-dvh">
        <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-20 focus:m-2 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2">{t("skip")}</a>
        <TestBand />
        <div className="lg:grid lg:grid-cols-[16rem_minmax(0,1fr)] print:block">
          <header data-chrome className="flex items-center justify-between border-b border-line px-4 py-3 lg:hidden">
            <Brand />
            <Button aria-label={open ? t("close") : t("menu")} aria-expanded={open} onPress={() => setOpen(!open)} className="rounded-md p-2">
              {open ? <X size={20} aria-hidden /> : <Menu size={20} aria-hidden />}
            </Button>
          </header>
          {(wide || open) && (
            <aside data-chrome className="flex flex-col gap-3 border-line p-3 lg:sticky lg:top-(--band) lg:h-[calc(100dvh-var(--band))] lg:overflow-y-auto lg:border-e">
              <div className="hidden px-3 pt-1 lg:block"><Brand /></div>
              <Navigation />
              <Account />
            </aside>
          )}
          <div className="min-w-0">
            <TopBar />
            <Offline />
            <main id="content" className="mx-auto w-full max-w-7xl min-w-0 px-4 py-6 md:px-8">{children}</main>
          </div>
        </div>
        <Notes />
      </div>
    </SessionContext>
  );
}

/** The search for everything, and the way to a new invoice. */
function TopBar() {
  const { t } = useWords();
  const { can } = useSession();
  const [path] = useLocation();
  const [dialog, setDialog] = useState<"palette" | "keys" | null>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.code === "KeyK") {
        event.preventDefault();
        setDialog("palette");
      } else if ((event.key === "?" || event.key === "؟") && !typing(event.target)) {
        event.preventDefault();
        setDialog("keys");
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
  // The pages of documents have it as their main action; others have their own.
  const main = path === "/" || path === "/invoices";
  return (
    <div data-chrome className="border-b border-line">
      <div className="mx-auto flex max-w-7xl items-center justify-between gap-3 px-4 py-2.5 md:px-8">
        <Button onPress={() => setDialog("palette")} aria-keyshortcuts="Control+K" className="flex min-h-9 w-full max-w-96 min-w-0 items-center gap-3 rounded-md bg-sunken px-3 text-start text-muted">
          <Search size={16} aria-hidden className="shrink-0" />
          <span className="truncate">{t("go_search")}</span>
          <kbd dir="ltr" className="ms-auto hidden shrink-0 rounded border border-line bg-surface px-1.5 text-xs sm:block">Ctrl K</kbd>
        </Button>
        <span className="ms-auto"><Notices /></span>
        {can("CreateInvoice") && !path.startsWith("/drafts") && <span className="shrink-0"><ActionLink href="/drafts/new" look={main ? "main" : "plain"}><Plus size={16} aria-hidden /><span className="max-sm:sr-only">{t("go_new")}</span></ActionLink></span>}
      </div>
      <Suspense>
        {dialog === "palette" && <Palette entries={[...work, ...settings]} isOpen onClose={() => setDialog(null)} />}
        {dialog === "keys" && <Keys isOpen onClose={() => setDialog(null)} />}
      </Suspense>
    </div>
  );
}

/** Says that the server is not reached, while it is not. */
function Offline() {
  const { t } = useWords();
  const queries = useQueryClient();
  const reached = useSyncExternalStore(reach.subscribe, () => reach.value);
  useEffect(() => {
    if (reached) return;
    const timer = setInterval(() => void reach.check(), 5_000);
    return () => clearInterval(timer);
  }, [reached]);
  // What failed meanwhile is asked for again once the server answers.
  useEffect(() => {
    if (reached) void queries.refetchQueries({ type: "active", predicate: (query) => query.state.status === "error" });
  }, [reached, queries]);
  if (reached) return null;
  return (
    <div role="alert" data-chrome className="flex flex-wrap items-center gap-3 bg-bad-tint px-4 py-2 text-bad md:px-8">
      <WifiOff size={16} aria-hidden />
      {t("go_offline")}
      <Button onPress={() => void queries.refetchQueries({ type: "active" })} className="rounded-sm font-bold underline underline-offset-4">{t("retry")}</Button>
    </div>
  );
}

function Brand() {
  const { t } = useWords();
  return (
    <span className="flex items-center gap-2 text-base font-bold">
      <ProductIcon size={28} />
      {t("product")}
    </span>
  );
}

/** Says that the documents of this installation are not tax invoices. */
function TestBand() {
  const { t } = useWords();
  const where = useSyncExternalStore(environment.subscribe, () => environment.value);
  if (!where || where === "production") return null;
  return <div className="band truncate px-4 text-center text-xs leading-6 font-bold">{t("test_band")}</div>;
}

const settingsKey = "khatm.settings";

/** The pages. Those of the settings can be folded away, and are on a low screen. */
function Navigation() {
  const { t } = useWords();
  const [path] = useLocation();
  const within = settings.some((entry) => path === entry.path || path.startsWith(`${entry.path}/`));
  const [wanted, setWanted] = useState(() => localStorage.getItem(settingsKey));
  const open = wanted ? wanted === "open" : within || innerHeight >= 720;
  const setOpen = (next: boolean) => {
    localStorage.setItem(settingsKey, next ? "open" : "closed");
    setWanted(next ? "open" : "closed");
  };
  return (
    <nav className="flex flex-col gap-px">
      <Group entries={work} />
      <Button onPress={() => setOpen(!open)} aria-expanded={open} className="mt-2 flex items-center justify-between rounded-md px-3 py-1 text-xs text-muted hover:bg-sunken">
        {t("nav_settings")}
        <ChevronDown size={14} aria-hidden className={open ? "" : "-rotate-90 rtl:rotate-90"} />
      </Button>
      {open && <Group entries={settings} />}
    </nav>
  );
}

function Group({ entries }: { entries: Entry[] }) {
  const { t } = useWords();
  const { can } = useSession();
  const [path] = useLocation();
  const attention = useQuery(attentionQuery);
  const waiting = attention.data?.verdict === "action" ? attention.data.entries.length : 0;
  return entries
    .filter((entry) => !entry.role || can(entry.role))
    .map(({ path: to, word, icon: Icon }) => {
      const here = to === "/" ? path === "/" : path === to || path.startsWith(`${to}/`);
      return (
        <Link key={to} href={to} aria-current={here ? "page" : undefined} className={`flex min-h-10 items-center gap-3 rounded-md px-3 hover:bg-sunken lg:min-h-[2.142857rem] ${here ? "bg-tint font-bold text-accent" : "text-muted"}`}>
          <Icon size={17} aria-hidden className="shrink-0" />
          <span className="truncate">{t(word)}</span>
          {to === "/attention" && waiting > 0 && <bdi className="ms-auto rounded-full bg-bad px-2 text-xs font-bold text-surface">{waiting}</bdi>}
        </Link>
      );
    });
}

function Account() {
  const { t, pick, language, setLanguage } = useWords();
  const [theme, setTheme] = useTheme();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const { session, organisation } = useSession();
  const name = pick(organisation?.name_arabic, organisation?.name);
  const signOut = async () => {
    await app.DELETE("/api/session/").catch(() => undefined);
    signedIn.end();
    queries.clear();
    navigate("/login");
  };
  return (
    <div className="mt-auto grid gap-2 border-t border-line px-3 pt-3">
      {organisation && session.organisations.length > 1 ? (
        <select
          aria-label={t("organisation")}
          dir="auto"
          className="min-h-9 w-full rounded-md border border-line bg-surface px-2 font-bold"
          value={organisation.uuid}
          onChange={(event) => {
            activeOrganisation.set(event.target.value);
            queries.clear();
            location.assign("/");
          }}
        >
          {session.organisations.map((o) => <option key={o.uuid} value={o.uuid}>{pick(o.name_arabic, o.name)}</option>)}
        </select>
      ) : (
        <div dir="auto" className="truncate text-left font-bold rtl:text-right" title={name}><bdi>{name}</bdi></div>
      )}
      <div className="-mt-1 truncate text-xs text-muted"><bdi>{session.person.email}</bdi></div>
      <div className="-mx-2 flex items-center">
        <Quiet onPress={() => setLanguage(language === "ar" ? "en" : "ar")}><Languages size={16} aria-hidden /><OtherLanguage /></Quiet>
        <Quiet label={t(theme === "dark" ? "theme_light" : "theme_dark")} onPress={() => setTheme(theme === "dark" ? "light" : "dark")}>{theme === "dark" ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}</Quiet>
        <span className="ms-auto"><Quiet label={t("sign_out")} onPress={() => void signOut()}><LogOut size={16} aria-hidden className="rtl:-scale-x-100" /></Quiet></span>
      </div>
    </div>
  );
}

/** A small action. One that shows an icon alone has its label as a tooltip, whose script is loaded when it is needed. */
function Quiet({ label, onPress, children }: { label?: string; onPress: () => void; children: ReactNode }) {
  const button = useRef<HTMLButtonElement>(null);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false); // by the keyboard
  const [open, setOpen] = useState(false);
  const close = () => {
    setHovered(false);
    setFocused(false);
    setOpen(false);
  };
  const near = hovered || focused;
  useEffect(() => {
    const timer = setTimeout(() => setOpen(near), 300);
    return () => clearTimeout(timer);
  }, [near]);
  useEffect(() => {
    if (!open) return;
    const press = (event: KeyboardEvent) => event.key === "Escape" && close();
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [open]);
  return (
    <>
      <Button
        ref={button}
        onPress={() => {
          close();
          onPress();
        }}
        onHoverChange={setHovered}
        onFocus={(event) => setFocused(event.target.matches(":focus-visible"))}
        onBlur={() => setFocused(false)}
        {...(label && { "aria-label": label })}
        className="flex min-h-8 items-center gap-2 rounded-md px-2 text-muted hover:bg-sunken hover:text-ink"
      >
        {children}
      </Button>
      <Suspense>{open && label && <Hint label={label} of={button} onNear={setHovered} />}</Suspense>
    </>
  );
}
