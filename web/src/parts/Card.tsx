import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import { useWords } from "../words";

/** The frame of the pages before sign-in. */
export function Card({ title, lead, children }: { title: string; lead: string; children: ReactNode }) {
  const { t, language, setLanguage } = useWords();
  return (
    <main className="mx-auto grid min-h-dvh grid-cols-[minmax(0,1fr)] w-full max-w-md content-center gap-6 px-4 py-10">
      <span className="flex items-center gap-2 text-lg font-bold"><img src="/icon.svg" alt="" width={32} height={32} />{t("product")}</span>
      <section className="grid gap-5 rounded-xl border border-line bg-surface p-6">
        <div>
          <h1 className="text-xl font-bold">{title}</h1>
          <p className="text-muted">{lead}</p>
        </div>
        {children}
      </section>
      <Button onPress={() => setLanguage(language === "ar" ? "en" : "ar")} className="justify-self-start rounded-md px-2 py-1 text-muted">{t("otherLanguage")}</Button>
    </main>
  );
}
