import { useQuery } from "@tanstack/react-query";
import { memo, useCallback, useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { invoicesQuery, isSound, type Row, type Sound } from "../../data/queries";
import { Amount } from "../../parts/Amount";
import { amountText, hundredths } from "../../parts/money";
import { typing } from "../../parts/keys";
import { Count, List, SearchBox, useList } from "../../parts/List";
import { Page } from "../../parts/Page";
import { lastList } from "../../parts/place";
import { useAfterPaint } from "../../parts/useAfterPaint";
import { useWords } from "../../words";
import { Bulk } from "./Bulk";
import { Filters } from "./Filters";
import { addressOf, filterOf, names, savedQuery } from "./filter";
import { Rows } from "./Rows";
import { Views } from "./Views";

export default function InvoicesPage() {
  const { t } = useWords();
  const { params, search, cursor, set, setSearch } = useList();
  const [, setParams] = useSearchParams();
  const query = savedQuery(params);
  const show = useCallback((query: string) => setParams(addressOf(query)), [setParams]);
  const list = useQuery(invoicesQuery({ page_size: 25, ...filterOf(params), ...(cursor && { cursor }) }));
  const filtered = names.some((name) => params.has(name));
  const [chosen, setChosen] = useState<Map<string, Sound>>(new Map());
  const choose = useCallback((rows: Sound[], on: boolean) => {
    setChosen((before) => {
      const next = new Map(before);
      for (const row of rows) on ? next.set(row.uuid, row) : next.delete(row.uuid);
      return next;
    });
  }, []);
  const body = useRef<HTMLDivElement>(null);
  const rows = list.data?.invoices ?? [];
  useKeys(body, (uuid) => {
    const row = rows.filter(isSound).find((one) => one.uuid === uuid);
    if (row) choose([row], !chosen.has(uuid));
  });
  usePlace(body, list.isSuccess);
  const selection = [...chosen.values()];
  return (
    <Page title={t("nav_invoices")} note={<Count of={list.data} word="n_documents" />}>
      <div ref={body} className="grid grid-cols-[minmax(0,1fr)] gap-4">
        <div data-filters className="flex flex-wrap items-center justify-between gap-2">
          <Views now={query} show={show} />
          <div data-search className="w-full sm:w-auto"><SearchBox label={t("search_invoices")} value={search} onChange={setSearch} /></div>
        </div>
        <Filters query={query} set={set} />
        <List
          tall
          query={list}
          rows={(data) => data.invoices}
          empty={{ title: t("no_invoices"), text: t("no_invoices_text") }}
          filtered={filtered || Boolean(cursor)}
          cursor={cursor}
          onCursor={(next) => set({ cursor: next })}
        >
          {(data) => <Shown rows={data.invoices} chosen={chosen} choose={choose} />}
        </List>
        {selection.length > 0 && <Bulk rows={selection} clear={() => setChosen(new Map())} />}
      </div>
    </Page>
  );
}

/** The rows and their sums. */
function Shown({ rows, chosen, choose }: { rows: Row[]; chosen: Map<string, Sound>; choose: (rows: Sound[], on: boolean) => void }) {
  const drawn = useAfterPaint(rows);
  return (
    <div aria-busy={drawn !== rows}>
      <Rows rows={drawn} chosen={chosen} choose={choose} />
      <Sums rows={drawn} chosen={chosen} />
    </div>
  );
}

function isRejected(row: Sound): boolean {
  return row.authority_response_status === "NOT_CLEARED" || row.authority_response_status === "NOT_REPORTED";
}

/** The exact sums of the selected documents, or of those shown, by currency. Rejected ones do not count. */
const Sums = memo(function Sums({ rows, chosen }: { rows: Row[]; chosen: Map<string, Sound> }) {
  const { t } = useWords();
  const selected = chosen.size > 0;
  const summed = selected ? [...chosen.values()] : rows.filter(isSound);
  const counted = summed.filter((row) => !isRejected(row));
  const currencies = [...new Set(counted.map((row) => row.currency))];
  const sum = (currency: string, of: (row: Sound) => string) =>
    amountText(counted.filter((row) => row.currency === currency).reduce((total, row) => (row.type_code === 381 ? total - (hundredths(of(row)) ?? 0n) : total + (hundredths(of(row)) ?? 0n)), 0n));
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-1 border-t border-line px-4 py-3 text-muted" data-sums>
      {currencies.map((currency) => (
        <span key={currency} className="flex flex-wrap gap-x-4">
          <span>{t(selected ? "list_sum_selected" : "list_sum_shown")} <span data-sum={currency} className="font-bold text-ink"><Amount of={sum(currency, (row) => row.invoice_total_amount_with_vat)} currency={currency} /></span></span>
          <span>{t("list_sum_vat")} <span data-sum-vat={currency}><Amount of={sum(currency, (row) => row.invoice_total_vat_amount)} currency={currency} /></span></span>
        </span>
      ))}
      {counted.some((row) => row.type_code === 381) && <span>{t("list_sum_minus")}</span>}
      {counted.length < summed.length && <span>{t("list_sum_without")}</span>}
    </div>
  );
});

/**
 * Moves through the list with j and k or the arrows, selects with x, and goes to the search with a slash.
 * The keys are those of the keyboard, so that they work with an Arabic layout too.
 */
function useKeys(body: React.RefObject<HTMLDivElement | null>, toggle: (uuid: string) => void) {
  const latest = useRef(toggle);
  latest.current = toggle;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
      const rows = [...(body.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])].filter((row) => row.offsetParent);
      const here = rows.findIndex((row) => row.contains(document.activeElement));
      const move = (to: number) => {
        const link = rows[Math.max(0, Math.min(rows.length - 1, to))]?.querySelector("a");
        if (!link) return;
        event.preventDefault();
        link.focus();
        link.scrollIntoView({ block: "nearest" });
      };
      const arrows = here >= 0 || document.activeElement === document.body || document.activeElement?.tagName === "H1";
      if (event.code === "KeyJ" || (event.key === "ArrowDown" && arrows)) move(here + 1);
      else if (event.code === "KeyK" || (event.key === "ArrowUp" && arrows)) move(here - 1);
      else if (event.code === "KeyX" && here >= 0) {
        event.preventDefault();
        latest.current(rows[here]?.dataset.row ?? "");
      } else if (event.key === "/" || (event.code === "Slash" && !event.shiftKey)) {
        event.preventDefault();
        body.current?.querySelector<HTMLInputElement>("[data-search] input")?.focus();
      }
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [body]);
}

/** Returns to the row and the scroll position at which the list was left. */
function usePlace(body: React.RefObject<HTMLDivElement | null>, ready: boolean) {
  const restored = useRef(false);
  useEffect(() => {
    if (!ready || restored.current) return;
    restored.current = true;
    const place = lastList.get();
    if (place?.search !== location.search) return;
    scrollTo(0, place.top);
    const link = [...(body.current?.querySelectorAll<HTMLElement>(`[data-row="${CSS.escape(place.row)}"] a`) ?? [])].find((one) => one.offsetParent);
    link?.focus({ preventScroll: true });
  }, [body, ready]);
  useEffect(() => {
    // Before the link opens its page: a click, or Enter, which is a click on a link.
    const leave = (event: Event) => {
      const row = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
      lastList.set({ search: location.search, top: scrollY, row: row?.dataset.row ?? "" });
    };
    const element = body.current;
    element?.addEventListener("click", leave, true);
    element?.addEventListener("keydown", leave, true);
    return () => {
      element?.removeEventListener("click", leave, true);
      element?.removeEventListener("keydown", leave, true);
    };
  }, [body]);
}
