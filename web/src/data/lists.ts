import { queryOptions } from "@tanstack/react-query";
import createClient from "openapi-fetch";
import { failureOf } from "./client";
import type { paths } from "./open";
import { data } from "./queries";

// The code lists need no session.
const open = createClient<paths>({ baseUrl: "/v1" });
open.use({
  async onResponse({ response }) {
    if (!response.ok) throw await failureOf(response);
  },
});

export const sellerIdTypesQuery = queryOptions({
  queryKey: ["seller-id-types"],
  queryFn: ({ signal }) => data(open.GET("/api/sellers/additional-seller-id-types/", { signal })),
  staleTime: Infinity,
});

export const industriesQuery = queryOptions({
  queryKey: ["industries"],
  queryFn: ({ signal }) => data(open.GET("/api/industries/", { signal })),
  staleTime: Infinity,
});

export const businessTypesQuery = queryOptions({
  queryKey: ["business-types"],
  queryFn: ({ signal }) => data(open.GET("/api/business-types/", { signal })),
  staleTime: Infinity,
});
