import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-aria-components";
import { allocateCredit, openInvoicesQuery, paidKeys, type Receipt, receiptQuery, reverseReceipt } from "../../data/payments";
import { Action } from "../../parts/Action";
import { Allocations, useAllocations } from "../../parts/Allocations";
import { Amount } from "../../parts/Amount";
import { EditForm, Incomplete, useFieldProblems } from "../../parts/EditForm";
import { DownloadAction } from "../../parts/ExportMenu";
import { Facts } from "../../parts/Facts";
import { hundredths } from "../../parts/money";
import { Moment } from "../../parts/Moment";
import { notify } from "../../parts/notify";
import { Page } from "../../parts/Page";
import { Panel } from "../../parts/Panel";
import { useSession } from "../../parts/session";
import { Sheet } from "../../parts/Sheet";
import { ErrorState, Loading, LoadingPage } from "../../parts/states";
import { Table } from "../../parts/Table";
import { useWords } from "../../words";
import { useClientNames, useDocuments, useMeans } from "./names";
import { Reversed } from "./Reversed";
import { ReverseSheet } from "./Reverse";

export default function ReceiptPage({ id }: { id: string }) {
  const receipt = useQuery(receiptQuery(id));
  if (receipt.isPending) return <LoadingPage boxes={["h-56", "h-32"]} />;
  if (receipt.error) return <ErrorState page error={receipt.error} retry={() => void receipt.refetch()} />;
  return <ReceiptView of={receipt.data} />;
}

function ReceiptView({ of }: { of: Receipt }) {
  const { t, language } = useWords();
  const { can } = useSession();
  const [open, setOpen] = useState<"reverse" | "allocate" | null>(null);
  const nameOf = useClientNames([of]);
  const meansOf = useMeans();
  const documentOf = useDocuments(of.allocations.map((one) => one.invoice));
  const left = of.unallocated !== "0.00" && of.buyer !== null && !of.reversal;
  const causes = { payment: "", reversal: t("receipt_cause_reversal"), moved: t("receipt_cause_moved") };
  return (
    <Page
      back={{ href: "/payments", title: t("receipt_title") }}
      title={<>{t(of.kind === "credit" ? "receipt_one_credit" : "receipt_one")} <bdi className="inline-block max-w-full">{of.number}</bdi>{of.reversal && <Reversed />}</>}
      actions={
        <>
          {can("Accountant") && !of.reversal && of.kind === "payment" && <Action onPress={() => setOpen("reverse")}>{t("receipt_reverse")}</Action>}
          {can("Accountant") && left && <Action onPress={() => setOpen("allocate")}>{t("receipt_allocate")}</Action>}
          <DownloadAction path={`/app/api/receipts/${of.uuid}/pdf/?language=${language === "ar" ? "ar" : "ar_en"}`} look="main">{t("receipt_pdf")}</DownloadAction>
        </>
      }
    >
      <section className="rounded-xl border border-line bg-surface p-4 sm:p-6">
        <Facts
          of={[
            [t("receipt_client"), of.buyer ? <Link href={`/clients/${of.buyer}/statement`} className="font-bold text-accent">{nameOf(of.buyer)}</Link> : nameOf(null)],
            [t("receipt_amount"), <span className="font-bold"><Amount of={of.amount} currency={of.currency} /></span>],
            [t("receipt_sar"), of.sar_received && <Amount of={of.sar_received} currency="SAR" />],
            [t("receipt_credit_left"), of.unallocated !== "0.00" && <Amount of={of.unallocated} currency={of.currency} />],
            [t("receipt_means"), meansOf(of.payment_means_type_code)],
            [t("receipt_date"), <Moment at={of.received_on} time={false} />],
            [t("receipt_note"), of.note && <bdi className="wrap-anywhere whitespace-pre-line">{of.note}</bdi>],
            [t("receipt_by"), <><bdi>{of.created_by}</bdi>{t("receipt_dot")}<Moment at={of.created_at} /></>],
            [t("receipt_reversal"), of.reversal && <><bdi className="inline-block max-w-full">{of.reversal.number}</bdi>{t("receipt_dot")}<bdi>{of.reversal.reason}</bdi>{t("receipt_dot")}<bdi>{of.reversal.created_by}</bdi>{t("receipt_dot")}<Moment at={of.reversal.created_at} /></>],
          ]}
        />
      </section>
      <Panel title={t("receipt_invoices")}>
        {of.allocations.length > 0 ? (
          <Table
            label={t("receipt_invoices")}
            rows={of.allocations}
            keyOf={(one) => one.uuid}
            href={(one) => `/invoices/${one.invoice}`}
            columns={[
              { title: t("receipt_invoice"), cell: (one) => <bdi>{documentOf(one.invoice)?.ref_num ?? t("receipt_invoice")}</bdi> },
              ...(of.allocations.some((one) => one.cause !== "payment") ? [{ title: t("receipt_cause"), cell: (one: Receipt["allocations"][number]) => causes[one.cause] }] : []),
              { title: t("receipt_amount"), cell: (one) => <Amount of={one.amount} currency={of.currency} />, number: true, currency: () => of.currency },
            ]}
          />
        ) : (
          <p className="p-4 text-muted">{t("receipt_no_invoices")}</p>
        )}
      </Panel>
      <ReverseSheet title={t("receipt_reverse")} text={t("receipt_reverse_text", { number: of.number })} isOpen={open === "reverse"} onClose={() => setOpen(null)} reverse={(reason) => reverseReceipt(of.uuid, reason)} />
      <Sheet title={t("receipt_allocate")} isOpen={open === "allocate"} onClose={() => setOpen(null)} wide>
        <AllocateForm of={of} onClose={() => setOpen(null)} />
      </Sheet>
    </Page>
  );
}

