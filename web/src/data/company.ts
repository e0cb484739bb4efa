import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { paths } from "./app";
import { app } from "./client";
import { data } from "./queries";

export type Company = paths["/api/company/"]["get"]["responses"]["200"]["content"]["application/json"];
export type Branch = paths["/api/branches/{branch_id}/"]["get"]["responses"]["200"]["content"]["application/json"];

export const companyQuery = queryOptions({
  queryKey: ["company"],
  queryFn: ({ signal }) => data(app.GET("/api/company/", { signal })),
});

export const branchesQuery = (filter: NonNullable<paths["/api/branches/"]["get"]["parameters"]["query"]>) =>
  queryOptions({
    queryKey: ["branches", filter],
    queryFn: ({ signal }) => data(app.GET("/api/branches/", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });
