import { useEffect, useRef, useState } from "react";
import { Failure, type Problem, v1 } from "../../data/client";
import type { paths } from "../../data/v1";
import { type Content, toBody } from "./model";

export type Previewed = paths["/api/invoices/preview/"]["post"]["responses"]["201"]["content"]["application/json"]["invoice"];

export interface Preview {
  /** What the server computed for the content, or null while it is being asked. */
  invoice: Previewed | null;
  problems: (Problem & { field: string })[];
  failure: unknown; // the server was not reached, or refused for another reason
  current: boolean; // the result belongs to the content that is shown
}

const idle = 400; // milliseconds without a key until the server is asked

const none: Preview = { invoice: null, problems: [], failure: null, current: false };

/**
 * Asks the server what would be issued, unless it is known to be incomplete. One
 * request runs at a time; a change aborts it.
 */
export function usePreview(content: Content, complete: boolean): Preview {
  const [preview, setPreview] = useState<Preview>(none);
  const latest = useRef(content);
  latest.current = content;
  const text = complete ? JSON.stringify(toBody(content, false).body) : "";
  useEffect(() => {
    if (!text) {
      setPreview({ ...none, current: true });
      return;
    }
    setPreview((before) => ({ ...before, current: false }));
    const abort = new AbortController();
    const timer = setTimeout(() => {
      const { body, keys } = toBody(latest.current, false);
      const allowances = latest.current.allowances.map((a) => a.key);
      v1.POST("/api/invoices/preview/", { body, signal: abort.signal })
        .then(({ data }) => data && setPreview({ invoice: data.invoice, problems: [], failure: null, current: true }))
        .catch((error: unknown) => {
          if (abort.signal.aborted) return;
          const refused = error instanceof Failure && error.status === 400 && error.problems.length > 0;
          setPreview({
            invoice: null,
            problems: refused ? error.problems.map((p) => ({ ...p, field: fieldOf(p.path ?? "", keys, allowances) })) : [],
            failure: refused ? null : error,
            current: true,
          });
        });
    }, idle);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text]);
  return preview;
}

const documentFields: Record<string, string> = {
  device: "device",
  seller: "device",
  buyer: "buyer",
  type_code: "kind",
  transaction_code: "kind",
  supply_date: "supplyDate",
  supply_end_date: "supplyEndDate",
  currency: "currency",
  exchange_rate: "exchangeRate",
  payment_means_type_code: "paymentMeans",
  reason_id: "reason",
  original_invoice_reference: "originals",
  prepaid_invoices: "advances",
  notes: "notes",
};

const lineFields: Record<string, string> = {
  item_id: "name",
  item_name: "name",
  item_net_price: "price",
  item_gross_price: "price",
  invoiced_quantity: "quantity",
  quantity: "quantity",
  invoiced_quantity_unit_of_measure: "unit",
  vat_category_code: "tax",
  vat_rate: "tax",
  vat_exemption_reason_code: "exemption",
  vat_exemption_reason_text: "exemption",
};

/** Returns the field of the editor that a path of the API is about, or an empty text. */
export function fieldOf(path: string, lineKeys: string[], allowanceKeys: string[]): string {
  const [, list, index, rest] = /^(?:invoice\.)?(form_lines|lines|document_level_allowances)(?:\[|\.)(\d+)\]?(?:\.(\w+))?/.exec(path) ?? [];
  if (list === "document_level_allowances") return `allowance.${allowanceKeys[Number(index)] ?? ""}`;
  if (list) return `line.${lineKeys[Number(index)] ?? ""}.${lineFields[rest ?? ""] ?? "name"}`;
  const [, name = ""] = /^(?:invoice\.)?(\w+)/.exec(path) ?? [];
  return documentFields[name] ?? "";
}
