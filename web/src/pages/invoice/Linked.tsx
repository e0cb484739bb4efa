import { Link as To } from "react-aria-components";
import { type Link, notesSearched } from "../../data/invoices";
import { Amount } from "../../parts/Amount";
import { Panel } from "../../parts/Panel";
import { Status } from "../../parts/Status";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

const kinds: Record<Link["kind"], Word> = {
  original: "inv_link_original",
  advance: "inv_link_advance",
  credit: "inv_link_credit",
  debit: "inv_link_debit",
  final: "inv_link_final",
  replaces: "inv_link_replaces",
  replaced: "inv_link_replaced",
};

/** The documents that this one names, and those that name it. */
export function Linked({ links, capped }: { links: Link[]; capped: boolean }) {
  const { t } = useWords();
  if (links.length === 0 && !capped) return null;
  return (
    <Panel title={t("inv_linked")}>
      <ul className="divide-y divide-line">
        {links.map(({ kind, uuid, number, row }) => (
          <li key={kind + uuid} className="grid gap-1 px-4 py-3">
            <span className="text-xs text-muted">{t(kinds[kind])}</span>
            <span className="flex flex-wrap items-baseline justify-between gap-x-3">
              {row ? <To href={`/invoices/${uuid}`} className="rounded-sm font-bold text-accent"><bdi>{number}</bdi></To> : <span><bdi className="font-bold">{number}</bdi> <span className="text-muted">{t("inv_link_earlier")}</span></span>}
              {row && <Amount of={row.invoice_total_amount_with_vat} currency={row.currency} />}
            </span>
            {row && <span><Status of={row} /></span>}
          </li>
        ))}
      </ul>
      {capped && <p className="border-t border-line px-4 py-3 text-xs text-muted">{t("inv_linked_capped", { count: notesSearched })}</p>}
    </Panel>
  );
}
