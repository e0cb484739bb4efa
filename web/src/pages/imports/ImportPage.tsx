import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ProgressBar } from "react-aria-components";
import { follow } from "../../data/events";
import { cancelImport, type Fate, type Import, importQuery, importRowsQuery, runImport } from "../../data/imports";
import { Action, ActionLink } from "../../parts/Action";
import { grouped } from "../../parts/Amount";
import { ExportMenu } from "../../parts/ExportMenu";
import { FateFilter, FateRows } from "../../parts/Fates";
import { Page } from "../../parts/Page";
import { Empty, ErrorState, FormError, Loading, LoadingPage, useFailureText } from "../../parts/states";
import { useWords } from "../../words";
import { ImportState } from "./ImportState";

export default function ImportPage({ id }: { id: string }) {
  const found = useQuery(importQuery(id));
  if (found.isPending) return <LoadingPage boxes={["h-28", "h-80"]} />;
  if (found.error) return <ErrorState page error={found.error} retry={() => void found.refetch()} />;
  return <ImportView of={found.data} />;
}

/** Follows an import while it is checked or run. */
function useProgress(of: Import) {
  const queries = useQueryClient();
  const active = of.state === "checking" || of.state === "running";
  useEffect(() => {
    if (!active) return;
    const abort = new AbortController();
    const { queryKey } = importQuery(of.uuid);
    const put = (event: Import) => queries.setQueryData(queryKey, (before) => ({ ...before, ...event }) as Import);
    const refresh = () => void queries.invalidateQueries({ queryKey });
    follow<Import>(`/app/api/imports/${of.uuid}/progress/`, put, abort.signal).then(refresh, refresh);
    return () => {
      abort.abort();
      // Nothing is in progress any more: the rows and records are other ones.
      for (const first of ["import", "imports", "clients", "items"]) void queries.invalidateQueries({ queryKey: [first] });
    };
  }, [active, of.uuid, queries]);
  return active;
}

function ImportView({ of }: { of: Import }) {
  const { t, n, pick, language } = useWords();
  const queries = useQueryClient();
  const text = useFailureText();
  const active = useProgress(of);
  const put = (next: Import) => {
    queries.setQueryData(importQuery(of.uuid).queryKey, (before) => ({ ...before, ...next }) as Import);
    void queries.invalidateQueries({ queryKey: ["imports"] });
  };
  const run = useMutation({ mutationFn: () => runImport(of.uuid), onSuccess: put });
  const cancel = useMutation({ mutationFn: () => cancelImport(of.uuid), onSuccess: put });
  const effective = of.counts.create + of.counts.change;
  const waiting = run.isPending || cancel.isPending;
  const failure = run.error ?? cancel.error;
  return (
    <Page
      back={{ href: "/imports", title: t("nav_imports") }}
      title={<bdi>{of.filename}</bdi>}
      note={<ImportState of={of.state} />}
      actions={
        <>
          {!active && of.state !== "failed" && <ExportMenu formats={["xlsx", "csv"]} path={(format) => `/app/api/imports/${of.uuid}/rows/export/?format=${format}&language=${language}`} />}
          {(active || of.state === "checked") && <Action isDisabled={waiting} onPress={() => cancel.mutate()}>{t("import_cancel")}</Action>}
          {of.state === "checked" && effective > 0 && <Action look="main" isDisabled={waiting} onPress={() => run.mutate()}>{n(of.kind === "clients" ? "import_run_clients" : "import_run_items", effective)}</Action>}
          {of.state === "done" && <ActionLink href={`/${of.kind}`} look="main">{t(of.kind === "clients" ? "import_see_clients" : "import_see_items")}</ActionLink>}
        </>
      }
    >
      {failure && <FormError>{text(failure)}</FormError>}
      {active && <Progress of={of} />}
      {of.state === "failed" && of.problem && <p role="alert" className="rounded-xl border border-line bg-surface p-4 text-bad">{pick(of.problem.message_ar, of.problem.message)}</p>}
      {of.state === "checked" && <p className="text-muted">{t(effective > 0 ? "import_checked_text" : "import_checked_none")}</p>}
      {of.state === "cancelled" && <p className="text-muted">{t("import_cancelled_text")}</p>}
      {!active && of.state !== "failed" && <Rows of={of} />}
    </Page>
  );
}

function Progress({ of }: { of: Import }) {
  const { t } = useWords();
  const label = t(of.state === "checking" ? "import_checking" : "import_running");
  return (
    <ProgressBar aria-label={label} value={of.rows_done} maxValue={Math.max(of.rows_total, 1)} className="grid gap-2 rounded-xl border border-line bg-surface p-4">
      {({ percentage }) => (
        <>
          <div className="flex justify-between gap-4">
            <span>{label}</span>
            <bdi className="number">{t("import_progress", { done: grouped(String(of.rows_done)), total: grouped(String(of.rows_total)) })}</bdi>
          </div>
          <div className="h-2 overflow-hidden rounded-full bg-sunken"><div className="h-full bg-accent" style={{ width: `${percentage ?? 0}%` }} /></div>
        </>
      )}
    </ProgressBar>
  );
}

function Rows({ of }: { of: Import }) {
  const { t } = useWords();
  const [fate, setFate] = useState<Fate | "">("");
  const [after, setAfter] = useState(0);
  const rows = useQuery(importRowsQuery(of.uuid, fate, after));
  const choose = (next: Fate | "") => {
    setFate(next);
    setAfter(0);
  };
  const next = rows.data?.next_row;
  return (
    <>
      <FateFilter counts={of.counts} total={of.rows_total} chosen={fate} onChoose={choose} />
      <section className="overflow-hidden rounded-xl border border-line bg-surface" aria-busy={rows.isFetching}>
        {rows.isPending ? (
          <Loading />
        ) : rows.error ? (
          <ErrorState error={rows.error} retry={() => void rows.refetch()} />
        ) : rows.data.rows.length === 0 ? (
          <Empty title={t("nothing_found")}>{t("import_no_rows")}</Empty>
        ) : (
          <FateRows nameTitle={t(of.kind === "clients" ? "client_name" : "item_name")} rows={rows.data.rows.map((row) => ({ ...row, href: row.record ? `/${of.kind}/${row.record}` : undefined }))} />
        )}
      </section>
      {(after > 0 || next) && (
        <div className="flex gap-2">
          {after > 0 && <Action onPress={() => setAfter(0)}>{t("first_page")}</Action>}
          {next && <Action onPress={() => setAfter(next)}>{t("next")}</Action>}
        </div>
      )}
    </>
  );
}