/** Uses what is left of a receipt for further invoices. */
function AllocateForm({ of, onClose }: { of: Receipt; onClose: () => void }) {
  const { t } = useWords();
  const queries = useQueryClient();
  const found = useQuery(openInvoicesQuery(of.buyer ?? ""));
  const open = (found.data ?? []).filter((one) => one.currency === of.currency);
  const split = useAllocations(open, of.unallocated);
  const save = useMutation({
    mutationFn: async () => {
      const wrong: Record<string, string> = {};
      for (const one of open) {
        const part = hundredths(split.values[one.uuid] || "0");
        if (part === null || part < 0n) wrong[one.uuid] = t("receipt_amount_wrong");
        else if (part > (hundredths(one.balance) ?? 0n)) wrong[one.uuid] = t("receipt_over_balance");
      }
      if (split.rest < 0n && open[0]) wrong[open[0].uuid] = t("receipt_over_amount");
      if (Object.keys(wrong).length > 0) throw new Incomplete(wrong);
      return allocateCredit(of.uuid, split.allocations);
    },
    onSuccess: () => {
      for (const first of paidKeys) void queries.invalidateQueries({ queryKey: [first] });
      notify(t("saved"));
      onClose();
    },
  });
  const problems = useFieldProblems(save.error, split.allocations.flatMap((_, i) => [`allocations[${i}].amount`]));
  const problemOf = (id: string) => problems.of(id) ?? problems.of(`allocations[${split.allocations.findIndex((one) => one.invoice === id)}].amount`);
  if (found.isPending) return <Loading />;
  return (
    <EditForm label={t("receipt_allocate")} onSubmit={() => save.mutate()} onCancel={onClose} isPending={save.isPending} error={save.error} failure={problems.rest} submit={t("receipt_allocate")}>
      <p>{t("receipt_credit_left")} <Amount of={of.unallocated} currency={of.currency} /></p>
      {open.length > 0 ? <Allocations open={open} values={split.values} onChange={split.set} currency={of.currency} problemOf={problemOf} /> : <p className="text-muted">{t("receipt_no_open")}</p>}
    </EditForm>
  );
}
