import { Check } from "lucide-react";
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from "react";
import { Button } from "react-aria-components";
import { environment } from "../../data/client";
import { Notes } from "../../parts/notify";
import { OtherLanguage } from "../../parts/OtherLanguage";
import { useWords } from "../../words";
import { ProductIcon } from "../../parts/ProductIcon";

export const steps = ["account", "company", "environment", "device", "invoice"] as const;
export type StepName = (typeof steps)[number];

/** The frame of the set-up, with the list of its steps. */
export function Frame({ step, children }: { step: StepName | "done" | null; children: ReactNode }) {
  const { t, language, setLanguage } = useWords();
  const where = useSyncExternalStore(environment.subscribe, () => environment.value);
  const test = where && where !== "production" && where !== "unset";
  return (
    <div className="min-h-dvh">
      {test && <div className="band px-4 py-1 text-center text-xs font-bold">{t("test_band")}</div>}
      <div className="mx-auto grid w-full max-w-4xl grid-cols-[minmax(0,1fr)] gap-6 px-4 py-8 md:grid-cols-[14rem_minmax(0,1fr)] md:gap-10 md:py-14">
        <header className="grid content-start gap-6">
          <div className="flex items-center justify-between gap-2">
            <span className="flex items-center gap-2 text-lg font-bold"><ProductIcon size={32} />{t("product")}</span>
            <Button onPress={() => setLanguage(language === "ar" ? "en" : "ar")} className="rounded-md px-2 py-1 text-muted"><OtherLanguage /></Button>
          </div>
          {step && <Progress step={step} />}
        </header>
        <main className="grid grid-cols-[minmax(0,1fr)] content-start gap-6">{children}</main>
      </div>
      <Notes />
    </div>
  );
}

function Progress({ step }: { step: StepName | "done" }) {
  const { t } = useWords();
  const at = step === "done" ? steps.length : steps.indexOf(step);
  return (
    <nav aria-label={t("setup_progress")}>
      <ol className="flex gap-2 md:grid md:gap-4">
        {steps.map((name, i) => (
          <li key={name} aria-current={i === at ? "step" : undefined} className="flex flex-1 flex-col gap-2 md:flex-row md:items-center md:gap-3">
            <span className={`hidden size-7 shrink-0 place-items-center rounded-full text-xs font-bold md:grid ${i < at ? "bg-good-tint text-good" : i === at ? "bg-accent text-on-accent" : "bg-sunken text-muted"}`}>
              {i < at ? <Check size={15} aria-hidden /> : i + 1}
            </span>
            <span aria-hidden className={`h-1 rounded-full md:hidden ${i <= at ? "bg-accent" : "bg-line"}`} />
            <span className={`text-xs md:text-sm ${i === at ? "font-bold" : "sr-only text-muted md:not-sr-only"}`}>
              {t(`setup_step_${name}`)}
              {i < at && <span className="sr-only"> – {t("setup_step_done")}</span>}
            </span>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** The title of a step, and what it is about. */
export function Heading({ title, children }: { title: string; children?: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null);
  // The button of the step before is gone: a screen reader continues here.
  useEffect(() => {
    if (document.activeElement === document.body) ref.current?.focus();
  }, [title]);
  return (
    <div className="grid gap-1">
      <h1 ref={ref} tabIndex={-1} className="text-xl font-bold outline-none">{title}</h1>
      {children && <p className="text-muted">{children}</p>}
    </div>
  );
}

/** The part of a step that is worked in. */
export function Sheet({ children }: { children: ReactNode }) {
  return <section className="rounded-xl border border-line bg-surface p-4 sm:p-6">{children}</section>;
}
