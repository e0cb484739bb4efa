import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useDeferredValue } from "react";
import { Button, Input, SearchField } from "react-aria-components";
import { useSearchParams } from "wouter";
import { invoicesQuery } from "../../data/queries";
import { Action } from "../../parts/Action";
import { grouped } from "../../parts/Amount";
import { InvoiceTable } from "../../parts/InvoiceTable";
import { Empty, ErrorState, Loading } from "../../parts/states";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

type Filter = NonNullable<Parameters<typeof invoicesQuery>[0]>;

const filters: { id: string; word: Word; filter: Filter }[] = [
  { id: "", word: "all", filter: {} },
  { id: "rejected", word: "filter_rejected", filter: { invoice_status: ["NOT_CLEARED", "NOT_REPORTED"] } },
  { id: "waiting", word: "filter_waiting", filter: { invoice_status: ["Unanswered", "No response"] } },
  { id: "unpaid", word: "filter_unpaid", filter: { payment_status: "Pending" } },
];

export default function InvoicesPage() {
  const { t } = useWords();
  const [params, setParams] = useSearchParams();
  const chosen = params.get("show") ?? "";
  const search = params.get("q") ?? "";
  const cursor = params.get("cursor") ?? "";
  const words = useDeferredValue(search);
  const set = (changes: Record<string, string>) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete("cursor");
        for (const [name, value] of Object.entries(changes)) value ? next.set(name, value) : next.delete(name);
        return next;
      },
      { replace: !("cursor" in changes) },
    );
  const filter: Filter = { page_size: 25, ...filters.find((f) => f.id === chosen)?.filter, ...(words && { search_text: words }), ...(cursor && { cursor }) };
  const list = useQuery(invoicesQuery(filter));
  const filtered = Boolean(chosen || words);
  return (
    <div className="grid gap-5">
      <div className="flex items-baseline gap-3">
        <h1 className="text-xl font-bold">{t("nav_invoices")}</h1>
        {list.data && <span className="text-muted">{t(list.data.total_capped ? "more_than" : "count_of", { count: grouped(String(list.data.total)) })}</span>}
      </div>
      <div className="flex flex-wrap items-center gap-2">
        {filters.map(({ id, word }) => (
          <Button key={id} onPress={() => set({ show: id })} aria-pressed={id === chosen} className={`min-h-8 rounded-full border px-4 ${id === chosen ? "border-accent bg-tint font-bold text-accent" : "border-line bg-surface text-muted hover:bg-sunken"}`}>
            {t(word)}
          </Button>
        ))}
        <SearchField aria-label={t("search_invoices")} value={search} onChange={(q) => set({ q })} className="relative ms-auto w-full sm:w-80">
          <Search size={16} aria-hidden className="absolute inset-s-3 top-1/2 -translate-y-1/2 text-muted" />
          <Input placeholder={t("search_invoices")} className="min-h-9 w-full rounded-md border border-line bg-surface ps-9 pe-3 text-ellipsis" />
        </SearchField>
      </div>
      <section className="overflow-hidden rounded-xl border border-line bg-surface" aria-busy={list.isFetching}>
        {list.isPending ? (
          <Loading />
        ) : list.error ? (
          <ErrorState error={list.error} retry={() => void list.refetch()} />
        ) : list.data.invoices.length === 0 ? (
          <Empty title={t(filtered ? "nothing_found" : "no_invoices")}>{t(filtered ? "nothing_found_text" : "no_invoices_text")}</Empty>
        ) : (
          <InvoiceTable rows={list.data.invoices} />
        )}
      </section>
      <div className="flex gap-2">
        {cursor && <Action onPress={() => set({ cursor: "" })}>{t("first_page")}</Action>}
        {list.data?.next_cursor && <Action onPress={() => set({ cursor: list.data.next_cursor ?? "" })}>{t("next")}</Action>}
      </div>
    </div>
  );
}
