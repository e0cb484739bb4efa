import { CircleAlert, LoaderCircle } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Failure, type Problem } from "../data/client";
import { useWords } from "../words";
import { Action, ActionLink } from "./Action";
import { useFieldName, usePlain, useProblemText } from "./plain";

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

/** Holds the place of rows that are loading, and shows their shape after a moment. */
export function LoadingRows({ rows = 6, tall }: { rows?: number; tall?: boolean }) {
  const { t } = useWords();
  const bar = "h-3 rounded-full bg-sunken";
  return (
    <div role="status" aria-label={t("loading")} className="late divide-y divide-line">
      {Array.from({ length: rows }, (_, i) => (
        <div key={i} className={`flex items-center gap-8 px-4 ${tall ? "h-[4.5rem] lg:h-[3.25rem]" : "h-10"}`}>
          <span className={`${bar} w-1/4`} />
          <span className={`${bar} w-1/6`} />
          <span className={`${bar} ms-auto w-1/12`} />
        </div>
      ))}
    </div>
  );
}

/** Holds the place of a record that is loading: its title, and boxes with the classes of their sizes. */
export function LoadingPage({ boxes, back = true, children }: { boxes?: string[]; back?: boolean; children?: ReactNode }) {
  const { t } = useWords();
  return (
    <div role="status" aria-busy="true" aria-label={t("loading")} className="late grid grid-cols-[minmax(0,1fr)] gap-5">
      {back && <span className="-mb-3 h-5 w-20 rounded-full bg-sunken" />}
      <span className="my-1.5 h-6 w-80 max-w-full rounded-full bg-sunken" />
      {boxes?.map((size, i) => <span key={i} className={`rounded-xl border border-line bg-surface ${size}`} />)}
      {children}
    </div>
  );
}

/** Returns the text of an error in the reader's language, with the names of the fields. */
export function useFailureText(): (error: unknown) => string {
  const { t, pick } = useWords();
  const plain = usePlain();
  const listed = useListed();
  return (error) => {
    if (!(error instanceof Failure)) return t("failed");
    if (error.status === 0) return t("offline");
    return listed(error.problems) || plain(pick(error.messageAr, error.message)) || t("failed");
  };
}

/** Returns the text of problems that no field shows: each on its line, after the name of its field. */
function useListed(): (problems: Problem[]) => string {
  const text = useProblemText();
  const nameOf = useFieldName();
  return (problems) => [...new Set(problems.map((p) => [nameOf(p.path ?? ""), text(p)].filter(Boolean).join(": ")))].join("\n");
}

/** Says why something could not be loaded. On a page without other content, page makes it the heading. */
export function ErrorState({ error, page, retry }: { error: unknown; page?: boolean; retry: () => void }) {
  const { t } = useWords();
  const text = useFailureText();
  const Text = page ? "h1" : "p";
  return (
    <div role="alert" className="grid min-h-60 content-center justify-items-center gap-4 p-6 text-center">
      <Text className="flex max-w-md items-center gap-2 whitespace-pre-line"><CircleAlert size={20} className="shrink-0 text-bad" aria-hidden />{text(error)}</Text>
      {page && error instanceof Failure && error.status === 404 ? <ActionLink href="/">{t("to_home")}</ActionLink> : <Action onPress={retry}>{t("retry")}</Action>}
    </div>
  );
}

/**
 * Returns what an error says of each field, by its path, and what is left to say: read
 * rest after the fields, because it has the problems that none of them asked for. Fields
 * that ask later, such as those of a part, are named in shown.
 */
export function useProblems(error: unknown, shown: string[] = []): { of: (path: string) => string | undefined; readonly rest: string } {
  const whole = useFailureText();
  const text = useProblemText();
  const listed = useListed();
  const problems = error instanceof Failure ? error.problems : [];
  const asked = new Set(shown);
  return {
    of: (path) => {
      asked.add(path);
      return problems.filter((p) => p.path === path).map(text).join(" ") || undefined;
    },
    get rest() {
      if (!error) return "";
      return problems.length === 0 ? whole(error) : listed(problems.filter((p) => !p.path || !asked.has(p.path)));
    },
  };
}

/** What failed, beside the form that it concerns. */
export function FormError({ children }: { children: string }) {
  return children ? <p role="alert" className="whitespace-pre-line text-bad">{children}</p> : null;
}

/** Says that there is nothing to show. On a page without other content, page makes the title its heading. */
export function Empty({ title, page, action, children }: { title: string; page?: boolean; action?: ReactNode; children: ReactNode }) {
  const Title = page ? "h1" : "p";
  return (
    <div className="grid place-items-center gap-2 px-6 py-14 text-center">
      <Title className="font-bold">{title}</Title>
      <p className="max-w-md text-muted">{children}</p>
      {action && <div className="pt-3">{action}</div>}
    </div>
  );
}
