import { queryOptions } from "@tanstack/react-query";
import type { paths } from "./app";
import { app } from "./client";
import { data } from "./queries";

export type SetUp = paths["/api/setup/"]["get"]["responses"]["200"]["content"]["application/json"];
export type Environment = SetUp["environments"][number]["code"];
export type NewOrganisation = paths["/api/setup/"]["post"]["requestBody"]["content"]["application/json"]["organisation"];

export const setUpQuery = queryOptions({
  queryKey: ["setup"],
  queryFn: ({ signal }) => data(app.GET("/api/setup/", { signal })),
});
