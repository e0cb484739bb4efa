import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { Button, Link, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import { download } from "../../data/request";
import { type TrailEntry, type TrailFilter, trailQuery } from "../../data/settings";
import { Action } from "../../parts/Action";
import { Choice } from "../../parts/Choice";
import { DateInput } from "../../parts/DateInput";
import { Facts } from "../../parts/Facts";
import { Field } from "../../parts/Field";
import { Count, List, useList } from "../../parts/List";
import { Moment } from "../../parts/Moment";
import { Page } from "../../parts/Page";
import { popover } from "../../parts/popover";
import { Sheet } from "../../parts/Sheet";
import { FormError, useFailureText } from "../../parts/states";
import { Table } from "../../parts/Table";
import { useWords } from "../../words";
import { actions } from "./actions";
import { type Subject, useSubjects } from "./subjects";

const names = ["action", "actor", "subject", "date_from", "date_to"] as const;
const formats = ["csv", "xlsx", "jsonl"] as const;
type Format = (typeof formats)[number];

export default function TrailPage() {
  const { t, pick, language } = useWords();
  const { params, cursor, set } = useList();
  const filter: TrailFilter = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ""]).filter(([, value]) => value));
  const filtered = Object.keys(filter).length > 0;
  const trail = useQuery(trailQuery({ ...filter, ...(cursor && { cursor }) }));
  const [open, setOpen] = useState<TrailEntry | null>(null);
  const subjectOf = useSubjects(trail.data?.entries ?? []);
  const all = "all";
  const options = useMemo(
    () => [{ id: all, label: t("trail_action_all") }, ...actions.map(([id, en, ar]) => ({ id, label: pick(ar, en) })).sort((a, b) => a.label.localeCompare(b.label, language))],
    [t, pick, language],
  );
  return (
    <Page title={t("trail_title")} note={<Count of={trail.data} word="n_events" />} actions={<Export filter={filter} />}>
      <p className="-mt-3 text-muted">{t("trail_lead")}</p>
      <div className="grid items-start gap-3 min-[360px]:grid-cols-2 lg:grid-cols-5 max-lg:[&>:first-child]:col-span-full">
        <Choice label={t("trail_action")} value={filter.action ?? all} onChange={(id) => set({ action: id === all ? "" : id })} options={options} />
        <Settled label={t("trail_actor_filter")} value={filter.actor ?? ""} onSettle={(actor) => set({ actor })} />
        <Settled label={t("trail_subject_filter")} value={filter.subject ?? ""} onSettle={(subject) => set({ subject })} />
        <DateInput label={t("trail_from")} value={filter.date_from ?? ""} onChange={(date_from) => set({ date_from })} />
        <DateInput label={t("trail_to")} value={filter.date_to ?? ""} onChange={(date_to) => set({ date_to })} />
      </div>
      {filtered && <div className="-mt-2"><Button onPress={() => set(Object.fromEntries(names.map((name) => [name, ""])))} className="rounded-md px-2 py-1 text-accent underline-offset-4 hover:underline">{t("trail_clear")}</Button></div>}
      <List query={trail} rows={(d) => d.entries} filtered={filtered} cursor={cursor} onCursor={(next) => set({ cursor: next })} empty={{ title: t("trail_none"), text: t("trail_none_text") }}>
        {(d) => (
          <Table
            label={t("trail_title")}
            rows={d.entries}
            keyOf={(e) => e.uuid}
            columns={[
              { title: t("trail_action"), cell: (e) => <Button aria-label={t("trail_open", { action: pick(e.label_ar, e.label) })} onPress={() => setOpen(e)} className="rounded-sm text-start font-bold underline-offset-4 hover:underline">{pick(e.label_ar, e.label)}</Button> },
              { title: t("trail_subject"), cell: (e) => <About of={subjectOf(e)} /> },
              { title: t("trail_actor"), cell: (e) => <Actor of={e} /> },
              { title: t("trail_at"), cell: (e) => <Moment at={e.at} /> },
            ]}
          />
        )}
      </List>
      {open && (
        <Sheet title={pick(open.label_ar, open.label)} isOpen onClose={() => setOpen(null)} wide>
          <Facts
            of={[
              [t("trail_at"), <><Moment at={open.at} /></>],
              [t("trail_actor"), <><Actor of={open} /></>],
              [t("trail_subject"), subjectOf(open).name && <><About of={subjectOf(open)} /></>],
              [t("trail_subject_id"), open.subject && <><bdi>{open.subject}</bdi></>],
              [t("trail_address"), open.address && <><bdi>{open.address}</bdi></>],
              [t("trail_request"), open.request_id && <><bdi>{open.request_id}</bdi></>],
            ]}
          />
          {Object.keys(open.details).length > 0 && (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
              <h3 className="font-bold">{t("trail_details")}</h3>
              <pre dir="ltr" tabIndex={0} className="max-h-80 overflow-auto rounded-md border border-line bg-sunken p-3 text-start font-mono text-xs">{JSON.stringify(open.details, null, 2)}</pre>
            </div>
          )}
          <div className="flex justify-end"><Action onPress={() => setOpen(null)}>{t("close")}</Action></div>
        </Sheet>
      )}
    </Page>
  );
}

/** The name of a record, which leads to its page. */
function About({ of: { name, page } }: { of: Subject }) {
  return page && name ? <Link href={page} className="rounded-sm text-accent"><bdi>{name}</bdi></Link> : <bdi>{name}</bdi>;
}

function Actor({ of }: { of: TrailEntry }) {
  const { t } = useWords();
  if (of.kind === "system" || of.kind === "operator") return t(`trail_kind_${of.kind}`);
  return <><bdi>{of.actor}</bdi> <span className="text-xs text-muted">{t(`trail_kind_${of.kind}`)}</span></>;
}

/** A filter that is applied when one leaves it, or with Enter. */
function Settled({ label, value, onSettle }: { label: string; value: string; onSettle: (text: string) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const settle = () => {
    if (typed !== null && typed.trim() !== value) onSettle(typed.trim());
    setTyped(null);
  };
  return <Field label={label} value={typed ?? value} onChange={setTyped} onBlur={settle} onKeyDown={(event) => event.key === "Enter" && settle()} ltr />;
}

/** Downloads the entries that are shown. What failed is said here, as a link could not. */
function Export({ filter }: { filter: TrailFilter }) {
  const { t } = useWords();
  const text = useFailureText();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState("");
  const words = { csv: "trail_export_csv", xlsx: "trail_export_xlsx", jsonl: "trail_export_jsonl" } as const;
  const run = async (format: Format) => {
    setBusy(true);
    setProblem("");
    try {
      await download(`/app/api/trail/export/?${new URLSearchParams({ ...(filter as Record<string, string>), format })}`);
    } catch (error) {
      setProblem(text(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="grid justify-items-end gap-1">
      <MenuTrigger>
        <Action isDisabled={busy}><Download size={16} aria-hidden />{t("trail_export")}</Action>
        <Popover className={`${popover} max-w-72`}>
          <p className="px-4 pt-3 text-xs text-muted">{t("trail_export_text")}</p>
          <Menu aria-label={t("trail_export")} onAction={(id) => void run(id as Format)} className="p-1 outline-none">
            {formats.map((format) => <MenuItem key={format} id={format} className="cursor-default rounded-md px-3 py-2 outline-none data-[focused]:bg-sunken">{t(words[format])}</MenuItem>)}
          </Menu>
        </Popover>
      </MenuTrigger>
      <FormError>{problem}</FormError>
    </div>
  );
}
