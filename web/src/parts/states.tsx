import { CircleAlert, LoaderCircle } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Failure, type Problem } from "../data/client";
import { useWords } from "../words";
import { Action } from "./Action";

/** Shows that something is loading, after a moment. */
export function Loading() {
  const { t } = useWords();
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div role="status" aria-busy="true" aria-label={t("loading")} className="grid min-h-60 place-items-center text-muted">
      {late && <LoaderCircle className="animate-spin" size={24} aria-hidden />}
    </div>
  );
}

/** Returns the text of an error in the reader's language. */
export function useFailureText(): (error: unknown) => string {
  const { t, pick } = useWords();
  return (error) => {
    if (!(error instanceof Failure)) return t("failed");
    if (error.status === 0) return t("offline");
    const problems = error.problems.map((p) => [pick(p.message_ar, p.message), pick(p.fix_ar, p.fix)].filter(Boolean).join(" "));
    return (problems.join("\n") || pick(error.messageAr, error.message)) || t("failed");
  };
}

export function ErrorState({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useWords();
  const text = useFailureText();
  return (
    <div role="alert" className="grid min-h-60 place-items-center gap-4 p-6 text-center">
      <p className="flex max-w-md items-center gap-2 whitespace-pre-line"><CircleAlert size={20} className="shrink-0 text-bad" aria-hidden />{text(error)}</p>
      <Action onPress={retry}>{t("retry")}</Action>
    </div>
  );
}

/** Returns what an error says of each field, by its path, and what is left to say of the whole. */
export function useProblems(error: unknown): { of: (path: string) => string | undefined; rest: string } {
  const { pick } = useWords();
  const whole = useFailureText();
  const problems = error instanceof Failure ? error.problems : [];
  const text = (p: Problem) => [pick(p.message_ar, p.message), pick(p.fix_ar, p.fix)].filter(Boolean).join(" ");
  const pathless = problems.filter((p) => !p.path).map(text).join("\n");
  return {
    of: (path) => problems.filter((p) => p.path === path).map(text).join(" ") || undefined,
    rest: !error ? "" : problems.length === 0 ? whole(error) : pathless,
  };
}

/** What failed, beside the form that it concerns. */
export function FormError({ children }: { children: string }) {
  return children ? <p role="alert" className="whitespace-pre-line text-bad">{children}</p> : null;
}

export function Empty({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <div className="grid place-items-center gap-2 px-6 py-14 text-center">
      <p className="font-bold">{title}</p>
      <p className="max-w-md text-muted">{children}</p>
      {action}
    </div>
  );
}
