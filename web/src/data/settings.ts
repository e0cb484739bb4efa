import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { paths } from "./app";
import { app, v1 } from "./client";
import { data } from "./queries";

type Query<Path extends "/api/trail/" | "/api/outbox/"> = NonNullable<paths[Path]["get"]["parameters"]["query"]>;

export const keysQuery = (cursor: string) =>
  queryOptions({
    queryKey: ["keys", cursor],
    queryFn: ({ signal }) => data(app.GET("/api/keys/", { params: { query: { ...(cursor && { cursor }) } }, signal })),
    placeholderData: keepPreviousData,
  });

export const membersQuery = (cursor: string) =>
  queryOptions({
    queryKey: ["members", cursor],
    queryFn: ({ signal }) => data(app.GET("/api/members/", { params: { query: { ...(cursor && { cursor }) } }, signal })),
    placeholderData: keepPreviousData,
  });

export const memberKeysQuery = (person: string) =>
  queryOptions({
    queryKey: ["members", "keys", person],
    queryFn: ({ signal }) => data(app.GET("/api/members/{person_id}/keys/", { params: { path: { person_id: person } }, signal })),
  });

export const invitationsQuery = queryOptions({
  queryKey: ["invitations"],
  queryFn: ({ signal }) => data(app.GET("/api/invitations/", { params: { query: { page_size: 100 } }, signal })),
});

export const reasonsQuery = (cursor: string) =>
  queryOptions({
    queryKey: ["reasons", cursor],
    queryFn: ({ signal }) => data(app.GET("/api/reasons/", { params: { query: { ...(cursor && { cursor }) } }, signal })),
    placeholderData: keepPreviousData,
  });

export const lettersQuery = (filter: Query<"/api/outbox/">) =>
  queryOptions({
    queryKey: ["letters", filter],
    queryFn: ({ signal }) => data(app.GET("/api/outbox/", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });

/** A letter with its text. Reading it is recorded, so it is read once. */
export const letterQuery = (id: string) =>
  queryOptions({
    queryKey: ["letter", id],
    queryFn: ({ signal }) => data(app.GET("/api/outbox/{letter_id}/", { params: { path: { letter_id: id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  });

export type TrailFilter = Query<"/api/trail/">;

export const trailQuery = (filter: TrailFilter) =>
  queryOptions({
    queryKey: ["trail", filter],
    queryFn: ({ signal }) => data(app.GET("/api/trail/", { params: { query: filter }, signal })),
    placeholderData: keepPreviousData,
  });

export const factorQuery = queryOptions({
  queryKey: ["second-factor"],
  queryFn: ({ signal }) => data(app.GET("/api/person/second-factor/", { signal })),
});

/** What the ready calls of a key name: a device, a client and a reason of the organisation, as far as it has them. */
export const sampleQuery = queryOptions({
  queryKey: ["sample"],
  queryFn: async ({ signal }) => {
    const [devices, clients, reasons] = await Promise.all([
      data(v1.GET("/api/devices/", { params: { query: { page_size: 100 } }, signal })),
      data(v1.GET("/api/buyers/", { params: { query: { page_size: 100 } }, signal })),
      data(app.GET("/api/reasons/", { params: { query: { page_size: 100 } }, signal })),
    ]);
    const active = devices.devices.filter((d) => d.device_status === "pcsid_generated" && d.submission_state === "ok");
    return {
      device: active.find((d) => d.invoice_type === "1100") ?? active[0],
      client: clients.buyers.find((b) => b.vat_registration_number && b.country_code === "SA"),
      reason: reasons.reasons.find((r) => r.is_active),
    };
  },
});

type Body<Path extends keyof paths, Method extends "get" | "post", Status extends number> = paths[Path] extends { [M in Method]: { responses: { [S in Status]: { content: { "application/json": infer B } } } } } ? B : never;
export type Key = Body<"/api/keys/", "get", 200>["keys"][number];
export type NewKey = Body<"/api/keys/", "post", 201>;
export type Member = Body<"/api/members/", "get", 200>["members"][number];
export type Invitation = Body<"/api/invitations/", "get", 200>["invitations"][number];
export type Reason = Body<"/api/reasons/", "get", 200>["reasons"][number];
export type Letter = Body<"/api/outbox/", "get", 200>["letters"][number];
export type TrailEntry = Body<"/api/trail/", "get", 200>["entries"][number];
export type Sample = Awaited<ReturnType<NonNullable<typeof sampleQuery.queryFn>>>;
