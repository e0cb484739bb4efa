import { queryOptions } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { failureOf, v1 } from "./client";
import type { paths } from "./open";
import { data } from "./queries";

// Some lists of codes need no session.
const open = createClient<paths>({ baseUrl: "/v1" });
open.use({
  async onResponse({ response }) {
    if (!response.ok) throw await failureOf(response);
  },
});

/** Returns the query of a list of codes, which changes only with a new version of the service. */
function list<T extends { code: string | number }>(name: string, read: (signal: AbortSignal) => Promise<Record<string, T>>) {
  return queryOptions({
    queryKey: ["codes", name],
    queryFn: async ({ signal }) => {
      // Some codes have several entries, of which the first is kept.
      const entries = new Map<string | number, T>();
      for (const entry of Object.values(await read(signal))) if (!entries.has(entry.code)) entries.set(entry.code, entry);
      return [...entries.values()];
    },
    staleTime: Infinity,
  });
}

export const sellerIdTypesQuery = list("seller-id-types", (signal) => data(open.GET("/api/sellers/additional-seller-id-types/", { signal })));
export const buyerIdTypesQuery = list("buyer-id-types", (signal) => data(open.GET("/api/buyers/additional-buyer-id-types/", { signal })));
export const industriesQuery = list("industries", (signal) => data(open.GET("/api/industries/", { signal })));
export const businessTypesQuery = list("business-types", (signal) => data(open.GET("/api/business-types/", { signal })));
export const unitsQuery = list("units", (signal) => data(v1.GET("/api/invoices/units-of-measure/", { signal })));
export const vatCategoriesQuery = list("vat-categories", (signal) => data(v1.GET("/api/invoices/vat-categories/", { signal })));
export const paymentMeansQuery = list("payment-means", (signal) => data(v1.GET("/api/invoices/payment-means-types/", { signal })));

/** The rates and exemption reasons of each category. */
export const vatQuery = queryOptions({
  queryKey: ["codes", "vat"],
  queryFn: ({ signal }) => data(v1.GET("/api/invoices/vat/", { signal })),
  staleTime: Infinity,
});
