import type { UseQueryResult } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { memo, type ReactNode, useCallback, useEffect, useState } from "react";
import { useSearchParams } from "wouter";
import { useWords } from "../words";
import type { Word } from "../words/ar";
import { QuickAction } from "./Action";
import { grouped } from "./Amount";
import { Empty, ErrorState, LoadingRows } from "./states";

/** The search and the place in a list, which are in the address. */
export function useList() {
  const [params, setParams] = useSearchParams();
  /** Changes values of the address. An empty one is removed, and a new filter begins at the first page. */
  const set = useCallback((changes: Record<string, string>) => {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete("cursor");
        for (const [name, value] of Object.entries(changes)) value ? next.set(name, value) : next.delete(name);
        return next;
      },
      { replace: !("cursor" in changes) },
    );
  }, [setParams]);
  const setSearch = useCallback((q: string) => set({ q }), [set]);
  return { params, search: params.get("q") ?? "", cursor: params.get("cursor") ?? "", set, setSearch };
}

/** A search that asks for a new text once it has not changed for a moment, or at Enter. */
export const SearchBox = memo(function SearchBox({ label, value, onChange }: { label: string; value: string; onChange: (text: string) => void }) {
  const [text, setText] = useState(value);
  const [asked, setAsked] = useState(value);
  if (asked !== value) {
    // The page has another search now, such as that of a saved view.
    setAsked(value);
    setText(value);
  }
  const ask = () => {
    if (text === asked) return;
    setAsked(text);
    onChange(text);
  };
  useEffect(() => {
    const timer = setTimeout(ask, 200);
    return () => clearTimeout(timer);
  });
  return (
    <div data-filters className="relative w-full sm:w-80">
      <Search size={16} aria-hidden className="absolute inset-s-3 top-1/2 -translate-y-1/2 text-muted" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") ask();
          else if (event.key === "Escape" && text) {
            event.preventDefault();
            setText("");
          }
        }}
        className="min-h-9 w-full rounded-md border border-line bg-surface ps-9 pe-3 text-ellipsis"
      />
    </div>
  );
});

interface Paged {
  total: number;
  total_capped: boolean;
  next_cursor: string | null;
}

/** Shows how many records a list has; an empty list says so itself. */
export function Count({ of, word }: { of: Paged | undefined; word: Word }) {
  const { t, n } = useWords();
  if (!of?.total) return null;
  return <bdi>{of.total_capped ? t("more_than_count", { count: grouped(String(of.total)) }) : n(word, of.total)}</bdi>;
}

interface Props<T extends Paged> {
  query: UseQueryResult<T>;
  rows: (data: T) => unknown[];
  /** What an empty list teaches. */
  empty: { title: string; text: string };
  filtered: boolean;
  cursor: string;
  onCursor: (cursor: string) => void;
  /** Whether the rows have two lines. */
  tall?: boolean;
  children: (data: T) => ReactNode;
}

/** A page of a list in its states, with the way to the next page. */
export function List<T extends Paged>({ query, rows, empty, filtered, cursor, onCursor, tall, children }: Props<T>) {
  const { t } = useWords();
  const further = query.data?.next_cursor;
  const none = query.data && rows(query.data).length === 0 && !filtered && !cursor && !query.isPlaceholderData;
  return (
    <>
      <section data-none={none || undefined} className="overflow-hidden rounded-xl border border-line bg-surface" aria-busy={query.isFetching}>
        {query.isPending ? (
          <LoadingRows {...(tall && { tall })} />
        ) : query.error ? (
          <ErrorState error={query.error} retry={() => void query.refetch()} />
        ) : rows(query.data).length > 0 ? (
          children(query.data)
        ) : filtered ? (
          <Empty title={t("nothing_found")}>{t("nothing_found_text")}</Empty>
        ) : (
          <Empty title={empty.title}>{empty.text}</Empty>
        )}
      </section>
      {(cursor || further) && (
        <div className="flex gap-2">
          {cursor && <QuickAction onClick={() => onCursor("")}>{t("first_page")}</QuickAction>}
          {further && <QuickAction onClick={() => onCursor(further)}>{t("next")}</QuickAction>}
        </div>
      )}
    </>
  );
}
