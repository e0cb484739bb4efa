import { useQueries, useQuery } from "@tanstack/react-query";
import { clientQuery } from "../../data/catalogue";
import { paymentMeansQuery } from "../../data/lists";
import { documentsQuery, type Receipt } from "../../data/payments";
import type { Sound } from "../../data/queries";
import { useWords } from "../../words";

/** Returns documents by their UUIDs. */
export function useDocuments(ids: string[]): (id: string) => Sound | undefined {
  const found = useQuery(documentsQuery([...new Set(ids)].sort()));
  return (id) => found.data?.find((one) => one.uuid === id);
}

/**
 * Returns the names of the clients of receipts. Receipts have only their UUIDs; most are
 * on the invoices that the receipts pay.
 */
export function useClientNames(receipts: Receipt[]): (id: string | null) => string {
  const { t, pick } = useWords();
  const ids = [...new Set(receipts.flatMap((receipt) => receipt.allocations.map((one) => one.invoice)))].sort();
  const documents = useQuery(documentsQuery(ids));
  const buyers = new Map((documents.data ?? []).flatMap((one) => (one.buyer ? [[one.buyer.uuid, one.buyer] as const] : [])));
  const others = documents.isPending ? [] : [...new Set(receipts.flatMap((receipt) => (receipt.buyer && !buyers.has(receipt.buyer) ? [receipt.buyer] : [])))];
  const clients = useQueries({ queries: others.map((id) => clientQuery(id)) });
  return (id) => {
    if (!id) return t("consumer");
    const found = buyers.get(id) ?? clients.find((client) => client.data?.uuid === id)?.data;
    return found ? pick(found.buyer_name_arabic, found.buyer_name) : "";
  };
}

/** Returns the name of a means of payment. */
export function useMeans(): (code: string | null) => string {
  const { t, pick } = useWords();
  const all = useQuery(paymentMeansQuery).data ?? [];
  return (code) => {
    if (code === null) return t("refund_kept");
    const found = all.find((one) => String(one.code) === code);
    return found ? pick(found.description_ar, found.description) : code;
  };
}
