import { CircleAlert, Info, TriangleAlert, X } from "lucide-react";
import type { AttentionEntry } from "../data/queries";
import { useWords } from "../words";
import { Action, ActionLink } from "./Action";
import { useCorrect } from "./correct";
import { Moment } from "./Moment";
import { usePlain, valueOf } from "./plain";
import { useSession } from "./session";
import { useFailureText } from "./states";
import { Whole } from "./Whole";

const looks = {
  critical: { icon: CircleAlert, colours: "bg-bad-tint text-bad" },
  warning: { icon: TriangleAlert, colours: "bg-wait-tint text-wait" },
  info: { icon: Info, colours: "bg-tint text-accent" },
};

/** The look of a rejection, which is that of its status in the lists. */
const rejected = { icon: X, colours: "bg-bad-tint text-bad" };

/** One thing that waits for a person, with its cause, its fix and the button that does it. */
export function Entry({ entry }: { entry: AttentionEntry }) {
  const { t, pick } = useWords();
  const plain = usePlain();
  const { icon: Icon, colours } = entry.kind === "rejected" ? rejected : looks[entry.level];
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 gap-y-2 px-4 py-3 sm:grid-cols-[auto_minmax(0,1fr)_auto]">
      <span className={`grid size-9 place-items-center rounded-md ${colours}`}><Icon size={18} aria-hidden /></span>
      <div className="min-w-0">
        <p className="font-bold"><Whole>{pick(entry.message_ar, entry.message)}</Whole></p>
        {entry.causes.map((cause, i) => <p key={i}>{plain(pick(cause.message_ar, cause.message))}</p>)}
        {entry.changes.map((change, i) => <p key={i}>{t("att_suggested", { to: valueOf(change.path, change.to), from: valueOf(change.path, change.from) })}</p>)}
        {entry.trouble && <p>{pick(entry.trouble.message_ar, entry.trouble.message)}</p>}
        <p className="text-muted">{plain(pick(entry.fix_ar, entry.fix))}</p>
        {entry.since && <p className="text-xs text-muted"><Moment at={entry.since} /></p>}
      </div>
      <div className="col-start-2 sm:col-start-3"><Next entry={entry} /></div>
    </li>
  );
}

/** The button that leads to what is needed. */
function Next({ entry }: { entry: AttentionEntry }) {
  const { t } = useWords();
  const { can } = useSession();
  const { subject } = entry;
  switch (entry.kind) {
    case "rejected":
      if (!subject) return null;
      return can("CreateInvoice") ? <Correct entry={entry} invoice={subject.uuid} /> : <ActionLink href={`/invoices/${subject.uuid}`}>{t("open_document")}</ActionLink>;
    case "held":
      return subject && <ActionLink href={`/invoices/${subject.uuid}`}>{t("att_payment")}</ActionLink>;
    case "unanswered":
    case "unstamped":
    case "corrupted":
      return subject && <ActionLink href={`/invoices/${subject.uuid}`}>{t("open_document")}</ActionLink>;
    case "device":
    case "unproven_chain":
      return <ActionLink href={subject?.type === "device" ? `/devices/${subject.uuid}` : "/devices"}>{t("att_device")}</ActionLink>;
    case "certificate":
      return <ActionLink href={subject ? `/devices/${subject.uuid}` : "/devices"}>{t(can("Admin") ? "att_renew" : "att_device")}</ActionLink>;
    case "approved":
      return subject && <ActionLink href={`/drafts/${subject.uuid}`}>{t(can("CreateInvoice") ? "att_issue" : "att_draft")}</ActionLink>;
    case "declined":
      return subject && <ActionLink href={`/drafts/${subject.uuid}`}>{t("att_draft")}</ActionLink>;
    case "letter":
      return can("Admin") ? <ActionLink href="/letters">{t("att_letter")}</ActionLink> : <p className="text-xs text-muted">{t("att_letter_admin")}</p>;
    case "allowance":
      return <ActionLink href="/plan">{t("att_plan")}</ActionLink>;
  }
}

/** Opens the draft that corrects a rejected document at the faulty field. */
function Correct({ entry, invoice }: { entry: AttentionEntry; invoice: string }) {
  const { t } = useWords();
  const text = useFailureText();
  const correct = useCorrect(invoice);
  if (entry.draft_uuid) return <ActionLink href={correct.addressOf(entry.draft_uuid, entry)}>{t("att_continue")}</ActionLink>;
  return (
    <div className="grid justify-items-end gap-1">
      <Action onPress={correct.run} isDisabled={correct.isPending}>{t("correct")}</Action>
      {correct.error && <p role="alert" className="text-xs text-bad">{text(correct.error)}</p>}
    </div>
  );
}
