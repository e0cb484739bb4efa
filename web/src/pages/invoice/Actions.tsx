import { v1 } from "../../data/client";
import { type Correction, type Pdf, pdfOf, xmlOf } from "../../data/invoices";
import type { Invoice } from "../../data/queries";
import { saveFile } from "../../data/request";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useLocation } from "wouter";
import { Action, ActionLink } from "../../parts/Action";
import { useCorrect } from "../../parts/correct";
import { type MenuEntry, MenuButton } from "../../parts/MenuButton";
import { notify } from "../../parts/notify";
import { useSession } from "../../parts/session";
import { FormError, useFailureText } from "../../parts/states";
import { useWords } from "../../words";
import type { Word } from "../../words/ar";

const forms: { word: Word; form: Pdf; name: string }[] = [
  { word: "inv_pdf_both", form: { language: "ar_en", paper: "a4" }, name: "" },
  { word: "inv_pdf_ar", form: { language: "ar", paper: "a4" }, name: "-ar" },
  { word: "inv_pdf_en", form: { language: "en", paper: "a4" }, name: "-en" },
  { word: "inv_roll_both", form: { language: "ar_en", paper: "80mm" }, name: "-80mm" },
  { word: "inv_roll_ar", form: { language: "ar", paper: "80mm" }, name: "-80mm-ar" },
  { word: "inv_roll_en", form: { language: "en", paper: "80mm" }, name: "-80mm-en" },
];

/** What can be done with the document now: files for everyone, and what the law allows for those who issue. */
export function Actions({ of, correction }: { of: Invoice; correction: Correction | undefined }) {
  const { t } = useWords();
  const { can } = useSession();
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const text = useFailureText();
  const status = of.authority_response_status;
  const accepted = status === "CLEARED" || status === "REPORTED";
  const rejected = status === "NOT_CLEARED" || status === "NOT_REPORTED";
  const simplified = of.transaction_code === "0200000";
  const issues = can("CreateInvoice");

  const pdf = useMutation({
    mutationFn: async ({ form, name }: { form: Pdf; name: string }) => saveFile(await pdfOf(of.uuid, form), `${of.ref_num}${name}.pdf`),
  });
  const resend = useMutation({
    mutationFn: () => v1.PATCH("/api/invoices/{invoice_id}/clearance-reporting/", { params: { path: { invoice_id: of.uuid } } }),
    onSuccess: () => {
      notify(t("inv_resent"));
      return queries.invalidateQueries({ queryKey: ["invoice", of.uuid] });
    },
  });
  const correct = useCorrect(of.uuid);

  const files: MenuEntry[] = [];
  if (of.invoice_pdf_url || (simplified && !rejected)) files.push(...forms.map(({ word, form, name }) => ({ id: word, label: t(word), run: () => pdf.mutate({ form, name }) })));
  const xml = xmlOf(of);
  if (xml) files.push({ id: "xml", label: t("inv_xml"), run: () => saveFile(new Blob([xml], { type: "application/xml" }), `${of.ref_num}.xml`) });

  const more: MenuEntry[] = [];
  const invoice = of.type_code === 388 || of.type_code === 386;
  if (issues && accepted && invoice) more.push({ id: "credit", label: t("inv_credit"), run: () => navigate(`/drafts/new?type=381&original=${of.uuid}`) });
  if (issues && accepted && of.type_code === 388) more.push({ id: "debit", label: t("inv_debit"), run: () => navigate(`/drafts/new?type=383&original=${of.uuid}`) });
  if (issues && invoice) more.push({ id: "copy", label: t("inv_copy"), run: () => navigate(`/drafts/new?copy=${of.uuid}`) });
  // A document that is queued is refused with 409, so it is offered a minute after the issue.
  if (issues && !accepted && !rejected && Date.now() - Date.parse(of.created_at) > 60_000) more.push({ id: "resend", label: t("inv_resend"), run: () => resend.mutate() });
  more.push({ id: "print", label: t("inv_print"), run: () => setTimeout(() => window.print(), 50) });

  const correctable = issues && rejected && correction && !correction.replaced_by_uuid;
  const error = pdf.error ?? resend.error ?? correct.error;
  return (
    <div data-chrome className="flex flex-col items-start gap-1 sm:ms-auto sm:items-end">
      <div className="flex flex-wrap gap-2">
        <MenuButton label={t("inv_more")} entries={more} isDisabled={resend.isPending} />
        <MenuButton label={t("inv_download")} icon={<Download size={16} aria-hidden />} entries={files} isDisabled={pdf.isPending} look={correctable ? "plain" : "main"} />
        {correctable &&
          (correction.draft_uuid ? (
            <ActionLink href={correct.addressOf(correction.draft_uuid, correction)} look="main">{t("inv_open_draft")}</ActionLink>
          ) : (
            <Action look="main" onPress={correct.run} isDisabled={correct.isPending}>{t("inv_correct")}</Action>
          ))}
      </div>
      <FormError>{error ? text(error) : ""}</FormError>
    </div>
  );
}
