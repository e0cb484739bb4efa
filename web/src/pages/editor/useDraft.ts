import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { clientQuery, itemQuery } from "../../data/catalogue";
import { app, Failure } from "../../data/client";
import { data, draftQuery, invoiceQuery } from "../../data/queries";
import { suggestReasons } from "../../data/suggest";
import { type Content, type Draft, fromCatalogue, isEmpty, isStorable, type ItemOfLine, type Known, ofDraft, type Reference, toBody } from "./model";

type Pick = (arabic: string | null | undefined, english: string | null | undefined) => string;

/** Returns an item as lines take it. */
export async function readItem(queries: QueryClient, id: string, pick: Pick): Promise<ItemOfLine> {
  const item = await queries.fetchQuery(itemQuery(id));
  return {
    id: item.uuid,
    name: pick(item.item_name_arabic, item.item_name),
    price: item.item_net_price,
    unit: item.unit_of_measure,
    category: item.vat_category_code,
    rate: item.vat_rate,
    reasonCode: item.vat_exemption_reason_code,
    reasonText: item.vat_exemption_reason_text,
  };
}

/** Reads a draft with the records that it refers to. */
export async function readDraft(queries: QueryClient, id: string, pick: Pick): Promise<{ draft: Draft; content: Content }> {
  const draft = await queries.fetchQuery({ ...draftQuery(id), staleTime: 0 });
  const { invoice } = draft;
  const named = async (uuid: string): Promise<Reference> => ({ uuid, text: (await queries.fetchQuery(invoiceQuery(uuid))).ref_num });
  const client = invoice.buyer ? await queries.fetchQuery(clientQuery(invoice.buyer)) : null;
  const reasons = invoice.reason_id ? await queries.fetchQuery(suggestReasons("")) : [];
  const known: Known = {
    buyer: client && { uuid: client.uuid, text: pick(client.buyer_name_arabic, client.buyer_name) },
    reason: invoice.reason_id ? { uuid: invoice.reason_id, text: reasons.find((r) => r.uuid === invoice.reason_id)?.description ?? "" } : null,
    originals: await Promise.all(invoice.original_invoice_reference.map(named)),
    advances: await Promise.all(invoice.prepaid_invoices.map(named)),
    items: new Map(),
  };
  for (const id of new Set(invoice.lines.map((line) => line.item_id))) known.items.set(id, await readItem(queries, id, pick));
  return { draft, content: unfinished.restore(draft, ofDraft(draft, known)) };
}

/** Keeps content that a draft would refuse, such as a line without a price, in this browser. */
const unfinished = {
  key: (draft: string) => `khatm.draft.${draft}`,
  keep(draft: Draft, content: Content) {
    const whole = content.lines.every((line) => isEmpty(line) || isStorable(line));
    if (whole) localStorage.removeItem(this.key(draft.uuid));
    else localStorage.setItem(this.key(draft.uuid), JSON.stringify({ version: draft.version, lines: content.lines }));
  },
  restore(draft: Draft, content: Content): Content {
    const text = localStorage.getItem(this.key(draft.uuid));
    if (!text) return content;
    const kept = JSON.parse(text) as { version: number; lines: Content["lines"] };
    return kept.version === draft.version ? { ...content, lines: kept.lines } : content;
  },
  remove(draft: string) {
    localStorage.removeItem(this.key(draft));
  },
};

export function forgetUnfinished(draft: string) {
  unfinished.remove(draft);
}

export type SaveState = "saved" | "saving" | "waiting" | "failed" | "conflict";

const idle = 1_000; // milliseconds without a key until a draft is saved

/**
 * Saves a draft a second after the last change. Saving again while a request runs
 * waits for it, so that the versions stay in order.
 */
export function useAutosave(content: Content | null, first: Draft | null, onCreated: (draft: Draft) => void) {
  const queries = useQueryClient();
  const [state, setState] = useState<SaveState>("saved");
  const [error, setError] = useState<unknown>(null);
  const [draft, setDraft] = useState<Draft | null>(first);
  const current = useRef({ content, draft, saved: "", running: null as Promise<Draft | null> | null });
  current.current.content = content;

  const reset = useCallback((next: Draft | null, loaded: Content | null) => {
    current.current.draft = next;
    current.current.saved = loaded ? signature(loaded) : "";
    setDraft(next);
    setState("saved");
    setError(null);
  }, []);

  const save = useCallback(async (): Promise<Draft | null> => {
    const at = current.current;
    if (at.running) {
      await at.running;
      return save();
    }
    const { content, draft } = at;
    if (!content) return draft;
    const text = signature(content);
    if (draft && text === at.saved) return draft;
    const run = async (): Promise<Draft | null> => {
      setState("saving");
      const body = { invoice: toBody(content, true).body, paid_on_issue: content.paidOnIssue };
      try {
        const next: Draft = draft
          ? await data(app.PATCH("/api/drafts/{draft_id}/", { params: { path: { draft_id: draft.uuid } }, body: { ...body, version: draft.version } }))
          : await data(app.POST("/api/drafts/", { body }));
        at.draft = next;
        at.saved = text;
        unfinished.keep(next, content);
        queries.setQueryData(["draft", next.uuid], next);
        void queries.invalidateQueries({ queryKey: ["drafts"] });
        setDraft(next);
        setState("saved");
        setError(null);
        if (!draft) onCreated(next);
        return next;
      } catch (failure) {
        setError(failure);
        setState(failure instanceof Failure && failure.status === 409 ? "conflict" : "failed");
        return null;
      } finally {
        at.running = null;
      }
    };
    at.running = run();
    return at.running;
  }, [queries, onCreated]);

  const text = content ? signature(content) : "";
  useEffect(() => {
    if (!content || state === "conflict") return;
    const at = current.current;
    const begun = at.draft !== null || content.buyer !== null || content.lines.some((line) => !isEmpty(line));
    if (!begun || text === at.saved) return;
    setState((before) => (before === "saving" ? before : "waiting"));
    const timer = setTimeout(() => void save(), idle);
    return () => clearTimeout(timer);
    // The text stands for the content.
  }, [text, save]);

  return { state, error, draft, save, reset, setDraft: (next: Draft) => reset(next, current.current.content) };
}

/** What decides whether a draft must be saved again. */
function signature(content: Content): string {
  return JSON.stringify([toBody(content, false).body, content.paidOnIssue, fromCatalogue(content)]);
}
