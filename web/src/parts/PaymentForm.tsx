import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { paymentMeansQuery } from "../data/lists";
import { type MeansCode, openInvoicesQuery, paidKeys, type Receipt, recordPayment } from "../data/payments";
import type { Invoice } from "../data/queries";
import { type ClientSuggestion, suggestClients } from "../data/suggest";
import { useWords } from "../words";
import { Allocations, useAllocations } from "./Allocations";
import { Amount } from "./Amount";
import { Choice } from "./Choice";
import { DateInput } from "./DateInput";
import { westernNumber } from "./decimal";
import { EditForm, Incomplete, useFieldProblems } from "./EditForm";
import { Field } from "./Field";
import { amountText, hundredths } from "./money";
import { Picker } from "./Picker";
import { randomKey } from "./random";
import { today } from "./days";

interface Client {
  uuid: string;
  buyer_name: string;
  buyer_name_arabic: string;
}

interface Props {
  /** The invoice that is paid. Other open invoices of its client can be paid too. */
  invoice?: Pick<Invoice, "uuid" | "ref_num" | "balance" | "currency"> & { buyer: Client | null };
  /** The client, if no invoice is given. */
  client?: Client;
  onSaved: (receipt: Receipt) => void;
  onCancel: () => void;
}

/** Records money received. */
export function PaymentForm({ invoice, client: given, onSaved, onCancel }: Props) {
  const { t, pick } = useWords();
  const queries = useQueryClient();
  const [key] = useState(randomKey);
  const [client, setClient] = useState<Client | null>(invoice?.buyer ?? given ?? null);
  const [chosenCurrency, setCurrency] = useState(invoice?.currency ?? "");
  const [amount, setAmount] = useState(invoice?.balance ?? "");
  const [sar, setSAR] = useState("");
  const [means, setMeans] = useState<MeansCode>("30");
  const [date, setDate] = useState(today);
  const [note, setNote] = useState("");

  const found = useQuery({ ...openInvoicesQuery(client?.uuid ?? ""), enabled: Boolean(client) });
  const others = (found.data ?? []).filter((one) => one.uuid !== invoice?.uuid);
  const currencies = [...new Set([...(invoice ? [invoice.currency] : []), ...others.map((one) => one.currency)])];
  const currency = chosenCurrency || (currencies[0] ?? "SAR");
  const open = [...(invoice ? [invoice] : []), ...others.filter((one) => one.currency === currency)];
  const split = useAllocations(open, amount);
  const allMeans = useQuery(paymentMeansQuery).data ?? [];

  const save = useMutation({
    mutationFn: async () => {
      const wrong: Record<string, string> = {};
      if (!client && !invoice) wrong.buyer = t("receipt_client_missing");
      const value = hundredths(amount);
      if (value === null || value <= 0n) wrong.amount = t("receipt_amount_wrong");
      for (const [i, one] of open.entries()) {
        const text = split.values[one.uuid] ?? "";
        const part = hundredths(text || "0");
        if (part === null || part < 0n) wrong[`allocations[${i}]`] = t("receipt_amount_wrong");
        else if (part > (hundredths(one.balance) ?? 0n)) wrong[`allocations[${i}]`] = t("receipt_over_balance");
      }
      if (Object.keys(wrong).length === 0 && split.rest < 0n) wrong.amount = t("receipt_over_amount");
      if (Object.keys(wrong).length === 0 && !client && split.rest > 0n) wrong.amount = t("receipt_over_balance");
      if (Object.keys(wrong).length > 0) throw new Incomplete(wrong);
      return recordPayment(key, {
        ...(client && { buyer: client.uuid }),
        currency,
        amount,
        ...(currency !== "SAR" && sar && { sar_received: sar }),
        payment_means_type_code: means,
        received_on: date || today(),
        note: note.trim(),
        allocations: split.allocations,
      });
    },
    onSuccess: (receipt) => {
      for (const first of paidKeys) void queries.invalidateQueries({ queryKey: [first] });
      onSaved(receipt);
    },
  });
  const paths = split.allocations.flatMap((_, i) => [`allocations[${i}].amount`, `allocations[${i}].invoice`, `allocations[${i}]`]);
  const problems = useFieldProblems(save.error, ["buyer", "currency", "amount", "sar_received", "payment_means_type_code", "received_on", "note", ...paths]);
  /** The form counts all open invoices, and the server only those that get something. */
  const problemOf = (id: string) => {
    if (save.error instanceof Incomplete) return problems.of(`allocations[${open.findIndex((one) => one.uuid === id)}]`);
    const at = split.allocations.findIndex((one) => one.invoice === id);
    return at < 0 ? undefined : (problems.of(`allocations[${at}].amount`) ?? problems.of(`allocations[${at}].invoice`) ?? problems.of(`allocations[${at}]`));
  };

  return (
    <EditForm label={t("receipt_record")} onSubmit={() => save.mutate()} onCancel={onCancel} isPending={save.isPending} error={save.error} failure={problems.rest} submit={t("receipt_record")}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-2">
        {invoice || given ? (
          <div className="sm:col-span-2">{client ? <bdi>{pick(client.buyer_name_arabic, client.buyer_name)}</bdi> : t("consumer")}</div>
        ) : (
          <div className="sm:col-span-2">
            <Picker<ClientSuggestion>
              label={t("receipt_client")}
              suggest={suggestClients}
              keyOf={(one) => one.uuid}
              textOf={(one) => pick(one.buyer_name_arabic, one.buyer_name)}
              show={(one) => <>{pick(one.buyer_name_arabic, one.buyer_name)} <bdi className="number text-xs text-muted">{one.vat_registration_number}</bdi></>}
              chosen={client ? pick(client.buyer_name_arabic, client.buyer_name) : ""}
              onChoose={(one) => {
                setClient(one);
                setCurrency("");
                split.reset();
              }}
              placeholder={t("receipt_client_choose")}
              problem={problems.of("buyer")}
            />
          </div>
        )}
        <Field label={t("receipt_amount")} value={amount} onChange={(text) => setAmount(westernNumber(text))} problem={problems.of("amount")} ltr inputMode="decimal" />
        {!invoice && currencies.length > 1 ? (
          <Choice
            label={t("receipt_currency")}
            options={currencies.map((code) => ({ id: code, label: code }))}
            value={currency}
            onChange={(code) => {
              setCurrency(code);
              split.reset();
            }}
            problem={problems.of("currency")}
          />
        ) : null}
        {currency !== "SAR" && <Field label={t("receipt_sar")} help={t("optional")} value={sar} onChange={(text) => setSAR(westernNumber(text))} problem={problems.of("sar_received")} ltr inputMode="decimal" />}
        <Choice label={t("receipt_means")} options={allMeans.map((one) => ({ id: String(one.code), label: pick(one.description_ar, one.description) }))} value={means} onChange={(code) => setMeans(code as MeansCode)} problem={problems.of("payment_means_type_code")} />
        <DateInput label={t("receipt_date")} value={date} onChange={setDate} problem={problems.of("received_on")} />
        <Field label={t("receipt_note")} help={t("optional")} value={note} onChange={setNote} problem={problems.of("note")} />
      </div>
      {(client || invoice) && (
        <div className="grid gap-2">
          <h3 className="text-xs text-muted">{t("receipt_invoices")}</h3>
          {open.length > 0 ? <Allocations open={open} values={split.values} onChange={split.set} currency={currency} problemOf={problemOf} /> : !found.isPending && <p className="text-muted">{t("receipt_no_open")}</p>}
          {split.rest > 0n && client && <p className="text-wait">{t("receipt_rest")} <Amount of={amountText(split.rest)} currency={currency} /></p>}
        </div>
      )}
    </EditForm>
  );
}
