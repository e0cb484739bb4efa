import { Check, Clock, type LucideIcon, X } from "lucide-react";
import { useWords } from "../words";
import type { Word } from "../words/ar";

const simplified = "0200000";

interface Document {
  authority_response_status: string | null;
  transaction_code: string;
}

function look(of: Document): [Word, LucideIcon, string] {
  switch (of.authority_response_status) {
    case "CLEARED":
      return ["status_cleared", Check, "bg-good-tint text-good"];
    case "REPORTED":
      return ["status_reported", Check, "bg-good-tint text-good"];
    case "NOT_CLEARED":
    case "NOT_REPORTED":
      return ["status_rejected", X, "bg-bad-tint text-bad"];
    case "No response":
      return ["status_none", Clock, "bg-wait-tint text-wait"];
    default:
      return [of.transaction_code === simplified ? "status_waiting_simplified" : "status_waiting", Clock, "bg-wait-tint text-wait"];
  }
}

/** The authority's response to a document: a word, an icon and a colour. */
export function Status({ of }: { of: Document }) {
  const { t } = useWords();
  const [word, Icon, colours] = look(of);
  return (
    <span className={`inline-flex items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-bold whitespace-nowrap ${colours}`}>
      <Icon size={13} aria-hidden />
      {t(word)}
    </span>
  );
}

const payments: Record<string, Word> = { Pending: "pay_pending", "Partially Paid": "pay_part", Paid: "pay_paid" };

interface Payable extends Document {
  type_code: number;
  payment_status: string;
}

/** How much of a document is paid. Nothing is owed on a credit note or a rejected document. */
export function PaymentStatus({ of }: { of: Payable }) {
  const word = usePaymentWord()(of);
  return <span className={`whitespace-nowrap ${of.payment_status === "Partially Paid" ? "text-wait" : "text-muted"}`}>{word}</span>;
}

/** Returns the word for the authority's response to a document. */
export function useStatusWord(): (of: Document) => string {
  const { t } = useWords();
  return (of) => t(look(of)[0]);
}

/** Returns the word for the payment status of a document, or an empty text if nothing is owed on it. */
export function usePaymentWord(): (of: Payable) => string {
  const { t } = useWords();
  return (of) => {
    if (of.type_code === 381 || look(of)[0] === "status_rejected") return "";
    const word = payments[of.payment_status];
    return word ? t(word) : of.payment_status;
  };
}

/** Returns the name of the buyer of a document in the reader's language. */
export function useBuyerName(): (of: { buyer: { buyer_name: string; buyer_name_arabic: string } | null }) => string {
  const { t, pick } = useWords();
  return (of) => (of.buyer ? pick(of.buyer.buyer_name_arabic, of.buyer.buyer_name) : t("consumer"));
}

/** Returns the name of the kind of a document. */
export function useKind(): (of: { type_code: number; transaction_code: string }) => string {
  const { t } = useWords();
  return (of) => {
    switch (of.type_code) {
      case 381:
        return t("kind_381");
      case 383:
        return t("kind_383");
      case 386:
        return t("kind_386");
      default:
        return t(of.transaction_code === simplified ? "kind_388_simplified" : "kind_388");
    }
  };
}
