import { queryOptions } from "@tanstack/react-query";
import type { components as App } from "./app";
import { app, v1 } from "./client";
import { data, type Invoice, isSound, type Sound } from "./queries";
import type { components } from "./v1";

export type Correction = App["schemas"]["Correction"];
export type Receipt = App["schemas"]["Receipt"];

export const correctionQuery = (id: string) =>
  queryOptions({
    queryKey: ["invoice", id, "correction"],
    queryFn: ({ signal }) => data(app.GET("/api/invoices/{invoice_id}/correct/", { params: { path: { invoice_id: id } }, signal })),
  });

export const notesQuery = (id: string) =>
  queryOptions({
    queryKey: ["invoice", id, "notes"],
    queryFn: ({ signal }) => data(v1.GET("/api/invoices/{invoice_id}/notes/", { params: { path: { invoice_id: id } }, signal })),
  });

export const receiptsOfQuery = (id: string) =>
  queryOptions({
    queryKey: ["invoice", id, "receipts"],
    queryFn: ({ signal }) => data(app.GET("/api/receipts/", { params: { query: { invoice: id, page_size: 100 } }, signal })),
  });

export type LinkKind = "original" | "advance" | "credit" | "debit" | "final" | "replaces" | "replaced";

export interface Link {
  kind: LinkKind;
  uuid: string;
  number: string;
  row: Sound | null; // null for an invoice of an earlier system
}

/** Number of notes that are searched for those of a document. */
export const notesSearched = 100;

/**
 * Returns the documents that a document names, and the notes and invoices that name it.
 * The API has no filter for the latter, so the newest ones of the same client are searched.
 */
export const linksQuery = (of: Invoice, correction: Correction | undefined) =>
  queryOptions({
    queryKey: ["invoice", of.uuid, "links", correction?.replaced_by_uuid ?? null, correction?.replaces_uuid ?? null],
    enabled: Boolean(correction),
    queryFn: async ({ signal }): Promise<{ links: Link[]; capped: boolean }> => {
      const named: { kind: LinkKind; uuid: string }[] = [
        ...of.original_invoice_reference.map((uuid) => ({ kind: "original" as const, uuid })),
        ...of.prepaid_invoices.map((uuid) => ({ kind: "advance" as const, uuid })),
        ...(correction?.replaces_uuid ? [{ kind: "replaces" as const, uuid: correction.replaces_uuid }] : []),
        ...(correction?.replaced_by_uuid ? [{ kind: "replaced" as const, uuid: correction.replaced_by_uuid }] : []),
      ];
      const links: Link[] = [];
      if (named.length > 0) {
        const found = (await data(v1.GET("/api/invoices/", { params: { query: { uuid: named.map((n) => n.uuid), page_size: 100 } }, signal }))).invoices.filter(isSound);
        for (const { kind, uuid } of named) {
          const row = found.find((one) => one.uuid === uuid);
          if (row) links.push({ kind, uuid, number: row.ref_num, row });
          else {
            const earlier = await data(app.GET("/api/earlier-invoices/{earlier_id}/", { params: { path: { earlier_id: uuid } }, signal })).catch(() => null);
            links.push({ kind, uuid, number: earlier?.number ?? uuid, row: null });
          }
        }
      }
      let capped = false;
      const kinds: ({ type: 381 | 383; kind: LinkKind } | { type: 388; kind: LinkKind })[] = of.type_code === 388 ? [{ type: 381, kind: "credit" }, { type: 383, kind: "debit" }] : of.type_code === 386 ? [{ type: 381, kind: "credit" }, { type: 388, kind: "final" }] : [];
      const accepted = of.authority_response_status === "CLEARED" || of.authority_response_status === "REPORTED";
      for (const { type, kind } of accepted ? kinds : []) {
        const later = await data(
          v1.GET("/api/invoices/", { params: { query: { type_code: type, date_from: of.issue_date, page_size: notesSearched, ...(of.buyer ? { buyer: of.buyer.uuid } : { transaction_code: of.transaction_code }) } }, signal }),
        );
        if (later.next_cursor) capped = true;
        for (const row of later.invoices.filter(isSound)) {
          if (row.original_invoice_reference.includes(of.uuid) || row.prepaid_invoices.includes(of.uuid)) links.push({ kind, uuid: row.uuid, number: row.ref_num, row });
        }
      }
      return { links, capped };
    },
  });

export type Pdf = Required<{ [K in keyof components["schemas"]["FormBody"]]: NonNullable<components["schemas"]["FormBody"][K]> }>;

/** Returns the PDF of a document. */
export async function pdfOf(id: string, form: Pdf): Promise<Blob> {
  return (await data<unknown>(v1.POST("/api/invoices/{invoice_id}/pdf-a3/", { params: { path: { invoice_id: id } }, body: form, parseAs: "blob" }))) as Blob;
}

/** Returns the stamped XML of a document, which the authority's response contains; null before it. */
export function xmlOf(of: Invoice): Uint8Array<ArrayBuffer> | null {
  const text = of.authority_response_data?.clearedInvoice;
  return text ? Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)) : null;
}

export const viewsQuery = queryOptions({
  queryKey: ["views", "invoices"],
  queryFn: async ({ signal }) => (await data(app.GET("/api/views/", { params: { query: { list: "invoices" } }, signal }))).views,
});
