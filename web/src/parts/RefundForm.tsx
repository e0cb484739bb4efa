import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { paymentMeansQuery } from "../data/lists";
import { type MeansCode, paidKeys, recordRefund, type Refund, refundableQuery } from "../data/payments";
import type { Sound } from "../data/queries";
import { useWords } from "../words";
import { Amount } from "./Amount";
import { Choice } from "./Choice";
import { DateInput } from "./DateInput";
import { westernNumber } from "./decimal";
import { EditForm, Incomplete, useFieldProblems } from "./EditForm";
import { Field } from "./Field";
import { hundredths } from "./money";
import { Picker } from "./Picker";
import { randomKey } from "./random";
import { today } from "./days";
import { Toggle } from "./Toggle";

type Note = Pick<Sound, "uuid" | "ref_num" | "refund_due" | "currency"> & { buyer: { buyer_name: string; buyer_name_arabic: string } | null };

interface Props {
  /** The credit note, if it is known. */
  note?: Note;
  onSaved: (refund: Refund) => void;
  onCancel: () => void;
}

/** Records money paid back on a credit note. */
export function RefundForm({ note: given, onSaved, onCancel }: Props) {
  const { t, pick } = useWords();
  const queries = useQueryClient();
  const [key] = useState(randomKey);
  const [note, setNote] = useState<Note | null>(given ?? null);
  const [amount, setAmount] = useState(given?.refund_due ?? "");
  const [sar, setSAR] = useState("");
  const [keep, setKeep] = useState(false);
  const [means, setMeans] = useState<MeansCode>("30");
  const [date, setDate] = useState(today);
  const [remark, setRemark] = useState("");
  const allMeans = useQuery(paymentMeansQuery).data ?? [];
  const buyerOf = (row: Note) => (row.buyer ? pick(row.buyer.buyer_name_arabic, row.buyer.buyer_name) : t("consumer"));
  const save = useMutation({
    mutationFn: async () => {
      const wrong: Record<string, string> = {};
      if (!note) wrong.invoice = t("refund_note_missing");
      const value = hundredths(amount);
      if (value === null || value <= 0n) wrong.amount = t("receipt_amount_wrong");
      else if (note && value > (hundredths(note.refund_due) ?? 0n)) wrong.amount = t("refund_over_due");
      if (!note || Object.keys(wrong).length > 0) throw new Incomplete(wrong);
      return recordRefund(key, {
        invoice: note.uuid,
        amount,
        ...(note.currency !== "SAR" && sar && !keep && { sar_paid: sar }),
        ...(keep ? { keep_as_credit: true } : { payment_means_type_code: means }),
        paid_on: date || today(),
        note: remark.trim(),
      });
    },
    onSuccess: (refund) => {
      for (const first of paidKeys) void queries.invalidateQueries({ queryKey: [first] });
      onSaved(refund);
    },
  });
  const problems = useFieldProblems(save.error, ["invoice", "amount", "sar_paid", "payment_means_type_code", "paid_on", "note"]);
  return (
    <EditForm label={t("refund_record")} onSubmit={() => save.mutate()} onCancel={onCancel} isPending={save.isPending} error={save.error} failure={problems.rest} submit={t("refund_record")}>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 sm:grid-cols-2">
        <div className="sm:col-span-2">
          {given ? (
            <><bdi className="font-bold">{given.ref_num}</bdi> <bdi>{buyerOf(given)}</bdi></>
          ) : (
            <Picker<Sound>
              label={t("refund_note")}
              help={t("refund_note_help")}
              suggest={refundableQuery}
              keyOf={(one) => one.uuid}
              textOf={(one) => one.ref_num}
              show={(one) => <><bdi className="font-bold">{one.ref_num}</bdi> <bdi>{buyerOf(one)}</bdi> <span className="text-xs text-muted">{t("refund_due")} <Amount of={one.refund_due} currency={one.currency} /></span></>}
              chosen={note?.ref_num ?? ""}
              onChoose={(one) => {
                setNote(one);
                setAmount(one?.refund_due ?? "");
                if (!one?.buyer) setKeep(false);
              }}
              problem={problems.of("invoice")}
            />
          )}
        </div>
        <Field label={t("receipt_amount")} value={amount} onChange={(text) => setAmount(westernNumber(text))} problem={problems.of("amount")} ltr inputMode="decimal" />
        <DateInput label={t("refund_date")} value={date} onChange={setDate} problem={problems.of("paid_on")} />
        {note?.buyer && <div className="sm:col-span-2"><Toggle isSelected={keep} onChange={setKeep}>{t("refund_keep")}</Toggle></div>}
        {!keep && <Choice label={t("receipt_means")} options={allMeans.map((one) => ({ id: String(one.code), label: pick(one.description_ar, one.description) }))} value={means} onChange={(code) => setMeans(code as MeansCode)} problem={problems.of("payment_means_type_code")} />}
        {!keep && note && note.currency !== "SAR" && <Field label={t("refund_sar")} help={t("optional")} value={sar} onChange={(text) => setSAR(westernNumber(text))} problem={problems.of("sar_paid")} ltr inputMode="decimal" />}
        <Field label={t("receipt_note")} help={t("optional")} value={remark} onChange={setRemark} problem={problems.of("note")} />
      </div>
    </EditForm>
  );
}
