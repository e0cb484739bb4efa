import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { lazy, startTransition, Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { clientQuery } from "../../data/catalogue";
import { app } from "../../data/client";
import { allDevices, devicesQuery, isActive } from "../../data/devices";
import { data, invoiceQuery } from "../../data/queries";
import { Action, ActionLink } from "../../parts/Action";
import { ClientForm } from "../../parts/forms";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { useProblemText } from "../../parts/plain";
import { Sheet } from "../../parts/Sheet";
import { useSession } from "../../parts/session";
import { Empty, ErrorState, FormError, LoadingPage, useFailureText } from "../../parts/states";
import { useKind } from "../../parts/Status";
import { useWords } from "../../words";
import { compute } from "./amounts";
import { checks } from "./checks";
import { DraftState } from "./DraftState";
import { Head } from "./Head";
import { IssueDialog } from "./IssueDialog";
import * as kept from "./kept";
import { Lines } from "./Lines";
import { blank, type Content, type Draft, isNote, likeInvoice, toBody, type TypeCode } from "./model";
import { More } from "./More";
import { focusField, Summary } from "./Summary";
import { readDraft, type SaveState, signature, type Start, useAutosave } from "./useDraft";
import { fieldOf, usePreview } from "./usePreview";

// Few documents are shared before they are issued.
const ShareDialog = lazy(() => import("./ShareDialog").then((m) => ({ default: m.ShareDialog })));

interface Loaded extends Start {
  id: string;
}

const noteTypes: Record<string, TypeCode> = { "381": 381, "383": 383, "386": 386 };

/** Writes a new document, or continues a draft. */
export default function EditorPage({ id }: { id: string }) {
  const { t, pick } = useWords();
  const { session, organisation } = useSession();
  const queries = useQueryClient();
  const [params] = useSearchParams();
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [attempt, setAttempt] = useState(0);
  const source = params.toString();
  const place = `new.${session.person.uuid}.${organisation?.uuid ?? ""}.${source}`; // where a new document is kept until it is a draft
  const created = useRef(""); // the draft that this page has created, and need not load
  const keepPage = useCallback((uuid: string) => {
    created.current = uuid;
  }, []);
  const reload = () => {
    created.current = "";
    setAttempt(attempt + 1);
  };

  useEffect(() => {
    if (created.current === id) return;
    created.current = "";
    let left = false;
    const load = async (): Promise<Loaded> => {
      if (id !== "new") return { id, ...(await readDraft(queries, id, pick)) };
      const begun = kept.take(place);
      if (begun) return { id, draft: null, saved: "", restored: true, content: begun.content };
      const fresh = (content: Content): Loaded => ({ id, draft: null, saved: signature(content), restored: false, content });
      const type = noteTypes[params.get("type") ?? ""] ?? 388;
      const from = params.get("original") ?? params.get("copy");
      if (from) {
        const invoice = await queries.fetchQuery(invoiceQuery(from));
        const name = invoice.buyer ? pick(invoice.buyer.buyer_name_arabic, invoice.buyer.buyer_name) : "";
        return fresh(likeInvoice(invoice, params.has("original") ? type : invoice.type_code, name));
      }
      const { devices } = await queries.fetchQuery(devicesQuery(allDevices));
      const device = devices.find(isActive);
      const content = blank(device?.device_id ?? "", device?.seller_id ?? "");
      const buyer = params.get("client") ? await queries.fetchQuery(clientQuery(params.get("client") ?? "")) : null;
      return fresh({ ...content, typeCode: type, buyer: buyer && { uuid: buyer.uuid, text: pick(buyer.buyer_name_arabic, buyer.buyer_name) } });
    };
    setLoaded(null);
    setError(null);
    load().then(
      (next) => {
        if (left) return;
        startTransition(() => setLoaded(next)); // the form is large, and the page stays responsive meanwhile
        if (next.restored) notify(t("editor_restored"));
      },
      (failure: unknown) => !left && setError(failure),
    );
    return () => {
      left = true;
    };
  }, [id, source, attempt]);

  if (error) return <ErrorState page error={error} retry={reload} />;
  if (!loaded) return <Waiting />;
  if (!loaded.content.device) return <NoDevice />;
  return <Editor key={`${loaded.id}.${attempt}`} loaded={loaded} place={place} onCreated={keepPage} reload={reload} />;
}

/** Holds the place of the head, the lines and the summary. */
function Waiting() {
  const box = "rounded-xl border border-line bg-surface";
  return (
    <LoadingPage back={false}>
      <div className="grid gap-5 xl:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="grid content-start gap-5"><span className={`${box} h-[22rem] sm:h-56`} /><span className={`${box} h-60`} /></div>
        <span className={`${box} h-72`} />
      </div>
    </LoadingPage>
  );
}

/** Nothing can be issued before a device is onboarded. */
function NoDevice() {
  const { t } = useWords();
  return <Empty title={t("editor_no_device")} action={<ActionLink look="main" href="/devices">{t("editor_to_devices")}</ActionLink>}>{t("editor_no_device_text")}</Empty>;
}

function Editor({ loaded, place, onCreated, reload }: { loaded: Loaded; place: string; onCreated: (uuid: string) => void; reload: () => void }) {
  const { t, pick } = useWords();
  const kind = useKind();
  const text = useFailureText();
  const problemText = useProblemText();
  const [removal, setRemoval] = useState<unknown>(null);
  const queries = useQueryClient();
  const { can } = useSession();
  const [, navigate] = useLocation();
  const [params] = useSearchParams();
  const [content, setContent] = useState(loaded.content);
  const [touched, setTouched] = useState(new Set<string>());
  const [tried, setTried] = useState(false);
  const [more, setMore] = useState(loaded.content.currency !== "SAR" || loaded.content.allowances.length > 0 || loaded.content.advances.length > 0);
  const [dialog, setDialog] = useState<"issue" | "share" | "client" | null>(null);
  const [newClient, setNewClient] = useState("");
  const [wanted, setWanted] = useState(false); // to be issued as soon as it is ready
  const [firstPlace] = useState(place); // the address changes with the first save

  const created = useCallback(
    (draft: Draft) => {
      // A page that was opened during the save is not left, even while it still loads and this one is shown.
      if (window.location.pathname !== "/drafts/new") return;
      onCreated(draft.uuid);
      navigate(`/drafts/${draft.uuid}`, { replace: true });
    },
    [navigate, onCreated],
  );
  const { state, error, draft, save, stored, unchanged, overwrite, discard } = useAutosave(content, loaded, firstPlace, created);

  const locked = !can("CreateInvoice") || draft?.state === "approved" || draft?.state === "issued";
  const change = useCallback((update: (before: Content) => Content) => setContent(update), []);
  const touch = useCallback((field: string) => setTouched((before) => (before.has(field) ? before : new Set(before).add(field))), []);

  const client = useQuery({ ...clientQuery(content.buyer?.uuid ?? ""), enabled: content.buyer !== null });
  const facts = content.buyer && client.data ? { vatNumber: client.data.vat_registration_number, nationalId: client.data.additional_buyer_id.some((one) => one.type_id === "NAT") } : null;
  const amounts = useMemo(() => compute(content), [content]);
  const missing = checks(content, facts).map(({ field, word }) => ({ field, text: t(word) }));
  const preview = usePreview(content, missing.length === 0);
  const refused = preview.problems.map((p) => ({ field: p.field, text: problemText(p) }));
  const problems = missing.length > 0 ? missing : refused;
  const seen = (field: string) => tried || field.endsWith(".tax") || missing.length === 0 || touched.has(field);
  const problemOf = (field: string) => (seen(field) ? problems.find((p) => p.field === field)?.text : undefined);
  const shown = problems.filter((p) => seen(p.field));
  const ready = problems.length === 0 && preview.current && preview.invoice !== null;

  const goTo = (field: string) => {
    touch(field);
    setMore(true);
    requestAnimationFrame(() => focusField(field));
  };

  const issueNow = () => {
    setTried(true);
    const [first] = problems;
    if (first) {
      if (first.field) goTo(first.field);
    } else if (ready) setDialog("issue");
    else if (!preview.current) setWanted(true);
  };
  // The key was pressed before the server confirmed the amounts. Another change takes it back.
  useEffect(() => setWanted(false), [content]);
  useEffect(() => {
    if (!wanted || !preview.current) return;
    setWanted(false);
    issueNow();
  }, [wanted, preview.current]);

  const issue = async () => {
    const { uuid } = await unchanged(t("editor_changed"));
    const issued = await data(app.POST("/api/drafts/{draft_id}/issue/", { params: { path: { draft_id: uuid } } }));
    discard();
    void queries.invalidateQueries();
    notify(t("editor_issued", { number: issued.ref_num }));
    navigate(`/invoices/${issued.invoice_uuid}`, { replace: true });
  };

  // The service keeps nothing of a deleted draft, so it is written again.
  const restore = async () => {
    try {
      const again = await data(app.POST("/api/drafts/", { body: { invoice: toBody(content, true).body, paid_on_issue: content.paidOnIssue } }));
      void queries.invalidateQueries({ queryKey: ["drafts"] });
      navigate(`/drafts/${again.uuid}`);
    } catch (failure) {
      notify(text(failure));
    }
  };

  const remove = async () => {
    if (draft) {
      setRemoval(null);
      try {
        await data(app.DELETE("/api/drafts/{draft_id}/", { params: { path: { draft_id: draft.uuid } } }));
      } catch (failure) {
        setRemoval(failure);
        return;
      }
      discard();
      void queries.invalidateQueries({ queryKey: ["drafts"] });
    }
    notify(t("editor_deleted"), draft && !draft.corrects_uuid ? { label: t("undo"), run: () => void restore() } : undefined);
    navigate("/drafts", { replace: true });
  };

  // A correction opens at the field that the authority refused.
  const field = params.get("field");
  useEffect(() => {
    if (!field) return;
    const keys = toBody(loaded.content, false).keys;
    const at = fieldOf(field, keys, loaded.content.allowances.map((a) => a.key));
    if (at) goTo(at);
  }, [field]);

  const commands = useRef({ issueNow, save });
  commands.current = { issueNow, save };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      if (event.code === "KeyS") {
        event.preventDefault();
        void commands.current.save();
      } else if (event.shiftKey && event.key === "Enter") {
        event.preventDefault();
        commands.current.issueNow();
      }
    };
    // Buttons keep Enter to themselves, so the keys are read before them.
    window.addEventListener("keydown", onKey, true);
    return () => window.removeEventListener("keydown", onKey, true);
  }, []);

  const original = async (uuid: string) => {
    const invoice = await queries.fetchQuery(invoiceQuery(uuid));
    const name = invoice.buyer ? pick(invoice.buyer.buyer_name_arabic, invoice.buyer.buyer_name) : "";
    setContent((before) => ({ ...likeInvoice(invoice, before.typeCode, name), reason: before.reason, noteAr: before.noteAr, noteEn: before.noteEn }));
  };

  const title = draft || content.typeCode !== 388 ? kind({ type_code: content.typeCode, transaction_code: content.transactionCode }) : t("editor_new");
  return (
    <Page
      title={title}
      note={<Saved state={state} draft={draft} />}
      actions={
        !locked && (
          <>
            {draft && <Action onPress={() => void remove()}><Trash2 size={16} aria-hidden /><span className="max-sm:sr-only">{t("editor_delete")}</span></Action>}
            <Action onPress={() => (setTried(true), problems.length === 0 && setDialog("share"))}>{t("editor_share")}</Action>
            <Action look="main" onPress={issueNow}>{t(isNote(content) ? "editor_issue_note" : "editor_issue")}</Action>
          </>
        )
      }
    >
      {draft && <DraftState draft={draft} onIssue={() => setDialog("issue")} reload={reload} />}
      {state === "conflict" && (
        <div role="alert" className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-bad bg-bad-tint p-4 text-bad">
          {text(error)}
          <span className="flex flex-wrap gap-2">
            <Action onPress={() => void overwrite()}>{t("editor_overwrite")}</Action>
            <Action
              onPress={() => {
                discard();
                reload();
              }}
            >
              {t("editor_reload")}
            </Action>
          </span>
        </div>
      )}
      {state === "failed" && <FormError>{text(error)}</FormError>}
      {removal !== null && <FormError>{text(removal)}</FormError>}
      <fieldset disabled={locked} className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,1fr)_18rem]">
        <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <Head
            content={content}
            change={change}
            problemOf={problemOf}
            touch={touch}
            onOriginal={(uuid) => void original(uuid)}
            onNewClient={(name) => {
              setNewClient(name);
              setDialog("client");
            }}
          />
          <Lines content={content} amounts={amounts} change={change} problemOf={problemOf} touch={touch} />
          <More content={content} change={change} problemOf={problemOf} touch={touch} isOpen={more} onOpen={setMore} />
        </div>
        <Summary content={content} amounts={amounts} preview={preview} problems={shown} onProblem={goTo} />
      </fieldset>
      {dialog === "issue" && <IssueDialog content={content} due={preview.invoice?.invoice_payable_amount ?? amounts.total} onClose={() => setDialog(null)} onIssue={issue} />}
      <Suspense>
        {dialog === "share" && <ShareDialog save={stored} recipient={draft?.recipient ?? null} onClose={(shared) => (shared ? reload() : setDialog(null))} />}
        <Sheet title={t("editor_new_client")} isOpen={dialog === "client"} onClose={() => setDialog(null)} wide>
          <ClientForm
            initialName={newClient}
            onCancel={() => setDialog(null)}
            onSaved={(one) => {
              setDialog(null);
              void queries.invalidateQueries({ queryKey: ["suggest", "clients"] });
              setContent((before) => ({ ...before, buyer: { uuid: one.uuid, text: pick(one.buyer_name_arabic, one.buyer_name) } }));
            }}
          />
        </Sheet>
      </Suspense>
    </Page>
  );
}

/** Says whether the draft is saved. */
function Saved({ state, draft }: { state: SaveState; draft: Draft | null }) {
  const { t } = useWords();
  if (state === "saving" || state === "waiting") return <span role="status">{t("editor_saving")}</span>;
  if (state === "failed" || state === "conflict") return <span role="status" className="text-bad">{t("editor_not_saved")}</span>;
  return <span role="status">{draft ? t("editor_saved") : ""}</span>;
}
