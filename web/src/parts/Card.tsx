import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import { OtherLanguage } from "./OtherLanguage";
import { useWords } from "../words";
import { ProductIcon } from "./ProductIcon";

/** The frame of the pages before sign-in. */
export function Card({ title, lead, wide, children }: { title: ReactNode; lead: string; wide?: boolean; children: ReactNode }) {
  const { t, language, setLanguage } = useWords();
  return (
    <main className={`mx-auto grid min-h-dvh w-full grid-cols-[minmax(0,1fr)] content-center gap-6 px-4 py-10 ${wide ? "max-w-2xl" : "max-w-md"}`}>
      <span className="flex items-center gap-2 text-lg font-bold"><ProductIcon size={32} />{t("product")}</span>
      <section className="grid grid-cols-[minmax(0,1fr)] gap-5 rounded-xl border border-line bg-surface p-6">
        <div>
          <h1 className="text-xl font-bold">{title}</h1>
          <p className="text-muted">{lead}</p>
        </div>
        {children}
      </section>
      <Button onPress={() => setLanguage(language === "ar" ? "en" : "ar")} className="justify-self-start rounded-md px-2 py-1 text-muted"><OtherLanguage /></Button>
    </main>
  );
}
