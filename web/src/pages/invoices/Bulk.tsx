import { Failure, v1 } from "../../data/client";
import { pdfOf, xmlOf } from "../../data/invoices";
import { data, type Sound } from "../../data/queries";
import { saveFile } from "../../data/request";
import { useRef, useState } from "react";
import { Action } from "../../parts/Action";
import { csv, type Entry, zip } from "../../parts/files";
import { notify } from "../../parts/notify";
import { useBuyerName, useKind, usePaymentWord, useStatusWord } from "../../parts/Status";
import { FormError, useFailureText } from "../../parts/states";
import { today } from "../../parts/days";
import { useWords } from "../../words";

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

// 150 calls a minute leave room for the rest of the app below the limit of 200.
const pace = 400;

/** What can be done with the selected documents at once. */
export function Bulk({ rows, clear }: { rows: Sound[]; clear: () => void }) {
  const { t, n } = useWords();
  const text = useFailureText();
  const table = useTable();
  const [progress, setProgress] = useState<{ done: number; count: number } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const stopped = useRef(false);

  /** Gets a file of each document, one after the other, and saves them. */
  const gather = async (ending: string, get: (row: Sound) => Promise<Uint8Array<ArrayBuffer> | null>) => {
    stopped.current = false;
    setError(null);
    const entries: Entry[] = [];
    setProgress({ done: 0, count: rows.length });
    try {
      for (const [i, row] of rows.entries()) {
        if (stopped.current) break;
        const begun = Date.now();
        const content = await patiently(() => get(row));
        if (content) entries.push({ name: `${row.ref_num}.${ending}`, content });
        setProgress({ done: i + 1, count: rows.length });
        if (i < rows.length - 1) await pause(Math.max(0, pace - (Date.now() - begun)));
      }
      if (stopped.current) return;
      const [first] = entries;
      if (!first) notify(t("list_no_files"));
      else {
        if (entries.length === 1) saveFile(new Blob([first.content]), first.name);
        else saveFile(zip(entries), `${ending}-${today()}.zip`);
        const skipped = rows.length - entries.length;
        if (skipped > 0) notify(n("list_files_skipped", skipped));
        else if (entries.length > 1) notify(n("list_files_done", entries.length));
      }
    } catch (failure) {
      setError(failure);
    } finally {
      setProgress(null);
    }
  };
  const pdfs = () => gather("pdf", async (row) => new Uint8Array(await (await pdfOf(row.uuid, { language: "ar_en", paper: "a4" })).arrayBuffer()));
  const xmls = () => gather("xml", async (row) => xmlOf(await data(v1.GET("/api/invoices/{invoice_id}/", { params: { path: { invoice_id: row.uuid } } }))));

  return (
    <div className="sticky bottom-4 z-10 flex flex-wrap items-center gap-2 rounded-xl border border-line bg-surface p-3 shadow-lg" data-bulk>
      {progress ? (
        <>
          <progress value={progress.done} max={progress.count} aria-label={t("list_pdfs")} className="h-2 w-40 accent-accent" />
          <span role="status"><bdi>{t("list_progress", { done: progress.done, count: progress.count })}</bdi></span>
          <Action onPress={() => (stopped.current = true)}>{t("list_stop")}</Action>
        </>
      ) : (
        <>
          <span className="px-1 font-bold">{n("list_selected", rows.length)}</span>
          <Action onPress={() => void pdfs()}>{t("list_pdfs")}</Action>
          <Action onPress={() => void xmls()}>{t("list_xmls")}</Action>
          <Action onPress={() => saveFile(csv(table(rows)), `${t("nav_invoices")}-${today()}.csv`)}>{t("list_csv")}</Action>
          <Action onPress={clear}>{t("list_unselect")}</Action>
        </>
      )}
      <FormError>{error ? text(error) : ""}</FormError>
    </div>
  );
}

/** Waits and tries again if there were too many calls. Returns null if there is no file. */
async function patiently<T>(get: () => Promise<T>): Promise<T | null> {
  for (;;) {
    try {
      return await get();
    } catch (failure) {
      if (failure instanceof Failure && failure.status === 404) return null;
      if (!(failure instanceof Failure) || failure.status !== 429) throw failure;
      await pause(1000 * (failure.retryAfter ?? 10));
    }
  }
}

/** Returns documents as a table, with the exact texts of the API. */
function useTable(): (rows: Sound[]) => string[][] {
  const { t } = useWords();
  const kind = useKind();
  const buyer = useBuyerName();
  const status = useStatusWord();
  const payment = usePaymentWord();
  return (rows) => [
    [t("col_number"), t("csv_kind"), t("col_date"), t("csv_time"), t("col_client"), t("csv_vat_number"), t("csv_currency"), t("csv_net"), t("csv_vat"), t("csv_vat_sar"), t("col_amount"), t("csv_payable"), t("balance"), t("col_status"), t("col_payment"), t("csv_uuid")],
    ...rows.map((row) => [
      row.ref_num,
      kind(row),
      row.issue_date,
      row.issue_time,
      buyer(row),
      row.buyer?.vat_registration_number ?? "",
      row.currency,
      row.invoice_total_amount_without_vat,
      row.invoice_total_vat_amount,
      row.invoice_total_vat_amount_sar,
      row.invoice_total_amount_with_vat,
      row.invoice_payable_amount,
      row.balance,
      status(row),
      payment(row),
      row.uuid,
    ]),
  ];
}
