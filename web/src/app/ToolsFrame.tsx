import { Calculator, FileCheck, type LucideIcon, Moon, QrCode, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { Button, Link } from "react-aria-components";
import { useLocation } from "wouter";
import { signedIn } from "../data/client";
import { Notes } from "../parts/notify";
import { OtherLanguage } from "../parts/OtherLanguage";
import { useWords } from "../words";
import type { Word } from "../words/ar";
import { useTheme } from "./theme";
import { ProductIcon } from "../parts/ProductIcon";

const tools: { path: string; word: Word; icon: LucideIcon }[] = [
  { path: "/tools", word: "tool_nav_vat", icon: Calculator },
  { path: "/tools/qr", word: "tool_nav_qr", icon: QrCode },
  { path: "/tools/invoice", word: "tool_nav_invoice", icon: FileCheck },
];

/** The frame of the tools, which need no sign-in. */
export default function ToolsFrame({ children }: { children: ReactNode }) {
  const { t, language, setLanguage } = useWords();
  const [theme, setTheme] = useTheme();
  const [path] = useLocation();
  return (
    <div className="min-h-dvh">
      <a href="#content" className="sr-only focus:not-sr-only focus:absolute focus:z-20 focus:m-2 focus:rounded-md focus:bg-surface focus:px-3 focus:py-2">{t("skip")}</a>
      <header data-chrome className="border-b border-line bg-surface">
        <div className="mx-auto flex w-full max-w-6xl flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 md:px-8">
          <Link href="/tools" className="flex items-center gap-2 rounded-md text-base font-bold"><ProductIcon size={28} />{t("product")}</Link>
          <span className="ms-auto flex flex-wrap items-center gap-1">
            <Button onPress={() => setLanguage(language === "ar" ? "en" : "ar")} className="rounded-md px-2 py-1 text-muted hover:bg-sunken"><OtherLanguage /></Button>
            <Button aria-label={t(theme === "dark" ? "theme_light" : "theme_dark")} onPress={() => setTheme(theme === "dark" ? "light" : "dark")} className="rounded-md p-2 text-muted hover:bg-sunken">
              {theme === "dark" ? <Sun size={16} aria-hidden /> : <Moon size={16} aria-hidden />}
            </Button>
            <Link href={signedIn.get() ? "/" : "/login"} className="rounded-md px-2 py-1 font-bold text-accent hover:bg-sunken">{t(signedIn.get() ? "nav_home" : "sign_in")}</Link>
          </span>
        </div>
        <nav aria-label={t("tool_title")} className="mx-auto flex w-full max-w-6xl flex-wrap gap-x-1 px-2 md:px-6">
          {tools.map(({ path: to, word, icon: Icon }) => (
            <Link key={to} href={to} aria-current={path === to ? "page" : false} className={`flex items-center gap-2 rounded-t-md border-b-2 px-2 py-2 sm:px-3 ${path === to ? "border-accent font-bold text-accent" : "border-transparent text-muted hover:text-ink"}`}>
              <Icon size={16} aria-hidden className="hidden shrink-0 sm:block" />
              {t(word)}
            </Link>
          ))}
        </nav>
      </header>
      <main id="content" className="mx-auto w-full max-w-6xl min-w-0 px-4 py-6 md:px-8">{children}</main>
      <Notes />
    </div>
  );
}
