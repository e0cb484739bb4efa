import { useQuery } from "@tanstack/react-query";
import { Box, FileText, type LucideIcon, Search, User } from "lucide-react";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { Dialog, Modal, ModalOverlay } from "react-aria-components";
import { useLocation } from "wouter";
import { suggestClients, suggestInvoices, suggestItems } from "../data/suggest";
import { Amount } from "../parts/Amount";
import { useSession } from "../parts/session";
import { useSettled } from "../parts/useSettled";
import { useWords } from "../words";
import type { Entry } from "./Frame";

interface Result {
  id: string;
  to: string;
  label: string;
  note?: React.ReactNode;
  icon: LucideIcon;
}

interface Group {
  title: string;
  results: Result[];
}

/** Goes to any page, invoice, client or item by typing a part of it. */
export default function Palette({ entries, isOpen, onClose }: { entries: Entry[]; isOpen: boolean; onClose: () => void }) {
  const { t } = useWords();
  return (
    <ModalOverlay isOpen={isOpen} onOpenChange={(open) => !open && onClose()} isDismissable className="fixed inset-0 z-40 grid items-start justify-items-center bg-black/40 p-3 sm:pt-24">
      <Modal className="w-full max-w-xl overflow-hidden rounded-xl border border-line bg-surface shadow-xl">
        <Dialog aria-label={t("go_title")} className="outline-none"><Finder entries={entries} onClose={onClose} /></Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Returns a text as it is compared: without case, and with one form of the letters that are often interchanged. */
function folded(text: string): string {
  return text.toLowerCase().replace(/[أإآ]/g, "ا").replace(/ى/g, "ي").replace(/ة/g, "ه").replace(/[\u064b-\u0652]/g, "");
}

function Finder({ entries, onClose }: { entries: Entry[]; onClose: () => void }) {
  const { t, pick } = useWords();
  const { can } = useSession();
  const [, navigate] = useLocation();
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const q = useSettled(text.trim(), 200);
  const keep = <T,>(before: T | undefined) => before;
  const invoices = useQuery({ ...suggestInvoices({ q }), enabled: q !== "", placeholderData: keep });
  const clients = useQuery({ ...suggestClients(q), enabled: q !== "", placeholderData: keep });
  const items = useQuery({ ...suggestItems(q), enabled: q !== "", placeholderData: keep });

  const words = folded(text).split(/\s+/).filter(Boolean);
  const pages: Result[] = entries
    .filter((entry) => !entry.role || can(entry.role))
    .map((entry) => ({ id: entry.path, to: entry.path, label: t(entry.word), icon: entry.icon }));
  if (can("CreateInvoice")) pages.push({ id: "new", to: "/drafts/new", label: t("go_new"), icon: FileText });
  const groups: Group[] = [
    { title: t("go_pages"), results: pages.filter((page) => words.every((word) => folded(page.label).includes(word))) },
    ...(text.trim() === ""
      ? []
      : [
          { title: t("go_invoices"), results: (invoices.data ?? []).slice(0, 6).map((one) => ({ id: one.uuid, to: `/invoices/${one.uuid}`, label: one.ref_num, note: <><bdi>{one.buyer_name || t("consumer")}</bdi> · <Amount of={one.invoice_payable_amount} currency={one.currency} /></>, icon: FileText })) },
          { title: t("go_clients"), results: (clients.data ?? []).slice(0, 5).map((one) => ({ id: one.uuid, to: `/clients/${one.uuid}`, label: pick(one.buyer_name_arabic, one.buyer_name), note: <bdi>{one.vat_registration_number}</bdi>, icon: User })) },
          { title: t("go_items"), results: (items.data ?? []).slice(0, 5).map((one) => ({ id: one.uuid, to: `/items/${one.uuid}`, label: pick(one.item_name_arabic, one.item_name), note: <Amount of={one.item_net_price} currency="SAR" />, icon: Box })) },
        ]),
  ].filter((group) => group.results.length > 0);
  const results = groups.flatMap((group) => group.results);
  const now = Math.min(at, results.length - 1);
  const open = (result: Result | undefined) => {
    if (!result) return;
    onClose();
    navigate(result.to);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === "ArrowDown") setAt((now + 1) % Math.max(1, results.length));
    else if (event.key === "ArrowUp") setAt((now - 1 + results.length) % Math.max(1, results.length));
    else if (event.key === "Home") setAt(0);
    else if (event.key === "End") setAt(results.length - 1);
    else if (event.key === "Enter") open(results[now]);
    else return;
    event.preventDefault();
  };
  const chosen = results[now];
  useEffect(() => {
    if (chosen) document.getElementById(`${id}-${chosen.id}`)?.scrollIntoView({ block: "nearest" });
  }, [id, chosen]);
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search size={18} aria-hidden className="shrink-0 text-muted" />
        <input
          // A dialog for typing: nothing else in it needs the focus.
          autoFocus
          role="combobox"
          aria-expanded={results.length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={chosen ? `${id}-${chosen.id}` : undefined}
          aria-label={t("go_search")}
          placeholder={t("go_search")}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
          onKeyDown={press}
          dir="auto"
          className="min-h-12 w-full min-w-0 bg-transparent outline-none"
        />
      </div>
      <div id={`${id}-list`} role="listbox" aria-label={t("go_title")} className="max-h-[60dvh] overflow-y-auto p-2">
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={group.title}>
            <p role="presentation" className="px-3 pt-2 pb-1 text-xs text-muted">{group.title}</p>
            {group.results.map((result) => (
              <div
                key={result.id}
                id={`${id}-${result.id}`}
                role="option"
                aria-selected={result === chosen}
                onClick={() => open(result)}
                onMouseMove={() => setAt(results.indexOf(result))}
                className={`flex cursor-default items-center gap-3 rounded-md px-3 py-2 ${result === chosen ? "bg-tint text-accent" : ""}`}
              >
                <result.icon size={16} aria-hidden className="shrink-0" />
                <bdi className="truncate">{result.label}</bdi>
                {result.note && <span className="ms-auto shrink-0 text-xs text-muted">{result.note}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {results.length === 0 && <p role="status" className="px-5 pb-4 text-muted">{t(invoices.isFetching ? "loading" : "go_nothing")}</p>}
      <p className="border-t border-line px-4 py-2 text-xs text-muted">{t("go_hint")}</p>
    </>
  );
}
