import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { clientQuery, itemQuery } from "../../data/catalogue";
import { app, Failure } from "../../data/client";
import { data, draftQuery, invoiceQuery } from "../../data/queries";
import { suggestReasons } from "../../data/suggest";
import * as kept from "./kept";
import { type Content, type Draft, isEmpty, isStorable, type ItemOfLine, type Known, ofDraft, type Reference, toBody } from "./model";

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

/** What an editor starts with. */
export interface Start {
  draft: Draft | null;
  content: Content;
  saved: string; // the signature of what the draft has, or of what the page can show again
  restored: boolean; // the content has what was not saved when the editor was left
}

/** Reads a draft with the records that it refers to. */
export async function readDraft(queries: QueryClient, id: string, pick: Pick): Promise<Start> {
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
  const content = ofDraft(draft, known);
  const saved = signature(content);
  const later = draft.state === "approved" || draft.state === "issued" ? null : kept.take(draft.uuid);
  const same = later !== null && signature(later.content) === saved; // but for lines that a draft would refuse
  if (later && (same || later.version === draft.version)) return { draft, saved, content: later.content, restored: !same };
  return { draft, saved, content, restored: false };
}

export type SaveState = "saved" | "saving" | "waiting" | "failed" | "conflict";

const idle = 1_000; // milliseconds without a key until a draft is saved
const pause = 10_000; // milliseconds until a save is tried again

/** Reports whether the same request may succeed later. */
function isTransient(error: unknown): boolean {
  return error instanceof Failure && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/**
 * Saves a draft a second after the last change, and when the editor is left. Saving again
 * while a request runs waits for it, so that the versions stay in order. What is not saved
 * yet is kept in this browser, at the given place until there is a draft.
 */
export function useAutosave(content: Content, start: Start, place: string, onCreated: (draft: Draft) => void) {
  const queries = useQueryClient();
  const [state, setState] = useState<SaveState>("saved");
  const [error, setError] = useState<unknown>(null);
  const [draft, setDraft] = useState(start.draft);
  const current = useRef({ content, draft, saved: start.saved, error: null as unknown, running: null as Promise<Draft | null> | null, left: false, discarded: false });
  current.current.content = content;

  /** Saves what is shown, and returns null if that fails. */
  const save = useCallback(
    async (keepalive = false): Promise<Draft | null> => {
      const at = current.current;
      if (at.running) {
        await at.running;
        return save(keepalive);
      }
      const { content, draft } = at;
      const text = signature(content);
      if (draft && text === at.saved) return draft;
      const run = async (): Promise<Draft | null> => {
        setState("saving");
        const body = { invoice: toBody(content, true).body, paid_on_issue: content.paidOnIssue };
        try {
          const next: Draft = draft
            ? await data(app.PATCH("/api/drafts/{draft_id}/", { params: { path: { draft_id: draft.uuid } }, body: { ...body, version: draft.version }, keepalive }))
            : await data(app.POST("/api/drafts/", { body }));
          at.draft = next;
          at.saved = text;
          at.error = null;
          kept.remove(place);
          keep(at);
          queries.setQueryData(["draft", next.uuid], next);
          void queries.invalidateQueries({ queryKey: ["drafts"] });
          setDraft(next);
          setState("saved");
          setError(null);
          if (!draft && !at.left) onCreated(next);
          return next;
        } catch (failure) {
          keep(at, place);
          at.error = failure;
          setError(failure);
          setState(failure instanceof Failure && failure.status === 409 ? "conflict" : "failed");
          return null;
        } finally {
          at.running = null;
        }
      };
      at.running = run();
      return at.running;
    },
    [queries, place, onCreated],
  );

  /** Saves what is shown, or fails. */
  const stored = useCallback(async (): Promise<Draft> => {
    const next = await save();
    if (!next) throw current.current.error;
    return next;
  }, [save]);

  /** Saves what is shown, and fails if the draft has changed elsewhere: what is issued must be what is shown. */
  const unchanged = useCallback(
    async (message: string): Promise<Draft> => {
      const mine = await stored();
      const now = await data(app.GET("/api/drafts/{draft_id}/", { params: { path: { draft_id: mine.uuid } } }));
      if (now.version === mine.version || now.state === "issued") return now;
      const failure = new Failure(409, "draft_changed", message, message, [], null);
      setError(failure);
      setState("conflict");
      throw failure;
    },
    [stored],
  );

  /** Replaces what was saved elsewhere with what is shown. */
  const overwrite = useCallback(async () => {
    const at = current.current;
    if (!at.draft) return;
    try {
      at.draft = await data(app.GET("/api/drafts/{draft_id}/", { params: { path: { draft_id: at.draft.uuid } } }));
      at.saved = "";
    } catch (failure) {
      setError(failure);
      return;
    }
    await save();
  }, [save]);

  /** Forgets what is not saved, because the draft is issued or deleted. */
  const discard = useCallback(() => {
    const at = current.current;
    at.discarded = true;
    if (at.draft) kept.remove(at.draft.uuid);
  }, []);

  useEffect(() => {
    const at = current.current;
    if (!isBegun(at)) return;
    keep(at, place);
    if (state === "conflict") return;
    if (signature(content) === at.saved) {
      setState((before) => (before === "waiting" ? "saved" : before)); // a change was taken back
      return;
    }
    setState((before) => (before === "saving" ? before : "waiting"));
    const timer = setTimeout(() => void save(), idle);
    return () => clearTimeout(timer);
  }, [content, place, save]);

  useEffect(() => {
    if (state !== "failed" || !isTransient(error)) return;
    const timer = setTimeout(() => void save(), pause);
    return () => clearTimeout(timer);
  }, [state, error, save]);

  useEffect(() => {
    const at = current.current;
    const isDirty = () => !at.discarded && isBegun(at) && signature(at.content) !== at.saved;
    // A tab that is closed keeps a new document at its place; a request could create it twice.
    const hide = () => at.draft && isDirty() && void save(true);
    at.left = false;
    addEventListener("pagehide", hide);
    return () => {
      removeEventListener("pagehide", hide);
      at.left = true;
      if (!isDirty()) return;
      if (!at.draft) kept.remove(place);
      void save();
    };
  }, [place, save]);

  return { state, error, draft, save, stored, unchanged, overwrite, discard };
}

interface Current {
  draft: Draft | null;
  content: Content;
  saved: string;
  discarded: boolean;
}

/** Reports whether something was written that is worth a draft. */
function isBegun({ draft, content }: Current): boolean {
  return draft !== null || content.buyer !== null || content.lines.some((line) => !isEmpty(line));
}

/** Keeps content that the draft does not have, or that it would refuse, such as a line without a price. */
function keep(at: Current, place = "") {
  if (at.discarded) return;
  const id = at.draft?.uuid ?? place;
  const whole = at.content.lines.every((line) => isEmpty(line) || isStorable(line));
  if (whole && signature(at.content) === at.saved) kept.remove(id);
  else kept.put(id, at.draft?.version ?? 0, at.content);
}

/** Returns what decides whether a draft must be saved again. */
export function signature(content: Content): string {
  return JSON.stringify([toBody(content, true).body, content.paidOnIssue]);
}
